/* The book without a connection, for readers who have asked for it (keep.js): each file comes from the network as long as
   there is one, and is kept; without one, what was kept last is shown. It lies at the root of the site, since a worker
   answers only for what is below it. */

const KEPT = "book"; // as in keep.js

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

addEventListener("install", () => worker.skipWaiting());
addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
  event.respondWith(answer(event));
});

async function answer(event) {
  const address = event.request.url.split("#")[0];
  let response;
  try {
    response = await fetch(event.request);
  } catch (error) {
    const kept = await caches.match(address, { cacheName: KEPT });
    if (kept) return kept;
    throw error;
  }
  // nobody waits for this, and where it fails, as on a full disk, the page is shown all the same
  if (response.status === 200) event.waitUntil(keep(address, response.clone()));
  return response;
}

/** Only as long as the reader wants it: pages that are open still have this worker after it was switched off. Nobody
 *  forgets what is kept between the question and the answer, which would begin it anew. */
function keep(address, response) {
  return navigator.locks.request(KEPT, { mode: "shared" }, async () => {
    if (await caches.has(KEPT)) await (await caches.open(KEPT)).put(address, response);
  });
}
