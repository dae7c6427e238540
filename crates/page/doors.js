// The ways in: the first visit's three doors, the lessons and the puzzles. The
// address says which is shown: `#home`, `#learn`, `#puzzles`, `#daily`, `#progress`;
// without one of these, the board. What each of them does is in learn.js, puzzles.js and
// progress.js.
//
// Names that tests rely on:
//   body[data-view]   table|home|learn|puzzles|progress
//   #doors            [data-door=resume|learn|play|friend|analyse]
//   #practice         lessons and puzzles: [data-cell] as in the game,
//                     [data-exercise] once its position is on the board,
//                     #exercise-title -text -next -retry -show -pass -swap,
//                     #exercise-verdict[data-right], .reason[data-code]
//   [data-lesson]     a lesson (data-done); #play-first; [data-annotated] a game
//   #puzzle-theme #puzzle-difficulty #puzzle-daily #puzzle-progress,
//   [data-turn] in #right-turns

import { createBoard } from "./board.js";
import { byId, button, drawing, element, isForPage, isWithin, press, setText, show } from "./dom.js";
import { nameOf } from "./games.js";
import { COLORS, readPosition } from "./geometry.js";
import { createLearn } from "./learn.js";
import { createProgress } from "./learning.js";
import { savePreference, readPreference } from "./memory.js";
import { createDesk } from "./practice.js";
import { createProgressView } from "./progress.js";
import { createPuzzles } from "./puzzles.js";
import { translate, typeset } from "./texts.js";

/** A position of a game of the engine against itself. */
const GAME = "3rr1rr/rr1wwwwr/rr5r/w1wwww1w/rrrr1rrw/2ww1w1w/rrrw1w2/1r1w1ww1 w b4-b6,b7-d8,e8-g8,c5-d7,d1-f1,g1-h3";
const VIEWS = { "#home": "home", "#learn": "learn", "#puzzles": "puzzles", "#daily": "puzzles", "#progress": "progress" };

/**
 * The first visit's page: what the game looks like, and the doors into it. With a game
 * that goes on, the first door leads back to it.
 * @param {import("./store.js").Store} store
 * @param {(key: string, values?: object) => string} say
 * @param {ReturnType<typeof createProgress>} progress
 * @param {Record<"resume"|"learn"|"play"|"friend"|"analyse"|"remember", () => void>} ways
 */
function createHome(store, say, progress, ways) {
  const picture = drawing("svg", { class: "picture", role: "img" });

  const door = (name, key) => element("button", { type: "button", class: "door", "data-door": name, onclick: ways[name] },
    element("span", { class: `emblem ${name}`, "aria-hidden": "true" }),
    element("strong", { "data-text": key }), element("span", { class: "about", "data-text": `${key}Text` }));
  const resume = door("resume", "doorResume");
  const about = resume.querySelector(".about");
  delete about.dataset.text;
  const [learn, play] = [door("learn", "doorLearn"), door("play", "doorPlay")];
  const progressNote = element("span", { class: "done" });
  learn.querySelector(".about").after(progressNote);
  const title = element("h2", { tabindex: -1 });
  const root = element("main", { class: "home", id: "doors", hidden: true },
    picture,
    element("div", { class: "welcome" },
      title,
      element("p", { class: "lead", "data-text": "homeLead" }),
      element("div", { class: "doors" }, resume, learn, play, door("friend", "doorFriend"), door("analyse", "doorAnalyse")),
      element("p", { class: "row" },
        element("a", { class: "button", href: "#daily", "data-text": "doorDaily", onclick: ways.remember }),
        element("a", { class: "button", href: "#puzzles", "data-text": "puzzles", onclick: ways.remember }))));

  function drawDoors() {
    if (root.hidden) return;
    // Most visits begin elsewhere.
    if (!picture.firstChild) createBoard(picture).draw(readPosition(GAME));
    const game = store.state.game?.final;
    const goesOn = Boolean(store.state.game?.live) && !game.end && game.tree.length > 1;
    show(resume, goesOn);
    if (goesOn) {
      const engine = COLORS.find((player) => game.players[player] !== "human");
      const opponent = engine ? nameOf(store.state, game, engine) : say("both");
      setText(about, say("doorResumeText", { opponent, turn: game.position.turn }));
    }
    const count = Object.keys(progress.all.lessons).length;
    setText(progressNote, count ? `✓ ${say("lessonCount", { count })}` : "");
    // The door that is most likely the right one.
    const first = goesOn ? resume : progress.all.learnt ? play : learn;
    for (const each of [resume, learn, play]) each.classList.toggle("first", each === first);
  }

  const draw = store.watch(drawDoors);
  store.watch(() => {
    picture.setAttribute("aria-label", say("homePicture"));
    // Each sentence keeps together.
    title.replaceChildren(...say("homeTitle").split(/(?<=\.) /).flatMap((sentence) => [element("span", { text: sentence }), " "]));
    for (const node of root.querySelectorAll("[data-text]")) node.textContent = say(node.dataset.text);
  });
  return { root, draw };
}

