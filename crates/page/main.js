// The page: starts its parts and passes the host's messages to the store. The
// rules are in the host only.
//
// Names that tests rely on:
//   #status        the side to move, or the result; data-to-move white|red|"",
//                  data-status open|pie|normal|last|over, data-thinking
//   #hint          what the player can do now
//   #message       why a move is illegal, or another message; data-kind
//                  illegal|error|info|lesson, data-code the rule's code
//   #connection    data-connection connecting|open|lost; data-saved true|false:
//                  whether the host has saved the game
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
//   #undo #swap #pass #move-now #resign (→ #confirm-yes, #confirm-no)
//   #analysis-toggle #ownership-toggle #unusable-toggle   aria-pressed
//   #panel-analysis          data-updates counts the updates drawn
//   [data-candidate]         a candidate on the board
//   [data-candidate-move]    its row; .look shows its variation, .take plays it
//   #tab-moves #tab-analysis #tab-record
//   [data-node] [data-turn]  a move in the list; the current one is aria-selected
//   [data-graph-turn]        a turn in the graph
//   #turn-first #turn-back #turn-forward #turn-last #delete
//   #review (data-running) #review-depth #review-progress (data-finished)
//   #review-summary [data-player] [data-value=accuracy]
//   #mistake-next #mistake-previous [data-mistake]
//   #save-format #save-copy #save-download #save-link #save-text
//   #load-text #load-button #load-file
//   #player-white|red data-who: human or the engine's name; contains
//                  [data-value=points|islands|bridges|tiles]
//   #networks-white|red  contain the networks as [data-islands][data-points]
//   #home #branch    back from looking at an earlier turn; variations from there
//   #hint-button
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
import { byId, setText } from "./dom.js";
import { createDoors } from "./doors.js";
import { createEditor } from "./editor.js";
import { createFiles } from "./files.js";
import { createGames } from "./games.js";
import { parts } from "./geometry.js";
import { createGraph } from "./graph.js";
import { createGrid } from "./grid.js";
import { createHost } from "./host.js";
import { createKeys } from "./keys.js";
import { browser, tab } from "./memory.js";
import { createMoves } from "./moves.js";
import { createNewGame } from "./newgame.js";
import { createPanels, createTabs } from "./panels.js";
import { createPlay } from "./play.js";
import { createMenu, createNotice, createPreferences, firstPreferences } from "./preferences.js";
import { createReview, readTurn } from "./review.js";
import { sceneOf } from "./scene.js";
import { createSession } from "./session.js";
import { createSound } from "./sound.js";
import { createStore } from "./store.js";
import { text } from "./texts.js";
import { createTried } from "./tried.js";
import { createView } from "./view.js";

const store = createStore({
  connection: "connecting", session: null, info: null, game: null, analysis: null, thinking: null, clock: null,
  first: null, seconds: null, sent: null, bridgeFrom: null, pointer: null, message: null, marked: [],
  review: null, lesson: null, hover: null, near: null, pinned: null, glow: null,
  ownership: false, onlyOwnership: false, unusable: false, tools: false, branch: false, retry: null, tried: null, hint: null, coached: null, moved: null, ...firstPreferences(),
});
const say = (key, values) => text(store.state.language, key, values);

/** Asks the user to confirm. */
function ask(question, values) {
  const dialog = byId("confirm-dialog");
  setText(byId("confirm-text"), say(question, values));
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true }));
}

/** Announces the last move to screen readers. */
function announce(game) {
  const { last, score } = game.position;
  if (!last) return;
  const { kind, cells } = parts(last.move);
  const key = { tiles: "saidTiles", bridge: "saidBridge", pass: "saidPass", swap: "saidSwap" }[kind];
  const [a, b] = cells;
  setText(byId("live"), [
    say(key, { player: last.player, a, b }),
    say("saidScore", { white: score.white.points, red: score.red.points }),
  ].join(" "));
}

/** The first tile of a turn survives a reload. */
const TILE = "pontifex.tile";
const tileKey = (game) => [game.session, game.game, game.current].join();
function keepTile({ first, game }) {
  if (game) tab.write(TILE, first ? `${tileKey(game)} ${first}` : "");
}
function keptTile(game) {
  const [key, cell] = tab.read(TILE)?.split(" ") ?? [];
  if (cell && key === tileKey(game)) play.tap(cell);
}

