// The page: starts its parts, passes the host's messages to the store, and handles the
// keys. What a part does is in its own module; only the host knows the rules.
//
// Names that tests rely on, other programs too: add freely, rename none.
//   #status        the side to move, or the result; data-to-move white|red|"",
//                  data-status open|pie|normal|last|over, data-thinking
//   #hint          what the player can do now
//   #message       why a move is illegal, or another message; data-kind
//                  illegal|error|info|hint|lesson|comment, data-code the rule's code
//   #connection    data-connection connecting|open|lost; data-saved true|false:
//                  whether the host has saved the game
//   #players       data-game: the number of the game
//   #live          announcements for screen readers
//   [data-cell=d4] the button of a cell: data-tile white|red; data-laid: holds
//                  the first tile of this turn; data-legal: a tile may go
//                  here (a second tile if #grid has data-seconds, the cell of
//                  the first); data-target: the bridge may end here;
//                  data-drag: a bridge may begin here
//   #board .laid   tiles not yet confirmed by the server
//   [data-bridge=d4-f4]      a bridge in the picture
//   #new-game → #new-dialog: #new-board #new-supply #new-tiles #new-bridges
//     #new-seat-white|red|both|watch #new-engine-white|red #new-pie #new-level
//     #new-level-value #new-clock #new-main … #new-start #apply-settings
//   #friend-send → #friend-dialog: #friend-text #friend-code #friend-copy
//   #offer: #offer-text -yes -no; #offer-draw #friend-free
//   #undo #swap #pass #move-now #resign (→ #confirm-yes, #confirm-no)
//   #analysis-toggle #ownership-toggle #unusable-toggle   aria-pressed
//   #panel-analysis          data-updates counts the updates drawn
//   [data-candidate]         a candidate on the board
//   [data-candidate-move]    its row; .look shows its variation, .take plays it
//   #tab-moves #tab-analysis #tab-record
//   [data-node] [data-turn]  a move in the list; the current one is aria-selected
//   [data-graph-turn]        a turn in the graph
//   #turns           #turn-first #turn-back #turn-forward #turn-last; #delete.
//                  main.table[data-stepping=true]: on a phone they are there
//   #look-back       the first step back, on a phone; #type-move #type-play #type-note
//   #review (data-running) #review-depth #review-progress (data-finished)
//   #review-summary [data-player] [data-value=accuracy]
//   #mistake-next #mistake-previous [data-mistake]; [data-again] tries its turn again
//   #save-format #save-copy #save-download #save-link #save-text #save-note
//   #load-text #load-button #load-file #load-note (data-kind, data-code)
//   #player-white|red data-who: human or the engine's name; contains
//                  [data-value=points|islands|bridges|tiles]
//   #networks-white|red  contain the networks as [data-islands][data-points]
//   #home #branch    back from looking at an earlier turn; variations from there
//   #hint-button   #review-now: reviews a game that is over
//   #tried           about a move tried again (data-right): #tried-title -text
//                  -again -best -back
//   #card            after a game: #card-title #card-worst [data-retry] #rematch
//   #editor-button → #editor-dialog: [data-edit=d4] #editor-note #editor-play …
//   #notice (data-code noStorage|noMemory) #notice-close
//   #menu-button     opens the menu of a narrow window
//   #sound-toggle #thoughts-toggle   aria-pressed
//   #games-button → #games-dialog: [data-session=ID] a game, .game opens it,
//                  .round deletes it (→ #confirm-yes); #games-note, #new-session
//   #language #theme #keys-button #keys-dialog

import { createAdvice } from "./advice.js";
import { createAnalysis } from "./analysis.js";
import { createBoard } from "./board.js";
import { createCard } from "./card.js";
import { byId, element, isForPage, onClick, setText } from "./dom.js";
import { createDoors } from "./doors.js";
import { createEditor } from "./editor.js";
import { createFiles } from "./files.js";
import { createFriend, isRemote } from "./friend.js";
import { createGames, createNewGame } from "./games.js";
import { splitMove } from "./geometry.js";
import { createExplorer } from "./explorer.js";
import { createGraph } from "./graph.js";
import { createGrid } from "./grid.js";
import { createHost } from "./host.js";
import { browser, tab } from "./memory.js";
import { createMenu } from "./menu.js";
import { createMoveField } from "./move-field.js";
import { createMoves } from "./moves.js";
import { createNotice } from "./notice.js";
import { createOverlays, FIRST_OVERLAYS, layersOf, OVERLAYS, sceneOf, sentHere } from "./overlays.js";
import { createPanels, createTabs } from "./panels.js";
import { createPlay, refuse } from "./play.js";
import { createPreferences, firstPreferences } from "./preferences.js";
import { createReview } from "./review.js";
import { createSession } from "./session.js";
import { createSound } from "./sound.js";
import { createStore } from "./store.js";
import { text } from "./texts.js";
import { createView } from "./view.js";

