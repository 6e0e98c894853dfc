// Before the theme's script. The theme starts its search with every page; this one waits until a reader wants it.
{
  const { Worker } = window;
  const folder = document.currentScript.src;
  const { base } = JSON.parse(document.getElementById("__config").textContent);

  /** Stands in for the theme's worker: keeps its messages until the search box is opened, and then passes them on. */
  class Waiting extends EventTarget {
    constructor() {
      super();
      window.Worker = Worker; // for whoever else starts one
      this.messages = [{ text: new URL("search/text.json", new URL(`${base}/`, location)).href }];
      const box = document.querySelector(".md-search__input");
      const start = () => this.worker ?? this.start();
      box.addEventListener("focus", start);
      const open = document.getElementById("__search");
      open.addEventListener("change", start);
      if (open.checked || document.activeElement === box) start(); // what made the theme's script come
      // The theme listens to keys, and what is pasted, dictated or composed comes without any.
      box.addEventListener("input", () => box.dispatchEvent(new KeyboardEvent("keyup")));
    }

    start() {
      this.worker = new Worker(new URL("worker.js", folder), { type: "module" });
      this.worker.addEventListener("error", () => {
        delete this.worker; // without a connection: until there is one
        setTimeout(() => this.worker ?? this.start(), 2000);
      });
      this.worker.addEventListener("message", ({ data }) => this.dispatchEvent(new MessageEvent("message", { data })));
      this.messages.forEach((message) => this.worker.postMessage(message));
    }

    postMessage(message) {
      this.messages.push(message); // what was sent to a worker that could not be loaded is asked again
      this.worker?.postMessage(message);
    }
  }
  if (Worker) window.Worker = Waiting;
}
