// After and during a game: the card with its review, moves tried again, hints, the evaluation,
// motion and sound.

import assert from "node:assert/strict";
import { test } from "node:test";
import { REVIEWED, cell, load, newGame, open, placeLegal, placeTiles, resigned, soon, turn } from "./browser.mjs";

test("the card after a game, and a turn tried again", async (t) => {
  const page = await open(t);
  await resigned(page);
  await soon(async () => assert.equal(await page.locator("#card-title").textContent(), "Red wins"));
  await soon(async () => assert.match(await page.locator("#card-result").textContent(), /White resigned/));
  await soon(async () => assert.equal(await page.locator("#card-sides [data-player=red] [data-value=points]").textContent(), "1"));
  await soon(async () => assert.equal(await page.locator("#card-sides [data-player=red] [data-value=networks]").textContent(), "1→1"));
  await page.waitForSelector("#review-progress[data-finished=true]", REVIEWED);
  await page.waitForFunction(() =>
    /^\d+\.\d$/.test(document.querySelector("#card-sides [data-player=white] [data-value=given]").textContent));
  const worst = page.locator("#card-worst [data-retry]");
  await soon(async () => assert.ok(await worst.count() >= 1 && await worst.count() <= 3));
  const number = Number(await worst.first().getAttribute("data-retry"));
  await worst.first().click();
  await page.waitForSelector(`#moves [data-turn='${number - 1}'][aria-selected=true]`);
  await soon(async () => assert.match(await page.locator("#hint").textContent(), /^Try again/));
  // The card is hidden meanwhile.
  await soon(async () => assert.ok(await page.locator("#card").isHidden()));
  await placeLegal(page);
  await page.waitForSelector("#tried-back:visible", REVIEWED);
  await page.waitForSelector("#tried:is([data-right=true], [data-right=false])");
  await page.waitForSelector(`#moves .variation [data-turn='${number}'][aria-selected=true]`);
  await page.click("#tried-back");
  // The game and its review are unchanged.
  await page.waitForSelector("#status[data-status=over]");
  await soon(async () => assert.ok(await page.locator("#card").isVisible()));
  await soon(async () => assert.ok(await page.locator("#tried").isHidden()));
});

test("a rematch exchanges the colours", async (t) => {
  const page = await open(t);
  await newGame(page, { board: 5, seat: "white", playouts: 5 });
  await placeTiles(page, "b2", "d3");
  await page.waitForSelector("#status[data-to-move=white][data-thinking=false]");
  await page.click("#resign");
  await page.click("#confirm-yes");
  await page.waitForSelector("#card:not([hidden])");
  await soon(async () => assert.equal(await page.locator("#card-title").textContent(), "You lost."));
  await soon(async () => assert.ok(await page.locator("#level-up").isHidden()));
  await page.click("#rematch");
  await page.waitForSelector("#player-red[data-who=human]");
  await page.waitForSelector("#card", { state: "hidden" });
  await page.waitForSelector("#status[data-to-move=red][data-thinking=false]");
  await soon(async () => assert.equal(await page.locator("#grid [role=gridcell]").count(), 25));
});

test("a hint says where, then a tile, then the move and what it does", async (t) => {
  const page = await open(t);
  // Red is about to enclose the three tiles.
  await load(page, "6/6/6/6/rr1r2/www3 w - -");
  await page.click("#hint-button");
  await page.waitForSelector("#message[data-code='hint.area']");
  await soon(async () => assert.equal(await page.locator("#board .marked").count(), 9));
  assert.equal(await page.locator("#board .line .tile").count(), 0);
  await page.click("#hint-button");
  await page.waitForSelector("#message[data-code='hint.tile']");
  await soon(async () => assert.equal(await page.locator("#board .marked").count(), 1));
  await page.click("#hint-button");
  await page.waitForSelector("#message[data-code='hint.move']");
  await soon(async () => assert.match(await page.locator("#message").textContent(), /is a good move\. .*completes White’s island at a1\./));
  await page.waitForSelector("#board .line .tile", { state: "attached" });
  await page.selectOption("#language", "fr");
  await page.waitForFunction(() => /achève l’île de Blanc en a1\./.test(document.querySelector("#message").textContent));
  await cell(page, "d1").click();
  await cell(page, "f6").click();
  await page.waitForSelector("[data-cell=f6][data-tile=white]");
  await soon(async () => assert.equal(await page.locator("#board .line .tile").count(), 0));
});

test("the engine’s evaluation can be hidden", async (t) => {
  const page = await open(t);
  await newGame(page, { board: 6, seat: "white", playouts: 2000 });
  await page.click("#thoughts-toggle");
  await page.waitForSelector("#thoughts-toggle[aria-pressed=false]");
  await placeTiles(page, "b2", "d3");
  await page.waitForSelector("#moves [data-turn='2']");
  await turn(page);
  await soon(async () => assert.equal(await page.locator("#graph .curve, #graph .dot, #graph .value").count(), 0));
  await page.click("#thoughts-toggle");
  await page.waitForSelector("#graph .dot", { state: "attached" });
  await page.click("#thoughts-toggle");
  await page.reload();
  await page.waitForSelector("#thoughts-toggle[aria-pressed=false]");
});

