/* The book without a connection, for readers who have asked for it (keep.js): each file comes from the network as long as
   there is one, and is kept; without one, what was kept last is shown. It lies at the root of the site, since a worker
   answers only for what is below it. */

const KEPT = "book"; // as in keep.js

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
  event.respondWith(answer(request));
});

async function answer(request) {
  const cache = await caches.open(KEPT);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request.url.split("#")[0], response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(request.url.split("#")[0]);
    if (kept) return kept;
    throw error;
  }
}
