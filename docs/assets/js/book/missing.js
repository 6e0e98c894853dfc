// The page for missing addresses, in the language of the address.

import { all, find } from "./page.js";

const texts = all(".missing");
if (texts.length) {
  const language = location.pathname.startsWith(new URL("en/", __md_scope).pathname) ? "en" : "ko";
  texts.forEach((text) => {
    text.hidden = text.lang !== language;
  });
  document.title = find(
    "h1",
    texts.find((text) => !text.hidden),
  ).textContent;
}
