// What the search has found, as it is shown: pages with their sections, with the words that were found marked.

import { pattern, tells } from "./marks.js";
import { tokens } from "./words.js";

const SECTIONS = 5; // of a page, at most
const NEAR = 0.4; // of the best section's score, for others to be shown
const TEASER = 170; // characters

const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

/** HTML of a text with the words marked. */
function marked(text, words) {
  let html = "";
  let from = 0;
  for (const match of text.matchAll(words)) {
    html += `${escaped(text.slice(from, match.index))}<mark>${escaped(match[0])}</mark>`;
    from = match.index + match[0].length;
  }
  return html + escaped(text.slice(from));
}

/** The sentences that have most of the words. */
function teaser(text, forms, words) {
  if (text.length <= TEASER) return text;
  const sentences = text.split(/(?<=[.?!])\s+/);
  const counts = sentences.map((sentence) => {
    const small = sentence.toLowerCase();
    return forms.filter((form) => small.includes(form)).length;
  });
  const best = counts.indexOf(Math.max(...counts));
  let shown = sentences[best];
  for (let next = best + 1; next < sentences.length && shown.length + sentences[next].length < TEASER; next++)
    shown += ` ${sentences[next]}`;
  if (shown.length > TEASER) {
    const first = Math.max(0, shown.search(words) - TEASER / 3);
    const from = first && shown.indexOf(" ", first) + 1;
    shown = `${from ? "… " : ""}${shown.slice(from, shown.lastIndexOf(" ", from + TEASER))} …`;
  }
  return `${best && !shown.startsWith("…") ? "… " : ""}${shown}`;
}

/**
 * What to show for a question: pages, the best first, and what would complete the last word.
 *
 * Of a page: the page itself; the section that answers best, if one does better than the page as a whole; more of its
 * sections; and which words of the question it lacks. Page and sections have an address, with the words to mark there,
 * and title and text as HTML.
 */
export function answer(search, question) {
  const pages = search.find(question).map(({ page, sections, words, missing }) => {
    const forms = [...new Set([...words].flatMap((word) => [...search.forms(word)]))];
    const all = pattern(forms);
    const entry = ({ anchor, title, text }) => {
      const here = [title, text].join(" ").toLowerCase();
      const seen = forms.filter((form) => here.includes(form));
      const named = seen.filter((form) => tells(form) && !seen.some((other) => other !== form && form.includes(other)));
      const marks = named.map(encodeURIComponent).join("+");
      return {
        address: page.url + (marks && `?h=${marks}`) + (anchor && `#${anchor}`),
        title: marked(title, all),
        text: marked(teaser(text, forms, all), all),
      };
    };
    const [first] = sections;
    const near = sections.filter((each) => each.section.anchor && each.score >= NEAR * first.score).slice(0, SECTIONS);
    const parts = near.map(({ section }) => entry(section));
    const best = first?.section.anchor ? parts.shift() : null;
    const itself = entry({ anchor: "", title: page.title, text: page.about || page.sections[0][2] });
    return { page: itself, best, more: parts, missing };
  });
  const last = tokens(question).pop()?.surface.toLowerCase();
  const [whole = ""] = last && question.endsWith(last) ? search.complete(last) : [];
  return { pages, completion: whole.slice(last?.length) };
}
