// The one place where the page's state lives. Parts of the page subscribe to
// keys; what changed is drawn once per frame, however often it changed.

/**
 * @typedef {object} State
 * @property {"connecting"|"open"|"lost"} connection
 * @property {string|null} session
 * @property {object|null} info what the server offers
 * @property {object|null} game the server's last `state`
 * @property {object|null} analysis the last `analysis` of the current node
 * @property {object|null} thinking the last `thinking`
 * @property {object|null} clock the last known clock and when it came
 * @property {string|null} first the tile laid first in this turn
 * @property {{first: string, cells: Set<string>}|null} seconds
 * @property {{move: string, player: string}|null} sent a move not yet answered
 * @property {string|null} bridgeFrom where a bridge begins
 * @property {[number, number]|null} pointer where a bridge is dragged to
 * @property {object|null} message what `#message` says
 * @property {string[]} marked cells a message speaks of
 * @property {object|null} review the last `review`
 * @property {object|null} lesson the mistake that is shown
 * @property {string|null} hover the candidate that is looked at
 * @property {string|null} near the cell that is pointed at
 * @property {string|null} pinned the candidate that stays shown
 * @property {string[]|null} glow cells of a network that is looked at
 * @property {boolean} candidates @property {boolean} ownership
 * @property {boolean} unusable
 * @property {string} language @property {string} theme
 */

/**
 * @param {State} initial
 */
export function createStore(initial) {
  const state = { ...initial };
  const subscribers = [];
  let changed = new Set();
  let frame = 0;

  function flush() {
    if (frame) cancelAnimationFrame(frame);
    frame = 0;
    const keys = changed;
    changed = new Set();
    for (const { watched, draw } of subscribers) {
      if (watched.some((key) => keys.has(key))) draw(state);
    }
    if (changed.size) schedule();
  }

  function schedule() {
    frame ||= requestAnimationFrame(flush);
  }

  return {
    /** The state, to be read only. @type {State} */
    state,
    /** Changes some keys; whoever watches them draws in the next frame. */
    set(patch) {
      for (const [key, value] of Object.entries(patch)) {
        if (state[key] === value) continue;
        state[key] = value;
        changed.add(key);
      }
      if (changed.size) schedule();
    },
    /** Calls `draw` when one of the keys has changed. */
    watch(watched, draw) {
      subscribers.push({ watched, draw });
      for (const key of watched) changed.add(key);
      schedule();
    },
    /** Draws what has changed at once: a tap must not wait for the frame. */
    flush,
  };
}
