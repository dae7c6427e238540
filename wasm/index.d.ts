// Types of the package `pontifex-engine`. docs: README.md

/** A cell, such as `"d4"`. */
export type Cell = string;
/** A move: `"d4,e6"` (two tiles), `"d4-e6"` (a bridge), `"pass"` or `"swap"`. */
export type Move = string;
export type Color = "white" | "red";
export type ByColor<T> = { readonly white: T; readonly red: T };

/** The rules of a game that are agreed before it starts. */
export interface GameOptions {
  /** Cells of an edge, 4 to 12; 10 by default. */
  board?: number;
  /** `"standard"` (the default), `"unlimited"` or `"TILES,BRIDGES"`, as in `"40,15"`. */
  supply?: "standard" | "unlimited" | `${number},${number}`;
  /** Whether Red may swap after White's first turn; true by default. */
  pie?: boolean;
}

/** Where the file `pontifex_bg.wasm` is: its address, bytes, response or module. */
export type WasmSource = string | URL | ArrayBuffer | ArrayBufferView | Response | WebAssembly.Module;

export interface EngineOptions extends GameOptions {
  /** `"max"` (the default), or one of the levels from 1, the weakest, to 10. */
  level?: "max" | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10;
  /** MiB for the search tree, 1 to 2048; 128 by default. */
  memory?: number;
  /** Seed of the random numbers. By default a level plays every game differently, and full strength finds the same move with the same `playouts`. */
  seed?: number;
  /** For bundlers: the module's location, or a promise of it. Only the first engine uses it. */
  wasm?: WasmSource | Promise<WasmSource>;
}

export interface SearchOptions {
  /** The time limit in milliseconds. */
  timeMs?: number;
  /** The limit of iterations. */
  playouts?: number;
  /** Ends the search: `bestMove` rejects with its reason, an analysis ends its loop. */
  signal?: AbortSignal;
}

export interface AnalysisOptions extends SearchOptions {
  /** The largest number of moves in an analysis; 10 by default. */
  moves?: number;
  /** Whether to estimate who will own the cells; false by default. */
  ownership?: boolean;
  /** Milliseconds between two analyses; 100 by default. */
  intervalMs?: number;
}

/** The result of a search. Win rates and leads are from the side to move. */
export interface AnalysisResult {
  readonly toMove: Color;
  /** The expected result, 0 (loss) to 1 (win). */
  readonly winrate: number;
  /** The expected lead in points. */
  readonly scoreLead: number;
  readonly visits: number;
  /** The proved result, such as `"W+5"`, `"R+i"` or `"0"`. */
  readonly solved: string | null;
  /** The proved winner; `null` also for a proved draw. */
  readonly winner: Color | null;
  /** The best moves, the best first. */
  readonly moves: readonly AnalysedMove[];
  /** Whether the search has ended. */
  readonly finished: boolean;
  /** Present if the option `ownership` was true. */
  readonly ownership?: Ownership;
}

export interface AnalysedMove {
  readonly move: Move;
  readonly visits: number;
  /** The mover's expected result after it, 0 to 1. */
  readonly winrate: number;
  /** The mover's expected lead after it, in points. */
  readonly scoreLead: number;
  /** The probability of the move before any search, 0 to 1. */
  readonly prior: number;
  /** Lower confidence bound of the win rate; never above `winrate`. */
  readonly lcb: number;
  /** The rank, from 0. */
  readonly order: number;
  /** The principal variation: the move and the best moves after it. */
  readonly pv: readonly Move[];
  readonly solved: string | null;
  readonly winner: Color | null;
}

/** Probabilities that cells end up in islands of a colour, and that bridges will be built. */
export interface Ownership extends ByColor<Readonly<Record<Cell, number>>> {
  readonly bridges: readonly { readonly bridge: string; readonly white: number; readonly red: number }[];
}

export interface Score {
  readonly points: number;
  readonly islands: number;
  readonly bridges: number;
}

