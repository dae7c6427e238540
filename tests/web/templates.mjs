// Shared by the tests of the page's texts: all tables and keys, and a purpose of each form.

import { readFile, readdir } from "node:fs/promises";

const PAGE = new URL("../../crates/page/", import.meta.url);

/** Returns all tables of texts, in the order of their files. */
export async function tables() {
  const names = (await readdir(PAGE)).filter((name) => /^texts-\w+\.js$/.test(name));
  return Promise.all(names.map(async (name) =>
    Object.values(await import(new URL(name, PAGE).href))
      .find((value) => typeof value === "object")));
}

export const keysOf = async () => (await tables()).flatMap((table) => Object.keys(table));

/** A purpose of each form. */
export const REASONS = [
  { code: "completes", by: "d1", count: 1, cells: ["a1", "b1", "c1", "d1"], urgent: true },
  { code: "completes", by: "d1,d5", count: 2, cells: ["a1", "b1", "c1", "d1", "a5", "b5", "c5", "d5"], urgent: false },
  { code: "joins", by: "d1-f1", points: 2, islands: 3, urgent: false },
  { code: "stops", by: "e1", bridge: "d1-f1", points: 1 },
  { code: "denies", by: "d1", cell: "a1", points: 3 },
  { code: "hinders", by: "d1", target: { cell: "a1" }, left: 2 },
  { code: "hinders", by: "d1", target: { bridge: "a1-c1" }, left: 1 },
  { code: "burns", by: "c1", cell: "a1", tiles: 2 },
  { code: "prepares", by: "i1", bridge: "d1-f1", points: 1, ways: 1, sure: false },
  { code: "prepares", by: "i1", bridge: "d1-f1", points: 2, ways: 2, sure: false },
  { code: "prepares", by: "i1", bridge: "d1-f1", points: 2, ways: 3, sure: true },
  { code: "raises", by: "c1-c3", target: { bridge: "d1-f1" }, points: 2, sure: false },
  { code: "raises", by: "c1-c3", target: { cell: "d1" }, points: 2, sure: true },
  { code: "forks", by: "c2,f2", targets: [{ cell: "a2" }, { bridge: "d1-f1" }] },
  { code: "grows", by: "c2", cell: "a2", tiles: 3, cells: ["d2", "c3"], sure: false },
  { code: "grows", by: "c2", cell: "a2", tiles: 3, cells: ["d2", "c3", "b1"], sure: true },
  { code: "grows", by: "c3,c4", cell: "c3", tiles: 2, cells: [], sure: false },
  { code: "links", by: "d1-f1", cells: ["d1", "f1"], islands: 0, points: null },
  { code: "links", by: "d1-f1", cells: ["d1", "f1"], islands: 1, points: null },
  { code: "links", by: "d1-f1", cells: ["d1", "f1"], islands: 1, points: 2 },
  { code: "reaches", by: "f1", bridge: "d1-f1", cell: "d1", islands: 1 },
  { code: "reaches", by: "f1", bridge: "d1-f1", cell: "d1", islands: 0 },
  { code: "reaches", by: "d1,f1", bridge: "d1-f1", cell: "d1", islands: 0 },
  { code: "cuts", by: "c3", bridge: "b3-d3" },
  { code: "crowds", by: "c2", cell: "a2", left: 4 },
  { code: "crowds", by: "c2", cell: "a2", left: 1 },
  { code: "closes", by: "b3-c5", count: 2, left: 60 },
  { code: "closes", by: "b3-d3", count: 1, left: 1 },
  { code: "tempo", by: "b3-d3" },
  { code: "supply", by: "b3-d3", left: 2 },
  { code: "supply", by: "b3-d3", left: 1 },
  { code: "supply", by: "b3-d3", left: 0 },
  { code: "centre", by: "e5" },
  { code: "space", by: "e5", free: 11 },
  { code: "space", by: "e5", free: 1 },
  { code: "waits", by: "a1,b1", target: { cell: "d4" }, points: 1 },
  { code: "allows", by: "a1,b1", reply: "d4-f4", why: [{ code: "joins", by: "d4-f4", player: "red", points: 1, islands: 2 }] },
  { code: "swap", by: "swap" },
  { code: "pass", by: "pass", bridges: true, ends: false },
  { code: "pass", by: "pass", bridges: false, ends: false },
  { code: "pass", by: "pass", bridges: false, ends: true },
];

/** Returns names and characters of the levels, from level 1 on, in English, German and French. */
export async function levels() {
  const source = await readFile(new URL("../../src/engine/level.rs", import.meta.url), "utf8");
  const table = source.match(/const TEXTS: .*?= \[\n(.*?)\n\];/s)[1];
  const texts = [...table.matchAll(/\(\s*"([^"]*)",\s*"([^"]*)",?\s*\)/g)].map(([, name, character]) => [name, character]);
  return Array.from({ length: texts.length / 3 }, (_, level) => texts.slice(3 * level, 3 * level + 3));
}
