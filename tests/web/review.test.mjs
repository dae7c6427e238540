// The report of `pontifex review --html`, opened as a file: it starts at a mistake planted in
// the game. PONTIFEX is the program.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { AXE, check, openFile, soon } from "./browser.mjs";

const PONTIFEX = process.env.PONTIFEX;
/** The least win rate that the planted mistake costs: no mistake of the engine is that bad. */
const COST = 0.4;
const BOARD = "8";
const PLAYOUTS = "2000";
const LIMITS = ["--playouts", PLAYOUTS, "--threads", "1"];

const pontifex = (...args) => execFileSync(PONTIFEX, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });

/** Starts the engine: `ask` sends a command and waits for its answer. */
function engine() {
  const child = spawn(PONTIFEX, ["gtp", "--board", BOARD, "--pie", "off", ...LIMITS], { stdio: ["pipe", "pipe", "ignore"] });
  const waiting = [];
  let answer = [];
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (line !== "") return answer.push(line);
    waiting.shift()(answer.join("\n"));
    answer = [];
  });
  const ask = async (command) => {
    const reply = new Promise((done) => waiting.push(done));
    child.stdin.write(`${command}\n`);
    const text = await reply;
    assert.ok(text.startsWith("="), `${command}: ${text}`);
    return text.slice(1).trim();
  };
  return { ask, end: () => child.stdin.end() };
}

/** Returns the worst move of a sample, and the win rate it costs against the best one. */
async function worst(ask) {
  const legal = (await ask("ponte-legal_moves")).split("\n");
  const some = legal.filter((_, n) => n % Math.ceil(legal.length / 40) === 0);
  const position = await ask("ponte-position");
  const text = pontifex("analyze", "--json", "--multi", "100", ...LIMITS,
    "--position", position, "--allow", some.join(","));
  const { moves } = JSON.parse(text);
  const sorted = [...moves].sort((a, b) => a.winrate - b.winrate);
  return { move: sorted[0].move, cost: sorted.at(-1).winrate - sorted[0].winrate };
}

/** Returns a game of the engine against itself with one bad move, and the turn of that. */
async function game() {
  const { ask, end } = engine();
  let planted = 0;
  for (let turn = 1; ; turn++) {
    const status = await ask("ponte-status");
    if (status.includes("state over")) break;
    const side = status.split(" ")[1];
    const { move, cost } = turn < 5 || planted ? { cost: 0 } : await worst(ask);
    if (cost < COST) {
      await ask(`genmove ${side}`);
      continue;
    }
    planted = turn;
    await ask(`play ${side} ${move}`);
  }
  const history = await ask("ponte-history");
  end();
  assert.ok(planted, "there was no turn for a mistake");
  return { history, planted };
}

const stateOf = (page) => page.locator("body").evaluate((body) => ({ ...body.dataset }));

test("the report starts at a planted mistake", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "pontifex-review-"));
  const record = join(folder, "the-game-of-last-night-that-was-lost-by-one-mistake.txt");
  const html = join(folder, "game.html");
  const { history, planted } = await game();
  writeFileSync(record, history);
  pontifex("review", record, record, "--board", BOARD, "--pie", "off", "--html", html, ...LIMITS);
  const page = await openFile(t, pathToFileURL(html).href);
  await page.waitForSelector("body[data-ready=true]");
  await soon(async () => assert.equal((await stateOf(page)).turn, String(planted)));
  await soon(async () => assert.equal(await page.locator("#turns [aria-current]").getAttribute("data-turn"), String(planted)));
  await soon(async () => assert.match(await page.locator(`#turns [data-turn="${planted}"]`).getAttribute("data-grade"), /mistake|blunder/));

  await t.test("keys step through turns and mistakes", async () => {
    await page.keyboard.press("Home");
    await soon(async () => assert.equal((await stateOf(page)).turn, "1"));
    await page.keyboard.press("ArrowRight");
    await soon(async () => assert.equal((await stateOf(page)).turn, "2"));
    await page.keyboard.press("Home");
    const seen = [];
    for (let n = 0; n < 20 && !seen.includes(String(planted)); n++) {
      await page.keyboard.press("n");
      seen.push((await stateOf(page)).turn);
    }
    assert.ok(seen.includes(String(planted)), `${seen}`);
    await page.keyboard.press("End");
    await page.keyboard.press("p");
    const last = Number((await stateOf(page)).turn);
    assert.ok(last >= planted, `${last}`);
  });

  await t.test("the graphs can be clicked", async () => {
    for (const graph of ["#graph-winrate", "#graph-lead"]) {
      await page.locator(`${graph} [data-turn="5"]`).click({ force: true });
      await soon(async () => assert.equal((await stateOf(page)).turn, "5", graph));
      await page.keyboard.press("Home");
    }
  });

  await t.test("axe finds nothing, on a phone neither", async () => {
    const before = page.viewportSize();
    await page.evaluate(AXE);
    for (const [width, height] of [[320, 568], [667, 375], [1366, 768]]) {
      await page.setViewportSize({ width, height });
      await page.keyboard.press("End");
      await check(page, `the end, ${width} px`);
      await page.keyboard.press("Home");
      await check(page, `a turn, ${width} px`);
    }
    await page.setViewportSize(before);
  });

  await t.test("candidates are shown on the board", async () => {
    await soon(async () => assert.ok((await page.locator("#board [data-candidate]").count()) > 0));
    await page.locator("#heat").uncheck();
    await soon(async () => assert.equal(await page.locator("#board [data-candidate]:visible").count(), 0));
  });
  await t.test("on a phone it is no wider than the screen", async () => {
    await page.setViewportSize({ width: 375, height: 667 });
    await soon(async () => assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)));
    await page.setViewportSize({ width: 1280, height: 860 });
  });
  if (process.env.PICTURES) {
    await page.locator("#heat").check();
    await page.locator(`#turns [data-turn="${planted}"]`).click();
    await page.screenshot({ path: join(process.env.PICTURES, "review.png"), fullPage: true });
  }
});
