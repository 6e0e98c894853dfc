// How far a reader is, beside each page in the contents, on the home page, and on "Reading the book", which erases it.

import { forget, keep, kept, recall } from "./kept.js";
import { address, all, clicked, find, pageLinks, words } from "./page.js";

const begin = /** @type {HTMLAnchorElement} */ (find(".begin"));
const unread = begin && { href: begin.href, textContent: begin.textContent };

const right = (page) => Object.values(page.first).filter(Boolean).length;

/** The sign behind what has so many questions, of which so many were answered right. */
const mark = (sum, of) => {
  const sign = Object.assign(document.createElement("span"), { className: "answered", role: "img" });
  if (sum === of) sign.classList.add("whole");
  sign.textContent = sum === of ? "✓" : of === 1 ? "✗" : `${sum}/${of}`;
  sign.ariaLabel = sign.title = sum === of ? words.answered : `${words.answered}: ${sum}/${of}`;
  return sign;
};

/** The home page leads back to where a reader stopped; where that is not kept, to the last page with an answer, or to the
 *  one after it if all is answered there. */
const lead = (links) => {
  const page = Object.keys(kept.stopped ?? {}).at(-1),
    at = links.findIndex((link) => address(link) === page);
  if (at >= 0) {
    const { end, at: id } = kept.stopped[page],
      next = links[at + Number(end)] ?? links[at];
    begin.href = next.href + (end || !id ? "" : `#${id}`);
    begin.textContent = `${words.continue}: ${next.querySelector(".number + span").textContent}`;
    return;
  }
  const last = Object.keys(kept.questions).at(-1),
    place = links.findIndex((link) => address(link) === last);
  const whole = place >= 0 && Object.keys(kept.questions[last].first).length >= kept.questions[last].of;
  const next = place < 0 ? null : (links[place + Number(whole)] ?? links[place]);
  begin.href = next ? next.href + (whole ? "" : "#questions") : unread.href;
  begin.textContent = next ? `${words.continue}: ${next.lastElementChild.textContent}` : unread.textContent;
};

export const show = () => {
  const questions = recall("questions"),
    stopped = recall("stopped");
  all(".book-nav :is(.answered, .seen), .question .answered").forEach((sign) => sign.remove());
  const links = pageLinks();
  if (begin) lead(links);
  links.forEach((link) => {
    const page = questions[address(link)],
      seen = stopped?.[address(link)];
    if (seen) {
      const sign = Object.assign(document.createElement("span"), { className: "seen", role: "img" });
      sign.textContent = seen.end ? "●" : "◐";
      sign.ariaLabel = sign.title = seen.end ? words.read : words.begun;
      link.append(sign);
    }
    if (page) link.append(mark(right(page), page.of));
    // a part has the sum of its pages
    const pages = link.dataset.asked ? Object.keys(questions).filter((name) => name.startsWith(address(link))) : [];
    if (pages.length)
      link.append(
        mark(
          pages.reduce((sum, name) => sum + right(questions[name]), 0),
          +link.dataset.asked,
        ),
      );
  });
  const here = questions[address(location)];
  all(".question > p").forEach((asked) => {
    if (asked.id in (here?.first ?? {})) asked.append(" ", mark(+here.first[asked.id], 1));
  });
  all(".progress .answered").forEach((sum) => {
    sum.textContent = String(Object.values(questions).reduce((sum, page) => sum + right(page), 0));
  });
};

document.addEventListener("click", (event) => {
  const erase = clicked(event, "button.erase");
  if (!erase || !confirm(`${erase.textContent}?`)) return;
  kept.questions = {};
  kept.again = {};
  if (kept.stopped) {
    kept.stopped = {};
    keep("stopped");
  }
  forget("questions");
  forget("again");
  show();
});
addEventListener("pageshow", show);
