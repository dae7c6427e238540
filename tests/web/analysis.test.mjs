// Analysis, ownership, variations and the review.

import assert from "node:assert/strict";
import { test } from "node:test";
import { SLOW, cell, load, newGame, open, placeTiles, says, soon } from "./browser.mjs";

const GAME = "# board: 6\n# pie: off\na1,b1\na6,b6\na2,b2\nc6,d6\ne4,f4\nf1,f2\n";

test("analysis on and off, with candidates, lines and updates", async (t) => {
  const page = await open(t);
  await load(page, "# board: 8\n# pie: off\na1,b1\ng7,g8\n");
  await page.click("#tab-analysis");
  await page.click("#analysis-toggle");
  await page.waitForSelector("[data-candidate-move]");
  await page.waitForSelector("#board [data-candidate]");
  const updates = () => page.locator("#panel-analysis").getAttribute("data-updates").then(Number);
  const before = await updates();
  await page.waitForFunction((count) => Number(document.querySelector("#panel-analysis").dataset.updates) >= count, before + 5);

  // A selected candidate shows its line, and taps work beside the analysis.
  await page.locator("[data-candidate-move] .look").first().click();
  await page.waitForSelector("#board .line .step");
  await cell(page, "d5").click();
  await page.waitForSelector("[data-cell=d5][data-laid]");
  await page.keyboard.press("Escape");
  await page.waitForSelector("[data-cell=d5]:not([data-laid])");

  await page.click("#ownership-toggle");
  await page.waitForSelector("#board .owner .share", { state: "attached" });
  await page.click("#analysis-toggle");
  await page.waitForSelector("#analysis-toggle[aria-pressed=false]");
  await page.waitForFunction(() => !document.querySelector("#board [data-candidate]"));
});

test("a finished game has nothing to analyse, and the page says so", async (t) => {
  const page = await open(t);
  await newGame(page, { seat: "both" });
  await page.click("#tab-analysis");
  await page.click("#analysis-toggle");
  await page.waitForSelector("#board [data-candidate]");
  await load(page, "4/4/4/4 w - over");
  await page.waitForSelector("#status[data-status=over]");
  // The analysis of the previous game has ended, and its results are gone.
  await page.waitForFunction(() => !document.querySelector("#board [data-candidate]"));
  await page.waitForSelector("#analysis-toggle[aria-pressed=false]");
  await page.click("#analysis-toggle");
  await says(page, "#analysis-root", "The game is over.");
});

test("a candidate can be played, and makes a variation", async (t) => {
  const page = await open(t);
  await newGame(page, { seat: "both" });
  await load(page, GAME);
  await page.locator("#moves [data-turn='2']").first().click();
  await page.waitForSelector("#moves [data-turn='2'][aria-selected=true]");
  await page.click("#analysis-toggle");
  await page.click("#tab-analysis");
  await page.locator("[data-candidate-move] .take").first().click();
  await page.click("#tab-moves");
  await page.waitForFunction(() => document.querySelectorAll("#moves [data-turn='3']").length >= 1
    && document.querySelector("#moves [data-turn='3'][aria-selected=true]"));
});

test("playing on from an earlier turn makes a variation; it can be deleted", async (t) => {
  const page = await open(t);
  await newGame(page, { seat: "both" });
  await placeTiles(page, "a1", "b1");
  await placeTiles(page, "a6", "b6");
  await page.locator("#moves [data-turn='1']").click();
  await page.waitForSelector("#status[data-to-move=red]");
  await page.click("#branch");
  await placeTiles(page, "e5", "e6");
  await page.waitForFunction(() => document.querySelectorAll("#moves [data-turn='2']").length === 2);
  await soon(async () => assert.equal(await page.locator("#moves .variation").count(), 1));
  await page.locator("#moves [aria-selected=true]").focus();
  await page.keyboard.press("ArrowLeft");
  await page.waitForSelector("#moves [data-turn='1'][aria-selected=true]");
  await page.keyboard.press("ArrowRight");
  await page.waitForSelector("#moves [data-turn='2'][aria-selected=true]");
  await page.click("#delete");
  await page.waitForFunction(() => document.querySelectorAll("#moves [data-turn='2']").length === 1);
});

