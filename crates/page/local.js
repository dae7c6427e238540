// Workers of this page as the host of the games, with the engine as WebAssembly and the games
// in the browser's storage. The workers' side is worker.js. Lessons and puzzles have their own
// worker, so that the solver never delays a game. A worker that dies is started again; saved
// games are not lost.

import { requestPersistence, services } from "./memory.js";

/** Returns the worker that early.js started, at the first call only. @returns {Worker|null} */
function takeEarlyWorker() {
  const page = /** @type {{engine?: Worker|null}} */ (globalThis);
  const { engine = null } = page;
  page.engine = null;
  return engine;
}

/**
 * A worker that starts with the first request, and again after it died.
 *
 * @param {(data: object) => void} onMessage gets messages that are not answers
 * @param {(reason: string) => void} onDeath
 */
function createWorkerClient(onMessage, onDeath) {
  let worker = null;
  let lastNumber = 0;
  /** Requests without an answer yet. @type {Map<number, {resolve: Function, reject: Function}>} */
  const waiting = new Map();

  function start() {
    worker = takeEarlyWorker() ?? new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }) => {
      if (data.died !== undefined) return end(data.died);
      if (data.number === undefined) return onMessage(data);
      const pending = waiting.get(data.number);
      waiting.delete(data.number);
      if (data.error === undefined) pending?.resolve(data.value);
      else pending?.reject(new Error(data.error));
    };
    worker.onerror = (event) => {
      event.preventDefault();
      end(event.message || "worker.js");
    };
  }

  function end(reason) {
    worker?.terminate();
    worker = null;
    const unanswered = [...waiting.values()];
    waiting.clear();
    onDeath(reason);
    for (const { reject } of unanswered) reject(new Error(reason));
  }

  return {
    post: (data) => worker?.postMessage(data),
    end,
    ask(name, ...values) {
      if (!worker) start();
      const number = ++lastNumber;
      return new Promise((resolve, reject) => {
        waiting.set(number, { resolve, reject });
        worker.postMessage({ number, name, values });
      });
    },
  };
}

/**
 * @param {(key: string, values?: object) => void} warn
 * @returns {import("./host.js").Host}
 */
export function createLocal(warn) {
  // Caches the page's files, so that it also works offline.
  services?.register(new URL("../sw.js", import.meta.url)).catch(() => {});

  /** The page's handlers of the connection. @type {import("./host.js").Handlers|null} */
  let handlers = null;
  let isOpen = false;

  function disconnect() {
    const previous = handlers;
    [handlers, isOpen] = [null, false];
    previous?.close();
  }

  const games = createWorkerClient((data) => {
    if (data.warning) warn(data.warning);
    if (data.closed) disconnect();
    if (data.text === undefined) return;
    // The first message shows that the session is connected.
    const isFirst = !isOpen;
    isOpen = true;
    if (isFirst) handlers?.open();
    handlers?.message(data.text);
  }, (reason) => {
    warn("engineDied", { text: reason });
    disconnect();
  });
  const practice = createWorkerClient(() => {}, (reason) => warn("engineDied", { text: reason }));

  async function ask(worker, ...request) {
    if (typeof WebAssembly === "object") return worker.ask(...request);
    warn("noWasm");
    throw new Error("WebAssembly");
  }

  /** Asks the browser, with the first move, not to delete the games when it needs room. */
  let isPersistenceRequested = false;
  function protectGames(text) {
    if (isPersistenceRequested || !text.includes('"play"')) return;
    isPersistenceRequested = true;
    requestPersistence();
  }

  // Links carry the whole game, so they work elsewhere unless the page itself is only here.
  const isPrivate = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
  return {
    isLocal: true,
    info: async () => JSON.parse(await ask(games, "info", isPrivate)),
    exercises: async () => JSON.parse(await ask(practice, "exercises")),
    practise: async (message) => JSON.parse(await ask(practice, "practise", JSON.stringify(message))),
    create: () => ask(games, "create"),
    has: (id) => ask(games, "has", id),
    games: () => ask(games, "games"),
    saved: () => ask(games, "saved"),
    restore: (all) => ask(games, "restore", all),
    remove: (id) => ask(games, "remove", id),
    text: (id, format, node) => ask(games, "text", id, format, node),
    connect(id, newHandlers) {
      [handlers, isOpen] = [newHandlers, false];
      ask(games, "connect", id).catch((error) => handlers === newHandlers && games.end(error.message));
      return {
        isOpen: () => handlers === newHandlers && isOpen,
        close: () => ([handlers, isOpen] = [null, false]),
        send(text) {
          protectGames(text);
          games.post({ text });
        },
      };
    },
  };
}