/** Shows the game: as the server sent it, or another turn of it. */
function showGame(game) {
  const before = store.state.game;
  const isOther = before?.game !== game.game || before?.session !== game.session;
  const moved = isOther || before.current !== game.current || before.position.text !== game.position.text;
  const patch = { game, clock: clockOf(game.clock) };
  if (moved) {
    Object.assign(patch, { first: null, seconds: null, bridgeFrom: null, pointer: null, hover: null, pinned: null, glow: null, sent: null });
    const keeps = [store.state.lesson?.node, store.state.retry?.from].includes(game.current) && !isOther;
    if (!keeps) Object.assign(patch, { message: null, marked: [], lesson: null });
    if (isOther || game.current !== store.state.retry?.from) patch.retry = null;
    const { tried } = store.state;
    if (tried && (isOther || ![tried.from, tried.node].includes(game.current))) patch.tried = null;
    if (store.state.hint?.node !== game.current) patch.hint = null;
    if (isOther || store.state.analysis?.node !== game.current) patch.analysis = null;
  }
  if (!game.thinking) patch.thinking = null;
  const { review } = store.state;
  if (game.end && !before?.end) Object.assign(patch, { message: null, marked: [], hint: null });
  if (before?.review && !game.review && review) patch.review = { ...review, finished: true };
  if (before && isOther) Object.assign(patch, { review: null, tools: false });
  if (!game.analysis && store.state.onlyOwnership && before?.analysis) Object.assign(patch, { ownership: false, onlyOwnership: false });
  const { coached } = store.state;
  if (coached && (isOther ? coached.game !== game.game : game.end)) patch.coached = null;
  // A move of somebody else shows by motion and sound.
  const forth = moved && !isOther && game.tree.find((node) => node.node === game.current)?.parent === before?.current;
  patch.moved = forth && !store.state.sent ? game.current : null;
  const tiles = store.state.sent ? "own" : null;
  store.set(patch);
  if (moved && before) announce(game);
  if (forth && before.live && !tiles) sound(parts(game.position.last.move).kind);
  if (forth && before.live && game.end) sound("end");
  if (!before) keptTile(game);
}

const receive = {
  state: (game) => view.arrive(game),
  hint: (hint) => advice.take(hint),
  retry: (judgement) => tried.judged(judgement),
  analysis(analysis) {
    // If the state of this node has not arrived yet, both are drawn together.
    store.set({ analysis });
  },
  thinking: (thinking) => store.set({ thinking }),
  clock: (clock) => store.set({ clock: { ...clock, at: performance.now() } }),
  review(review) {
    const { line } = store.state.review ?? {};
    store.set({ review: { ...review, line, turns: (review.turns ?? []).map(readTurn) } });
  },
  illegal(reason) {
    const { code, text: said, data: values = {}, cells = [] } = reason;
    store.set({ message: { kind: "illegal", code, text: said, values }, marked: cells });
  },
  error(error) {
    store.set({ message: { kind: "error", key: "failed", values: { text: error.text } }, sent: null });
  },
};

function clockOf(clock) {
  if (!clock || clock.kind === "none") return null;
  const running = clock.white?.running ? "white" : clock.red?.running ? "red" : null;
  const periods = { white: clock.white?.periods, red: clock.red?.periods };
  return { white: clock.white?.left, red: clock.red?.left, periods, running, at: performance.now() };
}

/** Whether the connection has been lost since the last state. */
let isCut = false;
let greeted = false;
/** Whether the link in the address leads to a game that it has made before. */
let isOpened = false;
function handle(message) {
  receive[message.type]?.(message);
  if (message.type !== "state") return;
  if (isCut) play.resume();
  isCut = false;
  if (!greeted) {
    greeted = true;
    if (warning) store.set(warning);
    files.openLink(isOpened);
  }
}
/** What the host has to say before the first position would take its place. */
let warning = null;
const notice = createNotice(store, say);
const host = createHost((key, values) => {
  if (key === "noStorage") return notice(key);
  warning = { message: { kind: "error", key, values }, marked: [] };
  store.set(warning);
});
const session = createSession(host, {
  message: (message) => view.take(message, handle),
  missing: () => (warning = { message: { kind: "error", key: "noSession" }, marked: [] }),
  refused: (text) => store.set({ message: { kind: "error", key: "tooMany", values: { text } }, marked: [] }),
  opened: () => (isOpened = true),
  connection(connection) {
    if (connection === "lost") {
      isCut = true;
      play.lose();
    }
    store.set({ connection });
    // Before a quick reconnection hides it.
    if (connection === "lost") store.flush();
  },
  session: (id) => store.set({ session: id }),
});

const view = createView(store, session, showGame);
const play = createPlay(store, session, view);
const sound = createSound(store);
const advice = createAdvice(store, session, play, view);
const board = createBoard(byId("board"));
const grid = createGrid(byId("grid"), store, play, say);
const actions = createPanels(store, session, play, view, say, ask);
const turns = createMoves(store, session, play, say, ask);
const review = createReview(store, session, play, say);
const files = createFiles(store, host, session, board, say, ask);
createGraph(store, play, say);
createAnalysis(store, play, say);
createNewGame(store, session, say, ask);
createEditor(store, session, say, ask);
createCard(store, session, advice, review.before, say);
const tried = createTried(store, advice, play, view, say);
const games = createGames(store, host, session, say, ask);
createKeys(store, say, { play, actions, turns, review, grid, games, hint: advice.hint });
createTabs(document.querySelector(".panels"));
createDoors(store, host, session, say);
createPreferences(store);
createMenu();
// A server keeps the games all the same.
if (!host.isLocal && !browser.isLasting) notice("noMemory");

store.watch(
  ["game", "analysis", "first", "sent", "bridgeFrom", "pointer", "marked", "glow", "hover", "near", "pinned", "lesson", "hint", "moved", "ownership", "onlyOwnership", "unusable"],
  (state) => board.draw(sceneOf(state, play.targets)),
);
store.watch(["game", "first", "seconds", "bridgeFrom", "language"], grid.update);
store.watch(["first", "game"], keepTile);
store.watch(["language"], () => byId("grid").setAttribute("aria-label", say("boardLabel")));

host.info().then((info) => store.set({ info })).catch(() => {});
session.start();
