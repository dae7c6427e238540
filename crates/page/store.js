// The state of the page. A part of the page draws itself again, at most once per
// frame, after something changed that it read when it drew itself last. What
// belongs to a node of the game is kept under that node, and what belongs to the
// node shown is looked up in `here`: going to another node clears nothing. The game itself
// is the host's: its states come in whole and are never changed here.

/** @import { Color, Info, Message as HostMessage, Purpose, Request, Retried, ReviewMessage, TableState, TurnMessage } from "./messages.d.ts" */

/**
 * What belongs to the page.
 *
 * @typedef {object} State
 * @property {"connecting"|"open"|"lost"} connection
 * @property {string|null} session
 * @property {Info|null} info the server's boards and engines
 * @property {Shown|null} game
 * @property {Notes} here what belongs to the node shown
 * @property {any} thinking the last `thinking`
 * @property {Clock|null} clock the last clock received and its time
 * @property {Sent|null} sent a move not yet answered; when the connection was lost, it is sent again
 * @property {string|null} near the cell under the pointer
 * @property {boolean} branch whether moves at the turn looked at are variations
 * @property {Partial<ReviewMessage> & {turns: TurnMessage[], line?: number[]}|null} review the last `review`, and the nodes of its line
 * @property {{session: string, game: number, seat: number|null, key: string|null}|null} seat what this browser has in a shared session
 * @property {{on: boolean}|null} autoHints whether hints come by themselves, in the game in which they can
 * @property {boolean} warnOfBlunders whether to ask before a blunder against a level is played
 * @property {number|null} begins when the board was to get the focus last
 * @property {number|null} moved the node of another player's move that just came
 * @property {Record<string, boolean>} overlays which of them are wanted
 * @property {boolean} tools whether the buttons for the advanced are shown in a game for beginners
 * @property {boolean} sound
 * @property {boolean|null} silent whether the engine hides its thoughts; null: by the opponent
 * @property {string} language @property {string} theme
 *
 * The server's last `state` with the node that this page shows; `line`: the game's main
 * line; `final`: the state itself.
 * @typedef {Omit<TableState, "level"> & {level: {level?: number, time?: number, playouts?: number}, line: number[], final: TableState}} Shown
 * @typedef {{white?: number, red?: number, periods: Record<Color, number|undefined>, running: Color|null, at: number}} Clock
 * @typedef {{node: number, move: string, player: Color, at: number, request: Request, isLost: boolean, repeats: number}} Sent
 *
 * What belongs to a node.
 *
 * @typedef {object} Notes
 * @property {Message|null} message the content of `#message`, and the cells that it marks
 * @property {string|null} first the first tile of a turn
 * @property {Set<string>|null} seconds the cells where the second tile can go
 * @property {string|null} bridgeFrom cell where a bridge begins
 * @property {[number, number]|null} pointer where the dragged end of the bridge is
 * @property {string|null} hover the candidate under the pointer
 * @property {string|null} pinned the candidate that stays visible
 * @property {string[]|null} glow cells of the highlighted network
 * @property {Extract<HostMessage, {type: "analysis"}>|null} analysis
 * @property {string|null} hintMove the move of the hint, once all of it is shown
 * @property {{move: string, why: Purpose[], degree: number}|null} hint the hint, and how much of it is shown: from 1, the area, to 3, the move
 * @property {number|null} mistakeShown the number of the reviewed turn that is shown as a mistake
 * @property {TurnMessage|null} retry the reviewed turn that is played again
 * @property {{from: number, node: number, turn: TurnMessage}|null} tried the move that was tried in place
 *   of a reviewed turn
 * @property {Retried|null} judgement the host's word about it
 * @property {boolean|null} solution whether the best move in its place is shown
 * @property {{move: string, player: Color, number: number}[]|null} line moves drawn on the board
 *
 * @typedef {object} Message
 * @property {"illegal"|"error"|"info"|"hint"|"mistake"} kind
 * @property {string} [code] the rule's code
 * @property {string} [key] of a text
 * @property {string} [text] in the host's words
 * @property {Record<string, any>} [values]
 * @property {Purpose[]} [why]
 * @property {{code: string}[]} [mended]
 * @property {string[]} [cells]
 */

