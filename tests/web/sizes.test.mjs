// The page at the sizes of phones, tablets and desktops: what is visible together, bridges by
// finger, and texts that fit.

import assert from "node:assert/strict";
import { test } from "node:test";
import { cell, load, newGame, open, soon, touch } from "./browser.mjs";

const SIZES = [[375, 667], [390, 844], [667, 375], [820, 1180], [1366, 768], [1920, 1080]];
const phone = (width, height) => ({ viewport: { width, height }, hasTouch: width < 900, isMobile: width < 900 });

const middle = async (page, name) => {
  const box = await cell(page, name).boundingBox();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

for (const [width, height] of [[375, 667], [390, 844], [430, 932], [820, 1180]]) {
  test(`the board stays under the finger that drags a bridge, ${width} px`, async (t) => {
    const page = await open(t, { options: phone(width, height) });
    // Another bridge is possible, one row above.
    await load(page, "10/10/10/10/10/10/10/2w1w5/2w1w5/10 w - -");
    await page.evaluate(() => scrollTo(0, 0));
    for (const language of ["en", "de", "fr"]) {
      await page.evaluate((value) => {
        document.querySelector("#language").value = value;
        document.querySelector("#language").dispatchEvent(new Event("change"));
      }, language);
      // Before the tile can be dragged, a finger would scroll the page.
      await page.waitForSelector("[data-cell=c2][data-drag]");
      const [from, to, before] = [await middle(page, "c2"), await middle(page, "e2"), await page.locator("#board").boundingBox()];
      const finger = await touch(page);
      await finger("touchStart", from);
      for (let n = 1; n <= 6; n++) {
        await finger("touchMove", { x: from.x + ((to.x - from.x) * n) / 6, y: from.y + ((to.y - from.y) * n) / 6 });
        assert.deepEqual(await page.locator("#board").boundingBox(), before, `${language}, step ${n}`);
      }
      await page.waitForSelector("[data-cell=e2][data-target]");
      await finger("touchEnd");
      await page.waitForSelector("[data-bridge=c2-e2]", { state: "attached" });
      await soon(async () => assert.equal(await page.locator("[data-bridge=c3-e3]").count(), 0));
      assert.deepEqual(await page.locator("#board").boundingBox(), before, language);
      // Not `page.click`, which may scroll the page to the button.
      await page.locator("#undo:enabled").evaluate((button) => button.click());
      await page.waitForSelector("[data-bridge=c2-e2]", { state: "detached" });
      await page.waitForSelector("#status[data-to-move=white]");
      assert.deepEqual(await page.locator("#board").boundingBox(), before, `${language}, undone`);
    }
  });
}

/** Whether the page is no wider than the screen. Not `innerWidth`, which grows with the page on phones. */
const fits = async (page, width) => (await page.evaluate(() => document.documentElement.scrollWidth)) <= width;

/** Whether a node is completely in the window. */
const isVisible = (page, selector) => page.locator(selector).evaluate((node) => {
  const box = node.getBoundingClientRect();
  return box.width > 0 && box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
});

for (const [width, height] of [[360, 640], [820, 1180], [1240, 800], [1366, 768], [1440, 900], [1520, 860], [1680, 1050], [1920, 1080]]) {
  test(`the header fits in three languages, ${width} px`, async (t) => {
    const page = await open(t, { options: phone(width, height) });
    for (const language of ["en", "de", "fr"]) {
      await page.evaluate((value) => {
        document.querySelector("#language").value = value;
        document.querySelector("#language").dispatchEvent(new Event("change"));
      }, language);
      await page.waitForFunction((value) => document.documentElement.lang === value, language);
      await soon(async () => {
        const outside = await page.evaluate((screen) => [...document.querySelectorAll(".top :is(button, .button, select, img)")]
          .filter((node) => node.offsetParent)
          .filter((node) => node.getBoundingClientRect().left < 0 || node.getBoundingClientRect().right > screen)
          .map((node) => node.id || node.tagName), width);
        assert.deepEqual(outside, [], language);
      });
      await soon(async () => assert.ok(await fits(page, width), `${language}: wider than the screen`));
    }
  });
}

for (const [width, height] of SIZES) {
  test(`board, message, undo, pass and swap on one screen, ${width}x${height}`, async (t) => {
    const page = await open(t, { options: phone(width, height) });
    const all = async (...selectors) => {
      await page.evaluate(() => scrollTo(0, 0));
      for (const selector of selectors) {
        await soon(async () => assert.ok(await isVisible(page, selector),
          `${selector} at ${width}x${height}`));
      }
    };
    await soon(async () => assert.ok(await fits(page, width), "wider than the window"));
    await newGame(page, { board: 10, seat: "both", pie: true });
    await cell(page, "d4").click();
    await cell(page, "f6").click();
    await page.locator("#swap").waitFor();
    await cell(page, "d4").click();
    await page.waitForSelector("#message[data-code=occupied]");
    await all("#board", "#message", "#undo", "#swap", "#hint-button");
    await load(page, "# board: 4\n# supply: 0,0\n");
    await page.locator("#pass").waitFor();
    await all("#board", "#status", "#undo", "#pass");
  });

  test(`texts fit in three languages, ${width}x${height}`, async (t) => {
    const page = await open(t, { options: phone(width, height) });
    await newGame(page, { board: 6, seat: "white", playouts: 5 });
    for (const language of ["en", "de", "fr"]) {
      await page.evaluate((value) => {
        document.querySelector("#language").value = value;
        document.querySelector("#language").dispatchEvent(new Event("change"));
      }, language);
      await page.waitForFunction((value) => document.documentElement.lang === value, language);
      await soon(async () => {
        const clipped = await page.evaluate(() => [...document.querySelectorAll(
          "button, .button, .who, .name, #status, #hint, .figure small, [role=tab]")]
          .filter((node) => node.offsetParent && !node.closest("#grid, .look"))
          .filter((node) => node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).display !== "inline")
          .map((node) => `${node.id || node.className}: ${node.textContent}`));
        assert.deepEqual(clipped, [], language);
      });
      await soon(async () => assert.ok(await fits(page, width), `${language}: wider than the window`));
      await soon(async () => assert.match(await page.locator("#player-white .who").textContent(), /^(Human|Mensch|Humain)$/));
      await page.click("#new-game");
      await soon(async () => assert.ok(
        await page.evaluate(() =>
          document.querySelector("#new-dialog").scrollWidth <= document.querySelector("#new-dialog").clientWidth),
        `${language}: dialog`));
      await page.keyboard.press("Escape");
    }
  });
}

test("a reason of two lines is fully visible under a 10×10 board at 1366x768", async (t) => {
  const page = await open(t, { options: phone(1366, 768) });
  await load(page, "10/10/10/10/10/10/10/2wwww4/10/10 w - -");
  for (const language of ["en", "de", "fr"]) {
    await page.selectOption("#language", language);
    await cell(page, "b3").click();
    await page.waitForSelector("#message[data-code=touches_island]");
    await soon(async () => assert.ok(await isVisible(page, "#message"), language));
    await soon(async () => assert.ok(await isVisible(page, "#frame"), language));
    await soon(async () => assert.ok(
      await page.locator("#message").evaluate((node) => node.scrollHeight <= node.clientHeight + 1),
      language));
  }
});
