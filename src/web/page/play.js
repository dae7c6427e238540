// The player's actions on the board: placing tiles, building bridges, passing.
// A tile shows at once; the server then confirms it or names the rule that
// forbids it.

import { bridge, pair } from "./geometry.js";
import { thinkingHere } from "./scene.js";

export function createPlay(store, session) {
  const game = () => store.state.game;
  const position = () => store.state.game?.position;

  /** Whether the player can move now. */
  function ready() {
    const now = game();
    return Boolean(now) && !thinkingHere(now) && !now.position.result
      && now.position.status !== "over" && !store.state.sent;
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

  /** Sends a move and shows it until the server answers. */
  function send(move) {
    quiet();
    store.set({ sent: { move, player: position().to_move }, bridgeFrom: null, pointer: null });
    store.flush();
    const asked = session.ask({ type: "play", move }, (answer) => {
      store.set({ sent: null });
      if (answer.type === "state") store.set({ first: null, seconds: null });
    });
    if (!asked) offline();
  }

  function why(question) {
    store.set({ marked: [] });
    if (!session.ask({ type: "why", ...question }, () => {})) offline();
  }

  function layFirst(cell) {
    if (!position().legal.cells.includes(cell)) {
      why({ cell });
      return;
    }
    quiet();
    store.set({ first: cell, seconds: null });
    store.flush();
    session.ask({ type: "seconds", first: cell }, (answer) => {
      if (answer.type === "seconds" && store.state.first === cell) {
        store.set({ seconds: { first: cell, cells: new Set(answer.cells) } });
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

  /** Starts a bridge at one of the player's tiles, or shows why it cannot. */
  function begin(cell) {
    quiet();
    if (!mine(cell) || !targets(cell).length) {
      const key = mine(cell) ? "noBridge" : "notYours";
      store.set({ message: { kind: "illegal", key, values: { cell } }, marked: [cell] });
      return;
    }
    store.set({ bridgeFrom: cell, first: null, seconds: null });
    store.flush();
  }

  /** Finishes the bridge at `cell`. */
  function end(cell) {
    const from = store.state.bridgeFrom;
    if (cell === from) cancel();
    else if (targets(from).includes(cell)) send(bridge(from, cell));
    else why({ move: bridge(from, cell) });
  }

  /** Handles a tap on a cell. */
  function tap(cell) {
    if (!ready()) return;
    const { bridgeFrom, first } = store.state;
    if (bridgeFrom) {
      const switches = mine(cell) && cell !== bridgeFrom && !targets(bridgeFrom).includes(cell) && targets(cell).length;
      if (switches) return begin(cell);
      if (mine(cell)) return end(cell);
      store.set({ bridgeFrom: null });
    }
    if (cell === first) takeBack();
    else if (mine(cell)) begin(cell);
    else if (first) laySecond(cell);
    else layFirst(cell);
  }

  /** Handles the bridge key: starts or finishes a bridge. */
  function bridgeKey(cell) {
    if (!ready()) return;
    if (store.state.bridgeFrom) end(cell);
    else begin(cell);
  }

  function cancel() {
    store.set({ bridgeFrom: null, pointer: null, first: null, seconds: null, pinned: null, lesson: null });
    quiet();
    store.flush();
  }

  /** Takes back the first tile, or else the last turn. */
  function undo() {
    if (store.state.first || store.state.bridgeFrom) cancel();
    else session.send({ type: "undo" });
  }

  function pass() {
    if (ready() && position().legal.pass) send("pass");
  }

  function swap() {
    if (ready() && position().legal.swap) send("swap");
  }

  /** Plays a whole move, such as a candidate of the analysis. */
  function move(text) {
    if (ready()) send(text);
  }

  /** Goes to another turn. */
  function go(node) {
    if (node !== undefined && node !== null && node !== game()?.current) session.send({ type: "goto", node });
  }

  return { ready, mine, targets, tap, begin, end, bridgeKey, cancel, undo, pass, swap, move, go };
}
