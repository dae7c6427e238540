// What the board shows: the scene, and the overlays on it. A new overlay needs an entry in the
// table below, and its texts; its switch, its key and its line in the table of keys follow from
// that. How a scene becomes a picture is in board.js and shapes.js.

import { candidatesOf, lineOf } from "./analysis.js";
import { byId, element, setPressed, show, svgElement as svg } from "./dom.js";
import { isRemote } from "./friend.js";
import { COLORS, bridgeEnds, bridgeName, centerOf, opponentOf, rowsOf, spanned, splitMove } from "./geometry.js";
import { between, bridge, stroke, tile } from "./shapes.js";

/** @import { Layer, Scene, Shapes } from "./board.js" */
/** @import { State, Store } from "./store.js" */

/**
 * @typedef {object} Overlay
 * @property {string} [key] its switch is `#KEY-toggle`; an overlay without a key is always on
 * @property {string} [label] the text of its switch
 * @property {string} [tooltip] the text of its tooltip
 * @property {string} [shortcut] the key that switches it, explained by the text `help`
 * @property {string} [help]
 * @property {boolean} [analysed] whether it shows results of an analysis
 * @property {(state: State, isOn: boolean) => Layer[]} draw
 */

/** The largest number of candidates on the board. */
const MAX_CANDIDATES = 5;
/** An owner is drawn if its probability exceeds the other player's by this. */
const MIN_OWNER_MARGIN = 0.06;
/** Future bridges are drawn from this probability on. */
const MIN_BRIDGE_PROBABILITY = 0.15;

/** @type {Overlay[]} */
export const OVERLAYS = [
  { key: "analysis", label: "analyze", shortcut: "a", help: "keyAnalysis", analysed: true, draw: drawCandidates },
  {
    key: "ownership", label: "ownership", tooltip: "ownershipTooltip", shortcut: "o", help: "keyOwnership",
    analysed: true, draw: drawOwnership,
  },
  { key: "unusable", label: "closedCells", tooltip: "closedCellsTooltip", shortcut: "x", help: "keyClosedCells", draw: drawClosed },
  { draw: drawLine },
];

/** The overlays that are on at first: an analysis shows its moves. */
export const FIRST_OVERLAYS = { analysis: true };

/**
 * Whether an overlay is shown: switched on and, for results of an analysis, while one runs.
 * @param {State} state
 * @param {Overlay} overlay
 */
const isOn = ({ game, overlays }, { key, analysed }) => Boolean(overlays?.[key] && (!analysed || game?.analysis));

/** Creates the switches of the overlays. @param {import("./main.js").Page} page */
export function createOverlays({ store, view, ask }) {
  /** The last game against a level in which the user confirmed an analysis. */
  let confirmedGame = "";
  /** Whether an analysis may start. In a running game against a level, asks the user once. */
  async function mayAnalyse() {
    const { session, game, live, level, players, end, tree } = store.state.game;
    const key = `${session} ${game}`;
    const who = Object.values(players);
    const isContest = live && !end && tree.length > 1 && typeof level?.level === "number"
      && who.includes("human") && who.some((each) => each !== "human");
    if (isContest && confirmedGame !== key && !(await ask("confirmAnalysis"))) return false;
    confirmedGame = key;
    return true;
  }

  /** @param {Overlay} overlay */
  async function toggle(overlay) {
    if (overlay.analysed && store.state.game && !isOn(store.state, overlay) && !(await mayAnalyse())) return;
    const { game, overlays } = store.state;
    const newOverlays = { ...overlays, [overlay.key]: !isOn(store.state, overlay) };
    if (!overlay.analysed) return store.set({ overlays: newOverlays });
    const analysed = OVERLAYS.filter((each) => each.analysed);
    for (const each of analysed) if (each !== overlay) newOverlays[each.key] = isOn(store.state, each);
    const isAnalysing = analysed.some(({ key }) => newOverlays[key]);
    if (!game || !view.analyse(isAnalysing, newOverlays.ownership)) return;
    // When the analysis stops, its moves are switched on again for the next one.
    store.set({ game: { ...game, analysis: isAnalysing }, overlays: isAnalysing ? newOverlays : { ...newOverlays, ...FIRST_OVERLAYS } });
    if (overlay.key !== "analysis") return;
    store.note({ pinned: null, hover: null, ...(newOverlays.analysis ? { hintMove: null, mistakeShown: null, message: null } : {}) });
    if (newOverlays.analysis) byId("tab-analysis").click();
  }

  const switches = OVERLAYS.filter(({ key }) => key);
  byId("tools").append(...switches.map((overlay) => element("button", {
    type: "button", id: `${overlay.key}-toggle`, class: "switch",
    "data-text": overlay.label, "data-tooltip": overlay.tooltip, onclick: () => toggle(overlay),
  })));
  store.watch((state) => switches.forEach((overlay) => {
    const button = byId(`${overlay.key}-toggle`);
    setPressed(button, isOn(state, overlay));
    // The engine does not help against a friend.
    show(button, !(overlay.analysed && isRemote(state.game) && state.game.live));
  }));
}

