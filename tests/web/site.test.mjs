// The page with the engine inside, from a static web server: offline, without storage, and in
// several tabs. `pontifex serve` is not involved.

import assert from "node:assert/strict";
import { cp, readFile, writeFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import {
  SITE, SLOW, at, cell, drawn, interceptConnection, newGame, open, openDialog, placeTiles, ready,
  says, soon, turn,
} from "./browser.mjs";
import { serve } from "./space.mjs";

const inside = { skip: SITE ? false : "the host is a server" };
/** Allows the service worker, which caches the site's files. */
const WITH_SERVICE_WORKER = { serviceWorkers: "allow" };
const NEW_SESSION = "/?session=new";

/** Runs a script in the worker before its own. */
const inWorker = (script) => (page) => page.route("**/worker.js", async (route) => {
  const answer = await route.fetch();
  await route.fulfill({ response: answer, body: `${script}\n${await answer.text()}` });
});

/** Plays legal moves for White until the game is over. Returns the number of them. */
async function playOut(page) {
  for (let number = 0; number < 200; number++) {
    const toMove = await turn(page);
    if (toMove === "") return number;
    await drawn(page);
    const before = await page.locator("[data-turn]").count();
    if (await page.locator("#pass").isVisible()) await page.click("#pass");
    else {
      const first = page.locator("#grid [data-legal]").first();
      await first.click();
      await page.waitForSelector("#grid[data-seconds]");
      await page.locator("#grid [data-legal]:not([data-laid])").last().click();
    }
    await page.waitForFunction((count) => document.querySelectorAll("[data-turn]").length > count, before);
  }
  throw new Error("the game does not end");
}

/** Runs `act`; returns its result and the main thread's tasks, in ms of processor time. */
async function traceTasks(page, act) {
  const browser = page.context().browser();
  await browser.startTracing(page, { categories: ["toplevel"] });
  const result = await act();
  const { traceEvents } = JSON.parse(await browser.stopTracing());
  const threads = new Set(traceEvents
    .filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain")
    .map(({ pid, tid }) => `${pid} ${tid}`));
  const tasks = traceEvents
    .filter(({ name, pid, tid, tdur }) => tdur !== undefined && name === "ThreadControllerImpl::RunTask" && threads.has(`${pid} ${tid}`))
    .map(({ tdur }) => tdur / 1000);
  return { result, tasks };
}

test("the page opens fast, loads from the same origin only, and can be installed", inside, async (t) => {
  const page = await open(t, { options: WITH_SERVICE_WORKER, wait: false, path: "/rules.html" });
  const origins = new Set();
  page.on("request", (request) => origins.add(new URL(request.url()).origin));
  const start = Date.now();
  await page.goto(at(NEW_SESSION));
  await ready(page);
  const seconds = (Date.now() - start) / 1000;
  assert.ok(seconds < (SLOW ? 20 : 1.5), `${seconds} s`);
  assert.deepEqual([...origins], [new URL(at("/")).origin]);
  const policy = await page.locator("meta[http-equiv=Content-Security-Policy]").getAttribute("content");
  assert.match(policy, /^default-src 'none'; script-src 'self' 'wasm-unsafe-eval';/);
  assert.ok(!policy.includes("unsafe-inline"));
  const manifest = await page.evaluate(async () => (await fetch(document.querySelector("link[rel=manifest]").href)).json());
  for (const { src } of manifest.icons) assert.equal((await page.request.get(at(`/${src}`))).status(), 200, src);
});

test("offline, the page opens again and continues the game", inside, async (t) => {
  const space = await serve(SITE);
  t.after(space.close);
  const page = await open(t, {
    options: WITH_SERVICE_WORKER, wait: false, path: "/rules.html",
    allow: /ERR_CONNECTION_REFUSED|Failed to fetch|sw\.js/,
  });
  await page.goto(`${space.url}?session=new`);
  await ready(page);
  await newGame(page, { board: 6, seat: "white", playouts: 20 });
  await placeTiles(page, "a1", "c1");
  await soon(async () => assert.equal(await turn(page), "white"));
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  await space.close();
  await page.reload();
  await ready(page);
  await page.waitForSelector("[data-cell=c1][data-tile=white]");
  const tiles = await page.locator("#grid [data-tile]").count();
  assert.equal(tiles, 4);
  await page.locator("#grid [data-legal]").first().click();
  await page.waitForSelector("#grid[data-seconds]");
  await page.locator("#grid [data-legal]:not([data-laid])").last().click();
  await page.waitForFunction(() => document.querySelectorAll("#moves [data-turn]").length >= 5);
  await page.goto(`${space.url}#puzzles`);
  await page.waitForSelector("#practice [data-cell=a1]");
});

test("a new version shows at the next visit", { ...inside, timeout: SLOW ? 300000 : 60000 }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "pontifex-site-"));
  await cp(SITE, folder, { recursive: true });
  const space = await serve(folder);
  t.after(async () => {
    await space.close();
    await rm(folder, { recursive: true });
  });
  const page = await open(t, { options: WITH_SERVICE_WORKER, wait: false, path: "/rules.html" });
  await page.goto(`${space.url}?session=new`);
  await ready(page);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  const change = async (name, from, to) => {
    const text = await readFile(join(folder, name), "utf8");
    assert.ok(text.includes(from));
    await writeFile(join(folder, name), text.replace(from, to));
  };
  await change("index.html", "<body>", '<body data-version="2">');
  await change("sw.js", "const VERSION = \"", "const VERSION = \"2-");
  // The visit that finds the new version still shows the old one.
  const cached = () => page.evaluate(() => caches.keys());
  await page.reload();
  for (let names = []; !names.some((name) => / 2-/.test(name)); names = await cached()) await page.waitForTimeout(50);
  await page.reload();
  await ready(page);
  await soon(async () => assert.equal(await page.locator("body").getAttribute("data-version"), null));
  const context = page.context();
  await page.close();
  const next = await context.newPage();
  // The browser needs a moment to notice that no page uses the old one any more.
  for (let version = null; version !== "2"; version = await next.locator("body").getAttribute("data-version")) {
    await next.goto("about:blank");
    await next.waitForTimeout(200);
    // While one worker takes over from the other, Chromium may leave a visit without an answer.
    const visit = await next.goto(`${space.url}?session=new`, { timeout: 15000 }).catch(() => null);
    if (!visit) continue;
    await ready(next);
  }
  await soon(async () => assert.equal((await next.evaluate(() => caches.keys())).length, 1));
});

