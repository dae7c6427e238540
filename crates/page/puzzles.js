// The puzzles and tactics: the choice of one, its task and the verdict. A missed puzzle is
// repeated later. The host judges; the board and the replies on it are in practice.js, the
// progress and the rating in learning.js.

import { button, element, setOptions, setText, show } from "./dom.js";
import { today } from "./learning.js";
import { opponentOf } from "./geometry.js";
import { createGuide } from "./practice.js";
import { dateText, purposeText, valueText } from "./texts.js";

/**
 * @param {object} view
 * @param {ReturnType<import("./practice.js").createDesk>} view.desk the board
 * @param {import("./store.js").Store} view.store
 * @param {(key: string, values?: object) => string} view.say
 * @param {ReturnType<import("./learning.js").createProgress>} view.progress
 */
export function createPuzzles({ desk, store, say, progress }) {
  let puzzles = [];
  let puzzle = null;
  let isDaily = false;
  let verdict = null;
  /** The correct moves, if shown, and the index of the one on the board. */
  let solutions = null;
  let solutionShown = 0;
  /** The text of the last hint. */
  let hintText = "";
  /** Whether there was no failed attempt and no hint so far, and whether the solution was shown. */
  let isClean = true;
  let wasHelped = false;

  const next = button("exercise-next", "exerciseNext", () => forward(), "main");
  const retry = button("exercise-retry", "exerciseRetry", () => retryPuzzle());
  const showButton = button("exercise-show", "exerciseShow", solution);
  const hintButton = button("exercise-hint", "hint.get", hint);
  const solutionButtons = element("div", { class: "right", id: "right-turns" });
  const theme = element("select", { id: "puzzle-theme", "data-label": "themeLabel", onchange: () => forward(true) });
  const kind = element("select", { id: "puzzle-kind", "data-label": "kindLabel", onchange: () => forward(true) });
  const level = element("select", { id: "puzzle-difficulty", "data-label": "difficulty", onchange: () => forward(true) });
  const daily = button("puzzle-daily", "doorDaily", openDaily);
  const score = element("p", { class: "quiet", id: "puzzle-progress" });
  const { kicker, title, text, verdict: verdictNode, parts } = createGuide(
    [solutionButtons, element("div", { class: "row" }, next, hintButton, retry, showButton)],
    element("div", { class: "choose" }, element("div", { class: "row" }, kind, theme, level, daily), score));

  const stars = (n) => "★".repeat(n) + "☆".repeat(3 - n);
  const kindOf = (each) => (each.kind === "tactic" ? "tactic" : each.turns > 1 ? "several" : "one");
  const chosenPuzzles = () => puzzles.filter((each) => (!theme.value || each.theme === theme.value)
    && (!kind.value || kindOf(each) === kind.value) && (!level.value || each.difficulty === Number(level.value)));
  const dueIn = (list) => list.filter(({ id }) => progress.isDue(id));

  /** Opens the next chosen puzzle, due ones first; `keepsCurrent` keeps one that fits. */
  function forward(keepsCurrent = false) {
    const choices = chosenPuzzles();
    if (keepsCurrent && choices.includes(puzzle) && !verdict && !solutions) return draw();
    if (!choices.length) return draw();
    const from = choices.indexOf(puzzle) + 1;
    const order = [...choices.slice(from), ...choices.slice(0, from)].filter((each) => each !== puzzle || choices.length === 1);
    open(dueIn(order)[0] ?? order.find(({ id }) => !(id in progress.all.puzzles)) ?? order[0]);
  }

  function openDaily() {
    open(puzzles.find(({ id }) => id === progress.daily(puzzles)), true);
  }

  function open(each, asDaily = false) {
    if (!each) return;
    [isClean, wasHelped, puzzle, isDaily] = [true, false, each, asDaily];
    start(false);
  }

  /** Tries the move that was missed again. */
  const retryPuzzle = () => puzzle && start(!verdict?.right);

  function start(isAgain) {
    [verdict, solutions, solutionShown, hintText] = [null, null, 0, ""];
    draw();
    return desk.open(`${puzzle.kind}/${puzzle.id}`, showVerdict, isAgain);
  }

  function showVerdict(answer) {
    verdict = answer;
    [solutions, hintText] = [null, ""];
    if (!answer.right) markMissed();
    else if (!answer.goes_on && !wasHelped) progress.solved(puzzle, isClean, isDaily);
    draw();
    if (!answer.goes_on) (answer.right ? next : retry).focus({ preventScroll: true });
  }

  function markMissed(isHint = false) {
    if (isClean) progress.missed(puzzle, isHint);
    isClean = false;
  }

  async function solution() {
    if (verdict?.right && !verdict.goes_on) return;
    const answer = await desk.solution();
    if (!answer) return;
    markMissed();
    [wasHelped, solutions, verdict, solutionShown, hintText] = [true, answer, null, 0, ""];
    desk.draw(solutions[0].move);
    draw();
    retry.focus({ preventScroll: true });
  }

  /** Shows the theme and where to look; each further hint shows more, the last one the solution. */
  async function hint() {
    if (verdict?.right && !verdict.goes_on || solutions) return;
    if (verdict && !verdict.right) await start(true);
    const answer = await desk.hint();
    if (answer === null) return solution();
    if (!answer) return;
    markMissed(true);
    hintText = answer.degree === 1 ? `${themeText()} ${answer.text}` : answer.text;
    verdict = null;
    draw();
  }

  function drawChoices() {
    const themes = [...new Set(puzzles.map((each) => each.theme))];
    setOptions(theme, [["", say("themeAll")], ...themes.map((name) => [name, say(`theme.${name}`)])]);
    setOptions(kind, [
      ["", say("kindAll")],
      ...["one", "several", "tactic"]
        .filter((name) => puzzles.some((each) => kindOf(each) === name))
        .map((name) => [name, say(`kind.${name}`)]),
    ]);
    setOptions(level, [["", say("difficultyAll")], ...[1, 2, 3].map((n) => [n, `${stars(n)} ${say(`difficulty${n}`)}`])]);
  }

  const themeText = (name = puzzle.theme) => say("themeIs", { theme: say(`theme.${name}`) });

  /** Returns the text under the task. */
  function explanation() {
    const { language } = store.state;
    if (solutions) {
      const { move, why } = solutions[solutionShown];
      const values = { move, purpose: purposeText(language, why), value: puzzle.value && valueText(language, puzzle.value) };
      return [
        say(puzzle.value ? "puzzleShownWhy" : "tacticShown", values),
        ...(solutions.length > 1 ? [say("puzzleShown", { count: solutions.length })] : []),
      ].join(" ");
    }
    if (!verdict) return hintText;
    const { right: isRight, goes_on: goesOn, move, reply, winrate, best } = verdict;
    const percent = (share) => new Intl.NumberFormat(language, { style: "percent" }).format(share);
    const answer = reply && say(isRight ? "puzzleAnswer" : "puzzleReply", { player: opponentOf(puzzle.to_move), move: reply });
    if (goesOn) return [say("exerciseRight"), answer, say("puzzleGoesOn")].join(" ");
    const end = isRight ? themeText(verdict.theme) : answer;
    const outcome = winrate === undefined
      ? provedOutcome()
      : say(isRight ? "tacticRight" : "tacticWrong", { move, winrate: percent(winrate), best: percent(best) });
    return [say(isRight ? "exerciseRight" : "exerciseWrong"), outcome, end].filter(Boolean).join(" ");
  }

  /** Returns the outcome of the move, as proved by the solver. */
  function provedOutcome() {
    const { language } = store.state;
    const { move, after, before, winner } = verdict;
    const value = after ? valueText(language, after) : winner === "draw" ? say("valueDraw") : say("valueWinner", { player: winner });
    return say(verdict.right ? "puzzleRight" : "puzzleWrong", { move, after: value, before: before && valueText(language, before) });
  }

  function draw() {
    if (!puzzle) return;
    drawChoices();
    const values = { player: puzzle.to_move };
    const puzzleName = isDaily
      ? say("puzzleDaily", { date: dateText(store.state.language, new Date(`${today()}T12:00:00`), { day: "numeric", month: "long" }) })
      : say("puzzleNumber", { number: puzzles.indexOf(puzzle) + 1 });
    const isDone = verdict?.right && !verdict.goes_on;
    setText(kicker, [puzzleName, stars(puzzle.difficulty), ...(puzzle.turns > 1 ? [say("puzzleTurns", { count: puzzle.turns })] : []),
      ...(progress.isDue(puzzle.id) ? [`↻ ${say("puzzleDue")}`]
        : puzzle.id in progress.all.puzzles ? [`✓ ${say("puzzleSolved")}`] : [])].join(" · "));
    setText(title, say({ win: "puzzleWin", draw: "puzzleDraw", most: "puzzleMost" }[puzzle.goal] ?? "tacticBest", values));
    title.dataset.player = puzzle.to_move;
    setText(text,
      chosenPuzzles().length
        ? say(puzzle.kind === "tactic" ? "tacticHow" : puzzle.turns > 1 ? "puzzleHowTurns" : "puzzleHow", { count: puzzle.turns })
        : say("puzzleNone"));
    verdictNode.dataset.right = verdict ? String(verdict.right) : "";
    setText(verdictNode, explanation());
    show(retry, Boolean(solutions) || verdict?.right === false);
    show(showButton, !solutions && !isDone);
    show(hintButton, !solutions && !isDone);
    next.classList.toggle("main", Boolean(solutions) || isDone === true);
    solutionButtons.replaceChildren(...(solutions ?? []).map(({ move }, n) => element("button", {
      type: "button", class: "given", "data-turn": move, "aria-pressed": String(n === solutionShown), text: move,
      onclick: () => {
        solutionShown = n;
        desk.draw(move);
        draw();
      },
    })));
    const { puzzles: done, streak, best } = progress.all;
    const count = puzzles.filter(({ id }) => id in done).length;
    const waiting = dueIn(puzzles).length;
    setText(score, [say("puzzleProgress", { done: count, count: puzzles.length }),
      ...(progress.all.rated ? [say("puzzleRating", { rating: Math.round(progress.all.rating) })] : []),
      ...(waiting ? [say("puzzleDueCount", { count: waiting })] : []),
      ...(best ? [say("puzzleStreak", { count: streak, best })] : []),
      ...(progress.days() > 0 ? [say("puzzleDays", { count: progress.days() })] : [])].join(" · "));
  }

  return {
    parts,
    draw,
    keys: { n: () => forward(), r: retryPuzzle, s: solution, h: hint },
    /** Opens the first puzzle that is due or not solved, or the daily one. */
    start(list, asDaily = false) {
      puzzles = list;
      drawChoices();
      if (asDaily) openDaily();
      else if (puzzle) start(true);
      else forward();
    },
  };
}
