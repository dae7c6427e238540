// The shapes on a board: each function returns one node, in the units of geometry.js. Which
// shapes a board has is decided in board.js and overlays.js; their colours are in board.css.

import { svgElement as svg } from "./dom.js";
import { MARGIN, PAD, UNIT, bridgeName, cellName, centerOf, columnRow } from "./geometry.js";

/** Creates gradient and pattern of the water. @param {string} id of the board: ids are unique in a page @param {number} size */
export function definitions(id, size) {
  return svg("defs", {},
    svg("linearGradient", { id: `${id}-water`, x1: 0, y1: 0, x2: 0.6, y2: 1 },
      svg("stop", { class: "water-top", offset: 0 }),
      svg("stop", { class: "water-bottom", offset: 1 })),
    // The waves start at the upper left corner of the picture.
    svg("pattern", { id: `${id}-waves`, x: -MARGIN, y: -PAD - size * UNIT, width: 96, height: 48, patternUnits: "userSpaceOnUse" },
      svg("path", { class: "wave", d: "M6 14q8-6 16 0t16 0M54 38q8-6 16 0t16 0" })));
}

/** Creates the empty board: water, lines and coordinates. @param {string} id @param {number} size @returns {SVGElement[]} */
export function water(id, size) {
  const edge = size * UNIT;
  let lines = "";
  for (let n = 1; n < size; n++) lines += `M${n * UNIT} ${-edge}v${edge}M0 ${-n * UNIT}h${edge}`;
  const box = { x: 0, y: -edge, width: edge, height: edge, rx: 10 };
  const nodes = [
    svg("rect", { class: "rim", x: -5, y: -edge - 5, width: edge + 10, height: edge + 10, rx: 14 }),
    svg("rect", { ...box, fill: `url(#${id}-water)` }),
    svg("rect", { ...box, fill: `url(#${id}-waves)` }),
    svg("path", { class: "grid", d: lines }),
  ];
  for (let n = 0; n < size; n++) {
    nodes.push(
      svg("text", { class: "coordinate", x: (n + 0.5) * UNIT, y: 27, text: String.fromCharCode(97 + n) }),
      svg("text", { class: "coordinate", x: -MARGIN / 2 - 3, y: 7 - (n + 0.5) * UNIT, text: String(n + 1) }));
  }
  return nodes;
}

/**
 * Creates a square that leaves a margin of `inset` in its cell.
 * @param {string} cell
 * @param {number} inset
 * @param {string} [name] its class
 */
export function square(cell, inset, name) {
  const [x, y] = centerOf(cell);
  const edge = UNIT - 2 * inset;
  return svg("rect", { class: name, x: x - edge / 2, y: y - edge / 2, width: edge, height: edge, rx: 8 });
}

/** Creates a circle around a tile. @param {string} cell @param {string} name its class */
export function ring(cell, name) {
  const [cx, cy] = centerOf(cell);
  return svg("circle", { class: name, cx, cy, r: 27 });
}

/** Creates a line from a cell to a cell or a point. @param {string} from @param {string|[number, number]} to @param {object} attributes */
export function stroke(from, to, attributes) {
  const [[x1, y1], [x2, y2]] = [centerOf(from), typeof to === "string" ? centerOf(to) : to];
  return svg("line", { x1, y1, x2, y2, ...attributes });
}

/** Returns the point halfway between two cells. @param {string} from @param {string} to @returns {[number, number]} */
export function between(from, to) {
  const [[x1, y1], [x2, y2]] = [centerOf(from), centerOf(to)];
  return [(x1 + x2) / 2, (y1 + y2) / 2];
}

/**
 * Creates a tile: a block with a front edge. Red tiles have an inner ring, so that nobody has
 * to tell the colours apart.
 * @param {string} cell
 * @param {string} player
 * @param {string} [look] classes: `last`, and `new`
 */
export function tile(cell, player, look = "") {
  const [x, y] = centerOf(cell);
  const node = svg("g", { class: `tile ${player} ${look}` },
    svg("rect", { class: "cast", x: x - 23, y: y - 18, width: 48, height: 46, rx: 9 }),
    svg("rect", { class: "edge", x: x - 24, y: y - 21, width: 48, height: 46, rx: 9 }),
    svg("rect", { class: "face", x: x - 24, y: y - 25, width: 48, height: 46, rx: 9 }));
  if (player === "red") node.append(svg("rect", { class: "ring", x: x - 16, y: y - 17, width: 32, height: 30, rx: 6 }));
  if (look) node.append(svg("circle", { class: "last", cx: x, cy: y - 2, r: 6 }));
  return node;
}

