// Tiles and bridges by taps, drags and keys, and illegal ones.

import assert from "node:assert/strict";
import { test } from "node:test";
import { cell, interceptConnection, load, newGame, open, placeTiles, soon, turn } from "./browser.mjs";

test("a tap shows at once, before the server answers", async (t) => {
  const connection = interceptConnection();
  const page = await open(t, connection);
  await newGame(page, { board: 10, seat: "both" });
  await connection.hold();
  // Within two frames of the click.
  const frames = await page.evaluate(() => new Promise((done) => {
    document.querySelector("[data-cell=c3]").click();
    let count = 0;
    const look = () => {
      if (document.querySelector("[data-cell=c3][data-laid]") || count > 60) return done(count);
      count++;
      requestAnimationFrame(look);
    };
    look();
  }));
  assert.ok(frames <= 2, `${frames} frames`);
  await soon(async () => assert.ok(await page.locator("#board .laid > *").count()));
});

test("the first tile can be taken back, and a turn undone", async (t) => {
  const page = await open(t);
  await newGame(page, { seat: "both" });
  await cell(page, "b2").click();
  await page.waitForSelector("[data-cell=b2][data-laid]");
  await cell(page, "b2").click();
  await page.waitForSelector("[data-cell=b2]:not([data-laid])");
  await placeTiles(page, "b2", "d3");
  await soon(async () => assert.equal(await turn(page), "red"));
  await page.click("#undo");
  await page.waitForSelector("#status[data-to-move=white]");
  await soon(async () => assert.equal(await page.locator("#grid [data-tile]").count(), 0));
});

