// Keyboard shortcuts of the whole page, and the table that lists all keys.

import { byId, element } from "./dom.js";

/** Rows of the table: keys, and the key of the text that explains them. */
const TABLE = [
  ["← ↑ → ↓", "keyArrows"], ["Enter, Space", "keyLay"], ["B", "keyBridge"], ["Esc", "keyCancel"],
  ["H", "hintGet"], ["U", "keyUndo"], ["S", "keySwap"], ["Shift P", "keyPass"], ["M", "keyNow"],
  ["A", "keyAnalysis"], ["O", "keyOwnership"], ["X", "keyUnusable"],
  ["N, P", "keyMistake"], ["← →, PgUp PgDn", "keyTurns"], ["[ ]", "keyEnds"], ["G", "keyFocus"], ["L", "keyGames"], ["?", "keyTable"],
];

export function createKeys(store, say, { play, actions, turns, review, grid, games, hint }) {
  const dialog = byId("keys-dialog");

  function openTable() {
    if (!dialog.open) dialog.showModal();
  }

  const keys = {
    Escape: play.cancel, u: play.undo, s: play.swap, P: play.pass, m: actions.moveNow,
    a: actions.analysis, o: actions.ownership, x: actions.unusable,
    n: review.next, p: review.previous,
    h: hint, ArrowLeft: turns.back, ArrowRight: turns.forward,
    ",": turns.back, ".": turns.forward, PageUp: turns.back, PageDown: turns.forward,
    "[": turns.first, "]": turns.last, g: grid.focus, l: games.open, "?": openTable,
  };

  addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    // A button of a dialog just closed may still have the focus.
    if (event.target.closest?.("input, textarea, select") || document.querySelector("dialog[open]")) return;
    const action = keys[event.key] ?? (event.key === "P" ? null : keys[event.key.toLowerCase()]);
    // Holding the key down must not play several turns.
    if (!action || event.repeat && action === actions.moveNow) return;
    event.preventDefault();
    action();
  });
  byId("keys-button").addEventListener("click", openTable);

  store.watch(["language"], () => {
    byId("keys-table").tBodies[0].replaceChildren(...TABLE.map(([key, text]) => element("tr", {},
      element("th", { scope: "row" }, element("kbd", { text: key })), element("td", { text: say(text) }))));
  });
}
