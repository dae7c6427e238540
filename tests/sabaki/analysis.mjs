// Analysis in points, read with the rules of Sabaki: a game by
// kata-genmove_analyze, and kata-analyze at every point of it.
//
// node analysis.mjs ENGINE [ARGUMENT...]

import assert from "node:assert/strict";
import Board from "@sabaki/go-board";
import gtp from "@sabaki/gtp";

const SIZE = 6;
const board = Board.fromDimensions(SIZE, SIZE);

// What `parseAnalysis` of Sabaki's src/modules/analysis.js reads from a line:
// the points at the end are the line of play, the words before it are pairs.
// An entry without a point as its move is dropped.
function parseAnalysis(line) {
  return line
    .split(/\s*info\s+/)
    .slice(1)
    .map((entry) => {
      const pv = entry.trim().match(/(pass|[A-Za-z]\d+)(\s+(pass|[A-Za-z]\d+))*$/);
      if (pv == null) return null;
      const words = entry.slice(0, pv.index).trim().split(/\s+/).slice(0, -1);
      const keys = {};
      for (let i = 0; i + 1 < words.length; i += 2) keys[words[i]] = words[i + 1];
      return { ...keys, pv: pv[0].split(/\s+/) };
    })
    .filter((found) => found?.winrate != null && /^[A-Za-z]\d+$/.test(found.move));
}

const [engine, ...engineArguments] = process.argv.slice(2);
const controller = new gtp.Controller(engine, engineArguments);
controller.start();

async function ask(line, subscriber) {
  const [name, ...args] = line.split(" ");
  const { error, content } = await controller.sendCommand({ name, args }, subscriber);
  assert.equal(error, false, `${line}: ${content}`);
  return content;
}

// The lines of kata-analyze, which the next command ends.
async function analyze(color) {
  const lines = [];
  const done = ask(`kata-analyze ${color} 5`, ({ line }) => {
    lines.push(line);
    if (line.startsWith("info ") && lines.length < 3) ask("protocol_version");
  });
  await done;
  return lines.filter((line) => line.startsWith("info "));
}

function check(line, legal) {
  const entries = line.split(/\s*info\s+/).slice(1);
  const passes = entries.filter((entry) => entry.startsWith("move pass ")).length;
  const found = parseAnalysis(line);
  assert.equal(found.length, entries.length - passes, line);
  assert.equal(new Set(found.map(({ move }) => move)).size, found.length, line);
  for (const { move, visits, winrate, scoreLead, pv } of found) {
    assert.ok(legal.includes(move), `${move} is not one of ${legal}`);
    assert.ok(+visits >= 0 && +winrate >= 0 && +winrate <= 1, line);
    assert.ok(Number.isFinite(+scoreLead), line);
    assert.equal(pv[0], move, line);
    for (const point of pv.filter((point) => point !== "pass")) {
      const [x, y] = board.parseVertex(point);
      assert.ok(x >= 0 && x < SIZE && y >= 0 && y < SIZE, `${point} in ${line}`);
    }
  }
  return found.length;
}

assert.ok((await ask("list_commands")).split("\n").includes("kata-analyze"));
await ask(`boardsize ${SIZE}`);
await ask("clear_board");
let points = 0;
let variations = 0;
for (;;) {
  const legal = (await ask("gogui-rules_legal_moves")).split(" ").filter(Boolean);
  if (legal.length === 0) break;
  const color = (await ask("gogui-rules_side_to_move")) === "white" ? "W" : "B";
  for (const line of await analyze(color)) variations += check(line, legal);
  const answer = [];
  await ask(`kata-genmove_analyze ${color} 5`, ({ line }) => answer.push(line));
  for (const line of answer.filter((line) => line.startsWith("info "))) check(line, legal);
  const [, played] = answer.find((line) => line.startsWith("play ")).split(" ");
  assert.ok(legal.includes(played), `${played} is not one of ${legal}`);
  points += 1;
}
assert.notEqual(await ask("gogui-rules_final_result"), "unknown");
assert.ok(points > 10 && variations > points, `${points} points, ${variations} variations`);
await controller.stop();
console.log(`${points} points, ${variations} variations`);
