// Without a browser: the tables of texts are complete, and links are read back.

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";
import { REASONS } from "./templates.mjs";

const PAGE = new URL("../../crates/page/", import.meta.url);

/** Returns a `data:` URL of a module of the page with its imports inlined. */
async function address(name) {
  let source = await readFile(new URL(name, PAGE), "utf8");
  for (const [whole, other] of source.matchAll(/from "\.\/([\w-]+\.js)"/g)) {
    source = source.replace(whole, `from "${await address(other)}"`);
  }
  return `data:text/javascript,${encodeURIComponent(source)}`;
}
const module = async (name) => import(await address(name));

/** Returns the source of all tables of texts. */
async function texts() {
  const names = (await readdir(PAGE)).filter((name) => /^texts-\w+\.js$/.test(name));
  return (await Promise.all(names.map((name) => readFile(new URL(name, PAGE), "utf8")))).join("\n");
}

test("every text exists in three languages, with the same values", async () => {
  const { text, LANGUAGES } = await module("texts.js");
  const keys = [...(await texts()).matchAll(/^ {2}"?([\w.]+)"?: \[/gm)].map((match) => match[1]);
  assert.ok(keys.length > 150);
  assert.equal(new Set(keys).size, keys.length, "a key is defined twice");
  const valuesUsed = (language, key) => {
    const names = new Set();
    text(language, key, new Proxy({}, { get: (_, name) => names.add(name) && "" }));
    return [...names].sort();
  };
  for (const key of keys) {
    for (const language of LANGUAGES) {
      assert.ok(text(language, key).trim().length > 0, `${key} ${language}`);
      assert.deepEqual(valuesUsed(language, key), valuesUsed("en", key), `${key} ${language}`);
    }
  }
});

test("all modules of the page are loaded at once", async () => {
  const modules = new Set();
  const follow = async (name) => {
    if (modules.has(name)) return;
    modules.add(name);
    const source = await readFile(new URL(name, PAGE), "utf8");
    for (const [, other] of source.matchAll(/from "\.\/([\w-]+\.js)"/g)) await follow(other);
  };
  await follow("main.js");
  const html = await readFile(new URL("index.html", PAGE), "utf8");
  const loaded = [...html.matchAll(/<(?:link rel="modulepreload" href|script type="module" src)="assets\/([\w-]+\.js)"/g)]
    .map(([, name]) => name);
  assert.deepEqual(loaded.sort(), [...modules].sort());
});

test("an illegal move without its values is explained in the host's words", async () => {
  const { illegalText } = await module("texts.js");
  const reason = { code: "occupied", text: "d4 is occupied by a white tile" };
  assert.equal(illegalText("de", reason), reason.text);
  assert.match(illegalText("de", { ...reason, values: { cell: "d4", color: "white" } }), /d4.*Weiß/);
  assert.equal(illegalText("fr", { code: "unheard_of", text: "no" }), "no");
});

test("a link is read back as it was written", async () => {
  const { fragmentOf, listOf } = await module("files.js");
  const list = "# board: 6\n# supply: 20,7\n# pie: off\n# start: 6/6/6/6/6/w4r w - -\na2,b3\nc1-d3\npass\n";
  assert.equal(listOf(fragmentOf(list)), list);
  // At the end of a sentence.
  assert.equal(listOf(`${fragmentOf(list)}).`), list);
  assert.equal(listOf("#g=%zz"), null);
  assert.equal(listOf("#other"), null);
});

/** Returns a sentence with plain hyphens in its bridges. */
const plain = (sentence) => sentence.replaceAll("\u2060–\u2060", "-");

test("every reason is a whole sentence in three languages", async () => {
  const { purposeText, LANGUAGES } = await module("texts.js");
  const source = await texts();
  const sentences = new Set();
  for (const reason of REASONS) {
    for (const language of LANGUAGES) {
      const sentence = plain(purposeText(language, [{ player: "white", ...reason }]));
      assert.match(sentence, /^\S.*\.$/, `${language} ${JSON.stringify(reason)}`);
      assert.doesNotMatch(sentence, /purpose\.|undefined|null|\{|  /, sentence);
      assert.ok(reason.code === "pass" || reason.code === "swap" || reason.code === "waits" || sentence.includes(reason.by), sentence);
      if (language === "en") sentences.add(sentence);
    }
  }
  assert.equal(sentences.size, REASONS.length, "two forms say the same");
  // The codes are those of the program.
  const codes = new Set(REASONS.map(({ code }) => code));
  const aims = await readFile(new URL("../../src/analysis/purpose/aim.rs", import.meta.url), "utf8");
  const variants = aims.match(/pub enum Aim \{\n(.*?)\n\}/s)[1].matchAll(/^ {4}(\w+)(?: \{|,)/gm);
  const aimCodes = [...variants].map((match) => match[1].toLowerCase());
  assert.ok(aimCodes.length > 20);
  assert.deepEqual(aimCodes.filter((code) => !codes.has(code)), []);
  assert.ok(source.includes('"purpose.joins"'));
});

test("two purposes are two sentences, and a target that can wait begins its own", async () => {
  const { purposeText } = await module("texts.js");
  const why = [
    { code: "stops", by: "c5", player: "white", bridge: "d1-f1", points: 3 },
    { code: "waits", by: "c5,e5", player: "white", target: { cell: "a1" }, points: 1 },
  ];
  assert.equal(
    plain(purposeText("en", why)),
    "c5 stops Red’s bridge d1-f1, worth 3 points. The island at a1, worth 1 point, can wait: Red cannot prevent it.");
  assert.match(
    plain(purposeText("de", why)),
    /^c5 verhindert die Brücke d1-f1 von Rot; sie war 3 Punkte wert\. Die Insel bei a1, 1 Punkt wert, kann warten/);
  assert.equal(purposeText("en", []), "");
});

test("a fifth tile of an island is called the fifth", async () => {
  const { illegalText } = await module("texts.js");
  const values = { cell: "c2", island: "b2" };
  assert.match(illegalText("en", { code: "touches_island", values: { ...values, beside: true } }), /fifth/);
  assert.doesNotMatch(illegalText("en", { code: "touches_island", values: { ...values, beside: false } }), /fifth/);
});
