// Playing a friend: by links between two browsers, and live at a server.

import assert from "node:assert/strict";
import { test } from "node:test";
import { compareTurns, readLink, writeLink } from "../../crates/page/friend.js";
import { AXE, SITE, at, cell, check, drawn, interceptConnection, open, placeTiles, says, soon } from "./browser.mjs";

const CLIPBOARD = { permissions: ["clipboard-read", "clipboard-write"] };

/** Starts a game with a friend from the dialog. */
async function invite(page, { seat = "white", board = 6, pie = false } = {}) {
  await page.click("#new-game");
  await page.selectOption("#new-opponent", "friend");
  await page.check(`#new-seat-${seat}`);
  await page.selectOption("#new-board", String(board));
  await page.setChecked("#new-pie", pie);
  await page.click("#new-start");
  await page.waitForSelector(`#player-${seat}[data-who=human]`);
  await page.waitForSelector(`#player-${seat === "white" ? "red" : "white"}[data-who=friend]`);
}

/** Sends the game and returns the path of its link. */
async function send(page) {
  await page.click("#friend-send");
  await says(page, "#friend-send", "Send again");
  const { hash } = new URL(await page.evaluate(() => navigator.clipboard.readText()));
  return `/${hash}`;
}

/** Opens a received link in a page that is already open. */
async function follow(page, path) {
  // A tap on a link in a message reloads the page.
  await page.goto("about:blank");
  await page.goto(at(path));
  await page.waitForSelector("#status[data-status]");
  await page.waitForFunction(() => !location.hash);
}

const friend = (t, path = "/?session=new", options = CLIPBOARD) => open(t, { options, path });
const sessionOf = (page) => new URL(page.url()).searchParams.get("session");
const tiles = (page) => page.locator("#grid [data-tile]").count();

test("links are read as they were written, and damaged ones are recognized", () => {
  const rules = { board: 10, supply: "standard", pie: true };
  const link = { id: "ab12-2", seat: 2, rules, turns: ["d4e6", "s", "c3c4", "d4-f4", "p", "xr"] };
  assert.equal(writeLink(link), "#f=1;ab12-2;2;10ps;d4e6.s.c3c4.d4-f4.p.xr");
  for (const each of [
    link, { ...link, turns: [] },
    { ...link, seat: 1, rules: { board: 6, supply: "30,9", pie: false } },
    { ...link, rules: { ...rules, supply: "unlimited" } },
  ]) {
    assert.deepEqual(readLink(writeLink(each)), each);
    assert.deepEqual(readLink(writeLink(each).replaceAll(";", "%3B")), each);
    // At the end of a sentence.
    for (const end of [".", ")", ").", "!"]) assert.deepEqual(readLink(writeLink(each) + end), each);
  }
  for (const text of [
    "", "1;ab;2;10ps", "2;ab;2;10ps;0", "1;ab;3;10ps;0", "1;ab;1;10xs;0", "1;ab;1;10ps;d4e6.d4e",
    "1;ab;1;10ps;xw.d4e6", "1;<b>;1;10ps;0", "1;ab;1;10ps;%",
  ]) {
    assert.equal(readLink(`#f=${text}`), null, text);
  }
  const ownTurns = ["d4e6", "s"];
  assert.deepEqual(
    [[], ["d4e6", "s"], ["d4e6", "s", "p"], ["d4e6", "c3c4"]].map((turns) => compareTurns(ownTurns, turns)),
    ["older", "same", "newer", "other"]);
});

