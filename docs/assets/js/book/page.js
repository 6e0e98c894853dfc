// What all that a page does has need of.

/** The address of this script. As it is published, it is no module. */
export const here = /** @type {HTMLScriptElement} */ (document.currentScript).src;

/** @type {<E extends Element = HTMLElement>(selector: string, within?: ParentNode) => E} */
export const find = (selector, within = document) => within.querySelector(selector);

/** @type {<E extends Element = HTMLElement>(selector: string, within?: ParentNode) => E[]} */
export const all = (selector, within = document) => Array.from(within.querySelectorAll(selector));

/**
 * What was clicked, or what that is in.
 * @type {(event: Event, selector: string) => HTMLElement}
 */
export const clicked = ({ target }, selector) => /** @type {Element} */ (target).closest(selector);

/** The place of the heading that a reader is at, among some; -1 before the first. */
export const reached = (headings) =>
  headings.findLastIndex((heading) => heading?.getBoundingClientRect().top < 0.3 * innerHeight);

/** Where both sites begin, which share what is kept. */
export const root = new URL("../../", here);

/** Of a link or of this page: which page that is, the same in both languages. */
export const address = (link) => link.pathname.slice(root.pathname.length).replace(/^en\/|index\.html$/g, "");

/** @type {() => HTMLAnchorElement[]} */
export const pageLinks = () =>
  /** @type {HTMLAnchorElement[]} */ (all(".book-nav li > a")).filter((link) => !link.hash);

/** The words of what is added to a page, in its language. */
export const words = find(".book-nav").dataset;
