// Without a browser: what people read says one thing with one word. The words are those of
// docs/glossary.md, whose last column names the ones that must not be used.

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";
import { LANGUAGES, text } from "../../crates/page/texts.js";
import { keysOf } from "./templates.mjs";

const ROOT = new URL("../../", import.meta.url);
const read = (path) => readFile(new URL(path, ROOT), "utf8");

/** The files under a folder whose names end with one of the extensions. */
async function under(folder, ...extensions) {
  const entries = await readdir(new URL(folder, ROOT), { recursive: true });
  return entries.filter((name) => extensions.some((end) => name.endsWith(end))).map((name) => folder + name);
}

/** The rejected words of the glossary, per language: everywhere, and on the page only. */
async function rejected() {
  const words = LANGUAGES.map(() => ({ everywhere: [], page: [] }));
  for (const line of (await read("docs/glossary.md")).split("\n")) {
    const cells = line.split("|").map((cell) => cell.trim());
    if (!line.startsWith("|") || /^-+$/.test(cells[1]) || cells.at(-2) === "not") continue;
    cells.at(-2).split(";").forEach((list, language) => {
      for (const word of list.split(",").map((word) => word.trim()).filter(Boolean)) {
        const own = word.match(/^\*(.+)\*$/)?.[1];
        words[language][own ? "page" : "everywhere"].push(own ?? word);
      }
    });
  }
  return words;
}

/** Finds whole words, in the plural too. A word with a capital is a noun of German. */
function finder(words) {
  const forms = words.map((word) => word.replace(/ /g, "\\s+"));
  return new RegExp(`(?<![\\p{L}\\d_-])(?:${forms.join("|")})(?:s|es|e|n|en)?(?![\\p{L}\\d_])`, "iu");
}

/** What a document says, without code. */
const prose = (document) => document.replace(/^```.*?^```/gms, "").replace(/`[^`\n]*`/g, "").replace(/\]\([^)]*\)/g, "]").replace(/<[^>]*>/g, "");

/** The strings and the documentation in a source without its tests. */
function spoken(source) {
  const own = source.split("#[cfg(test)]")[0];
  const strings = [...own.matchAll(/"((?:[^"\\\n]|\\.|\\\n)*)"/g)].map(([, string]) => string).filter((string) => / /.test(string));
  const docs = [...own.matchAll(/^\s*\/\/[/!] ?(.*)$/gm)].map(([, line]) => line.replace(/`[^`]*`/g, ""));
  return [...strings, docs.join("\n").replace(/```.*?```/gs, "").replace(/\[[^\]]*\]/g, "")].join("\n");
}

test("the page says one thing with one word, in three languages", async () => {
  const words = await rejected();
  assert.ok(words.every(({ everywhere }) => everywhere.length > 5), "the glossary has no words to reject");
  const stories = [...JSON.parse(await read("crates/play/src/lessons.json")), ...JSON.parse(await read("crates/play/src/games.json"))];
  const keys = await keysOf();
  const found = [];
  LANGUAGES.forEach((language, index) => {
    const wrong = finder([...words[index].everywhere, ...words[index].page]);
    const check = (where, said) => wrong.test(said) && found.push(`${where} (${language}): ${said.match(wrong)[0]}: ${said}`);
    for (const key of keys) check(key, text(language, key));
    const walk = (where, value) => {
      if (typeof value?.[language] === "string") check(where, value[language]);
      else if (value && typeof value === "object") for (const [name, part] of Object.entries(value)) walk(`${where}.${name}`, part);
    };
    for (const story of stories) walk(story.id, story);
  });
  assert.deepEqual(found, []);
});

test("documents and messages use the words of the glossary", async () => {
  const [english] = await rejected();
  const wrong = finder(english.everywhere);
  const documents = ["README.md", "protocol.md", "CONTRIBUTING.md", "CHANGELOG.md", "tests/README.md", "openings/README.md", ...await under("docs/", ".md")];
  const sources = [...await under("src/", ".rs"), ...await under("crates/", ".rs")].filter((path) => !/\/tests?[/.]|crates\/testing/.test(path));
  assert.ok(documents.length > 20 && sources.length > 150);
  const found = [];
  const check = (path, said) => {
    for (const line of said.split("\n")) if (wrong.test(line)) found.push(`${path}: ${line.match(wrong)[0]}: ${line.trim()}`);
  };
  for (const path of documents.filter((path) => !path.endsWith("glossary.md"))) check(path, prose(await read(path)));
  for (const path of sources) check(path, spoken(await read(path)));
  assert.deepEqual(found, []);
});

test("a rejected word is found wherever it stands", () => {
  const wrong = finder(["stone", "not legal"]);
  for (const said of ["a stone", "Stones.", "it is not legal:", "(stone)", "not\nlegal"]) assert.match(said, wrong);
  for (const said of ["milestone", "a legal move", "cornerstones", "stone-dead".replace("stone", "rock")]) assert.doesNotMatch(said, wrong);
});