/** Creates the ground of an island: its cells merged, with a shore. @param {string[]} cells @param {string} player */
export function shore(cells, player) {
  const islandCells = new Set(cells);
  const node = svg("g", { class: `island ${player}` });
  for (const [name, half] of /** @type {[string, number][]} */ ([["foam", 32], ["beach", 29]])) {
    for (const cell of cells) {
      const [x, y] = centerOf(cell);
      node.append(svg("rect", { class: name, x: x - half, y: y - half, width: 2 * half, height: 2 * half, rx: 15 }));
      const [column, row] = columnRow(cell);
      const [right, above] = [islandCells.has(cellName(column + 1, row)), islandCells.has(cellName(column, row + 1))];
      if (right) node.append(svg("rect", { class: name, x, y: y - half, width: UNIT, height: 2 * half }));
      if (above) node.append(svg("rect", { class: name, x: x - half, y: y - UNIT, width: 2 * half, height: UNIT }));
      // Fills the middle of a 2×2 block.
      if (right && above && islandCells.has(cellName(column + 1, row + 1))) {
        node.append(svg("rect", { class: name, x, y: y - UNIT, width: UNIT, height: UNIT }));
      }
    }
  }
  return node;
}

/** How far the middle of a bridge rises above the straight line. */
const RISE = 11;
/** Half a bridge's width at its ends and in the middle. */
const END_HALF_WIDTH = 7;
const MIDDLE_HALF_WIDTH = 9;

/**
 * Creates a bridge, seen from above and slightly from the front: an arched deck with rails,
 * planks, posts on its two tiles and a shadow on the water.
 * @param {string} from
 * @param {string} to
 * @param {string} player
 * @param {string} [look] as of a tile
 */
export function bridge(from, to, player, look = "") {
  const [[x1, y1], [x2, y2]] = [from, to].map((cell) => centerOf(cell)).map(([x, y]) => [x, y - 3]);
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [nx, ny] = [-(y2 - y1) / length, (x2 - x1) / length];
  const top = [(x1 + x2) / 2, (y1 + y2) / 2 - RISE];

  /** Returns the point at `t` (0 to 1) of the arch, and half the deck's width there. */
  const pointAt = (t) => {
    const u = 1 - t;
    const bow = 4 * t * u;
    return {
      x: u * u * x1 + 2 * t * u * (2 * top[0] - (x1 + x2) / 2) + t * t * x2,
      y: u * u * y1 + 2 * t * u * (2 * top[1] - (y1 + y2) / 2) + t * t * y2,
      half: END_HALF_WIDTH + (MIDDLE_HALF_WIDTH - END_HALF_WIDTH) * bow,
    };
  };
  const side = (sign, isReversed) => {
    const points = [];
    for (let n = 0; n <= 12; n++) {
      const { x, y, half } = pointAt((isReversed ? 12 - n : n) / 12);
      points.push(`${(x + sign * nx * half).toFixed(1)} ${(y + sign * ny * half).toFixed(1)}`);
    }
    return points.join("L");
  };
  let planks = "";
  const count = Math.round(length / 10);
  for (let n = 1; n < count; n++) {
    const { x, y, half } = pointAt(n / count);
    const reach = half - 2.5;
    const [left, right] = [-reach, reach].map((shift) => `${(x + nx * shift).toFixed(1)} ${(y + ny * shift).toFixed(1)}`);
    planks += `M${left}L${right}`;
  }
  const shadow = `M${x1} ${y1 + 6}Q${(x1 + x2) / 2 + 6} ${(y1 + y2) / 2 + 22} ${x2} ${y2 + 6}`;
  return svg("g", { class: `bridge ${player} ${look}`, "data-bridge": bridgeName(from, to) },
    svg("path", { class: "cast", d: shadow }),
    svg("path", { class: "deck", d: `M${side(1, false)}L${side(-1, true)}Z` }),
    svg("path", { class: "planks", d: planks }),
    svg("path", { class: "rail", d: `M${side(1, false)}M${side(-1, false)}` }),
    ...[[x1, y1], [x2, y2]].map(([cx, cy]) => svg("circle", { class: "post", cx, cy, r: 8.5 })));
}
