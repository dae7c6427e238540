// The progress page and the backup file.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { AXE, REVIEWED, SITE, at, beginAgainst, check, newGame, open, placeTiles, soon, turn } from "./browser.mjs";

/** Plays a short game against level 1 and resigns. */
async function loseGame(page) {
  await beginAgainst(page, "1");
  await placeTiles(page, "a1", "c3");
  await page.waitForSelector("#grid [data-tile=red]");
  await soon(async () => assert.equal(await turn(page), "white"), 60000);
  await page.click("#resign");
  await page.click("#confirm-yes");
  await page.waitForSelector("#card:not([hidden])");
}

/** Returns the row of level 1: won, drawn, lost, accuracy. */
const row = (page) => page.locator("#progress-games [data-level='1'] td").allTextContents();

test("games, accuracy and what to do next are on the progress page, and survive in a file", async (t) => {
  const page = await open(t);
  await page.goto(at("/#progress"));
  await page.waitForSelector("#progress-next");
  assert.equal(await page.locator("#progress-next").textContent(), "Start with the lessons");
  await page.evaluate(AXE);
  await check(page, "progress without games");
  await page.click("#table-button");
  await loseGame(page);
  // The accuracy comes from the review.
  await page.waitForFunction(() =>
    JSON.parse(localStorage.getItem("pontifex.played") ?? "[]")
      .some(({ accuracy }) => typeof accuracy === "number"),
    null, REVIEWED);
  await page.goto(at("/#progress"));
  await page.waitForSelector("#progress-games [data-level='1']");
  const before = await row(page);
  assert.deepEqual(before.slice(0, 3), ["0", "0", "1"]);
  assert.match(before[3], /^\d+%$/);
  await page.evaluate(AXE);
  await check(page, "progress with games");

  const [file] = await Promise.all([page.waitForEvent("download"), page.click("#progress-save")]);
  const path = await file.path();
  const content = JSON.parse(readFileSync(path, "utf8"));
  assert.equal(content.games.length, SITE ? 1 : 0);

  // A browser whose data was cleared.
  const other = await open(t);
  await other.goto(at("/#progress"));
  await other.waitForSelector("#progress-games caption");
  await other.setInputFiles("#progress input[type=file]", path);
  await other.waitForSelector("#progress-games [data-level='1']");
  assert.deepEqual(await row(other), before);
  if (SITE) {
    await other.click("#games-button");
    await other.waitForSelector("#games .game");
  }
  // Loading the file again adds nothing.
  await other.goto(at("/#progress"));
  await other.setInputFiles("#progress input[type=file]", path);
  await other.waitForFunction(() => /0\.$/.test(document.querySelector("#progress-note").textContent));
  assert.deepEqual(await row(other), before);
  await other.setInputFiles("#progress input[type=file]", { name: "x.json", mimeType: "application/json", buffer: Buffer.from("{}") });
  await other.waitForFunction(() => document.querySelector("#progress-note").textContent === "x.json is not a file of saved progress.");
});

test("three wins in a row suggest the next level, and games of two people do not count", async (t) => {
  const games = [0, 1, 2].map((n) => ({ key: `k ${n}`, day: "2026-11-20", level: 2, board: 10, score: 1, accuracy: 80 + n }));
  const page = await open(t, { prepare: (each) => each.addInitScript((all) => {
    localStorage.setItem("pontifex.played", JSON.stringify(all));
    const day = new Date();
    const two = (n) => String(n).padStart(2, "0");
    localStorage.setItem("pontifex.progress", JSON.stringify({
      learnt: true,
      day: `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`,
      days: 3,
    }));
  }, games) });
  await newGame(page, { board: 6, seat: "both" });
  await placeTiles(page, "a1", "c3");
  await page.click("#resign");
  await page.click("#confirm-yes");
  await page.waitForSelector("#card:not([hidden])");
  await page.goto(at("/#progress"));
  await soon(async () => assert.equal(await page.locator("#progress-next").textContent(), "Try level 3"));
  await page.waitForSelector("#accuracy");
  assert.equal(await page.locator("#progress-games tbody tr").count(), 1);
  await page.click("#progress-next");
  await page.waitForSelector("#new-dialog[open]");
  await soon(async () => assert.equal(await page.locator("#new-opponent").inputValue(), "3"));
});