/** @param {import("./main.js").Page} page */
export function createDoors(page) {
  const { store, host, session, say, ask } = page;
  const table = /** @type {HTMLElement} */ (document.querySelector("main.table"));
  const progress = createProgress();
  let desk = null;
  let exercises = null;
  let parts = null;
  let currentDoor = null;

  const remember = () => savePreference("seen", "yes");

  const home = createHome(store, say, progress, { resume: toTable, learn: () => go("#learn"), play, friend: playFriend, analyse, remember });
  const guide = element("section", { class: "guide" });
  const choice = element("section", { class: "more" });
  const practice = element("main", { class: "practice", id: "practice", hidden: true });
  const overview = createProgressView({ store, host, say, progress, ways: { learn: () => go("#learn"), daily: () => go("#daily"), play: playLevel } });
  table.after(home.root, practice, overview.root);

  const menu = [["home", "homeButton"], ["table", "board"], ["learn", "learn"], ["puzzles", "puzzles"], ["progress", "progress"]].map(([view, key]) =>
    button(`${view}-button`, key, () => (view === "table" ? toTable() : go(`#${view}`))));
  byId("games-button").before(...menu);
  // The name of the game leads home.
  addEventListener("click", (event) => {
    if (!isWithin(event, ".top .brand") || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    go("#home");
  });

  function go(hash) {
    remember();
    if (location.hash === hash) route();
    else location.hash = hash;
  }

  /** Back to the board. */
  function toTable() {
    remember();
    const address = new URL(location.href);
    address.hash = "";
    history.pushState(null, "", address);
    route();
  }
  function play() {
    toTable();
    byId("new-game").click();
  }
  function playLevel(level) {
    toTable();
    page.openNewGame(String(level));
  }
  function playFriend() {
    toTable();
    page.openNewGame("friend");
  }
  function analyse() {
    toTable();
    byId("tab-analysis").click();
    if (byId("analysis-toggle").getAttribute("aria-pressed") !== "true") byId("analysis-toggle").click();
  }
  /** The first game after the lessons. */
  function begin() {
    toTable();
    session.askSoon({ type: "new", pie: false, players: { white: "human", red: "pontifex" }, level: { level: 1 } }, (answer) => {
      if (answer.type !== "state") return;
      store.set({ autoHints: { on: true } });
      // Who has chosen otherwise is not asked again.
      if (readPreference("careful") === null) store.set({ warnOfBlunders: true });
    });
  }
  /** Shows an annotated game from its start. @param {import("./messages.d.ts").AnnotatedGame} game */
  async function read({ board, supply, moves, notes }) {
    const { game } = store.state;
    if (game?.live && game.tree.length > 1 && !game.position.result && !(await ask("confirmReplace"))) return;
    const { language } = store.state;
    const note = (after) => (notes[after] ? [`# ${typeset(language, notes[after][language] ?? notes[after].en)}`] : []);
    const record = [`# board: ${board}`, `# supply: ${supply}`, "# pie: off", ...note(0), ...moves.flatMap((move, n) => [move, ...note(n + 1)])];
    toTable();
    session.askSoon({ type: "load", text: record.join("\n"), players: { white: "human", red: "human" } }, (answer) => {
      if (answer.type === "state") session.send({ type: "goto", node: 0 });
    });
  }
  // Buttons of the table lead to it from everywhere.
  for (const id of ["new-game", "games-button"]) byId(id).addEventListener("click", () => currentDoor !== "table" && toTable());

  async function load() {
    if (exercises) return;
    desk = createDesk(store, host, say);
    const view = { desk, store, say, progress, begin, read };
    exercises = await host.exercises();
    parts = { learn: createLearn(view), puzzles: createPuzzles(view) };
  }

  async function open(view) {
    try {
      await load();
    } catch {
      practice.replaceChildren(element("p", { class: "quiet", text: say("lessonsFailed") }));
      exercises = null;
      return;
    }
    if (currentDoor !== view) return;
    const part = parts[view];
    // What there is to do and to see is one screen; what else there is to choose comes below.
    const [prompt, answer, ...more] = part.parts;
    guide.replaceChildren(prompt, answer);
    choice.replaceChildren(...more);
    practice.replaceChildren(element("div", { class: "screen" }, desk.root, guide), choice);
    translate(practice, store.state.language);
    if (view === "learn") part.start(exercises);
    else part.start(exercises.puzzles, location.hash === "#daily");
  }

  function route() {
    const view = VIEWS[location.hash] ?? "table";
    currentDoor = view;
    document.body.dataset.view = view;
    show(table, view === "table");
    show(home.root, view === "home");
    home.draw();
    show(overview.root, view === "progress");
    overview.draw();
    show(practice, view === "learn" || view === "puzzles");
    // Cells have the same names on both boards.
    practice.replaceChildren();
    for (const each of menu) press(each, each.id === `${view}-button`);
    scrollTo(0, 0);
    if (!practice.hidden) open(view);
  }

  document.addEventListener("keydown", (event) => {
    if (currentDoor === "table" || event.altKey || event.ctrlKey || event.metaKey) return;
    // The keys of the table must not act on it unseen.
    if (event.key !== "?") event.stopPropagation();
    if (!isForPage(event)) return;
    const keys = { Escape: () => desk?.cancel(), g: () => desk?.focus(), ...(parts?.[currentDoor]?.keys ?? {}) };
    const action = keys[event.key] ?? keys[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  });
  store.watch(({ language }) => {
    for (const part of Object.values(parts ?? {})) {
      for (const node of part.parts) translate(node, language);
      part.draw();
    }
  });
  addEventListener("hashchange", route);

  const isElsewhere = new URLSearchParams(location.search).has("session") || location.hash;
  if (readPreference("seen") === null && !isElsewhere) history.replaceState(null, "", "#home");
  route();
}
