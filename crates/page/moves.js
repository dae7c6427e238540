// The list of moves as a tree: a variation is indented below the move that it replaces. From
// here the user goes to nodes and deletes variations. Typed moves are in move-field.js, the
// review's mistakes in review.js.

import { byId, chip, element, onClick, show } from "./dom.js";
import { SIGNS } from "./review.js";
import { moveName } from "./texts.js";
import { isElsewhere } from "./view.js";

/** Scrolls a phone's page back to the board if most of it is out of view. */
export function scrollToBoard() {
  const { top, bottom, height } = byId("frame").getBoundingClientRect();
  if (top < -height / 2 || bottom > innerHeight + height / 2) scrollTo(0, 0);
}

/** @param {import("./main.js").Page} page */
export function createMoves({ store, session, play, say, ask }) {
  const root = byId("moves");
  const table = /** @type {HTMLElement} */ (document.querySelector("main.table"));
  /** @type {Map<number, object>} */
  let nodes = new Map();
  /** @type {Map<number, number[]>} */
  let children = new Map();
  /** The nodes of the game's main line. @type {Set<number>} */
  let main = new Set();

  function read(game) {
    nodes = new Map(game.tree.map((node) => [node.node, node]));
    children = new Map();
    main = new Set(game.line);
    for (const node of game.tree) {
      if (node.parent === null || node.parent === undefined) continue;
      const choice = children.get(node.parent) ?? [];
      if (main.has(node.node)) choice.unshift(node.node);
      else choice.push(node.node);
      children.set(node.parent, choice);
    }
  }

  function draw({ game, review }) {
    if (!game) return;
    read(game);
    const start = game.tree.find((node) => node.parent === null || node.parent === undefined)?.node ?? 0;
    const signs = new Map((review?.turns ?? []).filter((t) => t.grade).map((t) => [t.node ?? (review.line ?? game.main)[t.turn], t.grade]));
    const line = element("div", { class: "line", role: "group" }, item(start, game, signs));
    fill(line, children.get(start) ?? [], game, signs);
    root.replaceChildren(line);
    // After the layout.
    requestAnimationFrame(scrollToCurrent);
    table.dataset.over = String(Boolean(game.final.end || review));
    byId("delete").disabled = !game.current;
    byId("turn-back").disabled = byId("turn-first").disabled = !game.current;
    byId("turn-forward").disabled = byId("turn-last").disabled = !children.get(game.current)?.length;
  }

  /** Scrolls the list, and nothing else, to the current move. */
  function scrollToCurrent() {
    const currentItem = root.querySelector("[aria-selected=true]");
    if (!currentItem) return;
    const [box, here] = [root.getBoundingClientRect(), currentItem.getBoundingClientRect()];
    if (here.top < box.top || here.bottom > box.bottom) root.scrollTop += here.top - box.top - (root.clientHeight - here.height) / 2;
  }
  // While its tab is hidden, the list is drawn but cannot scroll.
  new ResizeObserver(scrollToCurrent).observe(root);

  /** Fills `line`, starting from the sibling moves `choice`; recurses only into variations. */
  function fill(line, choice, game, signs) {
    while (choice.length) {
      // After the last turn of the game, all moves are variations.
      const isEnd = game.tip !== null && main.has(nodes.get(choice[0]).parent) && !main.has(choice[0]);
      const [first, ...others] = isEnd ? [null, ...choice] : choice;
      if (first !== null) line.append(item(first, game, signs));
      for (const other of others) {
        const variation = element("div", {
          class: "line variation", role: "group", "aria-label": say("variation"),
        }, item(other, game, signs));
        fill(variation, children.get(other) ?? [], game, signs);
        line.append(variation);
      }
      choice = first === null ? [] : children.get(first) ?? [];
    }
  }

  function item(number, game, signs) {
    const { move, player, turn } = nodes.get(number);
    const isCurrent = number === game.current;
    const sign = signs.get(number);
    const button = element("button", {
      type: "button", role: "treeitem", class: "move", "data-node": number, "data-turn": turn ?? 0,
      "aria-selected": String(isCurrent), tabindex: isCurrent ? 0 : -1,
      onclick: () => {
        play.go(number);
        scrollToBoard();
      },
    });
    if (!move) {
      button.textContent = say("start");
      return button;
    }
    const hiddenText = (text) => element("span", { class: "unseen", text });
    button.append(
      element("small", { text: `${turn}.` }), chip(player),
      hiddenText(` ${say(player)} `), moveName(store.state.language, move));
    if (sign) button.append(element("b", { class: `sign ${sign}`, text: SIGNS[sign] }), hiddenText(`, ${say(sign)}`));
    return button;
  }

  const parent = (node) => nodes.get(node)?.parent;
  function siblings(node) {
    return children.get(parent(node)) ?? [];
  }
  function lastOf(node) {
    while (children.get(node)?.length) [node] = children.get(node);
    return node;
  }
  const current = () => store.state.game?.current ?? 0;

  const go = {
    back: () => play.go(parent(current())),
    forward: () => play.go(children.get(current())?.[0]),
    first: () => play.go(store.state.game?.main[0]),
    last: () => play.go(lastOf(current())),
  };

  /** Goes to the previous or next variation or, without one, along the line. */
  function goSideways(step) {
    const all = siblings(current());
    const next = all[all.indexOf(current()) + step];
    if (next !== undefined) play.go(next);
    else if (step < 0) go.back();
    else go.forward();
  }

  let keepFocus = false;
  root.addEventListener("keydown", (event) => {
    const action = {
      ArrowLeft: go.back, ArrowRight: go.forward, ArrowUp: () => goSideways(-1), ArrowDown: () => goSideways(1),
      Home: go.first, End: go.last, Delete: remove,
    }[event.key];
    if (!action || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    keepFocus = true;
    action();
  });

  async function remove() {
    const node = current();
    const goesOn = node && store.state.game.tree.some((other) => other.parent === node);
    if (node && (!goesOn || (await ask("confirmDelete")))) session.send({ type: "delete", node });
  }

  /** The game and turn in which the user looked back: the controls stay until the next move. */
  let lookedBackAt = "";
  // On a phone, the turn controls are at the bottom of the screen, but only while they are needed
  // for more than a first step back.
  store.watch(({ game, review, branch, here: { retry, tried } }) => {
    if (!game) return;
    const gameKey = [game.session, game.game, game.tip].join();
    if (isElsewhere(game)) lookedBackAt = gameKey;
    const isStepping = game.tree.length > 1
      && Boolean(!game.live || lookedBackAt === gameKey || branch || game.analysis || review || retry || tried);
    table.dataset.stepping = String(isStepping);
    show(byId("look-back"), !isStepping && game.tree.length > 1);
  });

  for (const id of ["turns", "look-back"]) byId(id).addEventListener("click", scrollToBoard);
  onClick({
    "look-back": go.back, "turn-back": go.back, "turn-forward": go.forward,
    "turn-first": go.first, "turn-last": go.last, delete: remove,
  });

  store.watch((state) => {
    const focused = root.contains(document.activeElement) || keepFocus;
    draw(state);
    if (focused) root.querySelector("[aria-selected=true]")?.focus({ preventScroll: true });
    keepFocus = false;
  });
}
