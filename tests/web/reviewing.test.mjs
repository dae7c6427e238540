// The review read beside the board.

import assert from "node:assert/strict";
import { test } from "node:test";
import { REVIEWED, load, newGame, open, placeLegal, placeTiles, resigned, soon } from "./browser.mjs";

const DESKTOP = { viewport: { width: 1366, height: 768 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** Opens the page with a reviewed game. */
async function reviewed(t, options) {
  const page = await open(t, { options });
  await resigned(page);
  await page.waitForSelector("#review-progress[data-finished=true]", { ...REVIEWED, state: "attached" });
  return page;
}

/** Whether a node is completely in the window, with its middle uncovered. */
const isVisible = (page, selector) => page.locator(selector).first().evaluate((node) => {
  const box = node.getBoundingClientRect();
  const above = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  return box.width > 0 && box.top >= 0 && box.bottom <= innerHeight && (node.contains(above) || above?.contains(node));
});

test("the marks of mistakes are not covered by the picture of a door", async (t) => {
  const page = await reviewed(t, DESKTOP);
  for (const where of ["#moves", "#mistakes"]) {
    await soon(async () => {
      const signs = await page.locator(`${where} .sign`).evaluateAll((nodes) => nodes.map((node) => ({
        before: getComputedStyle(node, "::before").content, width: node.offsetWidth, text: node.textContent,
      })));
      assert.ok(signs.length > 0, where);
      for (const { before, width, text } of signs) {
        assert.equal(before, "none", where);
        assert.ok(width < 25, `${width}`);
        assert.match(text, /^(\?!|\?|\?\?)$/);
      }
    });
  }
});

test("a mistake chosen in the list below shows on the board, and the way back is beside it (phone)", async (t) => {
  const page = await reviewed(t, PHONE);
  await page.locator("#mistakes [data-mistake]").last().click();
  await page.waitForSelector("#message[data-kind=lesson]");
  await page.waitForSelector("#home:visible");
  for (const selector of ["#frame", "#message", "#home"]) await soon(async () => assert.ok(await isVisible(page, selector), selector));
});

test("moves tried in a loaded game are variations; its turns can be tried again", async (t) => {
  const page = await open(t, { options: PHONE });
  await load(page, "# board: 5\n# pie: off\nd3,d4 e3,e4 b2,d5 b1,e5 b2-d3 a3,e2 b3,d2 a2,b4 a1,b5 c1,c5 b3-d4 pass");
  // A review is one tap away.
  await page.click("#review-now");
  await page.waitForSelector("#review-progress[data-finished=true]", { ...REVIEWED, state: "attached" });
  await page.waitForSelector("#review-now", { state: "hidden" });
  await page.locator("#turn-first").click();
  await page.waitForFunction(() => !document.querySelector("#grid [data-tile]"));
  await placeTiles(page, "a1", "c5");
  await page.waitForSelector("#home:visible");
  // The game is unchanged: twelve turns, its result, its line in the graph.
  assert.equal(await page.locator("[data-graph-turn]").count(), 13);
  await placeTiles(page, "e1", "e3");
  await page.click("#home");
  await page.waitForSelector("[data-turn='12'][aria-selected=true]", { state: "attached" });
  await soon(async () => assert.match(await page.textContent("#status"), /White wins/));
  await page.locator("#mistakes [data-again]").first().click();
  await soon(async () => assert.match(await page.textContent("#status"), /again/));
});

test("the board stays while the review is read (desktop)", async (t) => {
  const page = await reviewed(t, DESKTOP);
  await page.locator("#mistakes [data-mistake]").last().scrollIntoViewIfNeeded();
  await soon(async () => assert.ok(await isVisible(page, "#frame")));
  await page.locator("#mistakes [data-mistake]").last().click();
  await page.waitForSelector("#message[data-kind=lesson]");
  await soon(async () => assert.ok(await page.locator("#card").isHidden(), "the card makes room"));
  // The list is not redrawn: the focus stays on the chosen mistake.
  await page.waitForSelector("#mistakes [data-mistake][aria-pressed=true]:focus");
  for (const selector of ["#frame", "#message"]) await soon(async () => assert.ok(await isVisible(page, selector), selector));
  await soon(async () => assert.equal(await page.evaluate(() => document.scrollingElement.scrollTop), 0));
});

test("the move list shows the turn being played at 1366x768", async (t) => {
  const page = await open(t, { options: DESKTOP });
  await newGame(page, { board: 10, seat: "both" });
  for (let row = 1; row <= 9; row += 2) {
    for (const [a, b] of [["a", "d"], ["f", "i"]]) await placeTiles(page, `${a}${row}`, `${b}${row}`);
    if (row % 4 !== 1) continue;
    for (const [a, b] of [["c", "h"]]) await placeTiles(page, `${a}${row + 1}`, `${b}${row + 1}`);
  }
  await soon(async () => assert.ok(await page.locator("#moves .move").count() > 12));
  await page.waitForTimeout(100);
  await soon(async () => assert.ok(await isVisible(page, "#moves [aria-selected=true]")));
  await soon(async () => assert.ok(await page.locator("#graph").isHidden(), "nothing is known yet"));
});

test("a move tried in vain does not reveal the best one", async (t) => {
  const page = await reviewed(t, DESKTOP);
  await page.locator("#card-worst [data-retry]").first().click();
  await page.waitForSelector("#hint:has-text('Try again')");
  const prompt = await page.locator("#hint").textContent();
  const [a, b] = prompt.match(/[a-f]\d[,-][a-f]\d/)[0].split(/[,-]/);
  // The move played in the game, which cannot be better.
  await placeTiles(page, a, b);
  await page.waitForSelector("#tried-again:visible", REVIEWED);
  await soon(async () => assert.equal(await page.locator("#tried-title").textContent(), "Not better yet"));
  await soon(async () => assert.doesNotMatch(await page.locator("#tried").textContent(), /best is|best move was/));
  await soon(async () => assert.match(await page.locator("#status").textContent(), /^Turn \d+ again/));
  await soon(async () => assert.equal(await page.locator("#hint").textContent(), ""));
  await page.click("#tried-again");
  await page.waitForSelector("#hint:has-text('Try again')");
  await placeLegal(page);
  await page.waitForSelector("#tried-back:visible", REVIEWED);
  if (await page.locator("#tried-best").isVisible()) {
    await page.click("#tried-best");
    await page.waitForSelector("#board .line > *", { state: "attached" });
    await soon(async () => assert.match(await page.locator("#tried-text").textContent(), /^The best move was/));
  }
});
