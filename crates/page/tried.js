// What is said of a move that was tried in place of a reviewed turn: whether it is
// better, and what to do next. The best move stays hidden until it is asked for.

import { byId, setText, show } from "./dom.js";
import { doesText, tenths } from "./texts.js";

/** Verdicts of moves that are as good as the best. */
const RIGHT = ["best", "good"];

export function createTried(store, advice, play, view, say) {
  const root = byId("tried");

  /** The host's last judgement. What it knows already comes before the answer to the move. */
  let last = null;

  /** The host has compared the move. */
  function judged(judgement) {
    last = judgement;
    take();
  }

  function take() {
    const { tried } = store.state;
    if (!tried || tried.judgement || tried.node !== last?.node) return;
    store.set({ tried: { ...tried, judgement: last }, message: null, marked: [] });
    last = null;
  }

  function titleOf({ verdict }) {
    return say(RIGHT.includes(verdict) ? "exerciseRight" : verdict === "better" ? "triedBetter" : "triedNot");
  }

  function textOf({ verdict, move, played, best, points, why }) {
    const amount = tenths(store.state.language, Math.abs(points));
    const chance = Math.abs(points) < 0.05 && ["better", "worse"].includes(verdict) ? "Chance" : "";
    return say(`retry.${verdict}${chance}`, { move, played, best, points: amount, does: doesText(store.state.language, why) });
  }

  function draw({ tried, game }) {
    show(root, Boolean(tried));
    if (!tried) return;
    const { judgement, from, shown } = tried;
    const isRight = RIGHT.includes(judgement?.verdict);
    root.dataset.right = judgement ? String(isRight) : "";
    const isShown = shown && game.current === from;
    setText(byId("tried-title"), !judgement ? say("exerciseChecking") : isShown ? say("triedShownTitle") : titleOf(judgement));
    setText(byId("tried-text"), !judgement ? "" : isShown ? say("triedShown", { best: judgement.best, does: doesText(store.state.language, tried.turn.why) }) : textOf(judgement));
    show(byId("tried-again"), Boolean(judgement) && judgement.verdict !== "best");
    show(byId("tried-best"), Boolean(judgement) && judgement.verdict !== "best" && !shown);
    byId("tried-again").classList.toggle("main", !isRight);
    byId("tried-back").classList.toggle("main", isRight);
  }

  /** Draws the best move in the position before the turn. */
  function best() {
    const { tried } = store.state;
    if (!tried?.judgement) return;
    store.set({ tried: { ...tried, shown: true }, lesson: { turn: tried.turn.turn, node: tried.from, best: tried.judgement.best } });
    view.go(tried.from);
  }

  byId("tried-again").addEventListener("click", () => store.state.tried && advice.retry(store.state.tried.from, store.state.tried.turn));
  byId("tried-best").addEventListener("click", best);
  byId("tried-back").addEventListener("click", play.home);
  store.watch(["tried", "game", "language"], draw);
  store.watch(["tried"], take);
  return { judged };
}
