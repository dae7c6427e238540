// The games in the browser's storage (IndexedDB): `games` has the entries of the list,
// `sessions` the games themselves, as opaque text of the host. Without storage, as in some
// private windows, they last as long as the page. Choices and progress are stored by ../memory.js.

/** The largest number of games stored; the least recently used are deleted. */
const MAX_GAMES = 1000;

const resultOf = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});
const whenComplete = (transaction) => new Promise((resolve, reject) => {
  transaction.oncomplete = resolve;
  transaction.onerror = transaction.onabort = () => reject(transaction.error ?? new Error("aborted"));
});

/** The error that another tab hosts the session now, which alone may save it. */
export class TakenOver extends Error {}

/** Creates a storage in memory. */
function createTemporary() {
  const [games, sessions] = [new Map(), new Map()];
  return {
    isPersistent: false,
    load: async (id) => sessions.get(id),
    game: async (id) => games.get(id),
    list: async () => [...games.values()],
    async put(game, saved) {
      games.set(game.session, game);
      if (saved !== undefined) sessions.set(game.session, saved);
    },
    async remove(id) {
      games.delete(id);
      sessions.delete(id);
    },
  };
}

async function openDatabase() {
  const request = indexedDB.open("pontifex", 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore("games", { keyPath: "session" });
    request.result.createObjectStore("sessions");
  };
  const database = await resultOf(request);
  const stores = (mode) => {
    const transaction = database.transaction(["games", "sessions"], mode, { durability: "relaxed" });
    return { games: transaction.objectStore("games"), sessions: transaction.objectStore("sessions"), transaction };
  };
  return {
    isPersistent: true,
    load: (id) => resultOf(stores("readonly").sessions.get(id)),
    game: (id) => resultOf(stores("readonly").games.get(id)),
    list: () => resultOf(stores("readonly").games.getAll()),
    /** Checks the owner and saves in one transaction, so that no other tab can interfere. */
    async put(game, saved) {
      const { games, sessions, transaction } = stores("readwrite");
      const stored = await resultOf(games.get(game.session));
      if (saved !== undefined && stored && stored.owner !== game.owner) throw new TakenOver();
      games.put(game);
      if (saved !== undefined) sessions.put(saved, game.session);
      await whenComplete(transaction);
    },
    async remove(id) {
      const { games, sessions, transaction } = stores("readwrite");
      games.delete(id);
      sessions.delete(id);
      await whenComplete(transaction);
    },
  };
}

/** Returns the seconds since 1970. */
const now = () => Date.now() / 1000;

/** @param {(id: string) => Promise<boolean>} isInUse */
export async function openStorage(isInUse) {
  let store;
  try {
    store = await openDatabase();
  } catch {
    store = createTemporary();
  }

  /** Deletes games without a move and then the least recently used, except those in use. */
  async function makeRoom() {
    const all = await store.list();
    all.sort((a, b) => Number(Boolean(a.entry)) - Number(Boolean(b.entry)) || a.used - b.used);
    let surplus = all.length - MAX_GAMES;
    for (const { session } of all) {
      if (surplus < 0) return;
      if (await isInUse(session)) continue;
      await store.remove(session);
      surplus--;
    }
  }

  async function add(id, saved, entry) {
    await makeRoom();
    await store.put({ session: id, used: now(), entry, owner: 0 }, saved);
  }

  return {
    isPersistent: store.isPersistent,
    load: store.load,
    remove: store.remove,
    has: async (id) => Boolean(await store.game(id)),
    /** Creates a session without a move. */
    create: (id) => add(id, null, null),
    add,
    /** Makes this tab the session's owner, and returns its number as the owner. */
    async own(id) {
      const game = (await store.game(id)) ?? { session: id, used: now(), entry: null };
      const owner = crypto.getRandomValues(new Uint32Array(1))[0];
      await store.put({ ...game, owner });
      return owner;
    },
    /** @throws {TakenOver} */
    save: (id, saved, entry, owner) => store.put({ session: id, used: now(), entry, owner }, saved),
    /** Returns all games with a move, with their saved texts. */
    async saved() {
      const all = (await store.list()).filter(({ entry }) => entry);
      return Promise.all(all.map(async ({ session, used, entry }) => ({ session, used, entry, saved: await store.load(session) })));
    },
    /** Adds games from a backup, except those already here; returns how many were added. */
    async restore(games) {
      let count = 0;
      for (const { session, used, entry, saved } of games) {
        if (!/^[0-9a-f]{32}$/.test(session) || typeof saved !== "string" || typeof used !== "number" || (await store.load(session))) {
          continue;
        }
        await makeRoom();
        await store.put({ session, used, entry, owner: 0 }, saved);
        count++;
      }
      return count;
    },
    /** Returns the entries of all games with a move, most recently used first. */
    async games() {
      const all = (await store.list()).filter(({ entry }) => entry);
      all.sort((a, b) => b.used - a.used);
      return all.map(({ session, used, entry }) => ({ ...entry, session, used }));
    },
  };
}
