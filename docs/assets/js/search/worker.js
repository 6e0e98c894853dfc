// The worker of the search. It speaks as the theme's own does (SETUP and READY, QUERY and RESULT), so that the
// theme shows what it finds; before all that, it is told where the text of the book is.

import { Search } from "./search.js";
import { answer } from "./shown.js";

const SETUP = 0;
const READY = 1;
const QUERY = 2;
const RESULT = 3;

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

addEventListener("message", async ({ data: { type, data, text } }) => {
  if (text) search = load(text);
  else if (type === SETUP) await search.then(() => postMessage({ type: READY }));
  else if (type === QUERY) postMessage({ type: RESULT, data: answer(await search, data) });
});
