// The puzzles: judged by the solver, filtered, remembered, by keyboard.

import assert from "node:assert/strict";
import { test } from "node:test";
import { open, soon } from "./browser.mjs";

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
  await page.waitForSelector(move.includes(",") ? `#practice .cells[data-seconds=${first}]` : `#practice [data-cell=${second}][data-target]`);
  await cell(page, second).click();
}

/** Shows the right turns and goes back to the puzzle. */
async function solve(page) {
  await page.click("#exercise-show");
  const turns = page.locator("#right-turns [data-turn]");
  await turns.first().waitFor();
  const right = await turns.evaluateAll((all) => all.map((each) => each.dataset.turn));
  await page.click("#exercise-retry");
  await page.waitForSelector("#practice [data-legal], #exercise-pass:not([hidden])");
  await page.waitForFunction(() => !document.querySelector("#right-turns [data-turn]"));
  return right;
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

test("a wrong turn is refuted with values before and after", async (t) => {
  const page = await puzzles(t);
  const right = await solve(page);
  // The first two tiles that are not an answer.
  const free = await page.locator("#practice [data-legal]").evaluateAll((all) => all.map((each) => each.dataset.cell));
  for (const first of free) {
    await cell(page, first).click();
    await page.waitForSelector(`#practice .cells[data-seconds=${first}]`);
    const seconds = await page.locator("#practice [data-legal]:not([data-laid])").evaluateAll((all) => all.map((each) => each.dataset.cell));
    const second = seconds.find((each) => !right.includes(`${first},${each}`) && !right.includes(`${each},${first}`) && each !== first);
    if (second) {
      await cell(page, second).click();
      break;
    }
    await cell(page, first).click();
  }
  await page.waitForSelector("#exercise-verdict[data-right=false]");
  await soon(async () => assert.match(await page.locator("#exercise-verdict").textContent(), /^Not yet\. .* it was “.*”, now it is “.*”/));
  await page.locator("#exercise-retry").click();
  await page.waitForSelector("#exercise-verdict[data-right='']", { state: "attached" });
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
  await play(page, right);
  await page.waitForSelector("#exercise-verdict[data-right=true]");
  await soon(async () => assert.match(await page.locator("#puzzle-progress").textContent(), /daily puzzles in a row: 1$/));
  await page.keyboard.press("n");
  await page.waitForFunction((text) => document.querySelector(".kicker").textContent !== text, daily);
  // Cells by arrow keys, once the next puzzle lies there.
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

test("score, supply, a hint in two steps, and why a turn is right", async (t) => {
  const page = await puzzles(t);
  await page.selectOption("#puzzle-theme", "supply");
  await page.waitForFunction(() => /Bridges left: \d/.test(document.querySelector("#exercise-facts").textContent));
  await soon(async () => assert.match(await page.locator("#exercise-facts [data-value=score]").textContent(), /Points: White \d+ Red \d+/));
  await page.click("#exercise-hint");
  await page.waitForFunction(() => document.querySelector("#exercise-verdict").textContent === "Theme: the last bridges.");
  await page.click("#exercise-hint");
  await page.waitForFunction(() => /right turn/.test(document.querySelector("#exercise-verdict").textContent));
  const cellNamed = (await page.locator("#exercise-verdict").textContent()).match(/cell ([a-l]\d+)/)?.[1];
  await page.locator("#exercise-hint").waitFor({ state: "hidden" });
  await page.click("#exercise-show");
  const turns = page.locator("#right-turns [data-turn]");
  await turns.first().waitFor();
  const first = await turns.first().getAttribute("data-turn");
  if (cellNamed) assert.ok(first.split(/[,-]/).includes(cellNamed), `${cellNamed} ${first}`);
  await soon(async () => assert.match(await page.locator("#exercise-verdict").textContent(), /\. .+\. With best play, .*(wins|draw)/));
  // It can be played at once.
  await play(page, first);
  await page.waitForSelector("#exercise-verdict[data-right=true]");
});

test("a newcomer's puzzle of the day is easy", async (t) => {
  const page = await puzzles(t, {}, "#daily");
  await soon(async () => assert.match(await page.locator(".kicker").textContent(), /★☆☆/));
  const daily = await page.evaluate(() => JSON.parse(localStorage.getItem("pontifex.progress")).daily);
  assert.match(daily.day, /^\d{4}-\d\d-\d\d$/);
});

test("the page stays small, puzzles and lessons included", async (t) => {
  const page = await puzzles(t);
  // Each file once; what connects the page to the engine inside belongs to that.
  const bytes = await page.evaluate(() => {
    const entries = [...performance.getEntriesByType("resource"), ...performance.getEntriesByType("navigation")];
    const sizes = new Map(entries.map(({ name, decodedBodySize }) => [name, decodedBodySize]));
    return [...sizes].reduce((sum, [name, size]) => sum + (name.endsWith("/pontifex.js") ? 0 : size), 0);
  });
  assert.ok(bytes > 100000 && bytes < 350 * 1024, `${bytes}`);
});
