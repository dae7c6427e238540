// The puzzles: verdicts of the solver, filters, stored progress, and the keyboard.

import assert from "node:assert/strict";
import { test } from "node:test";
import { at, drawn, open, soon } from "./browser.mjs";

const SIZES = { phone: { width: 390, height: 844 }, small: { width: 375, height: 667 }, desktop: { width: 1366, height: 768 } };
const cell = (page, name) => page.locator(`#practice [data-cell=${name}]`);
const isWithin = (page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);

async function puzzles(t, options = {}, hash = "#puzzles") {
  const page = await open(t, { path: `/?session=new${hash}`, wait: false, options });
  await page.waitForSelector("#practice [data-cell=a1]");
  await page.waitForFunction(() => document.querySelector("#exercise-title").textContent);
  return page;
}

/** Plays a turn: two tiles, a bridge or a pass. */
async function play(page, move) {
  if (move === "pass") return page.click("#exercise-pass");
  const [first, second] = move.split(/[,-]/);
  await cell(page, first).click();
  await page.waitForSelector(move.includes(",")
    ? `#practice .cells[data-seconds=${first}]`
    : `#practice [data-cell=${second}][data-target]`);
  await cell(page, second).click();
}

/** Waits until the puzzle is on the board and open to moves. */
const waitUntilOpen = (page) => page.waitForSelector("#practice .stage[data-exercise] [data-legal], #exercise-pass:not([hidden])");

/** Shows the right turns, goes back to the puzzle, and returns them. */
async function showSolutions(page) {
  await page.click("#exercise-show");
  const turns = page.locator("#right-turns [data-turn]");
  await turns.first().waitFor();
  const right = await turns.evaluateAll((all) => all.map((each) => each.dataset.turn));
  await page.click("#exercise-retry");
  await waitUntilOpen(page);
  await page.waitForFunction(() => !document.querySelector("#right-turns [data-turn]"));
  return right;
}

/** Returns the right turns, without a trace in the page's progress. */
async function solve(page) {
  const right = await showSolutions(page);
  await page.evaluate(() => localStorage.removeItem("pontifex.progress"));
  await page.reload();
  await waitUntilOpen(page);
  return right;
}

const progress = (page) => page.evaluate(() => JSON.parse(localStorage.getItem("pontifex.progress")));

/** Plays two free cells that are not a right turn. */
async function playWrong(page, right) {
  const free = await page.locator("#practice [data-legal]").evaluateAll((all) => all.map((each) => each.dataset.cell));
  for (const first of free) {
    await cell(page, first).click();
    await page.waitForSelector(`#practice .cells[data-seconds=${first}]`);
    const seconds = await page.locator("#practice [data-legal]:not([data-laid])")
      .evaluateAll((all) => all.map((each) => each.dataset.cell));
    const second = seconds.find((each) => !right.includes(`${first},${each}`) && !right.includes(`${each},${first}`) && each !== first);
    if (second) return cell(page, second).click();
    await cell(page, first).click();
  }
}

for (const [name, viewport] of Object.entries(SIZES)) {
  test(`show, retry, solve, next (${name})`, async (t) => {
    const page = await puzzles(t, { viewport, hasTouch: viewport.width < 800 });
    await soon(async () => assert.ok(await isWithin(page), "wider than the screen"));
    const [right] = await solve(page);
    await play(page, right);
    await page.waitForSelector("#exercise-verdict[data-right=true]");
    await soon(async () => assert.match(await page.locator("#exercise-verdict").textContent(), /^Right! After .*(wins|draw).* Theme: /));
    await soon(async () => assert.ok(await isWithin(page), "wider than the screen"));
    await soon(async () => assert.match(await page.locator("#puzzle-progress").textContent(), /^1 of \d+ solved/));
    const before = await page.locator(".kicker").textContent();
    await page.click("#exercise-next");
    await page.waitForFunction((text) => document.querySelector(".kicker").textContent !== text, before);
    await soon(async () => assert.ok(!(await page.locator(".kicker").textContent()).includes("solved")));
    await page.reload();
    await page.waitForFunction(() => /^1 of/.test(document.querySelector("#puzzle-progress")?.textContent ?? ""));
  });
}

