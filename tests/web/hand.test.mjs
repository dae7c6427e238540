// The layout in use: what is visible together, on phones and desktops; where games and
// exercises start; and messages that are shown where the user is.

import assert from "node:assert/strict";
import { test } from "node:test";
import { AXE, REVIEWED, at, cell, check, load, newGame, open, placeLegal, placeTiles, resigned, says, soon, startGame } from "./browser.mjs";

const SIZES = [[320, 568], [375, 667], [390, 844], [412, 915], [667, 375], [844, 390]];
const phone = ([width, height]) => ({ viewport: { width, height }, hasTouch: true, isMobile: true });
const DESKTOP = { viewport: { width: 1280, height: 860 } };

/** A legal game without an end. */
const RECORD = "# board: 10\n# pie: off\nd4,e6\nf4,g7\nb8,c2\ni3,h9\nd6,h5\na1,j10\nb5,f2\n";

/** Asserts that each node is within the window, its middle and its ends uncovered. */
const assertVisibleTogether = (page, selectors, state) => soon(async () => {
  const hidden = await page.evaluate((all) => all.filter((selector) => {
    const node = document.querySelector(selector);
    const { left, right, top, bottom, width } = node.getBoundingClientRect();
    if (!width || top < -0.5 || left < -0.5 || bottom > innerHeight + 0.5 || right > innerWidth + 0.5) return true;
    return [top + 2, (top + bottom) / 2, bottom - 2].some((y) => {
      const topmost = document.elementFromPoint((left + right) / 2, y);
      return !(topmost && (node.contains(topmost) || topmost.contains(node)));
    });
  }), selectors);
  assert.deepEqual(hidden, [], state);
});

const STEPPER = ["#turn-first", "#turn-back", "#turn-forward", "#turn-last"];
/** Returns the scroll position, and the cell with the focus. */
const scrollAndFocus = (page) => page.evaluate(() => ({
  y: scrollY,
  cell: document.activeElement.dataset.cell ?? document.activeElement.id,
}));
const assertStartsAtBoard = (page, state) => soon(async () => {
  const { y, cell: focused } = await scrollAndFocus(page);
  assert.equal(y, 0, `${state}: scrolled`);
  assert.match(focused, /^[a-l]\d+$/, `${state}: focus`);
});

async function setLanguage(page, language) {
  await page.evaluate((value) => {
    document.querySelector("#language").value = value;
    document.querySelector("#language").dispatchEvent(new Event("change"));
  }, language);
  await page.waitForFunction((value) => document.documentElement.lang === value, language);
}

