// Loading and saving: texts, files, paste, drop, pictures, links.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { load, newGame, open, openDialog, placeLegal, placeTiles, says, soon, turn } from "./browser.mjs";

const GAME = "# board: 6\n# pie: off\na1,b1\na6,b6\nc2,d3\n";

/** Downloads the game in a format from the save panel, and returns the text. */
async function saved(page, format) {
  await page.click("#tab-record");
  await page.selectOption("#save-format", format);
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save-download")]);
  return readFile(await download.path());
}

test("every format of records is saved and loaded again", async (t) => {
  const page = await open(t);
  await load(page, GAME);
  await page.waitForSelector("[data-cell=d3][data-tile=white]");
  for (const format of ["sgf", "json", "moves", "position"]) {
    const text = (await saved(page, format)).toString();
    await newGame(page, { board: 5, seat: "both" });
    await load(page, text);
    await page.waitForSelector("[data-cell=d3][data-tile=white]");
    await soon(async () => assert.equal(await page.locator("#grid [data-tile]").count(), 6, format));
  }
});

test("variations are saved as SGF and loaded again", async (t) => {
  const page = await open(t);
  await load(page, GAME);
  await page.locator("#moves [data-turn='1']").click();
  await page.waitForSelector("#moves [data-turn='1'][aria-selected=true]");
  await placeTiles(page, "e5", "e6");
  await page.waitForFunction(() => document.querySelectorAll("#moves [data-turn='2']").length === 2);
  await page.locator("#moves [data-turn='3']").click();
  await page.waitForSelector("[data-cell=d3][data-tile=white]");
  const text = (await saved(page, "sgf")).toString();
  await newGame(page, { board: 5, seat: "both" });
  await load(page, text);
  await page.waitForSelector("[data-cell=d3][data-tile=white]");
  await soon(async () => assert.equal(await page.locator("#moves [data-turn='3'][aria-selected=true]").count(), 1));
  await soon(async () => assert.match(await page.locator("#moves .variation").textContent(), /e5,e6/));
});

test("pictures", async (t) => {
  const page = await open(t);
  await load(page, GAME);
  const svg = (await saved(page, "svg")).toString();
  assert.match(svg, /^<svg/);
  assert.doesNotMatch(svg, /class=|style=/);
  const png = await saved(page, "png");
  assert.deepEqual([...png.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
});

test("a text that is not a record is refused with a reason, and the game stays", async (t) => {
  const page = await open(t);
  await newGame(page, { seat: "both" });
  await placeTiles(page, "b2", "d3");
  await page.click("#tab-record");
  await page.fill("#load-text", "<img src=x onerror=alert(1)>");
  await page.click("#load-button");
  await page.waitForSelector("#load-note[data-kind=error]");
  await soon(async () => assert.equal(await page.locator("#load-note img").count(), 0));
  await soon(async () => assert.equal(await page.locator("#grid [data-tile]").count(), 2));
});

test("paste and drop load; a running game is replaced only after a question", async (t) => {
  const page = await open(t);
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
  }, GAME);
  await page.waitForSelector("[data-cell=d3][data-tile=white]");
  const drop = () => page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(["6/6/6/6/6/w4r w - -\n"], "corner.txt"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  });
  await drop();
  await page.click("#confirm-no");
  await soon(async () => assert.equal(await page.locator("#grid [data-tile]").count(), 6));
  await drop();
  await page.click("#confirm-yes");
  await page.waitForSelector("[data-cell=f1][data-tile=red]");
  await soon(async () => assert.equal(await page.locator("#grid [data-tile]").count(), 2));
});