test("a wrong turn is refuted, with values before and after", async (t) => {
  const page = await puzzles(t);
  const right = await solve(page);
  await playWrong(page, right);
  await page.waitForSelector("#exercise-verdict[data-right=false]");
  await soon(async () => assert.match(await page.locator("#exercise-verdict").textContent(), /^Not yet\. .* it was “.*”, now it is “.*”/));
  // The reply follows on the board.
  await page.waitForSelector("#practice .stage[data-frame='2']");
  await page.click("#exercise-back");
  await page.waitForSelector("#practice .stage[data-frame='1']");
  await page.locator("#exercise-retry").click();
  await page.waitForSelector("#exercise-verdict[data-right='']", { state: "attached" });
  await waitUntilOpen(page);
  // Found later, the puzzle is solved, but it counts as missed.
  await play(page, right[0]);
  await page.waitForSelector("#exercise-verdict[data-right=true]");
  await soon(async () => assert.match(await page.locator("#puzzle-progress").textContent(), /^1 of \d+ solved · rating 1\d\d\d$/));
  const saved = await progress(page);
  assert.ok(saved.rating < 1200 && saved.rated === 1 && saved.streak === 0, JSON.stringify(saved));
  assert.deepEqual(Object.values(saved.due).map(({ times }) => times), [0]);
});

test("a right turn at the first attempt raises the rating once; a solution shown does not count", async (t) => {
  const page = await puzzles(t);
  const [right] = await solve(page);
  await play(page, right);
  await page.waitForSelector("#exercise-verdict[data-right=true]");
  const { rating, due } = await progress(page);
  assert.ok(rating > 1200 && Object.keys(due).length === 0, `${rating}`);
  await page.click("#exercise-next");
  await page.waitForFunction(() => document.querySelector("#exercise-verdict").textContent === "");
  await waitUntilOpen(page);
  const [other] = await showSolutions(page);
  await play(page, other);
  await page.waitForSelector("#exercise-verdict[data-right=true]");
  await soon(async () => assert.match(await page.locator("#puzzle-progress").textContent(), /^1 of \d+ solved/));
  assert.ok((await progress(page)).rating < rating);
});

test("a missed puzzle is repeated after a day, three, a week and a month", async (t) => {
  const page = await puzzles(t);
  const id = (await page.locator(".stage").getAttribute("data-exercise")).split("/")[1];
  const right = await solve(page);
  await playWrong(page, right);
  await page.waitForSelector("#exercise-verdict[data-right=false]");
  const wait = (days) => page.evaluate((shift) => {
    const RealDate = Date;
    const saved = JSON.parse(localStorage.getItem("pontifex.progress"));
    for (const each of Object.values(saved.due)) {
      each.day = new RealDate(new RealDate(`${each.day}T12:00:00Z`).getTime() - shift * 86400000)
        .toISOString().slice(0, 10);
    }
    localStorage.setItem("pontifex.progress", JSON.stringify(saved));
  }, days);
  for (const [times, days] of [1, 3, 7, 30].entries()) {
    const saved = await progress(page);
    assert.equal(saved.due[id].times, times);
    await wait(days - 1);
    await page.reload();
    await waitUntilOpen(page);
    await soon(async () => assert.ok(!(await page.locator("#puzzle-progress").textContent()).includes("repeat"), `${days} days`));
    await wait(1);
    await page.reload();
    await waitUntilOpen(page);
    await soon(async () => assert.match(await page.locator("#puzzle-progress").textContent(), /to repeat today: 1/));
    // The repeated puzzle is the first.
    assert.equal((await page.locator(".stage").getAttribute("data-exercise")).split("/")[1], id);
    await soon(async () => assert.match(await page.locator(".kicker").textContent(), /to repeat/));
    await play(page, right[0]);
    await page.waitForSelector("#exercise-verdict[data-right=true]");
  }
  assert.deepEqual((await progress(page)).due, {});
});

