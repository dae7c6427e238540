// What engines take of the machine's memory.

import assert from "node:assert/strict";
import { test } from "node:test";
import { createEngine } from "../index.js";

const MIB = 1 << 20;
const used = () => process.memoryUsage().rss / MIB;

async function search(memory, playouts) {
  const engine = await createEngine({ memory });
  engine.play("d4,e6");
  await engine.bestMove({ playouts });
  return engine;
}

test("searches keep to the memory of their engine, and freed memory is used again", async () => {
  (await search(1, 100)).free();
  const before = used();
  const engine = await search(8, 60000);
  const first = used();
  assert.ok(first - before < 8 + 24, `${first - before} MiB more for an engine of 8 MiB`);
  await engine.bestMove({ playouts: 60000 });
  const second = used();
  assert.ok(second - first < 12, `${second - first} MiB more for the same engine`);
  engine.free();
  for (let round = 0; round < 20; round += 1) (await search(8, 4000)).free();
  assert.ok(used() - second < 24, `${used() - second} MiB more for twenty freed engines`);
});
