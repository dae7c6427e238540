// The user's progress in lessons and puzzles: what is done, when a missed puzzle is repeated,
// the rating, the streaks and the daily puzzle. Stored by memory.js; shown by learn.js,
// puzzles.js and progress.js.

import { browser } from "./memory.js";

const PROGRESS_KEY = "pontifex.progress";

/** The days after which a missed puzzle is repeated, for each repetition. */
const INTERVALS = [1, 3, 7, 30];

/** The user's first rating, and the ratings of easy, medium and hard puzzles. */
const FIRST_RATING = 1200;
const RATINGS = [1000, 1300, 1600];
/** How much each further move to find adds to a puzzle's rating. */
const TURN_RATING = 100;
/** The largest change of a rating by a result, and how many first results count double. */
const MAX_CHANGE = 16;
const FAST_RESULTS = 20;

/** Returns the local date as `2026-05-31`. @param {number} [shift] days after today */
export function today(shift = 0) {
  const date = new Date();
  date.setDate(date.getDate() + shift);
  const two = (n) => String(n).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Returns the index of the daily puzzle among `count`. @param {number} count @param {string} [date] as `today` writes it */
export function dailyOf(count, date = today()) {
  const day = Math.round(Date.parse(`${date}T00:00:00Z`) / 86400000);
  // On consecutive days, the puzzles are far apart in the list.
  return (day * 37) % count;
}

/**
 * Returns the Elo rating after a puzzle was solved or missed.
 * @param {number} rating
 * @param {number} count the number of results so far
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
  /** `tasks`: those done in unfinished lessons; `due`: puzzles to repeat, with day and count. */
  const all = {
    lessons: {}, tasks: {}, puzzles: {}, due: {}, rating: FIRST_RATING, rated: 0,
    streak: 0, best: 0, days: 0, day: "", learnt: false,
  };
  const read = () => Object.assign(all, browser.readJson(PROGRESS_KEY));
  const save = () => browser.writeJson(PROGRESS_KEY, all);
  read();
  /** Returns the tasks done in a lesson. An earlier version stored their number. */
  const tasksOf = (id) => (Array.isArray(all.tasks[id]) ? all.tasks[id] : Array.from({ length: all.tasks[id] ?? 0 }, (_, n) => n));
  const isNew = (id) => !(id in all.puzzles) && !(id in all.due);

  /** Updates the rating; only the first attempt at a puzzle counts. */
  function rate(puzzle, isRight) {
    if (!isNew(puzzle.id)) return;
    all.rating = ratingAfter(all.rating, all.rated, puzzle, isRight);
    all.rated += 1;
  }

  /** Schedules the next repetition of a puzzle, or ends its repetitions. */
  function scheduleRepeat(id, times) {
    if (times < INTERVALS.length) all.due[id] = { day: today(INTERVALS[times]), times };
    else delete all.due[id];
  }

  return {
    all,
    /** Reads the stored progress again, after a backup was loaded. */
    read,
    /** Returns the id of today's puzzle, the same for everybody: one move to find, not hard. */
    daily(puzzles) {
      const choice = puzzles.filter(({ kind, turns, difficulty }) => kind === "puzzle" && turns === 1 && difficulty < 3);
      return choice[dailyOf(choice.length)].id;
    },
    isDue: (id) => id in all.due && all.due[id].day <= today(),
    /** Returns the first task of a lesson that is not done. */
    taskOf(id) {
      const doneTasks = tasksOf(id);
      const firstGap = doneTasks.findIndex((task, n) => task !== n);
      return firstGap < 0 ? doneTasks.length : firstGap;
    },
    /** Records a task done without help. The lesson is done with all of its `count` tasks. */
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
    /** Records that all lessons are done. */
    learnt() {
      all.learnt = true;
      save();
    },
    /** Records a solved puzzle; `isClean`: at the first attempt and without a hint. */
    solved(puzzle, isClean, isDaily) {
      const { id } = puzzle;
      if (isClean) {
        rate(puzzle, true);
        if (isNew(id)) all.best = Math.max(all.best, ++all.streak);
        if (this.isDue(id)) scheduleRepeat(id, all.due[id].times + 1);
      }
      all.puzzles[id] ||= isClean;
      if (isDaily && all.day !== today()) {
        all.days = all.day === today(-1) ? all.days + 1 : 1;
        all.day = today();
      }
      save();
    },
    /** Records a failed attempt or help: repeats the puzzle tomorrow. Hints keep the rating. */
    missed(puzzle, isHint = false) {
      if (!isHint) rate(puzzle, false);
      if (!(puzzle.id in all.puzzles)) all.streak = 0;
      scheduleRepeat(puzzle.id, 0);
      save();
    },
    /** Returns the number of days in a row on which the daily puzzle was solved. */
    days: () => (all.day === today() || all.day === today(-1) ? all.days : 0),
  };
}
