// The progress page: games by level, accuracy, lessons and puzzles, and what to do next. All data
// in the browser can be saved as one backup file and loaded again. The games are recorded here,
// lessons and puzzles in learning.js.

import { button, download, element, setList, setText, show, svgElement as svg } from "./dom.js";
import { opponents, soleHumanOf } from "./games.js";
import { today } from "./learning.js";
import { browser } from "./memory.js";
import { percent } from "./texts.js";

const PLAYED_KEY = "pontifex.played";
/** The largest number of games recorded. */
const MAX_GAMES = 2000;
/** The largest number of games in the graph of accuracy. */
const MAX_POINTS = 30;
/** This many games won or lost in a row against one level suggest another level. */
const STREAK = 3;
/** The version of the backup file's format. */
const FILE_VERSION = 1;

/**
 * A game of one person against a level.
 * @typedef {{key: string, day: string, level: number, board: number, score: number, accuracy: number|null}} Played
 */

/** Returns the games played here, the latest last. @returns {Played[]} */
const playedGames = () => browser.readJson(PLAYED_KEY) ?? [];

/**
 * Records a finished game once, and its accuracy when it is known.
 * @param {import("./messages.d.ts").TableState} game
 * @param {import("./store.js").State["review"]} review
 */
export function remember(game, review) {
  const soleHuman = soleHumanOf(game.players);
  const level = "level" in game.level ? game.level.level : null;
  if (!soleHuman || typeof level !== "number" || game.link) return;
  const { winner } = game.end;
  const accuracy = review?.finished && review.end === game.main.at(-1) ? review.summary[soleHuman].accuracy : null;
  const all = playedGames();
  const key = `${game.session} ${game.game}`;
  const recorded = all.find((each) => each.key === key);
  if (recorded && (accuracy === null || recorded.accuracy !== null)) return;
  const score = winner === "draw" ? 0.5 : Number(winner === soleHuman);
  const entry = { key, day: recorded?.day ?? today(), level, board: game.rules.board, score, accuracy };
  browser.writeJson(PLAYED_KEY, [...all.filter((each) => each !== recorded), entry].slice(-MAX_GAMES));
}

const mean = (values) => (values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : null);

/** Draws the accuracy of games as a line. @param {Played[]} games */
function lineOf(games, label) {
  const [width, height] = [400, 96];
  const x = (n) => 8 + ((width - 44) * n) / Math.max(1, games.length - 1);
  const y = (accuracy) => 8 + (height - 16) * (1 - accuracy / 100);
  const ruler = [50, 100].flatMap((value) => [
    svg("path", { class: "half", d: `M8 ${y(value)}H${width - 36}` }),
    svg("text", { class: "value", x: width - 32, y: y(value) + 5, text: String(value) }),
  ]);
  return svg("svg", { id: "accuracy", class: "graph", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label }, ...ruler,
    svg("path", { class: "curve", d: `M${games.map(({ accuracy }, n) => `${x(n).toFixed(1)} ${y(accuracy).toFixed(1)}`).join("L")}` }),
    ...games.map(({ accuracy }, n) => svg("circle", { class: "dot", cx: x(n).toFixed(1), cy: y(accuracy).toFixed(1), r: 3 })));
}

/**
 * @param {object} page
 * @param {import("./store.js").Store} page.store
 * @param {import("./host.js").Host} page.host
 * @param {(key: string, values?: object) => string} page.say
 * @param {ReturnType<import("./learning.js").createProgress>} page.progress
 * @param {{learn: () => void, daily: () => void, play: (level: number) => void}} page.ways
 */