test("a puzzle of several turns: each gets a reply, and a wrong one is tried again in its place", async (t) => {
  const page = await puzzles(t, { viewport: SIZES.small, hasTouch: true });
  await page.selectOption("#puzzle-kind", "several");
  await page.waitForFunction(() => /[23] moves/.test(document.querySelector(".kicker").textContent));
  await waitUntilOpen(page);
  const [first] = await showSolutions(page);
  await play(page, first);
  await page.waitForSelector("#exercise-verdict[data-right=true]");
  await soon(async () => assert.match(
    await page.locator("#exercise-verdict").textContent(),
    /^Right! (White|Red) answers with .*next move/));
  await page.waitForSelector(".stage[data-found='1']");
  await waitUntilOpen(page);
  await soon(async () => assert.ok(await isWithin(page), "wider than the screen"));
  const seconds = await showSolutions(page);
  assert.equal(await page.locator(".stage").getAttribute("data-found"), "1");
  if (await page.locator("#practice [data-legal]").count() > 1) {
    await playWrong(page, seconds);
    await page.waitForSelector("#exercise-verdict[data-right=false]");
    await page.click("#exercise-retry");
    await page.waitForSelector(".stage[data-found='1']");
    await waitUntilOpen(page);
  }
  await play(page, seconds[0]);
  await page.waitForSelector("#exercise-verdict[data-right=true]");
});

test("a tactic: the best move, and what a weaker one costs", async (t) => {
  const page = await puzzles(t);
  await page.selectOption("#puzzle-kind", "tactic");
  await soon(async () => assert.match(await page.locator("#exercise-title").textContent(), /Find the best move/));
  await waitUntilOpen(page);
  const right = await showSolutions(page);
  // A move that was never searched before is searched now.
  await playWrong(page, right);
  await page.waitForSelector("#exercise-verdict[data-right=false]");
  await soon(async () => assert.match(
    await page.locator("#exercise-verdict").textContent(),
    /^Not yet\. After .* win rate is \d+%; after the best move it is \d+%\. Look at the board: /));
  await page.waitForSelector("#practice .stage[data-frame='2']");
  await page.click("#exercise-retry");
  await waitUntilOpen(page);
  await play(page, right[0]);
  await page.waitForSelector("#exercise-verdict[data-right=true]");
});

test("by theme and difficulty, the daily one, by keyboard", async (t) => {
  const page = await puzzles(t, { colorScheme: "dark" });
  await soon(async () => assert.ok(await page.locator("#puzzle-theme option").count() > 9));
  await page.selectOption("#puzzle-difficulty", "3");
  await page.waitForFunction(() => document.querySelector(".kicker").textContent.includes("★★★"));
  await page.selectOption("#puzzle-theme", "fork");
  await page.keyboard.press("Tab");
  await page.click("#puzzle-daily");
  await page.waitForFunction(() => /day, /.test(document.querySelector(".kicker").textContent));
  const daily = await page.locator(".kicker").textContent();
  await page.locator("#exercise-title").focus();
  await page.keyboard.press("s");
  await page.locator("#right-turns [data-turn]").first().waitFor();
  const right = await page.locator("#right-turns [data-turn]").first().getAttribute("data-turn");
  await page.keyboard.press("r");
  await page.waitForFunction(() => !document.querySelector("#right-turns [data-turn]"));
  await page.evaluate(() => localStorage.removeItem("pontifex.progress"));
  await page.goto(at("/?session=new#daily"));
  await page.reload();
  await waitUntilOpen(page);
  await play(page, right);
  await page.waitForSelector("#exercise-verdict[data-right=true]");
  await soon(async () => assert.match(await page.locator("#puzzle-progress").textContent(), /Daily puzzles in a row: 1$/));
  await page.locator("#exercise-title").focus();
  await page.keyboard.press("n");
  await page.waitForFunction((text) => document.querySelector(".kicker").textContent !== text, daily);
  // Cells by arrow keys, when the next puzzle is on the board.
  await soon(async () => {
    await page.keyboard.press("g");
    assert.ok(await page.evaluate(() => document.activeElement.dataset.cell));
  });
  const before = await page.evaluate(() => document.activeElement.dataset.cell);
  await page.keyboard.press(before.endsWith("1") ? "ArrowUp" : "ArrowDown");
  const after = await page.evaluate(() => document.activeElement.dataset.cell);
  assert.notEqual(before, after);
  await soon(async () => assert.equal(await page.locator("#practice [tabindex='0'][data-cell]").count(), 1));
});