test("the engine replies soon, and also while it analyses", inside, async (t) => {
  const page = await open(t, {
    prepare: (page) => page.addInitScript(() => {
      window.heard = [];
      window.Worker = class extends Worker {
        constructor(...values) {
          super(...values);
          window.ask = (message) => this.postMessage({ text: JSON.stringify(message) });
          this.addEventListener("message", ({ data }) =>
            data.text && window.heard.push({ at: performance.now(), ...JSON.parse(data.text) }));
        }
      };
    }),
  });
  await newGame(page, { board: 10, seat: "white", playouts: 50 });
  const first = await page.evaluate(() => new Promise((done) => {
    const from = performance.now();
    window.ask({ type: "play", move: "d4,e6" });
    const look = () => {
      const answer = window.heard.find((message) => message.at > from && message.type === "state" && message.tree.length > 2);
      if (answer) done(answer.at - from);
      else setTimeout(look, 1);
    };
    look();
  }));
  assert.ok(first < (SLOW ? 10000 : 300), `${first} ms to the first move`);
  await page.click("#analysis-toggle");
  await page.waitForFunction(() => window.heard.some((message) => message.type === "analysis"));
  const answerTimes = await page.evaluate(async () => {
    const times = [];
    for (let id = 1000; id < 1040; id++) {
      const from = performance.now();
      window.ask({ type: "ping", id });
      await new Promise((done) => {
        const look = () => (window.heard.some((message) => message.id === id) ? done() : setTimeout(look, 1));
        look();
      });
      times.push(performance.now() - from);
    }
    return times.sort((a, b) => a - b);
  });
  assert.ok(answerTimes[20] < (SLOW ? 2000 : 50), `median ${answerTimes[20]} ms, longest ${answerTimes[39]} ms`);
});

