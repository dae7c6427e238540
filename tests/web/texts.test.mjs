// Without a browser: the table of texts is complete, links are read back.

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";

const PAGE = new URL("../../src/web/page/", import.meta.url);

/** The address of a module of the page with what it imports. */
async function address(name) {
  let source = await readFile(new URL(name, PAGE), "utf8");
  for (const [whole, other] of source.matchAll(/from "\.\/([\w-]+\.js)"/g)) source = source.replace(whole, `from "${await address(other)}"`);
  return `data:text/javascript,${encodeURIComponent(source)}`;
}
const module = async (name) => import(await address(name));

/** The source of all texts. */
async function texts() {
  const names = (await readdir(PAGE)).filter((name) => /^texts-\w+\.js$/.test(name));
  return (await Promise.all(names.map((name) => readFile(new URL(name, PAGE), "utf8")))).join("\n");
}

test("every text is there in three languages with the same values", async () => {
  const { text, LANGUAGES } = await module("texts.js");
  const keys = [...(await texts()).matchAll(/^ {2}"?([\w.]+)"?: \[/gm)].map((match) => match[1]);
  assert.ok(keys.length > 150);
  assert.equal(new Set(keys).size, keys.length, "a text is there twice");
  const seen = (form) => {
    const asked = new Set();
    text(form.language, form.key, new Proxy({}, { get: (_, name) => asked.add(name) && "" }));
    return [...asked].sort();
  };
  for (const key of keys) {
    for (const language of LANGUAGES) {
      assert.ok(text(language, key).trim().length > 0, `${key} ${language}`);
      assert.deepEqual(seen({ language, key }), seen({ language: "en", key }), `${key} ${language}`);
    }
  }
});

test("a reason without its values is told in the server's words", async () => {
  const { reasonText } = await module("texts.js");
  const reason = { code: "occupied", text: "d4 is occupied by a white tile" };
  assert.equal(reasonText("de", reason), reason.text);
  assert.match(reasonText("de", { ...reason, values: { cell: "d4", color: "white" } }), /d4.*Weiß/);
  assert.equal(reasonText("fr", { code: "unheard_of", text: "no" }), "no");
});

test("a link is read back as it was written", async () => {
  const { fragmentOf, listOf } = await module("link.js");
  const list = "# board: 6\n# supply: 20,7\n# pie: off\n# start: 6/6/6/6/6/w4r w - -\na2,b3\nc1-d3\npass\n";
  assert.equal(listOf(fragmentOf(list)), list);
  assert.equal(listOf("#g=%zz"), null);
  assert.equal(listOf("#other"), null);
});
