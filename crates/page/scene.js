// Builds the scene that the board shows from the page's state.

import { other, parts } from "./geometry.js";
import { tenths } from "./texts.js";

/** Maximum number of candidates on the board. */
export const SHOWN = 5;

/** Whether an engine is searching the position shown, and not the end of the
 * game while the page shows another turn. */
export function thinkingHere(game) {
  return Boolean(game?.thinking) && (game.tip === undefined || game.tip === game.current);
}

/** Whether the engine's view of the running game is kept from the player: as
 * chosen, or by default in games against a level. */
export function isSilent({ game, silent }) {
  return Boolean(game?.live) && (silent ?? typeof game.level?.level === "number");
}

/**
 * The candidates of the current node's analysis, best first, with the labels for
 * the board. Win rates and leads are for the side to move.
 */
export function candidatesOf({ game, analysis, onlyOwnership, language }) {
  if (!game?.analysis || onlyOwnership || !analysis || analysis.node !== game.current) return [];
  const moves = [...analysis.moves].sort((a, b) => a.order - b.order);
  const most = Math.max(1, ...moves.map((m) => m.visits));
  return moves.map((m, rank) => ({
    move: m.move,
    rank,
    weight: Math.sqrt(m.visits / most),
    rate: `${Math.round(m.winrate * 100)}`,
    lead: m.solved ?? signed(m.scoreLead, language),
    winrate: m.winrate,
    visits: m.visits,
    pv: m.pv ?? [m.move],
  }));
}

/** Formats a number with sign and one decimal: `+1.5`, `−0.3`. */
export function signed(value, language) {
  const text = tenths(language, Math.abs(value));
  return Math.abs(value) < 0.05 ? text : `${value < 0 ? "−" : "+"}${text}`;
}

/** The moves of a variation with their players. After a swap, Red moves again. */
export function lineOf(moves, toMove, most = 6) {
  let player = toMove;
  return moves.slice(0, most).map((move, n) => {
    const step = { move, player, number: n + 1 };
    if (move !== "swap") player = other(player);
    return step;
  });
}

function lastOf(last) {
  if (!last) return [];
  const { kind, cells } = parts(last.move);
  return kind === "bridge" ? [last.move] : cells;
}

/**
 * @param {import("./store.js").State} state
 * @param {(cell: string) => string[]} targets
 * @returns {import("./board.js").Scene}
 */
export function sceneOf(state, targets) {
  const { game, first, sent, bridgeFrom, pointer } = state;
  const position = game?.position;
  if (!position) return { size: 10, tiles: { white: [], red: [] }, bridges: [] };

  const player = position.to_move;
  const laid = first ? [{ cell: first, player }] : [];
  const bridges = [...position.bridges];
  if (sent) {
    const { kind, cells } = parts(sent.move);
    if (kind === "tiles") for (const cell of cells) if (cell !== first) laid.push({ cell, player: sent.player });
    if (kind === "bridge") bridges.push({ from: cells[0], to: cells[1], player: sent.player });
  }

  const best = state.hover ?? state.pinned;
  let heat = candidatesOf(state);
  const looked = heat.find((candidate) => candidate.move === best);
  heat = heat.slice(0, SHOWN);
  const near = heat.find((candidate) => parts(candidate.move).cells.includes(state.near))?.move;
  if (first) heat = heat.filter((c) => c.move.split(",").includes(first));
  let line = [];
  if (looked) {
    heat = [];
    line = lineOf(looked.pv, player);
  } else if (state.lesson && state.lesson.node === game.current) {
    line = lineOf([state.lesson.best], player);
    heat = [];
  } else if (state.hint && state.hint.node === game.current && !sent) {
    line = lineOf([state.hint.move], player);
    heat = [];
  }

  return {
    size: game.rules.board,
    tiles: position.tiles,
    bridges,
    islands: position.islands,
    laid,
    last: lastOf(position.last),
    targets: bridgeFrom ? targets(bridgeFrom) : [],
    from: bridgeFrom,
    rubber: bridgeFrom && pointer ? { from: bridgeFrom, to: pointer, player } : null,
    marked: state.marked,
    glow: state.glow,
    moved: state.moved === game.current,
    usable: state.unusable ? {
      white: new Set(position.candidates.white), red: new Set(position.candidates.red),
    } : null,
    heat: sent ? [] : heat,
    best: best ?? near ?? null,
    line,
    ownership: state.ownership && state.analysis?.node === game.current && !line.length ? state.analysis.ownership : null,
  };
}
