// What the browser lets this page keep, and share with other tabs. With site data
// blocked, even a look at `localStorage` throws, and locks and databases refuse
// every request. Then everything lasts until the page is closed, and tabs share
// nothing. Workers ask here, too; they have no `localStorage`. The database of the
// site's games is the business of its storage.js.

/** What a look finds, or null where the browser refuses. */
function attempt(look) {
  try {
    return look() ?? null;
  } catch {
    return null;
  }
}

/**
 * Texts by key, in a storage of the browser or, where it refuses or is full, in memory.
 *
 * @param {Storage|null} storage
 */
function createStorage(storage) {
  const fallback = new Map();
  return {
    isLasting: storage !== null,
    read: (key) => (fallback.has(key) ? fallback.get(key) : attempt(() => storage.getItem(key))),
    write(key, text) {
      try {
        storage.setItem(key, text);
        fallback.delete(key);
      } catch {
        fallback.set(key, text);
      }
    },
    /** The JSON under a key; null if there is none or it is damaged. */
    readJson(key) {
      return attempt(() => JSON.parse(this.read(key)));
    },
    writeJson(key, value) {
      this.write(key, JSON.stringify(value));
    },
    /** All texts of this page, by key. */
    entries() {
      const stored = attempt(() => Object.entries(storage)) ?? [];
      return Object.fromEntries([...stored, ...fallback].filter(([key]) => key.startsWith("pontifex.")));
    },
  };
}

/** Lasts from visit to visit. */
export const browser = createStorage(attempt(() => localStorage));
/** A choice that is kept, as text, or null. @param {string} name without `pontifex.` */
export const readPreference = (name) => browser.read(`pontifex.${name}`);
/** Keeps a choice. @param {string} name without `pontifex.` @param {string} value */
export const savePreference = (name, value) => browser.write(`pontifex.${name}`, value);
/** Lasts as long as the tab. */
export const tab = createStorage(attempt(() => sessionStorage));

/** The service worker's container; null where there is none. */
export const services = attempt(() => navigator.serviceWorker);

let promisedLocks = null;
/** The locks between tabs; null where there are none or they are refused. @returns {Promise<LockManager|null>} */
export function locks() {
  const ask = async () => {
    const manager = attempt(() => navigator.locks);
    return manager && manager.query().then(() => manager, () => null);
  };
  promisedLocks ??= ask();
  return promisedLocks;
}

/** Asks the browser not to delete what is kept when it needs room. */
export function requestPersistence() {
  attempt(() => navigator.storage.persist().catch(() => {}));
}
