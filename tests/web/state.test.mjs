// Without a browser: the state of the page, which parts are redrawn, and the notes of nodes.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

globalThis.requestAnimationFrame ??= () => 1;
globalThis.cancelAnimationFrame ??= () => {};
const source = await readFile(new URL("../../crates/page/store.js", import.meta.url), "utf8");
const { createStore } = await import(`data:text/javascript,${encodeURIComponent(source)}`);

/** Creates a game with two turns, at one of its nodes. */
const game = (current, number = 0, nodes = [0, 1, 2]) => ({ session: "s", game: number, current, tree: nodes.map((node) => ({ node })) });

/** Creates a store whose `drawn()` returns the parts drawn since the last call. */
function createWatched(parts) {
  const store = createStore({ game: game(0), language: "en", near: null });
  let drawn = [];
  for (const [name, read] of Object.entries(parts)) store.watch((state) => { read(state); drawn.push(name); });
  return {
    store,
    drawn() {
      store.flush();
      const all = drawn;
      drawn = [];
      return all;
    },
  };
}

test("a part is redrawn after changes of what it read, and of nothing else", () => {
  const { store, drawn } = createWatched({
    both: ({ language, near }) => [language, near],
    late: (state) => state.language === "de" && state.near,
    note: ({ here: { message } }) => message,
  });
  assert.deepEqual(drawn(), ["both", "late", "note"]);
  assert.deepEqual(drawn(), []);
  store.set({ near: "a1" });
  assert.deepEqual(drawn(), ["both"]);
  store.set({ near: "a1" });
  assert.deepEqual(drawn(), [], "the same value");
  // What a part reads may change.
  store.set({ language: "de" });
  assert.deepEqual(drawn(), ["both", "late"]);
  store.set({ near: "b1" });
  assert.deepEqual(drawn(), ["both", "late"]);
  store.note({ message: { kind: "info" } });
  assert.deepEqual(drawn(), ["note"]);
  store.set({ game: game(0) });
  assert.deepEqual(drawn(), [], "another state of the same node");
});

test("a part drawn explicitly is then redrawn for what it read there", () => {
  const { store, drawn } = createWatched({});
  let isOpen = false;
  const languages = [];
  const draw = store.watch((state) => isOpen && languages.push(state.language));
  drawn();
  isOpen = true;
  draw();
  store.set({ language: "de" });
  drawn();
  assert.deepEqual(languages, ["en", "de"]);
});

test("the notes of a node come and go with it", () => {
  const { store, drawn } = createWatched({ hint: ({ here: { hint } }) => hint });
  store.note({ hint: "a1,b1", first: "a1" });
  store.note({ hint: "c1,d1" }, 2);
  assert.equal(store.state.here.hint, "a1,b1");
  drawn();
  store.set({ game: game(1) });
  assert.deepEqual(drawn(), ["hint"]);
  assert.equal(store.state.here.hint, null);
  assert.equal(store.state.here.first, null);
  store.set({ game: game(2) });
  assert.equal(store.state.here.hint, "c1,d1");
  store.set({ game: game(0) });
  assert.equal(store.state.here.hint, "a1,b1");
  assert.equal(store.state.here.first, "a1");
});

test("a deleted node loses its notes, and another game starts without notes and review", () => {
  const { store } = createWatched({});
  store.set({ review: { turns: [] }, tools: true });
  for (const node of [0, 2]) store.note({ pinned: `${node}` }, node);
  store.set({ game: game(0, 0, [0, 1]) });
  store.set({ game: game(2) });
  assert.equal(store.state.here.pinned, null);
  store.set({ game: game(0) });
  assert.equal(store.state.here.pinned, "0");
  assert.deepEqual(store.state.review, { turns: [] });
  store.set({ game: game(0, 1) });
  assert.equal(store.state.here.pinned, null);
  assert.equal(store.state.review, null);
  assert.equal(store.state.tools, false);
});