for (const size of SIZES) {
  const name = size.join("x");
  test(`board, controls and messages are visible together, ${name}`, { timeout: 180000 }, async (t) => {
    const page = await open(t, { options: phone(size) });
    await newGame(page, { board: 6, seat: "both" });
    await placeTiles(page, "c3", "d4");
    await placeTiles(page, "a1", "a2");
    await assertVisibleTogether(page, ["#frame", "#status"], "a game");
    await page.locator("#look-back").click();
    await page.waitForSelector("#moves [data-turn='1'][aria-selected=true]");
    await says(page, "#status", "Looking at turn 1");
    await assertVisibleTogether(page, ["#frame", "#status", "#hint", ...STEPPER, "#home"], "looking back");
    // Back at the current turn, the controls stay until the next move.
    await page.click("#turn-last");
    await page.waitForSelector("#moves [data-turn='2'][aria-selected=true]");
    await assertVisibleTogether(page, ["#frame", "#status", ...STEPPER], "back in the game");
    await placeTiles(page, "f6", "f5");
    await page.waitForSelector("#turns", { state: "hidden" });

    await load(page, RECORD);
    await page.evaluate(() => scrollTo(0, 0));
    await assertVisibleTogether(page, ["#frame", "#status", ...STEPPER], "a loaded game");
    await page.evaluate(() => document.querySelector("#analysis-toggle").click());
    await page.waitForSelector("#board [data-candidate]");
    await page.evaluate(() => scrollTo(0, 0));
    await page.click("#turn-back");
    await page.waitForSelector("#moves [data-turn='6'][aria-selected=true]", { state: "attached" });
    await assertVisibleTogether(page, ["#frame", "#status", ...STEPPER], "analysing");
    await page.evaluate(() => document.querySelector("#analysis-toggle").click());
    // From the list of moves, with the board out of view, the board comes into sight. A click of
    // the driver would choose where to scroll; the page is made long enough to scroll that far.
    await page.click("#tab-moves");
    await page.evaluate(() => {
      document.body.style.marginBottom = "200vh";
      scrollTo(0, document.documentElement.scrollHeight);
      document.querySelector("#moves [data-turn='3']").click();
    });
    await page.waitForSelector("#moves [data-turn='3'][aria-selected=true]");
    await assertVisibleTogether(page, ["#frame", "#status", ...STEPPER], "a move of the list");
  });

  test(`a review, a retry and its verdict are on the screen with the board, ${name}`, { timeout: 240000 }, async (t) => {
    const page = await open(t, { options: phone(size) });
    await resigned(page);
    await page.waitForSelector("#review-progress[data-finished=true]", { ...REVIEWED, state: "attached" });
    await page.evaluate(() => scrollTo(0, 0));
    await assertVisibleTogether(page, ["#frame", "#status", ...STEPPER, "#mistake-next"], "the end");
    await page.click("#mistake-next");
    await page.waitForSelector("#message[data-code^=mistake]");
    await assertVisibleTogether(page, ["#frame", "#message", ...STEPPER, "#mistake-next", "#home"], "a mistake");
    await page.click("#turn-last");
    await page.locator("[data-retry]").first().click();
      await page.waitForFunction(() => /again/.test(document.querySelector("#status").textContent));
    await assertStartsAtBoard(page, "a retry");
    await assertVisibleTogether(page, ["#frame", "#status", "#hint", ...STEPPER], "a retry");
    await placeLegal(page);
    await page.waitForFunction(() => document.querySelector("#tried").dataset.right);
    await page.evaluate(() => scrollTo(0, 0));
    await assertVisibleTogether(page, ["#frame", "#status", "#tried-title", "#tried-text", ...STEPPER], "the verdict");
  });
}

for (const [size, language] of [[[320, 568], "fr"], [[375, 667], "de"], [[667, 375], "fr"], [[1280, 860], "en"]]) {
  test(`task, board and verdict of every lesson are on one screen, ${size.join("x")}, ${language}`, { timeout: 240000 }, async (t) => {
    const page = await open(t, { options: size[0] < 900 ? phone(size) : DESKTOP, path: "/?session=new#learn" , wait: false });
    await page.waitForSelector("[data-exercise]");
    await setLanguage(page, language);
    for (const lesson of await page.locator("[data-lesson]").evaluateAll((all) => all.map((each) => each.dataset.lesson))) {
      await page.locator(`[data-lesson=${lesson}]`).click();
      await page.waitForSelector(`[data-exercise^='lesson/${lesson}/']`);
      await assertStartsAtBoard(page, lesson);
      await assertVisibleTogether(page, ["#exercise-text", ".frame"], `${lesson}: task`);
      await page.click("#exercise-show");
      await page.waitForSelector("#exercise-verdict:not(:empty)");
      await assertVisibleTogether(page, ["#exercise-text", ".frame", "#exercise-verdict"], `${lesson}: verdict`);
    }
  });
}

