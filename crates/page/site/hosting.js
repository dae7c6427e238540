// Runs a session, which is written in Rust (`crates/wasm/src/host.rs`), in this worker: lets it
// work in slices, delivers its messages and saves its games. Which tab hosts and which ones
// join is decided in tabs.js; how games are stored, in storage.js.

import { Host } from "./pontifex.js";
import { TakenOver } from "./storage.js";

/** The memory of a session's engines, in MiB. */
const MEMORY = 128;

/**
 * @param {string} id
 * @param {object} storage
 * @param {object} on
 * @param {(page: number, text: string) => void} on.deliver
 * @param {() => void} on.lost another tab hosts the session from now on
 * @param {(reason: string) => void} on.died
 * @param {() => string} on.newId
 */
export async function hostSession(id, storage, { deliver, lost, died, newId }) {
  const owner = await storage.own(id);
  const host = new Host(id, (await storage.load(id)) ?? undefined, MEMORY, Math.random());
  const channel = new MessageChannel();
  let timer = 0;
  let isWorking = false;
  let isClosed = false;

  /** Saves a game and tells the host whether that succeeded; the host waits for it. */
  async function save({ session, entry, own }) {
    let failure;
    try {
      if (own) await storage.save(id, session, entry, owner);
      else await storage.add(newId(), session, entry);
    } catch (error) {
      if (error instanceof TakenOver) return lost();
      failure = error.name === "QuotaExceededError" ? "the browser's storage is full" : String(error.message || error);
    }
    guarded(() => host.saved(failure));
    workSoon();
  }

  /** Calls the host. A WebAssembly trap ends the worker; saved games are not lost. */
  function guarded(work) {
    if (isClosed) return null;
    try {
      const value = work();
      for (const output of JSON.parse(host.take())) {
        if (output.session === undefined) deliver(output.to, output.text);
        else save(output);
      }
      return value;
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) died(String(error.message));
      throw error;
    }
  }

  function step() {
    isWorking = false;
    const wait = guarded(() => host.work());
    if (wait === 0) workSoon();
    else if (Number.isFinite(wait) && wait !== null) timer = setTimeout(workSoon, wait);
  }
  /** Works after the messages that have arrived meanwhile, by way of a message to itself. */
  function workSoon() {
    clearTimeout(timer);
    if (isWorking || isClosed) return;
    isWorking = true;
    channel.port2.postMessage(null);
  }
  channel.port1.onmessage = step;

  return {
    join(page) {
      guarded(() => host.join(page));
      workSoon();
    },
    leave(page) {
      guarded(() => host.leave(page));
      workSoon();
    },
    receive(page, text) {
      guarded(() => host.receive(page, text));
      workSoon();
    },
    text: (format, node) => JSON.parse(guarded(() => host.export(format, node))).text,
    close() {
      isClosed = true;
      clearTimeout(timer);
      channel.port1.close();
      host.free();
    },
  };
}
