// Cells, moves and where they are drawn. Nothing here knows the rules.

/** Edge of a cell in the board's own units. */
export const UNIT = 64;
/** Room for the coordinates at the left and at the bottom. */
export const MARGIN = 34;
/** Room at the top and at the right. */
export const PAD = 12;

/**
 * The name of a cell: `d4` for column 3, row 3.
 * @param {number} column counted from 0
 * @param {number} row counted from 0 at the bottom
 */
export function cellName(column, row) {
  return String.fromCharCode(97 + column) + (row + 1);
}

/**
 * Column and row of a cell, both counted from 0.
 * @param {string} cell
 * @returns {[number, number]}
 */
export function columnRow(cell) {
  return [cell.charCodeAt(0) - 97, Number(cell.slice(1)) - 1];
}

/**
 * The middle of a cell in the board's units.
 * @param {string} cell
 * @param {number} size cells to an edge
 * @returns {[number, number]}
 */
export function middle(cell, size) {
  const [column, row] = columnRow(cell);
  return [MARGIN + (column + 0.5) * UNIT, PAD + (size - row - 0.5) * UNIT];
}

/** Width and height of a board's picture. */
export function extent(size) {
  return MARGIN + PAD + size * UNIT;
}

/**
 * A move taken apart: `tiles`, `bridge`, `pass` or `swap`, with its cells.
 * @param {string} move
 * @returns {{kind: "tiles"|"bridge"|"pass"|"swap", cells: string[]}}
 */
export function parts(move) {
  if (move.includes(",")) return { kind: "tiles", cells: move.split(",") };
  if (move.includes("-")) return { kind: "bridge", cells: move.split("-") };
  return { kind: move === "swap" ? "swap" : "pass", cells: [] };
}

/** The two cells in the order of the notation: by column, then by row. */
export function sorted(a, b) {
  const [x, y] = columnRow(a);
  const [u, v] = columnRow(b);
  return x < u || (x === u && y < v) ? [a, b] : [b, a];
}

export const pair = (a, b) => sorted(a, b).join(",");
export const bridge = (a, b) => sorted(a, b).join("-");

/** The cells a bridge runs over, to shade them. */
export function spanned(from, to) {
  const [x, y] = columnRow(from);
  const [u, v] = columnRow(to);
  const [dx, dy] = [Math.abs(u - x), Math.abs(v - y)];
  if (dx !== 1 && dy !== 1) return [cellName((x + u) / 2, (y + v) / 2)];
  if (dx === 1) return [cellName(x, (y + v) / 2), cellName(u, (y + v) / 2)];
  return [cellName((x + u) / 2, y), cellName((x + u) / 2, v)];
}

/** `"white"` of `"red"` and the other way round. */
export const other = (player) => (player === "white" ? "red" : "white");