test("a new game, a rematch, a loaded game and the next puzzle begin at the board", { timeout: 120000 }, async (t) => {
  const page = await open(t, { options: phone([375, 667]) });
  await newGame(page, { board: 6, seat: "both" });
  await assertStartsAtBoard(page, "new game");
  await placeTiles(page, "c3", "d4");
  await page.click("#resign");
  await page.click("#confirm-yes");
  await page.waitForSelector("#card:not([hidden])");
  await page.locator("#rematch").scrollIntoViewIfNeeded();
  await page.click("#rematch");
  await page.waitForSelector("#card", { state: "hidden" });
  await assertStartsAtBoard(page, "rematch");
  await load(page, RECORD);
  await page.evaluate(() => document.activeElement.blur());
  await page.click("#tab-record");
  await page.fill("#load-text", "# board: 6\na1,a6\n");
  await page.click("#load-button");
  await page.waitForFunction(() => document.querySelectorAll("#grid [role=gridcell]").length === 36);
  await assertStartsAtBoard(page, "loaded");
  await page.reload();
  await page.waitForSelector("#grid [data-tile]");
  await assertStartsAtBoard(page, "opened");
  // After a tap and at the beginning, the arrow keys step through the turns.
  await page.keyboard.press("ArrowLeft");
  await page.waitForSelector("#moves [data-turn='0'][aria-selected=true]");

  await page.goto(at("/?session=new#puzzles"));
  await page.waitForSelector("[data-exercise]");
  const first = await page.locator("[data-exercise]").getAttribute("data-exercise");
  await page.locator("#puzzle-progress").scrollIntoViewIfNeeded();
  await page.click("#exercise-next");
  await page.waitForFunction((before) => {
    const exercise = document.querySelector("[data-exercise]");
    return exercise && exercise.dataset.exercise !== before;
  }, first);
  await assertStartsAtBoard(page, "next puzzle");
});

for (const size of [[320, 568], [667, 375], [844, 390]]) {
  test(`nothing lies over anything, and figures have their names, ${size.join("x")}`, { timeout: 120000 }, async (t) => {
    const page = await open(t, { options: phone(size) });
    await newGame(page, { board: 10, seat: "white", playouts: 5 });
    for (const language of ["en", "de", "fr"]) {
      await setLanguage(page, language);
      await soon(async () => {
        const wrong = await page.evaluate(() => [...document.querySelectorAll("#players .figure")].filter((figure) => {
          const [box, card, label] = [
            figure.getBoundingClientRect(),
            figure.closest(".card").getBoundingClientRect(),
            figure.querySelector("small"),
          ];
          return !label.offsetParent || !label.textContent || box.left < card.left || box.right > card.right;
        }).map((figure) => figure.textContent));
        assert.deepEqual(wrong, [], language);
      });
      await soon(async () => assert.ok(await page.evaluate((width) => document.documentElement.scrollWidth <= width, size[0]), language));
      await page.click("#new-game");
      await page.waitForSelector("#new-dialog[open]");
      await assertVisibleTogether(page,
        ["#new-opponent", "#new-seat-watch", "#new-board", "#new-pie", "#new-start"],
        `${language}: new game`);
      await page.click("#new-cancel");
    }
    await placeTiles(page, "d4", "e6");
    await page.waitForSelector("#moves [data-turn='2']", { state: "attached" });
    for (const language of ["en", "fr", "de"]) {
      await setLanguage(page, language);
      await page.click("#menu-button");
      await page.click("#games-button");
      await page.waitForSelector("#games li");
      await soon(async () => {
        const overlaps = await page.evaluate(() => {
          const parts = [...document.querySelector("#games .game").children].map((node) => {
            const range = document.createRange();
            range.selectNodeContents(node);
            return range.getBoundingClientRect();
          });
          return parts.some((a, n) => parts.slice(n + 1).some((b) =>
            a.left < b.right - 1 && b.left < a.right - 1
              && a.top < b.bottom - 1 && b.top < a.bottom - 1));
        });
        assert.equal(overlaps, false, `list of games, ${language}`);
      });
      await page.click("#games-close");
    }
    // The header must not overlap the title.
    for (const view of ["#home", "#learn"]) {
      await page.goto(at(`/?session=new${view}`));
      const headline = view === "#home" ? ".home h2" : "#exercise-title";
      await page.waitForSelector(headline);
      await setLanguage(page, "de");
      await soon(async () => {
        const isApart = await page.evaluate((selector) => {
          const head = document.querySelector(selector).getBoundingClientRect();
          return [...document.querySelectorAll(".top img, .top button, .brand span")]
            .filter((node) => node.getClientRects().length)
            .map((node) => node.getBoundingClientRect())
            .every((box) => box.bottom <= head.top + 1 || box.right <= head.left + 1 || box.left >= head.right - 1);
        }, headline);
        assert.ok(isApart, view);
      });
    }
  });
}

