// The views beside the board: the home page with its doors, lessons, puzzles and progress. The
// address says which view is shown: `#home`, `#learn`, `#puzzles`, `#daily` or `#progress`;
// without one of these, the board. What each view does is in learn.js, puzzles.js and
// progress.js.
//
// Names that tests rely on:
//   body[data-view]   table|home|learn|puzzles|progress
//   #doors            [data-door=resume|learn|play|friend|analyse]
//   #practice         lessons and puzzles: [data-cell] as in the game,
//                     [data-exercise] when its position is on the board,
//                     #exercise-title -text -next -retry -show -pass -swap,
//                     #exercise-verdict[data-right], .reason[data-code]
//   [data-lesson]     a lesson (data-done); #play-first; [data-annotated] a game
//   #puzzle-theme #puzzle-difficulty #puzzle-daily #puzzle-progress,
//   [data-turn] in #right-turns

import { createBoard } from "./board.js";
import { byId, button, svgElement, element, isForPage, isWithin, setPressed, setText, show } from "./dom.js";
import { nameOf } from "./games.js";
import { COLORS, readPosition } from "./geometry.js";
import { createLearn } from "./learn.js";
import { createProgress } from "./learning.js";
import { savePreference, readPreference } from "./memory.js";
import { createDesk } from "./practice.js";
import { createProgressView } from "./progress.js";
import { createPuzzles } from "./puzzles.js";
import { translate, typeset } from "./texts.js";

/** The position in the home page's picture, from a game of the engine against itself. */
const HOME_POSITION = "3rr1rr/rr1wwwwr/rr5r/w1wwww1w/rrrr1rrw/2ww1w1w/rrrw1w2/1r1w1ww1 w b4-b6,b7-d8,e8-g8,c5-d7,d1-f1,g1-h3";
const VIEWS = { "#home": "home", "#learn": "learn", "#puzzles": "puzzles", "#daily": "puzzles", "#progress": "progress" };

/**
 * The home page, shown at the first visit: a picture of the game, and the doors into it. While
 * a game is running, the first door leads back to it.
 * @param {import("./store.js").Store} store
 * @param {(key: string, values?: object) => string} say
 * @param {ReturnType<typeof createProgress>} progress
 * @param {Record<"resume"|"learn"|"play"|"friend"|"analyse"|"remember", () => void>} actions
 */
