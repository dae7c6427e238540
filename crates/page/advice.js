// The engine's advice: hints, on demand or automatically in the game after the lessons; the
// warning before a blunder against a level, if it is switched on; and reviewed turns that the
// player tries again, with a judgement of the new move. Their best move stays hidden until the
// player asks for it. Moves, reasons and judgements come from the host; the list of mistakes is
// in review.js.

import { byId, onClick, setPressed, setText, show } from "./dom.js";
import { WHOLE, hintAt, nextDegree } from "./hints.js";
import { purposeText, moveText, tenths } from "./texts.js";

/** @import { Considered } from "./messages.d.ts" */

/** How long a move may wait for the host's comparison with the best one, in milliseconds. */
const CONSIDER_TIMEOUT = 4000;

/** Verdicts of moves that are as good as the best. */
const GOOD_VERDICTS = ["best", "good"];

/** @param {import("./main.js").Page} page */
export function createAdvice({ store, session, play, view, say, ask, toBoard }) {
  const { here } = store.state;
  /** The node of the last automatic hint. */
  let hintedNode = null;

  /** Asks for a hint; a second request in the same position shows more of it. */
  function hint() {
    const { game } = store.state;
    if (!play.isReady()) return;
    if (here.hint) return showHint(game.current, here.hint, nextDegree(here.hint.move, here.hint.degree));
    store.note({ message: { kind: "info", key: "searching" }, mistakeShown: null });
    session.askSoon({ type: "hint", node: game.current });
  }

  /** Shows a hint up to a degree. */
  function showHint(node, { move, why }, degree) {
    const isWhole = degree >= WHOLE;
    store.note({
      hint: { move, why, degree: Math.min(WHOLE, degree) },
      hintMove: isWhole ? move : null,
      message: isWhole ? { kind: "hint", key: "hint.move", values: { move }, why }
        : { kind: "hint", ...hintAt(move, degree, store.state.game.rules.board) },
    }, node);
  }

  /** Receives a hint. An automatic one is shown whole. */
  function receiveHint({ node, move, why }) {
    showHint(node, { move, why }, hintedNode === node ? WHOLE : 1);
  }

  // In the game after the lessons, each of the player's turns has an automatic hint.
  store.watch(({ game, autoHints, connection }) => {
    const hasAutoHints = autoHints && !game.end;
    show(byId("coach-toggle"), hasAutoHints);
    setPressed(byId("coach-toggle"), autoHints?.on);
    if (game?.current !== hintedNode) hintedNode = null;
    const isTurn = hasAutoHints && autoHints.on && connection === "open" && game.live
      && play.isReady() && game.players[game.position.to_move] === "human";
    if (!isTurn || hintedNode !== null || here.hintMove) return;
    hintedNode = game.current;
    if (here.hint) showHint(hintedNode, here.hint, WHOLE);
    else hint();
  });

  /** Whether one person plays against a level: only there can warnings be switched on. */
  const isAgainstLevel = ({ live, level, players }) => live && typeof level.level === "number"
    && Object.values(players).filter((who) => who === "human").length === 1;

  /**
   * The move that the host compares with the best one, and the callback.
   * @type {{node: number, move: string, done: (comparison: Considered|null) => void}|null}
   */
  let considering = null;
  /** The last turn with a warning: there is at most one per turn. */
  let warnedTurn = "";

  /** Returns whether to play a move; before a blunder, asks the user once. @param {string} move */
  async function guard(move) {
    const { game, warnOfBlunders, language } = store.state;
    const turn = `${game.game} ${game.current}`;
    if (!warnOfBlunders || !isAgainstLevel(game) || warnedTurn === turn) return true;
    const comparison = await consider(game.current, move);
    if (!comparison?.blunder) return true;
    warnedTurn = turn;
    const points = tenths(language, comparison.points);
    const cost = comparison.points >= 0.5
      ? say("warnPoints", { points })
      : say("warnChance", { percent: Math.round(comparison.winrate * 100) });
    // Without a purpose to tell, the best move is named.
    return ask("warn", { cost, purpose: purposeText(language, comparison.why) || `${moveText(language, comparison.best)}.` });
  }

  /**
   * Asks the host to compare a move with the best one. Resolves to null without an answer.
   * @param {number} node
   * @param {string} move
   * @returns {Promise<Considered|null>}
   */
  function consider(node, move) {
    considering?.done(null);
    return new Promise((resolve) => {
      // A busy host must not hold up the move.
      const timer = setTimeout(() => considering?.done(null), CONSIDER_TIMEOUT);
      const settle = (comparison) => {
        clearTimeout(timer);
        considering = null;
        resolve(comparison);
      };
      considering = { node, move, done: settle };
      const isAsked = session.ask({ type: "consider", node, move }, (answer) => answer.type === "searching" || considering?.done(null));
      if (!isAsked) settle(null);
    });
  }

  /** Receives a comparison; one that nobody waits for any more is ignored. @param {Considered} comparison */
  function receiveComparison(comparison) {
    if (considering?.node === comparison.node && considering.move === comparison.move) considering.done(comparison);
  }
  play.setGuard(guard);

  store.watch(({ game, warnOfBlunders }) => {
    show(byId("warn-toggle"), Boolean(game) && isAgainstLevel(game));
    setPressed(byId("warn-toggle"), warnOfBlunders);
  });

  function toggleAutoHints() {
    hintedNode = null;
    const { on } = store.state.autoHints;
    store.set({ autoHints: { on: !on } });
    store.note({ hintMove: null, hint: null, message: null });
  }

  /** Receives the judgement of a move that was tried, perhaps before the answer to that move. */
  function receiveJudgement(judgement) {
    for (const node of [judgement.from, judgement.node]) store.note({ judgement }, node);
  }

  /** Lets the player try a reviewed turn again, from the position before it. */
  function retry(from, turn) {
    store.note({ retry: turn, tried: null, judgement: null, solution: null, mistakeShown: null, message: null }, from);
    view.go(from);
    toBoard();
  }

  function titleOf({ verdict }) {
    return say(GOOD_VERDICTS.includes(verdict) ? "exerciseRight" : verdict === "better" ? "triedBetter" : "triedNot");
  }

  function textOf({ verdict, move, played, best, points, why }, language) {
    const amount = tenths(language, Math.abs(points));
    const chance = Math.abs(points) < 0.05 && ["better", "worse"].includes(verdict) ? "Chance" : "";
    return say(`retry.${verdict}${chance}`, { move, played, best, points: amount, purpose: purposeText(language, why) });
  }

  store.watch(({ game, language, here: { tried, judgement, solution } }) => {
    show(byId("tried"), tried);
    if (!tried) return;
    const isRight = GOOD_VERDICTS.includes(judgement?.verdict);
    byId("tried").dataset.right = judgement ? String(isRight) : "";
    const isShown = solution && game.current === tried.from;
    setText(byId("tried-title"), !judgement ? say("exerciseChecking") : isShown ? say("triedShownTitle") : titleOf(judgement));
    setText(byId("tried-text"),
      !judgement ? ""
        : isShown ? say("triedShown", { best: judgement.best, purpose: purposeText(language, tried.turn.why) })
        : textOf(judgement, language));
    const isOpen = Boolean(judgement) && judgement.verdict !== "best";
    show(byId("tried-again"), isOpen);
    show(byId("tried-best"), isOpen && !solution);
    byId("tried-again").classList.toggle("main", !isRight);
    byId("tried-back").classList.toggle("main", isRight);
  });

  /** Draws the best move in the position before the turn. */
  function showBest() {
    const { from, node, turn } = here.tried;
    for (const each of [from, node]) store.note({ solution: true }, each);
    store.note({ mistakeShown: turn.turn }, from);
    view.go(from);
  }

  onClick({
    "coach-toggle": toggleAutoHints, "hint-button": hint, "warn-toggle": () => store.set({ warnOfBlunders: !store.state.warnOfBlunders }),
    "tried-again": () => retry(here.tried.from, here.tried.turn), "tried-best": showBest, "tried-back": play.home,
  });
  return { receiveHint, retry, receiveJudgement, receiveComparison };
}
