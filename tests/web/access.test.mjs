// Accessibility: axe-core finds no violation in any state, light or dark; touch targets have
// 44 px on phones.

import assert from "node:assert/strict";
import { test } from "node:test";
import { AXE, REVIEWED, at, cell, check, load, newGame, open, openDialog, placeTiles, soon } from "./browser.mjs";

for (const colorScheme of ["light", "dark"]) {
  for (const [width, height] of [[390, 844], [1366, 768]]) {
    test(`no violation in any state, ${colorScheme}, ${width} px`, async (t) => {
      const page = await open(t, {
        options: { colorScheme, viewport: { width, height }, hasTouch: width < 900, isMobile: width < 900, bypassCSP: true },
      });
      const inject = () => page.evaluate(AXE);
      const menu = async (selector) => {
        if (!(await page.locator(selector).isVisible())) await page.click("#menu-button");
        await page.locator(selector).waitFor();
      };
      await inject();
      await check(page, "first visit");
      await menu("#editor-button");
      await check(page, "menu");
      await page.keyboard.press("?");
      await page.waitForSelector("#keys-dialog[open]");
      await check(page, "keys");
      await page.keyboard.press("Escape");
      await page.click("#new-game");
      await check(page, "new game");
      await page.click("#new-more summary");
      await page.selectOption("#new-clock", "byoyomi");
      await page.selectOption("#new-supply", "own");
      await check(page, "new game, more");
      await page.click("#new-cancel");
      await menu("#games-button");
      await page.click("#games-button");
      await page.waitForTimeout(300);
      await check(page, "games");
      await page.keyboard.press("Escape");
      await menu("#editor-button");
      await page.click("#editor-button");
      await page.waitForSelector("#editor-note:not(:empty)");
      await check(page, "editor");
      await page.click("#editor-cancel");

      await newGame(page, { board: 6, seat: "both" });
      await cell(page, "b2").click();
      await check(page, "first tile");
      await cell(page, "b2").click();
      for (const [a, b] of [["b2", "d2"], ["a6", "b6"], ["b3", "f6"], ["c6", "d6"]]) await placeTiles(page, a, b);
      await cell(page, "c6").click();
      await page.waitForSelector("#message:not(:empty)");
      await check(page, "message, network");
      await cell(page, "b2").click();
      await page.waitForSelector("[data-target]");
      await check(page, "bridge");
      await page.keyboard.press("Escape");
      await page.click("#unusable-toggle");
      await check(page, "closed cells");
      await page.keyboard.press("ArrowLeft");
      await page.waitForSelector("#branch:visible");
      await check(page, "looking back");
      await page.click("#home");
      for (const codes of ["[data-code='hint.area']", ":is([data-code='hint.tile'], [data-code='hint.bridge'])"]) {
        await page.click("#hint-button");
        await page.waitForSelector(`#message${codes}`);
      }
      await page.click("#hint-button");
      await page.waitForSelector("#message[data-code='hint.move']");
      await check(page, "hint");
      await page.click("#analysis-toggle");
      await page.waitForSelector("#board [data-candidate]");
      await page.click("#ownership-toggle");
      await page.waitForSelector("#board .owner .share", { state: "attached" });
      await check(page, "analysis");
      await page.click("#analysis-toggle");
      await page.click("#tab-record");
      await check(page, "record");
      await page.click("#tab-moves");
      await page.click("#resign");
      await check(page, "confirm");
      await page.click("#confirm-yes");
      await page.waitForSelector("#review-progress[data-finished=true]", { ...REVIEWED, state: "attached" });
      await check(page, "card, review");
      await page.evaluate(() => document.activeElement.blur());
      await page.keyboard.press("n");
      await page.waitForTimeout(200);
      await check(page, "mistake");
      await page.goto(at("/rules.html"));
      await inject();
      await check(page, "rules");
    });
  }
}

test("a message that overflows its place can be scrolled by keyboard", async (t) => {
  const page = await open(t, { options: { viewport: { width: 320, height: 568 }, hasTouch: true, isMobile: true, bypassCSP: true } });
  await page.evaluate(AXE);
  await newGame(page, { board: 6, seat: "both" });
  await placeTiles(page, "b2", "d2");
  await cell(page, "b2").click();
  await page.waitForSelector("#message:not(:empty)");
  assert.equal(await page.locator("#message[tabindex]").count(), 0, "nothing to scroll");
  await page.addStyleTag({ content: "#message { height: 20px; min-height: 20px !important; }" });
  await page.waitForSelector("#message[tabindex='0']");
  await check(page, "long message");
  await page.focus("#message");
  await soon(async () => {
    await page.keyboard.press("ArrowDown");
    assert.ok(await page.evaluate(() => document.querySelector("#message").scrollTop > 0));
  });
  // On a desktop nothing is cut off, so the message is no tab stop.
  await page.setViewportSize({ width: 1366, height: 768 });
  await soon(async () => assert.equal(await page.locator("#message[tabindex]").count(), 0));
});

for (const [width, height] of [[375, 667], [390, 844], [667, 375]]) {
  test(`targets of 44 px, ${width}x${height}`, async (t) => {
    const page = await open(t, { options: { viewport: { width, height }, hasTouch: true, isMobile: true } });
    const small = async (state) => {
      await soon(async () => {
        const found = await page.evaluate(() => [...document.querySelectorAll(
          "button, a, select, input:not([type=radio], [type=checkbox]), .choice label, .check, [role=tab]")]
          .filter((node) => node.offsetParent && !node.closest("#grid, #editor-grid"))
          .map((node) => [node.id || node.className || node.textContent, node.getBoundingClientRect()])
          .filter(([, box]) => box.width < 43.9 || box.height < 43.9)
          .map(([name, box]) => `${name} ${box.width.toFixed(0)}x${box.height.toFixed(0)}`));
        assert.deepEqual(found, [], state);
      });
    };
    await load(page, "# board: 6\n# pie: off\na1,b1\na6,b6\na2,b2\nc6,d6\n");
    await small("game");
    await page.click("#menu-button");
    await small("menu");
    await soon(async () => assert.ok(await page.locator("#keys-button").isHidden(), "nobody types on a screen that is touched"));
    await page.keyboard.press("?");
    await small("keys");
    await page.keyboard.press("Escape");
    await openDialog(page);
    await page.selectOption("#new-clock", "byoyomi");
    await page.selectOption("#new-supply", "own");
    await small("new game");
    await page.click("#new-cancel");
    await page.click("#menu-button");
    await page.click("#editor-button");
    await small("editor");
    await page.click("#editor-cancel");
    await page.click("#analysis-toggle");
    await page.waitForSelector("[data-candidate-move]");
    await small("analysis");
    await page.click("#analysis-toggle");
    await page.click("#tab-record");
    await small("record");
    await page.evaluate(() => scrollTo(0, 0));
    await page.click("#resign");
    await page.click("#confirm-yes");
    await page.waitForSelector("#review-progress[data-finished=true]", { ...REVIEWED, state: "attached" });
    await page.click("#tab-moves");
    await small("card");
  });
}
