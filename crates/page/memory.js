// The browser's storage and locks, for a page that must work without them. With site data
// blocked, even reading `localStorage` throws, and locks and databases refuse every request.
// Then values last until the page is closed, and tabs share nothing. Workers, which have no
// `localStorage`, use this module for the locks. The site's database of games is in storage.js.

/** Returns the result of `read`, or null if the browser refuses. */
function attempt(read) {
  try {
    return read() ?? null;
  } catch {
    return null;
  }
}

/**
 * Texts by key, in a storage of the browser or, if it refuses or is full, in memory.
 *
 * @param {Storage|null} storage
 */
function createStorage(storage) {
  const fallback = new Map();
  return {
    isPersistent: storage !== null,
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

/** The storage that lasts from visit to visit. */
export const browser = createStorage(attempt(() => localStorage));
/** Returns a saved choice as text, or null. @param {string} name without `pontifex.` */
export const readPreference = (name) => browser.read(`pontifex.${name}`);
/** Saves a choice. @param {string} name without `pontifex.` @param {string} value */
export const savePreference = (name, value) => browser.write(`pontifex.${name}`, value);
/** The storage that lasts as long as the tab. */
export const tab = createStorage(attempt(() => sessionStorage));

/** The browser's registry of service workers; null if it has none. */
export const services = attempt(() => navigator.serviceWorker);

let promisedLocks = null;
/** Returns the locks between tabs; null if there are none or the browser refuses them. @returns {Promise<LockManager|null>} */
export function locks() {
  const ask = async () => {
    const manager = attempt(() => navigator.locks);
    return manager && manager.query().then(() => manager, () => null);
  };
  promisedLocks ??= ask();
  return promisedLocks;
}

/** Asks the browser not to delete this page's data when it needs room. */
export function requestPersistence() {
  attempt(() => navigator.storage.persist().catch(() => {}));
}
