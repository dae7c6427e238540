// The game review: depth, progress, each player's accuracy, the list of mistakes
// and navigation between them. A mistake is shown in the position before it, with
// the best move on the board.

import { byId, element, setAttributes, setList, setText, show } from "./dom.js";
import { tenths } from "./texts.js";

/** The sign after a move, by grade. */
export const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??" };
/** Search time per position, in seconds. */
const DEPTHS = { quick: 0.2, normal: 1, deep: 5 };

/**
 * The fields of a reviewed turn that the page uses.
 * @returns {{turn: number, node: number|undefined, player: string, move: string, best: string, why: object[], loss: number, points: number, grade: string|null}}
 */
export function readTurn(turn) {
  const { node, player, move, best, grade, loss, why } = turn;
  return { turn: turn.turn, node, player, move, best, grade, why, loss: loss.winrate, points: loss.points };
}

export function createReview(store, session, play, say) {
  let running = false;

  const mistakes = () => (store.state.review?.turns ?? []).filter((turn) => turn.grade);

  /** The node before a turn of the reviewed line. */
  function before(turn) {
    const { game, review } = store.state;
    const led = game.tree.find((each) => each.node === turn.node);
    return led ? led.parent : (review.line ?? game.main)[turn.turn - 1];
  }

  /** The number of mistakes, including blunders, and of inaccuracies, as text. */
  function counted(found) {
    const slips = found.filter((turn) => turn.grade === "inaccuracy").length;
    const said = [say("mistakes", { count: found.length - slips })];
    if (slips) said.push(say("inaccuracies", { count: slips }));
    return said.join(", ");
  }

  /** Shows the server's summary for each player. */
  function drawSummary({ summary, turns = [] }) {
    const table = byId("review-summary");
    show(table, turns.length > 0);
    if (!turns.length) return;
    table.tBodies[0].replaceChildren(...["white", "red"].map((player) => {
      const { accuracy, inaccuracies, mistakes, blunders } = summary[player];
      return element("tr", { "data-player": player },
        element("th", { scope: "row" }, element("i", { class: `chip ${player}` }), say(player)),
        element("td", { "data-value": "accuracy", text: accuracy === null ? "–" : `${tenths(store.state.language, accuracy)} %` }),
        ...[inaccuracies, mistakes, blunders].map((count) => element("td", { text: count })));
    }));
  }

  function draw({ review, lesson, game }) {
    const done = review?.done ?? 0;
    const total = review?.total ?? 0;
    // The room belongs to the game while it goes on.
    show(document.querySelector(".reviewing"), !game?.live || Boolean(review));
    running = Boolean(game?.review) || (Boolean(review) && !review.finished);
    setText(byId("review"), say(running ? "reviewStop" : "review"));
    byId("review").dataset.running = String(running);
    byId("review").disabled = !game || (!running && game.main.length < 2);
    show(byId("review-bar"), running);
    byId("review-bar").value = total ? done / total : 0;
    const found = mistakes();
    byId("review-depth").disabled = running;
    drawSummary(review ?? {});
    byId("mistake-previous").disabled = byId("mistake-next").disabled = !found.length;
    let said = "";
    if (running) said = say("reviewProgress", { done, total });
    else if (review) said = found.length ? counted(found) : say("reviewClean");
    setText(byId("review-progress"), said);
    byId("review-progress").dataset.finished = String(Boolean(review?.finished));
    setList(byId("mistakes"), [store.state.language, found], () => found.map(mistake));
    for (const button of byId("mistakes").querySelectorAll("[data-mistake]")) {
      setAttributes(button, { "aria-pressed": String(Number(button.dataset.mistake) === lesson?.turn) });
    }
  }

  /** A mistake in the list. */
  function mistake(turn) {
    return element("li", {},
      element("button", { type: "button", class: "fault", "data-mistake": turn.turn, onclick: () => showMistake(turn) },
        element("b", { class: `sign ${turn.grade}`, text: SIGNS[turn.grade] }),
        element("small", { text: `${turn.turn}.` }), element("i", { class: `chip ${turn.player}` }), element("span", { text: turn.move }),
        element("span", { class: "quiet", text: `${costOf(turn)}  → ${turn.best}` })));
  }

  /** What a turn cost, in points; a turn may cost chances only. */
  const costOf = (turn) => (turn.points >= 0.05 ? `−${tenths(store.state.language, turn.points)}` : say("chances"));

  /** What a mistake cost and what the best move does, as a message. */
  function lessonOf(turn) {
    const values = { turn: turn.turn, player: turn.player, move: turn.move, best: turn.best, points: tenths(store.state.language, turn.points) };
    return { kind: "lesson", key: turn.points >= 0.05 ? "lesson" : "lessonChance", values, why: turn.why };
  }

  function showMistake(turn) {
    const node = before(turn);
    if (node === undefined || node === null) return;
    play.go(node);
    store.set({
      lesson: { turn: turn.turn, node, best: turn.best },
      hint: null,
      message: lessonOf(turn),
      marked: turn.move.split(/[,-]/).filter((cell) => /^[a-l]\d+$/.test(cell)),
    });
    // On a phone, the list is far below the board.
    byId("frame").scrollIntoView({ block: "nearest" });
  }

  /** Goes to the next (1) or previous (-1) mistake, cyclically. */
  function step(by) {
    const found = mistakes();
    if (!found.length) return;
    const at = found.findIndex((turn) => turn.turn === store.state.lesson?.turn);
    const next = at < 0 && by < 0 ? found.length - 1 : (at + by + found.length) % found.length;
    showMistake(found[next]);
  }

  function toggle() {
    if (running) {
      session.askSoon({ type: "review", cancel: true });
      const { review, game } = store.state;
      store.set({ review: review?.turns?.length ? { ...review, finished: true } : null, game: { ...game, review: null } });
      return;
    }
    const { main } = store.state.game;
    store.set({ review: { done: 0, total: main.length - 1, turns: [], line: main }, lesson: null });
    session.askSoon({ type: "review", time: DEPTHS[byId("review-depth").value], node: store.state.game.current });
  }

  byId("review").addEventListener("click", toggle);
  byId("mistake-next").addEventListener("click", () => step(1));
  byId("mistake-previous").addEventListener("click", () => step(-1));
  store.watch(["review", "lesson", "language", "game"], draw);
  return { before, toggle, next: () => step(1), previous: () => step(-1) };
}
