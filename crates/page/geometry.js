// Names and coordinates of cells and moves, positions as text, and the two players. The host
// knows what is legal; only islands, groups of four, are found here. Also the unit and the
// margins of the board's picture; how things are drawn is in shapes.js.

/** Edge length of a cell, in board units. */
export const UNIT = 64;
/** Margin at the left and bottom, for the coordinates. */
export const MARGIN = 34;
/** Margin at the top and right. */
export const PAD = 12;

/**
 * Returns the name of a cell: `d4` for column 3, row 3.
 * @param {number} column counted from 0
 * @param {number} row counted from 0 at the bottom
 */
export function cellName(column, row) {
  return String.fromCharCode(97 + column) + (row + 1);
}

/**
 * Returns the column and row of a cell, both counted from 0.
 * @param {string} cell
 * @returns {[number, number]}
 */
export function columnRow(cell) {
  return [cell.charCodeAt(0) - 97, Number(cell.slice(1)) - 1];
}

/**
 * Returns the centre of a cell, in board units. The origin is the lower left corner of cell a1,
 * so the result does not depend on the board's size.
 * @param {string} cell
 * @returns {[number, number]}
 */
export function centerOf(cell) {
  const [column, row] = columnRow(cell);
  return [(column + 0.5) * UNIT, -(row + 0.5) * UNIT];
}

/** Returns the width and height of a board's picture, in board units. @param {number} size */
export function extent(size) {
  return MARGIN + PAD + size * UNIT;
}

/** Returns all cells of a board, row by row from the top. @param {number} size @returns {string[][]} */
export function rowsOf(size) {
  return Array.from({ length: size }, (_, n) => Array.from({ length: size }, (_, column) => cellName(column, size - 1 - n)));
}

/**
 * Splits a move into its kind and its cells.
 * @param {string} move
 * @returns {{kind: "tiles"|"bridge"|"pass"|"swap", cells: string[]}}
 */
export function splitMove(move) {
  if (move.includes(",")) return { kind: "tiles", cells: move.split(",") };
  if (move.includes("-")) return { kind: "bridge", cells: move.split("-") };
  return { kind: move === "swap" ? "swap" : "pass", cells: [] };
}

/**
 * Orders two cells as the notation does: by column, then by row.
 * @param {string} a
 * @param {string} b
 * @returns {[string, string]}
 */
export function sorted(a, b) {
  const [x, y] = columnRow(a);
  const [u, v] = columnRow(b);
  return x < u || (x === u && y < v) ? [a, b] : [b, a];
}

/** Returns the move of two tiles: `d4,e6`. @param {string} a @param {string} b */
export const pairName = (a, b) => sorted(a, b).join(",");
/** Returns the bridge between two cells: `d4-f4`. @param {string} a @param {string} b */
export const bridgeName = (a, b) => sorted(a, b).join("-");

/** Returns the cells under a bridge: two for a knight's move, otherwise one. @param {string} from @param {string} to @returns {string[]} */
export function spanned(from, to) {
  const [x, y] = columnRow(from);
  const [u, v] = columnRow(to);
  const [dx, dy] = [Math.abs(u - x), Math.abs(v - y)];
  if (dx !== 1 && dy !== 1) return [cellName((x + u) / 2, (y + v) / 2)];
  if (dx === 1) return [cellName(x, (y + v) / 2), cellName(u, (y + v) / 2)];
  return [cellName((x + u) / 2, y), cellName((x + u) / 2, v)];
}

/**
 * Returns the cells where a legal bridge from `cell` ends.
 * @param {{legal: {bridges: string[]}}} position
 * @param {string} cell
 * @returns {string[]}
 */
export function bridgeEnds(position, cell) {
  return position.legal.bridges
    .map((name) => name.split("-")).filter((ends) => ends.includes(cell))
    .map(([from, to]) => (from === cell ? to : from));
}

/**
 * Reads the tiles, bridges and islands of a position text.
 * @param {string} text
 * @returns {import("./board.js").Scene}
 */
export function readPosition(text) {
  const [board, , spans = "-"] = text.split(" ");
  const rows = board.split("/");
  /** @type {Map<string, import("./messages.d.ts").Color>} */
  const tiles = new Map();
  rows.forEach((row, n) => {
    const cells = row.replace(/\d+/g, (count) => " ".repeat(Number(count)));
    [...cells].forEach((letter, column) =>
      letter !== " " && tiles.set(cellName(column, rows.length - 1 - n), letter === "w" ? "white" : "red"));
  });
  const groups = [];
  const visited = new Set();
  const spread = (cell, group) => {
    visited.add(cell);
    group.push(cell);
    const [column, row] = columnRow(cell);
    for (const [x, y] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
      const next = cellName(column + x, row + y);
      if (tiles.get(next) === tiles.get(cell) && !visited.has(next)) spread(next, group);
    }
    return group;
  };
  for (const cell of tiles.keys()) if (!visited.has(cell)) groups.push(spread(cell, []));
  const tilesOf = (player) => [...tiles.keys()].filter((cell) => tiles.get(cell) === player);
  return {
    size: rows.length,
    tiles: { white: tilesOf("white"), red: tilesOf("red") },
    islands: groups.filter((cells) => cells.length === 4).map((cells) => ({ player: tiles.get(cells[0]), cells })),
    bridges: (spans === "-" ? [] : spans.split(",")).map((name) => name.split("-"))
      .map(([from, to]) => ({ from, to, player: tiles.get(from) })),
  };
}

/** Both players. @type {import("./messages.d.ts").Color[]} */
export const COLORS = ["white", "red"];

/** Returns the other player. @param {import("./messages.d.ts").Color} player */
export const opponentOf = (player) => (player === "white" ? "red" : "white");
