// The keys of the page's texts, for the tests that go through all of them.

import { readdir } from "node:fs/promises";

const PAGE = new URL("../../crates/page/", import.meta.url);

/** The tables of texts, by the names of their files. */
export async function tables() {
  const names = (await readdir(PAGE)).filter((name) => /^texts-\w+\.js$/.test(name));
  return Promise.all(names.map(async (name) => Object.values(await import(new URL(name, PAGE).href)).find((value) => typeof value === "object")));
}

export const keysOf = async () => (await tables()).flatMap((table) => Object.keys(table));
