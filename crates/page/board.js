// Draws a `Scene` as SVG. Drawing the next scene changes only the nodes that
// differ. The rules page uses it as well.

import { drawing as svg, setAttributes, setText } from "./dom.js";
import { MARGIN, PAD, UNIT, bridge as bridgeName, cellName, extent, middle, other, parts, spanned } from "./geometry.js";
import { bridgeParts } from "./bridge.js";

/**
 * @typedef {object} Scene
 * @property {number} size
 * @property {{white: string[], red: string[]}} tiles
 * @property {{from: string, to: string, player: string}[]} bridges
 * @property {{player: string, cells: string[]}[]} [islands]
 * @property {{cell: string, player: string}[]} [laid] tiles not yet confirmed
 * @property {string[]} [last] cells of the last move
 * @property {boolean} [moved] whether the last move just came, from another player
 * @property {string[]} [targets] cells where the bridge may end
 * @property {string|null} [from] cell where the bridge begins
 * @property {{from: string, to: [number, number], player: string}|null} [rubber]
 * @property {string[]} [marked] cells named in a message
 * @property {string[]} [glow] cells of one network
 * @property {{white: Set<string>, red: Set<string>}|null} [usable]
 * @property {object[]} [heat] candidates, best first
 * @property {string|null} [best] the candidate to highlight: looked at, or under the pointer
 * @property {object|null} [ownership]
 * @property {{move: string, player: string, number: number}[]} [line]
 */

/** Ownership is drawn if the owner's share exceeds the other player's by this. */
const LEAST = 0.06;

let boards = 0;

const LAYERS = [
  "ground", "span", "unusable", "sand", "glow", "tiles", "laid", "owner", "ways",
  "bridges", "marks", "links", "heat", "line", "rubber",
];

/**
 * @param {SVGSVGElement} root
 */