for (const size of [[320, 568], [375, 667], [667, 375]]) {
  test(`cells of the editor are large enough for a finger, ${size.join("x")}`, async (t) => {
    const page = await open(t, { options: phone(size) });
    await load(page, RECORD);
    await page.click("#menu-button");
    await page.click("#editor-button");
    await page.waitForSelector("#editor-note:not(:empty)");
    const box = await page.locator("[data-edit=j10]").boundingBox();
    assert.ok(box.width >= 43.9 && box.height >= 43.9, `${box.width}x${box.height}`);
    // Cells outside scroll into the dialog.
    await page.locator("[data-edit=j1]").tap();
    await page.waitForSelector("[data-edit=j1][data-tile=white]");
  });
}

test("what the panel of files has to say is said there, with the place of a mistake", { timeout: 120000 }, async (t) => {
  const page = await open(t, { options: phone([375, 667]) });
  const tried = async (text) => {
    await page.fill("#load-text", text);
    await page.click("#load-button");
  };
  await page.click("#tab-record");
  await tried("# board: 6\na1,b2\nc3,z9\n");
  await says(page, "#load-note", "Turn 2: There is no cell z9.");
  await assertVisibleTogether(page, ["#load-note"], "error");
  const chosen = () => page.evaluate(() => {
    const field = document.querySelector("#load-text");
    return field.value.slice(field.selectionStart, field.selectionEnd);
  });
  assert.equal(await chosen(), "c3,z9");
  await setLanguage(page, "fr");
  await says(page, "#load-note", "Coup 2\u00a0: il n’y a pas de case z9.");
  await setLanguage(page, "de");
  await says(page, "#load-note", "Zug 2: Das Feld z9 gibt es nicht.");
  await setLanguage(page, "en");
  await tried("# board: 6\na1,b2\nc3,d4\na1,e5\n");
  await says(page, "#load-note", "Turn 3: White already has a tile on a1.");
  assert.equal(await chosen(), "a1,e5");
  await tried("# board: 6\nhello\n");
  await page.waitForFunction(() => /^Line 2: “hello”/.test(document.querySelector("#load-note").textContent));
  assert.equal(await chosen(), "hello");
  await tried("(;GM[1]SZ[19];B[aa])");
  await page.waitForFunction(() => /another game/.test(document.querySelector("#load-note").textContent));
  await tried("   ");
  await page.waitForFunction(() => /nothing to load/.test(document.querySelector("#load-note").textContent));
  assert.equal(await page.locator("#message").textContent(), "");
  await tried(RECORD);
  await says(page, "#message", "Loaded: Red to move.");
  assert.equal(await page.locator("#load-note").textContent(), "");
});

test("the analysis asks in a game against a level, once", { timeout: 120000 }, async (t) => {
  const page = await open(t);
  await page.click("#new-game");
  await page.check("#new-seat-white");
  await page.selectOption("#new-opponent", "4");
  await startGame(page);
  // Before the first move, the analysis does not ask.
  await page.click("#analysis-toggle");
  await page.waitForSelector("#analysis-toggle[aria-pressed=true]");
  await page.click("#analysis-toggle");
  await page.waitForSelector("#analysis-toggle[aria-pressed=false]");
  await page.click("#new-game");
  await startGame(page);
  await placeTiles(page, "d4", "e6");
  await page.waitForSelector("#moves [data-turn='2']", { state: "attached" });
  await page.click("#analysis-toggle");
  await page.waitForSelector("#confirm-dialog[open]");
  await soon(async () => assert.match(await page.locator("#confirm-text").textContent(), /no longer be a real contest/));
  await page.click("#confirm-no");
  assert.equal(await page.locator("#analysis-toggle").getAttribute("aria-pressed"), "false");
  await page.click("#analysis-toggle");
  await page.click("#confirm-yes");
  await page.waitForSelector("#board [data-candidate]");
  await soon(async () => assert.match(await page.locator("#legend").textContent(), /how often each was examined/));
  await page.click("#analysis-toggle");
  await page.waitForSelector("#analysis-toggle[aria-pressed=false]");
  await page.click("#analysis-toggle");
  await page.waitForSelector("#analysis-toggle[aria-pressed=true]");
});

