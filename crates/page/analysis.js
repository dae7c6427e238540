// The analysis of the node shown: its candidates, and the list of them beside the board.
// Updates change the text of existing rows, so focus and pointer stay where they are. What an
// analysis draws on the board is in overlays.js; when one runs is decided there and in view.js.

import { byId, element, setPressed, setText, show } from "./dom.js";
import { opponentOf } from "./geometry.js";
import { moveName, percent, tenths } from "./texts.js";

/** @import { Color } from "./messages.d.ts" */
/** @import { State } from "./store.js" */

const ROWS = 12;

/** Whether an analysis runs and its moves are switched on. @param {State} state */
const showsMoves = ({ game, overlays }) => Boolean(game?.analysis && overlays?.analysis);

/**
 * Whether the engine's evaluation of the running game is hidden from the player: as chosen, or
 * by default in games against a level.
 * @param {Pick<State, "game"|"silent">} state
 */
export function isSilent({ game, silent }) {
  return Boolean(game?.live) && (silent ?? typeof game.level?.level === "number");
}

/**
 * Returns the candidates of the node shown, best first, with the labels for the board. Win rates
 * and leads are from the side to move.
 * @param {State} state
 */
export function candidatesOf(state) {
  const { analysis } = state.here;
  if (!showsMoves(state) || !analysis) return [];
  const moves = [...analysis.moves].sort((a, b) => a.order - b.order);
  const mostVisits = Math.max(1, ...moves.map(({ visits }) => visits));
  return moves.map(({ move, visits, winrate, solved, scoreLead, pv }, rank) => ({
    move, rank, visits, winrate,
    weight: Math.sqrt(visits / mostVisits),
    rate: `${Math.round(winrate * 100)}`,
    lead: solved ?? signed(scoreLead, state.language),
    pv: pv ?? [move],
  }));
}

/** Formats a number with sign and one decimal: `+1.5`, `−0.3`. */
function signed(value, language) {
  const text = tenths(language, Math.abs(value));
  return Math.abs(value) < 0.05 ? text : `${value < 0 ? "−" : "+"}${text}`;
}

/**
 * Returns the moves of a variation with their players. After a swap, Red moves again.
 * @param {string[]} moves
 * @param {Color} toMove
 * @param {number} [limit] the largest number of moves returned
 */
export function lineOf(moves, toMove, limit = 6) {
  let player = toMove;
  return moves.slice(0, limit).map((move, n) => {
    const step = { move, player, number: n + 1 };
    if (move !== "swap") player = opponentOf(player);
    return step;
  });
}

/** @param {import("./main.js").Page} page */
export function createAnalysis({ store, play, say }) {
  const list = byId("candidates");
  let candidates = [];
  const rows = Array.from({ length: ROWS }, (_, n) => createRow(n));
  list.append(...rows.map(({ root }) => root));

  function createRow(n) {
    const cell = (name) => element("span", { class: name });
    const parts = {
      rank: cell("rank"), move: cell("name"), rate: cell("rate"),
      lead: cell("lead"), visits: cell("visits"), line: cell("pv"),
    };
    const bar = element("meter", { min: 0, max: 1, class: "bar", "aria-hidden": "true" });
    const move = () => candidates[n]?.move ?? null;
    const highlight = () => store.note({ hover: move() });
    const unhighlight = () => store.note({ hover: null });
    const look = element("button", {
      type: "button", class: "look", "aria-pressed": "false",
      onpointerenter: (event) => event.pointerType !== "touch" && highlight(), onpointerleave: unhighlight,
      onfocus: () => look.matches(":focus-visible") && highlight(), onblur: unhighlight,
      onclick: () => store.note({ pinned: store.state.here.pinned === move() ? null : move() }),
    }, parts.rank, parts.move, bar, parts.rate, parts.lead, parts.visits, parts.line);
    const take = element("button", { type: "button", class: "take round", text: "▸", onclick: () => move() && play.move(move()) });
    return { root: element("li", { hidden: true }, look, take), look, take, bar, ...parts };
  }

  /** Returns what the analysis says about the position as a whole. @param {State} state */
  function summary({ game, language, here: { analysis } }) {
    if (game.position.status === "over") return say("illegal.game_over");
    if (!analysis) return "…";
    const { winrate, scoreLead, visits, solved } = analysis.root;
    return [
      say(analysis.to_move), percent(language, winrate), signed(scoreLead ?? 0, language),
      say("visits", { count: visits.toLocaleString(language) }), solved ? say("solved") : "",
    ].filter(Boolean).join(" · ");
  }

  /** Explains a win rate and a lead of the position that contradict each other; otherwise empty. @param {State} state */
  function odds({ here: { analysis } }) {
    const { winrate = 0.5, scoreLead = 0, solved = null } = analysis?.root ?? {};
    if (solved || Math.abs(winrate - 0.5) < 0.01 || Math.abs(scoreLead) < 0.05 || winrate > 0.5 === scoreLead > 0) return "";
    return say(winrate > 0.5 ? "oddsAhead" : "oddsBehind", { player: analysis.to_move });
  }

  store.watch((state) => {
    const isShown = showsMoves(state);
    show(byId("analysis"), isShown);
    show(byId("analysis-off"), !isShown);
    if (!isShown) return;
    const { language, here: { analysis, pinned } } = state;
    candidates = candidatesOf(state).slice(0, ROWS);
    setText(byId("analysis-root"), summary(state));
    setText(byId("analysis-odds"), odds(state));
    rows.forEach((row, n) => {
      const candidate = candidates[n];
      show(row.root, Boolean(candidate));
      if (!candidate) return;
      const { move, winrate, lead, visits, pv } = candidate;
      setText(row.rank, String(n + 1));
      setText(row.move, moveName(language, move));
      setText(row.rate, percent(language, winrate, 1));
      setText(row.lead, lead);
      setText(row.visits, visits.toLocaleString(language));
      setText(row.line, pv.slice(1, 6).map((each) => moveName(language, each)).join("  "));
      row.bar.value = winrate;
      row.root.dataset.candidateMove = move;
      setPressed(row.look, pinned === move);
      row.take.title = say("playThis", { move });
      row.take.setAttribute("aria-label", row.take.title);
    });
    const panel = byId("panel-analysis");
    panel.dataset.updates = String(Number(panel.dataset.updates ?? 0) + (analysis ? 1 : 0));
  });
}
