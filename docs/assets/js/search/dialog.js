// The search as a reader meets it: what fills the dialog of each page (book/theme/partials/search.html), which book.js
// opens. What is typed goes to the worker, one question at a time, and what that finds is shown, page by page.

const dialog = /** @type {HTMLDialogElement} */ (document.querySelector("dialog.search"));
const box = dialog.querySelector("input");
const [typed, completion] = dialog.querySelectorAll(".completion > span");
const told = dialog.querySelector("[role=status]");
const found = dialog.querySelector(".found");
const words = dialog.dataset;
const text = new URL(words.text, document.baseURI);
const root = new URL("..", text);

let worker;
let asked, shown; // questions: the one that the worker thinks about, and the one that is answered
let going = false; // to the best answer, once it is there

const question = () => box.value.trim();

function ask() {
  complete("");
  if (shown === undefined && question()) told.textContent = words.waiting;
  if (asked !== undefined || question() === shown) return;
  if (!worker) {
    worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }) => show(data));
    worker.addEventListener("error", () => {
      worker = asked = undefined; // without a connection: until there is one
      setTimeout(ask, 2000);
    });
  }
  asked = question();
  worker.postMessage({ text: text.href, question: asked });
}

function show({ pages, completion }) {
  [shown, asked] = [asked, undefined];
  found.replaceChildren(...pages.map(item));
  found.scrollTop = 0;
  const some = [words.none, words.one][pages.length] ?? words.other.replace("{}", pages.length);
  told.textContent = shown ? some : words.prompt;
  if (question() !== shown) ask();
  else {
    complete(completion);
    if (going) go();
  }
}

/** Shows, behind what is typed, what would complete it. */
function complete(rest) {
  completion.textContent = box.scrollWidth > box.clientWidth ? "" : rest;
  typed.textContent = box.value;
}

const element = (name, properties, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

function link({ address, title, text }, teased, missing) {
  const made = element("a", { href: new URL(address, root).href }, element("strong", { innerHTML: title }));
  if (teased) made.append(element("span", { innerHTML: text }));
  if (missing?.length) {
    const lacking = element("del", { textContent: missing.join(" ") });
    made.append(element("small", {}, `${words.lacks}: `, lacking));
  }
  return made;
}

/** A page, the section that answers best below it, and the others folded. */
function item({ page, best, more, missing }) {
  const made = element("li", {}, link(page, !best, best ? [] : missing));
  made.firstElementChild.className = "page";
  if (best) made.append(link(best, true, missing));
  if (more.length) {
    const summary = element("summary", { textContent: words.more.replace("{}", more.length) });
    made.append(element("details", {}, summary, ...more.map((section) => link(section, true))));
  }
  return made;
}

/** Follow the best answer, now or when it has come. */
function go() {
  going = question() !== shown;
  /** @type {HTMLElement} */
  const best = found.querySelector("li:first-child > a:last-of-type");
  if (!going) best?.click();
}

dialog.addEventListener("keydown", (event) => {
  event.stopPropagation(); // the page has keys of its own
  if (event.isComposing) return;
  const commanded = event.ctrlKey || event.metaKey || event.altKey;
  const here = document.activeElement,
    down = event.key === "ArrowDown";
  if (down || event.key === "ArrowUp") {
    const stops = [box, ...found.querySelectorAll("li > a, summary, details[open] > a")];
    const next = stops[(Math.max(0, stops.indexOf(here)) + (down ? 1 : stops.length - 1)) % stops.length];
    /** @type {HTMLElement} */ (next).focus();
  } else if (here === box) {
    if (event.key === "Enter") return go();
    const accepts = event.key === "ArrowRight" && completion.textContent && box.selectionStart === box.value.length;
    if (!accepts) return;
    box.value += completion.textContent;
    ask();
  } else {
    if (event.key.length === 1 && event.key !== " " && !commanded) box.focus(); // and the letter goes there
    return;
  }
  event.preventDefault();
});
found.addEventListener("click", (event) => {
  const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey; // another tab or window
  if (/** @type {Element} */ (event.target).closest("a") && !elsewhere) dialog.close();
});
box.addEventListener("input", () => {
  going = false;
  ask();
});
dialog.querySelector(".clear").addEventListener("click", () => {
  box.value = "";
  box.focus();
  ask();
});
dialog.addEventListener("close", () => {
  // a link that asked has been answered
  const address = new URL(location.href);
  if (address.searchParams.has("q")) {
    address.searchParams.delete("q");
    history.replaceState(history.state, "", address);
  }
});
ask();