/** The time of a frame for redrawing, in milliseconds, so that a slow phone keeps moving. */
const FRAME_BUDGET = 25;

/** What goes with a game. */
const GAME_DEFAULTS = { review: null, tools: false, autoHints: null };

/**
 * @param {Partial<State>} initial
 */
export function createStore(initial) {
  /** @type {any} */
  const values = { ...GAME_DEFAULTS, ...initial };
  /** @type {Map<number|undefined, Partial<Notes>>} */
  const notes = new Map();
  /** @typedef {{draw: (state: State) => void, read: Set<string>}} Part */
  /** @type {Part[]} */
  const subscribers = [];
  /** The one that draws now. @type {Part|null} */
  let reader = null;
  /** What changed since the last redraw: keys of the state, of notes, and `here` for another node. */
  let changed = new Set();
  /** The subscribers that have not redrawn yet. */
  const pending = new Set();
  let frame = 0;

  const nodeView = new Proxy(/** @type {any} */ ({}), {
    get(_, name) {
      reader?.read.add("here").add(String(name));
      return notes.get(values.game?.current)?.[name] ?? null;
    },
  });
  /** @type {State} */
  const state = new Proxy(values, {
    get(_, key) {
      if (key === "here") return nodeView;
      reader?.read.add(String(key));
      return values[key];
    },
  });

  function put(target, patch) {
    for (const [key, value] of Object.entries(patch)) {
      if ((target[key] ?? null) === (value ?? null)) continue;
      target[key] = value;
      changed.add(key);
    }
    if (changed.size) schedule();
  }

  /** Another state of the game has come, or another node is shown. */
  function changeGame(before, game) {
    if (before?.current !== game.current) changed.add("here");
    if (before?.game !== game.game || before.session !== game.session) {
      changed.add("here");
      notes.clear();
      put(values, GAME_DEFAULTS);
    }
    // What was deleted.
    const nodes = new Set(game.tree.map(({ node }) => node));
    for (const node of notes.keys()) if (!nodes.has(node)) notes.delete(node);
  }

  function draw(subscriber) {
    const outer = reader;
    reader = subscriber;
    subscriber.read.clear();
    try {
      subscriber.draw(state);
    } finally {
      reader = outer;
    }
  }

  /** Redraws for about `time` milliseconds; the rest follows in the next frame. */
  function flush(time = Infinity) {
    if (frame) cancelAnimationFrame(frame);
    frame = 0;
    const keys = [...changed];
    changed = new Set();
    for (const subscriber of subscribers) if (keys.some((key) => subscriber.read.has(key))) pending.add(subscriber);
    const end = performance.now() + time;
    for (const subscriber of subscribers) {
      if (!pending.delete(subscriber)) continue;
      draw(subscriber);
      if (performance.now() > end) break;
    }
    if (changed.size || pending.size) schedule();
  }

  function schedule() {
    frame ||= requestAnimationFrame(() => flush(FRAME_BUDGET));
  }

  return {
    /** Read-only. */
    state,
    /** Changes some keys of the state. @param {Partial<State>} patch */
    set(patch) {
      const before = values.game;
      if (patch.game && patch.game !== before) changeGame(before, patch.game);
      put(values, patch);
    },
    /**
     * Changes what belongs to a node, by default to the one shown.
     * @param {Partial<Notes>} patch
     */
    note(patch, node = values.game?.current) {
      if (!notes.has(node)) notes.set(node, {});
      put(notes.get(node), patch);
    },
    /**
     * Calls `draw` now and after each change of something that it read. What else it draws
     * changes unseen: the function returned then draws at once.
     * @param {(state: State) => void} drawPart
     */
    watch(drawPart) {
      const subscriber = { draw: drawPart, read: new Set() };
      subscribers.push(subscriber);
      pending.add(subscriber);
      schedule();
      return () => draw(subscriber);
    },
    /** Redraws at once, for taps that must not wait for the next frame. */
    flush: () => flush(),
  };
}

/** @typedef {ReturnType<typeof createStore>} Store */
