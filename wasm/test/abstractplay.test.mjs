// Abstract Play's player on the site's records.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createPlayer } from "../abstractplay.js";
import { createEngine } from "../index.js";

const DATA = new URL("../../tests/suite/data/records/", import.meta.url);
const RECORDS = ["8x8", "pied", "two", "variants"].flatMap((name) => {
  const content = JSON.parse(readFileSync(new URL(`abstract-play-${name}.json`, DATA), "utf8"));
  return Array.isArray(content) ? content : [content];
});

const NO_MOVES = ["resign", "timeout", "draw", "abandoned"];
const moveOf = (entry) => (typeof entry === "object" && entry !== null ? entry.move : entry);

/** Returns the first `turns` moves of a record, without entries such as a resignation. */
function prefixOf({ header, moves }, turns) {
  const entries = moves.flat().filter((entry) => entry !== null && !NO_MOVES.includes(moveOf(entry))).slice(0, turns);
  const rounds = [];
  for (let n = 0; n < entries.length; n += 2) rounds.push(entries.slice(n, n + 2));
  // Before the first move, there was no swap.
  return { header: turns === 0 ? { ...header, "pie-invoked": false, pied: false } : header, moves: rounds };
}

const length = (record) => prefixOf(record, Infinity).moves.flat().length;

async function setUp(t) {
  const player = await createPlayer({ memory: 16, seed: 3 });
  const judge = await createEngine({ memory: 1 });
  t.after(() => {
    player.free();
    judge.free();
  });
  return { player, judge };
}

test("there are eleven records", () => assert.equal(RECORDS.length, 11));

for (const [number, record] of RECORDS.entries()) {
  test(`record ${number + 1}: a legal move after every third turn`, async (t) => {
    const { player, judge } = await setUp(t);
    for (let turns = 0; turns <= length(record); turns += 3) {
      const game = prefixOf(record, turns);
      judge.load(JSON.stringify(game));
      if (judge.position.stage === "over") {
        await assert.rejects(player.move(game), { code: "game_over" });
        continue;
      }
      const move = await player.move(game, { playouts: 20 });
      assert.ok(judge.legalMoves().includes(move), `${move} after ${turns} turns`);
      assert.match(move, /^([a-l]\d+,[a-l]\d+|[a-l]\d+-[a-l]\d+|pass|swap)$/);
    }
  });
}

test("moves, rounds, a record, a state and their texts are the same game", async (t) => {
  const { player } = await setUp(t);
  const moves = ["d4,e6", "c3,g6", "d6,f7"];
  const variants = ["size-12"];
  const rounds = [["d4,e6", "c3,g6"], ["d6,f7"]];
  const header = { game: { name: "Ponte del Diavolo", variants }, "pie-invoked": true, players: [{ name: "A" }, { name: "B" }] };
  const state = {
    game: "pontedd", numplayers: 2, variants, gameover: false, winner: [],
    stack: [{ currplayer: 1 }, ...moves.map((lastmove) => ({ lastmove, _results: [] }))],
  };
  const options = { playouts: 60, pieInvoked: true };
  const expected = await player.move(moves, { ...options, variants });
  for (const game of [
    rounds, moves.join(" "), JSON.stringify(rounds), { header, moves: rounds },
    JSON.stringify({ header, moves: rounds }), state, JSON.stringify(state),
  ]) {
    const isList = Array.isArray(game) || (typeof game === "string" && !game.startsWith("{"));
    const isRecord = !isList && JSON.stringify(game).includes("header");
    assert.equal(await player.move(game, isRecord ? { playouts: 60 } : { ...options, ...(isList && { variants }) }),
      expected, JSON.stringify(game));
  }
});

test("a good first move is answered by `swap`, which the site has no word for", async (t) => {
  const { player } = await setUp(t);
  assert.equal(await player.move(["e4,g6"], { playouts: 1000 }), "swap");
  assert.notEqual(await player.move(["e4,g6"], { playouts: 1000, pieInvoked: true }), "swap");
});

test("a value that is not a game is refused", async (t) => {
  const { player } = await setUp(t);
  for (const [game, code, message] of [
    [7, "not_a_record", /^a game is an array/],
    [null, "not_a_record", /^a game is an array/],
    ["{", "not_a_record", /^the game is not JSON/],
    [{ game: "hex", stack: [], variants: [] }, "not_a_record", "this is a game of hex, not of pontedd"],
    [["d4,e6", "d4,a1"], "occupied", /^move 2 \(a1,d4\) is illegal: d4 is occupied/],
    [["d4"], "not_a_record", /^moves\[0\]\[0\] is "d4", not a move/],
  ]) {
    await assert.rejects(player.move(game), { code, message }, JSON.stringify(game));
  }
  await assert.rejects(player.move([], { variants: ["99x99"] }), { code: "not_a_record", message: /from 4x4 to 12x12/ });
  assert.ok(await player.move([], { playouts: 5 }));
});
