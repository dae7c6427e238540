// Keeps the site's files in the browser, so that it opens at once and without a
// network. A new version is fetched in the background. It takes over once no page
// shows the old one, so that a page never gets files of both. The program fills in
// VERSION and FILES. Games and choices are not its business.

const VERSION = "{version}";
const FILES = ["{files}"];

/** The caches of this site; others of the same origin are not its business. */
const PREFIX = `pontifex ${self.registration.scope} `;
const NAME = PREFIX + VERSION;

/** A copy that may stand for any request: browsers refuse redirected ones for pages. */
async function plain(answer) {
  if (!answer.redirected) return answer;
  return new Response(await answer.blob(), { headers: answer.headers });
}

async function fetchAll() {
  const cache = await caches.open(NAME);
  await Promise.all(FILES.map(async (file) => {
    const answer = await fetch(new Request(file, { cache: "no-cache" }));
    if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
    await cache.put(file, await plain(answer));
  }));
}

self.addEventListener("install", (event) => event.waitUntil(fetchAll()));

self.addEventListener("activate", (event) => {
  const tidy = async () => {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== NAME).map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(tidy());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(self.registration.scope)) return;
  const answer = async () => {
    const path = request.url.replace(/[?#].*$/, "").replace(/\/index\.html$/, "/");
    // Unlike opening it, this does not make a cache anew that the next version has deleted.
    return (await caches.match(path, { cacheName: NAME, ignoreVary: true })) ?? fetch(request);
  };
  event.respondWith(answer());
});