test("the engine’s move waits half a second, moves, and sounds if wanted", async (t) => {
  const page = await open(t);
  await newGame(page, { board: 5, seat: "white", playouts: 2 });
  await page.evaluate(() => {
    const grid = document.querySelector("#grid");
    // The half second counts from the tap, which shows the player's move.
    grid.addEventListener("click", () => (window.tapped = performance.now()), true);
    new MutationObserver(() => {
      if (grid.querySelector("[data-tile=red]")) window.answered ??= performance.now();
    }).observe(grid, { subtree: true, attributes: true });
  });
  await placeTiles(page, "b2", "d3");
  await page.waitForSelector("#board .tile.red.new", { state: "attached" });
  const wait = await page.evaluate(() => window.answered - window.tapped);
  assert.ok(wait >= 400, `${wait} ms`);
  await soon(async () => assert.equal(await page.locator("#board .tile.white.new").count(), 0));
  await soon(async () => assert.notEqual(
    await page.locator("#board .tile.red.new").first()
      .evaluate((node) => getComputedStyle(node).animationName),
    "none"));
  assert.equal(await page.evaluate(() => document.documentElement.dataset.sounded), undefined);
  await page.click("#sound-toggle");
  const legal = page.locator("#grid [data-legal]:not([data-laid])");
  await legal.first().click();
  await page.waitForSelector("#grid[data-seconds]");
  await legal.last().click();
  await page.waitForFunction(() => document.documentElement.dataset.sounded);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await soon(async () => {
    const moving = await page.evaluate(() =>
      [...document.querySelectorAll("#board .new")]
        .filter((node) => getComputedStyle(node).animationName !== "none").length);
    assert.equal(moving, 0);
  });
});

test("the chart leaves unknown turns grey and ends with the result", async (t) => {
  const page = await open(t);
  await newGame(page, { board: 6, seat: "both" });
  await placeTiles(page, "b2", "d3");
  await soon(async () => assert.equal(await page.locator("#graph .red, #graph .area").count(), 0));
  await soon(async () => assert.equal(await page.locator("#graph .end").count(), 0));
  const grey = await page.locator("#graph .paper").evaluate((node) => getComputedStyle(node).fill.match(/\d+/g).map(Number));
  assert.ok(Math.max(...grey.slice(0, 3)) - Math.min(...grey.slice(0, 3)) < 20, `${grey}`);
  await page.click("#resign");
  await page.click("#confirm-yes");
  await page.waitForSelector("#graph .end.white", { state: "attached" });
  await soon(async () => assert.equal(await page.locator("#graph .result").textContent(), "White wins"));
});

test("candidates: at most five on the board, readable, with a legend", async (t) => {
  for (const colorScheme of ["light", "dark"]) {
    const page = await open(t, { options: { colorScheme } });
    await load(page, "# board: 8\n# pie: off\na1,b1\ng7,g8\n");
    await page.click("#analysis-toggle");
    await page.waitForSelector("#board [data-candidate]");
    await page.waitForFunction(() => document.querySelectorAll("[data-candidate-move]:not([hidden])").length > 5);
    await soon(async () => {
      const moves = await page.evaluate(() =>
        new Set([...document.querySelectorAll("#board [data-candidate]")].map((node) => node.dataset.candidate)).size);
      assert.ok(moves <= 5, `${moves}`);
    });
    await soon(async () => assert.ok(await page.locator("#legend").isVisible()));
    const contrast = await page.evaluate(() => {
      const light = (color) => {
        const [r, g, b] = color.match(/[\d.]+/g).map(Number)
          .map((n) => (n / 255 <= 0.03928 ? n / 255 / 12.92 : ((n / 255 + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      return [...document.querySelectorAll("#board .spot")].map((spot) => {
        const [disc, text] = [spot.querySelector(".disc"), spot.querySelector(".rate")].map((node) => getComputedStyle(node));
        const [a, b] = [light(disc.fill), light(text.fill)].sort((x, y) => y - x);
        return Number(disc.fillOpacity) === 1 ? (a + 0.05) / (b + 0.05) : 0;
      });
    });
    assert.ok(Math.min(...contrast) >= 4.5, `${colorScheme} ${contrast}`);
    await page.waitForFunction(() => {
      const link = document.querySelector("#board .links .link:not(.bridge)");
      const { strokeWidth, strokeDasharray } = link ? getComputedStyle(link) : {};
      return strokeWidth === "6px" && strokeDasharray === "none";
    });
  }
});

test("a mistake shows its cost in points and the recommended tiles", async (t) => {
  const page = await open(t);
  await resigned(page);
  await page.waitForSelector("#review-progress[data-finished=true]", REVIEWED);
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("n");
  await page.waitForSelector("#message[data-kind=lesson]");
  await page.waitForSelector("#board .line", { state: "attached" });
  const message = await page.locator("#message").textContent();
  assert.match(message, /cost .*(points|chance).*Better: \S+\.( [A-Z]?.*\.)?$/);
  const best = message.match(/Better: (\S+)\./)[1];
  await page.waitForFunction((cells) => {
    const drawn = document.querySelectorAll("#board .line > *").length;
    return drawn === (cells.includes(",") ? 2 : 1);
  }, best);
  // Only one move is drawn, so it has no number.
  await soon(async () => assert.equal(await page.locator("#board .line .step").count(), 0));
});