export interface Position {
  /** The position text, for `setPosition`. */
  readonly text: string;
  /** Cells of an edge. */
  readonly board: number;
  readonly rules: { readonly board: number; readonly supply: string; readonly pie: boolean };
  readonly toMove: Color;
  /** `open` before the first turn, `pie` while a swap is allowed, `last` before the last turn. */
  readonly stage: "open" | "pie" | "normal" | "last" | "over";
  readonly tiles: ByColor<readonly Cell[]>;
  readonly bridges: readonly { readonly from: Cell; readonly to: Cell; readonly player: Color }[];
  readonly islands: readonly { readonly player: Color; readonly cells: readonly Cell[] }[];
  /** Networks with islands. */
  readonly networks: readonly { readonly player: Color; readonly islands: number; readonly points: number; readonly cells: readonly Cell[] }[];
  readonly score: ByColor<Score>;
  /** Tiles and bridges that are left; null without a limit. */
  readonly supply: { readonly white: number | null; readonly red: number | null; readonly bridges: number | null };
  /** Cells that each colour may still use. */
  readonly candidates: ByColor<readonly Cell[]>;
  /** What a turn may begin with: the first tile's cells, bridges, a pass, a swap. */
  readonly legal: { readonly cells: readonly Cell[]; readonly bridges: readonly string[]; readonly pass: boolean; readonly swap: boolean };
  /** The moves since the start. */
  readonly moves: readonly Move[];
  /** The result once the game is over; `null` before. */
  readonly result: { readonly winner: Color | "draw"; readonly text: string } | null;
}

/** A format that records are written in. */
export type RecordFormat = "sgf" | "json" | "moves" | "position";

/** A fault of a record that was mended, because its meaning is clear. */
export interface Mended {
  readonly code: "guessed_encoding" | "replaced_characters" | "skipped_text" | "surplus_parenthesis" | "missing_parenthesis" | "unknown_result" | "wrong_result";
  /** One line, with the place. */
  readonly text: string;
}

/** An engine and its game. */
export interface Engine {
  /** Makes a move of the side to move. @throws {IllegalMoveError} */
  play(move: Move): void;
  /** Takes back turns, one by default. @throws {EngineError} `undo` if the game has fewer. */
  undo(turns?: number): void;
  /** Starts a game; rules that are not named stay as they are. */
  newGame(options?: GameOptions): void;
  /** Starts a game from a position text. @throws {EngineError} `not_a_position`, or {@link IllegalMoveError} for a position that breaks a rule. */
  setPosition(text: string): void;
  /**
   * Takes up a game at its end: SGF, Abstract Play's JSON, a list of moves, a
   * position. Pass the bytes of a file if you have them: its encoding is found
   * by its byte-order mark, SGF's `CA[...]` or its contents. Returns what was
   * mended, usually nothing.
   */
  load(record: string | ArrayBuffer | ArrayBufferView): readonly Mended[];
  /** The game as a record; `"sgf"` by default. */
  record(format?: RecordFormat): string;
  /** Every legal move. */
  legalMoves(): Move[];
  readonly position: Position;
  readonly score: ByColor<Score>;
  /**
   * Searches for the best move without making it. Without a limit it takes two
   * seconds, or as long as the level needs. Rejects with the signal's reason.
   */
  bestMove(options?: SearchOptions): Promise<Move>;
  /**
   * Analyses the position until it is solved, a limit is reached, the loop is
   * left or the signal is aborted. The search goes on while its next value is
   * awaited. The level does not matter.
   */
  analyse(options?: AnalysisOptions): AnalysisIterator;
  /** The same as `analyse`. */
  analyze(options?: AnalysisOptions): AnalysisIterator;
  /** Ends the running search with what it has found. */
  stop(): void;
  /** Answers a line of GTP (see protocol.md), `""` for a comment. A search through GTP blocks until it ends. */
  gtp(line: string): string;
  /** Frees the memory. Every other call then throws `freed`. */
  free(): void;
}

export interface AnalysisIterator {
  next(): Promise<IteratorResult<AnalysisResult, undefined>>;
  return(): Promise<IteratorResult<AnalysisResult, undefined>>;
  throw(error?: unknown): Promise<IteratorResult<AnalysisResult, undefined>>;
  [Symbol.asyncIterator](): AnalysisIterator;
}

/** Something that an engine cannot do. */
export class EngineError extends Error {
  readonly name: string;
  /**
   * `options`, `busy` (a search is running), `freed`, `failed` (a crash), `load`,
   * `undo`, `not_a_position`, `not_a_record`, or the rule of an {@link IllegalMoveError}.
   */
  readonly code: string;
}

/** A move, position or record that breaks a rule. */
export class IllegalMoveError extends EngineError {
  /** The move, if there is one. */
  readonly move: Move | null;
  /** The cells that show it, that of the move first. */
  readonly cells: readonly Cell[];
  /** The values in the message by name, for translations. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The number of the move in a record, from 1. */
  readonly number: number | null;
}

/** Creates an engine before its first move. */
export function createEngine(options?: EngineOptions): Promise<Engine>;

/** Runs the searches of `pontifex bench` and blocks until they end. `nodes` is the same on every machine, the time is not. */
export function bench(options?: Pick<EngineOptions, "wasm">): Promise<{ nodes: number; iterations: number; milliseconds: number }>;
