// The engine as a program uses it: rules, errors, searches, the protocol.

import assert from "node:assert/strict";
import { test } from "node:test";
import { EngineError, IllegalMoveError, bench, createEngine } from "../index.js";

/** Creates an engine that is freed after the test. */
async function engineFor(t, options) {
  const engine = await createEngine({ memory: 16, ...options });
  t.after(() => engine.free());
  return engine;
}

/** Returns the processor time used, in milliseconds, which other programs do not affect. */
function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Returns the longest time without a timer event while `work` ran, in milliseconds. */
async function longestSilence(work) {
  let [last, longest] = [processorTime(), 0];
  const beat = () => {
    const now = processorTime();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(beat, 1);
  await work();
  clearInterval(timer);
  beat();
  return longest;
}

/** Whether a search is still running. */
function isBusy(engine) {
  try {
    engine.gtp("name");
    return false;
  } catch (error) {
    assert.equal(error.code, "busy");
    return true;
  }
}

/** Asserts that less than 50 ms of processor time have passed. */
function assertSoon(since) {
  const elapsed = processorTime() - since;
  assert.ok(elapsed < 50, `${elapsed} ms`);
}

test("moves, undo, position and score", async (t) => {
  const engine = await engineFor(t, { board: 6, pie: false });
  assert.equal(engine.legalMoves().length, 36 * 35 / 2);
  engine.play("C3,d4");
  engine.play("a1,a2");
  const { position } = engine;
  assert.equal(position.text, "6/6/3w2/2w3/r5/r5 w - -");
  assert.deepEqual([position.board, position.toMove, position.stage], [6, "white", "normal"]);
  assert.deepEqual(position.tiles, { white: ["c3", "d4"], red: ["a1", "a2"] });
  assert.deepEqual(position.moves, ["c3,d4", "a1,a2"]);
  assert.deepEqual(position.rules, { board: 6, supply: "standard", pie: false });
  assert.deepEqual(engine.score.white, { points: 0, islands: 0, bridges: 0 });
  engine.undo(2);
  assert.equal(engine.position.text, "6/6/6/6/6/6 w - -");
  assert.throws(() => engine.undo(), { code: "undo", message: "1 turns to take back, 0 have been played" });
});

test("an illegal move names the rule and the cells", async (t) => {
  const engine = await engineFor(t);
  engine.play("d4,e6");
  const before = engine.position;
  assert.throws(() => engine.play("d4,j9"), (error) => {
    assert.ok(error instanceof IllegalMoveError);
    assert.ok(error instanceof EngineError);
    assert.ok(error instanceof Error);
    assert.deepEqual([error.name, error.code, error.move], ["IllegalMoveError", "occupied", "d4,j9"]);
    assert.deepEqual([error.cells, error.data], [["d4"], { cell: "d4", color: "white" }]);
    assert.equal(error.message, "d4 is occupied by a white tile");
    return true;
  });
  assert.throws(() => engine.play("nonsense"), { name: "IllegalMoveError", code: "not_a_move", message: /as in d4,e6/ });
  assert.throws(() => engine.play("pass"), { code: "pass_not_allowed" });
  assert.throws(() => engine.play("a1-a3"), { code: "not_your_tile" });
  assert.deepEqual(engine.position, before);
});

test("invalid options are refused, with the valid ones", async () => {
  for (const [options, message] of [
    [{ bord: 10 }, "there is no option bord, only board, supply, pie, level, memory, seed"],
    [{ board: 13 }, "board is 13, not an integer from 4 to 12"],
    [{ board: 6.5 }, "board is 6.5, not an integer from 4 to 12"],
    [{ board: NaN }, "board is \"NaN\", not an integer from 4 to 12"],
    [{ board: null }, "board is null, not an integer from 4 to 12"],
    [{ pie: "on" }, "pie is \"on\", not true or false"],
    [{ level: 0 }, "level is 0, not \"max\" or an integer from 1 to 10"],
    [{ level: "min" }, "level is \"min\", not \"max\" or an integer from 1 to 10"],
    [{ memory: 4096 }, "memory is 4096, not an integer from 1 to 2048"],
    [{ memory: -1 }, "memory is -1, not an integer from 1 to 2048"],
    [{ seed: 10n }, "seed is \"10\", not an integer from 0 to 9007199254740991"],
    [{ supply: "40" }, "supply is \"40\", not \"standard\", \"unlimited\" or \"TILES,BRIDGES\", as in \"40,15\""],
    [{ wasm: 7 }, /^wasm is neither/],
    [[], "the options are an array, an object is needed"],
    [null, "the options are null, an object is needed"],
    ["max", "the options are max, an object is needed"],
  ]) {
    await assert.rejects(createEngine(options), { name: "EngineError", code: "options", message }, JSON.stringify(message));
  }
});

test("searches refuse invalid options, and the engine still works", async (t) => {
  const engine = await engineFor(t, { board: 6 });
  for (const [options, message] of [
    [{ time: 100 }, "there is no option time, only timeMs, playouts"],
    [{ timeMs: 0 }, "timeMs is 0, not a number of milliseconds above 0, at most 86400000"],
    [{ timeMs: Infinity }, "timeMs is \"Infinity\", not a number of milliseconds above 0, at most 86400000"],
    [{ playouts: 1.5 }, "playouts is 1.5, not an integer from 1 to 9007199254740991"],
    [{ signal: "now" }, "signal is not an AbortSignal"],
    [7, "the options are 7, an object is needed"],
  ]) {
    await assert.rejects(engine.bestMove(options), { code: "options", message });
    await assert.rejects(engine.analyse(options).next(), { code: "options" });
  }
  await assert.rejects(engine.analyse({ ownership: 1 }).next(), { message: "ownership is 1, not true or false" });
  for (const call of [
    () => engine.play(7), () => engine.play(), () => engine.gtp(null), () => engine.load({}),
    () => engine.undo(0), () => engine.record("pgn"),
  ]) {
    assert.throws(call, { name: "EngineError", code: "options" });
  }
  assert.throws(() => engine.setPosition("x"), { code: "not_a_position", message: /four fields, ROWS SIDE BRIDGES STATE, not 1$/ });
  assert.throws(() => engine.load("(;GM["), { code: "not_a_record" });
  assert.ok(engine.legalMoves().includes(await engine.bestMove({ playouts: 10 })));
});

test("a whole game at level 3 against itself", async (t) => {
  const engine = await engineFor(t, { level: 3, seed: 7 });
  let turns = 0;
  for (; engine.position.stage !== "over"; turns += 1) {
    const move = await engine.bestMove();
    assert.ok(engine.legalMoves().includes(move), move);
    engine.play(move);
  }
  const { result } = engine.position;
  assert.ok(turns > 15 && turns < 120, `${turns} turns`);
  assert.match(result.text, /^([WR]\+[ib]?\d+|0)$/);
  await assert.rejects(engine.bestMove(), { name: "IllegalMoveError", code: "game_over", message: "the game is over", move: null });
  await assert.rejects(engine.analyse().next(), { code: "game_over" });
  const record = engine.record();
  const loaded = await engineFor(t, { board: 6 });
  loaded.load(record);
  assert.deepEqual([loaded.position, loaded.score], [engine.position, engine.score]);
});

test("a seed repeats the games of a level, and another one does not", async (t) => {
  const game = async (seed) => {
    const engine = await engineFor(t, { board: 8, level: 2, seed });
    for (let turn = 0; turn < 8; turn += 1) engine.play(await engine.bestMove());
    return engine.position.moves.join(" ");
  };
  assert.equal(await game(1), await game(1));
  assert.notEqual(await game(1), await game(2));
});

test("the same iterations find the same move as the program", async (t) => {
  const engine = await engineFor(t, { pie: false });
  for (const move of ["d4,e6", "c3,g6", "d6,f7", "f4,g8", "c8,g5", "b5,h3"]) engine.play(move);
  assert.equal(await engine.bestMove({ playouts: 2000 }), "e7,g4", "as position 2 of `pontifex bench`");
});

test("the signature is that of every machine", async () => {
  const { nodes, iterations, milliseconds } = await bench();
  assert.deepEqual([nodes, iterations], [6200, 12000]);
  assert.ok(milliseconds > 0);
});

test("an abort takes effect within 50 ms, and other events run during the search", async (t) => {
  const engine = await engineFor(t, { memory: 64 });
  engine.play("d4,e6");
  for (let round = 0; round < 5; round += 1) {
    const abort = new AbortController();
    let abortedAt = 0;
    setTimeout(() => {
      abortedAt = processorTime();
      abort.abort(new Error("enough"));
    }, 150);
    await assert.rejects(engine.bestMove({ timeMs: 60000, signal: abort.signal }), { message: "enough" });
    assertSoon(abortedAt);
  }
  const silence = await longestSilence(() => engine.bestMove({ timeMs: 600 }));
  assert.ok(silence < 50, `no event for ${silence} ms`);
  await assert.rejects(engine.bestMove({ signal: AbortSignal.abort() }), { name: "AbortError" });
  engine.play(await engine.bestMove({ timeMs: 20 }));
});

test("other events also run while the solver works beside the search", async (t) => {
  const engine = await engineFor(t, { pie: false });
  engine.load("d4,e6 c3,g6 d6,f7 f4,g8 c8,g5 b5,h3 c6,d8 e2,i5 b3,i7 e8,g3 h8,i3 b7,c2 f2,j6 a5,b8 b9,h6 e3,j4 d2,d9 a3,f9");
  const silence = await longestSilence(() => engine.bestMove({ timeMs: 800 }));
  assert.ok(silence < 50, `no event for ${silence} ms`);
});

test("analyses stream, with the requested parts, until the loop ends", async (t) => {
  const engine = await engineFor(t);
  engine.play("d4,e6");
  let last = null;
  let count = 0;
  for await (const analysis of engine.analyse({ moves: 3, ownership: true, intervalMs: 30 })) {
    assert.ok(analysis.moves.length <= 3);
    assert.ok(analysis.moves.length > 0);
    assert.ok(analysis.visits > (last?.visits ?? 0));
    last = analysis;
    if ((count += 1) === 4) break;
  }
  const [best] = last.moves;
  assert.deepEqual([last.toMove, last.finished, last.solved, best.order], ["red", false, null, 0]);
  assert.ok(engine.legalMoves().includes(best.move));
  assert.ok(best.pv[0] === best.move);
  assert.ok(best.winrate > 0);
  assert.ok(best.winrate < 1);
  assert.ok(Number.isFinite(best.scoreLead));
  assert.ok(last.ownership.white.d4 > 0);
  assert.ok(Array.isArray(last.ownership.bridges));
  engine.play(best.move);
});

test("an analysis ends at its limit, at a stop and at a proof", async (t) => {
  const engine = await engineFor(t, { board: 4, pie: false });
  const all = async (options) => {
    const analyses = [];
    for await (const analysis of engine.analyse(options)) analyses.push(analysis);
    return analyses;
  };
  const limited = (await all({ playouts: 50 })).at(-1);
  assert.ok(limited.finished);
  assert.ok(limited.visits >= 50);
  assert.ok(limited.ownership === undefined);
  engine.newGame({ board: 10, supply: "unlimited" });
  assert.deepEqual(engine.position.rules, { board: 10, supply: "unlimited", pie: false });
  setTimeout(() => engine.stop(), 60);
  assert.ok((await all({ intervalMs: 10000 })).at(-1).finished);
  engine.load("a1,a2 d1,d2 a3,b4 d3,c4");
  const game = engine.position.board;
  assert.equal(game, 10);
  engine.setPosition("wwr1/w1rr/2w1/wwr1 r - -");
  const proved = (await all()).at(-1);
  assert.ok(proved.finished && proved.solved !== null, JSON.stringify(proved));
});

test("a signal ends an analysis, whether its loop waits or not", async (t) => {
  const engine = await engineFor(t);
  const waiting = new AbortController();
  let abortedAt = 0;
  setTimeout(() => {
    abortedAt = processorTime();
    waiting.abort();
  }, 100);
  let count = 0;
  for await (const _ of engine.analyse({ signal: waiting.signal, intervalMs: 60000 })) count += 1;
  assert.equal(count, 0);
  assertSoon(abortedAt);

  const paused = new AbortController();
  const analysis = engine.analyse({ signal: paused.signal, intervalMs: 20 });
  assert.equal((await analysis.next()).done, false);
  const start = processorTime();
  paused.abort();
  while (isBusy(engine)) {
    await new Promise((done) => { setTimeout(done, 1); });
    assertSoon(start);
  }
  engine.play("d4,e6");
  assert.deepEqual(await analysis.next(), { done: true, value: undefined });
  for await (const _ of engine.analyse({ signal: AbortSignal.abort() })) assert.fail("it was over before it began");
});

test("return ends an analysis during a next", async (t) => {
  const engine = await engineFor(t);
  const analysis = engine.analyse({ intervalMs: 10000 });
  const next = analysis.next();
  await new Promise((done) => { setTimeout(done, 50); });
  const start = processorTime();
  assert.deepEqual(await analysis.return(), { done: true, value: undefined });
  assertSoon(start);
  assert.deepEqual(await next, { done: true, value: undefined });
  engine.play("d4,e6");
});

test("a second search is refused; reading the game is not", async (t) => {
  const engine = await engineFor(t, { pie: false });
  const first = engine.bestMove({ playouts: 3000 });
  const busy = { name: "EngineError", code: "busy", message: /^the engine is searching/ };
  await assert.rejects(engine.bestMove(), busy);
  await assert.rejects(engine.analyse().next(), busy);
  for (const change of [
    () => engine.play("d4,e6"), () => engine.undo(), () => engine.gtp("undo"),
    () => engine.newGame(), () => engine.load("d4,e6"),
  ]) {
    assert.throws(change, busy);
  }
  assert.equal(engine.position.stage, "open");
  assert.equal(engine.legalMoves().length, 4950);
  engine.play(await first);
});

test("GTP and calls see one game", async (t) => {
  const engine = await engineFor(t, { board: 6 });
  assert.equal(engine.gtp("7 play w c3,d4"), "=7\n\n");
  assert.deepEqual(engine.position.moves, ["c3,d4"]);
  assert.ok(engine.legalMoves().includes("swap"));
  assert.ok(!engine.legalMoves().some((move) => move.includes("c3")));
  engine.play("swap");
  assert.equal(engine.gtp("ponte-position"), "= 6/6/3w2/2w3/6/6 r - -\n\n");
  assert.match(engine.gtp("play w a1,b1"), /^\? illegal move: it is red's turn/);
  assert.equal(engine.gtp("# a comment"), "");
  assert.match(engine.gtp("nonsense"), /^\? unknown command/);
  assert.equal(engine.gtp("undo\n"), "=\n\n");
  assert.throws(() => engine.gtp("undo\nundo"), { code: "options" });
  assert.equal(engine.position.stage, "pie");
  assert.match(engine.gtp("loadsgf /etc/hostname"), /^\? /);
  assert.equal(engine.gtp("ponte-set_param playouts 5"), "=\n\n");
  assert.match(engine.gtp("genmove r"), /^= ([a-f]\d[,-][a-f]\d|swap)\n\n$/);
});

test("an illegal record names the move, an illegal position the tile", async (t) => {
  const engine = await engineFor(t);
  assert.throws(() => engine.load("d4,e6 c3,d4"), { code: "occupied", number: 2, move: "c3,d4", message: /^move 2 \(c3,d4\) is illegal/ });
  assert.throws(() => engine.setPosition("wwwww/5/5/5/5 r - -"), (error) => {
    assert.deepEqual([error.name, error.code, error.data.color], ["IllegalMoveError", "touches_island", "white"]);
    return true;
  });
  assert.equal(engine.position.stage, "open");
});

test("a freed engine says so, and ends its searches", async () => {
  const engine = await createEngine({ memory: 16, pie: false });
  const search = engine.bestMove({ timeMs: 10000 });
  await new Promise((done) => { setTimeout(done, 30); });
  engine.free();
  const freed = { name: "EngineError", code: "freed", message: "the engine has been freed: create a new one with createEngine" };
  await assert.rejects(search, freed);
  assert.throws(() => engine.play("d4,e6"), freed);
  assert.throws(() => engine.position, freed);
  await assert.rejects(engine.bestMove(), freed);
  await assert.rejects(engine.analyse().next(), freed);
  engine.free();
});

test("stop ends an idle analysis, and freeing the engine ends a loop without an error", async () => {
  const engine = await createEngine({ board: 6, memory: 16, pie: false });
  const analysis = engine.analyse();
  await analysis.next();
  engine.stop();
  assert.equal((await analysis.next()).done, true);
  engine.play("a1,c1");
  for await (const { visits } of engine.analyse()) {
    assert.ok(visits > 0);
    engine.free();
    break;
  }
  assert.throws(() => engine.legalMoves(), { code: "freed" });
});

test("a level without limits takes as long as it needs and repeats with its seed", async () => {
  const play = async () => {
    const engine = await createEngine({ board: 6, memory: 16, level: 10, seed: 5, pie: false });
    const moves = [];
    for (let number = 0; number < 4; number++) {
      moves.push(await engine.bestMove());
      engine.play(moves.at(-1));
    }
    engine.free();
    return moves;
  };
  assert.deepEqual(await play(), await play());
});

test("files of other programs are read in their encodings, and repairs are reported", async (t) => {
  const engine = await engineFor(t);
  const bytes = (text) => Uint8Array.from(text, (c) => c.charCodeAt(0));
  assert.deepEqual(engine.load("(;SZ[6];W[a1,b1])"), []);
  assert.deepEqual(engine.load("\ufeff(;SZ[6];W[a1,b1])"), []);
  assert.deepEqual(engine.load(bytes("(;SZ[6]CA[latin1]C[\xe9];W[a1,b1])").buffer), []);
  const codes = (record) => engine.load(record).map(({ code }) => code);
  assert.deepEqual(codes(bytes("(;SZ[6]C[\xe9];W[a1,b1];B[a6,b6]")), ["guessed_encoding", "missing_parenthesis"]);
  assert.equal(engine.position.moves.length, 2);
  const utf16 = new Uint16Array(Array.from("\ufeff(;SZ[6];W[c3,d3]) -- Anna", (c) => c.charCodeAt(0)));
  assert.deepEqual(codes(utf16), ["skipped_text"]);
  assert.deepEqual(engine.position.moves, ["c3,d3"]);
  assert.equal(engine.gtp("\ufeff7 name"), "=7 pontifex\n\n");
  assert.throws(() => engine.load(5), { code: "options" });
});
