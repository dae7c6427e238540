// The list of earlier games: opened and deleted, by mouse and by keyboard.

import assert from "node:assert/strict";
import { test } from "node:test";
import { REVIEWED, SITE, at, newGame, open, placeTiles, ready, soon } from "./browser.mjs";

const session = (page) => new URL(page.url()).searchParams.get("session");

/** Opens the list and waits for a game in it. */
async function list(page, id) {
  await page.click("#games-button");
  await page.waitForSelector(`#games [data-session="${id}"]`);
}

test("an earlier game is found, opened and deleted", async (t) => {
  const page = await open(t, { allow: /404/ });
  const first = session(page);
  await newGame(page, { board: 6, seat: "both" });
  await placeTiles(page, "a1", "b1");
  await page.click("#resign");
  await page.click("#confirm-yes");
  await page.waitForSelector("#status[data-status=over]");
  // While the review runs, the game cannot be deleted.
  await page.waitForSelector("#review-progress[data-finished=true]", REVIEWED);

  // Another session without a move is not listed.
  await page.goto(at("/?session=new"));
  await ready(page);
  const second = session(page);
  assert.notEqual(second, first);
  await list(page, first);
  await soon(async () => assert.equal(await page.locator(`#games [data-session="${second}"]`).count(), 0));
  await soon(async () => assert.match(
    await page.locator(`#games [data-session="${first}"] .game`).textContent(),
    /6 × 6, Turns: 1.*White wins: Red resigned/));
  await page.locator(`#games [data-session="${first}"] .game`).click();
  await page.waitForURL(at(`/?session=${first}`));
  await ready(page);
  await page.waitForSelector("[data-cell=a1][data-tile=white]");

  // The game on the board cannot be deleted, but from another game it can.
  await list(page, first);
  await soon(async () => assert.ok(await page.locator(`#games [data-session="${first}"] .round`).isDisabled()));
  await page.goto(at(`/?session=${second}`));
  await ready(page);
  await page.keyboard.press("l");
  const row = page.locator(`#games [data-session="${first}"]`);
  await row.locator(".game").focus();
  await page.keyboard.press("Tab");
  await soon(async () => assert.match(
    await page.evaluate(() => document.activeElement.getAttribute("aria-label")),
    /^Delete the game from /));
  await page.keyboard.press("Enter");
  await page.click("#confirm-no");
  await row.locator(".round").click();
  await page.click("#confirm-yes");
  await row.waitFor({ state: "detached" });
  await soon(async () => assert.ok(await page.evaluate(() => document.querySelector("#games-dialog").contains(document.activeElement))));
  await page.goto(at(`/?session=${first}`));
  await page.waitForSelector("#message[data-code=noSession]");
});

test("a game that another page shows cannot be deleted", async (t) => {
  const page = await open(t, { allow: /409/ });
  const first = session(page);
  await newGame(page, { board: 6, seat: "both" });
  await placeTiles(page, "a1", "b1");
  const other = await page.context().newPage();
  await other.goto(at("/?session=new"));
  await ready(other);
  await list(other, first);
  const complained = SITE ? null : other.waitForEvent("console");
  await other.locator(`#games [data-session="${first}"] .round`).click();
  await other.click("#confirm-yes");
  await other.waitForFunction(() => document.querySelector("#games-note").textContent.startsWith("This game is open"));
  await complained;
  await soon(async () => assert.equal(await other.locator(`#games [data-session="${first}"]`).count(), 1));
});

test("a won game stays in the list when a new one starts", async (t) => {
  const page = await open(t);
  await newGame(page, { board: 6, seat: "both" });
  await placeTiles(page, "a1", "b1");
  await page.click("#resign");
  await page.click("#confirm-yes");
  await page.waitForSelector("#status[data-status=over]");
  await newGame(page, { board: 5, seat: "both" });
  await page.click("#games-button");
  const row = page.locator("#games .game", { hasText: "White wins: Red resigned" }).first();
  await row.waitFor();
  await row.click();
  await page.waitForSelector("[data-cell=f6]");
  await ready(page);
  await page.waitForSelector("#status[data-status=over]");
});

test("the page says when a game cannot be saved, and when it can again", { skip: Boolean(SITE) }, async (t) => {
  /** The error of a server with a full disk. */
  let unsaved = null;
  let tell = null;
  let last = null;
  const prepare = (page) => page.routeWebSocket(/\/ws\?/, (line) => {
    const server = line.connectToServer();
    tell = () => line.send(JSON.stringify({ ...last, id: null, unsaved }));
    server.onMessage((text) => {
      const message = JSON.parse(text);
      if (message.type === "state") last = Object.assign(message, { unsaved });
      line.send(JSON.stringify(message));
    });
  });
  const page = await open(t, { prepare });
  await newGame(page, { board: 6, seat: "both" });
  unsaved = "No space left on device";
  await placeTiles(page, "a1", "b1");
  const says = (text) => soon(async () => assert.match(await page.locator("#connection").textContent(), text));
  await page.waitForSelector("#connection[data-saved=false]", { state: "attached" });
  await says(/^The game cannot be saved at present \(No space left on device\)/);
  await page.selectOption("#language", "de");
  await says(/^Die Partie lässt sich gerade nicht speichern/);
  await page.selectOption("#language", "fr");
  await says(/^La partie ne peut pas être enregistrée/);
  unsaved = null;
  tell();
  await says(/^La partie est de nouveau enregistrée/);
  await page.waitForSelector("#connection[data-saved=true]", { state: "attached" });
});
