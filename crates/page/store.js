// The state of the page. Parts of the page subscribe to keys and redraw at most
// once per frame.

/**
 * @typedef {object} State
 * @property {"connecting"|"open"|"lost"} connection
 * @property {string|null} session
 * @property {object|null} info the server's boards and engines
 * @property {object|null} game the server's last `state`, with the node that this page
 *   shows; `line`: the game's main line; `final`: the state itself
 * @property {object|null} analysis the last `analysis` of the current node
 * @property {object|null} thinking the last `thinking`
 * @property {object|null} clock the last clock received and its time
 * @property {string|null} first the first tile of this turn
 * @property {{first: string, cells: Set<string>}|null} seconds
 * @property {{move: string, player: string, at: number, request: object, isLost: boolean, repeats: number}|null} sent
 *   a move not yet answered; when the connection was lost, it is sent again
 * @property {string|null} bridgeFrom cell where the bridge begins
 * @property {[number, number]|null} pointer where the dragged end of the bridge is
 * @property {object|null} message the content of `#message`
 * @property {string[]} marked cells named in a message
 * @property {object|null} review the last `review`
 * @property {object|null} lesson the mistake shown
 * @property {string|null} hover the candidate under the pointer
 * @property {string|null} near the cell under the pointer
 * @property {string|null} pinned the candidate that stays visible
 * @property {string[]|null} glow cells of the highlighted network
 * @property {boolean} branch whether moves at the turn looked at are variations
 * @property {{from: number, played: string, turn: object}|null} retry the position that
 *   is played again, and the reviewed turn
 * @property {{from: number, node: number, turn: object, judgement: object|null, shown?: boolean}|null} tried
 *   the move that was tried in place of a reviewed turn, and the host's `retry` about it
 * @property {{node: number, move: string}|null} hint
 * @property {{game: number, on: boolean}|null} coached the game in which hints come by
 *   themselves, and whether they do
 * @property {number|null} moved the node of another player's move that just came
 * @property {boolean} sound
 * @property {boolean|null} silent whether the engine hides its thoughts; null: by the opponent
 * @property {boolean} ownership
 * @property {boolean} onlyOwnership whether the analysis runs for the ownership only
 * @property {boolean} unusable
 * @property {boolean} tools whether the buttons for the advanced are shown in a game for beginners
 * @property {string} language @property {string} theme
 */

/** The time of a frame for redrawing, in milliseconds, so that a slow phone keeps moving. */
const FRAME = 25;

/**
 * @param {State} initial
 */
export function createStore(initial) {
  const state = { ...initial };
  const subscribers = [];
  let changed = new Set();
  /** The subscribers that have not redrawn yet. */
  const due = new Set();
  let frame = 0;

  /** Redraws for about `time` milliseconds; the rest follows in the next frame. */
  function flush(time = Infinity) {
    if (frame) cancelAnimationFrame(frame);
    frame = 0;
    const keys = changed;
    changed = new Set();
    for (const subscriber of subscribers) {
      if (subscriber.watched.some((key) => keys.has(key))) due.add(subscriber);
    }
    const end = performance.now() + time;
    for (const subscriber of subscribers) {
      if (!due.delete(subscriber)) continue;
      subscriber.draw(state);
      if (performance.now() > end) break;
    }
    if (changed.size || due.size) schedule();
  }

  function schedule() {
    frame ||= requestAnimationFrame(() => flush(FRAME));
  }

  return {
    /** The state, read-only. @type {State} */
    state,
    /** Changes some keys; their watchers redraw in the next frame. */
    set(patch) {
      for (const [key, value] of Object.entries(patch)) {
        if (state[key] === value) continue;
        state[key] = value;
        changed.add(key);
      }
      if (changed.size) schedule();
    },
    /** Calls `draw` after one of the keys changed. */
    watch(watched, draw) {
      subscribers.push({ watched, draw });
      for (const key of watched) changed.add(key);
      schedule();
    },
    /** Redraws at once, for taps that must not wait for the next frame. */
    flush: () => flush(),
  };
}
