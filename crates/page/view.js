// The node that this page shows. Looking at another turn concerns this page only: the game, and
// other pages that show it, are not affected. It also delays an engine's move a little, so that
// it does not come too abruptly. How a node is drawn is decided elsewhere.

import { playersFor } from "./friend.js";

/** The shortest time between a move and the engine's answer on the board, in milliseconds. */
const ANSWER_DELAY = 500;

/** The keys of a `state` whose values belong to a node. */
const NODE_KEYS = ["current", "players", "main", "end", "position"];

/** @import { ShownGame } from "./store.js" */

/** Whether the page shows another turn than the current one of a running game. @param {ShownGame} game */
export const isElsewhere = (game) => Boolean(game?.live) && game.tip !== game.current;

/** Whether a move made here is a variation, which leaves the game as it was played. @param {ShownGame} game */
export const isAside = (game) => (game.live ? game.tip !== game.current : game.tip !== null || Boolean(game.final.end));

/** Whether the turn shown is not part of the game, which has ended or is paused. @param {ShownGame} game */
export const isBeside = (game) =>
  !game.live && (game.tip === null ? !game.final.main.includes(game.current) : game.current !== game.final.current);

/**
 * @param {Pick<import("./main.js").Page, "store"|"session">} page
 * @param {(game: import("./store.js").ShownGame) => void} show receives the game as this page sees it
 */
export function createView({ store, session }, show) {
  /** The server's last `state`. */
  let serverState = null;
  /** The last `view` of an earlier node; null while the page follows the game. */
  let viewed = null;
  let thinkingSince = 0;
  let heldMessages = [];
  /** The node to be shown when its `view` arrives. */
  let target = null;

  const hasNode = (node) => serverState.tree.some((each) => each.node === node);

  function composeGame() {
    const { seat } = store.state;
    const final = { ...serverState, players: playersFor(serverState, serverState, seat) };
    const game = { ...final, line: serverState.main, final };
    if (viewed) for (const key of NODE_KEYS) game[key] = viewed[key];
    if (viewed) game.players = playersFor(serverState, viewed, seat);
    return game;
  }

  function update() {
    if (viewed?.game !== serverState.game || !hasNode(viewed.current)) viewed = null;
    if (store.state.branch && !viewed) store.set({ branch: false });
    show(composeGame());
  }

  function request(node) {
    target = node;
    session.ask({ type: "view", node }, (answer) => {
      if (node !== target || "game" in answer && answer.game !== serverState.game) return;
      // The node may have been deleted.
      [viewed, target] = answer.type === "view" ? [answer, node] : [null, null];
      update();
      follow();
    });
  }

  /** Runs the analysis of the node shown, or stops it. */
  function analyse(on, ownership = Boolean(store.state.overlays.ownership)) {
    return session.send({ type: "analyze", on, ownership, multi: 20, node: viewed?.current });
  }

  let analysedNode = null;
  /** Moves a running analysis to the node shown. */
  function follow() {
    const node = viewed?.current ?? null;
    if (!serverState.analysis || analysedNode === node) return;
    analysedNode = node;
    analyse(true);
  }

  /** Shows another node; the game's current node makes the page follow the game again. */
  function go(node) {
    if (node === undefined || node === null || !serverState) return;
    if (node === serverState.current) {
      target = null;
      if (!viewed) return;
      viewed = null;
      update();
      follow();
    } else request(node);
  }

  function setState(game) {
    const first = !serverState;
    if (serverState && serverState.session !== game.session) [viewed, target] = [null, null];
    if (game.thinking && !serverState?.thinking) thinkingSince = performance.now();
    serverState = game;
    if (viewed && viewed.game !== game.game) target = null;
    if (target !== null) request(target);
    update();
    // An earlier version saved the turn that was viewed last.
    if (first && game.tip !== null && game.tip !== game.current) session.send({ type: "goto", node: game.tip });
  }

  /** Returns how long `game` must wait before it is shown, because of an engine's move in it. */
  function delayOf(game) {
    if (!serverState || serverState.session !== game.session || serverState.game !== game.game || serverState.tip === game.tip) return 0;
    const parent = game.tree.find((each) => each.node === game.tip)?.parent;
    const hasAnswer = serverState.thinking || (store.state.sent && parent !== serverState.tip);
    return hasAnswer ? Math.max(thinkingSince, store.state.sent?.sentAt ?? 0) + ANSWER_DELAY - performance.now() : 0;
  }

  /** Passes messages on in order, delayed for an engine's move. */
  function receive(message, handle) {
    if (!heldMessages.length && (message.type !== "state" || delayOf(message) <= 0)) return handle(message);
    heldMessages.push(message);
    if (heldMessages.length === 1) {
      setTimeout(() => {
        const all = heldMessages;
        heldMessages = [];
        all.forEach(handle);
      }, Math.max(0, delayOf(message)));
    }
  }

  /** Returns the current node of the game. */
  const home = () => serverState?.current ?? 0;
  /** Shows the game again after this page's seat has changed. */
  const refresh = () => serverState && update();
  return { setState, receive, go, home, analyse, refresh };
}
