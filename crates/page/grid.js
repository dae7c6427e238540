// The cells as buttons over the picture: taps, drags, keys and labels for screen readers. One
// cell has the focus, and the arrow keys move it. What a tap means is decided by play.js, or by
// the tool in editor.js; the picture is drawn by board.js.

import { element, isWithin, setAttributes } from "./dom.js";
import { COLORS, MARGIN, PAD, UNIT, bridgeEnds, cellName, centerOf, columnRow, extent, rowsOf, spanned } from "./geometry.js";

/** The largest movement of the pointer during a tap, in pixels. */
const TAP_TOLERANCE = 8;

/**
 * Creates the cells of a board as buttons over its picture: `data-NAME` is the cell. One cell
 * is the cursor, the only stop for the Tab key.
 * @param {HTMLElement} root
 * @param {string} name
 * @param {string|null} cursor its first cell, by default in the middle
 */
export function createCells(root, name, cursor = null) {
  /** @type {Map<string, HTMLButtonElement>} */
  const buttons = new Map();
  let size = 0;

  function build(newSize) {
    size = newSize;
    const hadFocus = root.contains(document.activeElement);
    const share = (n) => `${(100 * n) / extent(size)}%`;
    Object.assign(root.style, { left: share(MARGIN), top: share(PAD), width: share(size * UNIT), height: share(size * UNIT) });
    root.style.setProperty("--size", String(size));
    setAttributes(root, { "aria-rowcount": size, "aria-colcount": size });
    buttons.clear();
    root.replaceChildren(...rowsOf(size).map((row) => element("div", { role: "row" }, ...row.map((cell) => {
      const button = element("button", { type: "button", role: "gridcell", [`data-${name}`]: cell, tabindex: -1 });
      buttons.set(cell, button);
      return button;
    }))));
    if (!buttons.has(cursor)) cursor = cellName(Math.floor((size - 1) / 2), Math.floor(size / 2));
    buttons.get(cursor).tabIndex = 0;
    if (hadFocus) buttons.get(cursor).focus({ preventScroll: true });
  }

  function move(cell) {
    buttons.get(cursor).tabIndex = -1;
    cursor = cell;
    buttons.get(cursor).tabIndex = 0;
    buttons.get(cursor).focus();
  }

  /** Moves the cursor by a key; returns false for other keys. */
  function step({ key }) {
    const offset = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1], Home: [-size, 0], End: [size, 0] }[key];
    const clamp = (n) => Math.max(0, Math.min(size - 1, n));
    const [column, row] = columnRow(cursor);
    if (offset) move(cellName(clamp(column + offset[0]), clamp(row + offset[1])));
    return Boolean(offset);
  }

  return { build, buttons, move, step, size: () => size, cursor: () => cursor };
}

