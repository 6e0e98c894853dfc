// Where a reader stopped, for whoever wants that kept, and the way back there.

import { keep, kept, recall } from "./kept.js";
import { address, all, find, pageLinks, reached, words } from "./page.js";

const stop = () => {
  const here = address(location),
    headings = all("article :is(h2, h3)[id]"),
    stopped = recall("stopped");
  if (!stopped || !headings.length || !pageLinks().some((link) => address(link) === here)) return;
  const last = headings[reached(headings)],
    before = stopped[here];
  if (!last && !before) return;
  const isEnd = (heading) => /^(questions|exercises|sources)$/.test(heading.id);
  const ends = headings.find(isEnd) ?? find(".md-footer");
  delete stopped[here];
  stopped[here] = { at: last?.id ?? "", end: Boolean(before?.end) || ends.getBoundingClientRect().top < innerHeight };
  keep("stopped");
};

/** On a page that was left before its end, a way to where that was; gone once the reader has taken it, or has moved on. */
const resume = () => {
  find(".stopped-at")?.remove();
  const place = kept.stopped?.[address(location)],
    heading = place && !place.end && document.getElementById(place.at);
  if (!heading || location.hash || scrollY > 0.3 * innerHeight || heading.getBoundingClientRect().top < innerHeight)
    return;
  const link = Object.assign(document.createElement("a"), { className: "stopped-at", href: `#${place.at}` });
  const title = find(`.md-sidebar a[href="#${place.at}"]`)?.textContent.trim();
  link.textContent = title ? `${words.continue}: ${title}` : words.continue;
  find(".md-content").append(link);
  const from = scrollY;
  const away = () => {
    if (Math.abs(scrollY - from) < innerHeight / 2) return;
    link.remove();
    removeEventListener("scroll", away);
  };
  addEventListener("scroll", away, { passive: true });
  link.addEventListener("click", () => link.remove());
};

addEventListener("pageshow", resume); // after `show`, which reads what is kept
addEventListener("pagehide", stop);
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "hidden") stop(); // a phone's pages may end so
});
