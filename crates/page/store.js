// The state of the page. Each part of the page is redrawn, at most once per frame, after a
// change of something that it read in its last drawing. Notes about a node of the game are
// stored under that node, and `here` has those of the node shown, so going to another node
// clears nothing. The game itself is the host's: its states arrive whole and are never changed
// here.

/** @import { Color, Info, Message as HostMessage, Purpose, Request, Retried } from "./messages.d.ts" */
/** @import { ReviewMessage, TableState, TurnMessage } from "./messages.d.ts" */

/**
 * The state of the page as a whole.
 *
 * @typedef {object} State
 * @property {"connecting"|"open"|"lost"} connection
 * @property {string|null} session
 * @property {Info|null} info the server's boards and engines
 * @property {ShownGame|null} game
 * @property {Notes} here the notes of the node shown
 * @property {any} thinking the last message `thinking`
 * @property {Clock|null} clock the last clock received
 * @property {SentMove|null} sent a move not yet answered; it is sent again after a lost connection
 * @property {string|null} near the cell under the pointer
 * @property {boolean} branch whether moves at an earlier turn are variations
 * @property {Partial<ReviewMessage> & {turns: TurnMessage[], line?: number[]}|null} review the last message
 * `review`, and the nodes of the line reviewed
 * @property {{session: string, game: number, seat: number|null, key: string|null}|null} seat this browser's seat in a shared session
 * @property {{on: boolean}|null} autoHints whether hints are shown automatically; null in games that have no such hints
 * @property {boolean} warnOfBlunders whether to ask before a blunder against a level is played
 * @property {number|null} focusRequestedAt when the board was last asked to take the focus
 * @property {number|null} movedNode the node of another player's move that just arrived
 * @property {Record<string, boolean>} overlays whether each is switched on, by key
 * @property {boolean} tools whether the advanced buttons are shown in a game against a level for beginners
 * @property {boolean} sound
 * @property {boolean|null} silent whether the evaluation is hidden during a game; null: depends on the opponent
 * @property {string} language @property {string} theme
 *
 * The strength of the engine: a level, or the limit of its search.
 * @typedef {{level?: number, time?: number, playouts?: number}} Level
 *
 * The server's last `state` with the node that this page shows; `line`: the game's main
 * line; `final`: the state itself.
 * @typedef {Omit<TableState, "level"> & {level: Level, line: number[], final: TableState}} ShownGame
 * @typedef {{white?: number, red?: number, periods: Record<Color, number|undefined>, running: Color|null, receivedAt: number}} Clock
 * @typedef {{node: number, move: string, player: Color, sentAt: number, request: Request, isLost: boolean, repeats: number}} SentMove
 *
 * The notes of a node.
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
 * @property {{move: string, why: Purpose[], degree: number}|null} hint the hint, and how much of it
 * is shown: from 1, the area, to 3, the move
 * @property {number|null} mistakeShown the number of the reviewed turn that is shown as a mistake
 * @property {TurnMessage|null} retry the reviewed turn that the player tries again
 * @property {{from: number, node: number, turn: TurnMessage}|null} tried the move that was tried in place
 *   of a reviewed turn
 * @property {Retried|null} judgement the host's judgement of that move
 * @property {boolean|null} solution whether the best move of that turn is shown
 * @property {{move: string, player: Color, number: number}[]|null} line moves drawn on the board
 *
 * @typedef {object} Message
 * @property {"illegal"|"error"|"info"|"hint"|"lesson"} kind
 * @property {string} [code] the rule's code
 * @property {string} [key] of a text
 * @property {string} [text] in the host's words
 * @property {Record<string, any>} [values]
 * @property {Purpose[]} [why]
 * @property {{code: string}[]} [mended]
 * @property {string[]} [cells]
 */

/** The time for redrawing per frame, in milliseconds: a slow phone must stay responsive. */
const FRAME_BUDGET = 25;

/** The values that are reset with each new game. */
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
  /** The part that is being drawn, whose reads are recorded. @type {Part|null} */
  let reader = null;
  /** What changed since the last redraw: keys of the state, of notes, and `here` for another node. */
  let changed = new Set();
  /** The subscribers that are yet to be redrawn. */
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

  /** Records what a new state of the game changes, or going to another node. */
  function changeGame(before, game) {
    if (before?.current !== game.current) changed.add("here");
    if (before?.game !== game.game || before.session !== game.session) {
      changed.add("here");
      notes.clear();
      put(values, GAME_DEFAULTS);
    }
    // The notes of deleted nodes go with them.
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
      const previous = values.game;
      if (patch.game && patch.game !== previous) changeGame(previous, patch.game);
      put(values, patch);
    },
    /**
     * Changes the notes of a node, by default of the one shown.
     * @param {Partial<Notes>} patch
     */
    note(patch, node = values.game?.current) {
      if (!notes.has(node)) notes.set(node, {});
      put(notes.get(node), patch);
    },
    /**
     * Calls `drawPart` in the next frame, and again after each change of something that it read.
     * Returns a function that draws at once, for changes of anything outside the store.
     * @param {(state: State) => void} drawPart
     */
    watch(drawPart) {
      const subscriber = { draw: drawPart, read: new Set() };
      subscribers.push(subscriber);
      pending.add(subscriber);
      schedule();
      return () => draw(subscriber);
    },
    /** Redraws at once: a tap must not wait for the next frame. */
    flush: () => flush(),
  };
}

/** @typedef {ReturnType<typeof createStore>} Store */
