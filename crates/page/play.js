// The player's actions on the board: placing tiles, building bridges, passing.
// A tile is shown at once; the host then confirms it or names the rule that
// forbids it. Lessons and puzzles play with the same functions on a board of their own.
// It knows no rules; which node is shown, and what a move there means, is in view.js.

import { friendTexts, isFriendToMove } from "./friend.js";
import { bridgeEnds, bridgeName, pairName, splitMove } from "./geometry.js";
import { sentHere, thinkingHere } from "./overlays.js";
import { isAside, isElsewhere } from "./view.js";

/** How often a move is sent again: one that crashes the host must not be repeated forever. */
const MAX_RESENDS = 3;

/** The rules that concern both ends of a bridge. */
const PAIR_RULES = ["tile_under_bridge", "crosses_bridge"];

/**
 * Shows why a move or another request was refused.
 * @param {import("./store.js").Store} store
 * @param {{type: string, code?: string, text?: string, data?: object, cells?: string[]}} answer
 */
export function refuse(store, { type, code, text, data: values = {}, cells }) {
  const isIllegal = type === "illegal";
  store.note({ message: isIllegal ? { kind: "illegal", code, text, values, cells } : { kind: "error", key: "failed", values: { text } } });
  if (!isIllegal) store.set({ sent: null });
}

/**
 * @param {object} page
 * @param {import("./store.js").Store} page.store
 * @param {Pick<import("./main.js").Page["session"], "ask"|"send">} page.session
 * @param {Pick<import("./main.js").Page["view"], "go"|"home">} page.view
 */
