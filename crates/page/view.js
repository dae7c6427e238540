// The node that this page shows. Looking at another turn is this page's own
// matter: the game, and other pages that show it, stay where they are. It also decides when
// an engine's answer shows. What is drawn of the node is not its business.

import { playersSeen } from "./friend.js";

/** How long the engine's answer is held back, in milliseconds. */
const PAUSE = 500;

/** The parts of a `state` that belong to a node. */
const OF_NODE = ["current", "players", "main", "end", "position"];

/** @import { ShownGame } from "./store.js" */

/** Whether the page shows another turn than the one being played. @param {ShownGame} game */
export const isElsewhere = (game) => Boolean(game?.live) && game.tip !== game.current;

/** Whether a move made here is a variation beside the game: what was played stays the game. @param {ShownGame} game */
export const isAside = (game) => (game.live ? game.tip !== game.current : game.tip !== null || Boolean(game.final.end));

/** Whether the turn shown does not belong to the game, which has ended or is paused. @param {ShownGame} game */
export const isBeside = (game) => !game.live && (game.tip === null ? !game.final.main.includes(game.current) : game.current !== game.final.current);

/**
 * @param {Pick<import("./main.js").Page, "store"|"session">} page
 * @param {(game: import("./store.js").ShownGame) => void} show takes the game as this page sees it
 */
export function createView({ store, session }, show) {
  /** The server's last `state`. */
  let shared = null;
  /** The last `view` of the node looked at; null while the page follows the game. */
  let seen = null;
  let since = 0;
  let held = [];
  /** The node to look at, shown once its `view` has come. */
  let target = null;

  const has = (node) => shared.tree.some((each) => each.node === node);

  function compose() {
    const { seat } = store.state;
    const final = { ...shared, players: playersSeen(shared, shared, seat) };
    const game = { ...final, line: shared.main, final };
    if (seen) for (const key of OF_NODE) game[key] = seen[key];
    if (seen) game.players = playersSeen(shared, seen, seat);
    return game;
  }

  function update() {
    if (seen?.game !== shared.game || !has(seen.current)) seen = null;
    if (store.state.branch && !seen) store.set({ branch: false });
    show(compose());
  }

  function request(node) {
    target = node;
    session.ask({ type: "view", node }, (answer) => {
      if (node !== target || "game" in answer && answer.game !== shared.game) return;
      // The node may have been deleted.
      [seen, target] = answer.type === "view" ? [answer, node] : [null, null];
      update();
      follow();
    });
  }

  /** Runs the analysis of the node shown, or stops it. */
  function analyse(on, ownership = Boolean(store.state.overlays.ownership)) {
    return session.send({ type: "analyze", on, ownership, multi: 20, node: seen?.current });
  }

  /** Lets a running analysis follow. */
  let analysed = null;
  function follow() {
    const node = seen?.current ?? null;
    if (!shared.analysis || analysed === node) return;
    analysed = node;
    analyse(true);
  }

  /** Shows another node; the game's own node ends the looking. */
  function go(node) {
    if (node === undefined || node === null || !shared) return;
    if (node === shared.current) {
      target = null;
      if (!seen) return;
      seen = null;
      update();
      follow();
    } else request(node);
  }

  function arrive(game) {
    const first = !shared;
    if (shared && shared.session !== game.session) [seen, target] = [null, null];
    if (game.thinking && !shared?.thinking) since = performance.now();
    shared = game;
    if (seen && seen.game !== game.game) target = null;
    if (target !== null) request(target);
    update();
    // An earlier version kept the turn that was looked at last.
    if (first && game.tip !== null && game.tip !== game.current) session.send({ type: "goto", node: game.tip });
  }

  /** How long to wait before `game` may show, for the engine's move in it. */
  function wait(game) {
    if (!shared || shared.session !== game.session || shared.game !== game.game || shared.tip === game.tip) return 0;
    const parent = game.tree.find((each) => each.node === game.tip)?.parent;
    const answered = shared.thinking || (store.state.sent && parent !== shared.tip);
    return answered ? Math.max(since, store.state.sent?.sentAt ?? 0) + PAUSE - performance.now() : 0;
  }

  /** Passes messages on, in their order; the engine's answer waits a little. */
  function take(message, pass) {
    if (!held.length && (message.type !== "state" || wait(message) <= 0)) return pass(message);
    held.push(message);
    if (held.length === 1) {
      setTimeout(() => {
        const all = held;
        held = [];
        all.forEach(pass);
      }, Math.max(0, wait(message)));
    }
  }

  /** The node that the game stands at. */
  const home = () => shared?.current ?? 0;
  /** Shows the game again: which seat is this page's has changed. */
  const refresh = () => shared && update();
  return { arrive, take, go, home, analyse, refresh };
}