/**
 * Whether an engine is searching the position shown; not while the page shows an earlier turn.
 * @param {State["game"]} game
 */
export const thinkingHere = (game) => Boolean(game?.thinking) && (game.tip === undefined || game.tip === game.current);

/** Returns the move that waits for the host's answer, if it was made at the node shown. @param {State} state */
export const sentHere = ({ sent, game }) => (sent && sent.node === game?.current ? sent : null);

/**
 * Returns what the board shows without overlays.
 * @param {State} state
 * @returns {Scene}
 */
export function sceneOf(state) {
  const { game, movedNode, here: { first, bridgeFrom, pointer, message, glow } } = state;
  if (!game) return { size: 10, tiles: { white: [], red: [] }, bridges: [] };
  const { position } = game;
  const { to_move: player, tiles, islands, last } = position;
  const laid = first ? [{ cell: first, player }] : [];
  const bridges = [...position.bridges];
  const sentMove = sentHere(state);
  if (sentMove) {
    const { kind, cells: [from, to] } = splitMove(sentMove.move);
    if (kind === "tiles") laid.push(...[from, to].filter((cell) => cell !== first).map((cell) => ({ cell, player: sentMove.player })));
    if (kind === "bridge") bridges.push({ from, to, player: sentMove.player });
  }
  return {
    size: game.rules.board, tiles, bridges, islands, laid, glow,
    last: last ? partsDrawn(last.move) : [],
    isNew: movedNode === game.current,
    targets: bridgeFrom ? bridgeEnds(position, bridgeFrom) : [],
    from: bridgeFrom,
    rubber: bridgeFrom && pointer ? { from: bridgeFrom, to: pointer, player } : null,
    marked: message?.cells ?? [],
  };
}

/** Returns the layers of all overlays. @param {State} state @returns {Layer[]} */
export function layersOf(state) {
  return state.game ? OVERLAYS.flatMap((overlay) => overlay.draw(state, isOn(state, overlay))) : [];
}

/** Returns what a move places on the board: its two cells, or its bridge. */
function partsDrawn(move) {
  const { kind, cells } = splitMove(move);
  return kind === "bridge" ? [move] : cells;
}

/** Returns the candidate that is highlighted or pinned in the list. */
function highlightedCandidate(state) {
  const highlighted = state.here.hover ?? state.here.pinned;
  return highlighted && candidatesOf(state).find(({ move }) => move === highlighted);
}

