// The position editor: tiles and bridges by tapping, side to move and state by lists. The host
// checks the position after every change; the page knows no rules. Positions as text are loaded
// in files.js.

import { createBoard } from "./board.js";
import { byId, onClick, setAttributes, setOptions, setText } from "./dom.js";
import { COLORS, UNIT, bridgeName, extent, rowsOf, spanned } from "./geometry.js";
import { createCells } from "./grid.js";
import { illegalText } from "./texts.js";

/** @param {import("./main.js").Page} page */
export function createEditor({ store, session, view, say, ask }) {
  const dialog = byId("editor-dialog");
  const grid = byId("editor-grid");
  const cells = createCells(grid, "edit", "a1");
  const board = createBoard(byId("editor-board"));
  /** @type {Map<string, "white"|"red">} */
  let tiles = new Map();
  /** Bridges as `a1-c1`. @type {Set<string>} */
  let bridges = new Set();
  let from = null;
  let markedCells = [];
  /** The islands of the position, as the host found them. */
  let islands = [];
  /** The text that replaces the host's next answer. */
  let override = null;
  let lastQuestion = 0;

  const tool = () => dialog.querySelector("[name=tool]:checked").value;
  const tilesOf = (player) => [...tiles].filter(([, color]) => color === player).map(([cell]) => cell);

  function build(size) {
    byId("editor-size").value = String(size);
    // On a phone, the board is as large as fingers need, and scrolls.
    byId("editor-frame").style.setProperty("--edge", String(extent(size) / UNIT));
    cells.build(size);
  }

  /** Returns the position as text, in the host's notation. */
  function position() {
    const letter = (cell) => ({ white: "w", red: "r" }[tiles.get(cell)] ?? ".");
    const rows = rowsOf(cells.size()).map((row) => row.map(letter).join("").replace(/\.+/g, (empty) => String(empty.length)));
    return [rows.join("/"), byId("editor-side").value, [...bridges].join() || "-", byId("editor-stage").value].join(" ");
  }

  /** Returns a record of the position, with the rules of the current game. */
  function record() {
    const { supply, pie } = store.state.game.rules;
    return `# board: ${cells.size()}\n# supply: ${supply}\n# pie: ${pie ? "on" : "off"}\n# start: ${position()}\n`;
  }

  function draw() {
    board.draw({
      size: cells.size(), tiles: { white: tilesOf("white"), red: tilesOf("red") }, from, marked: markedCells, islands,
      bridges: [...bridges].map((name) => {
        const [a, b] = name.split("-");
        return { from: a, to: b, player: tiles.get(a) ?? "white" };
      }),
    });
    for (const [cell, button] of cells.buttons) {
      const player = tiles.get(cell);
      setAttributes(button, { "aria-label": say(player ? "cellTile" : "cellEmpty", { cell, player }), "data-tile": player });
    }
  }

  function note(text, kind = "") {
    setText(byId("editor-note"), text);
    byId("editor-note").dataset.kind = kind;
  }

  /** Asks the host whether the position is legal. */
  function check() {
    const number = ++lastQuestion;
    session.ask({ type: "check", text: record() }, (answer) => {
      if (number !== lastQuestion) return;
      const isLegal = answer.type === "legal";
      markedCells = answer.type === "illegal" ? answer.cells : [];
      islands = answer.type === "legal" ? answer.islands : [];
      if (override) note(override, "illegal");
      else if (isLegal) note(say(from ? "editorBridgeFrom" : "editorLegal", { cell: from }));
      else if (answer.type === "illegal") {
        note(illegalText(store.state.language, { ...answer, values: "data" in answer ? answer.data : {} }), "illegal");
      } else if (answer.type === "error") note(answer.text, "illegal");
      byId("editor-play").disabled = byId("editor-analyse").disabled = !isLegal;
      override = null;
      draw();
    });
    draw();
  }

  /** Removes a tile with its bridge, or the bridges over a cell without a tile. */
  function erase(cell) {
    const isBare = !tiles.delete(cell);
    bridges = new Set([...bridges].filter((name) => {
      const [from, to] = name.split("-");
      return isBare ? !spanned(from, to).includes(cell) : from !== cell && to !== cell;
    }));
  }

  /** Starts a bridge, or finishes one at a tile of the same colour. */
  function placeEnd(cell) {
    const player = tiles.get(cell);
    if (!from || !player) from = player ? cell : from;
    else if (tiles.get(from) !== player) {
      from = cell;
      override = say("editorOneColor");
    } else {
      const name = bridgeName(from, cell);
      if (from !== cell && !bridges.delete(name)) bridges.add(name);
      from = null;
    }
  }

  function tap(cell) {
    const chosen = tool();
    if (chosen === "bridge") placeEnd(cell);
    else if (chosen === "erase" || tiles.get(cell) === chosen) erase(cell);
    else {
      // The bridge cannot stay on a tile of the other colour.
      erase(cell);
      tiles.set(cell, chosen);
    }
    check();
  }

  /** Whether to open as soon as there is a game, to start from its position. */
  let opensWithGame = false;

  function open() {
    const { game } = store.state;
    opensWithGame = !game;
    if (!game || dialog.open) return;
    const sizes = store.state.info?.sizes ?? [game.rules.board];
    setOptions(byId("editor-size"), sizes.map((n) => [n, `${n} × ${n}`]));
    const { position: shownPosition } = game;
    tiles = new Map(COLORS.flatMap((player) => shownPosition.tiles[player].map((cell) => [cell, player])));
    bridges = new Set(shownPosition.bridges.map((each) => bridgeName(each.from, each.to)));
    byId("editor-side").value = shownPosition.to_move === "red" ? "r" : "w";
    byId("editor-stage").value = { pie: "pie", last: "last", over: "over" }[shownPosition.status] ?? "-";
    [from, markedCells] = [null, []];
    build(game.rules.board);
    dialog.showModal();
    check();
  }

  async function start(play) {
    const { game } = store.state;
    if (game.tree.length > 1 && game.live && !(await ask("confirmReplace"))) return;
    dialog.close();
    // The editor may have been opened from another view.
    if (location.hash) location.hash = "";
    session.askSoon({ type: "load", text: record(), play }, (answer) => {
      if (answer.type === "state" && !play) view.analyse(true);
    });
  }

  grid.addEventListener("click", (event) => event.target.dataset?.edit && tap(event.target.dataset.edit));
  grid.addEventListener("keydown", (event) => cells.step(event) && event.preventDefault());
  for (const id of ["editor-side", "editor-stage"]) byId(id).addEventListener("change", check);
  dialog.addEventListener("change", (event) => event.target.name === "tool" && (from = null, draw()));
  function clear(size) {
    [tiles, bridges, from] = [new Map(), new Set(), null];
    build(size);
    check();
  }
  byId("editor-size").addEventListener("change", () => clear(Number(byId("editor-size").value)));
  onClick({
    "editor-clear": () => clear(cells.size()), "editor-cancel": () => dialog.close(),
    "editor-play": () => start(true), "editor-analyse": () => start(false), "editor-button": open,
  });
  store.watch(({ game }) => game && opensWithGame && open());
}
