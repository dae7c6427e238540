// The package in Chromium: on a page and in a worker, from a plain file server.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join, normalize } from "node:path";
import { after, before, test } from "node:test";
import { SOURCE } from "./installed.mjs";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const KINDS = { ".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html" };
const WORKER = `
  import { createEngine } from "/index.js";
  const engine = await createEngine({ board: 6, level: 3, memory: 16 });
  while (engine.position.stage !== "over") engine.play(await engine.bestMove());
  postMessage(engine.position.result.text);
`;

const playwright = (() => {
  try {
    return createRequire(join(SOURCE, "..", "tests", "web", "package.json"))("playwright-core");
  } catch {
    return null;
  }
})();
const skip = (!playwright && "playwright-core is not in tests/web/node_modules: npm ci there")
  || (!existsSync(CHROMIUM) && `there is no ${CHROMIUM}`);
if (skip && process.env.CI === "true") throw new Error(skip);

let server;
let browser;
let origin;

function answer(request, response) {
  const path = normalize(new URL(request.url, "http://localhost").pathname);
  if (path === "/") return response.setHeader("Content-Type", KINDS[".html"]).end("<!doctype html><title>engine</title>");
  if (path === "/worker.js") return response.setHeader("Content-Type", KINDS[".js"]).end(WORKER);
  const file = join(SOURCE, path);
  if (!existsSync(file)) return response.writeHead(404).end();
  return response.setHeader("Content-Type", KINDS[path.slice(path.lastIndexOf("."))] ?? "text/plain").end(readFileSync(file));
}

before(async () => {
  if (skip) return;
  server = createServer((request, response) => {
    try {
      answer(request, response);
    } catch (error) {
      response.writeHead(500).end(error.message);
    }
  });
  await new Promise((done) => { server.listen(0, "127.0.0.1", done); });
  origin = `http://127.0.0.1:${server.address().port}`;
  browser = await playwright.chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
});
after(async () => {
  await browser?.close();
  server?.close();
});

/** Opens a page of the server; its errors fail the test. */
async function open(t) {
  const page = await browser.newPage();
  page.setDefaultTimeout(60000);
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) =>
    message.type() === "error" && !message.text().includes("favicon")
    && !message.location().url.includes("favicon")
    && errors.push(message.text()));
  t.after(async () => {
    await page.close();
    assert.deepEqual(errors, []);
  });
  await page.goto(origin);
  return page;
}

test("a page plays, analyses and aborts while its events still run", { skip }, async (t) => {
  const page = await open(t);
  const results = await page.evaluate(async () => {
    const { bench, createEngine } = await import("/index.js");
    const engine = await createEngine({ memory: 32 });
    engine.play("d4,e6");
    const start = performance.now();
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 300);
    const reason = await engine.bestMove({ timeMs: 20000, signal: abort.signal }).catch((error) => error.name);
    const aborted = performance.now() - start;
    const analyses = [];
    for await (const analysis of engine.analyse({ intervalMs: 50, moves: 1 })) {
      if (analyses.push(analysis) === 3) break;
    }
    const { playouts, move } = { playouts: 1500, move: await engine.bestMove({ playouts: 1500 }) };
    const illegal = (() => {
      try {
        return engine.play("d4,a1");
      } catch (error) {
        return { name: error.name, code: error.code, cells: error.cells };
      }
    })();
    const isLegal = engine.legalMoves().includes(move);
    engine.free();
    return { reason, aborted, analyses, playouts, isLegal, illegal, nodes: (await bench()).nodes };
  });
  assert.equal(results.reason, "AbortError");
  assert.ok(results.aborted < 10000, `aborted after ${results.aborted} ms`);
  assert.ok(results.analyses.at(-1).visits > results.analyses[0].visits);
  assert.deepEqual(results.illegal, { name: "IllegalMoveError", code: "occupied", cells: ["d4"] });
  assert.equal(results.isLegal, true);
  assert.equal(results.nodes, 6200);
});

test("slices do not wait for timers", { skip }, async (t) => {
  const page = await open(t);
  const perSecond = await page.evaluate(async () => {
    const { breathe } = await import("/breathe.js");
    let fastest = 0;
    for (let round = 0; round < 10; round += 1) {
      const start = performance.now();
      for (let n = 0; n < 50; n += 1) await breathe();
      fastest = Math.max(fastest, 50 / ((performance.now() - start) / 1000));
    }
    return fastest;
  });
  assert.ok(perSecond > 400, `${perSecond} pauses a second: timers allow 250`);
});

test("a worker plays a whole game", { skip }, async (t) => {
  const page = await open(t);
  const result = await page.evaluate(() => new Promise((done, fail) => {
    const worker = new Worker("/worker.js", { type: "module" });
    worker.onmessage = ({ data }) => done(data);
    worker.onerror = ({ message }) => fail(new Error(message));
  }));
  assert.match(result, /^([WR]\+[ib]?\d+|0)$/);
});

test("the module's address can be given, and a wrong one causes a clear error", { skip }, async (t) => {
  const page = await browser.newPage();
  t.after(() => page.close());
  await page.goto(origin);
  const [message, count] = await page.evaluate(async () => {
    const { createEngine } = await import("/index.js");
    const error = await createEngine({ wasm: "/nowhere.wasm" }).catch((error) => error.message);
    const engine = await createEngine({ wasm: fetch("/dist/pontifex_bg.wasm"), board: 4 });
    return [error, engine.legalMoves().length];
  });
  assert.match(message, /^the engine cannot be loaded: .*; the option wasm names the file pontifex_bg\.wasm$/);
  assert.equal(count, 120);
});
