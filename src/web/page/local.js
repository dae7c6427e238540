// A worker of this page as the host of the games: the engine as WebAssembly,
// the games in the browser's storage. The worker's side is worker.js.

/**
 * @param {(key: string, values?: object) => void} warn
 * @returns {import("./host.js").Host}
 */
export function createLocal(warn) {
  // Keeps the page's files, so that it also works without a network.
  navigator.serviceWorker?.register(new URL("../sw.js", import.meta.url)).catch(() => {});

  /** The worker; null before the first use and after it has died. */
  let worker = null;
  let last = 0;
  /** Requests without an answer yet. @type {Map<number, {resolve: Function, reject: Function}>} */
  const waiting = new Map();
  /** The connection to the session. @type {import("./host.js").Handlers|null} */
  let line = null;
  let isOpen = false;

  function start() {
    worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }) => receive(data);
    worker.onerror = (event) => {
      event.preventDefault();
      end(event.message || "worker.js");
    };
  }

  function receive(data) {
    if (data.died !== undefined) end(data.died);
    else if (data.warning) warn(data.warning, data.values);
    else if (data.text !== undefined) {
      // The first message says that the session is there.
      if (!isOpen) line?.open();
      isOpen = true;
      line?.message(data.text);
    } else {
      const asked = waiting.get(data.number);
      waiting.delete(data.number);
      if (data.error === undefined) asked?.resolve(data.value);
      else asked?.reject(new Error(data.error));
    }
  }

  /** The worker is of no use any more. The next request starts another one, which reads the saved games. */
  function end(reason) {
    worker?.terminate();
    worker = null;
    const [asked, lost] = [[...waiting.values()], line];
    waiting.clear();
    [line, isOpen] = [null, false];
    warn("engineDied", { text: reason });
    for (const { reject } of asked) reject(new Error(reason));
    lost?.close();
  }

  function ask(name, ...values) {
    if (typeof WebAssembly !== "object") {
      warn("noWasm");
      return Promise.reject(new Error("WebAssembly"));
    }
    if (!worker) start();
    const number = ++last;
    return new Promise((resolve, reject) => {
      waiting.set(number, { resolve, reject });
      worker.postMessage({ number, name, values });
    });
  }

  // Links carry the whole game; only a page from this machine is of no use elsewhere.
  const isPrivate = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
  return {
    info: async () => JSON.parse(await ask("info", isPrivate)),
    exercises: async () => JSON.parse(await ask("exercises")),
    practise: async (message) => JSON.parse(await ask("practise", JSON.stringify(message))),
    create: () => ask("create"),
    has: (id) => ask("has", id),
    games: () => ask("games"),
    remove: (id) => ask("remove", id),
    text: (id, format, node) => ask("text", id, format, node),
    connect(id, on) {
      [line, isOpen] = [on, false];
      ask("connect", id).catch((error) => line === on && end(error.message));
      return { isOpen: () => line === on && isOpen, send: (text) => worker.postMessage({ text }) };
    },
  };
}
