// The engine as a player of Abstract Play's game `pontedd`: takes a game in any of the site's
// forms and returns a move in its notation. Every form is first turned into a game record, which
// the engine reads and checks; no rule is repeated here.

import { EngineError } from "./errors.js";
import { createEngine } from "./index.js";

const GAME = "pontedd";
const PLAYERS = [{ name: "White" }, { name: "Red" }];

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** Groups moves into rounds of two, White's and Red's, unless they are in rounds already. */
function rounds(moves) {
  if (moves.every(Array.isArray)) return moves;
  return Array.from({ length: Math.ceil(moves.length / 2) }, (_, n) => moves.slice(2 * n, 2 * n + 2));
}

/** Creates a game record of the moves. */
function toRecord(moves, { variants = [], pieInvoked = false }) {
  const header = { game: { name: GAME, variants }, "pie-invoked": pieInvoked, players: PLAYERS };
  return { header, moves: rounds(moves) };
}

/** Returns the record of a list of moves, a record or a state (whose stack starts at no move). */
function recordOf(game, options) {
  if (Array.isArray(game)) return toRecord(game, options);
  if (isObject(game) && "header" in game) return game;
  if (isObject(game) && Array.isArray(game.stack)) {
    if (game.game !== GAME) throw new EngineError(`this is a game of ${game.game}, not of ${GAME}`, "not_a_record");
    const moves = game.stack.slice(1).map((state) => state.lastmove);
    return toRecord(moves, { ...options, variants: game.variants });
  }
  throw new EngineError("a game is an array of moves or rounds, a game record or a game's state", "not_a_record");
}

/** Parses a text: a record or a state as JSON, or moves separated by spaces. */
function parsed(game) {
  if (typeof game !== "string") return game;
  if (!/^\s*[[{]/.test(game)) return game.split(/\s+/).filter(Boolean);
  try {
    return JSON.parse(game);
  } catch (error) {
    throw new EngineError(`the game is not JSON: ${error.message}`, "not_a_record");
  }
}

class Player {
  #engine;

  constructor(engine) {
    this.#engine = engine;
  }

  async move(game, options = {}) {
    const { variants, pieInvoked, ...search } = options;
    this.#engine.load(JSON.stringify(recordOf(parsed(game), { variants, pieInvoked })));
    return this.#engine.bestMove(search);
  }

  free() {
    this.#engine.free();
  }
}

/** Creates a player; see abstractplay.d.ts for the options. */
export async function createPlayer(options) {
  return new Player(await createEngine(options));
}
