// The ways in: the first visit's three doors, the lessons and the puzzles. The
// address says which is shown: `#home`, `#learn`, `#puzzles`, `#daily`; without
// one of these, the board.
//
// Names that tests rely on:
//   body[data-view]   table|home|learn|puzzles
//   #doors            [data-door=resume|learn|play|analyse]
//   #practice         lessons and puzzles: [data-cell] as in the game,
//                     [data-exercise] once its position is on the board,
//                     #exercise-title -text -next -retry -show -pass -swap,
//                     #exercise-verdict[data-right], .reason[data-code]
//   [data-lesson]     a lesson (data-done); #play-first
//   #puzzle-theme #puzzle-difficulty #puzzle-daily #puzzle-progress,
//   [data-turn] in #right-turns

import { byId, element, show } from "./dom.js";
import { createHome } from "./home.js";
import { createLearn } from "./learn.js";
import { createDesk } from "./practice.js";
import { createProgress } from "./progress.js";
import { createPuzzles } from "./puzzles.js";
import { keep, kept } from "./preferences.js";
import { translate } from "./texts.js";

const VIEWS = { "#home": "home", "#learn": "learn", "#puzzles": "puzzles", "#daily": "puzzles" };

export function createDoors(store, host, session, say) {
  const table = document.querySelector("main.table");
  const progress = createProgress();
  let desk = null;
  let exercises = null;
  let parts = null;
  let shown = null;

  const remember = () => keep("seen", "yes");

  const home = createHome(store, say, progress, { resume: toTable, learn: () => go("#learn"), play, analyse, remember });
  const guide = element("section", { class: "guide" });
  const practice = element("main", { class: "practice", id: "practice", hidden: true });
  table.after(home.root, practice);

  const menu = [["home", "homeButton"], ["table", "board"], ["learn", "learn"], ["puzzles", "puzzles"]].map(([view, key]) =>
    element("button", { type: "button", id: `${view}-button`, "data-text": key, onclick: () => (view === "table" ? toTable() : go(`#${view}`)) }));
  byId("games-button").before(...menu);
  // The name of the game leads home.
  addEventListener("click", (event) => {
    const link = event.target.closest?.(".top .brand");
    if (!link || event.ctrlKey || event.metaKey) return;
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
  function analyse() {
    toTable();
    byId("tab-analysis").click();
    if (byId("analysis-toggle").getAttribute("aria-pressed") !== "true") byId("analysis-toggle").click();
  }
  /** The first game after the lessons. */
  function begin() {
    toTable();
    session.askSoon({ type: "new", pie: false, players: { white: "human", red: "pontifex" }, level: { level: 1 } }, (answer) => {
      if (answer.type === "state") store.set({ coached: { game: answer.game, on: true } });
    });
  }
  // Buttons of the table lead to it from everywhere.
  for (const id of ["new-game", "games-button"]) byId(id).addEventListener("click", () => shown !== "table" && toTable());

  async function load() {
    if (exercises) return;
    desk = createDesk(store, host, say);
    const view = { desk, say, progress, language: () => store.state.language, begin };
    exercises = await host.exercises();
    parts = { learn: createLearn(view), puzzles: createPuzzles(view) };
  }

  async function open(view) {
    try {
      await load();
    } catch {
      practice.replaceChildren(element("p", { class: "quiet", text: say("offline") }));
      exercises = null;
      return;
    }
    if (shown !== view) return;
    const part = parts[view];
    guide.replaceChildren(...part.parts);
    practice.replaceChildren(desk.root, guide);
    translate(guide, store.state.language);
    if (view === "learn") part.start(exercises.lessons);
    else part.start(exercises.puzzles, location.hash === "#daily");
    part.title.focus({ preventScroll: true });
  }

  function route() {
    const view = VIEWS[location.hash] ?? "table";
    shown = view;
    document.body.dataset.view = view;
    show(table, view === "table");
    show(home.root, view === "home");
    home.draw();
    show(practice, view === "learn" || view === "puzzles");
    // Cells have the same names on both boards.
    practice.replaceChildren();
    for (const button of menu) button.setAttribute("aria-pressed", String(button.id === `${view}-button`));
    scrollTo(0, 0);
    if (!practice.hidden) open(view);
  }

  document.addEventListener("keydown", (event) => {
    if (shown === "table" || event.altKey || event.ctrlKey || event.metaKey) return;
    // The keys of the table must not act on it unseen.
    if (event.key !== "?") event.stopPropagation();
    if (event.defaultPrevented || event.target.closest?.("input, textarea, select") || document.querySelector("dialog[open]")) return;
    const keys = { Escape: () => desk?.cancel(), g: () => desk?.focus(), ...(parts?.[shown]?.keys ?? {}) };
    const action = keys[event.key] ?? keys[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  });
  store.watch(["language"], () => {
    for (const part of Object.values(parts ?? {})) {
      for (const node of part.parts) translate(node, store.state.language);
      part.draw();
    }
  });
  addEventListener("hashchange", route);

  const asked = new URLSearchParams(location.search).has("session") || location.hash;
  if (kept("seen") === null && !asked) history.replaceState(null, "", "#home");
  route();
}
