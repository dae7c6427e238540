// The memory that engines use, as the growth of the process.

import assert from "node:assert/strict";
import { test } from "node:test";
import { createEngine } from "../index.js";

const MIB = 1 << 20;
/** Returns the memory of the process, in MiB. */
const memoryUsed = () => process.memoryUsage().rss / MIB;

/** The memory of the engine measured, in MiB: all of its searches must fit. */
const MEMORY = 8;
/** The iterations of the long searches. */
const MANY_ITERATIONS = 60000;
/** The growth allowed beside an engine's memory, and in a repeated search, in MiB, because Node's
 * own memory varies. Guesses, never measured. */
const FIRST_OVERHEAD = 24;
const REPEAT_OVERHEAD = 12;
/** Without reuse of freed memory, this many engines would need far more than FIRST_OVERHEAD. */
const FREED_ENGINES = 20;

async function search(memory, playouts) {
  const engine = await createEngine({ memory });
  engine.play("d4,e6");
  await engine.bestMove({ playouts });
  return engine;
}

test("searches keep to the memory of their engine, and freed memory is used again", async () => {
  // Loads the module first, so that it does not count.
  (await search(1, 100)).free();
  const before = memoryUsed();
  const engine = await search(MEMORY, MANY_ITERATIONS);
  const first = memoryUsed();
  assert.ok(first - before < MEMORY + FIRST_OVERHEAD, `${first - before} MiB more for an engine of ${MEMORY} MiB`);
  await engine.bestMove({ playouts: MANY_ITERATIONS });
  const second = memoryUsed();
  assert.ok(second - first < REPEAT_OVERHEAD, `${second - first} MiB more for the same engine`);
  engine.free();
  for (let round = 0; round < FREED_ENGINES; round += 1) (await search(MEMORY, 4000)).free();
  assert.ok(memoryUsed() - second < FIRST_OVERHEAD, `${memoryUsed() - second} MiB more for ${FREED_ENGINES} freed engines`);
});
