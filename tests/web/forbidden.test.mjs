// The page in a browser that forbids sites to save anything: even reading the storage throws.
// The page still works, and tells the user once.

import assert from "node:assert/strict";
import { test } from "node:test";
import { SITE, at, cell, newGame, open, placeLegal, placeTiles, ready, soon, turn } from "./browser.mjs";

const CODE = SITE ? "noStorage" : "noMemory";
const SHOWN = `#notice[data-code=${CODE}]:not([hidden])`;
const forbidden = (size) => ({ options: { keepsNothing: true, ...(size ? { viewport: size, hasTouch: size.width < 1000 } : {}) } });

/** Asserts that the browser refuses storage and locks. */
async function checkForbidden(page) {
  const names = await page.evaluate(async () => {
    const outcome = async (access) => {
      try {
        await access();
        return "allowed";
      } catch (error) {
        return error.name;
      }
    };
    return [await outcome(() => localStorage), await outcome(() => sessionStorage), await outcome(() => navigator.locks.query())];
  });
  assert.deepEqual(names, ["SecurityError", "SecurityError", "SecurityError"]);
}

test("a page that may save nothing plays, analyses and teaches", async (t) => {
  const page = await open(t, forbidden());
  await checkForbidden(page);
  await page.waitForSelector(SHOWN);
  await newGame(page, { board: 6, seat: "white", playouts: 20 });
  await placeTiles(page, "a1", "c1");
  await page.waitForSelector("#notice", { state: "hidden" });
  await soon(async () => assert.equal(await turn(page), "white"));
  await page.waitForFunction(() => document.querySelectorAll("#moves [data-turn]").length === 3);
  if (await page.locator("#tools-toggle").isVisible()) await page.click("#tools-toggle");
  await page.click("#analysis-toggle");
  await page.click("#tab-analysis");
  await page.waitForSelector("[data-candidate-move]");
  await placeLegal(page);
  await page.waitForFunction(() => document.querySelectorAll("#moves [data-turn]").length >= 5);

  // After a visit to a lesson and a puzzle, the game is unchanged.
  await page.click("#learn-button");
  await page.waitForSelector("#practice [data-cell=a1]");
  await page.click("#puzzles-button");
  await page.waitForSelector("#practice [data-cell=a1]");
  await page.click("#table-button");
  await page.locator("#grid [data-cell=c1][data-tile=white]").waitFor();
});

test("it says once that nothing is saved, in the language of the page", async (t) => {
  const page = await open(t, forbidden());
  await page.waitForSelector(SHOWN);
  for (const [language, words] of [["de", "speichert hier nichts"], ["fr", "ne garde rien"], ["en", "saves nothing"]]) {
    await page.selectOption("#language", language);
    await soon(async () => assert.ok((await page.locator("#notice-text").textContent()).includes(words)));
  }
  await page.click("#notice-close");
  await page.waitForSelector("#notice", { state: "hidden" });
  await page.evaluate(() => { location.hash = "#puzzles"; });
  await page.waitForSelector("#practice [data-cell=a1]");
  await newGameFrom(page);
  assert.ok(await page.locator("#notice").isHidden());
});

/** Goes from the puzzles to a new game. */
async function newGameFrom(page) {
  await page.click("#table-button");
  await newGame(page, { board: 6, seat: "both" });
  await placeTiles(page, "a1", "c1");
}

for (const [width, height] of [[375, 667], [667, 375], [1366, 768]]) {
  test(`at ${width}×${height} the notice leaves the board and the turn free`, async (t) => {
    const page = await open(t, forbidden({ width, height }));
    await page.waitForSelector(SHOWN);
    const box = async (selector) => page.locator(selector).boundingBox();
    const notice = await box("#notice");
    assert.ok(notice.x >= 0);
    assert.ok(notice.x + notice.width <= width);
    assert.ok(notice.y + notice.height <= height);
    assert.ok(notice.height <= 80, `${notice.height}`);
    for (const name of ["#frame", "#status", "#players", ".top .menu"]) {
      const other = await box(name);
      const isApart = notice.x >= other.x + other.width || other.x >= notice.x + notice.width
        || notice.y >= other.y + other.height || other.y >= notice.y + notice.height;
      assert.ok(isApart, `${name}: ${JSON.stringify([notice, other])}`);
    }
    const close = await box("#notice-close");
    assert.ok(close.width >= 38);
    assert.ok(close.height >= 38);
    await page.click("#notice-close");
    await page.waitForSelector("#notice", { state: "hidden" });
  });
}

test("a second tab has a game of its own", async (t) => {
  const page = await open(t, forbidden());
  await newGame(page, { board: 6, seat: "both" });
  await placeTiles(page, "a1", "c1");
  const second = await page.context().newPage();
  await second.goto(at("/?session=new"));
  await ready(second);
  assert.equal(await cell(second, "a1").getAttribute("data-tile"), null);
  await newGame(second, { board: 6, seat: "both" });
  await placeTiles(second, "b2", "d2");
  await placeTiles(page, "b3", "d4");
});

test("a page that may save its data shows no notice", async (t) => {
  const page = await open(t);
  await newGame(page, { board: 6, seat: "both" });
  assert.ok(await page.locator("#notice").isHidden());
});
