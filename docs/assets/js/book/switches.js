// What a reader can switch on: code that an exercise asks for is folded, where one stopped is kept, and the book is there
// without a connection.

import { forget, kept, keep, recall } from "./kept.js";
import { all, find, here, root } from "./page.js";
import { show } from "./progress.js";

const checkbox = (box) => {
  const label = document.createElement("label");
  const input = Object.assign(document.createElement("input"), { type: "checkbox" });
  label.append(input, ` ${box.dataset.words}`);
  box.replaceChildren(label);
  return input;
};

// ---- folded, for whoever writes it first

const switches = all(".fold");
switches.forEach(checkbox);

const fold = (on) => {
  all(".folded").forEach((box) => box.replaceWith(box.lastElementChild));
  if (on) {
    all(".to-write").forEach((code) => {
      const box = Object.assign(document.createElement("details"), { className: "listing folded" });
      const name = Object.assign(document.createElement("summary"), { textContent: code.dataset.folded });
      code.replaceWith(box);
      box.append(name, code);
    });
  }
  switches.forEach((box) => {
    box.hidden = false;
    box.querySelector("input").checked = on;
  });
};

if (switches.length) fold(__md_get("fold", null, root) === true);
switches.forEach((box) =>
  box.addEventListener("change", () => {
    const { checked } = box.querySelector("input");
    __md_set("fold", checked, null, root);
    fold(checked);
  }),
);

// ---- where one stopped

const remembering = find(".remembering");
if (remembering) {
  const input = checkbox(remembering);
  remembering.hidden = false;
  input.checked = Boolean(recall("stopped"));
  input.addEventListener("change", () => {
    if (input.checked) {
      kept.stopped = {};
      keep("stopped");
    } else forget("stopped");
    show();
  });
}

// ---- without a connection, for whoever asks for it on "Reading the book"

const offline = find(".offline");
if (offline && "serviceWorker" in navigator) {
  const input = checkbox(offline),
    told = document.createElement("span"),
    { done, failed } = offline.dataset;
  told.setAttribute("role", "status");
  offline.append(" ", told);
  offline.hidden = false;
  navigator.serviceWorker.getRegistration(__md_scope.href).then((one) => {
    input.checked = Boolean(one);
  });
  input.addEventListener("change", async () => {
    const links = /** @type {HTMLAnchorElement[]} */ (all("nav a[href]")).map((link) => link.href.split("#")[0]);
    const pages = new Set(links.filter((link) => link.startsWith(__md_scope.href)));
    try {
      const { keep, forget } = await import(new URL("offline/keep.js", here).href);
      if (input.checked) {
        await keep(__md_scope, [...pages], (some, of) => {
          told.textContent = `${some} / ${of}`;
        });
      } else await forget();
      told.textContent = input.checked ? done : "";
    } catch (error) {
      told.textContent = failed;
      input.checked = false;
    }
  });
}
