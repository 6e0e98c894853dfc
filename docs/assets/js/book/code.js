// Code and formulas: what is too wide scrolls, a button copies code, and the keyboard reaches all of it.

import { all, clicked } from "./page.js";

// A glossary term shows its entry on focus as well.
all(".md-content abbr[title]").forEach((term) => {
  term.tabIndex = 0;
});

// What is too wide for the screen can be scrolled from the keyboard too. To measure it all takes a while, so that
// waits for a keyboard; and to measure a formula out of sight is what first loads its fonts, so it is done again.
const measure = () =>
  all("div.formula, .md-typeset__scrollwrap, pre > code").forEach((box) => {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  });

addEventListener(
  "keydown",
  (event) => {
    if (event.key !== "Tab") return;
    measure();
    document.fonts.ready.then(measure);
  },
  true,
);

document.addEventListener("click", async (event) => {
  const copy = clicked(event, "button.copy");
  if (!copy) return;
  const code = copy.parentElement.querySelector("code");
  getSelection().selectAllChildren(code); // seen; and all there is where a page may not write to the clipboard
  await navigator.clipboard?.writeText(`${code.innerText.trimEnd()}\n`);
  copy.classList.add("copied");
  setTimeout(() => copy.classList.remove("copied"), 2000);
});
