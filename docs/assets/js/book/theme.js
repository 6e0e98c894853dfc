// The theme's script, which is only fetched, and runs when a reader wants something of it.

import { all } from "./page.js";

const signs = ["focusin", "input", "keydown", "online", "pointerdown", "pointermove", "scroll", "touchstart", "wheel"];

const load = (link) =>
  new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement("script"), {
      src: link.href,
      onload: resolve,
      onerror: reject,
    });
    document.head.append(script);
  });

const wait = () => signs.forEach((sign) => addEventListener(sign, start, { capture: true, passive: true }));

const start = async (event) => {
  signs.forEach((sign) => removeEventListener(sign, start, true));
  // It would ask for a sitemap below each alternate link of the head. The language switch needs none here, so
  // these are hidden from it while it starts.
  /** @type {HTMLLinkElement[]} */
  const links = all("link[rel=alternate]");
  links.forEach((link) => {
    link.rel = "alternate hidden";
  });
  const show = () =>
    links.forEach((link) => {
      link.rel = "alternate";
    });
  try {
    for (const link of all("link.later:not(.here)")) {
      await load(link);
      link.classList.add("here");
    }
  } catch (error) {
    // without a connection: whatever the reader does a little later asks again
    show();
    setTimeout(wait, 1000);
    return;
  }
  // This is what it waits for, and it is over by now.
  document.dispatchEvent(new Event("DOMContentLoaded"));
  // If the first move was a key, the theme has missed it.
  if (event?.type === "keydown" && event.target === document.body && !event.defaultPrevented) {
    event.target.dispatchEvent(new KeyboardEvent("keydown", { key: event.key, bubbles: true, cancelable: true }));
  }
  setTimeout(show, 1000);
};

wait();
