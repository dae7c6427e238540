// Phones, languages, appearance, keys and the rules page.

import assert from "node:assert/strict";
import { test } from "node:test";
import { cell, load, newGame, open, says, soon } from "./browser.mjs";

test("a phone", async (t) => {
  const page = await open(t, { options: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 } });
  await newGame(page, { board: 10, seat: "both" });
  await soon(async () => assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 390), "wider than the screen"));
  await soon(async () => {
    const box = await page.locator("#frame").boundingBox();
    assert.ok(box.width > 340, `${box.width}`);
  });
  await cell(page, "d4").tap();
  await page.waitForSelector("[data-cell=d4][data-laid]");
  await cell(page, "f5").tap();
  await page.waitForSelector("[data-cell=f5][data-tile=white]");
});

test("on a small phone all buttons are within reach", async (t) => {
  const page = await open(t, { options: { viewport: { width: 375, height: 667 }, hasTouch: true, isMobile: true } });
  await soon(async () => assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 375), "wider than the screen"));
  for (const [button, wanted] of [["#new-game", "#new-start"], ["#games-button", "#new-session"]]) {
    if (button === "#games-button") await page.click("#menu-button");
    await page.click(button);
    await soon(async () => {
      const box = await page.locator(wanted).boundingBox();
      assert.ok(box.y >= 0 && box.y + box.height <= 667, `${wanted} ${JSON.stringify(box)}`);
    });
    await page.keyboard.press("Escape");
  }
  // A message about the connection does not push them out of view.
  await page.evaluate(() => {
    document.querySelector("#connection").textContent = "Connection lost. Reconnecting …";
  });
  const menu = await page.locator("#menu-button").boundingBox();
  assert.ok(menu.x >= 0 && menu.x + menu.width <= 375, JSON.stringify(menu));
});

test("three languages, chosen by the browser and by hand", async (t) => {
  const page = await open(t, { options: { locale: "de-AT" } });
  await says(page, "#new-game", "Neue Partie");
  await page.selectOption("#language", "fr");
  await says(page, "#new-game", "Nouvelle partie");
  await soon(async () => assert.equal(await page.evaluate(() => document.documentElement.lang), "fr"));
  await soon(async () => assert.match(await cell(page, "a1").getAttribute("aria-label"), /vide/));
  await soon(async () => {
    const bare = await page.evaluate(() =>
      [...document.querySelectorAll("[data-text]")]
        .filter((node) => node.textContent === node.dataset.text).length);
    assert.equal(bare, 0);
  });
  await page.reload();
  await says(page, "#new-game", "Nouvelle partie");
});

test("light and dark", async (t) => {
  const page = await open(t, { options: { colorScheme: "dark" } });
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await ground();
  const becomes = (wanted) => page.waitForFunction(
    ([color, same]) => (getComputedStyle(document.body).backgroundColor === color) === same,
    wanted);
  await page.selectOption("#theme", "light");
  await becomes([dark, false]);
  await page.selectOption("#theme", "dark");
  await becomes([dark, true]);
});

test("the table of keys, and focus that moves one cell at a time", async (t) => {
  const page = await open(t);
  await page.keyboard.press("?");
  await soon(async () => assert.ok(await page.locator("#keys-dialog tr").count() > 10));
  await page.keyboard.press("Escape");
  await page.waitForSelector("#keys-dialog:not([open])", { state: "attached" });
  await soon(async () => assert.equal(await page.locator("#grid [tabindex='0']").count(), 1));
  await page.keyboard.press("g");
  await page.waitForFunction(() => document.activeElement.dataset.cell);
  const before = await page.evaluate(() => document.activeElement.dataset.cell);
  await page.keyboard.press("ArrowRight");
  const after = await page.evaluate(() => document.activeElement.dataset.cell);
  assert.equal(after.charCodeAt(0), before.charCodeAt(0) + 1);
  await soon(async () => assert.equal(await page.locator("#grid [tabindex='0']").count(), 1));
});

test("closed cells are shown on demand", async (t) => {
  const page = await open(t);
  await newGame(page, { board: 6, seat: "both" });
  for (const [a, b] of [["a1", "b1"], ["f5", "f6"], ["a2", "b2"]]) {
    await cell(page, a).click();
    await cell(page, b).click();
    await page.waitForSelector(`[data-cell=${b}][data-tile]`);
  }
  await page.click("#unusable-toggle");
  await page.waitForSelector("#board .closed.w", { state: "attached" });
  await soon(async () => assert.match(await cell(page, "c3").getAttribute("aria-label"), /closed to White/));
  await soon(async () => assert.equal(await page.locator("#player-white [data-value=islands]").textContent(), "1"));
  await soon(async () => assert.equal(await page.locator("#networks-white [data-points='1']").count(), 1));
});

test("the rules, illustrated", async (t) => {
  const page = await open(t, { path: "/rules.html" });
  await page.waitForSelector("svg[data-picture=score] .bridge", { state: "attached" });
  await soon(async () => assert.equal(await page.locator("svg[data-picture] .grid").count(), 5));
  await page.selectOption("#language", "de");
  await says(page, "h1", "Die Regeln");
});

test("the rules are no wider than a phone, and both menus can be reached", async (t) => {
  for (const width of [320, 390]) {
    const page = await open(t, { path: "/rules.html", options: { viewport: { width, height: 844 }, hasTouch: true, isMobile: true } });
    for (const language of ["en", "de", "fr"]) {
      await page.selectOption("#language", language);
      await page.waitForFunction((value) => document.documentElement.lang === value, language);
      await soon(async () => assert.ok(
        await page.evaluate(() => document.documentElement.scrollWidth) <= width,
        `${language}: wider than ${width}`));
      for (const name of ["#language", "#theme"]) {
        await soon(async () => {
          const box = await page.locator(name).boundingBox();
          assert.ok(box.x >= 0 && box.x + box.width <= width, `${name} ${language}`);
        });
      }
    }
  }
});

test("a bridge by finger: the page does not scroll away under it", async (t) => {
  const page = await open(t, { options: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } });
  await load(page, "8/8/8/8/5w2/8/2w1w3/8 w - -");
  await page.waitForSelector("[data-cell=c2][data-drag]");
  await cell(page, "c2").scrollIntoViewIfNeeded();
  const middle = async (name) => {
    const box = await cell(page, name).boundingBox();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  const [from, to] = [await middle("c2"), await middle("e2")];
  const devtools = await page.context().newCDPSession(page);
  const touch = (type, points) => devtools.send("Input.dispatchTouchEvent", { type, touchPoints: points });
  await touch("touchStart", [from]);
  for (let n = 1; n <= 6; n++) await touch("touchMove", [{ x: from.x + ((to.x - from.x) * n) / 6, y: from.y + ((to.y - from.y) * n) / 6 }]);
  await page.waitForSelector("[data-cell=e2][data-target]");
  await touch("touchEnd", []);
  await page.waitForSelector("[data-bridge=c2-e2]", { state: "attached" });
});
