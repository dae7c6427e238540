// The games in the browser's storage (IndexedDB): `games` has the entries of the
// list, `sessions` the games themselves. Without storage, as in some private
// windows, they last as long as the page.

/** The most games that are kept; the least recently used are deleted. */
const MOST = 1000;

const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});
const completed = (transaction) => new Promise((resolve, reject) => {
  transaction.oncomplete = resolve;
  transaction.onerror = transaction.onabort = () => reject(transaction.error ?? new Error("aborted"));
});

function open() {
  const request = indexedDB.open("pontifex", 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore("games", { keyPath: "session" });
    request.result.createObjectStore("sessions");
  };
  return done(request);
}

/** Storage in memory. */
function temporary() {
  const [games, sessions] = [new Map(), new Map()];
  return {
    isLasting: false,
    load: async (id) => sessions.get(id),
    has: async (id) => games.has(id),
    list: async () => [...games.values()],
    async save(game, saved) {
      games.set(game.session, game);
      sessions.set(game.session, saved);
    },
    async remove(id) {
      games.delete(id);
      sessions.delete(id);
    },
  };
}

function lasting(database) {
  const stores = (mode) => {
    const transaction = database.transaction(["games", "sessions"], mode, { durability: "relaxed" });
    return { games: transaction.objectStore("games"), sessions: transaction.objectStore("sessions"), transaction };
  };
  return {
    isLasting: true,
    load: (id) => done(stores("readonly").sessions.get(id)),
    has: async (id) => (await done(stores("readonly").games.count(id))) > 0,
    list: () => done(stores("readonly").games.getAll()),
    async save(game, saved) {
      const { games, sessions, transaction } = stores("readwrite");
      games.put(game);
      sessions.put(saved, game.session);
      await completed(transaction);
    },
    async remove(id) {
      const { games, sessions, transaction } = stores("readwrite");
      games.delete(id);
      sessions.delete(id);
      await completed(transaction);
    },
  };
}

export async function openStorage() {
  let store;
  try {
    store = lasting(await open());
  } catch {
    store = temporary();
  }
  return {
    ...store,
    /** Makes a session without a move, and room for it. */
    async create(id) {
      await store.save({ session: id, used: now(), entry: null }, null);
      const all = await store.list();
      all.sort((a, b) => b.used - a.used);
      for (const { session } of all.slice(MOST)) await store.remove(session);
    },
    save: (id, saved, entry) => store.save({ session: id, used: now(), entry }, saved),
    /** The games with a move, most recently used first. */
    async games() {
      const all = (await store.list()).filter(({ entry }) => entry);
      all.sort((a, b) => b.used - a.used);
      return all.map(({ session, used, entry }) => ({ ...entry, session, used }));
    },
  };
}

/** Seconds since 1970. */
const now = () => Date.now() / 1000;
