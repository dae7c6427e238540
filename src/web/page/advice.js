// Hints in the game, and moves of a reviewed game that are tried again.

import { byId } from "./dom.js";

export function createAdvice(store, session, play, view) {
  function hint() {
    const { game } = store.state;
    if (!play.ready()) return;
    store.set({ message: { kind: "info", key: "searching" }, marked: [], lesson: null });
    session.send({ type: "hint", node: game.current });
  }

  /** A hint has come. */
  function take({ node, move, why }) {
    if (store.state.game?.current !== node) return;
    store.set({ hint: { node, move }, message: { kind: "hint", key: "hintSays", values: { move }, why }, marked: [] });
  }

  /** Plays the position before a reviewed turn again. */
  function retry(from, turn) {
    store.set({ retry: { from, played: turn.move }, lesson: null, message: null, marked: [] });
    view.go(from);
    byId("frame").scrollIntoView({ block: "nearest" });
  }

  /** The move that was tried has been compared. */
  function judged({ node, move, played, best, verdict, points, why }) {
    if (store.state.game?.current !== node) return;
    const amount = Math.abs(points).toFixed(1);
    const key = `retry.${verdict}${amount === "0.0" && ["better", "worse"].includes(verdict) ? "Chance" : ""}`;
    store.set({ message: { kind: "lesson", key, values: { move, played, best, points: amount }, why }, marked: [] });
  }

  byId("hint-button").addEventListener("click", hint);
  return { hint, take, retry, judged };
}
