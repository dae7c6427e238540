// Progress in lessons and puzzles: what is done, when a missed puzzle comes back, the rating,
// the streaks and the daily puzzle. Stored by memory.js; shown by learn.js, puzzles.js and
// progress.js.

import { browser } from "./memory.js";

const PROGRESS_KEY = "pontifex.progress";

/** After how many days a puzzle that was missed comes back, time after time. */
const INTERVALS = [1, 3, 7, 30];

/** The rating to begin with, and those of easy, medium and hard puzzles. */
const FIRST_RATING = 1200;
const RATINGS = [1000, 1300, 1600];
/** What another turn to find adds. */
const TURN_RATING = 100;
/** How far a result moves a rating at most, and in how many first results it moves twice as far. */
const MAX_CHANGE = 16;
const FAST_RESULTS = 20;

/** The local date as `2026-05-31`. @param {number} [shift] days after today */
export function today(shift = 0) {
  const date = new Date();
  date.setDate(date.getDate() + shift);
  const two = (n) => String(n).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The number of the daily puzzle among `count`. @param {number} count @param {string} [date] as `today` writes it */
export function dailyOf(count, date = today()) {
  const day = Math.round(Date.parse(`${date}T00:00:00Z`) / 86400000);
  // Neighbouring days get puzzles far apart.
  return (day * 37) % count;
}

/**
 * The rating after a result against a puzzle, by Elo.
 * @param {number} rating
 * @param {number} count the results so far
 * @param {Pick<import("./messages.d.ts").PuzzleEntry, "difficulty"|"turns">} puzzle
 * @param {boolean} isRight
 * @returns {number}
 */
export function ratingAfter(rating, count, { difficulty, turns }, isRight) {
  const puzzleRating = RATINGS[difficulty - 1] + TURN_RATING * (turns - 1);
  const expected = 1 / (1 + 10 ** ((puzzleRating - rating) / 400));
  return rating + (count < FAST_RESULTS ? 2 : 1) * MAX_CHANGE * ((isRight ? 1 : 0) - expected);
}

/** Progress in lessons and puzzles, saved in the browser after each change. */
export function createProgress() {
  /** `tasks`: those done of each lesson that is not; `due`: puzzles that come back, each with its day and how often it did. */
  const all = { lessons: {}, tasks: {}, puzzles: {}, due: {}, rating: FIRST_RATING, rated: 0, streak: 0, best: 0, days: 0, day: "", learnt: false };
  const read = () => Object.assign(all, browser.readJson(PROGRESS_KEY));
  const save = () => browser.writeJson(PROGRESS_KEY, all);
  read();
  /** The tasks of a lesson that are done. An earlier version kept their number. */
  const tasksOf = (id) => (Array.isArray(all.tasks[id]) ? all.tasks[id] : Array.from({ length: all.tasks[id] ?? 0 }, (_, n) => n));
  const isNew = (id) => !(id in all.puzzles) && !(id in all.due);

  /** Only the first attempt at a puzzle counts. */
  function rate(puzzle, isRight) {
    if (!isNew(puzzle.id)) return;
    all.rating = ratingAfter(all.rating, all.rated, puzzle, isRight);
    all.rated += 1;
  }

  /** Lets a puzzle come back. */
  function scheduleRepeat(id, times) {
    if (times < INTERVALS.length) all.due[id] = { day: today(INTERVALS[times]), times };
    else delete all.due[id];
  }

  return {
    all,
    /** Reads it again, after it was replaced. */
    read,
    /** The id of today's puzzle, the same for everybody: one turn, not hard. */
    daily(puzzles) {
      const choice = puzzles.filter(({ kind, turns, difficulty }) => kind === "puzzle" && turns === 1 && difficulty < 3);
      return choice[dailyOf(choice.length)].id;
    },
    isDue: (id) => id in all.due && all.due[id].day <= today(),
    /** The task to go on with in a lesson: the first that is not done. */
    taskOf(id) {
      const doneTasks = tasksOf(id);
      const firstGap = doneTasks.findIndex((task, n) => task !== n);
      return firstGap < 0 ? doneTasks.length : firstGap;
    },
    /** A task was done without its answer; and with the last one, of `count`, the lesson is. */
    taskDone(id, task, count) {
      if (all.lessons[id]) return;
      const doneTasks = [...new Set([...tasksOf(id), task])].sort((a, b) => a - b);
      all.tasks[id] = doneTasks;
      if (doneTasks.length === count) {
        all.lessons[id] = true;
        delete all.tasks[id];
      }
      save();
    },
    /** All lessons are done. */
    learnt() {
      all.learnt = true;
      save();
    },
    /** A puzzle was solved without being shown; `clean` if also no try failed and there was no hint. */
    solved(puzzle, clean, isDaily) {
      const { id } = puzzle;
      if (clean) {
        rate(puzzle, true);
        if (isNew(id)) all.best = Math.max(all.best, ++all.streak);
        if (this.isDue(id)) scheduleRepeat(id, all.due[id].times + 1);
      }
      all.puzzles[id] ||= clean;
      if (isDaily && all.day !== today()) {
        all.days = all.day === today(-1) ? all.days + 1 : 1;
        all.day = today();
      }
      save();
    },
    /** A try failed, or there was help: the puzzle comes back tomorrow. A hint does not count against the rating. */
    missed(puzzle, isHint = false) {
      if (!isHint) rate(puzzle, false);
      if (!(puzzle.id in all.puzzles)) all.streak = 0;
      scheduleRepeat(puzzle.id, 0);
      save();
    },
    /** Days in a row with the daily puzzle solved. */
    days: () => (all.day === today() || all.day === today(-1) ? all.days : 0),
  };
}