export function createProgressView({ store, host, say, progress, ways }) {
  const next = element("button", { type: "button", class: "main", id: "progress-next", onclick: () => plan().go() });
  const facts = element("dl", { id: "progress-facts" });
  const graph = element("div", { id: "progress-graph" });
  const table = element("table", { id: "progress-games" });
  const note = element("p", { class: "quiet", role: "status", id: "progress-note" });
  const file = element("input", { type: "file", accept: ".json,application/json", hidden: true, onchange: loadFile });
  const root = element("main", { class: "progress", id: "progress", hidden: true },
    element("h2", { "data-text": "progress", tabindex: -1 }),
    element("p", { class: "row" }, next), facts,
    element("h3", { "data-text": "progressGames" }), graph, table,
    element("h3", { "data-text": "progressFile" }),
    element("p", { class: "quiet", "data-text": host.isLocal ? "progressFileText" : "progressFileServer" }),
    element("div", { class: "row" },
      button("progress-save", "progressSave", save),
      button("progress-load", "progressLoad", () => file.click())),
    file, note);

  /** Returns the text of the next step and the function that goes there. @returns {{key: string, values?: object, go: () => void}} */
  function plan() {
    if (!progress.all.learnt) return { key: Object.keys(progress.all.lessons).length ? "nextLessonGo" : "nextLessons", go: ways.learn };
    const games = playedGames();
    const last = games.at(-1);
    if (!last) return { key: "nextPlay", values: { level: 1 }, go: () => ways.play(1) };
    if (progress.all.day !== today()) return { key: "nextDaily", go: ways.daily };
    const run = games.filter(({ level }) => level === last.level).slice(-STREAK);
    const all = (score) => run.length === STREAK && run.every((game) => game.score === score);
    const step = all(1) && last.level < 10 ? 1 : all(0) && last.level > 1 ? -1 : 0;
    const level = last.level + step;
    return { key: step > 0 ? "nextUp" : step < 0 ? "nextDown" : "nextPlay", values: { level }, go: () => ways.play(level) };
  }

  /** Creates a row for each level played, the strongest first. */
  function rows(games, language) {
    const names = opponents(store.state);
    const levels = [...new Set(games.map(({ level }) => level))].sort((a, b) => b - a);
    return levels.map((level) => {
      const merged = games.filter((game) => game.level === level);
      const count = (score) => merged.filter((game) => game.score === score).length;
      const accuracy = mean(merged.map((game) => game.accuracy).filter((each) => each !== null));
      return element("tr", { "data-level": level },
        element("th", { scope: "row", text: names[level - 1] ? `${names[level - 1].name} (${level})` : String(level) }),
        ...[count(1), count(0.5), count(0), accuracy === null ? "–" : percent(language, accuracy / 100)]
          .map((text) => element("td", { text })));
    });
  }

  function draw() {
    const { language } = store.state;
    for (const node of root.querySelectorAll("[data-text]")) node.textContent = say(node.dataset.text);
    const { key, values } = plan();
    setText(next, say(key, values));
    const { all } = progress;
    const numbers = {
      progressLessons: Object.keys(all.lessons).length, progressPuzzles: Object.keys(all.puzzles).length,
      ...(all.rated ? { progressRating: Math.round(all.rating) } : {}),
      progressStreak: progress.days(),
    };
    setList(facts, [language, numbers], () =>
      Object.entries(numbers).map(([name, value]) =>
        element("div", { "data-fact": name }, element("dt", { text: say(name) }), element("dd", { text: value }))));
    const games = playedGames();
    const graded = games.filter(({ accuracy }) => accuracy !== null).slice(-MAX_POINTS);
    setList(graph, [language, graded], () => (graded.length > 1 ? [lineOf(graded, say("progressAccuracy"))] : []));
    setList(table, [language, games, opponents(store.state)], () => (games.length ? [
      element("thead", {}, element("tr", {}, element("td"),
        ...["progressWon", "progressDrawn", "progressLost", "accuracy"]
          .map((name) => element("th", { scope: "col", text: say(name) })))),
      element("tbody", {}, ...rows(games, language)),
    ] : [element("caption", { class: "quiet", text: say("progressNone") })]));
    show(note, Boolean(note.textContent));
  }

  function showNote(key, values = {}) {
    setText(note, say(key, values));
    show(note, true);
  }

  async function save() {
    try {
      const content = { pontifex: FILE_VERSION, day: today(), kept: browser.entries(), games: (await host.saved?.()) ?? [] };
      download(new Blob([JSON.stringify(content)], { type: "application/json" }), `pontifex-${today()}.json`);
      showNote("progressSaved", { count: content.games.length });
    } catch (error) {
      showNote("failed", { text: error.message });
    }
  }

  async function loadFile({ target }) {
    const [chosen] = target.files;
    target.value = "";
    if (!chosen) return;
    let content = null;
    try {
      content = JSON.parse(await chosen.text());
    } catch {
      // Reported below: the file is not JSON.
    }
    if (content?.pontifex !== FILE_VERSION || !content.kept || typeof content.kept !== "object") {
      return showNote("progressWrongFile", { name: chosen.name });
    }
    try {
      // Games played here since the backup are kept.
      const games = [...(JSON.parse(content.kept[PLAYED_KEY] ?? "[]")), ...playedGames()];
      const own = new Map(games.map((game) => [game.key, game]));
      for (const [name, text] of Object.entries(content.kept)) {
        if (name.startsWith("pontifex.") && typeof text === "string") browser.write(name, text);
      }
      browser.writeJson(PLAYED_KEY, [...own.values()].sort((a, b) => a.day.localeCompare(b.day)).slice(-MAX_GAMES));
      const count = (await host.restore?.(content.games ?? [])) ?? 0;
      progress.read();
      showNote("progressLoaded", { count });
      draw();
    } catch (error) {
      showNote("failed", { text: error.message });
    }
  }

  store.watch(() => root.hidden || draw());
  return { root, draw };
}
