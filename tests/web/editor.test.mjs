// The position editor.

import assert from "node:assert/strict";
import { test } from "node:test";
import { newGame, open, says, soon } from "./browser.mjs";

async function edit(page) {
  if (await page.locator("#menu-button").isVisible()) await page.click("#menu-button");
  await page.click("#editor-button");
  await page.waitForSelector("#editor-dialog[open]");
  await page.selectOption("#editor-size", "6");
}
const tool = (page, name) => page.check(`#editor-dialog [name=tool][value=${name}]`);
const put = (page, name) => page.locator(`[data-edit=${name}]`).click();

for (const [width, height] of [[375, 667], [1366, 768]]) {
  test(`a position is set up by taps and played, ${width}x${height}`, async (t) => {
    const page = await open(t, { options: { viewport: { width, height }, hasTouch: width < 900, isMobile: width < 900 } });
    await edit(page);
    for (const name of ["a1", "c1", "f6"]) await put(page, name);
    await tool(page, "red");
    await put(page, "f1");
    await tool(page, "bridge");
    await put(page, "a1");
    await says(page, "#editor-note", "Bridge from a1: choose its other end.");
    await put(page, "c1");
    await page.waitForSelector("#editor-board [data-bridge=a1-c1]", { state: "attached" });
    await says(page, "#editor-note", "The position is legal.");
    await tool(page, "erase");
    await put(page, "f6");
    await page.selectOption("#editor-side", "w");
    await page.click("#editor-play");
    await page.waitForSelector("#editor-dialog", { state: "hidden" });
    await page.waitForSelector("[data-cell=c1][data-tile=white]");
    await page.waitForSelector("#board [data-bridge=a1-c1]", { state: "attached" });
    await soon(async () => assert.equal(await page.locator("#grid [data-tile]").count(), 3));
    await soon(async () => assert.equal(await page.locator("#status").getAttribute("data-to-move"), "white"));
  });
}

test("errors are shown on the board, and the position cannot be played", async (t) => {
  const page = await open(t);
  await edit(page);
  for (const name of ["a1", "b1", "c1", "d1", "e1"]) await put(page, name);
  await page.waitForSelector("#editor-note[data-kind=illegal]");
  await soon(async () => assert.match(
    await page.locator("#editor-note").textContent(),
    /A tile on e1 would be the fifth in the island at d1/));
  await soon(async () => assert.equal(await page.locator("#editor-board .marked").count(), 2));
  await soon(async () => assert.ok(await page.locator("#editor-play").isDisabled()));
  await put(page, "e1");
  await says(page, "#editor-note", "The position is legal.");
  await page.selectOption("#editor-stage", "last");
  await says(page, "#editor-note", "The last turn is Red’s: Red must be to move.");
  await page.selectOption("#editor-side", "r");
  await says(page, "#editor-note", "The position is legal.");
  await tool(page, "bridge");
  await put(page, "a1");
  await put(page, "d1");
  assert.match(
    (await page.waitForSelector("#editor-note[data-kind=illegal]")) && await page.locator("#editor-note").textContent(),
    /is not a bridge/);
  await page.click("#editor-clear");
  await page.selectOption("#editor-stage", "-");
  await page.waitForSelector("#editor-play:enabled");
  // The keyboard reaches every cell.
  await page.locator("#editor-grid [tabindex='0']").focus();
  await page.keyboard.press("ArrowRight");
  await soon(async () => assert.equal(await page.evaluate(() => document.activeElement.dataset.edit), "b1"));
  await tool(page, "white");
  await put(page, "b2");
  await page.click("#editor-analyse");
  await page.waitForSelector("#analysis-toggle[aria-pressed=true]");
  await page.waitForSelector("[data-cell=b2][data-tile=white]");
});

for (const view of ["puzzles", "learn"]) {
  test(`a position set up from ${view} is played on the board`, async (t) => {
    const page = await open(t, { path: `/?session=new#${view}`, wait: false });
    await page.locator("#practice [data-cell=a1]").waitFor();
    await page.click("#editor-button");
    await page.click("[data-edit=b2]");
    await page.waitForSelector("#editor-play:enabled");
    await page.click("#editor-play");
    await page.waitForSelector("body[data-view=table]");
    await page.waitForSelector("#grid [data-cell=b2][data-tile=white]");
    await soon(async () => assert.equal(await page.locator("#practice [data-cell]").count(), 0));
  });
}

test("the editor opens as soon as there is a game", async (t) => {
  const clickEarly = () => addEventListener("DOMContentLoaded", () => document.querySelector("#editor-button").click());
  const page = await open(t, { path: "/?session=new", prepare: (page) => page.addInitScript(clickEarly) });
  await page.waitForSelector("#editor-dialog[open]");
  await page.click("[data-edit=b2]");
  await page.waitForSelector("#editor-play:enabled");
});

test("bridges in the editor: removed by a tap below them, ends of one colour only, islands outlined", async (t) => {
  const page = await open(t);
  await edit(page);
  for (const name of ["a1", "b1", "a2", "b2", "d2"]) await put(page, name);
  await page.waitForSelector("#editor-board .island.white", { state: "attached" });
  await tool(page, "red");
  await put(page, "b4");
  await tool(page, "bridge");
  await put(page, "b2");
  await put(page, "b4");
  await says(page, "#editor-note", "Both ends of a bridge must be tiles of one colour.");
  await soon(async () => assert.equal(await page.locator("#editor-board .bridge").count(), 0));
  await put(page, "b2");
  await put(page, "d2");
  await page.waitForSelector("#editor-board [data-bridge=b2-d2]", { state: "attached" });
  await tool(page, "erase");
  await put(page, "c2");
  await page.waitForSelector("#editor-board [data-bridge=b2-d2]", { state: "detached" });
});

test("the whole editor is in the window at 1366x768", async (t) => {
  const page = await open(t, { options: { viewport: { width: 1366, height: 768 } } });
  await page.click("#editor-button");
  for (const name of ["#editor-frame", "#editor-stage", "#editor-clear", "#editor-play"]) {
    await soon(async () => {
      const box = await page.locator(name).boundingBox();
      assert.ok(box.y >= 0 && box.y + box.height <= 768, `${name} ${JSON.stringify(box)}`);
    });
  }
});

test("a new game does not adopt the editor's board size", async (t) => {
  const page = await open(t);
  await newGame(page, { board: 8, seat: "both" });
  await edit(page);
  await put(page, "a1");
  await page.waitForSelector("#editor-play:enabled");
  await page.click("#editor-play");
  await page.waitForFunction(() => document.querySelectorAll("#grid [role=gridcell]").length === 36);
  await page.click("#new-game");
  await soon(async () => assert.equal(await page.locator("#new-board").inputValue(), "8"));
});
