// Hints in the game, on demand or by themselves in the game after the lessons. A warning
// before a blunder against a level, if it is wanted. And turns of a reviewed game that are
// tried again: whether the move is better, and what to do next. The best move stays hidden
// until it is asked for. The moves, their reasons and the judgement come from the host; the
// list of mistakes is in review.js.

import { byId, onClick, press, setText, show } from "./dom.js";
import { WHOLE, hintAt, nextDegree } from "./hints.js";
import { purposeText, moveText, tenths } from "./texts.js";

/** @import { Considered } from "./messages.d.ts" */

/** The longest wait for what a move gives away, in milliseconds. */
const CONSIDER_TIMEOUT = 4000;

/** Verdicts of moves that are as good as the best. */
const GOOD_VERDICTS = ["best", "good"];

/** @param {import("./main.js").Page} page */
export function createAdvice({ store, session, play, view, say, ask, toBoard }) {
  const { here } = store.state;
  /** The node of the last hint that was asked for by itself. */
  let hintedNode = null;

  /** Asks for a hint; asked again in the same position, tells more of it. */
  function hint() {
    const { game } = store.state;
    if (!play.isReady()) return;
    if (here.hint) return showHint(game.current, here.hint, nextDegree(here.hint.move, here.hint.degree));
    store.note({ message: { kind: "info", key: "searching" }, mistakeShown: null });
    session.askSoon({ type: "hint", node: game.current });
  }

  /** Shows a hint as far as this degree. */
  function showHint(node, { move, why }, degree) {
    const isWhole = degree >= WHOLE;
    store.note({
      hint: { move, why, degree: Math.min(WHOLE, degree) },
      hintMove: isWhole ? move : null,
      message: isWhole ? { kind: "hint", key: "hint.move", values: { move }, why }
        : { kind: "hint", ...hintAt(move, degree, store.state.game.rules.board) },
    }, node);
  }

  /** A hint has come. The first games are played with whole ones. */
  function receiveHint({ node, move, why }) {
    showHint(node, { move, why }, hintedNode === node ? WHOLE : 1);
  }

  /** In the game after the lessons, a hint comes at each turn of the person. */
  store.watch(({ game, autoHints, connection }) => {
    const hasAutoHints = autoHints && !game.end;
    show(byId("auto-hints-toggle"), hasAutoHints);
    press(byId("auto-hints-toggle"), autoHints?.on);
    if (game?.current !== hintedNode) hintedNode = null;
    const isTurn = hasAutoHints && autoHints.on && connection === "open" && game.live
      && play.isReady() && game.players[game.position.to_move] === "human";
    if (!isTurn || hintedNode !== null || here.hintMove) return;
    hintedNode = game.current;
    if (here.hint) showHint(hintedNode, here.hint, WHOLE);
    else hint();
  });

  /** Whether to warn of a blunder can be chosen here: in a game of one person against a level. */
  const isAgainstLevel = ({ live, level, players }) => live && typeof level.level === "number"
    && Object.values(players).filter((who) => who === "human").length === 1;

  /** What the host has to find out about a move, and who waits for it. @type {{node: number, move: string, done: (found: Considered|null) => void}|null} */
  let considering = null;
  /** The turn in which a warning was given: there is one only. */
  let warnedTurn = "";

  /** Whether to play a move: a blunder is asked about once. @param {string} move */
  async function guard(move) {
    const { game, warnOfBlunders, language } = store.state;
    const turn = `${game.game} ${game.current}`;
    if (!warnOfBlunders || !isAgainstLevel(game) || warnedTurn === turn) return true;
    const comparison = await consider(game.current, move);
    if (!comparison?.blunder) return true;
    warnedTurn = turn;
    const points = tenths(language, comparison.points);
    const cost = comparison.points >= 0.5 ? say("warnPoints", { points }) : say("warnChance", { percent: Math.round(comparison.winrate * 100) });
    // A move whose reason cannot be told is named.
    return ask("warn", { cost, purpose: purposeText(language, comparison.why) || `${moveText(language, comparison.best)}.` });
  }

  /** @param {number} node @param {string} move @returns {Promise<Considered|null>} */
  function consider(node, move) {
    considering?.done(null);
    return new Promise((resolve) => {
      // A move is not held up by a host that is busy.
      const timer = setTimeout(() => considering?.done(null), CONSIDER_TIMEOUT);
      const settle = (found) => {
        clearTimeout(timer);
        considering = null;
        resolve(found);
      };
      considering = { node, move, done: settle };
      const isAsked = session.ask({ type: "consider", node, move }, (answer) => answer.type === "searching" || considering?.done(null));
      if (!isAsked) settle(null);
    });
  }

  /** The host has found out what a move gives away. @param {Considered} found */
  function receiveComparison(found) {
    if (considering?.node === found.node && considering.move === found.move) considering.done(found);
  }
  play.setGuard(guard);

  store.watch(({ game, warnOfBlunders }) => {
    show(byId("warn-toggle"), Boolean(game) && isAgainstLevel(game));
    press(byId("warn-toggle"), warnOfBlunders);
  });

  function toggleAutoHints() {
    hintedNode = null;
    const { on } = store.state.autoHints;
    store.set({ autoHints: { on: !on } });
    store.note({ hintMove: null, hint: null, message: null });
  }

  /** The host has compared a move that was tried; it may come before the answer to the move. */
  function receiveJudgement(judgement) {
    for (const node of [judgement.from, judgement.node]) store.note({ judgement }, node);
  }

  /** Plays the position before a reviewed turn again. */
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
    setText(byId("tried-text"), !judgement ? "" : isShown ? say("triedShown", { best: judgement.best, purpose: purposeText(language, tried.turn.why) }) : textOf(judgement, language));
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
    "auto-hints-toggle": toggleAutoHints, "hint-button": hint, "warn-toggle": () => store.set({ warnOfBlunders: !store.state.warnOfBlunders }),
    "tried-again": () => retry(here.tried.from, here.tried.turn), "tried-best": showBest, "tried-back": play.home,
  });
  return { receiveHint, retry, receiveJudgement, receiveComparison };
}
