// The search: what fills its dialog is loaded when a reader opens it.

import { clicked, find, here } from "./page.js";

const dialog = /** @type {HTMLDialogElement} */ (find("dialog.search")),
  box = dialog.querySelector("input");
const filling = new URL("search/dialog.js", here).href,
  marking = new URL("search/marks.js", here).href;
let filled;

const fill = () => {
  // fetched first, since browsers may remember of a module that it could not be loaded
  filled ??= fetch(filling)
    .then(() => import(filling))
    .catch(() => {
      filled = undefined; // without a connection: until there is one
      setTimeout(() => {
        if (dialog.open) fill();
      }, 2000);
    });
};

const search = () => {
  if (!dialog.open) dialog.showModal();
  box.focus(); // within the tap: a phone shows no keyboard for what is focused later
  box.select();
  fill();
};

find(".search-button").addEventListener("click", search);
dialog.addEventListener("click", (event) => {
  if (event.target === dialog || clicked(event, ".close")) dialog.close();
});
addEventListener("keydown", (event) => {
  if (!/^[/sf]$/.test(event.key) || event.ctrlKey || event.metaKey || event.altKey || dialog.open) return;
  if (/** @type {Element} */ (event.composedPath()[0]).matches?.("input, select, textarea, [contenteditable]")) return;
  event.preventDefault();
  search();
});

// A link may ask; and whoever comes from the search finds the words marked.
const params = new URLSearchParams(location.search);
if (params.has("q")) {
  box.value = params.get("q");
  search();
}
if (params.get("h")) {
  const forms = params.get("h").split(" ");
  import(marking).then(({ mark }) => mark(find(".md-content"), forms)).catch(() => {});
}
