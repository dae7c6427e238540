// The lessons: their tasks, one after the other; below them, annotated games. The host judges
// the answers and has the texts, in its files lessons.json and games.json. The board is in
// practice.js, the user's progress in learning.js.

import { button, element, setText, show } from "./dom.js";
import { createGuide } from "./practice.js";
import { purposeText, typeset } from "./texts.js";

/** The largest time (ms) and distance (pixels) between the clicks of a double click. */
const DOUBLE_CLICK = { time: 400, distance: 12 };

/**
 * @param {object} view
 * @param {ReturnType<import("./practice.js").createDesk>} view.desk the board
 * @param {import("./store.js").Store} view.store
 * @param {(key: string, values?: object) => string} view.say
 * @param {ReturnType<import("./learning.js").createProgress>} view.progress
 * @param {() => void} view.startFirstGame starts the first game
 * @param {(game: import("./messages.d.ts").AnnotatedGame) => void} view.showAnnotated shows an annotated game
 */
export function createLearn({ desk, store, say, progress, startFirstGame, showAnnotated }) {
  let lessons = [];
  let games = [];
  let lessonIndex = 0;
  let taskIndex = 0;
  /** Whether the last answer was right; null before one. */
  let isRight = null;
  /** The solution shown, which the user can play. @type {{move: string, why: any[]}|null} */
  let shownSolution = null;
  /** Whether the solution of this task was shown: then the task does not count as done. */
  let wasHelped = false;
  /** The text of the last hint. */
  let hintText = "";
  /** The last click on "Next". @type {MouseEvent|null} */
  let lastNext = null;

  const next = button("exercise-next", "exerciseNext", forward, "main");
  const retry = button("exercise-retry", "exerciseRetry", () => retryTask());
  const showButton = button("exercise-show", "exerciseShow", showSolution);
  const hintButton = button("exercise-hint", "hint.get", showHint);
  const firstGame = button("play-first", "playFirst", startFirstGame, "main");
  const lessonItems = element("ol", { class: "steps", id: "lessons", "data-label": "lessons", "data-title": "off" });
  const annotated = element("div", { class: "row", id: "annotated" });
  const lessonList = element("div", {},
    lessonItems, element("h3", { "data-text": "annotated" }),
    element("p", { class: "quiet", "data-text": "annotatedText" }), annotated);
  const { kicker, title, text, verdict, parts } = createGuide(
    [element("div", { class: "row" }, next, firstGame, hintButton, retry, showButton)],
    lessonList,
  );

  // The second click of a double click on "Next" would hit whatever is now under the pointer.
  for (const part of parts) {
    part.addEventListener("click", (event) => {
      const isNear = lastNext && event.detail
        && Math.hypot(event.clientX - lastNext.clientX, event.clientY - lastNext.clientY) < DOUBLE_CLICK.distance;
      if (isNear && event.timeStamp - lastNext.timeStamp < DOUBLE_CLICK.time) event.stopImmediatePropagation();
    }, { capture: true });
  }

  const lesson = () => lessons[lessonIndex];
  const isLast = () => lessonIndex === lessons.length - 1 && taskIndex === lesson().tasks.length - 1;
  const allDone = () => lessons.every(({ id }) => progress.all.lessons[id]);
  const localized = (texts) => typeset(store.state.language, texts[store.state.language] ?? texts.en);

  /** Opens a task; with `again`, a solution that was shown before still counts as help. */
  function open(nextLesson = lessonIndex, nextTask = taskIndex, again = false) {
    wasHelped &&= again;
    [lessonIndex, taskIndex, isRight, shownSolution, hintText] = [nextLesson, nextTask, null, null, ""];
    draw();
    return desk.open(`lesson/${lesson().id}/${taskIndex}`, (answer) => {
      isRight = answer.right;
      if (isRight && !wasHelped) progress.taskDone(lesson().id, taskIndex, lesson().tasks.length);
      if (isRight && allDone()) progress.learnt();
      [shownSolution, hintText] = [null, ""];
      draw();
      nextButton().focus({ preventScroll: true });
    });
  }

  /** Returns the button that leads on after an answer. */
  function nextButton() {
    if (!isRight) return retry;
    return isLast() ? firstGame : next;
  }

  function retryTask() {
    open(lessonIndex, taskIndex, !isRight);
  }

  function forward(event = null) {
    if (!isRight) return;
    lastNext = event;
    if (taskIndex < lesson().tasks.length - 1) open(lessonIndex, taskIndex + 1);
    else if (lessonIndex < lessons.length - 1) open(lessonIndex + 1, 0);
  }

  async function showSolution() {
    const [answer] = (await desk.solution()) ?? [];
    if (!answer) return;
    [shownSolution, isRight, wasHelped, hintText] = [answer, null, true, ""];
    desk.draw(answer.move);
    draw();
    retry.focus({ preventScroll: true });
  }

  /** Shows where the move is; each further hint shows more, the last one the solution. */
  async function showHint() {
    if (isRight || shownSolution) return;
    const answer = await desk.hint();
    if (answer === null) return showSolution();
    if (!answer) return;
    [hintText, isRight] = [answer.text, null];
    draw();
  }

  /** Returns the text under the task. */
  function verdictText() {
    const texts = lesson().tasks[taskIndex];
    if (isRight === null) {
      return shownSolution
        ? say("lessonSolution", { move: shownSolution.move, purpose: purposeText(store.state.language, shownSolution.why) })
        : hintText;
    }
    return [say(isRight ? "exerciseRight" : "exerciseWrong"), localized(isRight ? texts.done : texts.miss),
      ...(isRight && wasHelped ? [say("lessonHelped")] : []), ...(isRight && isLast() && allDone() ? [say("lessonsDone")] : [])].join(" ");
  }

  function draw() {
    if (!lessons.length) return;
    const { title: name, tasks } = lesson();
    const texts = tasks[taskIndex];
    setText(kicker, [say("lessonNumber", { number: lessonIndex + 1, count: lessons.length }),
      ...(tasks.length > 1 ? [say("taskNumber", { number: taskIndex + 1, count: tasks.length })] : [])].join(" · "));
    setText(title, localized(name));
    setText(text, localized(texts.task));
    verdict.dataset.right = isRight === null ? "" : String(isRight);
    setText(verdict, verdictText());
    show(next, isRight === true && !isLast());
    show(firstGame, isRight === true && isLast() || allDone() && isRight === null);
    firstGame.className = isRight === true ? "main" : "";
    show(retry, isRight === false || shownSolution !== null);
    show(showButton, isRight !== true && !shownSolution);
    show(hintButton, isRight === null && !shownSolution);
    lessonItems.replaceChildren(...lessons.map(({ id, title: each }, n) => {
      const isDone = Boolean(progress.all.lessons[id]);
      const label = isDone ? say("lessonDone", { title: localized(each) }) : localized(each);
      return element("li", {}, element("button", {
        type: "button", "data-lesson": id, "data-done": isDone, "aria-label": `${n + 1}. ${label}`, title: localized(each),
        "aria-current": n === lessonIndex ? "step" : null, onclick: () => open(n, progress.taskOf(id)),
      }, element("span", { class: "number", text: isDone ? "✓" : n + 1 }), element("span", { class: "label", text: localized(each) })));
    }));
    annotated.replaceChildren(...games.map((game) => element("button", {
      type: "button", "data-annotated": game.id, text: localized(game.title),
      onclick: () => showAnnotated(game),
    })));
  }

  return {
    parts,
    draw,
    keys: { n: () => forward(), r: retryTask, s: showSolution, h: showHint },
    /** Opens the first lesson that is not done, at its first task that is not. */
    start(exercises) {
      ({ lessons, games } = exercises);
      const nextIndex = lessons.findIndex(({ id }) => !progress.all.lessons[id]);
      const index = Math.max(0, nextIndex);
      open(index, progress.taskOf(lessons[index].id));
    },
  };
}
