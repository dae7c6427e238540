// The engine for JavaScript programs: `createEngine`. All rules and searches are in the
// WebAssembly module; this file turns its calls into promises, iterators and errors.
//
// A search runs in slices of a few milliseconds: `core.advance()` works for one slice,
// `breathe()` lets other events run, and so on until there is a result. An engine runs one search
// at a time and refuses a second one with the code "busy".

import { breathe } from "./breathe.js";
import { EngineCore, bench as benchJson } from "./dist/pontifex.js";
import { EngineError, IllegalMoveError, fromMessage } from "./errors.js";
import { load } from "./load.js";

export { EngineError, IllegalMoveError };

/** Returns the options; @throws {EngineError} if they are neither an object nor omitted. @param {any} [options] */
function checked(options = {}) {
  if (typeof options === "object" && options !== null && !Array.isArray(options)) return options;
  throw new EngineError(`the options are ${Array.isArray(options) ? "an array" : String(options)}, an object is needed`, "options");
}

/** Returns options as JSON. Other values become texts, which the engine refuses by name. */
function toJson(options) {
  return JSON.stringify(options, (_, value) => {
    if (typeof value === "number" && Number.isFinite(value)) return value;
    return ["number", "bigint", "function", "symbol"].includes(typeof value) ? String(value) : value;
  });
}

/** Separates the signal, which is handled here, from the options for the module. */
function withSignal(options) {
  const { signal, ...rest } = checked(options);
  if (signal !== undefined && typeof signal?.addEventListener !== "function") {
    throw new EngineError("signal is not an AbortSignal", "options");
  }
  return { signal, json: toJson(rest) };
}

/** Returns a text; @throws {EngineError} if the value is not one. */
const checkedText = (value, name) => {
  if (typeof value !== "string") throw new EngineError(`${name} is ${value === null ? "null" : typeof value}, a text is needed`, "options");
  return value;
};

/** Loads a record: a text, or the bytes of a file, whose encoding is detected. */
function loadRecord(core, record) {
  if (record instanceof ArrayBuffer) return core.load_file(new Uint8Array(record));
  if (ArrayBuffer.isView(record)) return core.load_file(new Uint8Array(record.buffer, record.byteOffset, record.byteLength));
  return core.load(checkedText(record, "the record"));
}

/** An engine and its game. */
class Engine {
  /** The engine in the module; null once it has been freed or has crashed. */
  #core;
  /** The text and the code of the error that every call throws after the core is gone. */
  #goneError = null;
  /** The analysis that was started last. */
  #analysis = null;

  constructor(core) {
    this.#core = core;
  }