export function createBoard(root) {
  const id = `board${boards++}`;
  /** @type {Record<string, {group: SVGGElement, nodes: Map<string, {node: Element, form: string}>}>} */
  let layers = {};
  let size = 0;

  function begin(newSize) {
    size = newSize;
    const all = extent(size);
    root.setAttribute("viewBox", `0 0 ${all} ${all}`);
    root.classList.add("board");
    layers = {};
    const groups = LAYERS.map((name) => {
      const group = svg("g", { class: name });
      layers[name] = { group, nodes: new Map() };
      return group;
    });
    root.replaceChildren(definitions(id), ...water(id, size), ...groups);
  }

  /** Updates a layer to `wanted`: key → [form, draw function]. */
  function lay(name, wanted) {
    const { group, nodes } = layers[name];
    for (const [key, { node }] of nodes) {
      if (wanted.has(key)) continue;
      node.remove();
      nodes.delete(key);
    }
    for (const [key, [form, make]] of wanted) {
      const old = nodes.get(key);
      if (old?.form === form) continue;
      const node = make();
      if (old) old.node.replaceWith(node);
      else group.append(node);
      nodes.set(key, { node, form });
    }
  }

  /** @param {Scene} scene */
  function draw(scene) {
    if (scene.size !== size) begin(scene.size);
    const last = new Set(scene.last ?? []);

    const span = new Map();
    for (const { from, to } of scene.bridges) {
      for (const cell of spanned(from, to)) span.set(cell, ["", () => square(cell, size, 1, "")]);
    }
    lay("span", span);

    const sand = new Map();
    for (const island of scene.islands ?? []) {
      sand.set(island.cells.join(), [island.player, () => shore(island, size)]);
    }
    lay("sand", sand);

    const tiles = new Map();
    for (const player of ["white", "red"]) {
      for (const cell of scene.tiles[player]) {
        const isNew = scene.moved && last.has(cell);
        tiles.set(cell, [`${player}${last.has(cell)}${isNew}`, () => tile(cell, player, size, last.has(cell), isNew)]);
      }
    }
    lay("tiles", tiles);

    const laid = new Map();
    for (const { cell, player } of scene.laid ?? []) {
      laid.set(cell, [player, () => tile(cell, player, size, false)]);
    }
    lay("laid", laid);

    const bridges = new Map();
    for (const { from, to, player } of scene.bridges) {
      const name = bridgeName(from, to);
      const isLast = last.has(name);
      const isNew = Boolean(scene.moved) && isLast;
      bridges.set(name, [`${player}${isLast}${isNew}`, () => bridge(from, to, player, size, isLast, isNew)]);
    }
    lay("bridges", bridges);

    lay("glow", map(scene.glow, (cell) => square(cell, size, 2, "")));
    lay("unusable", unusable(scene));
    lay("marks", marks(scene));
    lay("rubber", rubber(scene));
    lay("line", line(scene));
    heat(scene.heat ?? [], scene.best);
    owners(scene);
  }

  function map(cells, make) {
    return new Map((cells ?? []).map((cell) => [cell, ["", () => make(cell)]]));
  }

  function unusable({ usable, tiles, bridges }) {
    const wanted = new Map();
    if (!usable) return wanted;
    const taken = new Set([...tiles.white, ...tiles.red, ...bridges.flatMap((b) => spanned(b.from, b.to))]);
    for (let column = 0; column < size; column++) {
      for (let row = 0; row < size; row++) {
        const cell = cellName(column, row);
        if (taken.has(cell)) continue;
        const form = `${usable.white.has(cell) ? "" : "w"}${usable.red.has(cell) ? "" : "r"}`;
        if (form) wanted.set(cell, [form, () => closed(cell, form, size)]);
      }
    }
    return wanted;
  }

  function marks(scene) {
    const wanted = new Map();
    for (const cell of scene.targets ?? []) {
      wanted.set(`t${cell}`, ["", () => ring(cell, size, "target")]);
    }
    if (scene.from) wanted.set("from", [scene.from, () => ring(scene.from, size, "from")]);
    for (const cell of scene.marked ?? []) {
      wanted.set(`m${cell}`, ["", () => square(cell, size, 3, "marked")]);
    }
    return wanted;
  }

  function rubber({ rubber: pulled }) {
    const wanted = new Map();
    if (!pulled) return wanted;
    const [x, y] = middle(pulled.from, size);
    const form = pulled.to.map((n) => n.toFixed(1)).join();
    wanted.set("rubber", [form, () => svg("line", {
      class: `pull ${pulled.player}`, x1: x, y1: y, x2: pulled.to[0], y2: pulled.to[1],
    })]);
    return wanted;
  }

  function line(scene) {
    const wanted = new Map();
    const moves = scene.line ?? [];
    // A single move needs no number.
    const step = (node, name, x, y, number) => moves.length > 1 && node.append(svg("text", { class: `step ${name}`, x, y, text: number }));
    for (const { move, player, number } of moves) {
      const { kind, cells } = parts(move);
      const form = `${move}${player}${number}${moves.length > 1}`;
      if (kind === "bridge") {
        wanted.set(`${number}`, [form, () => {
          const node = bridge(cells[0], cells[1], player, size, false);
          const [x, y] = between(cells, size);
          step(node, "bridged", x, y + 7, number);
          return node;
        }]);
      }
      if (kind === "tiles") {
        for (const cell of cells) {
          wanted.set(`${number}${cell}`, [form, () => {
            const node = tile(cell, player, size, false);
            const [x, y] = middle(cell, size);
            step(node, player, x, y + 8, number);
            return node;
          }]);
        }
      }
    }
    return wanted;
  }

  /** Draws the candidates. They change often, so their nodes are reused. */
  function heat(candidates, best) {
    const spots = new Map();
    const links = new Map();
    for (const candidate of candidates) {
      const { kind, cells } = parts(candidate.move);
      if (!cells.length) continue;
      links.set(candidate.move, { candidate, cells, kind });
      const places = kind === "bridge" ? [candidate.move] : cells;
      for (const place of places) if (!spots.has(place)) spots.set(place, candidate);
    }
    pool("links", links, () => svg("line"), (node, { candidate, cells, kind }) => {
      const [[x1, y1], [x2, y2]] = cells.map((cell) => middle(cell, size));
      const looked = candidate.move === best;
      setAttributes(node, {
        x1, y1, x2, y2,
        class: `link ${kind} ${looked ? "looked" : ""}`,
      });
    });
    pool("heat", spots, newSpot, (node, candidate, place) => {
      const [x, y] = place.includes("-") ? between(place.split("-"), size) : middle(place, size);
      setAttributes(node, {
        class: `spot ${candidate.rank === 0 ? "first" : ""} ${candidate.move === best ? "looked" : ""}`,
        transform: `translate(${x} ${y})`,
        "data-candidate": candidate.move,
      });
      const [disc, rate, lead, badge, rank] = node.children;
      setAttributes(disc, { r: (21 + 5 * Math.min(1, candidate.weight)).toFixed(1) });
      setText(rate, candidate.rate);
      setText(lead, candidate.lead);
      setText(rank, String(candidate.rank + 1));
      setAttributes(badge, { r: candidate.rank > 8 ? 12 : 10 });
    });
  }

  function pool(name, wanted, make, change) {
    const { group, nodes } = layers[name];
    for (const [key, entry] of nodes) {
      if (wanted.has(key)) continue;
      entry.node.remove();
      nodes.delete(key);
    }
    for (const [key, value] of wanted) {
      let entry = nodes.get(key);
      if (!entry) {
        entry = { node: make(), form: "" };
        nodes.set(key, entry);
        group.append(entry.node);
      }
      change(entry.node, value, key);
    }
  }

  /** Draws ownership: squares that grow with the probability. */
  function owners({ ownership, tiles, bridges, heat: candidates = [] }) {
    const wanted = new Map();
    const aside = new Set(candidates.flatMap((candidate) => parts(candidate.move).cells));
    const taken = new Set([...tiles.white, ...tiles.red]);
    if (ownership) {
      for (const player of ["white", "red"]) {
        for (const [cell, share] of Object.entries(ownership[player] ?? {})) {
          const rival = ownership[other(player)]?.[cell] ?? 0;
          if (share - rival > LEAST && !taken.has(cell)) wanted.set(cell, { player, share });
        }
      }
    }
    pool("owner", wanted, () => svg("rect"), (node, { player, share }, cell) => {
      // The disc of a candidate leaves room only in the corner.
      const shift = aside.has(cell) ? 22 : 0;
      const [x, y] = middle(cell, size).map((at) => at + shift);
      const edge = shift ? 6 + 11 * share : 8 + 24 * share;
      setAttributes(node, {
        class: `share ${player}`,
        x: (x - edge / 2).toFixed(1), y: (y - edge / 2).toFixed(1),
        width: edge.toFixed(1), height: edge.toFixed(1), rx: 3,
        "fill-opacity": (0.35 + 0.6 * share).toFixed(2),
      });
    });
    const built = new Set(bridges.map(({ from, to }) => bridgeName(from, to)));
    const ways = new Map();
    for (const way of ownership?.bridges ?? []) {
      const share = Math.max(way.white, way.red);
      if (share > 0.15 && !built.has(way.bridge)) ways.set(way.bridge, { share, player: way.white >= way.red ? "white" : "red" });
    }
    pool("ways", ways, () => svg("line"), (node, { player, share }, name) => {
      const [[x1, y1], [x2, y2]] = name.split("-").map((cell) => middle(cell, size));
      setAttributes(node, { class: `way ${player}`, x1, y1, x2, y2, "stroke-opacity": (0.2 + 0.7 * share).toFixed(2) });
    });
  }

  return { draw, root };
}

