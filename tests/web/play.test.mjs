// Playing: whole games, swap, resignation, reloads and lost connections.

import assert from "node:assert/strict";
import { test } from "node:test";
import { cell, drawn, interceptConnection, newGame, open, placeTiles, ready, says, soon, turn } from "./browser.mjs";

test("a whole game against the engine by clicks alone", async (t) => {
  const page = await open(t);
  await newGame(page, { board: 4, seat: "white", playouts: 20 });
  for (let n = 0; n < 60; n++) {
    await page.waitForFunction(() => {
      const { status, toMove, thinking } = document.querySelector("#status").dataset;
      return status === "over" || (toMove === "white" && thinking === "false");
    });
    if (await page.locator("#status").getAttribute("data-status") === "over") break;
    await drawn(page);
    const before = await page.locator("#moves [data-node]").count();
    const free = page.locator("#grid [data-legal]:not([data-laid])");
    if (await free.count()) {
      const first = await free.first().getAttribute("data-cell");
      await cell(page, first).click();
      await page.waitForSelector(`#grid[data-seconds=${first}]`);
      await free.last().click();
    } else if (await page.locator("#pass").isVisible()) await page.click("#pass");
    else {
      await page.locator("#grid [data-drag]").first().click();
      await page.locator("#grid [data-target]").first().click();
    }
    await page.waitForFunction((count) => document.querySelectorAll("#moves [data-node]").length > count, before);
  }
  await soon(async () => assert.equal(await page.locator("#status").getAttribute("data-status"), "over"));
  await soon(async () => assert.match(await page.locator("#status").textContent(), /wins|draw/));
  await soon(async () => assert.ok(await page.locator("#moves [data-turn]").count() > 5));
});

test("a human swaps", async (t) => {
  const page = await open(t);
  await newGame(page, { seat: "red", pie: true });
  await page.locator("#swap").waitFor();
  await page.click("#swap");
  await page.waitForSelector("#player-white[data-who=human]");
  await page.waitForSelector("#grid [data-tile=red]");
  await soon(async () => assert.equal(await turn(page), "white"));
});

test("resigning asks first", async (t) => {
  const page = await open(t);
  await newGame(page, { seat: "both" });
  await placeTiles(page, "b2", "d3");
  await page.click("#resign");
  await page.click("#confirm-no");
  await soon(async () => assert.equal(await turn(page), "red"));
  // Not while an earlier turn is shown, where White is to move.
  await page.keyboard.press("[");
  await page.waitForSelector("#resign:disabled");
  await soon(async () => assert.equal(await turn(page), "white"));
  await page.keyboard.press("]");
  await page.waitForSelector("#resign:enabled");
  await page.click("#resign");
  await page.click("#confirm-yes");
  await page.waitForSelector("#status[data-status=over]");
  await soon(async () => assert.match(await page.locator("#status").textContent(), /^White wins: Red resigned$/));
});

test("a reload in mid-game continues the game", async (t) => {
  const page = await open(t);
  await newGame(page, { seat: "both" });
  await placeTiles(page, "b2", "d3");
  const address = page.url();
  assert.match(address, /session=[0-9a-f]{32}/);
  await page.reload();
  await ready(page);
  await page.waitForSelector("[data-cell=d3][data-tile=white]");
  assert.equal(page.url(), address);
  await placeTiles(page, "e5", "f6");
  await soon(async () => assert.equal(await turn(page), "white"));
});

test("the page reconnects automatically", async (t) => {
  const connection = interceptConnection();
  const page = await open(t, connection);
  await newGame(page, { seat: "both" });
  await cell(page, "b2").click();
  await connection.cut();
  await page.waitForFunction(() => window.connections.seen.at(-1) === "open");
  await soon(async () => assert.ok((await connection.seen()).includes("lost")));
  assert.equal(await connection.made(), 2);
  await page.waitForSelector("[data-cell=b2][data-laid=true]");
  // A connected page opens no second connection when the network is back.
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await cell(page, "d3").click();
  await page.waitForSelector("[data-cell=b2][data-tile=white]");
  await page.waitForTimeout(300);
  assert.equal(await connection.made(), 2);
});

test("a move lost with the connection is sent again", async (t) => {
  const connection = interceptConnection();
  const page = await open(t, connection);
  await newGame(page, { seat: "both" });
  const turns = await page.locator("[data-turn]").count();
  await connection.hold();
  await cell(page, "b2").click();
  await cell(page, "d3").click();
  await page.waitForFunction(() => document.querySelectorAll("#board .laid > *").length > 1);
  await soon(async () => assert.equal(await page.locator("#grid [data-tile]").count(), 0));
  await connection.release();
  await connection.cut();
  await page.waitForSelector("[data-cell=d3][data-tile=white]");
  await soon(async () => assert.equal(await page.locator("[data-turn]").count(), turns + 1));
  await page.reload();
  await ready(page);
  await page.waitForSelector("[data-cell=d3][data-tile=white]");
  await placeTiles(page, "e5", "f6");
});

