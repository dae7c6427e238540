// The game review: depth, progress, each player's accuracy, the list of mistakes and navigation
// between them. A mistake is shown in the position before it, with the best move on the board.
// Trying a turn again is in advice.js, the card after a game in card.js; the host judges.

import { byId, chip, element, onClick, setPressed, setList, setText, show } from "./dom.js";
import { COLORS } from "./geometry.js";
import { moveName, percent, tenths } from "./texts.js";

/** @import { TurnMessage } from "./messages.d.ts" */
/** @import { State } from "./store.js" */

/** The sign after a move, by grade. */
export const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??" };
/** Search time per position, in seconds. */
const DEPTHS = { quick: 0.2, normal: 1, deep: 5 };

/** @param {import("./main.js").Page} page */
export function createReview(page) {
  const { store, session, play, say } = page;
  const mistakes = () => (store.state.review?.turns ?? []).filter((turn) => turn.grade);
  const isRunning = ({ review, game }) => Boolean(game?.review) || Boolean(review && !review.finished);

  /** Returns the node before a turn of the reviewed line. */
  function nodeBefore(turn) {
    const { game, review } = store.state;
    const reviewedNode = game.tree.find((each) => each.node === turn.node);
    return reviewedNode ? reviewedNode.parent : (review.line ?? game.main)[turn.turn - 1];
  }

  /** Returns the numbers of mistakes, including blunders, and of inaccuracies, as text. */
  function mistakeCounts(turns) {
    const inaccuracies = turns.filter((turn) => turn.grade === "inaccuracy").length;
    const parts = [say("mistakeCount", { count: turns.length - inaccuracies })];
    if (inaccuracies) parts.push(say("inaccuracyCount", { count: inaccuracies }));
    return parts.join(", ");
  }

  /** Shows the host's summary for each player. @param {State["review"]} review */
  function drawSummary({ summary, turns }) {
    const table = byId("review-summary");
    show(table, turns.length > 0);
    if (!turns.length) return;
    table.tBodies[0].replaceChildren(...COLORS.map((player) => {
      const { accuracy, inaccuracies, mistakes: mistakeCount, blunders } = summary[player];
      return element("tr", { "data-player": player },
        element("th", { scope: "row" }, chip(player), say(player)),
        element("td", { "data-value": "accuracy", text: accuracy === null ? "–" : percent(store.state.language, accuracy / 100, 1) }),
        ...[inaccuracies, mistakeCount, blunders].map((count) => element("td", { text: count })));
    }));
  }

  store.watch((state) => {
    const { review, game, here: { mistakeShown } } = state;
    const running = isRunning(state);
    const doneTurns = review?.done ?? 0;
    const total = review?.total ?? 0;
    // While the game runs, it needs the room.
    show(document.querySelector(".reviewing"), !game?.live || Boolean(review));
    setText(byId("review"), say(running ? "reviewStop" : "review"));
    show(byId("review-now"), game && !game.live && !review && !running && game.main.length > 1 && game.tree.length > 1);
    byId("review").dataset.running = String(running);
    byId("review").disabled = !game || (!running && game.main.length < 2);
    show(byId("review-bar"), running);
    byId("review-bar").value = total ? doneTurns / total : 0;
    const mistakeTurns = mistakes();
    byId("review-depth").disabled = running;
    drawSummary({ turns: [], ...review });
    for (const id of ["mistake-previous", "mistake-next"]) show(byId(id), mistakeTurns.length);
    let status = "";
    if (running) status = say("reviewProgress", { done: doneTurns, total });
    else if (review) status = mistakeTurns.length ? mistakeCounts(mistakeTurns) : say("reviewClean");
    setText(byId("review-progress"), status);
    byId("review-progress").dataset.finished = String(Boolean(review?.finished));
    setList(byId("mistakes"), [state.language, mistakeTurns], () => mistakeTurns.map(mistakeItem));
    for (const button of byId("mistakes").querySelectorAll("[data-mistake]")) {
      setPressed(button, Number(button.dataset.mistake) === mistakeShown);
    }
  });

  /** Creates the list item of a mistake. */
  function mistakeItem(turn) {
    return element("li", {},
      element("button", { type: "button", class: "fault", "data-mistake": turn.turn, onclick: () => showMistake(turn) },
        element("b", { class: `sign ${turn.grade}`, text: SIGNS[turn.grade] }),
        element("small", { text: `${turn.turn}.` }), chip(turn.player),
        element("span", { text: moveName(store.state.language, turn.move) }),
        element("span", { class: "quiet", text: `${costOf(turn)}  → ${moveName(store.state.language, turn.best)}` })),
      element("button", {
        type: "button", class: "round", "data-again": turn.turn, text: "↻",
        title: say("retryTurn"), "aria-label": `${say("retryTurn")}: ${turn.turn}. ${turn.move}`,
        onclick: () => page.advice.retry(nodeBefore(turn), turn),
      }));
  }

  /** Returns what a turn cost: points, or win rate only. */
  const costOf = (turn) => (turn.loss.points >= 0.05 ? `−${tenths(store.state.language, turn.loss.points)}` : say("winRate"));

  /** Shows a mistake in the position before it: what it cost and what the best move does. */
  function showMistake(turn) {
    const node = nodeBefore(turn);
    if (node === undefined || node === null) return;
    const { player, move, best, why, loss } = turn;
    const values = { turn: turn.turn, player, move, best, points: tenths(store.state.language, loss.points) };
    store.note({
      mistakeShown: turn.turn,
      hintMove: null,
      message: {
        kind: "lesson", key: loss.points >= 0.05 ? "mistakeCost" : "mistakeChance", values, why,
        cells: move.split(/[,-]/).filter((cell) => /^[a-l]\d+$/.test(cell)),
      },
    }, node);
    play.go(node);
    // On a phone, the list is far below the board and its message.
    scrollTo(0, 0);
  }

  /** Goes to the next (1) or previous (-1) mistake, cyclically. */
  function step(by) {
    const mistakeTurns = mistakes();
    if (!mistakeTurns.length) return;
    const current = mistakeTurns.findIndex((turn) => turn.turn === store.state.here.mistakeShown);
    const next = current < 0 && by < 0 ? mistakeTurns.length - 1 : (current + by + mistakeTurns.length) % mistakeTurns.length;
    showMistake(mistakeTurns[next]);
  }

  function toggle() {
    const { review, game } = store.state;
    if (isRunning(store.state)) {
      session.askSoon({ type: "review", cancel: true });
      return store.set({ review: review?.turns.length ? { ...review, finished: true } : null, game: { ...game, review: null } });
    }
    store.note({ mistakeShown: null });
    store.set({ review: { done: 0, total: game.main.length - 1, turns: [], finished: false, line: game.main } });
    session.askSoon({ type: "review", time: DEPTHS[byId("review-depth").value], node: game.current });
  }

  onClick({ review: toggle, "review-now": toggle, "mistake-next": () => step(1), "mistake-previous": () => step(-1) });
  return { nodeBefore };
}
