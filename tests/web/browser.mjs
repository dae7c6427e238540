// The browser for the tests, and actions that many tests share. The page is that of
// `pontifex serve` at PONTIFEX_URL, or that of `pontifex site` in the folder PONTIFEX_SITE.
// CHROMIUM names another browser.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { chromium } from "playwright-core";
import { serve } from "./space.mjs";

/** The folder of the site; undefined if a server hosts the games. */
export const SITE = process.env.PONTIFEX_SITE;
const space = SITE ? await serve(SITE) : null;
const PAGE = space?.url ?? process.env.PONTIFEX_URL;
assert.ok(PAGE, "PONTIFEX_URL or PONTIFEX_SITE says where the page is");

/** Returns the address of a path of the page, such as `/?session=new`. */
export const at = (path) => new URL(`.${path}`, PAGE.endsWith("/") ? PAGE : `${PAGE}/`).href;

/** Whether the machine may be slow: then all timeouts are longer. */
export const SLOW = Boolean(process.env.CI);

const ARGUMENTS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

const PROGRAM = { executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ARGUMENTS };

let browser;
before(async () => {
  browser = await chromium.launch(PROGRAM);
});
after(async () => {
  await browser?.close();
  await space?.close();
});

/** Opens a profile that forbids sites to save anything, as users can choose in Chromium. */
async function openForbiddingContext(options) {
  const folder = await mkdtemp(join(tmpdir(), "pontifex-profile-"));
  await mkdir(join(folder, "Default"));
  const settings = { profile: { default_content_setting_values: { cookies: 2 } } };
  await writeFile(join(folder, "Default", "Preferences"), JSON.stringify(settings));
  const context = await chromium.launchPersistentContext(folder, { ...PROGRAM, ...options });
  // Its processes may still write.
  context.once("close", () => rm(folder, { recursive: true, maxRetries: 20 }).catch(() => {}));
  return context;
}

/** Opens a page in its own profile. Its errors, also of content security, fail the test. */
async function blank(t, { keepsNothing = false, ...more }, allow = null) {
  // A service worker would cache the whole site in every test; tests of it allow it.
  const options = { viewport: { width: 1280, height: 860 }, locale: "en-GB", serviceWorkers: "block", ...more };
  const context = keepsNothing ? await openForbiddingContext(options) : await browser.newContext(options);
  context.setDefaultTimeout(SLOW ? 60000 : 20000);
  const complaints = [];
  context.on("page", (page) => {
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("console", (message) => message.type() === "error" && !allow?.test(message.text()) && complaints.push(message.text()));
  });
  const page = await context.newPage();
  t.after(async () => {
    // A route handler that still waits for its answer would throw when the context closes.
    for (const each of [context, ...context.pages()]) await each.unrouteAll({ behavior: "ignoreErrors" });
    await context.close();
    assert.deepEqual(complaints, []);
  });
  return { page, context };
}

/** Opens the page, by default in a new session. */
export async function open(t, { options = {}, path = "/?session=new", prepare = async () => {}, allow = null, wait = true } = {}) {
  const { page, context } = await blank(t, options, allow);
  await prepare(page, context);
  await page.goto(at(path));
  if (!wait) return page;
  if (path.startsWith("/?") || path.startsWith("/#") || path === "/") await ready(page);
  return page;
}

/** Opens a page from a file. */
export async function openFile(t, url) {
  const { page } = await blank(t, {});
  await page.goto(url);
  return page;
}

/** Waits for the connection and the first position. */
export async function ready(page) {
  await page.waitForSelector("#connection[data-connection=open]", { state: "attached" });
  await page.waitForSelector("#status[data-status]");
  await cell(page, "a1").waitFor();
  // The host's levels and engines have arrived.
  await page.waitForFunction(() => document.querySelector("#new-opponent").options.length > 1);
}

export const cell = (page, name) => page.locator(`[data-cell=${name}]`);

/** Opens the dialog for a new game with all its fields. */
export async function openDialog(page) {
  await page.click("#new-game");
  if (!(await page.locator("#new-more").evaluate((more) => more.open))) await page.click("#new-more summary");
}

/** Starts a game from the dialog. */
export async function newGame(page, { board = 6, seat = "both", pie = false, playouts = 50, supply = null }) {
  await openDialog(page);
  await page.selectOption("#new-board", String(board));
  await page.check(`#new-seat-${seat}`);
  await page.setChecked("#new-pie", pie);
  if (seat !== "both") {
    await page.selectOption("#new-opponent", "max");
    await page.selectOption("#new-level", "playouts");
    await page.fill("#new-level-value", String(playouts));
  }
  await page.selectOption("#new-clock", "none");
  await page.selectOption("#new-supply", supply ? "own" : "standard");
  if (supply) {
    await page.fill("#new-tiles", String(supply[0]));
    await page.fill("#new-bridges", String(supply[1]));
  }
  await startGame(page);
}

/** Starts the game of the open dialog and waits until it has replaced the one before. */
export async function startGame(page) {
  const gameBefore = await page.locator("#players").getAttribute("data-game");
  await page.click("#new-start");
  if (await page.locator("#confirm-dialog[open]").count()) await page.click("#confirm-yes");
  await page.waitForFunction((game) => ![game, null].includes(document.querySelector("#players").getAttribute("data-game")), gameBefore);
}

/** Places two tiles by clicks and waits until the server has them. */
export async function placeTiles(page, first, second) {
  await cell(page, first).click();
  await cell(page, second).click();
  await page.locator(`[data-cell=${first}][data-tile]`).waitFor();
  await page.locator(`[data-cell=${second}][data-tile]`).waitFor();
}

