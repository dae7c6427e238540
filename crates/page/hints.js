// Hints by degrees, for games, puzzles and lessons: first the part of the board, then one cell
// of the move, then the move itself, which the caller shows with its reason.

import { columnRow, rowsOf, splitMove } from "./geometry.js";

/** The degree that shows the whole move. */
export const WHOLE = 3;

/**
 * Returns what a hint of a degree below `WHOLE` says, and the cells that it marks.
 * @param {string} move
 * @param {number} degree 1 or 2
 * @param {number} size of the board
 * @param {string} [preferred] the cell to name; by default the first one of the move
 * @returns {{key: string, values: {cell?: string}, cells: string[]}}
 */
export function hintAt(move, degree, size, preferred) {
  const { kind, cells } = splitMove(move);
  const cell = preferred ?? cells[0];
  if (!cell) return { key: "hint.noTile", values: {}, cells: [] };
  if (degree > 1) return { key: kind === "bridge" ? "hint.bridge" : "hint.tile", values: { cell }, cells: [cell] };
  const half = Math.ceil(size / 2);
  const quarter = (name) => columnRow(name).map((coordinate) => coordinate >= half).join();
  return { key: "hint.area", values: {}, cells: rowsOf(size).flat().filter((each) => quarter(each) === quarter(cell)) };
}

/**
 * Returns the next degree. A pass or a swap has no cells, so its second hint is the whole move.
 * @param {string} move
 * @param {number} degree 0 before any hint
 */
export function nextDegree(move, degree) {
  const hasCells = splitMove(move).cells.length > 0;
  return !hasCells && degree > 0 ? WHOLE : degree + 1;
}
