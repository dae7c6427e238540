// A warning before a blunder, in games against a level.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { cell, open, soon, turn } from "./browser.mjs";

/** What the page waits for a comparison, in milliseconds: `CONSIDER_TIMEOUT` in advice.js. */
const CONSIDER_TIMEOUT = Number(/CONSIDER_TIMEOUT = (\d+)/.exec(readFileSync(new URL("../../crates/page/advice.js", import.meta.url), "utf8"))[1]);

/** A game against level 10 with White to move: `c4,d2` wins, `a6,f6` loses, both by a short search. */
const GAME = "#g=6~standard~nopie~-~@human,pontifex,10,live~a5,b5~e2,e5~f2,f3~a4,f5~b2,b4~e1,f1~b1,f4~a2,b3~c2,e4~b6,e6";

/** Places two tiles and does not wait for the move, which the page may hold back. */
async function place(page, first, second) {
  await cell(page, first).click();
  await page.waitForSelector("#grid[data-seconds]");
  await cell(page, second).click();
}

/** Returns the number of questions on the screen: 0 or 1. */
const questions = (page) => page.locator("#confirm-dialog[open]").count();
/** Returns the number of moves in the list. */
const moves = (page) => page.locator("#moves [data-node]").count();

test("a blunder asks once, and is played only if it is confirmed", async (t) => {
  // On a busy machine, the page would stop waiting for the comparison and play the move.
  const page = await open(t, {
    path: `/${GAME}`,
    prepare: (opened) => opened.addInitScript((considerTimeout) => {
      const later = window.setTimeout;
      window.comparisons = 0;
      window.setTimeout = (act, delay, ...values) => {
        const isForComparison = delay === considerTimeout;
        if (isForComparison) window.comparisons++;
        return later(act, isForComparison ? 120000 : delay, ...values);
      };
    }, CONSIDER_TIMEOUT),
  });
  await soon(async () => assert.equal(await turn(page), "white"), 60000);
  await page.waitForSelector("#warn-toggle[aria-pressed=false]");
  await page.click("#warn-toggle");
  await page.waitForSelector("#warn-toggle[aria-pressed=true]");
  const before = await moves(page);
  await place(page, "a6", "f6");
  await page.waitForSelector("#confirm-dialog[open]");
  const words = await page.locator("#confirm-text").textContent();
  assert.match(words, /^Are you sure\? This move .* A better move: .+ Play your move all the same\?$/);
  assert.ok(await page.evaluate(() => window.comparisons) > 0, `no timeout of CONSIDER_TIMEOUT (${CONSIDER_TIMEOUT} ms) was set`);
  await page.click("#confirm-no");
  // The move is taken back: another one may be played.
  await soon(async () => assert.equal(await page.locator("#grid [data-laid], #board .laid .tile").count(), 0));
  assert.equal(await moves(page), before);
  // The same move a second time is played without a question.
  await place(page, "a6", "f6");
  await page.waitForFunction((count) => document.querySelectorAll("#moves [data-node]").length > count, before);
  assert.equal(await questions(page), 0);

  // The choice is saved.
  await page.reload();
  await page.waitForSelector("#warn-toggle[aria-pressed=true]");
});

test("there is no warning in a game of two people", async (t) => {
  // Without a level there is no such choice.
  const page = await open(t);
  await page.waitForSelector("#warn-toggle", { state: "hidden" });
});