/** @param {HTMLElement} root @param {Pick<import("./main.js").Page, "store"|"play"|"say">} page */
export function createGrid(root, { store, play, say }) {
  const { here } = store.state;
  const cells = createCells(root, "cell");
  let drag = null;
  /** Whether to ignore the click that follows a drag. */
  let ignoresClick = false;
  /** Whether the focus came to the board by a tap, not by the keyboard. */
  let isFocusByPointer = false;

  // Updates the labels and attributes of all cells.
  store.watch(({ game, here: { first, seconds, bridgeFrom } }) => {
    root.setAttribute("aria-label", say("boardLabel"));
    if (!game) return;
    if (game.rules.board !== cells.size()) cells.build(game.rules.board);
    const { position } = game;
    const facts = new Map();
    const note = (cell, key, value) => {
      const entry = facts.get(cell) ?? {};
      entry[key] = value;
      facts.set(cell, entry);
    };
    for (const player of COLORS) for (const cell of position.tiles[player]) note(cell, "player", player);
    for (const island of position.islands) for (const cell of island.cells) note(cell, "island", true);
    for (const { from, to } of position.bridges) {
      note(from, "bridge", to);
      note(to, "bridge", from);
      for (const cell of spanned(from, to)) note(cell, "spanned", true);
    }
    for (const cell of bridgeFrom ? bridgeEnds(position, bridgeFrom) : []) note(cell, "target", true);
    const usable = { white: new Set(position.candidates.white), red: new Set(position.candidates.red) };
    const legal = seconds ?? new Set(position.legal.cells);
    setAttributes(root, { "data-seconds": seconds ? first : null });
    // An illegal bridge can be dragged, too, to learn why it is illegal.
    const draggable = new Set(play.isReady() && position.supply.bridges !== 0 ? position.tiles[position.to_move] : []);
    for (const [cell, button] of cells.buttons) {
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
  });

  function label(cell, fact, first, bridgeFrom, usable) {
    if (cell === first) return say("cellPicked", { cell });
    if (!fact.player && fact.spanned) return say("cellSpanned", { cell });
    const parts = [say(fact.player ? "cellTile" : "cellEmpty", { cell, player: fact.player })];
    if (fact.island) parts.push(say("partIsland"));
    if (fact.bridge) parts.push(say("partBridge", { cell: fact.bridge }));
    if (cell === bridgeFrom) parts.push(say("partStart"));
    if (fact.target) parts.push(say("partTarget"));
    if (!fact.player) {
      for (const player of COLORS) if (!usable[player].has(cell)) parts.push(say("partClosed", { player }));
    }
    return parts.join(", ");
  }

  /** Returns the cell at a point of the window, or null. */
  function cellAt(x, y) {
    const [box, size] = [root.getBoundingClientRect(), cells.size()];
    const column = Math.floor(((x - box.left) / box.width) * size);
    const row = size - 1 - Math.floor(((y - box.top) / box.height) * size);
    return column >= 0 && column < size && row >= 0 && row < size ? cellName(column, row) : null;
  }

  /** Returns the cell of an event, or null. */
  const cellOf = ({ target }) => (target instanceof HTMLElement && target.dataset.cell) || null;

  /** Returns where to draw the dragged end of a bridge, which snaps to target cells. @returns {[number, number]} */
  function pull(x, y) {
    const cell = cellAt(x, y);
    if (cell && bridgeEnds(store.state.game.position, drag.cell).includes(cell)) return centerOf(cell);
    const box = root.getBoundingClientRect();
    const scale = (cells.size() * UNIT) / box.width;
    return [(x - box.left) * scale, (y - box.bottom) * scale];
  }

  root.addEventListener("pointerdown", (event) => {
    const cell = cellOf(event);
    ignoresClick = false;
    if (!cell || event.button || !play.isReady() || !play.isOwnTile(cell)) return;
    drag = { cell, x: event.clientX, y: event.clientY, moved: false };
  });
  addEventListener("pointermove", (event) => {
    if (!drag) return;
    if (!drag.moved && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < TAP_TOLERANCE) return;
    if (!drag.moved) play.begin(drag.cell);
    drag.moved = true;
    // The bridge was given up: a rule forbids every bridge from here.
    if (here.bridgeFrom !== drag.cell) return;
    store.note({ pointer: pull(event.clientX, event.clientY) });
  });
  addEventListener("pointerup", (event) => {
    if (!drag) return;
    const { cell, moved } = drag;
    drag = null;
    if (!moved) return;
    store.note({ pointer: null });
    const end = cellAt(event.clientX, event.clientY);
    if (here.bridgeFrom !== cell) ignoresClick = end === cell;
    else if (end && end !== cell) play.end(end);
    else if (!end) play.cancel();
    else ignoresClick = true;
  });
  addEventListener("pointercancel", () => {
    drag = null;
    store.note({ pointer: null });
  });

  root.addEventListener("click", (event) => {
    const cell = cellOf(event);
    if (!cell) return;
    // After a drag that ends where it began, the bridge stays started.
    if (ignoresClick) {
      ignoresClick = false;
      return;
    }
    if (cell !== cells.cursor()) cells.move(cell);
    isFocusByPointer = event.detail > 0;
    play.tap(cell);
  });

  // Tracks the cell under the pointer, to highlight its candidate.
  root.addEventListener("pointerover", (event) => event.pointerType === "mouse" && store.set({ near: cellOf(event) }));
  root.addEventListener("pointerleave", () => store.set({ near: null }));
  root.addEventListener("focusin", (event) => isWithin(event, ":focus-visible") && store.set({ near: cellOf(event) }));
  root.addEventListener("focusout", () => store.set({ near: null }));

  root.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    // After a tap the arrow keys belong to the list of moves.
    if (isFocusByPointer && ["ArrowLeft", "ArrowRight"].includes(event.key)) return;
    if (event.key.toLowerCase() === "b") play.bridgeKey(cells.cursor());
    else if (!cells.step(event)) return;
    event.preventDefault();
    event.stopPropagation();
  });
  root.addEventListener("focusout", (event) => root.contains(/** @type {Node} */ (event.relatedTarget)) || (isFocusByPointer = false));

  /**
   * Gives the cursor the focus. With `asAfterTap`, and unless the keyboard is in use, the arrow
   * keys still step through the turns, and no cell is outlined.
   */
  return (asAfterTap = false) => {
    isFocusByPointer = asAfterTap && !document.activeElement?.matches(":focus-visible");
    /** @type {FocusOptions & {focusVisible?: boolean}} */
    const options = isFocusByPointer ? { preventScroll: true, focusVisible: false } : { preventScroll: asAfterTap };
    cells.buttons.get(cells.cursor())?.focus(options);
  };
}