/** Loads a text from the panel. */
export async function load(page, text) {
  const messageBefore = await page.locator("#message").textContent();
  await page.click("#tab-record");
  await page.fill("#load-text", text);
  await page.click("#load-button");
  await page.waitForFunction((oldMessage) => document.querySelector("#load-text").value === ""
    && document.querySelector("#message").textContent !== oldMessage, messageBefore);
  await page.click("#tab-moves");
}

/**
 * Intercepts the page's connection to its host, by way of `prepare`: `hold()` discards what the
 * page sends until `release()`, `cut()` ends the connection, `made()` counts the connections so
 * far, and `seen()` returns the states of the connection since the last `cut()`.
 */
export function interceptConnection() {
  const target = { page: null };
  const prepare = async (page) => {
    target.page = page;
    await page.addInitScript(() => {
      const connections = { made: 0, isHeld: false, last: null };
      window.connections = connections;
      window.WebSocket = class extends WebSocket {
        constructor(...values) {
          super(...values);
          connections.made++;
          connections.last = () => this.close();
        }
        send(data) {
          if (!connections.isHeld) super.send(data);
        }
      };
      window.Worker = class extends Worker {
        constructor(...values) {
          super(...values);
          connections.made++;
          connections.last = () => this.dispatchEvent(new ErrorEvent("error", { message: "cut", cancelable: true }));
        }
        postMessage(data) {
          if (!(connections.isHeld && data.text !== undefined)) super.postMessage(data);
        }
      };
      addEventListener("DOMContentLoaded", () => {
        const node = document.querySelector("#connection");
        connections.seen = [];
        new MutationObserver(() => connections.seen.push(node.dataset.connection)).observe(node, { attributeFilter: ["data-connection"] });
      });
    });
  };
  return {
    prepare,
    hold: () => target.page.evaluate(() => { window.connections.isHeld = true; }),
    release: () => target.page.evaluate(() => { window.connections.isHeld = false; }),
    cut: () => target.page.evaluate(() => { window.connections.seen = []; window.connections.last(); }),
    made: () => target.page.evaluate(() => window.connections.made),
    seen: () => target.page.evaluate(() => window.connections.seen),
  };
}

/** Returns a function that sends touch events of one finger. */
export async function touch(page) {
  const devtools = await page.context().newCDPSession(page);
  return (type, point) => devtools.send("Input.dispatchTouchEvent", { type, touchPoints: point ? [point] : [] });
}

/** Waits for the engine, and returns the side to move: white, red, or "" at the end. */
export async function turn(page) {
  await page.waitForSelector("#status[data-thinking=false]");
  return page.locator("#status").getAttribute("data-to-move");
}

/** Waits until the whole page is drawn, which may take several frames. */
export const drawn = (page) => page.evaluate(async () => {
  for (let frame = 0; frame < 12; frame++) await new Promise(requestAnimationFrame);
});

/** Waits until a node has the text. */
export async function says(page, selector, text) {
  await page.waitForFunction(([where, what]) => document.querySelector(where)?.textContent === what, [selector, text]);
}

/**
 * Repeats an attempt until it succeeds: on a busy machine a page draws late. Assertions that
 * something never happens are made once, without this.
 *
 * @param {() => Promise<void>} attempt throws an `AssertionError` until it succeeds
 */
export async function soon(attempt, timeout = SLOW ? 20000 : 5000) {
  for (const end = Date.now() + timeout; ; await new Promise((done) => setTimeout(done, 50))) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof assert.AssertionError) || Date.now() > end) throw error;
    }
  }
}

/** The source of axe-core, to be evaluated in a page before `check`. */
export const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Asserts that axe-core finds no violation in a state of the page. */
export async function check(page, state) {
  // Contrast is checked after all animations.
  await page.evaluate(() => Promise.all(document.getAnimations().map((each) => each.finished.catch(() => {}))));
  await soon(async () => {
    const violations = await page.evaluate(async () => {
      const { violations } = await window.axe.run(document, {
        resultTypes: ["violations"], rules: { "label-content-name-mismatch": { enabled: true } },
      });
      return violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 90)).join(" | ")}`);
    });
    assert.deepEqual(violations, [], state);
  });
}

/** The timeout for the review after a game. */
export const REVIEWED = { timeout: SLOW ? 180000 : 60000 };

/** Plays a game in which White lets Red prevent an island, and resigns for White. */
export async function resigned(page) {
  await newGame(page, { board: 6, seat: "both" });
  for (const [a, b] of [["c3", "d4"], ["a1", "a2"], ["f6", "f5"], ["a3", "e1"], ["f1", "a6"], ["a4", "e3"]]) await placeTiles(page, a, b);
  await page.click("#resign");
  await page.click("#confirm-yes");
  await page.waitForSelector("#card:not([hidden])");
}

/** Places two tiles on legal cells. */
export async function placeLegal(page) {
  await drawn(page);
  await page.waitForSelector("#grid [data-legal]");
  const legal = page.locator("#grid [data-legal]:not([data-laid])");
  // Not the first cell: with the last one, that would be a move of the game `resigned`.
  await legal.nth(1).click();
  await page.waitForSelector("#grid[data-seconds]");
  await legal.last().click();
}

/** Starts a game as White on a 6×6 board against a level, without the pie rule. */
export async function beginAgainst(page, level) {
  await openDialog(page);
  await page.selectOption("#new-opponent", level);
  await page.selectOption("#new-board", "6");
  await page.check("#new-seat-white");
  await page.setChecked("#new-pie", false);
  await page.click("#new-start");
  await page.waitForFunction(() => document.querySelectorAll("#grid [role=gridcell]").length === 36);
  await page.waitForSelector("#player-red:not([data-who=human])", { state: "attached" });
}
