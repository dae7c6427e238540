// Loads the WebAssembly module, once for all engines of a program.

import init from "./dist/pontifex.js";
import { EngineError } from "./errors.js";

/** The promise of the loaded module, shared by all engines; null before the first call and after a failure. */
let loading = null;

/** Whether an address names a file to be read from disk: Node's fetch refuses file URLs. A
 * single letter before the colon is a Windows drive, not a protocol. */
function isFile(address) {
  if (typeof process === "undefined" || !process.versions?.node) return false;
  if (address instanceof URL) return address.protocol === "file:";
  return typeof address === "string" && (address.startsWith("file:") || !/^[a-z][a-z0-9+.-]+:/i.test(address));
}

/** @throws {EngineError} if the value cannot be the module */
function check(wasm) {
  const kinds = [URL, ArrayBuffer, WebAssembly.Module, globalThis.Response ?? URL, Promise];
  if (wasm === undefined || typeof wasm === "string" || ArrayBuffer.isView(wasm) || kinds.some((kind) => wasm instanceof kind)) return;
  throw new EngineError("wasm is neither the address of pontifex_bg.wasm nor its bytes, a Response or a WebAssembly.Module", "options");
}

/** Returns what the module's loader accepts: bytes, a module, a response or an address. */
async function source(wasm) {
  const location = (await wasm) ?? new URL("./dist/pontifex_bg.wasm", import.meta.url);
  if (!isFile(location)) return location;
  // Without these comments, bundlers for browsers would try to resolve this import.
  const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ "node:fs/promises");
  return readFile(String(location).startsWith("file:") ? new URL(location) : location);
}

/** Loads the module, once: later calls ignore their argument. */
export async function load(wasm) {
  check(wasm);
  loading ??= (async () => init({ module_or_path: await source(wasm) }))();
  try {
    await loading;
  } catch (error) {
    // The next call may try another location.
    loading = null;
    throw new EngineError(
      `the engine cannot be loaded: ${error.message}; the option wasm names the file pontifex_bg.wasm`, "load",
      { cause: error },
    );
  }
}
