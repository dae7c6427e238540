// Runs a session of Rust (`crates/wasm/src/host.rs`) in this worker: works in slices,
// delivers what it says, and saves its games.

import { Host } from "./pontifex.js";
import { TakenOver } from "./storage.js";

/** The memory of a session's engines, in MiB. */
const MEMORY = 128;

/** How long to wait before a save is tried again, in milliseconds: each failure doubles it. */
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 30000;

/**
 * @param {string} id
 * @param {object} storage
 * @param {object} on
 * @param {(page: number, text: string) => void} on.deliver
 * @param {() => void} on.lost another tab hosts the session now
 * @param {(reason: string) => void} on.died
 * @param {() => string} on.newId
 */
export async function hostSession(id, storage, { deliver, lost, died, newId }) {
  const owner = await storage.own(id);
  const host = new Host(id, (await storage.load(id)) ?? undefined, MEMORY, Math.random());
  const pages = new Set();
  const turns = new MessageChannel();
  let timer = 0;
  let isWorking = false;
  let isClosed = false;
  /** Outputs are carried out in their order, a save before what follows it. */
  let outputs = Promise.resolve();
  /** What is not saved yet: replaced games, and this one as it is now. */
  const unsaved = { replaced: [], own: null };
  /** The pause before the next try; 0 while nothing has failed. */
  let pause = 0;
  let retry = 0;

  async function saveAll() {
    // Until the games that it replaces are safe, the new one must not take their place.
    for (let game = unsaved.replaced[0]; game; game = unsaved.replaced[0]) {
      await storage.add(game.id, game.session, JSON.parse(game.entry));
      unsaved.replaced.shift();
    }
    const { own } = unsaved;
    if (own) await storage.save(id, own.session, JSON.parse(own.entry), owner);
    unsaved.own = null;
  }

  /** Saves what is unsaved. What fails is kept and tried again later. */
  async function save() {
    if (isClosed) return;
    clearTimeout(retry);
    try {
      await saveAll();
      if (pause) guarded(() => host.saved());
      pause = 0;
    } catch (error) {
      if (error instanceof TakenOver) return lost();
      const reason = error.name === "QuotaExceededError" ? "the browser's storage is full" : String(error.message || error);
      guarded(() => host.not_saved(reason));
      pause = Math.min(2 * pause || FIRST_PAUSE, LONGEST_PAUSE);
      retry = setTimeout(() => { outputs = outputs.then(save); }, pause);
    }
  }

  async function carryOut(output) {
    if (isClosed) return;
    if (output.session !== undefined) {
      if (!output.own) unsaved.replaced.push({ id: newId(), ...output });
      else {
        unsaved.own = output;
        await save();
      }
    } else if (output.to !== undefined) deliver(output.to, output.text);
    else for (const page of pages) if (page !== output.except) deliver(page, output.text);
  }

  /** Calls the host. A trap in it is the end of the worker; what was saved is not lost. */
  function guarded(work) {
    if (isClosed) return null;
    try {
      const value = work();
      for (const output of JSON.parse(host.take())) outputs = outputs.then(() => carryOut(output));
      return value;
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) died(String(error.message));
      throw error;
    }
  }

  function step() {
    isWorking = false;
    const wait = guarded(() => host.work());
    if (wait === 0) soon();
    else if (Number.isFinite(wait) && wait !== null) timer = setTimeout(soon, wait);
  }
  /** Works once the messages that have come meanwhile are heard. */
  function soon() {
    clearTimeout(timer);
    if (isWorking || isClosed) return;
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
    close() {
      isClosed = true;
      clearTimeout(timer);
      clearTimeout(retry);
      turns.port1.close();
      host.free();
    },
  };
}
