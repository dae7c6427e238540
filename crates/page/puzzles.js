// The puzzles: which one, what to do, what the solver says.

import { element, setText, show } from "./dom.js";
import { today } from "./progress.js";
import { doesText, valueText } from "./texts.js";

export function createPuzzles({ desk, say, progress, language }) {
  let puzzles = [];
  let puzzle = null;
  let isDaily = false;
  let verdict = null;
  /** The right turns, once shown, and the one on the board. */
  let turns = null;
  let seen = 0;
  /** How much the hint has said: 0 nothing, 1 the theme, 2 a cell. */
  let hinted = 0;
  let cell = null;
  /** Whether no try of this puzzle has failed. */
  let clean = true;

  const kicker = element("p", { class: "kicker" });
  const title = element("h2", { id: "exercise-title", tabindex: -1 });
  const text = element("p", { id: "exercise-text" });
  const said = element("p", { id: "exercise-verdict", role: "status" });
  const button = (id, key, onclick, name) => element("button", { type: "button", id, "data-text": key, class: name ?? null, onclick });
  const next = button("exercise-next", "exerciseNext", () => forward(), "main");
  const retry = button("exercise-retry", "exerciseRetry", () => open(puzzle, isDaily, false));
  const reveal = button("exercise-show", "exerciseShow", solution);
  const tip = button("exercise-hint", "hintGet", hint);
  const right = element("div", { class: "right", id: "right-turns" });
  const theme = element("select", { id: "puzzle-theme", "data-label": "themeOf", onchange: () => forward(true) });
  const level = element("select", { id: "puzzle-difficulty", "data-label": "difficulty", onchange: () => forward(true) });
  const daily = button("puzzle-daily", "doorDaily", openDaily);
  const score = element("p", { class: "quiet", id: "puzzle-progress" });
  const parts = [
    element("div", { class: "prompt" }, kicker, title, text),
    element("div", { class: "answer" }, said, right, element("div", { class: "row" }, next, tip, retry, reveal)),
    element("div", { class: "choose" }, element("div", { class: "row" }, theme, level, daily), score),
  ];

  const stars = (n) => "★".repeat(n) + "☆".repeat(3 - n);
  const chosen = () => puzzles.filter((each) => (!theme.value || each.theme === theme.value) && (!level.value || each.difficulty === Number(level.value)));

  /** The next puzzle of the chosen kind, unsolved ones first. */
  function forward(fresh = false) {
    const list = chosen();
    if (fresh && list.includes(puzzle) && !verdict && !turns) return draw();
    if (!list.length) return draw();
    const from = list.indexOf(puzzle) + 1;
    const order = [...list.slice(from), ...list.slice(0, from)].filter((each) => each !== puzzle || list.length === 1);
    open(order.find(({ id }) => !(id in progress.all.puzzles)) ?? order[0]);
  }

  function openDaily() {
    open(puzzles.find(({ id }) => id === progress.daily(puzzles)), true);
  }

  function open(each, asDaily = false, fresh = true) {
    if (!each) return;
    if (fresh) clean = true;
    [puzzle, isDaily, verdict, turns, seen, hinted, cell] = [each, asDaily, null, null, 0, 0, null];
    draw();
    desk.open(`puzzle/${puzzle.id}`, judged);
  }

  function judged(answer) {
    verdict = answer;
    if (answer.right) progress.solved(puzzle.id, clean, isDaily);
    else {
      clean = false;
      progress.failed(puzzle.id);
    }
    draw();
    (answer.right ? next : retry).focus();
  }

  async function solution() {
    const found = await desk.solution();
    if (!found) return;
    if (!verdict?.right) {
      clean = false;
      progress.failed(puzzle.id);
    }
    [turns, verdict, seen] = [found, null, 0];
    desk.draw(turns[0].move);
    draw();
    retry.focus({ preventScroll: true });
  }

  /** Says the theme; asked again, a cell of a right turn, which makes the puzzle easier. */
  async function hint() {
    if (verdict?.right || turns) return;
    if (hinted === 1) {
      const found = await desk.solution();
      if (!found) return;
      clean = false;
      progress.failed(puzzle.id);
      [cell] = found[0].move.match(/[a-l]\d+/) ?? [null];
      desk.mark(cell ? [cell] : []);
    }
    hinted = Math.min(2, hinted + 1);
    verdict = null;
    draw();
  }

  function drawChoices() {
    const options = (node, all, values, label) => {
      const before = node.value;
      node.replaceChildren(element("option", { value: "", text: say(all) }), ...values.map((value) => element("option", { value, text: label(value) })));
      node.value = before;
    };
    const themes = [...new Set(puzzles.map((each) => each.theme))];
    options(theme, "themeAll", themes, (value) => say(`theme.${value}`));
    options(level, "difficultyAll", [1, 2, 3], (value) => `${stars(value)} ${say(`difficulty${value}`)}`);
  }

  function explanation() {
    const theme_ = `${say("themeOf")}: ${say(`theme.${puzzle.theme}`)}.`;
    if (!verdict && turns) {
      const { move, why } = turns[seen];
      return [say("puzzleShownWhy", { move, does: doesText(language(), why), value: valueText(language(), puzzle.value) }),
        ...(turns.length > 1 ? [say("puzzleShown", { count: turns.length })] : [])].join(" ");
    }
    if (!verdict) return [...(hinted ? [theme_] : []), ...(hinted > 1 ? [say(cell ? "puzzleHintCell" : "puzzleHintPass", { cell })] : [])].join(" ");
    const after = verdict.after ? valueText(language(), verdict.after)
      : verdict.winner === "draw" ? say("valueDraw") : say("valueWinner", { player: verdict.winner });
    const values = { move: verdict.move, after, before: valueText(language(), verdict.before) };
    if (verdict.right) return [say("exerciseRight"), say("puzzleRight", values), `${say("themeOf")}: ${say(`theme.${verdict.theme}`)}.`].join(" ");
    const reply = verdict.reply && verdict.reply !== "pass" ? say("puzzleReply", { player: desk.opponent() === "white" ? "red" : "white", move: verdict.reply }) : "";
    return [say("exerciseWrong"), say("puzzleWrong", values), reply].filter(Boolean).join(" ");
  }

  function draw() {
    if (!puzzle) return;
    drawChoices();
    const values = { player: puzzle.to_move };
    const where = isDaily
      ? say("puzzleDaily", { date: new Intl.DateTimeFormat(language(), { day: "numeric", month: "long" }).format(new Date(`${today()}T12:00:00`)) })
      : say("puzzleNumber", { number: puzzles.indexOf(puzzle) + 1 });
    setText(kicker, [where, stars(puzzle.difficulty), ...(puzzle.id in progress.all.puzzles ? [`✓ ${say("puzzleSolved")}`] : [])].join(" · "));
    setText(title, say({ win: "puzzleWin", draw: "puzzleDraw", most: "puzzleMost" }[puzzle.goal], values));
    title.dataset.player = puzzle.to_move;
    setText(text, chosen().length ? say("puzzleHow") : say("puzzleNone"));
    said.dataset.right = verdict ? String(verdict.right) : "";
    setText(said, explanation());
    show(retry, Boolean(turns) || verdict?.right === false);
    show(reveal, !turns);
    show(tip, !turns && !verdict && hinted < 2);
    next.classList.toggle("main", Boolean(turns) || verdict?.right === true);
    right.replaceChildren(...(turns ?? []).map(({ move }, n) => element("button", {
      type: "button", class: "given", "data-turn": move, "aria-pressed": String(n === seen), text: move,
      onclick: () => {
        seen = n;
        desk.draw(move);
        draw();
      },
    })));
    const { puzzles: done, streak, best } = progress.all;
    const count = puzzles.filter(({ id }) => id in done).length;
    setText(score, [say("puzzleProgress", { done: count, count: puzzles.length }),
      ...(best ? [say("puzzleStreak", { count: streak, best })] : []),
      ...(progress.days() > 0 ? [say("puzzleDays", { count: progress.days() })] : [])].join(" · "));
  }

  return {
    parts,
    draw,
    title,
    keys: { n: () => forward(), r: () => open(puzzle, isDaily, false), s: solution, h: hint },
    /** Opens the first puzzle that is not solved, or the daily one. */
    start(list, daily_ = false) {
      puzzles = list;
      drawChoices();
      if (daily_) openDaily();
      else if (puzzle) open(puzzle, isDaily, false);
      else forward();
    },
  };
}