test("a bridge by drag, by taps and by keyboard", async (t) => {
  const page = await open(t);
  await newGame(page, { board: 8, seat: "both" });
  await placeTiles(page, "b2", "d3");
  await placeTiles(page, "f6", "f8");
  const middle = async (name) => {
    const box = await cell(page, name).boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  await page.mouse.move(...await middle("b2"));
  await page.mouse.down();
  await page.mouse.move(...await middle("c3"), { steps: 4 });
  await page.waitForSelector("[data-cell=d3][data-target]");
  await page.mouse.move(...await middle("d3"), { steps: 4 });
  await page.mouse.up();
  await page.waitForSelector("#status[data-to-move=red]");
  await page.waitForSelector("[data-bridge=b2-d3]", { state: "attached" });

  await page.keyboard.press("g");
  await walk(page, "f6");
  await page.keyboard.press("b");
  await page.waitForSelector("[data-cell=f8][data-target]");
  await page.keyboard.press("Escape");
  await soon(async () => assert.equal(await page.locator("[data-target]").count(), 0));
  await page.keyboard.press("b");
  await walk(page, "f8");
  await page.keyboard.press("b");
  await page.waitForSelector("#status[data-to-move=white]");
  await page.waitForSelector("[data-bridge=f6-f8]", { state: "attached" });
  await soon(async () => assert.match(await page.locator("#live").textContent(), /bridge from f6 to f8/));
  await soon(async () => assert.match(await cell(page, "f7").getAttribute("aria-label"), /under a bridge/));

  await placeTiles(page, "a6", "c6");
  await placeTiles(page, "h1", "h2");
  await cell(page, "a6").click();
  await cell(page, "c6").click();
  await page.waitForSelector("[data-bridge=a6-c6]", { state: "attached" });
});

/** Moves the focus of the board by arrow keys. */
async function walk(page, to) {
  const place = (name) => [name.charCodeAt(0), Number(name.slice(1))];
  const from = await page.evaluate(() => document.activeElement.dataset.cell);
  const [[x, y], [u, v]] = [place(from), place(to)];
  for (let n = x; n !== u; n += Math.sign(u - x)) await page.keyboard.press(u > x ? "ArrowRight" : "ArrowLeft");
  for (let n = y; n !== v; n += Math.sign(v - y)) await page.keyboard.press(v > y ? "ArrowUp" : "ArrowDown");
  await soon(async () => assert.equal(await page.evaluate(() => document.activeElement.dataset.cell), to));
}

test("tiles by keyboard", async (t) => {
  const page = await open(t);
  await newGame(page, { seat: "both" });
  await page.keyboard.press("g");
  await walk(page, "a1");
  await page.keyboard.press("Enter");
  await walk(page, "c2");
  await page.keyboard.press("Space");
  await page.waitForSelector("#status[data-to-move=red]");
  await soon(async () => assert.match(await cell(page, "c2").getAttribute("aria-label"), /c2, White tile/));
  await page.keyboard.press("u");
  await page.waitForSelector("#status[data-to-move=white]");
});

test("an illegal tap says which rule forbids it", async (t) => {
  const page = await open(t);
  await load(page, "6/6/6/6/r5/wwww2 w - -");
  const assertRule = async (name, code, pattern) => {
    await cell(page, name).click();
    await page.waitForSelector(`#message[data-code=${code}]`);
    await soon(async () => assert.match(await page.locator("#message").textContent(), pattern));
  };
  await assertRule("e2", "touches_island", /e2 touches the island at d1/);
  await assertRule("a2", "occupied", /a2/);
  await page.selectOption("#language", "de");
  await assertRule("e2", "touches_island", /Eine Insel darf keinen anderen Stein/);
  // The second tile is judged together with the first.
  await load(page, "6/6/6/6/6/www3 w - -");
  await cell(page, "d1").click();
  await page.waitForSelector("#grid[data-seconds=d1]");
  await assertRule("e2", "touches_island", /e2/);
  await soon(async () => assert.equal(await page.locator("#grid [data-tile]").count(), 3));
});

test("a tile under a bridge, a bridge across another", async (t) => {
  const page = await open(t);
  await newGame(page, { seat: "both" });
  await load(page, "6/6/1r1w2/6/1w1r2/6 w - -");
  await cell(page, "b2").click();
  await cell(page, "d4").click();
  await page.waitForSelector("#status[data-to-move=red]");
  await cell(page, "c3").click();
  await page.waitForSelector("#message[data-code=blocked]");
  // The bridge is known only when its other end is chosen.
  await cell(page, "b4").click();
  await page.waitForFunction(() => /^No bridge can be built from b4/.test(document.querySelector("#hint").textContent));
  await soon(async () => assert.equal(await page.locator("#message").textContent(), ""));
  await cell(page, "d2").click();
  await page.waitForSelector("#message[data-code=crosses_bridge]");
  await soon(async () => assert.match(await page.locator("#message").textContent(), /b4.+d2 would cross .*b2.+d4/));
});

test("the reason given is about the chosen bridge, by taps and by drag", async (t) => {
  const page = await open(t);
  await newGame(page, { seat: "both" });
  // b4–d4 crosses c3–c5; b2–b4 would pass over b3, but is not the one chosen.
  await load(page, "6/2r3/1w1w2/wwrww1/1w1w2/6 w c3-c5 -");
  const box = async (name) => {
    const { x, y, width, height } = await cell(page, name).boundingBox();
    return [x + width / 2, y + height / 2];
  };
  await cell(page, "b4").click();
  await page.waitForSelector("#board .from", { state: "attached" });
  await cell(page, "d4").click();
  await page.waitForSelector("#message[data-kind=illegal]");
  await soon(async () => assert.match(await page.locator("#message").textContent(), /b4.+d4/));
  await page.keyboard.press("Escape");
  await page.mouse.move(...await box("b4"));
  await page.mouse.down();
  await page.mouse.move(...await box("c4"), { steps: 4 });
  await page.waitForSelector("#board .pull", { state: "attached" });
  await page.mouse.move(...await box("d4"), { steps: 4 });
  await page.mouse.up();
  await page.waitForSelector("#message[data-kind=illegal]");
  await soon(async () => assert.match(await page.locator("#message").textContent(), /b4.+d4/));
  await soon(async () => assert.equal(await page.locator("#board .pull").count(), 0));
});

test("a tile without a partner for a bridge counts as an occupied cell, without a word about bridges", async (t) => {
  const page = await open(t);
  await load(page, "6/6/2w3/3r2/6/6 w - -");
  await cell(page, "c4").click();
  await page.waitForSelector("#message[data-code=occupied]");
  await soon(async () => assert.match(await page.locator("#message").textContent(), /White already has a tile on c4/));
});