test("a win rate and a lead that disagree have their reason", async (t) => {
  // The page's own line to the host says so.
  const page = await open(t, {
    prepare: (page) => page.addInitScript(() => {
      const parse = JSON.parse;
      JSON.parse = (text, ...more) => {
        const value = parse(text, ...more);
        if (value?.type === "analysis") Object.assign(value.root, { winrate: 0.56, scoreLead: -0.6, solved: null });
        return value;
      };
    }),
  });
  await load(page, RECORD);
  await page.click("#analysis-toggle");
  await page.waitForFunction(() =>
    /^Red wins more often than not, but narrowly/.test(document.querySelector("#analysis-odds").textContent));
  await soon(async () => assert.match(await page.locator("#analysis-root").textContent(), /56%.*−0\.6.*examined [\d,]+×/));
  await setLanguage(page, "de");
  await page.waitForFunction(() => /^Rot gewinnt öfter/.test(document.querySelector("#analysis-odds").textContent));
});

test("the points lost are no fewer than those of the turns listed", { timeout: 240000 }, async (t) => {
  const page = await open(t);
  await resigned(page);
  await page.waitForSelector("#review-progress[data-finished=true]", { ...REVIEWED, state: "attached" });
  await page.waitForSelector("[data-retry]");
  const { pointsLost, listed } = await page.evaluate(() => {
    const number = (text) => Number(text.match(/\d+\.\d/)?.[0] ?? 0);
    const pointsLost = [...document.querySelectorAll("#card-sides [data-value=given]")]
      .reduce((sum, node) => sum + number(node.textContent), 0);
    const listed = [...document.querySelectorAll("#card-worst li span")].reduce((sum, node) => sum + number(node.lastChild.textContent), 0);
    return { pointsLost, listed };
  });
  assert.ok(listed > 0);
  assert.ok(pointsLost >= listed - 0.05, `${pointsLost} in all, ${listed} listed`);
});

test("the first game against the first opponent has no pie rule; once a game is over it is offered", async (t) => {
  const page = await open(t);
  await newGame(page, { board: 6, seat: "both", pie: true });
  await page.click("#new-game");
  assert.equal(await page.isChecked("#new-pie"), true);
  await page.check("#new-seat-white");
  await page.selectOption("#new-opponent", "1");
  assert.equal(await page.isChecked("#new-pie"), false);
  await page.click("#new-start");
  await page.waitForFunction(() => document.querySelector("#player-red .who").textContent.includes("(1)"));
  await placeTiles(page, "d4", "e6");
  await page.waitForSelector("#status[data-thinking=false][data-to-move=white]");
  await page.click("#resign");
  await page.click("#confirm-yes");
  await page.waitForSelector("#card:not([hidden])");
  await page.click("#new-game");
  assert.equal(await page.inputValue("#new-opponent"), "1");
  assert.equal(await page.isChecked("#new-pie"), true);
  await page.uncheck("#new-pie");
  await page.selectOption("#new-opponent", "3");
  assert.equal(await page.isChecked("#new-pie"), false, "a choice stays");
});

test("announcements and short moves follow the language", async (t) => {
  const page = await open(t);
  await newGame(page, { board: 6, seat: "both", pie: true });
  await placeTiles(page, "c3", "d4");
  await page.click("#swap");
  await says(page, "#live", "The players swap colours. White 0, Red 0.");
  await page.waitForFunction(() => /2\..*swap/.test(document.querySelector("#moves [data-turn='2']")?.textContent));
  await setLanguage(page, "fr");
  await says(page, "#live", "Les joueurs échangent les couleurs. Blanc 0, Rouge 0.");
  await page.waitForFunction(() => /2\..*échange/.test(document.querySelector("#moves [data-turn='2']")?.textContent));
  await setLanguage(page, "de");
  await page.waitForFunction(() => /2\..*Tausch/.test(document.querySelector("#moves [data-turn='2']")?.textContent));
});