export function createPlay({ store, session, view }) {
  const game = () => store.state.game;
  const position = () => store.state.game?.position;
  const { here } = store.state;

  /** Whether a move is possible in the position shown, apart from looking back. */
  function isOpen() {
    const shownGame = game();
    return Boolean(shownGame) && !thinkingHere(shownGame) && !isFriendToMove(shownGame) && !shownGame.position.result
      && shownGame.position.status !== "over" && !sentHere(store.state);
  }

  /** Whether the page shows an earlier turn of a running game. */
  const isLookingBack = () => isElsewhere(game()) && !store.state.branch && !here.retry;

  /** Whether the player can move now. */
  const isReady = () => isOpen() && !isLookingBack();

  /** Returns whether a tap counts. If not, says so where the user may not know why. */
  function acceptTap() {
    if (isFriendToMove(game())) say("info", friendTexts(game())[1]);
    if (isOpen() && isLookingBack()) say("info", "looking", { turn: position().turn });
    return isReady();
  }

  const isOwnTile = (cell) => position().tiles[position().to_move].includes(cell);

  const say = (kind, key, values = {}) => store.note({ message: { kind, key, values } });
  const clearMessage = () => store.note({ message: null });
  const offline = () => say("error", "offline");
  /** Forgets the first tile, or the bridge that was started. */
  const clearSelection = () => store.note({ bridgeFrom: null, pointer: null, first: null, seconds: null });

  /** Sends a move, now or when the connection is back, and shows it until the host answers. */
  function send(move) {
    clearMessage();
    const node = game().current;
    /** @type {import("./messages.d.ts").Request} */
    const request = here.retry ? { type: "retry", node, move } : { type: "play", move, node, aside: isAside(game()) };
    store.set({ sent: { node, move, player: position().to_move, sentAt: performance.now(), request, isLost: false, repeats: 0 } });
    store.note({ bridgeFrom: null, pointer: null });
    store.flush();
    if (guard && request.type === "play" && !request.aside) sendGuarded(request);
    else if (!post(request)) lose();
  }

  /** Asks the guard, and sends the move unless the user takes it back. */
  async function sendGuarded(request) {
    const { sent } = store.state;
    guardedMove = sent;
    const isConfirmed = await guard(request.move);
    guardedMove = null;
    // Meanwhile the connection may have been lost, or the game may have changed.
    if (store.state.sent !== sent) return;
    if (!isConfirmed) {
      store.set({ sent: null });
      clearSelection();
    } else if (!post(request)) lose();
  }

  /** The move that waits for the guard's answer before it is sent. */
  let guardedMove = null;
  /** Says whether to play a move of the game, before it is sent. @type {((move: string) => Promise<boolean>)|null} */
  let guard = null;

  function post(request) {
    const { node } = request;
    const turn = here.retry;
    return session.ask(request, (answer) => {
      store.set({ sent: null });
      // The answer does not know which tile was first: the second one is to blame.
      if (answer.type === "illegal" && here.first) {
        askWhy({ first: here.first, cell: splitMove(request.move).cells.find((each) => each !== here.first) });
      }
      if (answer.type !== "state" && answer.type !== "played") return;
      store.note({ first: null, seconds: null, retry: null, hintMove: null, hint: null, mistakeShown: null }, node);
      // A move of the game: the page follows the game.
      if (answer.type === "state") return view.go(view.home());
      const attempt = { from: node, node: answer.node, turn };
      if (request.type === "retry" && turn) for (const each of [node, answer.node]) store.note({ tried: attempt }, each);
      store.set({ branch: true });
      view.go(answer.node);
    });
  }

  /** The connection is lost, and the unanswered move with it. */
  function lose() {
    const { sent } = store.state;
    if (sent) store.set({ sent: { ...sent, isLost: true } });
  }

  /** After a reconnection, repeats the unanswered request if the position is unchanged. */
  function resume() {
    const { sent } = store.state;
    if (sentHere(store.state) && sent.repeats < MAX_RESENDS) {
      store.set({ sent: { ...sent, isLost: false, repeats: sent.repeats + 1 } });
      if (!post(sent.request)) lose();
    } else if (sent) {
      if (sentHere(store.state)) offline();
      store.set({ sent: null });
    } else if (here.first && !here.seconds) askSeconds(here.first);
  }

  /** Makes moves at the turn shown variations beside the game, from now on. */
  function branch() {
    store.set({ branch: true });
    clearMessage();
  }

  /** Goes back to the current turn of the game. */
  function home() {
    const { current } = game();
    for (const node of here.tried ? [here.tried.from, here.tried.node] : [current]) {
      store.note({ retry: null, tried: null, judgement: null, solution: null, mistakeShown: null, message: null }, node);
    }
    store.set({ branch: false });
    view.go(view.home());
  }

  function askWhy(question) {
    if (!session.ask({ type: "why", node: game().current, ...question }, () => {})) offline();
  }

  function layFirst(cell) {
    if (!position().legal.cells.includes(cell)) {
      askWhy({ cell });
      return;
    }
    store.note({ first: cell, seconds: null, message: null });
    store.flush();
    askSeconds(cell);
  }

  function askSeconds(first) {
    const node = game().current;
    session.ask({ type: "seconds", first, node }, (answer) => {
      if (answer.type === "seconds" && here.first === first && game().current === node) store.note({ seconds: new Set(answer.cells) });
    });
  }

  function laySecond(cell) {
    const { first, seconds } = here;
    if (seconds ? seconds.has(cell) : position().legal.cells.includes(cell)) send(pairName(first, cell));
    else askWhy({ first, cell });
  }

  function takeBack() {
    clearSelection();
    clearMessage();
    store.flush();
  }

  /**
   * Starts a bridge at one of the player's tiles. If no bridge can be built there, the tile is
   * still selected, and choosing the other end shows why. If a rule forbids every bridge from the
   * tile, the page says so at once.
   */
  function begin(cell) {
    clearMessage();
    if (!isOwnTile(cell)) return askWhy({ from: cell });
    store.note({ bridgeFrom: cell, first: null, seconds: null });
    store.flush();
    if (bridgeEnds(position(), cell).length) return;
    const isSent = session.ask({ type: "why", node: game().current, from: cell }, (answer) => {
      if (answer.type !== "illegal" || here.bridgeFrom !== cell) return;
      const { code } = answer;
      // The host names one pair of tiles, but the other end is not chosen yet.
      if (PAIR_RULES.includes(code) || (answer.code === "carries_bridge" && answer.data.cell !== cell)) return clearMessage();
      if (code === "no_bridge_from") sayOccupied(cell);
      store.note({ bridgeFrom: null, pointer: null });
    });
    if (!isSent) offline();
  }

  /** Says that there is a tile on the cell already. */
  function sayOccupied(cell) {
    store.note({ message: { kind: "illegal", code: "occupied", values: { cell, color: position().to_move }, cells: [cell] } });
  }

  /**
   * Finishes the bridge at `cell`, or says why it cannot. With `mayRestart`, one of the player's
   * tiles that is out of reach starts another bridge instead.
   */
  function end(cell, mayRestart = false) {
    const from = here.bridgeFrom;
    if (cell === from) return cancel();
    if (bridgeEnds(position(), from).includes(cell)) return send(bridgeName(from, cell));
    const isSent = session.ask({ type: "why", node: game().current, move: bridgeName(from, cell) }, (answer) => {
      if (!mayRestart || answer.type !== "illegal" || here.bridgeFrom !== from) return;
      if (answer.code === "no_bridge_shape") begin(cell);
      else store.note({ bridgeFrom: null, pointer: null });
    });
    if (!isSent) offline();
  }

  /** Handles a tap on a cell. */
  function tap(cell) {
    if (!acceptTap()) return;
    const { bridgeFrom, first } = here;
    if (bridgeFrom) {
      if (isOwnTile(cell)) return end(cell, true);
      store.note({ bridgeFrom: null });
    }
    if (cell === first) takeBack();
    else if (isOwnTile(cell)) begin(cell);
    else if (first) laySecond(cell);
    else layFirst(cell);
  }

  /** Handles the bridge key: starts or finishes a bridge. */
  function bridgeKey(cell) {
    if (!acceptTap()) return;
    if (here.bridgeFrom) end(cell);
    else begin(cell);
  }

  function cancel() {
    clearSelection();
    store.note({ pinned: null, mistakeShown: null, hintMove: null, message: null });
    store.flush();
  }

  /** Takes back the first tile or a move that waits for the connection, or else the last move. */
  function undo() {
    const shownGame = game();
    const sentMove = sentHere(store.state);
    if (sentMove && (sentMove.isLost || sentMove === guardedMove)) {
      store.set({ sent: null });
      cancel();
    } else if (here.first || here.bridgeFrom) cancel();
    else if (shownGame.current !== view.home()) go(shownGame.tree.find((each) => each.node === shownGame.current)?.parent);
    else if (!session.send(shownGame.shared ? { type: "offer", offer: "takeback" } : { type: "undo" })) offline();
  }

  function pass() {
    if (isReady() && position().legal.pass) send("pass");
  }

  function swap() {
    if (isReady() && position().legal.swap) send("swap");
  }

  /** Plays a whole move, such as a candidate of the analysis. */
  function move(text) {
    if (acceptTap()) send(text);
  }

  /** Goes to another turn. */
  function go(node) {
    if (node !== undefined && node !== null && node !== game()?.current) view.go(node);
  }

  return {
    setGuard: (ask) => { guard = ask; }, isLookingBack, branch, home, isReady, isOwnTile, tap, begin, end, bridgeKey,
    cancel, undo, pass, swap, move, go, lose, resume,
  };
}
