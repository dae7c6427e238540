// Hints by degrees, for games, puzzles and lessons: first where to look, then where the
// move begins, then the move itself, which the caller shows with its reason.

import { columnRow, parts, rowsOf } from "./geometry.js";

/** The degree that tells the whole move. */
export const WHOLE = 3;

/**
 * What a hint of a degree says of a move and marks on the board.
 * @param {string} move
 * @param {number} degree 1 or 2
 * @param {number} size of the board
 * @param {string} [begins] the cell to tell first; without it, the first one
 * @returns {{key: string, values: {cell?: string}, cells: string[]}}
 */
export function hintAt(move, degree, size, begins) {
  const { kind, cells } = parts(move);
  const cell = begins ?? cells[0];
  if (!cell) return { key: "hint.noTile", values: {}, cells: [] };
  if (degree > 1) return { key: kind === "bridge" ? "hint.bridge" : "hint.tile", values: { cell }, cells: [cell] };
  const half = Math.ceil(size / 2);
  const part = (name) => columnRow(name).map((at) => at >= half).join();
  return { key: "hint.area", values: {}, cells: rowsOf(size).flat().filter((each) => part(each) === part(cell)) };
}

/**
 * The next degree. A pass or a swap has no cells to point at, so its second hint is the whole move.
 * @param {string} move
 * @param {number} degree 0 before any hint
 */
export function nextDegree(move, degree) {
  const hasCells = parts(move).cells.length > 0;
  return !hasCells && degree > 0 ? WHOLE : degree + 1;
}
