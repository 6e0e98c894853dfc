// What the search has found, in the form in which the theme shows it.

import { tokens } from "./words.js";

const SECTIONS = 5; // of a page, at most
const NEAR = 0.4; // of the best section's score, for others to be shown
const TEASER = 170; // characters
const HANGUL = /[가-힣]/;

/** The theme marks these on the page wherever they stand, in other words too: a letter or two would be everywhere. */
const tells = (form) => form.length > (HANGUL.test(form) ? 1 : 2);

const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

/** A pattern for these words as they are written: in Hangul with whatever follows them, else whole. */
function pattern(forms) {
  const safe = (words) => words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
  const longest = [...forms].sort((a, b) => b.length - a.length);
  const hangul = safe(longest.filter((form) => HANGUL.test(form)));
  const other = safe(longest.filter((form) => !HANGUL.test(form)));
  const kinds = [hangul, other && `(?<![a-z0-9])(?:${other})(?![a-z0-9])`].filter(Boolean);
  return kinds.length ? new RegExp(kinds.join("|"), "gi") : /(?!)/g;
}

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

/** Items and a completion of the last word for a question. */
export function answer(search, question) {
  const items = search.find(question).map(({ page, score, sections, words, missing }) => {
    const forms = [...new Set([...words].flatMap((word) => [...search.forms(word)]))];
    const all = pattern(forms);
    const item = ({ anchor, title, text }, score) => {
      const here = [title, text].join(" ").toLowerCase();
      const seen = forms.filter((form) => here.includes(form));
      const named = seen.filter((form) => !seen.some((other) => other !== form && form.includes(other)));
      return {
        location: anchor ? `${page.url}#${anchor}` : page.url,
        title: marked(title, all),
        text: marked(teaser(text, forms, all), all),
        score,
        terms: {
          ...Object.fromEntries(named.filter(tells).map((form) => [form, true])),
          ...Object.fromEntries(missing.map((word) => [word, false])),
        },
      };
    };
    const intro = { anchor: "", title: page.title, text: page.about || page.sections[0][2] };
    const [first] = sections;
    const near = sections.filter((each) => each.section.anchor && each.score >= NEAR * first.score).slice(0, SECTIONS);
    const parts = near.map((each) =>
      item(each.section, each === first ? score : ((score * each.score) / (first.score + 1e-9)) * 0.99),
    );
    const article = item(intro, first && first.section.anchor ? 0 : score);
    return first && first.section.anchor ? [parts[0], article, ...parts.slice(1)] : [article, ...parts];
  });
  const last = tokens(question).pop()?.surface.toLowerCase();
  return { items, suggest: last ? search.complete(last) : [] };
}
