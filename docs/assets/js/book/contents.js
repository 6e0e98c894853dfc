// The contents: of a page, where they cover it, of a part, and of both languages.

import { all, clicked, find, reached } from "./page.js";

// over the page, on a phone, they say which heading the reader is at
find("#__contents").addEventListener("beforetoggle", (event) => {
  if (/** @type {ToggleEvent} */ (event).newState !== "open") return;
  /** @type {HTMLAnchorElement[]} */
  const links = all("#__contents .headings a");
  const last = reached(links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1)))));
  links.forEach((link, place) => {
    if (place === last) link.setAttribute("aria-current", "location");
    else link.removeAttribute("aria-current");
  });
});

// a long part scrolls in the contents: to the page that is read
const read = find(".book-nav [open] [aria-current]"),
  pages = read?.closest(".part");
if (pages) {
  const above = (row) => row.getBoundingClientRect().top - pages.getBoundingClientRect().top;
  // no row is cut by the title of the part, which stays above them
  const title = /** @type {HTMLElement} */ (pages.firstElementChild);
  const rows = all("ol > li", pages).map((row) => above(row) - title.offsetHeight);
  pages.scrollTop += rows.find((y) => y >= above(read) - pages.clientHeight / 2) ?? 0;
}

document.addEventListener("click", (event) => {
  // the switch of languages keeps the heading that the reader is at
  const link = /** @type {HTMLAnchorElement} */ (clicked(event, ".md-select__link[hreflang]"));
  if (link) link.hash = location.hash;
  // a heading of this page, chosen from the contents where these cover the page
  if (clicked(event, ".headings a")) clicked(event, "[popover]").hidePopover();
});
