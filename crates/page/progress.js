// Progress in lessons and puzzles, saved in the browser.

import { browser } from "./memory.js";

const KEPT = "pontifex.progress";
/** Who has solved fewer puzzles gets easy ones as the puzzle of the day. */
const NEWCOMER = 10;

/** The local date as `2026-05-31`. */
export function today(shift = 0) {
  const date = new Date();
  date.setDate(date.getDate() + shift);
  const two = (n) => String(n).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The number of the daily puzzle among `count`. */
export function dailyOf(count, date = today()) {
  const day = Math.round(Date.parse(`${date}T00:00:00Z`) / 86400000);
  // Neighbouring days get puzzles far apart.
  return (day * 37) % count;
}

export function createProgress() {
  const all = { lessons: {}, tasks: {}, puzzles: {}, streak: 0, best: 0, days: 0, day: "" };
  Object.assign(all, browser.readJson(KEPT));
  const save = () => browser.writeJson(KEPT, all);

  return {
    all,
    /** The id of today's puzzle. A newcomer's is an easy one; it stays the same all day. */
    daily(puzzles) {
      const known = puzzles.some(({ id }) => id === all.daily?.id);
      if (all.daily?.day !== today() || !known) {
        const easy = puzzles.filter(({ difficulty }) => difficulty === 1);
        const isNew = Object.keys(all.puzzles).length < NEWCOMER && easy.length > 0;
        const choice = isNew ? easy : puzzles;
        all.daily = { day: today(), id: choice[dailyOf(choice.length)].id };
        save();
      }
      return all.daily.id;
    },
    /** The task to go on with in a lesson: the first that is not done. */
    taskOf: (id) => all.tasks[id] ?? 0,
    taskDone(id, task) {
      all.tasks[id] = task + 1;
      save();
    },
    /** A lesson was done, and with it perhaps the last. */
    lessonDone(id, isAll) {
      all.lessons[id] = true;
      if (isAll) all.learnt = true;
      delete all.tasks[id];
      save();
    },
    /** A puzzle was solved; `clean` if neither a try failed nor the answer was shown. */
    solved(id, clean, isDaily) {
      const again = id in all.puzzles;
      all.puzzles[id] ||= clean;
      if (clean && !again) all.best = Math.max(all.best, ++all.streak);
      if (isDaily && all.day !== today()) {
        all.days = all.day === today(-1) ? all.days + 1 : 1;
        all.day = today();
      }
      save();
    },
    failed(id) {
      if (!(id in all.puzzles)) all.streak = 0;
      save();
    },
    /** Days in a row with the daily puzzle solved. */
    days: () => (all.day === today() || all.day === today(-1) ? all.days : 0),
  };
}