test("a whole game on a slow phone, without a long frame", { ...inside, timeout: 600000 }, async (t) => {
  const page = await open(t, { options: { ...WITH_SERVICE_WORKER, viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } });
  await openDialog(page);
  const size = Number(process.env.PONTIFEX_SITE_BOARD ?? 6);
  await page.selectOption("#new-board", String(size));
  await page.check("#new-seat-white");
  await page.setChecked("#new-pie", false);
  await page.selectOption("#new-opponent", "3");
  await page.click("#new-start");
  await page.waitForFunction((count) => document.querySelectorAll("#grid [role=gridcell]").length === count, size * size);
  const { result: turns, tasks } = await traceTasks(page, () => playOut(page));
  // Processor time, so that other programs do not count; a phone takes six times as long.
  const phone = tasks.map((milliseconds) => Math.round(6 * milliseconds)).sort((a, b) => b - a);
  t.diagnostic(`${turns} turns, ${phone.length} tasks, longest ${phone.slice(0, 5)} ms`);
  assert.ok(phone.length > 100, `${phone.length} tasks`);
  // Other programs slow it down all the same: they share the caches, and maybe the core.
  const [most, spared] = SLOW ? [200, 3] : [100, 0];
  assert.ok(phone[spared] <= most, `${phone.slice(0, 20)}`);
});

test("the start and an analysis on a slow phone, without a long task", inside, async (t) => {
  const page = await open(t, {
    wait: false, path: "/rules.html",
    options: { viewport: { width: 375, height: 667 }, hasTouch: true, isMobile: true },
  });
  const { tasks } = await traceTasks(page, async () => {
    await page.goto(at(NEW_SESSION));
    await ready(page);
    await page.click("#analysis-toggle");
    await page.waitForFunction(() => Number(document.querySelector("#panel-analysis").dataset.updates) >= 20);
  });
  // As above; a phone takes six times as long.
  const phone = tasks.map((milliseconds) => Math.round(6 * milliseconds)).sort((a, b) => b - a);
  t.diagnostic(`${phone.length} tasks, longest ${phone.slice(0, 5)} ms`);
  assert.ok(phone.length > 50, `${phone.length} tasks`);
  assert.ok(phone[0] <= (SLOW ? 300 : 200), `${phone.slice(0, 20)}`);
});

test("another tab continues when the tab that hosts the game is closed", inside, async (t) => {
  const page = await open(t);
  await newGame(page, { board: 6, seat: "both" });
  await placeTiles(page, "a1", "c1");
  const second = await page.context().newPage();
  await second.goto(page.url());
  await ready(second);
  await placeTiles(second, "b3", "d4");
  await page.waitForSelector("[data-cell=d4][data-tile=red]");
  // A guest gets records from the host.
  const saved = async () => {
    const download = second.waitForEvent("download");
    await second.click("#tab-record");
    await second.selectOption("#save-format", "moves");
    await second.click("#save-download");
    return readFile(await (await download).path(), "utf8");
  };
  assert.match(await saved(), /a1,c1\s+b3,d4/);
  const third = await page.context().newPage();
  await third.goto(page.url());
  await ready(third);
  await page.close();
  await placeTiles(second, "e1", "f6");
  await third.waitForSelector("[data-cell=f6][data-tile=white]");
  await placeTiles(third, "a5", "b6");
  await second.waitForSelector("[data-cell=b6][data-tile=red]");
  assert.match(await saved(), /e1,f6\s+a5,b6/);
  await third.close();
  // If that was the host, this tab starts over, and requests meanwhile may be lost.
  for (let isBack = false; !isBack;) {
    await second.click("#undo");
    isBack = await second.waitForSelector("[data-cell=b6]:not([data-tile])", { timeout: 10000 }).then(() => true, () => false);
  }
});

