// Workers of this page as the host of the games: the engine as WebAssembly, the
// games in the browser's storage. The workers' side is worker.js. Lessons and
// puzzles have a worker of their own, so that the solver never keeps a game waiting. A
// worker that dies is started again; what was saved is not lost.

import { requestPersistence, services } from "./memory.js";

/** The worker that early.js has started, once. @returns {Worker|null} */
function takeEarlyWorker() {
  const page = /** @type {{engine?: Worker|null}} */ (globalThis);
  const { engine = null } = page;
  page.engine = null;
  return engine;
}

/**
 * A worker that is started when it is asked, and again after it has died.
 *
 * @param {(data: object) => void} hear gets what is no answer
 * @param {(reason: string) => void} died
 */
function createWorkerClient(hear, died) {
  let worker = null;
  let lastNumber = 0;
  /** Requests without an answer yet. @type {Map<number, {resolve: Function, reject: Function}>} */
  const waiting = new Map();

  function start() {
    worker = takeEarlyWorker() ?? new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }) => {
      if (data.died !== undefined) return end(data.died);
      if (data.number === undefined) return hear(data);
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
    died(reason);
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
  // Keeps the page's files, so that it also works without a network.
  services?.register(new URL("../sw.js", import.meta.url)).catch(() => {});

  /** The connection to the session. @type {import("./host.js").Handlers|null} */
  let handlers = null;
  let isOpen = false;

  function disconnect() {
    const closed = handlers;
    [handlers, isOpen] = [null, false];
    closed?.close();
  }

  const games = createWorkerClient((data) => {
    if (data.warning) warn(data.warning);
    if (data.closed) disconnect();
    if (data.text === undefined) return;
    // The first message says that the session is there.
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

  /** Asks the browser once not to delete the games when it needs room. */
  let isLasting = false;
  function keep(text) {
    if (isLasting || !text.includes('"play"')) return;
    isLasting = true;
    requestPersistence();
  }

  // Links carry the whole game; only a page from this machine is of no use elsewhere.
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
    connect(id, on) {
      [handlers, isOpen] = [on, false];
      ask(games, "connect", id).catch((error) => handlers === on && games.end(error.message));
      return {
        isOpen: () => handlers === on && isOpen,
        close: () => ([handlers, isOpen] = [null, false]),
        send(text) {
          keep(text);
          games.post({ text });
        },
      };
    },
  };
}
