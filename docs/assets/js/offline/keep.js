/* Keeps pages, with what they show, on the device of a reader who asks for it, and forgets them again. */

const KEPT = "book"; // as in worker.js
/** Files that are fetched at once. */
const ABREAST = 6;

/** All addresses of a page that a browser loads by itself. */
const LOADED =
  'link[rel="stylesheet"][href], link[rel="icon"][href], link[rel="prefetch"][href], script[src], img[src], use[href], ' +
  "[data-text]";
/** What fills the dialog of the search, and what that loads. */
const SEARCH = ["dialog", "worker", "search", "shown", "words", "marks", "stemmer/stemmer"];

/** What pages show, other than pages: found in their sources. */
function shown(page, source) {
  const parsed = new DOMParser().parseFromString(source, "text/html");
  return [...parsed.querySelectorAll(LOADED)]
    .map((one) => new URL(one.getAttribute("src") ?? one.getAttribute("href") ?? one.getAttribute("data-text"), page))
    .filter(({ origin }) => origin === location.origin)
    .map(({ href }) => href.split("#")[0]);
}

/** Keep what these addresses have, a few at a time. each: told of every response, its address and its text. */
async function fetched(cache, addresses, each) {
  const left = [...addresses];
  const next = async () => {
    for (let address = left.shift(); address; address = left.shift()) {
      const response = await fetch(address);
      if (!response.ok) throw new Error(`${address}: ${response.status}`);
      await cache.put(address, response.clone());
      await each(address, response);
    }
  };
  await Promise.all(Array.from({ length: ABREAST }, next));
}

/**
 * Keep these pages, and what they show: all of it, or, where something fails, nothing.
 *
 * base: where the site begins; told(done, all): called after each file. Figures that can be touched are kept
 * once they have been opened.
 */
export async function keep(base, pages, told) {
  try {
    await navigator.serviceWorker.register(new URL("offline.js", base), { scope: base });
    await navigator.serviceWorker.ready;
    const cache = await caches.open(KEPT);
    const assets = new Set(SEARCH.map((name) => new URL(`../search/${name}.js`, import.meta.url).href));
    let done = 0;
    await fetched(cache, pages, async (page, response) => {
      for (const address of shown(page, await response.text())) assets.add(address);
      told(++done, pages.length + assets.size);
    });
    await fetched(cache, assets, () => told(++done, pages.length + assets.size));
  } catch (error) {
    await forget();
    throw error;
  }
}

/** Nothing is kept any longer. */
export async function forget() {
  for (const registration of await navigator.serviceWorker.getRegistrations()) await registration.unregister();
  await navigator.locks.request(KEPT, () => caches.delete(KEPT));
}
