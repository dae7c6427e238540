// Looking back, the views of several pages, and what survives a reload.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  REVIEWED, at, cell, interceptConnection, load, newGame, open, openDialog, placeTiles, ready, says,
  soon, turn,
} from "./browser.mjs";

const nodes = (page) => page.locator("#moves [data-node]").count();

test("looking back in a running game changes nothing", async (t) => {
  const page = await open(t);
  await newGame(page, { board: 8, seat: "white", playouts: 5 });
  await placeTiles(page, "b2", "d3");
  await page.waitForSelector("#grid [data-tile=red]");
  await page.waitForSelector("#status[data-to-move=white][data-thinking=false]");
  const before = await nodes(page);
  await page.keyboard.press("ArrowLeft");
  await page.waitForSelector("#moves [data-turn='1'][aria-selected=true]");
  await says(page, "#status", "Looking at turn 1");
  await cell(page, "g7").click();
  await page.waitForSelector("#message[data-code=looking]");
  await soon(async () => assert.equal(await page.locator("#grid [data-laid]").count(), 0));
  await soon(async () => assert.equal(await nodes(page), before));
  await page.keyboard.press("ArrowLeft");
  await page.waitForSelector("#moves [data-turn='0'][aria-selected=true]");

  // A variation does not affect the game, and the engine does not reply to it.
  await page.click("#branch");
  await cell(page, "g7").click();
  await cell(page, "g8").click();
  await page.waitForSelector("#moves .variation [data-turn='1'][aria-selected=true]");
  await page.waitForTimeout(700);
  assert.equal(await nodes(page), before + 1);
  await page.click("#home");
  await page.waitForSelector("#moves [data-turn='2'][aria-selected=true]");
  await soon(async () => assert.equal(await turn(page), "white"));
  await placeTiles(page, "f1", "f8");
  await page.waitForSelector("#moves [data-turn='4']");
});

test("two pages of one game look at different turns", async (t) => {
  const one = await open(t);
  await newGame(one, { board: 6, seat: "both" });
  await placeTiles(one, "b2", "d3");
  await placeTiles(one, "e5", "f6");
  const two = await one.context().newPage();
  await two.goto(one.url());
  await ready(two);
  await two.keyboard.press("[");
  await two.waitForSelector("#moves [data-turn='0'][aria-selected=true]");
  await one.waitForTimeout(200);
  assert.equal(await one.locator("#moves [aria-selected=true]").getAttribute("data-turn"), "2");
  await placeTiles(one, "a5", "a6");
  await two.waitForSelector("#moves [data-turn='3']");
  await soon(async () => assert.equal(await two.locator("#moves [aria-selected=true]").getAttribute("data-turn"), "0"));
  await two.click("#home");
  await two.waitForSelector("[data-cell=a6][data-tile=white]");
});

test("a finished game is still finished when it is opened again, with its review", async (t) => {
  const page = await open(t);
  await newGame(page, { board: 6, seat: "both" });
  await placeTiles(page, "b2", "d3");
  await placeTiles(page, "e5", "f6");
  await page.click("#resign");
  await page.click("#confirm-yes");
  await page.waitForSelector("#review-progress[data-finished=true]", REVIEWED);
  await page.keyboard.press("[");
  await page.waitForSelector("#moves [data-turn='0'][aria-selected=true]");
  await page.reload();
  await ready(page);
  await page.waitForSelector("#status[data-status=over]");
  await page.waitForSelector("#card:not([hidden])");
  await page.waitForSelector("#review-progress[data-finished=true]", REVIEWED);
  await soon(async () => assert.match(await page.locator("#review-summary [data-player=white] [data-value=accuracy]").textContent(), /%$/));
  await soon(async () => assert.equal(await page.locator("#review").getAttribute("data-running"), "false"));
});

test("the list of moves shows the current move", async (t) => {
  const page = await open(t);
  const moves = [];
  for (let row = 1; row <= 9; row += 2) for (const column of "acegi") moves.push(`${column}${row},${column}${row + 1}`);
  await load(page, `# board: 10\n# pie: off\n# supply: unlimited\n${moves.join("\n")}\n`);
  const inSight = () => page.evaluate(() => {
    const [list, move] = [document.querySelector("#moves"), document.querySelector("#moves [aria-selected=true]")]
      .map((node) => node.getBoundingClientRect());
    return move.top >= list.top - 1 && move.bottom <= list.bottom + 1;
  });
  for (const size of [{ width: 1366, height: 768 }, { width: 375, height: 667 }]) {
    await page.setViewportSize(size);
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("]");
    await page.waitForSelector(`#moves [data-turn='${moves.length}'][aria-selected=true]`);
    for (let n = moves.length; n > 0; n--) {
      await soon(async () => assert.ok(await inSight(), `turn ${n}, ${size.width}`));
      await page.keyboard.press("ArrowLeft");
      await page.waitForSelector(`#moves [data-turn='${n - 1}'][aria-selected=true]`);
    }
    await soon(async () => assert.ok(await inSight()));
  }
});

test("the arrow keys step through the turns, also after a tap on the board", async (t) => {
  const page = await open(t);
  await newGame(page, { seat: "both" });
  await placeTiles(page, "b2", "d3");
  await placeTiles(page, "e5", "f6");
  await page.keyboard.press("ArrowLeft");
  await page.waitForSelector("#moves [data-turn='1'][aria-selected=true]");
  await page.keyboard.press("ArrowRight");
  await page.waitForSelector("#moves [data-turn='2'][aria-selected=true]");
});