test("the review of a loaded game", async (t) => {
  const page = await open(t);
  await newGame(page, { seat: "both", playouts: 60 });
  await load(page, GAME);
  await page.selectOption("#review-depth", "quick");
  await page.click("#review");
  await page.waitForSelector("#review-progress[data-finished=true]", { timeout: SLOW ? 180000 : 60000 });
  for (const player of ["white", "red"]) {
    const accuracy = page.locator(`#review-summary [data-player=${player}] [data-value=accuracy]`);
    await soon(async () => assert.match(await accuracy.textContent(), /^\d+\.\d%$/));
  }
  await soon(async () => assert.equal(await page.locator("#moves [data-turn]").count(), 7));
  await page.waitForSelector("#graph .curve", { state: "attached" });
  await page.locator("[data-graph-turn='3']").click();
  await page.waitForSelector("#moves [data-turn='3'][aria-selected=true]");
  // Whether there is a mistake in it depends on the engine.
  if (await page.locator("[data-mistake]").count()) {
    await page.keyboard.press("n");
    await page.waitForSelector("[data-mistake][aria-pressed=true]");
    await soon(async () => assert.equal(await page.locator("#message").getAttribute("data-kind"), "lesson"));
    await page.keyboard.press("p");
    await page.waitForSelector("[data-mistake][aria-pressed=true]");
  }
});

test("ownership and closed cells are shown alone, and hidden again without a trace", async (t) => {
  const page = await open(t);
  await load(page, "# board: 6\n# pie: off\na1,b1\nf5,f6\na2,b2\n");
  await page.click("#ownership-toggle");
  await page.waitForSelector("#ownership-toggle[aria-pressed=true]");
  await page.waitForSelector("#board .share", { state: "attached" });
  // Neither the candidates nor their panel are shown.
  await soon(async () => assert.equal(await page.locator("#board [data-candidate]").count(), 0));
  await page.waitForSelector("#tab-moves[aria-selected=true]");
  await page.waitForSelector("#analysis-toggle[aria-pressed=false]");
  await page.click("#ownership-toggle");
  await page.waitForSelector("#ownership-toggle[aria-pressed=false]");
  await page.waitForSelector("#board .share", { state: "detached" });
  await page.click("#unusable-toggle");
  await page.waitForSelector("#board .closed", { state: "attached" });
  await page.waitForSelector("#analysis-toggle[aria-pressed=false]");
  await page.click("#unusable-toggle");
  // It does not affect a running analysis.
  await page.click("#analysis-toggle");
  await page.waitForSelector("#board [data-candidate]", { state: "attached" });
  await page.click("#ownership-toggle");
  await page.waitForSelector("#board .share", { state: "attached" });
  await page.click("#analysis-toggle");
  await page.waitForSelector("#board [data-candidate]", { state: "detached" });
  await page.waitForSelector("#board .share", { state: "attached" });
  await page.click("#ownership-toggle");
  await page.waitForSelector("#board .share", { state: "detached" });
  await page.waitForTimeout(400);
  assert.equal(await page.locator("#board [data-candidate]").count(), 0, "the analysis has ended");
});

test("a game against a level for beginners has few buttons", async (t) => {
  const page = await open(t);
  await page.click("#new-game");
  await page.selectOption("#new-board", "6");
  await page.check("#new-seat-white");
  await page.selectOption("#new-opponent", "2");
  await page.click("#new-start");
  await page.waitForSelector("#tools-toggle:visible");
  await soon(async () => assert.ok(await page.locator("#tools").isHidden()));
  for (const name of ["#undo", "#hint-button", "#resign"]) await soon(async () => assert.ok(await page.locator(name).isVisible(), name));
  await page.click("#tools-toggle");
  await page.waitForSelector("#unusable-toggle:visible");
  await page.click("#tools-toggle");
  await page.waitForSelector("#tools", { state: "hidden" });
});
