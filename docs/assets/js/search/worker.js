// The worker of the search: it is asked one question at a time, and told with each where the text of the book is.

import { Search } from "./search.js";
import { answer } from "./shown.js";

let search;

/** The search over the text at this address. Without a connection, it waits for one. */
async function load(address) {
  for (;;) {
    try {
      const response = await fetch(address);
      if (!response.ok) throw new Error(`${address}: ${response.status}`);
      return new Search(await response.json());
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      await new Promise((done) => setTimeout(done, 2000));
    }
  }
}

addEventListener("message", async ({ data: { text, question } }) => {
  search ??= load(text);
  postMessage(answer(await search, question));
});
