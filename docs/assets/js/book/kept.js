// What is kept in this browser, and nowhere else, for both sites.

import { root } from "./page.js";

export const kept = {
  /**
   * By the address of a page, the last one with an answer at the end: how many questions it has, and by id whether the
   * first answer was right.
   * @type {Record<string, { of?: number, first: Record<string, boolean> }>}
   */
  questions: {},
  /**
   * Of the questions that the first page of a part asks again, by id: how often in a row the answer was right, and from
   * when on it is asked once more.
   * @type {Record<string, { times: number, due: number }>}
   */
  again: {},
  /**
   * Where a reader stopped, for whoever wants that kept: by the address of a page, the last one read at the end, the
   * heading that was reached, "" before the first, and whether the text was read to its end.
   * @type {Record<string, { at: string, end: boolean }> | null}
   */
  stopped: null,
};

/** Read it again: another page may have kept something since, or have switched it on or off. */
export const recall = (name) => {
  const found = __md_get(name, null, root) ?? null;
  if (found || name === "stopped") kept[name] = found;
  return kept[name];
};

export const keep = (name) => __md_set(name, kept[name], null, root);

export const forget = (name) => {
  try {
    localStorage.removeItem(`${root.pathname}.${name}`);
  } catch (error) {}
};
