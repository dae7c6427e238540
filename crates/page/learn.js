// The lessons: their tasks, one after the other.

import { element, setText, show } from "./dom.js";

/** The second click of a double click comes within this time, in milliseconds, and
 * this distance, in pixels. */
const DOUBLE = { time: 400, distance: 12 };

/**
 * @param {object} view
 * @param {object} view.desk the board
 * @param {(key: string, values?: object) => string} view.say
 * @param {object} view.progress
 * @param {() => string} view.language
 * @param {() => void} view.begin starts the first game
 */
export function createLearn({ desk, say, progress, language, begin }) {
  let lessons = [];
  let at = 0;
  let task = 0;
  /** null, or whether the last turn was right. */
  let right = null;
  /** The answer that is shown, which can be played. @type {{move: string}|null} */
  let shown = null;
  /** The last click on "Next". @type {MouseEvent|null} */
  let last = null;

  const number = element("p", { class: "kicker" });
  const title = element("h2", { id: "exercise-title", tabindex: -1 });
  const text = element("p", { id: "exercise-text" });
  const verdict = element("p", { id: "exercise-verdict", role: "status" });
  const button = (id, key, onclick, name) => element("button", { type: "button", id, "data-text": key, class: name ?? null, onclick });
  const next = button("exercise-next", "exerciseNext", forward, "main");
  const retry = button("exercise-retry", "exerciseRetry", () => open());
  const reveal = button("exercise-show", "exerciseShow", solution);
  const first = button("play-first", "playFirst", begin, "main");
  const steps = element("ol", { class: "steps", id: "lessons", "data-label": "lessons", "data-title": "off" });
  const parts = [
    element("div", { class: "prompt" }, number, title, text),
    element("div", { class: "answer" }, verdict, element("div", { class: "row" }, next, first, retry, reveal)),
    steps,
  ];

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
  const local = (texts) => texts[language()] ?? texts.en;

  function open(nextLesson = at, nextTask = task) {
    [at, task, right, shown] = [nextLesson, nextTask, null, null];
    draw();
    return desk.open(`lesson/${lesson().id}/${task}`, (answer) => {
      [right, shown] = [answer.right, null];
      if (right && task === lesson().tasks.length - 1) progress.lessonDone(lesson().id, lessons.every(({ id }) => id === lesson().id || progress.all.lessons[id]));
      else if (right) progress.taskDone(lesson().id, task);
      draw();
      (right ? (isLast() ? first : next) : retry).focus();
    });
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
    [shown, right] = [answer, null];
    desk.draw(answer.move);
    draw();
    retry.focus({ preventScroll: true });
  }

  function draw() {
    if (!lessons.length) return;
    const { title: name, tasks } = lesson();
    const texts = tasks[task];
    setText(number, [say("lessonOf", { number: at + 1, count: lessons.length }),
      ...(tasks.length > 1 ? [say("taskOf", { number: task + 1, count: tasks.length })] : [])].join(" · "));
    setText(title, local(name));
    setText(text, local(texts.task));
    verdict.dataset.right = right === null ? "" : String(right);
    setText(verdict, right === null ? (shown ? say("lessonShown", { move: shown.move }) : "") : `${say(right ? "exerciseRight" : "exerciseWrong")} ${local(right ? texts.done : texts.miss)}`
      + (right && isLast() && allDone() ? ` ${say("lessonsDone")}` : ""));
    show(next, right === true && !isLast());
    show(first, right === true && isLast() || allDone() && right === null);
    first.className = right === true ? "main" : "";
    show(retry, right === false || shown !== null);
    show(reveal, right !== true && !shown);
    steps.replaceChildren(...lessons.map(({ id, title: each }, n) => {
      const done = Boolean(progress.all.lessons[id]);
      const label = done ? say("lessonDone", { title: local(each) }) : local(each);
      return element("li", {}, element("button", {
        type: "button", "data-lesson": id, "data-done": done, "aria-label": `${n + 1}. ${label}`, title: local(each),
        "aria-current": n === at ? "step" : null, onclick: () => open(n, progress.taskOf(id)).then(() => title.focus({ preventScroll: true })),
      }, element("span", { class: "number", text: done ? "✓" : n + 1 }), element("span", { class: "label", text: local(each) })));
    }));
  }

  return {
    parts,
    draw,
    title,
    keys: { n: () => forward(), r: () => open(), s: solution },
    /** Opens the first lesson that is not done, at its first task that is not. */
    start(list) {
      lessons = list;
      const open_ = lessons.findIndex(({ id }) => !progress.all.lessons[id]);
      const first_ = Math.max(0, open_);
      open(first_, progress.taskOf(lessons[first_].id));
    },
  };
}
