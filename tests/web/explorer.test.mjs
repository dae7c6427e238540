// The opening explorer: how the engine's games began.

import assert from "node:assert/strict";
import { test } from "node:test";
import { newGame, open, placeTiles, soon } from "./browser.mjs";

const moves = (page) => page.locator("#beginnings [data-beginning]").evaluateAll((rows) => rows.map((row) => row.dataset.beginning));

/** The symmetries of the 10x10 board, on columns and rows from 0. */
const IMAGES = [0, 1].flatMap((turned) => [0, 1].flatMap((x) => [0, 1].map((y) => ([column, row]) => {
  const place = [x ? 9 - column : column, y ? 9 - row : row];
  return turned ? place.reverse() : place;
})));
const imageOf = (move, of) => move.split(",").map((name) => of([name.charCodeAt(0) - 97, Number(name.slice(1)) - 1]))
  .sort(([a, b], [c, d]) => a - c || b - d).map(([column, row]) => String.fromCharCode(97 + column) + (row + 1)).join(",");

test("the explorer lists first turns and replies, oriented as on the board", async (t) => {
  const requests = [];
  const page = await open(t, { prepare: (each) => each.on("request", (request) => requests.push(request.url())) });
  const loaded = () => requests.filter((url) => /explorer-.*\.json/.test(url));
  await newGame(page, { board: 10, seat: "both" });
  await page.click("#tab-analysis");
  assert.deepEqual(loaded(), [], "it is loaded when it is opened");
  await page.click("#explorer summary");
  await page.waitForSelector("#beginnings [data-beginning]");
  assert.equal(loaded().length, 1);
  const firsts = await moves(page);
  assert.ok(firsts.length >= 20, `${firsts.length} first turns`);

  // The turn looked at is on the board, and is played by its button. One without a
  // symmetry of its own:
  const number = firsts.findIndex((move) => new Set(IMAGES.map((of) => imageOf(move, of))).size === IMAGES.length);
  await page.locator("#beginnings .look[aria-label]").nth(number).focus();
  await page.waitForSelector("#board .line .tile");
  await page.locator("#beginnings .take.round").nth(number).click();
  const [a, b] = firsts[number].split(",");
  await page.locator(`[data-cell=${a}][data-tile=white]`).waitFor();
  await soon(async () => assert.ok(!(await moves(page)).includes(firsts[number])));
  const replies = await moves(page);
  assert.ok(replies.length >= 3, `${replies}`);

  // A rotated or reflected first turn has the same replies, rotated or reflected.
  for (const symmetry of [IMAGES[3], IMAGES[5]]) {
    await newGame(page, { board: 10, seat: "both" });
    await placeTiles(page, ...imageOf(`${a},${b}`, symmetry).split(","));
    const expected = replies.map((move) => imageOf(move, symmetry));
    await soon(async () => assert.deepEqual(await moves(page), expected));
  }

  // Later turns have none.
  await page.locator("#beginnings .take.round").first().click();
  await page.waitForSelector("#explorer", { state: "hidden" });
});

test("no explorer helps in a game against a level", async (t) => {
  const page = await open(t);
  await newGame(page, { board: 10, seat: "white", playouts: 5 });
  await page.click("#tab-analysis");
  await page.waitForSelector("#explorer", { state: "hidden" });
});