function createHome(store, say, progress, actions) {
  const picture = svgElement("svg", { class: "picture", role: "img" });

  const door = (name, key) => element("button", { type: "button", class: "door", "data-door": name, onclick: actions[name] },
    element("span", { class: `emblem ${name}`, "aria-hidden": "true" }),
    element("strong", { "data-text": key }), element("span", { class: "about", "data-text": `${key}Text` }));
  const resume = door("resume", "doorResume");
  const resumeText = resume.querySelector(".about");
  delete resumeText.dataset.text;
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
        element("a", { class: "button", href: "#daily", "data-text": "doorDaily", onclick: actions.remember }),
        element("a", { class: "button", href: "#puzzles", "data-text": "puzzles", onclick: actions.remember }))));

  function drawDoors() {
    if (root.hidden) return;
    // Drawn when first shown: most visits begin elsewhere.
    if (!picture.firstChild) createBoard(picture).draw(readPosition(HOME_POSITION));
    const game = store.state.game?.final;
    const isRunning = Boolean(store.state.game?.live) && !game.end && game.tree.length > 1;
    show(resume, isRunning);
    if (isRunning) {
      const engine = COLORS.find((player) => game.players[player] !== "human");
      const opponent = engine ? nameOf(store.state, game, engine) : say("both");
      setText(resumeText, say("doorResumeText", { opponent, turn: game.position.turn }));
    }
    const count = Object.keys(progress.all.lessons).length;
    setText(progressNote, count ? `✓ ${say("lessonCount", { count })}` : "");
    // The door that the user most likely wants is highlighted.
    const first = isRunning ? resume : progress.all.learnt ? play : learn;
    for (const each of [resume, learn, play]) each.classList.toggle("first", each === first);
  }

  const draw = store.watch(drawDoors);
  store.watch(() => {
    picture.setAttribute("aria-label", say("homePicture"));
    // No line break within a sentence, if possible.
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

  const home = createHome(store, say, progress, {
    resume: toTable, learn: () => go("#learn"), play, friend: playFriend, analyse, remember,
  });
  const guide = element("section", { class: "guide" });
  const choice = element("section", { class: "more" });
  const practice = element("main", { class: "practice", id: "practice", hidden: true });
  const overview = createProgressView({
    store, host, say, progress,
    ways: { learn: () => go("#learn"), daily: () => go("#daily"), play: playLevel },
  });
  table.after(home.root, practice, overview.root);

  const menu = [["home", "homeButton"], ["table", "board"], ["learn", "learn"], ["puzzles", "puzzles"], ["progress", "progress"]].map(
    ([view, key]) =>
    button(`${view}-button`, key, () => (view === "table" ? toTable() : go(`#${view}`))));
  byId("games-button").before(...menu);
  // The game's name in the header leads home.
  addEventListener("click", (event) => {
    if (!isWithin(event, ".top .brand") || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    go("#home");
  });

  function go(hash) {
    remember();
    if (location.hash === hash) showView();
    else location.hash = hash;
  }

  /** Goes back to the board. */
  function toTable() {
    remember();
    const address = new URL(location.href);
    address.hash = "";
    history.pushState(null, "", address);
    showView();
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
  /** Starts the first game after the lessons. */
  function startFirstGame() {
    toTable();
    session.askSoon({ type: "new", pie: false, players: { white: "human", red: "pontifex" }, level: { level: 1 } }, (answer) => {
      if (answer.type !== "state") return;
      store.set({ autoHints: { on: true } });
      // Warnings are on, unless the user has chosen before.
      if (readPreference("careful") === null) store.set({ warnOfBlunders: true });
    });
  }
  /** Shows an annotated game from its start. @param {import("./messages.d.ts").AnnotatedGame} game */
  async function showAnnotated({ board, supply, moves, notes }) {
    const { game } = store.state;
    if (game?.live && game.tree.length > 1 && !game.position.result && !(await ask("confirmReplace"))) return;
    const { language } = store.state;
    const note = (after) => (notes[after] ? [`# ${typeset(language, notes[after][language] ?? notes[after].en)}`] : []);
    const record = [
      `# board: ${board}`, `# supply: ${supply}`, "# pie: off", ...note(0),
      ...moves.flatMap((move, n) => [move, ...note(n + 1)]),
    ];
    toTable();
    session.askSoon({ type: "load", text: record.join("\n"), players: { white: "human", red: "human" } }, (answer) => {
      if (answer.type === "state") session.send({ type: "goto", node: 0 });
    });
  }
  // These buttons belong to the board, so they lead there from every view.
  for (const id of ["new-game", "games-button"]) byId(id).addEventListener("click", () => currentDoor !== "table" && toTable());

  async function load() {
    if (exercises) return;
    desk = createDesk(store, host, say);
    const view = { desk, store, say, progress, startFirstGame, showAnnotated };
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
    // The task and the board fill one screen; other choices come below.
    const [prompt, answer, ...more] = part.parts;
    guide.replaceChildren(prompt, answer);
    choice.replaceChildren(...more);
    practice.replaceChildren(element("div", { class: "screen" }, desk.root, guide), choice);
    translate(practice, store.state.language);
    if (view === "learn") part.start(exercises);
    else part.start(exercises.puzzles, location.hash === "#daily");
  }

  function showView() {
    const view = VIEWS[location.hash] ?? "table";
    currentDoor = view;
    document.body.dataset.view = view;
    show(table, view === "table");
    show(home.root, view === "home");
    home.draw();
    show(overview.root, view === "progress");
    overview.draw();
    show(practice, view === "learn" || view === "puzzles");
    // Emptied, because cells have the same names on both boards.
    practice.replaceChildren();
    for (const each of menu) setPressed(each, each.id === `${view}-button`);
    scrollTo(0, 0);
    if (!practice.hidden) open(view);
  }

  document.addEventListener("keydown", (event) => {
    if (currentDoor === "table" || event.altKey || event.ctrlKey || event.metaKey) return;
    // The board's keys must not act on it while it is hidden.
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
  addEventListener("hashchange", showView);

  const isElsewhere = new URLSearchParams(location.search).has("session") || location.hash;
  if (readPreference("seen") === null && !isElsewhere) history.replaceState(null, "", "#home");
  showView();
}
