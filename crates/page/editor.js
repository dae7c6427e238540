// The position editor: tiles, bridges, side and state by tapping. The server
// checks the position after every change; the page knows no rules.

import { createBoard } from "./board.js";
import { byId, element, setAttributes, setText } from "./dom.js";
import { MARGIN, PAD, UNIT, bridge, cellName, columnRow, extent, spanned } from "./geometry.js";
import { reasonText } from "./texts.js";

export function createEditor(store, session, say, ask) {
  const dialog = byId("editor-dialog");
  const grid = byId("editor-grid");
  const board = createBoard(byId("editor-board"));
  let size = 0;
  /** @type {Map<string, "white"|"red">} */
  let tiles = new Map();
  /** Bridges as `a1-c1`. @type {Set<string>} */
  let bridges = new Set();
  let from = null;
  let marked = [];
  /** The islands of the position, as the host found them. */
  let islands = [];
  /** What to say in place of the host's judgement, once. */
  let said = null;
  let cursor = "a1";
  let asked = 0;

  const tool = () => dialog.querySelector("[name=tool]:checked").value;
  const each = (player) => [...tiles].filter(([, color]) => color === player).map(([cell]) => cell);

  function build(newSize) {
    size = newSize;
    byId("editor-size").value = String(size);
    const share = (n) => `${(100 * n) / extent(size)}%`;
    Object.assign(grid.style, { left: share(MARGIN), top: share(PAD), width: share(size * UNIT), height: share(size * UNIT) });
    grid.style.setProperty("--size", size);
    const rows = [];
    for (let row = size - 1; row >= 0; row--) {
      const cells = Array.from({ length: size }, (_, column) => element("button", { type: "button", role: "gridcell", "data-edit": cellName(column, row), tabindex: -1 }));
      rows.push(element("div", { role: "row" }, ...cells));
    }
    grid.replaceChildren(...rows);
    if (!at(cursor)) cursor = "a1";
    at(cursor).tabIndex = 0;
  }

  const at = (cell) => grid.querySelector(`[data-edit="${cell}"]`);

  /** The position in the notation of the server. */
  function position() {
    const rows = [];
    for (let row = size - 1; row >= 0; row--) {
      let text = "";
      for (let column = 0; column < size; column++) text += { white: "w", red: "r" }[tiles.get(cellName(column, row))] ?? ".";
      rows.push(text.replaceAll(/\.+/g, (empty) => empty.length));
    }
    return [rows.join("/"), byId("editor-side").value, [...bridges].join() || "-", byId("editor-stage").value].join(" ");
  }

  /** The position with the rules of the game on the page. */
  function record() {
    const { supply, pie } = store.state.game.rules;
    return `# board: ${size}\n# supply: ${supply}\n# pie: ${pie ? "on" : "off"}\n# start: ${position()}\n`;
  }

  function draw() {
    board.draw({
      size, tiles: { white: each("white"), red: each("red") }, from, marked, islands,
      bridges: [...bridges].map((name) => {
        const [a, b] = name.split("-");
        return { from: a, to: b, player: tiles.get(a) ?? "white" };
      }),
    });
    for (const button of grid.querySelectorAll("button")) {
      const { edit: cell } = button.dataset;
      const player = tiles.get(cell);
      setAttributes(button, { "aria-label": say(player ? "cellTile" : "cellEmpty", { cell, player }), "data-tile": player });
    }
  }

  function note(text, kind = "") {
    setText(byId("editor-note"), text);
    byId("editor-note").dataset.kind = kind;
  }

  /** Asks the server whether the position is legal. */
  function check() {
    const number = ++asked;
    session.ask({ type: "check", text: record() }, (answer) => {
      if (number !== asked) return;
      const isLegal = answer.type === "legal";
      marked = answer.cells ?? [];
      islands = answer.islands ?? [];
      if (said) note(said, "illegal");
      else if (isLegal) note(say(from ? "editorBridgeFrom" : "editorGood", { cell: from }));
      else note(answer.type === "illegal" ? reasonText(store.state.language, { ...answer, values: answer.data }) : answer.text, "illegal");
      byId("editor-play").disabled = byId("editor-analyse").disabled = !isLegal;
      said = null;
      draw();
    });
    draw();
  }

  /** Removes a tile with its bridge, or the bridges over a cell without one. */
  function erase(cell) {
    const isBare = !tiles.delete(cell);
    bridges = new Set([...bridges].filter((name) => {
      const ends = name.split("-");
      return isBare ? !spanned(...ends).includes(cell) : !ends.includes(cell);
    }));
  }

  /** Begins a bridge, or ends one at a tile of the same colour. */
  function span(cell) {
    const player = tiles.get(cell);
    if (!from || !player) from = player ? cell : from;
    else if (tiles.get(from) !== player) {
      from = cell;
      said = say("editorOneColour");
    } else {
      const name = bridge(from, cell);
      if (from !== cell && !bridges.delete(name)) bridges.add(name);
      from = null;
    }
  }

  function tap(cell) {
    const chosen = tool();
    if (chosen === "bridge") span(cell);
    else if (chosen === "erase" || tiles.get(cell) === chosen) erase(cell);
    else {
      // A tile of the other colour cannot keep the bridge.
      erase(cell);
      tiles.set(cell, chosen);
    }
    check();
  }

  /** Whether to open as soon as there is a game, whose position is the first one shown. */
  let isWanted = false;

  function open() {
    const { game } = store.state;
    isWanted = !game;
    if (!game || dialog.open) return;
    const sizes = store.state.info?.sizes ?? [game.rules.board];
    byId("editor-size").replaceChildren(...sizes.map((n) => element("option", { value: n, text: `${n} × ${n}` })));
    const { position: shown } = game;
    tiles = new Map(["white", "red"].flatMap((player) => shown.tiles[player].map((cell) => [cell, player])));
    bridges = new Set(shown.bridges.map((each) => bridge(each.from, each.to)));
    byId("editor-side").value = shown.to_move === "red" ? "r" : "w";
    byId("editor-stage").value = { pie: "pie", last: "last", over: "over" }[shown.status] ?? "-";
    [from, marked] = [null, []];
    build(game.rules.board);
    dialog.showModal();
    check();
  }

  async function start(play) {
    const { game } = store.state;
    if (game.tree.length > 1 && game.live && !(await ask("confirmReplace"))) return;
    dialog.close();
    // The game is on the board, wherever the editor was opened.
    if (location.hash) location.hash = "";
    store.set({ review: null, lesson: null, message: null, marked: [] });
    session.askSoon({ type: "load", text: record(), play }, (answer) => {
      if (answer.type === "state" && !play) session.send({ type: "analyze", on: true, ownership: store.state.ownership, multi: 20 });
    });
  }

  grid.addEventListener("click", (event) => event.target.dataset?.edit && tap(event.target.dataset.edit));
  grid.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!step) return;
    event.preventDefault();
    const [column, row] = columnRow(document.activeElement.dataset.edit ?? cursor);
    const next = at(cellName(column + step[0], row + step[1]));
    if (!next) return;
    at(cursor).tabIndex = -1;
    cursor = next.dataset.edit;
    next.tabIndex = 0;
    next.focus();
  });
  for (const id of ["editor-side", "editor-stage"]) byId(id).addEventListener("change", check);
  dialog.addEventListener("change", (event) => event.target.name === "tool" && (from = null, draw()));
  byId("editor-size").addEventListener("change", (event) => {
    [tiles, bridges, from] = [new Map(), new Set(), null];
    build(Number(event.target.value));
    check();
  });
  byId("editor-clear").addEventListener("click", () => {
    [tiles, bridges, from] = [new Map(), new Set(), null];
    check();
  });
  byId("editor-cancel").addEventListener("click", () => dialog.close());
  byId("editor-play").addEventListener("click", () => start(true));
  byId("editor-analyse").addEventListener("click", () => start(false));
  byId("editor-button").addEventListener("click", open);
  store.watch(["game"], () => isWanted && open());
  return { open };
}