test("two devices play a game by links: turns, swap, takebacks, resignation and a rematch", async (t) => {
  const anna = await friend(t);
  await invite(anna, { pie: true });
  await placeTiles(anna, "a1", "c1");
  // A move can be taken back only until it is sent.
  await says(anna, "#status", "Now send the link");
  await anna.click("#undo");
  await soon(async () => assert.equal(await tiles(anna), 0));
  await placeTiles(anna, "b2", "d2");
  const first = await send(anna);
  assert.match(first, /^\/#f=1;[a-z0-9]{12};2;6ps;b2d2$/);
  await says(anna, "#status", "Your friend’s turn");
  assert.ok(await anna.locator("#undo").isDisabled());
  // Neither the user nor the engine can move for the friend.
  await cell(anna, "e5").click();
  await anna.waitForSelector("#message[data-code=friendWaitingPrompt]");
  for (const hidden of ["#swap", "#hint-button", "#move-now", "#analysis-toggle"]) assert.ok(await anna.locator(hidden).isHidden(), hidden);

  const ben = await friend(t, first);
  await ben.waitForSelector("#player-red[data-who=human]");
  await ben.waitForSelector("[data-cell=d2][data-tile=white]");
  await soon(async () => assert.equal(await ben.locator("#status").textContent(), "Your turn, Red"));
  assert.equal(new URL(ben.url()).hash, "");
  // Ben swaps, and has White now.
  await ben.click("#swap");
  await ben.waitForSelector("#player-white[data-who=human]");
  const second = await send(ben);
  const session = sessionOf(anna);
  await follow(anna, second);
  assert.equal(sessionOf(anna), session);
  await anna.waitForSelector("#player-red[data-who=human]");
  await soon(async () => assert.equal(await anna.locator("#status").textContent(), "Your turn, Red"));
  assert.ok(await anna.locator("#undo").isDisabled());
  await placeTiles(anna, "e5", "f6");
  const third = await send(anna);
  await follow(ben, third);
  await ben.waitForSelector("[data-cell=f6][data-tile=red]");
  await ben.click("#resign");
  await ben.click("#confirm-yes");
  await ben.waitForSelector("#card:not([hidden])");
  await says(ben, "#card-title", "You lost.");
  await says(ben, "#hint", "Send the link so that your friend can see how the game ended.");
  const last = await send(ben);
  assert.match(last, /;b2d2\.s\.e5f6\.xw$/);
  await follow(anna, last);
  await anna.waitForSelector("#card:not([hidden])");
  await says(anna, "#card-title", "You win!");

  // Both begin the rematch, and it is the same game with the colours exchanged.
  await anna.click("#rematch");
  await anna.waitForSelector("#player-white[data-who=human]");
  await anna.waitForSelector("#card", { state: "hidden" });
  assert.notEqual(sessionOf(anna), session);
  await ben.click("#rematch");
  await ben.waitForSelector("#player-red[data-who=human]");
  await ben.waitForSelector("#friend-send:visible");
  const own = sessionOf(ben);
  await placeTiles(anna, "c3", "d4");
  await follow(ben, await send(anna));
  assert.equal(sessionOf(ben), own);
  await ben.waitForSelector("[data-cell=d4][data-tile=white]");
});

test("who began last begins the next one, and an invitation needs no turn", async (t) => {
  const anna = await friend(t);
  await invite(anna, { seat: "red" });
  await says(anna, "#status", "Now send the link");
  const ben = await friend(t, await send(anna));
  await ben.waitForSelector("#player-white[data-who=human]");
  await placeTiles(ben, "a1", "c1");
  await follow(anna, await send(ben));
  await anna.waitForSelector("[data-cell=c1][data-tile=white]");
  await soon(async () => assert.equal(await anna.locator("#status").textContent(), "Your turn, Red"));
});

test("links that are older, for the friend, with another continuation, or damaged", async (t) => {
  const anna = await friend(t);
  await invite(anna);
  await placeTiles(anna, "a1", "c1");
  const first = await send(anna);
  const ben = await friend(t, first);
  await ben.waitForSelector("[data-cell=c1][data-tile=white]");
  const session = sessionOf(ben);
  await placeTiles(ben, "a5", "c5");
  // Before the answer is sent, and after it.
  await follow(ben, first);
  await ben.waitForSelector("#message[data-code=friendOlder]");
  assert.equal(await tiles(ben), 4);
  const second = await send(ben);
  await follow(ben, second);
  await ben.waitForSelector("#message[data-code=friendOwn]");
  await says(ben, "#message", "That link is for your friend. On this device you play Red.");
  assert.equal(sessionOf(ben), session);
  // The same seat on another device plays another reply.
  const other = await friend(t, first);
  await other.waitForSelector("[data-cell=c1][data-tile=white]");
  await placeTiles(other, "f1", "f3");
  const different = await send(other);
  await follow(anna, second);
  await anna.waitForSelector("[data-cell=c5][data-tile=red]");
  const before = sessionOf(anna);
  await follow(anna, different);
  await anna.waitForSelector("#message[data-code=friendOther]");
  await anna.waitForSelector("[data-cell=f3][data-tile=red]");
  assert.notEqual(sessionOf(anna), before);
  // Both games continue: each link finds its own game.
  await placeTiles(anna, "e6", "f6");
  await send(anna);
  await follow(anna, second);
  assert.equal(sessionOf(anna), before);
  await anna.waitForSelector("[data-cell=c5][data-tile=red]");
  await follow(anna, first.replace("a1c1", "a1c"));
  await anna.waitForSelector("#message[data-code=friendBroken]");
  // The game on the page stays.
  assert.equal(sessionOf(anna), before);
  // Well formed, but against the rules.
  await follow(anna, second.replace("a5c5", "a1c5"));
  await anna.waitForSelector("#message[data-code=friendBroken]");
});

test("another game leaves the friend's alone, and a reload continues it", async (t) => {
  const anna = await friend(t);
  await invite(anna);
  await placeTiles(anna, "a1", "c1");
  const link = await send(anna);
  const session = sessionOf(anna);
  await anna.reload();
  await says(anna, "#status", "Your friend’s turn");
  await anna.click("#new-game");
  await anna.selectOption("#new-opponent", "1");
  await anna.click("#new-start");
  await anna.click("#confirm-yes");
  await anna.waitForSelector("#player-red[data-who=pontifex]");
  await soon(async () => assert.notEqual(sessionOf(anna), session));
  const ben = await friend(t, link);
  await ben.waitForSelector("[data-cell=c1][data-tile=white]");
  await placeTiles(ben, "a5", "c5");
  await follow(anna, await send(ben));
  assert.equal(sessionOf(anna), session);
  await anna.waitForSelector("[data-cell=c5][data-tile=red]");
});

test("the system's share sheet gets the link; cancelling sends nothing; without it and the clipboard, the link is shown", async (t) => {
  const prepare = (page) => page.addInitScript(() => {
    window.shared = [];
    navigator.share = async (what) => {
      window.shared.push(what);
      if (window.shared.length === 1) throw new DOMException("closed", "AbortError");
    };
  });
  const page = await open(t, { prepare });
  await invite(page);
  await placeTiles(page, "a1", "c1");
  await page.click("#friend-send");
  await page.waitForFunction(() => window.shared.length === 1);
  await drawn(page);
  await says(page, "#friend-send", "Send to your friend");
  assert.ok(await page.locator("#undo").isEnabled());
  await page.click("#friend-send");
  await says(page, "#friend-send", "Send again");
  const [, { url }] = await page.evaluate(() => window.shared);
  assert.match(url, /\/#f=1;/);

  const bare = await open(t, {
    prepare: (page) => page.addInitScript(() =>
      Object.defineProperty(navigator, "clipboard", { value: undefined })),
  });
  await invite(bare);
  await placeTiles(bare, "a1", "c1");
  await bare.click("#friend-send");
  await bare.waitForSelector("#friend-dialog[open]");
  const selected = await bare.locator("#friend-text")
    .evaluate((/** @type {HTMLTextAreaElement} */ box) => box.value.slice(box.selectionStart, box.selectionEnd));
  assert.match(selected, /\/#f=1;.*;a1c1$/);
});

test("a door leads to a game with a friend, in every language", async (t) => {
  const page = await open(t, { path: "/#home", wait: false });
  for (const [language, words] of [["de", /Freunden/], ["fr", /ami/], ["en", /friend/]]) {
    await page.selectOption("#language", language);
    await soon(async () => assert.match(await page.locator("[data-door=friend]").textContent(), words));
  }
  await page.click("[data-door=friend]");
  await page.waitForSelector("#new-dialog[open]");
  await soon(async () => assert.equal(await page.locator("#new-opponent").inputValue(), "friend"));
  await soon(async () => assert.match(await page.locator("#new-character").textContent(), /link/));
  for (const hidden of ["#new-seat-both", "#new-seat-watch"]) assert.ok(await page.locator(hidden).isHidden(), hidden);
  await page.click("#new-start");
  await page.waitForSelector("#player-red[data-who=friend]");
  await says(page, "#player-red .who", "Friend");
  await says(page, "#player-white .who", "You");
});

const atServer = { skip: SITE ? "one browser has no server to share" : false };

/** Makes the server claim that other machines can reach it. */
const withOthers = (page) => page.route("**/api/info", async (route) => {
  const answer = await route.fetch();
  await route.fulfill({ response: answer, json: { ...(await answer.json()), private: false } });
});

/** Starts a shared game from the dialog, and returns the page and the path of the invitation. */
async function host(t, { clock = "none", pie = false } = {}) {
  const page = await open(t, { prepare: withOthers, options: CLIPBOARD });
  await page.click("#new-game");
  await page.selectOption("#new-opponent", "live");
  await page.selectOption("#new-board", "6");
  await page.setChecked("#new-pie", pie);
  if (clock !== "none") {
    await page.click("#new-more summary");
    await page.selectOption("#new-clock", clock);
  }
  await page.click("#new-start");
  await page.waitForSelector("#friend-dialog[open]");
  return { page, path: await invitation(page) };
}

/** Returns the path in the invitation shown, and checks that the QR code has the same one. */
async function invitation(page) {
  const code = page.locator("#friend-code");
  await page.waitForFunction(() => document.querySelector("#friend-code").naturalWidth > 100);
  const { search, hash } = new URL(await page.locator("#friend-text").inputValue());
  const codeText = new URL(await code.evaluate((image) => image.src)).searchParams.get("text");
  assert.equal(codeText, await page.locator("#friend-text").inputValue());
  await page.click("#friend-dialog .main");
  return `/${search}${hash}`;
}

const join = (t, path) => open(t, { path, prepare: withOthers });

/** Sends requests to the server on a separate connection. */
const byHand = (page, ...messages) => page.evaluate(async (texts) => {
  const socket = new WebSocket(`${location.origin.replace("http", "ws")}/ws${location.search}`);
  await new Promise((resolve) => { socket.onopen = resolve; });
  const answers = [];
  for (const [id, text] of texts.entries()) {
    const answer = new Promise((resolve) => {
      socket.onmessage = ({ data }) => JSON.parse(data).id === id && resolve(JSON.parse(data));
    });
    socket.send(JSON.stringify({ ...text, id }));
    answers.push(await answer);
  }
  socket.close();
  return answers;
}, messages);

test("two people play live at a server by an invitation, and others watch", atServer, async (t) => {
  const { page: anna, path } = await host(t, { clock: "absolute", pie: true });
  await anna.waitForSelector("#friend-send:visible");
  const ben = await join(t, path);
  await ben.waitForSelector("#player-red[data-who=human]");
  await says(ben, "#status", "Your friend’s turn");
  await anna.waitForSelector("#friend-send", { state: "hidden" });
  await soon(async () => assert.equal(await anna.locator("#status").textContent(), "Your turn, White"));
  assert.equal(new URL(ben.url()).hash, "");
  // The invitation leads to one seat only.
  const carl = await join(t, path);
  await carl.waitForSelector("#message[data-code=liveTaken]");
  for (const color of ["white", "red"]) await says(carl, `#player-${color} .who`, "Human");
  await placeTiles(anna, "a1", "c1");
  for (const each of [ben, carl]) await each.waitForSelector("[data-cell=c1][data-tile=white]");
  await says(carl, "#status", "Red to move");
  await cell(carl, "e5").click();
  await carl.waitForSelector("#message[data-code=liveWatching]");
  for (const hidden of ["#swap", "#hint-button", "#offer-draw"]) assert.ok(await carl.locator(hidden).isHidden(), hidden);
  // Direct requests are refused like taps; so is another browser's secret.
  const refused = await byHand(carl, { type: "play", move: "e5,f6" }, { type: "resign", player: "red" }, { type: "undo" },
    { type: "enter", token: "guessguessguessguess" }, { type: "play", move: "e5,f6" }, { type: "new" });
  assert.deepEqual(refused.map(({ type }) => type), ["error", "error", "error", "seat", "error", "error"]);
  assert.equal(await tiles(ben), 2);
  // Ben swaps and has White; each person keeps the seat, also after a reload.
  await ben.click("#swap");
  await ben.waitForSelector("#player-white[data-who=human]");
  await anna.waitForSelector("#player-red[data-who=human]");
  await anna.reload();
  await anna.waitForSelector("#player-red[data-who=human]");
  await placeTiles(anna, "e5", "f6");
  await ben.waitForSelector("[data-cell=f6][data-tile=red]");
  await soon(async () => assert.equal(await ben.locator("#status").textContent(), "Your turn, White"));
  assert.match(await ben.locator("[data-clock=white]").textContent(), /^9:|^10:/);
});

test("a seat survives a lost connection", atServer, async (t) => {
  const { page: anna, path } = await host(t);
  const connection = interceptConnection();
  const ben = await open(t, { path, prepare: async (page) => { await connection.prepare(page); await withOthers(page); } });
  await ben.waitForSelector("#player-red[data-who=human]");
  await placeTiles(anna, "a1", "c1");
  await ben.waitForSelector("[data-cell=c1][data-tile=white]");
  await connection.cut();
  await ben.waitForFunction(() => window.connections.seen.at(-1) === "open");
  await placeTiles(ben, "a5", "c5");
  await anna.waitForSelector("[data-cell=c5][data-tile=red]");
});

test("takebacks, draws and rematches need both players", atServer, async (t) => {
  const { page: anna, path } = await host(t);
  const ben = await join(t, path);
  await ben.waitForSelector("#player-red[data-who=human]");
  await placeTiles(anna, "a1", "c1");
  await ben.waitForSelector("[data-cell=c1][data-tile=white]");
  await anna.click("#undo");
  await says(ben, "#offer-text", "Your friend asks to take back their last move.");
  await ben.evaluate(AXE);
  await check(ben, "offer");
  assert.equal(await tiles(anna), 2);
  await ben.click("#offer-no");
  await anna.waitForSelector("#offer", { state: "hidden" });
  assert.equal(await tiles(anna), 2);
  await anna.click("#undo");
  await ben.click("#offer-yes");
  await soon(async () => assert.equal(await tiles(anna), 0));
  await placeTiles(anna, "b2", "d2");
  await ben.waitForSelector("[data-cell=d2][data-tile=white]");
  await ben.click("#offer-draw");
  await says(ben, "#offer-text", "You have offered a draw.");
  await anna.click("#offer-yes");
  for (const each of [anna, ben]) await each.waitForSelector("#card:not([hidden])");
  await says(anna, "#card-title", "Game over: draw");
  await anna.click("#rematch");
  await says(ben, "#offer-text", "Your friend wants a rematch.");
  await ben.click("#offer-yes");
  await ben.waitForSelector("#player-white[data-who=human]");
  await anna.waitForSelector("#player-red[data-who=human]");
  await placeTiles(ben, "e1", "e3");
  await anna.waitForSelector("[data-cell=e3][data-tile=white]");
  await placeTiles(anna, "a5", "c5");
  await ben.waitForSelector("[data-cell=c5][data-tile=red]");
  await ben.click("#resign");
  await ben.click("#confirm-yes");
  await says(ben, "#card-title", "You lost.");
  await says(anna, "#card-title", "You win!");
});

test("the host of a shared session can free a seat, and new games leave the session alone", atServer, async (t) => {
  const { page: anna, path } = await host(t);
  const ben = await join(t, path);
  await ben.waitForSelector("#player-red[data-who=human]");
  assert.ok(await ben.locator("#friend-free").isHidden());
  await anna.click("#friend-free");
  await anna.click("#confirm-yes");
  await says(ben, "#player-red .who", "Human");
  await anna.click("#friend-send");
  const next = await invitation(anna);
  assert.notEqual(next, path);
  const carl = await join(t, path);
  await carl.waitForSelector("#message[data-code=liveTaken]");
  await carl.goto(at(next));
  await carl.waitForSelector("#player-red[data-who=human]");
  await placeTiles(anna, "a1", "c1");
  await carl.waitForSelector("[data-cell=c1][data-tile=white]");
  await placeTiles(carl, "a5", "c5");
  await anna.waitForSelector("[data-cell=c5][data-tile=red]");
  const session = sessionOf(anna);
  await anna.click("#new-game");
  await anna.selectOption("#new-opponent", "1");
  await anna.click("#new-start");
  await anna.click("#confirm-yes");
  await anna.waitForSelector("#player-red[data-who=pontifex]");
  assert.notEqual(sessionOf(anna), session);
  await soon(async () => assert.equal(await tiles(carl), 4));
});
