// A figure that can be touched: what it needs is loaded when a reader asks for it, and takes the place of the drawing.

import { clicked, find, here } from "./page.js";

const module = new URL("touch/touchable.js", here).href;
let touchable;

/** Show the figure of a button or the drawing. The button goes up as far as it takes to see all of the figure, and stays
 *  where it is when the drawing comes back. */
const turn = (button, on = undefined) => {
  const figure = button.parentElement;
  const { top } = button.getBoundingClientRect();
  const comes = figure.classList.toggle("touched", on);
  const height = figure.getBoundingClientRect().bottom - button.getBoundingClientRect().top;
  const highest = find(".md-header").getBoundingClientRect().bottom + 8;
  const there = comes ? Math.min(top, Math.max(highest, innerHeight - height)) : top;
  const by = button.getBoundingClientRect().top - there;
  scrollBy({ top: by - 2, behavior: "instant" });
  // Downwards, else the theme takes it for a reader who goes up; by what is left once the browser has laid out what
  // it shows now, since each scroll is rounded to pixels.
  const rest = () => scrollBy({ top: Math.max(1, button.getBoundingClientRect().top - there), behavior: "instant" });
  requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(rest)));
};

document.addEventListener("click", (event) => {
  const button = clicked(event, "button.touch");
  if (!button) return;
  find(":scope > [role=alert]", button.parentElement)?.remove();
  turn(button);
  // fetched first, since browsers may remember of a module that it could not be loaded
  touchable ??= fetch(module).then(() => import(module));
  touchable
    .then(({ open }) => open(button))
    .catch(() => {
      touchable = undefined;
      turn(button, false);
      button.after(Object.assign(document.createElement("p"), { role: "alert", textContent: button.dataset.failed }));
    });
});

/** An address that says what a figure shows opens it; what it says is for the figure to read. */
const enter = () => {
  const button = location.hash.startsWith("#at=") && find("button.touch");
  if (!button) return;
  button.scrollIntoView({ block: "start", behavior: "instant" }); // first: what opens stays where it is
  if (!button.closest(".touched")) button.click();
};

addEventListener("hashchange", enter);
enter();