test("files of other programs are read in their encodings, and repairs are reported in every language", async (t) => {
  const page = await open(t);
  await page.click("#tab-record");
  const game = (text, encoding) => ({ name: "game.sgf", mimeType: "application/x-go-sgf", buffer: Buffer.from(text, encoding) });
  await page.setInputFiles("#load-file", game("\ufeff(;SZ[6];W[a1,b1])", "utf16le"));
  await page.waitForSelector("[data-cell=b1][data-tile=white]");
  await page.waitForSelector("#message[data-code=loaded]");
  await page.setInputFiles("#load-file", game("Dear Anna,\n(;SZ[6]PW[Andr\xe9];W[c3,d3];B[a6,b6]", "latin1"));
  await page.waitForSelector("[data-cell=d3][data-tile=white]");
  const message = page.locator("#message[data-code=loadedMended]");
  await message.waitFor();
  for (const [language, words] of [
    ["en", /not UTF-8.*Text outside.*end of the record/],
    ["de", /Kodierung.*außerhalb.*Ende/],
    ["fr", /encodage.*autour.*fin/],
  ]) {
    await page.selectOption("#language", language);
    await soon(async () => assert.match(await message.textContent(), words));
  }
  // Records are saved in UTF-8, whatever encoding they were loaded from.
  assert.match((await saved(page, "sgf")).toString(), /CA\[UTF-8\]/);
});

test("a link carries the whole game", async (t) => {
  const page = await open(t, { options: { permissions: ["clipboard-read", "clipboard-write"] } });
  await load(page, GAME);
  await page.click("#tab-record");
  await page.click("#save-link");
  await page.waitForSelector("#save-note[data-code=copiedLocal]");
  await soon(async () => assert.match(await page.locator("#save-note").textContent(), /only on this computer/));
  const link = new URL(await page.evaluate(() => navigator.clipboard.readText()));
  assert.ok(link.hash.startsWith("#g="), link.href);
  const other = await open(t, { path: `/${link.hash}` });
  await other.waitForSelector("[data-cell=d3][data-tile=white]");
  await soon(async () => assert.equal(await other.locator("#moves [data-turn='3']").count(), 1));
  assert.equal(new URL(other.url()).hash, "");
});

test("a link contains the players, and whose turn it is shows at once", async (t) => {
  const page = await open(t, { options: { permissions: ["clipboard-read", "clipboard-write"] } });
  await openDialog(page);
  await page.selectOption("#new-opponent", "2");
  await page.selectOption("#new-board", "6");
  await page.check("#new-seat-red");
  await page.click("#new-start");
  await page.waitForSelector("#player-red[data-who=human]");
  await soon(async () => assert.equal(await turn(page), "red"));
  const tiles = await page.locator("#grid [data-tile]").count();
  await page.click("#tab-record");
  await page.click("#save-link");
  await soon(async () => assert.match(await page.locator("#save-note").textContent(), /only on this computer/));
  const { hash } = new URL(await page.evaluate(() => navigator.clipboard.readText()));
  assert.match(hash, /~@pontifex,human,2,live~/);
  const other = await open(t, { path: `/${hash}`, options: { viewport: { width: 375, height: 667 } } });
  await other.waitForSelector("#player-white[data-who=pontifex]");
  await other.waitForSelector("#player-red[data-who=human]");
  assert.equal(await other.locator("#player-white .who").textContent(), await page.locator("#player-white .who").textContent());
  await soon(async () => assert.equal(await other.locator("#grid [data-tile]").count(), tiles));
  await says(other, "#status", "Red to move");
  assert.equal(await other.locator("#message").textContent(), "");
  // The game continues.
  await placeLegal(other);
  await soon(async () => assert.ok(await other.locator("#grid [data-tile]").count() > tiles + 2));
});

test("links of earlier versions, and those with unknown engines, are read", async (t) => {
  for (const seats of ["", "@human,NotHere 3,7,live~", "@human~"]) {
    const page = await open(t, { path: `/#g=6~standard~nopie~-~${encodeURI(seats)}a1,b1~a6,b6` });
    await page.waitForSelector("[data-cell=b6][data-tile=red]");
    await soon(async () => assert.equal(await page.locator("#grid [data-tile]").count(), 4));
  }
});

test("after loading, the message says whose turn it is", async (t) => {
  const page = await open(t);
  await load(page, GAME);
  await says(page, "#message", "Loaded: Red to move.");
});
