// The speed of the WebAssembly build in Node: `node wasm/bench.mjs`. With the
// path of the native program, the two take turns, so that both get the same
// machine, and must have the same signature. The fastest of their runs counts:
// it is the one that other programs disturbed least.
//
//     node wasm/bench.mjs target/release/pontifex

import { execFileSync } from "node:child_process";
import { bench } from "./index.js";

const ROUNDS = 15;
const [program] = process.argv.slice(2);
const ITERATIONS = (await bench()).iterations;

/** Nodes and iterations a second of the native program. */
function native() {
  const output = execFileSync(program, ["bench"], { encoding: "utf8" });
  const [, nodes, perSecond] = output.match(/^(\d+) nodes (\d+) nps$/m).map(Number);
  return { nodes, speed: ITERATIONS * (perSecond / nodes) };
}

async function webAssembly() {
  const { nodes, iterations, milliseconds } = await bench();
  return { nodes, speed: iterations / (milliseconds / 1000) };
}

const runs = { native: [], WebAssembly: [] };
for (let round = 0; round < ROUNDS; round += 1) {
  if (program) runs.native.push(native());
  runs.WebAssembly.push(await webAssembly());
}
const speeds = {};
for (const [name, of] of Object.entries(runs)) {
  if (of.length === 0) continue;
  speeds[name] = Math.max(...of.map((run) => run.speed));
  console.log(`${name}: ${of[0].nodes} nodes, ${speeds[name].toFixed(0)} iterations/s`);
}
if (program) {
  console.log(`ratio ${(speeds.WebAssembly / speeds.native).toFixed(2)}`);
  if (runs.native[0].nodes !== runs.WebAssembly[0].nodes) {
    console.error("wasm/bench.mjs: the two builds search differently");
    process.exitCode = 1;
  }
}
