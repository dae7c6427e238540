// Types of `pontifex-engine/abstractplay`.

import type { EngineOptions, Move, SearchOptions } from "./index.js";

/** One side's move as the site writes it, or an entry of a game record. */
export type Entry = Move | { move: Move; [key: string]: unknown } | null;

/** A game record of the site (schema `gamerecord`). */
export interface GameRecord {
  header: Record<string, unknown>;
  moves: readonly (readonly Entry[])[];
}

/** The state of a game, as the site's library serialises it. */
export interface GameState {
  game: string;
  variants: readonly string[];
  stack: readonly { lastmove?: string; [key: string]: unknown }[];
  [key: string]: unknown;
}

/** Moves in turn, rounds of them, a record, a state, or a text of any of these. */
export type Game = readonly Move[] | readonly (readonly Entry[])[] | GameRecord | GameState | string;

export interface MoveOptions extends SearchOptions {
  /** For lists of moves: the site's variants, such as `["size-12"]`. */
  variants?: readonly string[];
  /** For lists of moves and states: whether the second player has invoked the pie rule. */
  pieInvoked?: boolean;
}

export interface Player {
  /**
   * The move of the player to move: `"d4,e6"`, `"d4-e6"` or `"pass"`; `"swap"`
   * stands for invoking the pie rule, for which the site has no move.
   */
  move(game: Game, options?: MoveOptions): Promise<Move>;
  /** Frees the memory. */
  free(): void;
}

/** Creates a player. Board, supply and pie rule are those of each game. */
export function createPlayer(options?: Pick<EngineOptions, "level" | "memory" | "seed" | "wasm">): Promise<Player>;
