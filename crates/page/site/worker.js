// The host of a page's games inside the browser: answers the requests of local.js. A page has
// two such workers, one for its game and one for lessons and puzzles. This module only connects
// the others: hosting.js, storage.js, tabs.js and the engine. The built site has ../*.js and these
// files in one folder, so imports name no folder.

import start, { exercises, Host, info, practise } from "./pontifex.js";
import { hostSession } from "./hosting.js";
import { locks } from "./memory.js";
import { openStorage } from "./storage.js";
import { createTabs } from "./tabs.js";

const lockName = (id) => `pontifex.${id}`;

/** This tab's connection to its session, and the session's id. */
let [tabs, sessionId] = [null, null];

async function isInUse(id) {
  const { held = [] } = (await (await locks())?.query()) ?? {};
  return sessionId === id || held.some(({ name }) => name === lockName(id));
}

/** Resolves once the engine is loaded. */
const engine = start();
// A failed start is reported as the answer to the next request.
engine.catch(() => {});
let opening = null;
const storage = () => {
  opening ??= openStorage(isInUse).then((opened) => {
    if (!opened.isPersistent) postMessage({ warning: "noStorage" });
    return opened;
  });
  return opening;
};

function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The requests of a page. */
const requests = {
  info,
  exercises,
  practise,
  async create() {
    const id = newId();
    await (await storage()).create(id);
    return id;
  },
  /** Whether the session exists. A damaged game counts as missing. */
  async has(id) {
    const saved = await (await storage()).load(id);
    if (!saved) return (await storage()).has(id);
    try {
      new Host(id, saved, 1, 0).free();
      return true;
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) throw error;
      return false;
    }
  },
  games: async () => (await storage()).games(),
  saved: async () => (await storage()).saved(),
  restore: async (games) => (await storage()).restore(games),
  async remove(id) {
    if (await isInUse(id)) return false;
    await (await storage()).remove(id);
    return true;
  },
  text: (id, format, node) => {
    if (sessionId !== id) throw new Error("the page shows another game");
    return tabs.text(format, node);
  },
  async connect(id) {
    // Cleared before `close`: leaving a session on purpose must not be reported as losing it.
    const previous = tabs;
    tabs = null;
    previous?.close();
    sessionId = id;
    const games = await storage();
    const connection = createTabs(
      lockName(id),
      await locks(),
      (deliver, lost) => hostSession(id, games, { deliver, lost, newId, died: (reason) => postMessage({ died: reason }) }),
      (text) => postMessage({ text }),
      (isTaken) => tabs === connection && postMessage({ closed: true, warning: isTaken ? "tabTaken" : null }),
    );
    tabs = connection;
    await connection.joined;
  },
};

async function answer({ number, name, values }) {
  try {
    await engine;
  } catch (error) {
    // The page retries with another worker.
    return postMessage({ died: String(error?.message ?? error) });
  }
  try {
    postMessage({ number, value: await requests[name](...values) });
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) postMessage({ died: String(error.message) });
    else postMessage({ number, error: String(error?.message ?? error) });
  }
}

onmessage = ({ data }) => {
  if (data.text === undefined) answer(data);
  else tabs?.send(data.text);
};
