// The first visit, and the lessons.

import assert from "node:assert/strict";
import { test } from "node:test";
import { at, newGame, open, ready, says, soon } from "./browser.mjs";

const SIZES = { phone: { width: 390, height: 844 }, small: { width: 375, height: 667 }, desktop: { width: 1366, height: 768 } };
const isWithin = (page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
const cell = (page, name) => page.locator(`#practice [data-cell=${name}]`);
const sized = (viewport) => ({ viewport, hasTouch: viewport.width < 800 });

async function placeTiles(page, first, second) {
  await cell(page, first).click();
  await page.waitForSelector(`#practice .cells[data-seconds=${first}]`);
  await cell(page, second).click();
}

/** Opens a lesson and waits for its board. */
async function lesson(page, name, title) {
  await page.click(`[data-lesson=${name}]`);
  await says(page, "#exercise-title", title);
  await page.waitForSelector(`#practice [data-exercise^="lesson/${name}/"]`);
}

for (const [name, viewport] of Object.entries(SIZES)) {
  test(`the first visit has four doors, once (${name})`, async (t) => {
    const page = await open(t, { path: "/", wait: false, options: sized(viewport) });
    await page.locator("#doors [data-door=learn]").waitFor();
    await soon(async () => assert.equal(await page.locator("#doors [data-door]:visible").count(), 4));
    await soon(async () => assert.ok(await page.locator("#doors .picture .tile").count() > 30));
    await soon(async () => assert.ok(await isWithin(page), "wider than the screen"));
    await page.reload();
    await page.click("[data-door=play]");
    await page.waitForSelector("#new-dialog[open]");
    await page.keyboard.press("Escape");
    await ready(page);
    await page.goto(at("/"));
    await ready(page);
    // The game's name in the header leads back.
    await page.click(".top .brand");
    await page.locator("#doors").waitFor();
    await page.click("[data-door=analyse]");
    await page.waitForSelector("#analysis-toggle[aria-pressed=true]");
    await page.goBack();
    await page.locator("#doors").waitFor();
  });

  test(`lessons are judged by the rules, and remembered (${name})`, async (t) => {
    const page = await open(t, { path: "/?session=new#learn", wait: false, options: sized(viewport) });
    await says(page, "#exercise-title", "Two tiles");
    await placeTiles(page, "b2", "e5");
    await page.waitForSelector("#exercise-verdict[data-right=true]");
    await soon(async () => assert.ok(await isWithin(page), "wider than the screen"));
    await page.click("#exercise-next");
    await says(page, "#exercise-title", "Islands of exactly four");
    // Illegal: the rule says why.
    await lesson(page, "distance", "Islands keep their distance");
    await cell(page, "c3").click();
    await page.waitForSelector("#practice .reason[data-code=touches_island]");
    // Legal, but not the task.
    await lesson(page, "cut", "A cut");
    await placeTiles(page, "a6", "f1");
    await page.waitForSelector("#exercise-verdict[data-right=false]");
    await soon(async () => assert.match(await page.locator("#exercise-verdict").textContent(), /b3-d3/));
    await page.click("#exercise-retry");
    await page.waitForSelector("#practice [data-cell=a6]:not([data-tile])");
    await placeTiles(page, "c3", "f6");
    await page.waitForSelector("#exercise-verdict[data-right=true]");
    await lesson(page, "bridges", "The three bridges");
    await cell(page, "b3").click();
    await page.waitForSelector("#practice [data-cell=d3][data-target]");
    await cell(page, "d3").click();
    await page.waitForSelector("#exercise-verdict[data-right=true]");
    await page.reload();
    await page.waitForSelector("[data-lesson=cut][data-done]");
    await page.waitForSelector("[data-lesson=bridges]:not([data-done])");
    await says(page, "#exercise-title", "Islands of exactly four");
  });
}

test("a running game is the first door, and one click away", async (t) => {
  const page = await open(t);
  await newGame(page, { board: 6, seat: "both" });
  await page.click("#grid [data-cell=b2]");
  await page.click("#grid [data-cell=d4]");
  await page.waitForSelector("#grid [data-cell=d4][data-tile]");
  await page.click(".top .brand");
  const resume = page.locator("#doors [data-door]:visible").first();
  await soon(async () => assert.equal(await resume.getAttribute("data-door"), "resume"));
  await soon(async () => assert.match(await resume.textContent(), /Both sides, turn 2/));
  await resume.click();
  await page.waitForSelector("#grid [data-cell=d4][data-tile]");
  await page.click("#puzzles-button");
  await page.locator("#practice [data-cell=a1]").waitFor();
  await page.click("#table-button");
  await page.waitForSelector("#grid [data-cell=d4][data-tile]");
});

test("pass and swap have buttons, and every lesson shows its solution", async (t) => {
  const page = await open(t, { path: "/?session=new#learn", wait: false });
  await says(page, "#exercise-title", "Two tiles");
  await lesson(page, "supply", "Supply and passing");
  await page.click("#exercise-pass");
  await page.waitForSelector("#exercise-verdict[data-right=true]");
  await lesson(page, "pie", "The pie rule");
  await page.click("#exercise-swap");
  await page.waitForSelector("#exercise-verdict[data-right=true]");
  for (const name of await page.locator("[data-lesson]").evaluateAll((all) => all.map((each) => each.dataset.lesson))) {
    await page.click(`[data-lesson=${name}]`);
    await page.waitForSelector(`[data-lesson=${name}][aria-current]`);
    await page.click("#exercise-show");
    await page.locator("#exercise-retry").waitFor();
  }
});

test("after the last lesson, a first game starts", async (t) => {
  const page = await open(t, { path: "/?session=new#learn", wait: false });
  await says(page, "#exercise-title", "Two tiles");
  await lesson(page, "last", "The last moment");
  await cell(page, "e3").click();
  await page.waitForSelector("#practice [data-cell=e5][data-target]");
  await cell(page, "e5").click();
  await page.waitForSelector("#exercise-verdict[data-right=true]");
  await page.click("#play-first");
  await ready(page);
  await soon(async () => assert.equal(await page.locator("#practice [data-cell]").count(), 0));
  await page.waitForSelector("#player-white[data-who=human]");
  await page.waitForSelector("#player-red[data-who=pontifex]");
  // Hints are shown automatically, turn by turn, until they are switched off.
  const toldMove = async () => {
    const message = page.locator("#message[data-kind=hint]");
    await message.waitFor();
    return (await message.textContent()).split(" ")[0];
  };
  const layTold = async () => {
    const node = await page.locator("#moves .move").count();
    const [first, second] = (await toldMove()).split(/,|.–./);
    await page.click(`#grid [data-cell=${first}]`);
    await page.click(`#grid [data-cell=${second}]`);
    await page.waitForFunction((before) => document.querySelectorAll("#moves .move").length === before + 2, node);
    await page.waitForSelector("#status[data-to-move=white][data-thinking=false]");
  };
  await layTold();
  await layTold();
  await toldMove();
  await page.click("#coach-toggle[aria-pressed=true]");
  await page.waitForSelector("#coach-toggle[aria-pressed=false]");
  await page.waitForSelector("#message[data-kind=hint]", { state: "detached" });
  await page.click("#undo");
  await page.waitForTimeout(1500);
  assert.equal(await page.locator("#message[data-kind=hint]").count(), 0, "switched off");
  await page.click("#coach-toggle");
  await toldMove();
  // Automatic hints end with the game.
  await newGame(page, { board: 6, seat: "white", playouts: 5 });
  await page.waitForSelector("#coach-toggle", { state: "hidden" });
  await page.waitForTimeout(1500);
  assert.equal(await page.locator("#message[data-kind=hint]").count(), 0, "another game");
});

test("lessons in German and French", async (t) => {
  const page = await open(t, { path: "/?session=new#learn", wait: false, options: { locale: "de-DE" } });
  await says(page, "#exercise-title", "Zwei Steine");
  await page.selectOption("#language", "fr");
  await says(page, "#exercise-title", "Deux tuiles");
  await page.click("#exercise-show");
  await page.locator("#exercise-retry").waitFor();
  await says(page, "#exercise-retry", "Réessayer");
});

test("the solution that a lesson shows can be played at once", async (t) => {
  const page = await open(t, { path: "/?session=new#learn", wait: false });
  await says(page, "#exercise-title", "Two tiles");
  await lesson(page, "cut", "A cut");
  await page.click("#exercise-show");
  await page.waitForSelector("#practice .line .tile", { state: "attached" });
  const verdict = await page.locator("#exercise-verdict").textContent();
  const [first, second] = verdict.match(/[a-z]\d,[a-z]\d/)[0].split(",");
  await soon(async () => assert.equal(await page.locator("#practice .line .step").count(), 0, "a single move is not numbered"));
  await placeTiles(page, first, second);
  await page.waitForSelector("#exercise-verdict[data-right=true]");
  // But the lesson is done only when it is solved without help.
  await soon(async () => assert.match(await page.locator("#exercise-verdict").textContent(), /You saw the solution/));
  await soon(async () => assert.equal(await page.locator("[data-lesson=cut][data-done]").count(), 0));
  await lesson(page, "cut", "A cut");
  await page.waitForSelector("#practice [data-cell=c3]:not([data-tile])");
  await placeTiles(page, first, second);
  await page.waitForSelector("[data-lesson=cut][data-done]");
  // A solution that cannot be drawn on the board is told, too.
  await lesson(page, "supply", "Supply and passing");
  await page.click("#exercise-show");
  await page.waitForFunction(() => /pass/i.test(document.querySelector("#exercise-verdict").textContent));
});

test("a wrong turn of a lesson and the reply are played on the board", async (t) => {
  const page = await open(t, { path: "/?session=new#learn", wait: false, options: sized(SIZES.small) });
  await says(page, "#exercise-title", "Two tiles");
  await lesson(page, "cut", "A cut");
  await placeTiles(page, "a6", "f1");
  // Red's bridge follows automatically; one can step back and forward.
  await page.waitForSelector("#practice .stage[data-frame='2']");
  await page.waitForSelector("#practice [data-cell=b3][data-bridge], #practice .bridge", { state: "attached" });
  const bridges = () => page.locator("#practice .board .bridge, #practice svg .bridge").count();
  await soon(async () => assert.ok(await bridges() > 0));
  await page.click("#exercise-back");
  await page.waitForSelector("#practice .stage[data-frame='1']");
  await soon(async () => assert.equal(await bridges(), 0));
  await page.click("#exercise-back");
  await page.waitForSelector("#practice [data-cell=a6]:not([data-tile])");
  await page.click("#exercise-forth");
  await page.click("#exercise-forth");
  await page.waitForSelector("#exercise-forth[disabled]");
  await soon(async () => assert.ok(await isWithin(page), "wider than the screen"));
  await page.click("#exercise-retry");
  await page.waitForSelector("#practice [data-cell=a6]:not([data-tile])");
  await page.locator("#exercise-back").waitFor({ state: "hidden" });
});

test("a hint in a lesson says where, then the cell, then the turn and why", async (t) => {
  const page = await open(t, { path: "/?session=new#learn", wait: false });
  await says(page, "#exercise-title", "Two tiles");
  await lesson(page, "sandbank", "Sandbanks");
  await page.click("#exercise-hint");
  await page.waitForFunction(() => /marked part/.test(document.querySelector("#exercise-verdict").textContent));
  await page.waitForSelector("#practice .marked", { state: "attached" });
  await page.click("#exercise-hint");
  await page.waitForFunction(() => /bridge.*(d4|f5)/.test(document.querySelector("#exercise-verdict").textContent));
  await soon(async () => assert.equal(await page.locator("#practice .marked").count(), 1));
  await page.click("#exercise-hint");
  await page.waitForFunction(() => /The solution is d4\W+f5\. \S/.test(document.querySelector("#exercise-verdict").textContent));
});

test("the second tile is blamed, not the first", async (t) => {
  const page = await open(t, { path: "/?session=new#learn", wait: false });
  await says(page, "#exercise-title", "Two tiles");
  await lesson(page, "island", "Islands of exactly four");
  await placeTiles(page, "c2", "c1");
  await page.waitForSelector("#practice .reason[data-code=touches_island]");
  await soon(async () => assert.match(await page.locator("#practice .reason").textContent(), /c1/));
});

test("a double click on Next opens one lesson, not another one in the list", async (t) => {
  const page = await open(t, { path: "/?session=new#learn", wait: false, options: { viewport: SIZES.desktop } });
  await says(page, "#exercise-title", "Two tiles");
  await lesson(page, "distance", "Islands keep their distance");
  await placeTiles(page, "d5", "f1");
  await page.waitForSelector("#exercise-verdict[data-right=true]");
  // Both clicks in one script: on a busy machine, a second mouse click would be too late.
  await page.evaluate(() => {
    const { x, y, width, height } = document.querySelector("#exercise-next").getBoundingClientRect();
    const point = { clientX: x + width / 2, clientY: y + height / 2 };
    for (const detail of [1, 2]) {
      const event = new MouseEvent("click", { bubbles: true, cancelable: true, detail, ...point });
      document.elementFromPoint(point.clientX, point.clientY).dispatchEvent(event);
    }
  });
  await says(page, "#exercise-title", "The three bridges");
  await page.waitForTimeout(600);
  await says(page, "#exercise-title", "The three bridges");
  await soon(async () => assert.equal(await page.locator("#exercise-verdict").textContent(), ""));
});

test("a lesson continues with the first task that is not done", async (t) => {
  const page = await open(t, { path: "/?session=new#learn", wait: false });
  await says(page, "#exercise-title", "Two tiles");
  await lesson(page, "bridges", "The three bridges");
  await cell(page, "b3").click();
  await cell(page, "d3").click();
  await page.waitForSelector("#exercise-verdict[data-right=true]");
  await page.reload();
  await says(page, "#exercise-title", "Two tiles");
  await page.click("[data-lesson=bridges]");
  await page.waitForFunction(() => /2 of 3/.test(document.querySelector(".kicker").textContent));
});

test("an annotated game is stepped through, in the language of the page", async (t) => {
  const page = await open(t, { path: "/?session=new#learn", wait: false, options: { ...sized(SIZES.small), locale: "de-DE" } });
  const comment = (beginning) => soon(async () => assert.ok((await page.textContent("#message")).startsWith(beginning), beginning));
  await page.click("[data-annotated=network]");
  await comment("Inseln in einem Netz zählen 1, 3, 6, 10 Punkte.");
  assert.equal(await page.getAttribute("#message", "data-kind"), "comment");
  // The board, the comment and the buttons are on the screen together.
  for (let turn = 1; turn <= 9; turn++) {
    await page.click("#turn-forward");
    await page.locator(`[data-turn='${turn}'][aria-selected=true]`).waitFor({ state: "attached" });
  }
  await comment("Die erste Insel, in der Ecke.");
  for (const part of ["#message", "#frame", "#turn-forward"]) {
    const { y, height } = await page.locator(part).boundingBox();
    assert.ok(y >= 0 && y + height <= SIZES.small.height, part);
  }
  await page.click("#turn-last");
  await comment("11 zu 7");
});
