// A session with the engine, driven by Sabaki's GTP client: handshake,
// errors, a whole game by genmove, the game once more by play, quit.
//
// node session.mjs ENGINE [ARGUMENT...]

import assert from "node:assert/strict";
import gtp from "@sabaki/gtp";

const [engine, ...engineArguments] = process.argv.slice(2);
const controller = new gtp.Controller(engine, engineArguments);
const stopped = new Promise((resolve) => controller.once("stopped", resolve));

let nextId = 0;

async function send(line) {
  const [name, ...args] = line.split(" ");
  const id = nextId++;
  const response = await controller.sendCommand({ id, name, args });
  assert.equal(response.id, id, line);
  return response;
}

async function ask(line) {
  const { error, content } = await send(line);
  assert.equal(error, false, `${line}: ${content}`);
  return content;
}

async function refused(line) {
  const { error, content } = await send(line);
  assert.equal(error, true, `${line}: ${content}`);
  return content;
}

async function status() {
  const words = (await ask("ponte-status")).split(" ");
  return Object.fromEntries(
    words.flatMap((word, n) => (n % 2 ? [] : [[word, words[n + 1]]])),
  );
}

controller.start();

// Handshake.
assert.equal(await ask("protocol_version"), "2");
assert.equal(await ask("name"), "pontifex");
assert.match(await ask("version"), /^\d+\.\d+/);
const commands = (await ask("list_commands")).split("\n");
for (const name of ["boardsize", "clear_board", "komi", "play", "genmove", "undo", "quit"]) {
  assert.ok(commands.includes(name), name);
  assert.equal(await ask(`known_command ${name}`), "true");
}

// Errors, and that they change nothing.
assert.match(await refused("fly"), /^unknown command/);
assert.match(await refused("boardsize 99"), /^unacceptable size/);
assert.match(await refused("play w a1"), /^syntax error/);
assert.match(await refused("play r a1,b1"), /^illegal move: it is white's turn/);
assert.match(await refused("undo"), /^cannot undo/);
assert.match(await refused("final_score"), /^cannot score/);
assert.equal(await ask("ponte-history"), "");

// A game.
await ask("boardsize 6");
await ask("clear_board");
await ask("komi 0");
await ask("time_settings 0 1 0");
const moves = [];
for (let now = await status(); now.state !== "over"; now = await status()) {
  assert.ok(moves.length < 200, "the game does not end");
  assert.equal(Number(now.turn), moves.length + 1);
  const move = await ask(`genmove ${now.to_move}`);
  assert.match(move, /^([a-f][1-6],[a-f][1-6]|[a-f][1-6]-[a-f][1-6]|pass|swap)$/);
  moves.push(move);
}
assert.equal(await ask("ponte-history"), moves.join(" "));
assert.ok((await ask("showboard")).length > 36);
const score = await ask("final_score");
assert.match(score, /^(0|[WR]\+[ib]?\d+)$/);
const position = await ask("ponte-position");

// The same game by play, sent without waiting for the answers.
await ask("clear_board");
const colors = [];
let color = "w";
for (const [n, move] of moves.entries()) {
  colors[n] = color;
  if (move !== "swap") color = color === "w" ? "r" : "w";
}
await Promise.all(moves.map((move, n) => ask(`play ${colors[n]} ${move}`)));
assert.equal(await ask("ponte-position"), position);
assert.equal(await ask("final_score"), score);

// The end.
assert.equal(await ask("quit"), "");
const { signal } = await stopped;
assert.equal(signal, 0, "the exit code");
console.log(`${moves.length} turns, ${score}`);
