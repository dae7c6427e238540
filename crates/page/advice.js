// Hints in the game, on demand or by themselves in the game after the lessons,
// and moves of a reviewed game that are tried again.

import { byId, show } from "./dom.js";

export function createAdvice(store, session, play, view) {
  /** The node of the last hint that was asked for by itself. */
  let asked = null;

  function hint() {
    const { game } = store.state;
    if (!play.ready()) return;
    store.set({ message: { kind: "info", key: "searching" }, marked: [], lesson: null });
    session.askSoon({ type: "hint", node: game.current });
  }

  /** A hint has come. */
  function take({ node, move, why }) {
    if (store.state.game?.current !== node) return;
    store.set({ hint: { node, move }, message: { kind: "hint", key: "hintSays", values: { move }, why }, marked: [] });
  }

  /** Plays the position before a reviewed turn again. */
  function retry(from, turn) {
    store.set({ retry: { from, played: turn.move, turn }, tried: null, lesson: null, message: null, marked: [] });
    view.go(from);
    byId("frame").scrollIntoView({ block: "nearest" });
    document.querySelector(".side").scrollTop = 0;
  }

  /** In the game after the lessons, a hint comes at each turn of the person. */
  function coach({ game, coached, connection }) {
    show(byId("coach-toggle"), Boolean(coached));
    byId("coach-toggle").setAttribute("aria-pressed", String(Boolean(coached?.on)));
    if (game?.current !== asked) asked = null;
    const isTurn = coached?.on && coached.game === game?.game && connection === "open" && game.live
      && play.ready() && game.players[game.position.to_move] === "human";
    if (!isTurn || asked !== null || store.state.hint) return;
    asked = game.current;
    hint();
  }

  function toggle() {
    const { coached } = store.state;
    if (!coached) return;
    asked = null;
    store.set(coached.on ? { coached: { ...coached, on: false }, hint: null, message: null, marked: [] } : { coached: { ...coached, on: true } });
  }

  store.watch(["game", "sent", "coached", "connection"], coach);
  byId("coach-toggle").addEventListener("click", toggle);
  byId("hint-button").addEventListener("click", hint);
  return { hint, take, retry };
}
