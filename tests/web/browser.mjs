// The browser for the tests, and what tests do on the page again and again. The
// page is that of `pontifex serve` at PONTIFEX_URL, or that of `pontifex site` in
// the folder PONTIFEX_SITE. CHROMIUM names another browser.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { chromium } from "playwright-core";
import { serve } from "./space.mjs";

/** The folder of the site, if the host of the games is a worker in the page. */
export const SITE = process.env.PONTIFEX_SITE;
const space = SITE ? await serve(SITE) : null;
const PAGE = space?.url ?? process.env.PONTIFEX_URL;
assert.ok(PAGE, "PONTIFEX_URL or PONTIFEX_SITE says where the page is");

/** The address of a path of the page, such as `/?session=new`. */
export const at = (path) => new URL(`.${path}`, PAGE.endsWith("/") ? PAGE : `${PAGE}/`).href;

/** Whether the machine may be slow: then everything gets more time. */
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

/** A profile whose settings forbid sites to save anything, as people can choose in Chromium. */
async function forbidding(options) {
  const folder = await mkdtemp(join(tmpdir(), "pontifex-profile-"));
  await mkdir(join(folder, "Default"));
  const settings = { profile: { default_content_setting_values: { cookies: 2 } } };
  await writeFile(join(folder, "Default", "Preferences"), JSON.stringify(settings));
  const context = await chromium.launchPersistentContext(folder, { ...PROGRAM, ...options });
  // Its processes may still write.
  context.once("close", () => rm(folder, { recursive: true, maxRetries: 20 }).catch(() => {}));
  return context;
}

/** A page in a browser profile of its own; what it complains of, broken content rules above all, fails the test. */
async function blank(t, { keepsNothing = false, ...more }, allow = null) {
  // A service worker would copy the whole site for every test. Those that are about it allow it.
  const options = { viewport: { width: 1280, height: 860 }, locale: "en-GB", serviceWorkers: "block", ...more };
  const context = keepsNothing ? await forbidding(options) : await browser.newContext(options);
  context.setDefaultTimeout(SLOW ? 60000 : 20000);
  const complaints = [];
  context.on("page", (page) => {
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("console", (message) => message.type() === "error" && !allow?.test(message.text()) && complaints.push(message.text()));
  });
  const page = await context.newPage();
  t.after(async () => {
    await context.close();
    assert.deepEqual(complaints, []);
  });
  return { page, context };
}

/** The server's page, with a session of its own. */
export async function open(t, { options = {}, path = "/?session=new", prepare = async () => {}, allow = null, wait = true } = {}) {
  const { page, context } = await blank(t, options, allow);
  await prepare(page, context);
  await page.goto(at(path));
  if (!wait) return page;
  if (path.startsWith("/?") || path.startsWith("/#") || path === "/") await ready(page);
  return page;
}

/** A page that lies in a file. */
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
  // What the host offers has come.
  await page.waitForFunction(() => document.querySelector("#new-opponent").options.length > 1);
}

export const cell = (page, name) => page.locator(`[data-cell=${name}]`);

/** Opens the dialog for a new game with all its fields. */
export async function openDialog(page) {
  await page.click("#new-game");
  if (!(await page.locator("#new-more").evaluate((more) => more.open))) await page.click("#new-more summary");
}

/** Starts a game by the dialog. */
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
  const before = await page.locator("#players").getAttribute("data-game");
  await page.click("#new-start");
  if (await page.locator("#confirm-dialog[open]").count()) await page.click("#confirm-yes");
  await page.waitForFunction((game) => ![game, null].includes(document.querySelector("#players").getAttribute("data-game")), before);
}

/** Lays two tiles by clicks and waits until the server has them. */
export async function lay(page, first, second) {
  await cell(page, first).click();
  await cell(page, second).click();
  await page.locator(`[data-cell=${first}][data-tile]`).waitFor();
  await page.locator(`[data-cell=${second}][data-tile]`).waitFor();
}

/** Loads a text by the panel. */
export async function load(page, text) {
  const nodes = await page.locator("#message").textContent();
  await page.click("#tab-record");
  await page.fill("#load-text", text);
  await page.click("#load-button");
  await page.waitForFunction((before) => document.querySelector("#load-text").value === ""
    && document.querySelector("#message").textContent !== before, nodes);
  await page.click("#tab-moves");
}

/**
 * Gets hold of the page's line to its host, for `prepare`: `hold()` loses what the
 * page sends until `release()`, `cut()` ends the line, `made()` counts the lines so far, and
 * `seen()` has the connection's states since the last call.
 */