/** Returns the moves to draw: a highlighted candidate with its line, the best move instead of a mistake, or a hint. @param {State} state */
function lineShown(state) {
  const { game, review, here } = state;
  const { to_move: player } = game.position;
  const candidate = highlightedCandidate(state);
  if (here.line || candidate) return here.line ?? lineOf(candidate.pv, player);
  const mistake = here.mistakeShown && review?.turns.find(({ turn }) => turn === here.mistakeShown);
  if (mistake) return lineOf([mistake.best], player);
  return here.hintMove && !sentHere(state) ? lineOf([here.hintMove], player) : [];
}

/** Returns the candidates to draw on the board. @param {State} state */
function candidatesShown(state) {
  if (lineShown(state).length || sentHere(state)) return [];
  const { first } = state.here;
  return candidatesOf(state).slice(0, MAX_CANDIDATES).filter(({ move }) => !first || move.split(",").includes(first));
}

function spot(place, { move, rank, weight, rate, lead }, isLooked) {
  const [from, to] = place.split("-");
  const [x, y] = to ? between(from, to) : centerOf(place);
  return svg("g", {
    class: `spot ${rank === 0 ? "first" : ""} ${isLooked ? "looked" : ""}`,
    transform: `translate(${x} ${y})`, "data-candidate": move,
  },
    svg("circle", { class: "disc", r: (21 + 5 * Math.min(1, weight)).toFixed(1) }),
    svg("text", { class: "rate", y: 3, text: rate }),
    svg("text", { class: "lead", y: 18, text: lead }),
    svg("circle", { class: "badge", cx: -20, cy: -19, r: rank > 8 ? 12 : 10 }),
    svg("text", { class: "rank", x: -20, y: -14, text: rank + 1 }));
}

/** @param {State} state @returns {Layer[]} */
function drawCandidates(state) {
  const candidates = candidatesShown(state);
  const near = candidates.find(({ move }) => splitMove(move).cells.includes(state.near));
  const placed = candidates.filter(({ move }) => splitMove(move).cells.length);
  // Each place shows its best candidate.
  const spots = new Map([...placed].reverse().flatMap((candidate) => partsDrawn(candidate.move).map((place) => [place, candidate])));
  return [
    {
      name: "links", at: "top",
      shapes: placed.map((candidate) => {
        const { kind, cells: [from, to] } = splitMove(candidate.move);
        return [candidate.move, stroke, from, to, { class: `link ${kind} ${candidate === near ? "looked" : ""}` }];
      }),
    },
    { name: "heat", at: "top", shapes: [...spots].map(([place, candidate]) => [place, spot, place, candidate, candidate === near]) },
  ];
}

/** Draws a square that grows with the probability; in a corner beside a candidate's disc. */
function ownerSquare(cell, player, probability, isInCorner) {
  const [x, y] = centerOf(cell).map((coordinate) => coordinate + (isInCorner ? 22 : 0));
  const edge = isInCorner ? 6 + 11 * probability : 8 + 24 * probability;
  return svg("rect", {
    class: `share ${player}`, x: (x - edge / 2).toFixed(1), y: (y - edge / 2).toFixed(1),
    width: edge.toFixed(1), height: edge.toFixed(1), rx: 3,
    "fill-opacity": (0.35 + 0.6 * probability).toFixed(2),
  });
}

/** @param {State} state @returns {Layer[]} */
function drawOwnership(state, isShown) {
  const ownership = isShown && !lineShown(state).length && state.here.analysis?.ownership;
  if (!ownership) return [{ name: "owner", at: "middle", shapes: [] }, { name: "ways", at: "middle", shapes: [] }];
  const { tiles, bridges } = state.game.position;
  const candidateCells = new Set(candidatesShown(state).flatMap(({ move }) => splitMove(move).cells));
  const occupied = new Set([...tiles.white, ...tiles.red]);
  const built = new Set(bridges.map(({ from, to }) => bridgeName(from, to)));
  const owners = COLORS.flatMap((player) => Object.entries(ownership[player] ?? {})
    .filter(([cell, part]) => part - (ownership[opponentOf(player)]?.[cell] ?? 0) > MIN_OWNER_MARGIN && !occupied.has(cell))
    .map(([cell, part]) => [cell, ownerSquare, cell, player, part, candidateCells.has(cell)]));
  const ways = (ownership.bridges ?? [])
    .map(({ bridge: name, white, red }) => ({ name, player: white >= red ? "white" : "red", part: Math.max(white, red) }))
    .filter(({ name, part }) => part > MIN_BRIDGE_PROBABILITY && !built.has(name))
    .map(({ name, player, part }) => [
      name, stroke, ...name.split("-"), { class: `way ${player}`, "stroke-opacity": (0.2 + 0.7 * part).toFixed(2) },
    ]);
  return [{ name: "owner", at: "middle", shapes: owners }, { name: "ways", at: "middle", shapes: ways }];
}