function definitions(id) {
  return svg("defs", {},
    svg("linearGradient", { id: `${id}-water`, x1: 0, y1: 0, x2: 0.6, y2: 1 },
      svg("stop", { class: "water-top", offset: 0 }),
      svg("stop", { class: "water-bottom", offset: 1 })),
    svg("pattern", { id: `${id}-waves`, width: 96, height: 48, patternUnits: "userSpaceOnUse" },
      svg("path", { class: "wave", d: "M6 14q8-6 16 0t16 0M54 38q8-6 16 0t16 0" })));
}

function water(id, size) {
  const edge = size * UNIT;
  let lines = "";
  for (let n = 1; n < size; n++) lines += `M${MARGIN + n * UNIT} ${PAD}v${edge}M${MARGIN} ${PAD + n * UNIT}h${edge}`;
  const box = { x: MARGIN, y: PAD, width: edge, height: edge, rx: 10 };
  const nodes = [
    svg("rect", { class: "rim", x: MARGIN - 5, y: PAD - 5, width: edge + 10, height: edge + 10, rx: 14 }),
    svg("rect", { ...box, fill: `url(#${id}-water)` }),
    svg("rect", { ...box, fill: `url(#${id}-waves)` }),
    svg("path", { class: "grid", d: lines }),
  ];
  for (let n = 0; n < size; n++) {
    nodes.push(
      svg("text", { class: "coordinate", x: MARGIN + (n + 0.5) * UNIT, y: PAD + edge + 27, text: String.fromCharCode(97 + n) }),
      svg("text", { class: "coordinate", x: MARGIN / 2 - 3, y: PAD + (size - n - 0.5) * UNIT + 7, text: String(n + 1) }));
  }
  return nodes;
}