test("a move can be typed, is completed, and says why it is illegal", async (t) => {
  const page = await open(t, { options: { ...DESKTOP, bypassCSP: true } });
  await page.evaluate(AXE);
  await newGame(page, { board: 6, seat: "both" });
  await page.keyboard.press("t");
  await page.waitForFunction(() => document.activeElement.id === "type-move");
  const offers = () => page.locator("#type-moves option").evaluateAll((all) => all.map(({ value }) => value));
  await soon(async () => assert.equal((await offers()).filter((each) => /^[a-f][1-6],$/.test(each)).length, 36));
  await page.keyboard.type("c3,");
  await soon(async () => assert.ok((await offers()).includes("c3,d4")));
  await page.keyboard.type("d4");
  await page.keyboard.press("Enter");
  await page.waitForSelector("[data-cell=c3][data-tile=white]");
  assert.equal(await page.inputValue("#type-move"), "");
  await page.keyboard.type("C3 e5");
  await page.keyboard.press("Enter");
  await says(page, "#type-note", "White already has a tile on c3.");
  await check(page, "illegal move");
  await setLanguage(page, "fr");
  await says(page, "#type-note", "Une tuile de Blanc est déjà en c3.");
  await page.fill("#type-move", "hello");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => /«\u00a0hello\u00a0»/.test(document.querySelector("#type-note").textContent));
  await page.fill("#type-move", "a1a2");
  await page.keyboard.press("Enter");
  await page.waitForSelector("[data-cell=a2][data-tile=red]");
  await page.fill("#type-move", "c1,e1");
  await page.keyboard.press("Enter");
  await page.waitForSelector("[data-cell=e1][data-tile=white]");
  await page.fill("#type-move", "b5,b6");
  await page.keyboard.press("Enter");
  await page.waitForSelector("[data-cell=b6][data-tile=red]");
  await page.fill("#type-move", "");
  await soon(async () => assert.ok((await offers()).includes("c1-e1")));
  await page.fill("#type-move", "e1-c1");
  await page.keyboard.press("Enter");
  await page.waitForSelector("[data-bridge=c1-e1]", { state: "attached" });
});

test("the keyboard reaches everything that is shown", { timeout: 120000 }, async (t) => {
  const page = await open(t);
  await load(page, RECORD);
  const reach = async (state) => {
    const reachable = await page.evaluate(() => [...document.querySelectorAll(
      "button, a[href], select, input:not([type=file]), textarea, summary")]
      .filter((node) => node.getClientRects().length && !node.disabled && node.tabIndex >= 0
        && getComputedStyle(node).visibility === "visible"
        && (node.type !== "radio" || node.checked)).map((node, n) => (node.dataset.test = String(n))));
    await page.evaluate(() => document.activeElement.blur());
    const visited = new Set();
    for (let n = 0; n < reachable.length + 8 && visited.size < reachable.length; n++) {
      await page.keyboard.press("Tab");
      const name = await page.evaluate(() => document.activeElement.dataset.test ?? null);
      if (name !== null) visited.add(name);
    }
    assert.deepEqual(reachable.filter((name) => !visited.has(name)), [], state);
    await page.evaluate(() => document.querySelectorAll("[data-test]").forEach((node) => delete node.dataset.test));
  };
  await reach("a loaded game");
  await page.click("#tab-record");
  await reach("files");
  await page.click("#tab-analysis");
  await page.click("#analysis-toggle");
  await page.waitForSelector("#board [data-candidate]");
  await page.click("#analysis-toggle");
  await page.goto(at("/?session=new#puzzles"));
  await page.waitForSelector("[data-exercise]");
  await reach("a puzzle");
});