test("score, supply, a hint by degrees, and why a turn is right", async (t) => {
  const page = await puzzles(t);
  await page.selectOption("#puzzle-theme", "supply");
  await page.waitForFunction(() => /Bridges left: \d/.test(document.querySelector("#exercise-facts").textContent));
  await soon(async () => assert.match(await page.locator("#exercise-facts [data-value=score]").textContent(), /Points: White \d+ Red \d+/));
  const verdict = () => page.locator("#exercise-verdict").textContent();
  await page.click("#exercise-hint");
  await soon(async () => assert.match(await verdict(), /^Theme: the last bridges\. The move (begins in the marked part|needs no cell)/));
  await drawn(page);
  const area = await page.locator("#practice .marked").count();
  await page.click("#exercise-hint");
  await soon(async () => assert.match(await verdict(), /one end is|tiles goes on|With best play/));
  const cellNamed = (await verdict()).match(/ ([a-l]\d+)\.$/)?.[1];
  if (cellNamed) {
    assert.ok(area > 4);
    await soon(async () => assert.equal(await page.locator("#practice .marked").count(), 1));
    await page.click("#exercise-hint");
  }
  const turns = page.locator("#right-turns [data-turn]");
  await turns.first().waitFor();
  await page.locator("#exercise-hint").waitFor({ state: "hidden" });
  const first = await turns.first().getAttribute("data-turn");
  if (cellNamed) assert.ok(first.split(/[,-]/).includes(cellNamed), `${cellNamed} ${first}`);
  await soon(async () => assert.match(await verdict(), /\. .+\. With best play: .*(wins|draw)/));
  // The move can be played at once.
  await play(page, first);
  await page.waitForSelector("#exercise-verdict[data-right=true]");
});

test("the puzzle of the day is the same for everybody, and not hard", async (t) => {
  const page = await puzzles(t, {}, "#daily");
  await soon(async () => assert.match(await page.locator(".kicker").textContent(), /★☆☆|★★☆/));
  const daily = await page.locator(".stage").getAttribute("data-exercise");
  // For a user who has solved many.
  await page.evaluate(() => localStorage.setItem("pontifex.progress", JSON.stringify({
    puzzles: Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`x${n}`, true])),
  })));
  await page.reload();
  await waitUntilOpen(page);
  await soon(async () => assert.equal(await page.locator(".stage").getAttribute("data-exercise"), daily));
});

test("the page stays small, puzzles and lessons included", async (t) => {
  const page = await puzzles(t);
  // Each file once; the modules of the site's workers count with the engine.
  const bytes = await page.evaluate(() => {
    const entries = [...performance.getEntriesByType("resource"), ...performance.getEntriesByType("navigation")];
    const sizes = new Map(entries.map(({ name, decodedBodySize }) => [name, decodedBodySize]));
    return [...sizes].reduce((sum, [name, size]) => sum + (name.endsWith("/pontifex.js") ? 0 : size), 0);
  });
  assert.ok(bytes > 100000 && bytes < 410 * 1024, `${bytes}`);
});

test("an open puzzle is shown again after a lesson", async (t) => {
  const page = await puzzles(t);
  await waitUntilOpen(page);
  const board = () => page.locator("#practice [data-tile]")
    .evaluateAll((cells) => cells.map((each) => each.dataset.cell + each.dataset.tile).join());
  const before = await board();
  for (const [hash, name] of [["#learn", "lesson"], ["#puzzles", "puzzle"]]) {
    await page.evaluate((to) => { location.hash = to; }, hash);
    await page.waitForSelector(`#practice .stage[data-exercise^="${name}/"]`);
  }
  await soon(async () => assert.equal(await board(), before));
});