export function tapped() {
  const line = { page: null };
  const prepare = async (page) => {
    line.page = page;
    await page.addInitScript(() => {
      const lines = { made: 0, isHeld: false, last: null };
      window.lines = lines;
      window.WebSocket = class extends WebSocket {
        constructor(...values) {
          super(...values);
          lines.made++;
          lines.last = () => this.close();
        }
        send(data) {
          if (!lines.isHeld) super.send(data);
        }
      };
      window.Worker = class extends Worker {
        constructor(...values) {
          super(...values);
          lines.made++;
          lines.last = () => this.dispatchEvent(new ErrorEvent("error", { message: "cut", cancelable: true }));
        }
        postMessage(data) {
          if (!(lines.isHeld && data.text !== undefined)) super.postMessage(data);
        }
      };
      addEventListener("DOMContentLoaded", () => {
        const node = document.querySelector("#connection");
        lines.seen = [];
        new MutationObserver(() => lines.seen.push(node.dataset.connection)).observe(node, { attributeFilter: ["data-connection"] });
      });
    });
  };
  return {
    prepare,
    hold: () => line.page.evaluate(() => { window.lines.isHeld = true; }),
    release: () => line.page.evaluate(() => { window.lines.isHeld = false; }),
    cut: () => line.page.evaluate(() => { window.lines.seen = []; window.lines.last(); }),
    made: () => line.page.evaluate(() => window.lines.made),
    seen: () => line.page.evaluate(() => window.lines.seen),
  };
}

/** Sends events of one finger. */
export async function touch(page) {
  const devtools = await page.context().newCDPSession(page);
  return (type, point) => devtools.send("Input.dispatchTouchEvent", { type, touchPoints: point ? [point] : [] });
}

/** Whose turn it is, once nobody thinks: white, red or "" at the end. */
export async function turn(page) {
  await page.waitForSelector("#status[data-thinking=false]");
  return page.locator("#status").getAttribute("data-to-move");
}

/** Waits until all of the page is drawn: what takes long is spread over several frames. */
export const drawn = (page) => page.evaluate(async () => {
  for (let frame = 0; frame < 12; frame++) await new Promise(requestAnimationFrame);
});

/** Waits until a node says what it should. */
export async function says(page, selector, text) {
  await page.waitForFunction(([where, what]) => document.querySelector(where)?.textContent === what, [selector, text]);
}

/**
 * Asserts again and again until it holds: on a busy machine a page draws late. What
 * must never happen is asserted once, without this.
 *
 * @param {() => Promise<void>} check throws an `AssertionError` as long as it does not hold
 */
export async function soon(check, patience = SLOW ? 20000 : 5000) {
  for (const end = Date.now() + patience; ; await new Promise((done) => setTimeout(done, 50))) {
    try {
      return await check();
    } catch (error) {
      if (!(error instanceof assert.AssertionError) || Date.now() > end) throw error;
    }
  }
}

/** The checker of accessibility, to be evaluated in a page before `check`. */
export const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Asserts that axe-core finds no violation in a state of the page. */
export async function check(page, state) {
  // Colours are judged at rest.
  await page.evaluate(() => Promise.all(document.getAnimations().map((each) => each.finished.catch(() => {}))));
  await soon(async () => {
    const found = await page.evaluate(async () => {
      const { violations } = await window.axe.run(document, { resultTypes: ["violations"], rules: { "label-content-name-mismatch": { enabled: true } } });
      return violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 90)).join(" | ")}`);
    });
    assert.deepEqual(found, [], state);
  });
}

/** How long the review after a game may take. */
export const REVIEWED = { timeout: SLOW ? 180000 : 60000 };

/** A game in which White lets an island of four be stopped, resigned by White. */
export async function resigned(page) {
  await newGame(page, { board: 6, seat: "both" });
  for (const [a, b] of [["c3", "d4"], ["a1", "a2"], ["f6", "f5"], ["a3", "e1"], ["f1", "a6"], ["a4", "e3"]]) await lay(page, a, b);
  await page.click("#resign");
  await page.click("#confirm-yes");
  await page.waitForSelector("#card:not([hidden])");
}

/** Lays two tiles where it is allowed. */
export async function layLegal(page) {
  await drawn(page);
  await page.waitForSelector("#grid [data-legal]");
  const legal = page.locator("#grid [data-legal]:not([data-laid])");
  // Not the first one: with the last, that would be a turn of the game `resigned`.
  await legal.nth(1).click();
  await page.waitForSelector("#grid[data-seconds]");
  await legal.last().click();
}

/** Begins a game as White on the smallest board against a level, without the pie rule. */
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
