// The page for missing addresses, in the language of the address. A static host serves the one at the root for all:
// below /en/, the English one takes its place, header and contents with it, and the address stays as it was typed.

import { all, find } from "./page.js";

const texts = all(".missing");
if (texts.length) {
  const shown = document.documentElement.lang;
  const root = __md_scope.pathname.replace(shown === "en" ? /en\/$/ : "", "");
  const sent = location.hash.startsWith(`#${root}`) ? location.hash.slice(1) : "";
  const missing = sent || location.pathname;
  const language = missing.startsWith(`${root}en/`) ? "en" : "ko";
  if (language !== shown && !sent) {
    location.replace(`${root}${language === "en" ? "en/" : ""}404.html#${missing}`);
  }
  if (sent) history.replaceState(null, "", sent);
  texts.forEach((text) => {
    text.hidden = text.lang !== language;
  });
  document.title = find(
    "h1",
    texts.find((text) => !text.hidden),
  ).textContent;
}
