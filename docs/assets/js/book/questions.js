// The questions: which were answered right at the first attempt, and when the first page of a part asks them again.

import { keep, kept, recall } from "./kept.js";
import { address, all, clicked, find } from "./page.js";
import { show } from "./progress.js";

/** Days until a question is asked again that was answered right so many times in a row: each interval is longer. */
const DAYS = [1, 3, 7, 21, 60];

const showAgain = () => {
  const again = recall("again");
  all(".again > .questions").forEach((box) => {
    const groups = all(".question", box),
      due = (group) => again[group.firstElementChild.id]?.due ?? 0;
    groups.forEach((group) => {
      group.hidden = due(group) > Date.now() && !group.dataset.answered;
    });
    const hidden = groups.filter((group) => group.hidden);
    find(":scope > .later", box)?.remove();
    if (!hidden.length) return;
    const later = Object.assign(document.createElement("p"), { className: "later" });
    const date = new Date(Math.min(...hidden.map(due))).toLocaleDateString(document.documentElement.lang);
    later.textContent = box.dataset.later.replace("{date}", date).replace("{count}", String(hidden.length));
    box.append(later);
  });
};

const answeredAgain = (answer) => {
  const group = answer.parentElement,
    id = group.firstElementChild.id;
  if (group.dataset.answered) return; // the first answer counts
  group.dataset.answered = "now";
  const times = answer.classList.contains("right") ? (kept.again[id]?.times ?? 0) + 1 : 0;
  kept.again[id] = { times, due: Date.now() + 864e5 * DAYS[Math.min(times, DAYS.length - 1)] };
  keep("again");
};

const answered = (answer) => {
  const here = address(location),
    page = kept.questions[here] ?? { first: {} };
  delete kept.questions[here];
  kept.questions[here] = page; // the last one
  const ids = all(".md-content__inner > .questions > .question > p").map((asked) => asked.id);
  page.first[answer.parentElement.firstElementChild.id] ??= answer.classList.contains("right");
  page.of = ids.length;
  Object.keys(page.first).forEach((one) => {
    if (!ids.includes(one)) delete page.first[one];
  });
  keep("questions");
  show();
};

document.addEventListener("click", (event) => {
  const answer = /** @type {HTMLDetailsElement} */ (clicked(event, ".answer > summary")?.parentElement);
  if (!answer || answer.open) return;
  if (answer.closest(".again")) answeredAgain(answer);
  else answered(answer);
});
addEventListener("pageshow", showAgain);