test("the first tile survives a reload", async (t) => {
  const page = await open(t);
  await newGame(page, { seat: "both" });
  await cell(page, "c3").click();
  await page.waitForSelector("[data-cell=c3][data-laid]");
  await page.reload();
  await ready(page);
  await page.waitForSelector("[data-cell=c3][data-laid]");
  await cell(page, "c4").click();
  await page.waitForSelector("[data-cell=c3][data-tile=white]");
  await page.reload();
  await ready(page);
  await soon(async () => assert.equal(await page.locator("[data-laid]").count(), 0));
});

test("the first tile is shown again with its turn", async (t) => {
  const page = await open(t);
  await newGame(page, { seat: "both" });
  await placeTiles(page, "b2", "d3");
  await cell(page, "c5").click();
  await page.waitForSelector("[data-cell=c5][data-laid]");
  await page.keyboard.press("ArrowLeft");
  await page.waitForSelector("#moves [data-turn='0'][aria-selected=true]");
  await soon(async () => assert.equal(await page.locator("[data-laid]").count(), 0));
  await page.click("#home");
  await page.waitForSelector("[data-cell=c5][data-laid]");
  await page.waitForSelector("#grid[data-seconds=c5]");
  await cell(page, "c6").click();
  await page.waitForSelector("[data-cell=c6][data-tile=red]");
});

test("the page says when a session does not exist", async (t) => {
  const page = await open(t, { path: `/?session=${"0123456789abcdef".repeat(2)}`, allow: /404/ });
  await page.waitForSelector("#message[data-code=noSession]");
  assert.doesNotMatch(page.url(), /0123456789abcdef/);
});

test("the tab's title says whose turn it is", async (t) => {
  const page = await open(t);
  const titled = (pattern) => page.waitForFunction((text) => new RegExp(text).test(document.title), pattern);
  await newGame(page, { seat: "white", playouts: 5 });
  await titled("^● Your turn – Ponte del Diavolo$");
  await newGame(page, { seat: "both" });
  await titled("^White to move – Ponte");
  await placeTiles(page, "b2", "d3");
  await titled("^Red to move – Ponte");
  await page.click("#resign");
  await page.click("#confirm-yes");
  await titled("^White wins: Red resigned – Ponte");
});

test("a page says when it is connected again", async (t) => {
  const connection = interceptConnection();
  const page = await open(t, connection);
  await soon(async () => assert.equal(await page.locator("#connection").textContent(), ""));
  await connection.cut();
  await says(page, "#connection", "Connected again.");
});

test("a link that is opened twice leads to one game", async (t) => {
  const page = await open(t, { path: "/#g=6~standard~nopie~-~b2,d3~e5,f6" });
  await page.waitForSelector("[data-cell=f6][data-tile=red]");
  const first = page.url();
  const again = await page.context().newPage();
  await again.goto(at("/#g=6~standard~nopie~-~b2,d3~e5,f6"));
  await ready(again);
  await again.waitForSelector("[data-cell=f6][data-tile=red]");
  assert.equal(again.url(), first);
});

test("only byo-yomi has periods", async (t) => {
  const page = await open(t);
  const clock = async (kind) => {
    await openDialog(page);
    await page.selectOption("#new-clock", kind);
    await soon(async () => assert.ok(await page.locator("#new-bound").isVisible()));
    await page.click("#new-start");
    if (await page.locator("#confirm-dialog[open]").count()) await page.click("#confirm-yes");
    await page.waitForFunction((kind) => /[:.]\d/.test(document.querySelector("[data-clock=white].clock").textContent)
      && document.querySelector("[data-clock=white].clock").textContent.includes("×") === (kind === "byoyomi"), kind);
  };
  for (const kind of ["absolute", "byoyomi", "fischer"]) await clock(kind);
});

test("a time limit per turn holds under a clock, too", async (t) => {
  const page = await open(t);
  await openDialog(page);
  await page.check("#new-seat-red");
  await page.selectOption("#new-opponent", "max");
  await page.selectOption("#new-level", "time");
  await page.fill("#new-level-value", "0.3");
  await page.selectOption("#new-clock", "absolute");
  await page.click("#new-start");
  await page.waitForSelector("#grid [data-tile=white]");
  await page.waitForSelector("#status[data-to-move=red]");
  // Without the limit, the turn would take about 20 s.
  await soon(async () => assert.match(await page.locator("[data-clock=white].clock").textContent(), /^(10:00|9:5\d)$/));
});

test("the page says when a tile carries a bridge already", async (t) => {
  const page = await open(t);
  await load(page, "6/6/6/6/6/w1w1w1 w a1-c1 -");
  await cell(page, "c1").click();
  await page.waitForSelector("#message[data-code=carries_bridge]");
  await soon(async () => assert.match(await page.locator("#message").textContent(), /^c1 already carries the bridge a1.+c1/));
  await cell(page, "e1").click();
  await page.waitForFunction(() => /^No bridge can be built from e1/.test(document.querySelector("#hint").textContent));
  await cell(page, "c1").click();
  await page.waitForSelector("#message[data-code=carries_bridge]");
});