function square(cell, size, inset, name) {
  const [x, y] = middle(cell, size);
  const edge = UNIT - 2 * inset;
  return svg("rect", { class: name || null, x: x - edge / 2, y: y - edge / 2, width: edge, height: edge, rx: 8 });
}

function ring(cell, size, name) {
  const [cx, cy] = middle(cell, size);
  return svg("circle", { class: name, cx, cy, r: 27 });
}

/** A tile: a block with a front edge; red tiles have an inner ring. */
function tile(cell, player, size, last, isNew = false) {
  const [x, y] = middle(cell, size);
  const node = svg("g", { class: `tile ${player} ${isNew ? "new" : ""}` },
    svg("rect", { class: "cast", x: x - 23, y: y - 18, width: 48, height: 46, rx: 9 }),
    svg("rect", { class: "edge", x: x - 24, y: y - 21, width: 48, height: 46, rx: 9 }),
    svg("rect", { class: "face", x: x - 24, y: y - 25, width: 48, height: 46, rx: 9 }));
  if (player === "red") node.append(svg("rect", { class: "ring", x: x - 16, y: y - 17, width: 32, height: 30, rx: 6 }));
  if (last) node.append(svg("circle", { class: "last", cx: x, cy: y - 2, r: 6 }));
  return node;
}

/** The ground of an island: its cells merged, with a shore. */
function shore({ player, cells }, size) {
  const own = new Set(cells);
  const node = svg("g", { class: `island ${player}` });
  for (const [name, half] of [["foam", 32], ["beach", 29]]) {
    for (const cell of cells) {
      const [x, y] = middle(cell, size);
      node.append(svg("rect", { class: name, x: x - half, y: y - half, width: 2 * half, height: 2 * half, rx: 15 }));
      const [column, row] = [cell.charCodeAt(0) - 97, Number(cell.slice(1)) - 1];
      const [right, above] = [own.has(cellName(column + 1, row)), own.has(cellName(column, row + 1))];
      if (right) node.append(svg("rect", { class: name, x, y: y - half, width: UNIT, height: 2 * half }));
      if (above) node.append(svg("rect", { class: name, x: x - half, y: y - UNIT, width: 2 * half, height: UNIT }));
      // Fills the middle of a 2×2 block.
      if (right && above && own.has(cellName(column + 1, row + 1))) node.append(svg("rect", { class: name, x, y: y - UNIT, width: UNIT, height: UNIT }));
    }
  }
  return node;
}

function bridge(from, to, player, size, last, isNew = false) {
  const name = bridgeName(from, to);
  return svg("g", { class: `bridge ${player} ${last ? "last" : ""} ${isNew ? "new" : ""}`, "data-bridge": name },
    ...bridgeParts(middle(from, size), middle(to, size)));
}

function between([a, b], size) {
  const [[x1, y1], [x2, y2]] = [middle(a, size), middle(b, size)];
  return [(x1 + x2) / 2, (y1 + y2) / 2];
}

/** A cell closed for White (`w`), for Red (`r`) or for both. */
function closed(cell, form, size) {
  const [x, y] = middle(cell, size);
  const node = svg("g", { class: `closed ${form}` });
  if (form === "wr") node.append(svg("rect", { class: "shade", x: x - 31, y: y - 31, width: 62, height: 62, rx: 6 }));
  const spots = form === "wr" ? [["white", -12], ["red", 12]] : [[form === "w" ? "white" : "red", 0]];
  for (const [player, dx] of spots) {
    node.append(
      svg("rect", { class: `no ${player}`, x: x + dx - 8, y: y - 8, width: 16, height: 16, rx: 3 }),
      svg("path", { class: "bar", d: `M${x + dx - 10} ${y + 10}l20-20` }));
  }
  return node;
}

function newSpot() {
  return svg("g", {},
    svg("circle", { class: "disc", r: 25 }),
    svg("text", { class: "rate", y: 3 }),
    svg("text", { class: "lead", y: 18 }),
    svg("circle", { class: "badge", cx: -20, cy: -19, r: 10 }),
    svg("text", { class: "rank", x: -20, y: -14 }));
}
