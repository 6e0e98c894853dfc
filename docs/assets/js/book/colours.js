// The colours: a button goes from those of the system to light, and to dark ones.

import { find } from "./page.js";

const button = find(".palette");
const media = button.dataset.media.split("|"),
  names = button.dataset.names.split("|");
const name = () => {
  button.title = button.ariaLabel = names[media.indexOf(document.body.dataset.mdColorMedia)];
};

button.addEventListener("click", () => {
  const next = media[(media.indexOf(document.body.dataset.mdColorMedia) + 1) % media.length];
  __palette(next);
  __md_set("__palette", { color: { media: next } });
  name();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () =>
  __palette(document.body.dataset.mdColorMedia),
);
name();
