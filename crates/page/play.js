// The player's actions on the board: placing tiles, building bridges, passing.
// A tile shows at once; the server then confirms it or names the rule that
// forbids it.

import { bridge, pair } from "./geometry.js";
import { thinkingHere } from "./scene.js";
import { isAside, isElsewhere } from "./view.js";

/** How often a move is sent again. One that the host does not survive must not come back for ever. */
const REPEATS = 3;

/** Reasons that concern both ends of a bridge. */
const OF_PAIR = ["tile_under_bridge", "crosses_bridge"];

export function createPlay(store, session, view) {
  const game = () => store.state.game;
  const position = () => store.state.game?.position;

  /** Whether a move is possible in the position shown, if nobody only looks at it. */
  function open() {
    const now = game();
    return Boolean(now) && !thinkingHere(now) && !now.position.result
      && now.position.status !== "over" && !store.state.sent;
  }

  /** Whether the page shows an earlier turn of a game that goes on. */
  const looks = () => isElsewhere(game()) && !store.state.branch && store.state.retry?.from !== game().current;

  /** Whether the player can move now. */
  const ready = () => open() && !looks();

  /** Whether a tap counts; a tap on a turn that is only looked at says so. */
  function heard() {
    if (open() && looks()) store.set({ message: { kind: "info", key: "looking", values: { turn: position().turn } }, marked: [] });
    return ready();
  }

  const mine = (cell) => position().tiles[position().to_move].includes(cell);

  /** The cells where a bridge from `cell` may end. */
  function targets(cell) {
    const ends = [];
    for (const name of position()?.legal.bridges ?? []) {
      const [from, to] = name.split("-");
      if (from === cell) ends.push(to);
      if (to === cell) ends.push(from);
    }
    return ends;
  }

  function quiet() {
    store.set({ message: null, marked: [] });
  }

  function offline() {
    store.set({ message: { kind: "error", key: "offline" }, sent: null });
  }

  /** Sends a move, now or when the connection is back, and shows it until the server answers. */
  function send(move) {
    quiet();
    const node = game().current;
    const again = store.state.retry?.from === node;
    const request = again ? { type: "retry", node, move } : { type: "play", move, node, aside: isAside(game()) };
    store.set({ sent: { move, player: position().to_move, at: performance.now(), request, isLost: false, repeats: 0 }, bridgeFrom: null, pointer: null });
    store.flush();
    if (!post(request)) lose();
  }

  function post(request) {
    return session.ask(request, (answer) => {
      store.set({ sent: null });
      if (answer.type !== "state" && answer.type !== "played") return;
      store.set({ first: null, seconds: null });
      // The game goes on after the move.
      if (answer.type === "state") view.go(view.home());
      else {
        const { retry } = store.state;
        if (request.type === "retry" && retry) store.set({ tried: { from: request.node, node: answer.node, turn: retry.turn, judgement: null } });
        store.set({ branch: true, retry: null });
        view.go(answer.node);
      }
    });
  }

  /** The connection is lost, and with it what was asked and not answered. */
  function lose() {
    const { sent } = store.state;
    if (sent) store.set({ sent: { ...sent, isLost: true } });
  }

  /** The host is there again, and the position is as it was: asks once more what it may not have heard. */
  function resume() {
    const { sent, first, seconds } = store.state;
    if (!sent) {
      if (first && !seconds) askSeconds(first);
    } else if (sent.isLost && sent.repeats === REPEATS) {
      offline();
    } else if (sent.isLost) {
      store.set({ sent: { ...sent, isLost: false, repeats: sent.repeats + 1 } });
      if (!post(sent.request)) lose();
    }
  }

  /** From now on, moves at the turn looked at are variations beside the game. */
  function branch() {
    store.set({ branch: true, message: null, marked: [] });
  }

  /** Shows the game where it stands. */
  function home() {
    store.set({ branch: false, retry: null, tried: null, lesson: null });
    quiet();
    view.go(view.home());
  }

  function why(question) {
    store.set({ marked: [] });
    if (!session.ask({ type: "why", node: game().current, ...question }, () => {})) offline();
  }

  function layFirst(cell) {
    if (!position().legal.cells.includes(cell)) {
      why({ cell });
      return;
    }
    quiet();
    store.set({ first: cell, seconds: null });
    store.flush();
    askSeconds(cell);
  }

  function askSeconds(first) {
    session.ask({ type: "seconds", first, node: game().current }, (answer) => {
      if (answer.type === "seconds" && store.state.first === first) {
        store.set({ seconds: { first, cells: new Set(answer.cells) } });
      }
    });
  }

  function laySecond(cell) {
    const { first, seconds } = store.state;
    const legal = seconds?.first === first ? seconds.cells.has(cell) : position().legal.cells.includes(cell);
    if (legal) send(pair(first, cell));
    else why({ first, cell });
  }

  function takeBack() {
    store.set({ first: null, seconds: null });
    quiet();
    store.flush();
  }

  /**
   * Starts a bridge at one of the player's tiles. If no bridge can be built there,
   * the tile is chosen all the same, and its other end tells why; what forbids every
   * bridge from it is told at once.
   */
  function begin(cell) {
    quiet();
    if (!mine(cell)) return why({ from: cell });
    store.set({ bridgeFrom: cell, first: null, seconds: null });
    store.flush();
    if (targets(cell).length) return;
    const asked = session.ask({ type: "why", node: game().current, from: cell }, ({ code, data }) => {
      if (store.state.bridgeFrom !== cell) return;
      // The host names some pair of tiles, but which one is meant is not known yet.
      if (OF_PAIR.includes(code) || (code === "carries_bridge" && data.cell !== cell)) return quiet();
      if (code === "no_bridge_from") taken(cell);
      store.set({ bridgeFrom: null, pointer: null });
    });
    if (!asked) offline();
  }

  /** Says that there is a tile on the cell already. */
  function taken(cell) {
    store.set({ message: { kind: "illegal", code: "occupied", values: { cell, color: position().to_move } }, marked: [cell] });
  }

  /**
   * Finishes the bridge at `cell`, or says why it cannot. With `switches`, a tile of
   * the player that is nowhere near starts another bridge instead.
   */
  function end(cell, switches = false) {
    const from = store.state.bridgeFrom;
    if (cell === from) return cancel();
    if (targets(from).includes(cell)) return send(bridge(from, cell));
    store.set({ marked: [] });
    const asked = session.ask({ type: "why", node: game().current, move: bridge(from, cell) }, ({ code }) => {
      if (switches && code === "no_bridge_shape" && store.state.bridgeFrom === from) begin(cell);
    });
    if (!asked) offline();
  }

  /** Handles a tap on a cell. */
  function tap(cell) {
    if (!heard()) return;
    const { bridgeFrom, first } = store.state;
    if (bridgeFrom) {
      if (mine(cell)) return end(cell, true);
      store.set({ bridgeFrom: null });
    }
    if (cell === first) takeBack();
    else if (mine(cell)) begin(cell);
    else if (first) laySecond(cell);
    else layFirst(cell);
  }

  /** Handles the bridge key: starts or finishes a bridge. */
  function bridgeKey(cell) {
    if (!heard()) return;
    if (store.state.bridgeFrom) end(cell);
    else begin(cell);
  }

  function cancel() {
    store.set({ bridgeFrom: null, pointer: null, first: null, seconds: null, pinned: null, lesson: null, hint: null });
    quiet();
    store.flush();
  }

  /** Takes back the first tile or a move that waits for the connection, or else the last turn. */
  function undo() {
    const now = game();
    if (store.state.sent?.isLost) {
      store.set({ sent: null });
      cancel();
    } else if (store.state.first || store.state.bridgeFrom) cancel();
    else if (now.current !== view.home()) go(now.tree.find((each) => each.node === now.current)?.parent);
    else if (!session.send({ type: "undo" })) offline();
  }

  function pass() {
    if (ready() && position().legal.pass) send("pass");
  }

  function swap() {
    if (ready() && position().legal.swap) send("swap");
  }

  /** Plays a whole move, such as a candidate of the analysis. */
  function move(text) {
    if (heard()) send(text);
  }

  /** Goes to another turn. */
  function go(node) {
    if (node !== undefined && node !== null && node !== game()?.current) view.go(node);
  }

  return { looks, branch, home, ready, mine, targets, tap, begin, end, bridgeKey, cancel, undo, pass, swap, move, go, lose, resume };
}