/** Draws a cell that is closed to White (`w`), to Red (`r`) or to both. */
function closedCell(cell, form) {
  const [x, y] = centerOf(cell);
  const node = svg("g", { class: `closed ${form}` });
  if (form === "wr") node.append(svg("rect", { class: "shade", x: x - 31, y: y - 31, width: 62, height: 62, rx: 6 }));
  const spots = form === "wr" ? [["white", -12], ["red", 12]] : [[form === "w" ? "white" : "red", 0]];
  for (const [player, dx] of /** @type {[string, number][]} */ (spots)) {
    node.append(
      svg("rect", { class: `no ${player}`, x: x + dx - 8, y: y - 8, width: 16, height: 16, rx: 3 }),
      svg("path", { class: "bar", d: `M${x + dx - 10} ${y + 10}l20-20` }));
  }
  return node;
}

/**
 * Returns the layer of the cells where a player can no longer place a tile.
 * @param {Scene} scene
 * @param {Record<"white"|"red", string[]>|null} usable the cells where each player still can
 * @returns {Layer}
 */
export function closedCells({ size, tiles, bridges }, usable) {
  if (!usable) return { name: "closed-cells", at: "ground", shapes: [] };
  const occupied = new Set([...tiles.white, ...tiles.red, ...bridges.flatMap(({ from, to }) => spanned(from, to))]);
  const [white, red] = [new Set(usable.white), new Set(usable.red)];
  const forms = rowsOf(size).flat().filter((cell) => !occupied.has(cell))
    .map((cell) => [cell, `${white.has(cell) ? "" : "w"}${red.has(cell) ? "" : "r"}`]);
  return {
    name: "closed-cells", at: "ground",
    shapes: forms.filter(([, form]) => form).map(([cell, form]) => [cell, closedCell, cell, form]),
  };
}

/** @param {State} state */
function drawClosed({ game: { rules, position: { tiles, bridges, candidates } } }, isShown) {
  return [closedCells({ size: rules.board, tiles, bridges }, isShown ? candidates : null)];
}

/** Adds the number of its move to a shape of a line. */
function numbered(shape, [x, y], name, number) {
  if (number) shape.append(svg("text", { class: `step ${name}`, x, y, text: number }));
  return shape;
}
const tileOfLine = (cell, player, number) => numbered(tile(cell, player), [centerOf(cell)[0], centerOf(cell)[1] + 8], player, number);
function bridgeOfLine(from, to, player, number) {
  const [x, y] = between(from, to);
  return numbered(bridge(from, to, player), [x, y + 7], "bridged", number);
}

/** @param {State} state @returns {Layer[]} */
function drawLine(state) {
  const moves = lineShown(state);
  const shapes = moves.flatMap(({ move, player, number }) => {
    const { kind, cells: [from, to] } = splitMove(move);
    // A single move needs no number.
    const label = moves.length > 1 && number;
    if (kind === "bridge") return [[String(number), bridgeOfLine, from, to, player, label]];
    return kind === "tiles" ? [from, to].map((cell) => [`${number} ${cell}`, tileOfLine, cell, player, label]) : [];
  });
  return [{ name: "line", at: "top", shapes }];
}