test("a move without a connection is sent after reconnecting, and again if that connection is lost, too", async (t) => {
  const connection = interceptConnection();
  const page = await open(t, connection);
  await newGame(page, { seat: "both" });
  const turns = await page.locator("[data-turn]").count();
  await cell(page, "b2").click();
  // The second tap comes before the page has reconnected.
  await page.evaluate(() => {
    window.connections.isHeld = true;
    window.connections.last();
    document.querySelector("#grid [data-cell=d3]").click();
  });
  await page.waitForFunction(() => document.querySelectorAll("#board .laid > *").length > 1);
  await page.waitForFunction(() => window.connections.made === 2 && window.connections.seen.at(-1) === "open");
  assert.equal(await page.locator("#grid [data-tile]").count(), 0);
  await connection.release();
  await connection.cut();
  await page.waitForSelector("[data-cell=d3][data-tile=white]");
  await page.waitForSelector("[data-cell=b2][data-tile=white]");
  await soon(async () => assert.equal(await page.locator("[data-turn]").count(), turns + 1));
});

test("without a connection, a move can be taken back and a new game waits", async (t) => {
  const page = await open(t, interceptConnection());
  await newGame(page, { seat: "both" });
  const turns = await page.locator("[data-turn]").count();
  // Before the page has reconnected.
  await page.evaluate(() => {
    window.connections.last();
    for (const name of ["b2", "d3"]) document.querySelector(`#grid [data-cell=${name}]`).click();
    document.querySelector("#undo").click();
  });
  await page.waitForFunction(() => window.connections.made === 2 && window.connections.seen.at(-1) === "open");
  await says(page, "#connection", "Connected again.");
  // A move after that is the next turn.
  await placeTiles(page, "e5", "f6");
  assert.equal(await page.locator("[data-turn]").count(), turns + 1);
  assert.equal(await page.locator("#grid [data-tile]").count(), 2);
  await page.click("#new-game");
  await page.selectOption("#new-board", "5");
  await page.click("#new-start");
  await page.waitForSelector("#confirm-dialog[open]");
  await page.evaluate(() => {
    window.connections.last();
    document.querySelector("#confirm-yes").click();
  });
  await soon(async () => assert.equal(await page.locator("#grid [role=gridcell]").count(), 25));
});

test("two browsers have two sessions", async (t) => {
  const [one, two] = [await open(t), await open(t)];
  await newGame(one, { seat: "both" });
  await newGame(two, { seat: "both" });
  assert.notEqual(new URL(one.url()).searchParams.get("session"), new URL(two.url()).searchParams.get("session"));
  await placeTiles(one, "b2", "d3");
  await placeTiles(two, "e5", "f6");
  await soon(async () => assert.equal(await two.locator("#grid [data-tile]").count(), 2));
  await one.waitForSelector("[data-cell=e5]:not([data-tile])");
  // The same session in two pages shows the same game.
  const third = await one.context().newPage();
  await third.goto(one.url());
  await third.waitForSelector("[data-cell=d3][data-tile=white]");
  await placeTiles(third, "a5", "a6");
  await one.waitForSelector("[data-cell=a6][data-tile=red]");
});

test("moves taken back are no longer part of the game: in the list of moves, on the card and in the list of games", async (t) => {
  const page = await open(t);
  await newGame(page, { seat: "both" });
  for (const [a, b] of [["a1", "c1"], ["a5", "c5"], ["e1", "e3"]]) await placeTiles(page, a, b);
  for (const remaining of [2, 1]) {
    await page.click("#undo");
    await soon(async () => assert.equal(await page.locator("#moves [data-turn]:not([data-turn='0'])").count(), remaining));
  }
  await page.click("#resign");
  await page.click("#confirm-yes");
  await page.waitForSelector("#card:not([hidden])");
  await says(page, "#card-title", "White wins");
  await page.click("#games-button");
  const row = page.locator("#games [aria-current=true]");
  await row.waitFor();
  await soon(async () => assert.match(await row.textContent(), /Turns: 1.*White wins: Red resigned/));
});

test("a variation stays beside the game when turns are taken back, and shows as one", async (t) => {
  const page = await open(t);
  await newGame(page, { seat: "both" });
  for (const [a, b] of [["a1", "c1"], ["a5", "c5"]]) await placeTiles(page, a, b);
  await page.locator("#moves [data-turn='1']").click();
  await page.click("#branch");
  await placeTiles(page, "e1", "e3");
  await page.waitForSelector("#moves .variation [data-turn='2'][aria-selected=true]");
  await page.click("#home");
  await page.click("#undo");
  await soon(async () => assert.deepEqual(
    await page.locator("#moves [data-turn='2']").allTextContents()
      .then((all) => all.map((text) => /e1,e3/.test(text))),
    [true]));
  assert.equal(await page.locator("#moves .variation [data-turn='2']").count(), 1);
  await soon(async () => assert.equal(await turn(page), "red"));
});