test("a tab does not wait for a suspended one", inside, async (t) => {
  // The page has two workers, which load in any order.
  let sleeps = true;
  const page = await open(t, {
    prepare: (page) => page.context().route("**/worker.js", async (route) => {
      const answer = await route.fetch();
      // As the host it answers nobody; as a guest it works.
      const asleep = sleeps ? `const post = BroadcastChannel.prototype.postMessage;
        BroadcastChannel.prototype.postMessage = function (message) {
          if (message.to === undefined && !message.hosts) post.call(this, message);
        };` : "";
      await route.fulfill({ response: answer, body: `${asleep}\n${await answer.text()}` });
    }),
  });
  await newGame(page, { board: 6, seat: "both" });
  await placeTiles(page, "a1", "c1");
  sleeps = false;
  const second = await page.context().newPage();
  await second.goto(page.url());
  await ready(second);
  await second.waitForSelector("[data-cell=c1][data-tile=white]");
  // The first one wakes up as a guest.
  await page.waitForSelector("#message[data-code=tabTaken]");
  await page.waitForFunction(() => document.querySelector("#connection").dataset.connection === "open");
  await placeTiles(second, "b3", "d4");
  await page.waitForSelector("[data-cell=d4][data-tile=red]");
});

test("without storage the page says so and plays", inside, async (t) => {
  const page = await open(t, {
    prepare: inWorker('Object.defineProperty(self, "indexedDB", { value: undefined });'),
  });
  await page.waitForSelector("#notice[data-code=noStorage]:not([hidden])");
  await newGame(page, { board: 6, seat: "white", playouts: 20 });
  await placeTiles(page, "a1", "c1");
  await soon(async () => assert.equal(await turn(page), "white"));
});

test("when the storage is full, the page says so, plays on, and saves when there is room", inside, async (t) => {
  const page = await open(t, {
    prepare: inWorker(`const put = IDBObjectStore.prototype.put;
      let failures = 3;
      IDBObjectStore.prototype.put = function (value, key) {
        if (value?.includes?.("a1,c1") && failures-- > 0) throw new DOMException("full", "QuotaExceededError");
        return key === undefined ? put.call(this, value) : put.call(this, value, key);
      };`),
  });
  await newGame(page, { board: 6, seat: "both" });
  await placeTiles(page, "a1", "c1");
  await page.waitForFunction(() => document.querySelector("#message").textContent.includes("the browser's storage is full"));
  await page.waitForSelector("#connection[data-saved=false]", { state: "attached" });
  await placeTiles(page, "b3", "d4");
  // Without any further action.
  await page.waitForSelector("#connection[data-saved=true]", { state: "attached" });
  await page.reload();
  await ready(page);
  await page.waitForSelector("[data-cell=d4][data-tile=red]");
});

test("a worker that dies is replaced, and the game is as it was", inside, async (t) => {
  const connection = interceptConnection();
  const page = await open(t, connection);
  await newGame(page, { board: 6, seat: "both" });
  await placeTiles(page, "a1", "c1");
  await connection.cut();
  await page.waitForFunction(() => window.connections.seen.at(-1) === "open");
  await placeTiles(page, "b3", "d4");
  assert.equal(await connection.made(), 2);
});

test("without WebAssembly the page says so", inside, async (t) => {
  const page = await open(t, { wait: false, prepare: (page) => page.addInitScript(() => { delete window.WebAssembly; }) });
  await page.waitForSelector("#message[data-code=noWasm]");
  await soon(async () => assert.match(await page.locator("#message").textContent(), /^This browser cannot run the engine/));
});

test("a damaged game is replaced by a new one", inside, async (t) => {
  const page = await open(t);
  await newGame(page, { board: 6, seat: "both" });
  await placeTiles(page, "a1", "c1");
  const address = page.url();
  const id = new URL(address).searchParams.get("session");
  await page.goto(at("/rules.html"));
  await page.evaluate((id) => new Promise((done, failed) => {
    const request = indexedDB.open("pontifex");
    request.onerror = failed;
    request.onsuccess = () => {
      const transaction = request.result.transaction("sessions", "readwrite");
      transaction.objectStore("sessions").put('{"version":1}', id);
      transaction.oncomplete = done;
    };
  }), id);
  await page.goto(address);
  await page.waitForSelector("#message[data-code=noSession]");
  await ready(page);
  await says(page, "#connection", "");
  await soon(async () => assert.equal(await cell(page, "a1").getAttribute("data-tile"), null));
});