/**
 * What the parts of the page share.
 *
 * @typedef {object} Page
 * @property {import("./store.js").Store} store
 * @property {(key: string, values?: object) => string} say returns a text in the page's language
 * @property {(question: string, values?: object) => Promise<boolean>} ask asks the user to confirm something
 * @property {import("./host.js").Host} host
 * @property {ReturnType<typeof createSession>} session
 * @property {ReturnType<typeof createView>} view
 * @property {ReturnType<typeof createPlay>} play
 * @property {ReturnType<typeof createBoard>} board
 * @property {ReturnType<typeof createAdvice>} advice
 * @property {ReturnType<typeof createReview>} review
 * @property {(opponent: string) => void} openNewGame opens the dialog with this opponent selected
 * @property {() => void} toBoard shows the board and gives it the focus
 * @property {ReturnType<typeof createFriend>} friend
 */

const store = createStore({ connection: "connecting", overlays: FIRST_OVERLAYS, ...firstPreferences() });
const say = (key, values) => text(store.state.language, key, values);

/** Asks the user to confirm something. Resolves to whether the answer is yes. */
function ask(question, values = {}) {
  const dialog = byId("confirm-dialog");
  setText(byId("confirm-text"), say(question, values));
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true }));
}

/** The position whose last move is announced to screen readers. */
let announced = null;
const drawAnnounced = store.watch(() => {
  if (!announced?.last) return;
  const { last, score } = announced;
  const { kind, cells: [a, b] } = splitMove(last.move);
  const key = { tiles: "announceTiles", bridge: "announceBridge", pass: "announcePass", swap: "announceSwap" }[kind];
  const points = { white: score.white.points, red: score.red.points };
  setText(byId("live"), `${say(key, { player: last.player, a, b })} ${say("announceScore", points)}`);
});
function announce(game) {
  announced = game.position;
  drawAnnounced();
}

/** Where the first tile of a turn is stored, so that it survives a reload. */
const FIRST_TILE_KEY = "pontifex.tile";
const tileKey = (game) => [game.session, game.game, game.current].join();
function saveFirstTile({ game, here: { first } }) {
  if (game) tab.write(FIRST_TILE_KEY, first ? `${tileKey(game)} ${first}` : "");
}
function restoreFirstTile(game) {
  const [key, cell] = tab.read(FIRST_TILE_KEY)?.split(" ") ?? [];
  if (cell && key === tileKey(game)) play.tap(cell);
}

/** Shows the game as the host sent it, or another turn of it. */
function showGame(game) {
  const { game: previousGame, thinking, review } = store.state;
  const isNewGame = previousGame?.game !== game.game || previousGame?.session !== game.session;
  const hasMoved = isNewGame || previousGame.current !== game.current || previousGame.position.text !== game.position.text;
  const isForward = hasMoved && !isNewGame && game.tree.find(({ node }) => node === game.current)?.parent === previousGame?.current;
  const isOwnMove = Boolean(sentHere(store.state));
  // Another player's move is shown by motion and sound.
  store.set({
    game, clock: clockOf(game.clock), thinking: game.thinking ? thinking : null,
    movedNode: isForward && !isOwnMove ? game.current : null,
  });
  if (game.end && !previousGame?.end) store.note({ message: null, hintMove: null });
  if (previousGame?.review && !game.review && review && !isNewGame) store.set({ review: { ...review, finished: true } });
  if (hasMoved && previousGame) announce(game);
  if (isForward && previousGame.live && !isOwnMove) sound(splitMove(game.position.last.move).kind);
  if (isForward && previousGame.live && game.end) sound("end");
  if (!previousGame) restoreFirstTile(game);
  if (isNewGame) toBoard();
}

/** Shows the board and gives it the focus, unless a dialog or another view is open. */
function toBoard() {
  if (document.body.dataset.view !== "table" || document.querySelector("dialog[open]")) return;
  scrollTo(0, 0);
  document.querySelector(".side").scrollTop = 0;
  store.set({ focusRequestedAt: performance.now() });
}

const receive = {
  state: (game) => view.setState(game),
  hint: (hint) => advice.receiveHint(hint),
  retry: (judgement) => advice.receiveJudgement(judgement),
  considered: (comparison) => advice.receiveComparison(comparison),
  analysis: (analysis) => store.note({ analysis }, analysis.node),
  thinking: (thinking) => store.set({ thinking }),
  clock: (clock) => store.set({ clock: { ...clock, receivedAt: performance.now() } }),
  review: (review) => store.set({ review: { turns: [], ...review, line: store.state.review?.line } }),
  illegal: (reason) => refuse(store, reason),
  // An unreadable text is reported where it was loaded.
  error: (error) => error.unread || refuse(store, error),
};

/** @returns {import("./store.js").Clock|null} */
function clockOf(clock) {
  if (!clock || clock.kind === "none") return null;
  const running = clock.white?.running ? "white" : clock.red?.running ? "red" : null;
  const periods = { white: clock.white?.periods, red: clock.red?.periods };
  return { white: clock.white?.left, red: clock.red?.left, periods, running, receivedAt: performance.now() };
}

