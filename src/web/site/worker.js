// The host of a page's games inside the browser: answers what local.js asks, and
// hosts the page's session, alone or as one of several tabs that show it. The
// session itself is in Rust, `src/wasm`.

import start, { exercises, Host, info, practise } from "./pontifex.js";
import { openStorage } from "./storage.js";
import { createTabs } from "./tabs.js";

/** The memory of a session's engines, in MiB. */
const MEMORY = 128;

const ready = Promise.all([start(), openStorage()]).then(([, storage]) => {
  if (!storage.isLasting) postMessage({ warning: "noStorage" });
  return storage;
});

const locked = (id) => `pontifex.${id}`;
let tabs = null;

function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Runs a session in this tab. `deliver(page, text)` sends to a page, 0 is this tab's own. */
async function hostSession(id, deliver) {
  const storage = await ready;
  const host = new Host(id, (await storage.load(id)) ?? undefined, MEMORY, Math.random());
  const pages = new Set();
  const turns = new MessageChannel();
  let timer = 0;
  let isWorking = false;
  /** Outputs are carried out in their order, a save before what follows it. */
  let outputs = Promise.resolve();

  async function carryOut(output) {
    if (output.session !== undefined) {
      try {
        await storage.save(output.own ? id : newId(), output.session, JSON.parse(output.entry));
      } catch (error) {
        guarded(() => host.not_saved(error.name === "QuotaExceededError" ? "the browser's storage is full" : String(error.message || error)));
      }
    } else if (output.to !== undefined) deliver(output.to, output.text);
    else for (const page of pages) if (page !== output.except) deliver(page, output.text);
  }

  /** Calls the host. A trap in it is the end of the worker; what was saved is not lost. */
  function guarded(work) {
    try {
      const value = work();
      for (const output of JSON.parse(host.take())) outputs = outputs.then(() => carryOut(output));
      return value;
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      postMessage({ died: String(error.message) });
      throw error;
    }
  }

  function step() {
    isWorking = false;
    const wait = guarded(() => host.work());
    if (wait === 0) soon();
    else if (Number.isFinite(wait)) timer = setTimeout(soon, wait);
  }
  /** Works once the messages that have come meanwhile are heard. */
  function soon() {
    clearTimeout(timer);
    if (isWorking) return;
    isWorking = true;
    turns.port2.postMessage(null);
  }
  turns.port1.onmessage = step;

  return {
    join(page) {
      pages.add(page);
      guarded(() => host.join(page));
      soon();
    },
    leave(page) {
      pages.delete(page);
      guarded(() => host.leave(page));
      soon();
    },
    receive(page, text) {
      guarded(() => host.receive(page, text));
      soon();
    },
    text: (format, node) => JSON.parse(guarded(() => host.export(format, node))).text,
  };
}

/** What a page may ask for. */
const requests = {
  info: (isPrivate) => info(isPrivate),
  exercises: () => exercises(),
  practise: (message) => practise(message),
  async create(storage) {
    const id = newId();
    await storage.create(id);
    return id;
  },
  /** A damaged game is as good as none. */
  async has(storage, id) {
    const saved = await storage.load(id);
    if (!saved) return storage.has(id);
    try {
      new Host(id, saved, MEMORY, 0).free();
      return true;
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) throw error;
      return false;
    }
  },
  games: (storage) => storage.games(),
  async remove(storage, id) {
    const { held = [] } = (await navigator.locks?.query()) ?? {};
    if (tabs?.id === id || held.some(({ name }) => name === locked(id))) return false;
    await storage.remove(id);
    return true;
  },
  text: (_, id, format, node) => (tabs?.id === id ? tabs.text(format, node) : Promise.reject(new Error("another session"))),
  async connect(_, id) {
    const lost = () => postMessage({ died: "another tab goes on with it" });
    tabs = createTabs(id, locked(id), hostSession, (text) => postMessage({ text }), lost);
    await tabs.joined;
  },
};
const WITHOUT_STORAGE = new Set(["info", "exercises", "practise"]);

async function answer({ number, name, values }) {
  try {
    const storage = await ready;
    const value = await (WITHOUT_STORAGE.has(name) ? requests[name](...values) : requests[name](storage, ...values));
    postMessage({ number, value });
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) postMessage({ died: String(error.message) });
    else postMessage({ number, error: String(error?.message ?? error) });
  }
}

onmessage = ({ data }) => {
  if (data.text === undefined) answer(data);
  else tabs?.send(data.text);
};
