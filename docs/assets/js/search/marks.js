// Marks the words that were searched for: in what is found, and on the page that it leads to.

const HANGUL = /[가-힣]/;

/** A pattern for these words as they are written: in Hangul with whatever follows them, else whole. */
export function pattern(forms) {
  const safe = (words) => words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
  const longest = [...forms].sort((a, b) => b.length - a.length);
  const hangul = safe(longest.filter((form) => HANGUL.test(form)));
  const other = safe(longest.filter((form) => !HANGUL.test(form)));
  const kinds = [hangul, other && `(?<![a-z0-9])(?:${other})(?![a-z0-9])`].filter(Boolean);
  return kinds.length ? new RegExp(kinds.join("|"), "gi") : /(?!)/g;
}

/** Does a word tell where it was meant on a page? A letter or two would be everywhere. */
export const tells = (form) => form.length > (HANGUL.test(form) ? 1 : 2);

/** Mark these words in all text below an element, but not in drawings, and not in what only screen readers read. */
export function mark(root, forms) {
  const words = pattern(forms.filter(tells));
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
    node instanceof Element
      ? node.matches("svg, script, style, button, .katex-mathml")
        ? NodeFilter.FILTER_REJECT
        : NodeFilter.FILTER_SKIP
      : NodeFilter.FILTER_ACCEPT,
  );
  const texts = [];
  while (walker.nextNode()) texts.push(/** @type {Text} */ (walker.currentNode));
  for (const text of texts) {
    const found = [...text.data.matchAll(words)];
    for (const { index, 0: word } of found.reverse()) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      range.surroundContents(document.createElement("mark"));
    }
  }
}
