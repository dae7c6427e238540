// Measures the speed of the WebAssembly build in Node: `node wasm/bench.mjs`. With the path of the
// native program, the two run alternately, so that both have the same conditions, and must search
// the same nodes. The fastest run of each counts: other programs disturbed it least.
//
//     node wasm/bench.mjs target/release/pontifex

import { execFileSync } from "node:child_process";
import { bench } from "./index.js";

const ROUNDS = 15;
const [program] = process.argv.slice(2);
const ITERATIONS = (await bench()).iterations;

/** Runs the native program. Returns its nodes and its iterations per second. */
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
for (const [name, results] of Object.entries(runs)) {
  if (results.length === 0) continue;
  speeds[name] = Math.max(...results.map((result) => result.speed));
  console.log(`${name}: ${results[0].nodes} nodes, ${speeds[name].toFixed(0)} iterations/s`);
}
if (program) {
  console.log(`ratio ${(speeds.WebAssembly / speeds.native).toFixed(2)}`);
  if (runs.native[0].nodes !== runs.WebAssembly[0].nodes) {
    console.error("wasm/bench.mjs: the two builds search differently");
    process.exitCode = 1;
  }
}
