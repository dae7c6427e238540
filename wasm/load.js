// Loads the WebAssembly module, once for all engines of a program.

import init from "./dist/pontifex.js";
import { EngineError } from "./errors.js";

/** The promise of the loaded module, shared by all engines; null before the first call and after a failure. */
let loading = null;

/** Whether an address names a file that must be read from disk: Node's fetch refuses file URLs. A single letter before the colon is a drive of Windows, not a protocol. */
function isFile(address) {
  if (typeof process === "undefined" || !process.versions?.node) return false;
  if (address instanceof URL) return address.protocol === "file:";
  return typeof address === "string" && (address.startsWith("file:") || !/^[a-z][a-z0-9+.-]+:/i.test(address));
}

/** Refuses what cannot be the module. */
function check(wasm) {
  const kinds = [URL, ArrayBuffer, WebAssembly.Module, globalThis.Response ?? URL, Promise];
  if (wasm === undefined || typeof wasm === "string" || ArrayBuffer.isView(wasm) || kinds.some((kind) => wasm instanceof kind)) return;
  throw new EngineError("wasm is neither the address of pontifex_bg.wasm nor its bytes, a Response or a WebAssembly.Module", "options");
}

/** What the loader of the module takes: bytes, a module, a response or an address. */
async function source(wasm) {
  const given = (await wasm) ?? new URL("./dist/pontifex_bg.wasm", import.meta.url);
  if (!isFile(given)) return given;
  // Without these comments, bundlers for browsers would look for a package of this name.
  const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ "node:fs/promises");
  return readFile(String(given).startsWith("file:") ? new URL(given) : given);
}

/** Loads the module; the first call decides from where. */
export async function load(wasm) {
  check(wasm);
  loading ??= (async () => init({ module_or_path: await source(wasm) }))();
  try {
    await loading;
  } catch (error) {
    // The next call may name a better place.
    loading = null;
    throw new EngineError(`the engine cannot be loaded: ${error.message}; the option wasm names the file pontifex_bg.wasm`, "load", { cause: error });
  }
}