/** Whether the connection has been lost since the last `state`. */
let wasDisconnected = false;
let hasFirstState = false;
/** Whether the link in the address was opened before: its game exists. */
let isLinkKnown = false;
function handle(message) {
  receive[message.type]?.(message);
  if (message.type !== "state") return;
  if (wasDisconnected) play.resume();
  wasDisconnected = false;
  if (hasFirstState) return;
  hasFirstState = true;
  if (warning) store.note(warning);
  files.openLink(isLinkKnown);
  friend.openLink();
}
/** A warning from before the first position, which clears it: it is shown again then. @type {Partial<import("./store.js").Notes>|null} */
let warning = null;
const warn = (key, values = {}) => {
  warning = { message: { kind: "error", key, values } };
  store.note(warning);
};
const notice = createNotice(store, say);
const host = createHost((key, values) => (key === "noStorage" ? notice(key) : warn(key, values)));
const session = createSession(host, {
  message: (message) => view.receive(message, handle),
  sessionMissing: () => warn("noSession"),
  newGameRefused: (text) => store.note({ message: { kind: "error", key: "noNewGame", values: { text } } }),
  linkKnown: () => (isLinkKnown = true),
  // This device must find a friend's game again.
  keepsGame: () => isRemote(store.state.game),
  connection(connection) {
    store.set({ connection });
    if (connection !== "lost") return;
    wasDisconnected = true;
    play.lose();
    // Drawn at once: a quick reconnection would hide it.
    store.flush();
  },
  sessionId: (id) => store.set({ session: id }),
});

const view = createView({ store, session }, showGame);
const play = createPlay({ store, session, view });
const sound = createSound(store);
const board = createBoard(byId("board"));
const focusGrid = createGrid(byId("grid"), { store, play, say });
// This part is drawn after the grid, whose cells are then those of the new game.
store.watch(({ focusRequestedAt }) => focusRequestedAt && focusGrid(true));
/** @type {Page} */
const page = { store, say, ask, host, session, view, play, board, advice: null, review: null, friend: null, openNewGame: null, toBoard };
const advice = page.advice = createAdvice(page);
page.review = createReview(page);
const friend = page.friend = createFriend(page);
const files = createFiles(page);
for (const create of [
  createOverlays, createPanels, createMoves, createGraph, createAnalysis, createExplorer, createMoveField, createNewGame,
  createEditor, createCard, createGames, createDoors,
]) create(page);
createTabs(document.querySelector(".panels"));
createPreferences(store);
createMenu();
// The games are safe on the server; only progress and settings are lost.
if (!host.isLocal && !browser.isPersistent) notice("noMemory");

store.watch((state) => board.draw(sceneOf(state), layersOf(state)));
store.watch(saveFirstTile);

function typeMove() {
  byId("tab-moves").click();
  byId("type-move").focus();
}

/** The keys: name, key of the explanation, and actions, each a button's id or a function. */
const KEYS = [
  ["← ↑ → ↓", "keyArrows"], ["Enter, Space", "keyLay"], ["B", "keyBridge"], ["Esc", "keyCancel", { Escape: play.cancel }],
  ["H", "hint.get", { h: "hint-button" }], ["U", "keyUndo", { u: "undo" }],
  ["S", "keySwap", { s: "swap" }], ["Shift P", "keyPass", { P: "pass" }],
  ["M", "keyMoveNow", { m: "move-now" }],
  ...OVERLAYS.filter(({ shortcut }) => shortcut)
    .map(({ key, shortcut, help }) => [shortcut.toUpperCase(), help, { [shortcut]: `${key}-toggle` }]),
  ["N, P", "keyMistake", { n: "mistake-next", p: "mistake-previous" }],
  ["← →, PgUp PgDn", "keyTurns", {
    ArrowLeft: "turn-back", ",": "turn-back", PageUp: "turn-back",
    ArrowRight: "turn-forward", ".": "turn-forward", PageDown: "turn-forward",
  }],
  ["[ ]", "keyEnds", { "[": "turn-first", "]": "turn-last" }], ["G", "keyFocus", { g: () => focusGrid() }],
  ["T", "typeMove", { t: typeMove }], ["L", "keyGames", { l: "games-button" }],
  ["?", "keyTable", { "?": "keys-button" }],
];

/** The keys whose names depend on the keyboard's language. */
const NAMED_KEYS = /Enter|Space|Shift|Esc|PgUp|PgDn/g;

const actions = Object.assign({}, ...KEYS.map(([, , keyActions]) => keyActions));
addEventListener("keydown", (event) => {
  if (!isForPage(event)) return;
  const action = actions[event.key] ?? (event.key === "P" ? null : actions[event.key.toLowerCase()]);
  // Holding the key down must not play several moves.
  if (!action || event.repeat && action === "move-now") return;
  event.preventDefault();
  if (typeof action === "string") byId(action).click();
  else action();
});
onClick({ "keys-button": () => byId("keys-dialog").showModal() });
store.watch(() => byId("keys-table").tBodies[0].replaceChildren(...KEYS.map(([key, explanation]) => element("tr", {},
  element("th", { scope: "row" },
    element("kbd", { text: String(key).replace(NAMED_KEYS, (name) => say(`keyName.${name}`)) })),
  element("td", { text: say(explanation) })))));

host.info().then((info) => store.set({ info })).catch(() => {});
session.start();