  /** Calls the core. It throws refusals as JSON texts; any other error is a crash, after which
   * its memory cannot be trusted. */
  #call(work) {
    if (this.#core === null) throw new EngineError(this.#goneError.text, this.#goneError.code);
    try {
      return work(this.#core);
    } catch (error) {
      if (typeof error === "string") throw fromMessage(error);
      if (error instanceof EngineError) throw error;
      this.#core = null;
      this.#goneError = { text: `the engine has failed (${error.message}): create a new one with createEngine`, code: "failed" };
      throw new EngineError(this.#goneError.text, this.#goneError.code);
    }
  }

  play(move) {
    this.#call((core) => core.play(checkedText(move, "the move")));
  }

  undo(turns = 1) {
    if (!Number.isInteger(turns) || turns < 1 || turns > 1e6) {
      throw new EngineError(`undo takes a number of turns from 1, not ${String(turns)}`, "options");
    }
    this.#call((core) => core.undo(turns));
  }

  newGame(options) {
    this.#call((core) => core.new_game(toJson(checked(options))));
  }

  setPosition(position) {
    this.#call((core) => core.set_position(checkedText(position, "the position")));
  }

  load(record) {
    return JSON.parse(this.#call((core) => loadRecord(core, record)));
  }

  record(format = "sgf") {
    return this.#call((core) => core.record(checkedText(format, "the format")));
  }

  legalMoves() {
    return this.#call((core) => core.legal_moves());
  }

  get position() {
    const { to_move: toMove, status: stage, ...rest } = JSON.parse(this.#call((core) => core.position()));
    const { text, rules, ...board } = rest;
    return { text, board: rules.board, rules, toMove, stage, ...board };
  }

  get score() {
    return this.position.score;
  }

  gtp(line) {
    return this.#call((core) => core.gtp(checkedText(line, "the line")));
  }

  stop() {
    this.#call((core) => core.stop());
    this.#analysis?.endIdle();
  }

  async bestMove(options) {
    const { signal, json } = withSignal(options);
    signal?.throwIfAborted();
    this.#call((core) => core.start_move(json));
    const stop = () => this.#core?.stop();
    signal?.addEventListener("abort", stop);
    try {
      for (;;) {
        const update = this.#call((core) => core.advance());
        if (update !== undefined) {
          signal?.throwIfAborted();
          return JSON.parse(update).move;
        }
        await breathe();
      }
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }

  analyse(options) {
    const analysis = new Analysis(options, (work) => {
      this.#analysis = analysis;
      return this.#call(work);
    });
    return analysis;
  }

  analyze(options) {
    return this.analyse(options);
  }

  free() {
    if (this.#core === null) return;
    this.#core.free();
    this.#core = null;
    this.#goneError = { text: "the engine has been freed: create a new one with createEngine", code: "freed" };
  }
}

/**
 * A running analysis: an async iterator that searches only while a caller waits for its next
 * value. Its calls form a queue, so that `return` during a `next` ends the search after the
 * current slice, and the core never has two callers.
 */
class Analysis {
  #options;
  #call;
  #signal = null;
  #isOver = false;
  #hasBegun = false;
  /** The number of calls of `next` that wait for their value. */
  #pendingCalls = 0;
  /** Ends the search even if no call of `next` waits. */
  #onAbort = () => { this.return().catch(() => {}); };
  /** The end of the queue: the next step starts after this one, whether it succeeds or fails. */
  #queueEnd = Promise.resolve();

  constructor(options, call) {
    this.#options = options;
    this.#call = call;
  }

  [Symbol.asyncIterator]() {
    return this;
  }

  next() {
    this.#pendingCalls++;
    return this.#enqueue(() => this.#step()).finally(() => this.#pendingCalls--);
  }

  /** Ends the analysis after a stop, unless a call of `next` waits: that gets the last value. */
  endIdle() {
    if (this.#hasBegun && !this.#pendingCalls) this.return().catch(() => {});
  }

  return(value) {
    this.#isOver = true;
    return this.#enqueue(async () => {
      await this.#stopSearch();
      return { done: true, value };
    });
  }

  throw(error) {
    return this.return().then(() => Promise.reject(error));
  }

  #enqueue(step) {
    const result = this.#queueEnd.then(step);
    this.#queueEnd = result.catch(() => {});
    return result;
  }

  async #step() {
    if (!this.#hasBegun && !this.#isOver) this.#begin();
    while (!this.#isOver && !this.#signal?.aborted) {
      const update = this.#advance();
      if (update?.analysis) return { done: false, value: publicNames(update.analysis) };
      await breathe();
    }
    await this.#stopSearch();
    return { done: true, value: undefined };
  }

  #begin() {
    const { signal, json } = withSignal(this.#options);
    this.#signal = signal;
    if (signal?.aborted) return;
    this.#call((core) => core.start_analysis(json));
    this.#hasBegun = true;
    signal?.addEventListener("abort", this.#onAbort);
  }

  /** Searches for a slice. */
  #advance() {
    try {
      const update = this.#call((core) => core.advance());
      if (update === undefined) return null;
      const parsed = JSON.parse(update);
      if (parsed.done) this.#finish();
      return parsed;
    } catch (error) {
      this.#finish();
      throw error;
    }
  }

  #finish() {
    this.#isOver = true;
    this.#hasBegun = false;
    this.#signal?.removeEventListener("abort", this.#onAbort);
  }

  /** Ends the search if it is running. */
  async #stopSearch() {
    this.#isOver = true;
    if (!this.#hasBegun) return;
    try {
      this.#call((core) => core.stop());
      while (this.#hasBegun) {
        this.#advance();
        await breathe();
      }
    } catch (error) {
      // The search ended when the engine was freed.
      if (error.code !== "freed") throw error;
    }
  }
}

/** Returns an analysis with the names of index.d.ts. */
function publicNames({ to_move: toMove, root, moves, finished, ownership }) {
  return { toMove, ...root, moves, finished, ...(ownership && { ownership }) };
}

/** Creates an engine; see index.d.ts for the options. */
export async function createEngine(options) {
  const { wasm, ...rest } = checked(options);
  const json = toJson(rest);
  await load(wasm);
  try {
    return new Engine(new EngineCore(json, Math.random()));
  } catch (error) {
    throw typeof error === "string" ? fromMessage(error) : error;
  }
}

/** Runs the searches of `pontifex bench`. Returns nodes, equal on all machines, and time. */
export async function bench(options) {
  await load(checked(options).wasm);
  return JSON.parse(benchJson());
}
