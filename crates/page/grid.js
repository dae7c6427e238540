// The cells as buttons over the picture: taps, drags, keys and labels for screen
// readers. One cell has the focus; the arrow keys move it.

import { element, setAttributes } from "./dom.js";
import { MARGIN, PAD, UNIT, cellName, columnRow, extent, middle, spanned } from "./geometry.js";

/** Maximum movement of the pointer during a tap, in pixels. */
const STILL = 8;

export function createGrid(root, store, play, say) {
  let size = 0;
  let cursor = null;
  let drag = null;
  /** Whether to ignore the click that follows a drag. */
  let swallow = false;
  /** Whether the focus came to the board by a tap. */
  let byPointer = false;
  /** @type {Map<string, HTMLButtonElement>} */
  let buttons = new Map();

  function build(newSize) {
    size = newSize;
    const all = extent(size);
    const share = (n) => `${(100 * n) / all}%`;
    root.style.left = share(MARGIN);
    root.style.top = share(PAD);
    root.style.width = root.style.height = share(size * UNIT);
    root.style.setProperty("--size", size);
    setAttributes(root, { "aria-rowcount": size, "aria-colcount": size });
    buttons = new Map();
    const rows = [];
    for (let row = size - 1; row >= 0; row--) {
      const line = element("div", { role: "row" });
      for (let column = 0; column < size; column++) {
        const cell = cellName(column, row);
        const button = element("button", { type: "button", role: "gridcell", "data-cell": cell, tabindex: -1 });
        buttons.set(cell, button);
        line.append(button);
      }
      rows.push(line);
    }
    root.replaceChildren(...rows);
    if (!cursor || !buttons.has(cursor)) cursor = cellName(Math.floor((size - 1) / 2), Math.floor(size / 2));
    buttons.get(cursor).tabIndex = 0;
  }

  function move(cell) {
    buttons.get(cursor).tabIndex = -1;
    cursor = cell;
    buttons.get(cursor).tabIndex = 0;
    buttons.get(cursor).focus();
  }

  /** Updates the labels and attributes of all cells. */
  function update() {
    const { game, first, seconds, bridgeFrom } = store.state;
    if (!game) return;
    if (game.rules.board !== size) build(game.rules.board);
    const { position } = game;
    const facts = new Map();
    const note = (cell, key, value) => {
      const entry = facts.get(cell) ?? {};
      entry[key] = value;
      facts.set(cell, entry);
    };
    for (const player of ["white", "red"]) for (const cell of position.tiles[player]) note(cell, "player", player);
    for (const island of position.islands) for (const cell of island.cells) note(cell, "island", true);
    for (const { from, to } of position.bridges) {
      note(from, "bridge", to);
      note(to, "bridge", from);
      for (const cell of spanned(from, to)) note(cell, "spanned", true);
    }
    for (const cell of bridgeFrom ? play.targets(bridgeFrom) : []) note(cell, "target", true);
    const usable = { white: new Set(position.candidates.white), red: new Set(position.candidates.red) };
    const legal = first && seconds?.first === first ? seconds.cells : new Set(position.legal.cells);
    setAttributes(root, { "data-seconds": first && seconds?.first === first ? first : null });
    // A bridge that is forbidden can be tried, too, to learn why.
    const draggable = new Set(play.ready() && position.supply.bridges !== 0 ? position.tiles[position.to_move] : []);
    for (const [cell, button] of buttons) {
      const fact = facts.get(cell) ?? {};
      setAttributes(button, {
        "aria-label": label(cell, fact, first, bridgeFrom, usable),
        "data-tile": fact.player,
        "data-laid": cell === first,
        "data-target": fact.target,
        "data-drag": draggable.has(cell),
        "data-legal": legal.has(cell),
      });
    }
  }

  function label(cell, fact, first, bridgeFrom, usable) {
    if (cell === first) return say("cellPicked", { cell });
    if (!fact.player && fact.spanned) return say("cellSpanned", { cell });
    const said = [say(fact.player ? "cellTile" : "cellEmpty", { cell, player: fact.player })];
    if (fact.island) said.push(say("partIsland"));
    if (fact.bridge) said.push(say("partBridge", { cell: fact.bridge }));
    if (cell === bridgeFrom) said.push(say("partStart"));
    if (fact.target) said.push(say("partTarget"));
    if (!fact.player) {
      for (const player of ["white", "red"]) if (!usable[player].has(cell)) said.push(say("partClosed", { player }));
    }
    return said.join(", ");
  }

  /** The cell at a point of the window, or null. */
  function cellAt(x, y) {
    const box = root.getBoundingClientRect();
    const column = Math.floor(((x - box.left) / box.width) * size);
    const row = size - 1 - Math.floor(((y - box.top) / box.height) * size);
    return column >= 0 && column < size && row >= 0 && row < size ? cellName(column, row) : null;
  }

  /** Where to draw the dragged end of a bridge: it snaps to a target cell. */
  function pull(x, y) {
    const cell = cellAt(x, y);
    if (cell && play.targets(drag.cell).includes(cell)) return middle(cell, size);
    const box = root.getBoundingClientRect();
    const scale = (size * UNIT) / box.width;
    return [MARGIN + (x - box.left) * scale, PAD + (y - box.top) * scale];
  }

  root.addEventListener("pointerdown", (event) => {
    const cell = event.target.dataset?.cell;
    swallow = false;
    if (!cell || event.button || !play.ready() || !play.mine(cell)) return;
    drag = { cell, x: event.clientX, y: event.clientY, moved: false };
  });
  addEventListener("pointermove", (event) => {
    if (!drag) return;
    if (!drag.moved && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < STILL) return;
    if (!drag.moved) play.begin(drag.cell);
    drag.moved = true;
    // What forbids every bridge from here has been told.
    if (store.state.bridgeFrom !== drag.cell) return;
    store.set({ pointer: pull(event.clientX, event.clientY) });
  });
  addEventListener("pointerup", (event) => {
    if (!drag) return;
    const { cell, moved } = drag;
    drag = null;
    if (!moved) return;
    store.set({ pointer: null });
    const end = cellAt(event.clientX, event.clientY);
    if (store.state.bridgeFrom !== cell) swallow = end === cell;
    else if (end && end !== cell) play.end(end);
    else if (!end) play.cancel();
    else swallow = true;
  });
  addEventListener("pointercancel", () => {
    drag = null;
    store.set({ pointer: null });
  });

  root.addEventListener("click", (event) => {
    const cell = event.target.dataset?.cell;
    if (!cell) return;
    // A drag that ends where it began leaves the bridge started.
    if (swallow) {
      swallow = false;
      return;
    }
    if (cell !== cursor) move(cell);
    byPointer = event.detail > 0;
    play.tap(cell);
  });

  // Track the cell under the pointer, to highlight what belongs to it.
  root.addEventListener("pointerover", (event) => event.pointerType === "mouse" && store.set({ near: event.target.dataset?.cell ?? null }));
  root.addEventListener("pointerleave", () => store.set({ near: null }));
  root.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && store.set({ near: event.target.dataset?.cell ?? null }));
  root.addEventListener("focusout", () => store.set({ near: null }));

  root.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !cursor) return;
    // After a tap the arrow keys belong to the list of moves.
    if (byPointer && ["ArrowLeft", "ArrowRight"].includes(event.key)) return;
    const [column, row] = columnRow(cursor);
    const clamp = (n) => Math.max(0, Math.min(size - 1, n));
    const step = {
      ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1], Home: [-size, 0], End: [size, 0],
    }[event.key];
    if (step) move(cellName(clamp(column + step[0]), clamp(row + step[1])));
    else if (event.key === "b" || event.key === "B") play.bridgeKey(cursor);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  function focus() {
    byPointer = false;
    if (cursor) buttons.get(cursor).focus();
  }
  root.addEventListener("focusout", (event) => root.contains(event.relatedTarget) || (byPointer = false));

  return { update, focus };
}
