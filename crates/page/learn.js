// The lessons: their tasks, one after the other; below them, annotated games. Whether an
// answer is right is said by the host; the texts are its files lessons.json and games.json.
// The board is in practice.js, what is done already in learning.js.

import { button, element, setText, show } from "./dom.js";
import { createGuide } from "./practice.js";
import { purposeText, typeset } from "./texts.js";

/** The second click of a double click comes within this time, in milliseconds, and
 * this distance, in pixels. */
const DOUBLE = { time: 400, distance: 12 };

/**
 * @param {object} view
 * @param {ReturnType<import("./practice.js").createDesk>} view.desk the board
 * @param {import("./store.js").Store} view.store
 * @param {(key: string, values?: object) => string} view.say
 * @param {ReturnType<import("./learning.js").createProgress>} view.progress
 * @param {() => void} view.begin starts the first game
 * @param {(game: import("./messages.d.ts").AnnotatedGame) => void} view.read shows an annotated game
 */
export function createLearn({ desk, store, say, progress, begin, read }) {
  let lessons = [];
  let games = [];
  let at = 0;
  let task = 0;
  /** null, or whether the last turn was right. */
  let right = null;
  /** The answer that is shown, which can be played. @type {{move: string, why: any[]}|null} */
  let shownAnswer = null;
  /** Whether this task's answer was shown: then it is not done yet. */
  let helped = false;
  /** What a hint has told. */
  let hintText = "";
  /** The last click on "Next". @type {MouseEvent|null} */
  let last = null;

  const next = button("exercise-next", "exerciseNext", forward, "main");
  const retry = button("exercise-retry", "exerciseRetry", () => retryTask());
  const reveal = button("exercise-show", "exerciseShow", solution);
  const tip = button("exercise-hint", "hint.get", hint);
  const first = button("play-first", "playFirst", begin, "main");
  const steps = element("ol", { class: "steps", id: "lessons", "data-label": "lessons", "data-title": "off" });
  const annotated = element("div", { class: "row", id: "annotated" });
  const lessonList = element("div", {}, steps, element("h3", { "data-text": "annotated" }), element("p", { class: "quiet", "data-text": "annotatedText" }), annotated);
  const { kicker, title, text, verdict, parts } = createGuide([element("div", { class: "row" }, next, first, tip, retry, reveal)], lessonList);

  // The second click of a double click on "Next" hits what has come under the pointer.
  for (const part of parts) {
    part.addEventListener("click", (event) => {
      const isNear = last && event.detail && Math.hypot(event.clientX - last.clientX, event.clientY - last.clientY) < DOUBLE.distance;
      if (isNear && event.timeStamp - last.timeStamp < DOUBLE.time) event.stopImmediatePropagation();
    }, { capture: true });
  }

  const lesson = () => lessons[at];
  const isLast = () => at === lessons.length - 1 && task === lesson().tasks.length - 1;
  const allDone = () => lessons.every(({ id }) => progress.all.lessons[id]);
  const local = (texts) => typeset(store.state.language, texts[store.state.language] ?? texts.en);

  /** Opens a task; tried `again`, an answer that was shown still counts. */
  function open(nextLesson = at, nextTask = task, again = false) {
    helped &&= again;
    [at, task, right, shownAnswer, hintText] = [nextLesson, nextTask, null, null, ""];
    draw();
    return desk.open(`lesson/${lesson().id}/${task}`, (answer) => {
      right = answer.right;
      if (right && !helped) progress.taskDone(lesson().id, task, lesson().tasks.length);
      if (right && allDone()) progress.learnt();
      [shownAnswer, hintText] = [null, ""];
      draw();
      (right ? (isLast() ? first : next) : retry).focus({ preventScroll: true });
    });
  }

  function retryTask() {
    open(at, task, !right);
  }

  function forward(event = null) {
    if (!right) return;
    last = event;
    if (task < lesson().tasks.length - 1) open(at, task + 1);
    else if (at < lessons.length - 1) open(at + 1, 0);
  }

  async function solution() {
    const [answer] = (await desk.solution()) ?? [];
    if (!answer) return;
    [shownAnswer, right, helped, hintText] = [answer, null, true, ""];
    desk.draw(answer.move);
    draw();
    retry.focus({ preventScroll: true });
  }

  /** Tells where the answer is; asked again, more of it, and at last all. */
  async function hint() {
    if (right || shownAnswer) return;
    const hintGiven = await desk.hint();
    if (hintGiven === null) return solution();
    if (!hintGiven) return;
    [hintText, right] = [hintGiven.text, null];
    draw();
  }

  /** What is said under the task. */
  function verdictText() {
    const texts = lesson().tasks[task];
    if (right === null) return shownAnswer ? say("lessonSolution", { move: shownAnswer.move, purpose: purposeText(store.state.language, shownAnswer.why) }) : hintText;
    return [say(right ? "exerciseRight" : "exerciseWrong"), local(right ? texts.done : texts.miss),
      ...(right && helped ? [say("lessonHelped")] : []), ...(right && isLast() && allDone() ? [say("lessonsDone")] : [])].join(" ");
  }

  function draw() {
    if (!lessons.length) return;
    const { title: name, tasks } = lesson();
    const texts = tasks[task];
    setText(kicker, [say("lessonNumber", { number: at + 1, count: lessons.length }),
      ...(tasks.length > 1 ? [say("taskNumber", { number: task + 1, count: tasks.length })] : [])].join(" · "));
    setText(title, local(name));
    setText(text, local(texts.task));
    verdict.dataset.right = right === null ? "" : String(right);
    setText(verdict, verdictText());
    show(next, right === true && !isLast());
    show(first, right === true && isLast() || allDone() && right === null);
    first.className = right === true ? "main" : "";
    show(retry, right === false || shownAnswer !== null);
    show(reveal, right !== true && !shownAnswer);
    show(tip, right === null && !shownAnswer);
    steps.replaceChildren(...lessons.map(({ id, title: each }, n) => {
      const isDone = Boolean(progress.all.lessons[id]);
      const label = isDone ? say("lessonDone", { title: local(each) }) : local(each);
      return element("li", {}, element("button", {
        type: "button", "data-lesson": id, "data-done": isDone, "aria-label": `${n + 1}. ${label}`, title: local(each),
        "aria-current": n === at ? "step" : null, onclick: () => open(n, progress.taskOf(id)),
      }, element("span", { class: "number", text: isDone ? "✓" : n + 1 }), element("span", { class: "label", text: local(each) })));
    }));
    annotated.replaceChildren(...games.map((game) => element("button", { type: "button", "data-annotated": game.id, text: local(game.title), onclick: () => read(game) })));
  }

  return {
    parts,
    draw,
    keys: { n: () => forward(), r: retryTask, s: solution, h: hint },
    /** Opens the first lesson that is not done, at its first task that is not. */
    start(exercises) {
      ({ lessons, games } = exercises);
      const open_ = lessons.findIndex(({ id }) => !progress.all.lessons[id]);
      const first_ = Math.max(0, open_);
      open(first_, progress.taskOf(lessons[first_].id));
    },
  };
}
