// Draws a `Scene` as SVG. Drawing the next scene changes only the nodes that differ. The rules
// page and the home page use it as well. What a scene contains is decided by overlays.js; taps
// are handled by grid.js, which lies over the picture.

import { svgElement as svg } from "./dom.js";
import { COLORS, MARGIN, PAD, UNIT, bridgeName, extent, spanned } from "./geometry.js";
import { bridge, definitions, ring, shore, square, stroke, tile, water } from "./shapes.js";

/** @import { Color } from "./messages.d.ts" */

/**
 * @typedef {object} Scene
 * @property {number} size
 * @property {Record<Color, string[]>} tiles
 * @property {{from: string, to: string, player: Color}[]} bridges
 * @property {{player: Color, cells: string[]}[]} [islands]
 * @property {{cell: string, player: Color}[]} [laid] tiles not yet confirmed
 * @property {string[]} [last] cells of the last move
 * @property {boolean} [isNew] whether the last move just arrived from another player
 * @property {string[]} [targets] cells where the bridge may end
 * @property {string|null} [from] cell where the bridge begins
 * @property {{from: string, to: [number, number], player: Color}|null} [rubber]
 * @property {string[]} [marked] cells named in a message
 * @property {string[]|null} [glow] cells of one network
 *
 * The shapes of a layer: each a key, the function that draws it, and its arguments. A node is
 * redrawn if its arguments differ.
 * @typedef {any[][]} Shapes
 *
 * A layer beside those of the scene: above the water, above the tiles, or above all.
 * @typedef {{name: string, at: "ground"|"middle"|"top", shapes: Shapes}} Layer
 */

/** The layers from the bottom up; those of the overlays lie in `ground`, `middle` and `top`. */
const LAYERS = ["span", "ground", "sand", "glow", "tiles", "laid", "middle", "bridges", "marks", "top", "rubber"];

/** @param {Scene} scene @returns {Record<string, Shapes>} */
function layersOf({ tiles, bridges, islands = [], laid = [], last: lastParts = [], isNew, targets = [], from, rubber, marked = [], glow }) {
  const last = new Set(lastParts);
  const look = (name) => (last.has(name) ? `last ${isNew ? "new" : ""}` : "");
  return {
    span: bridges.flatMap((each) => spanned(each.from, each.to)).map((cell) => [cell, square, cell, 1]),
    sand: islands.map(({ player, cells }) => [cells.join(), shore, cells, player]),
    glow: (glow ?? []).map((cell) => [cell, square, cell, 2]),
    tiles: COLORS.flatMap((player) => tiles[player].map((cell) => [cell, tile, cell, player, look(cell)])),
    laid: laid.map(({ cell, player }) => [cell, tile, cell, player]),
    bridges: bridges.map((each) => {
      const name = bridgeName(each.from, each.to);
      return [name, bridge, each.from, each.to, each.player, look(name)];
    }),
    marks: [
      ...targets.map((cell) => [`to ${cell}`, ring, cell, "target"]),
      ...(from ? [["from", ring, from, "from"]] : []),
      ...marked.map((cell) => [cell, square, cell, 3, "marked"]),
    ],
    rubber: rubber ? [["rubber", stroke, rubber.from, rubber.to, { class: `pull ${rubber.player}` }]] : [],
  };
}

let boards = 0;

/**
 * @param {SVGSVGElement} root
 */
export function createBoard(root) {
  const id = `board${boards++}`;
  /** @type {Record<string, {group: SVGElement, nodes: Map<string, {node: Element, form: string}>}>} */
  let layers = {};
  let size = 0;

  function begin(newSize) {
    size = newSize;
    const all = extent(size);
    root.setAttribute("viewBox", `${-MARGIN} ${-PAD - size * UNIT} ${all} ${all}`);
    root.classList.add("board");
    layers = {};
    root.replaceChildren(definitions(id, size), ...water(id, size));
    for (const name of LAYERS) add(name, root);
  }

  function add(name, parent) {
    const group = svg("g", { class: name });
    parent.append(group);
    layers[name] = { group, nodes: new Map() };
  }

  /** @param {Shapes} shapes */
  function lay(name, shapes) {
    const { group, nodes } = layers[name];
    const shapesByKey = new Map(shapes.map(([key, shape, ...values]) => [key, { shape, values }]));
    for (const [key, { node }] of nodes) {
      if (shapesByKey.has(key)) continue;
      node.remove();
      nodes.delete(key);
    }
    for (const [key, { shape, values }] of shapesByKey) {
      const [drawnNode, form] = [nodes.get(key), JSON.stringify(values)];
      if (drawnNode?.form === form) continue;
      const node = shape(...values);
      if (drawnNode) drawnNode.node.replaceWith(node);
      else group.append(node);
      nodes.set(key, { node, form });
    }
  }

  /** @param {Scene} scene @param {Layer[]} others */
  function draw(scene, others = []) {
    if (scene.size !== size) begin(scene.size);
    for (const [name, shapes] of Object.entries(layersOf(scene))) lay(name, shapes);
    for (const { name, at, shapes } of others) {
      if (!layers[name]) add(name, layers[at].group);
      lay(name, shapes);
    }
  }

  return { draw, root };
}
