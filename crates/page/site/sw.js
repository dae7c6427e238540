// Caches the site's files, so that it opens at once and offline. A new version is fetched in
// the background and takes over when no page uses the old one any more, so that no page mixes
// files of both. `pontifex site` fills in VERSION and FILES. Games and choices are stored
// elsewhere.

const VERSION = "{version}";
const FILES = ["{files}"];

/** The prefix of this site's caches, which sets them apart from others of the same origin. */
const PREFIX = `pontifex ${self.registration.scope} `;
const NAME = PREFIX + VERSION;

/** Returns a response without redirection: browsers refuse redirected ones for page loads. */
async function withoutRedirect(response) {
  if (!response.redirected) return response;
  return new Response(await response.blob(), { headers: response.headers });
}

async function fetchAll() {
  const cache = await caches.open(NAME);
  await Promise.all(FILES.map(async (file) => {
    const response = await fetch(new Request(file, { cache: "no-cache" }));
    if (!response.ok) throw new Error(`${file}: ${response.status}`);
    await cache.put(file, await withoutRedirect(response));
  }));
}

self.addEventListener("install", (event) => event.waitUntil(fetchAll()));

self.addEventListener("activate", (event) => {
  const deleteOldCaches = async () => {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== NAME).map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(deleteOldCaches());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(self.registration.scope)) return;
  const respond = async () => {
    const path = request.url.replace(/[?#].*$/, "").replace(/\/index\.html$/, "/");
    // `caches.open` would create the cache again after the next version has deleted it.
    return (await caches.match(path, { cacheName: NAME, ignoreVary: true })) ?? fetch(request);
  };
  event.respondWith(respond());
});
