// Names and coordinates of cells and moves. No rules here.

/** Edge length of a cell, in board units. */
export const UNIT = 64;
/** Margin at the left and bottom, for the coordinates. */
export const MARGIN = 34;
/** Margin at the top and right. */
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
 * The centre of a cell, in board units.
 * @param {string} cell
 * @param {number} size cells along each edge
 * @returns {[number, number]}
 */
export function middle(cell, size) {
  const [column, row] = columnRow(cell);
  return [MARGIN + (column + 0.5) * UNIT, PAD + (size - row - 0.5) * UNIT];
}

/** Width and height of the picture of a board. */
export function extent(size) {
  return MARGIN + PAD + size * UNIT;
}

/**
 * Splits a move into its kind and its cells.
 * @param {string} move
 * @returns {{kind: "tiles"|"bridge"|"pass"|"swap", cells: string[]}}
 */
export function parts(move) {
  if (move.includes(",")) return { kind: "tiles", cells: move.split(",") };
  if (move.includes("-")) return { kind: "bridge", cells: move.split("-") };
  return { kind: move === "swap" ? "swap" : "pass", cells: [] };
}

/** Orders two cells as the notation does: by column, then by row. */
export function sorted(a, b) {
  const [x, y] = columnRow(a);
  const [u, v] = columnRow(b);
  return x < u || (x === u && y < v) ? [a, b] : [b, a];
}

export const pair = (a, b) => sorted(a, b).join(",");
export const bridge = (a, b) => sorted(a, b).join("-");

/** The cells under a bridge. */
export function spanned(from, to) {
  const [x, y] = columnRow(from);
  const [u, v] = columnRow(to);
  const [dx, dy] = [Math.abs(u - x), Math.abs(v - y)];
  if (dx !== 1 && dy !== 1) return [cellName((x + u) / 2, (y + v) / 2)];
  if (dx === 1) return [cellName(x, (y + v) / 2), cellName(u, (y + v) / 2)];
  return [cellName((x + u) / 2, y), cellName((x + u) / 2, v)];
}

/** The other player. */
export const other = (player) => (player === "white" ? "red" : "white");
