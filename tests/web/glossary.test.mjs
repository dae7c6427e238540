// Without a browser: texts for people use one word for one thing. The words are those of
// docs/glossary.md, whose last column names the rejected ones.

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";
import { LANGUAGES, text } from "../../crates/page/texts.js";
import { keysOf, levels } from "./templates.mjs";

const ROOT = new URL("../../", import.meta.url);
const read = (path) => readFile(new URL(path, ROOT), "utf8");

/** Returns the files in a folder, at any depth, with one of the extensions. */
async function filesIn(folder, ...extensions) {
  const entries = await readdir(new URL(folder, ROOT), { recursive: true });
  return entries.filter((name) => extensions.some((end) => name.endsWith(end))).map((name) => folder + name);
}

/** Returns the rejected words of the glossary, per language: everywhere, and on the page only. */
async function rejectedWords() {
  const words = LANGUAGES.map(() => ({ everywhere: [], page: [] }));
  for (const line of (await read("docs/glossary.md")).split("\n")) {
    const cells = line.split("|").map((cell) => cell.trim());
    if (!line.startsWith("|") || /^-+$/.test(cells[1]) || cells.at(-2) === "not") continue;
    cells.at(-2).split(";").forEach((list, language) => {
      for (const word of list.split(",").map((word) => word.trim()).filter(Boolean)) {
        const italic = word.match(/^\*(.+)\*$/)?.[1];
        words[language][italic ? "page" : "everywhere"].push(italic ?? word);
      }
    });
  }
  return words;
}

/** Creates a search for whole words, plurals too, in any case; abbreviations in capitals. */
function createFinder(words) {
  const form = (word) => (/y$/.test(word) ? `(?:${word}|${word.slice(0, -1)}ies)` : `${word}(?:s|es|e|n|en|x)?`).replace(/ /g, "\\s+");
  const patternOf = (some, flags) => (some.length
    ? new RegExp(`(?<![\\p{L}\\d_-])(?:${some.map(form).join("|")})(?![\\p{L}\\d_])`, flags)
    : /$^/);
  const isShort = (word) => word === word.toUpperCase();
  const [short, long] = [patternOf(words.filter(isShort), "u"), patternOf(words.filter((word) => !isShort(word)), "iu")];
  return (sentence) => (sentence.match(long) ?? sentence.match(short))?.[0];
}

/** Returns the text of a document without code, links and tags. */
const prose = (document) => document
  .replace(/^```.*?^```/gms, "").replace(/`[^`\n]*`/g, "")
  .replace(/\]\([^)]*\)/g, "]").replace(/<[^>]*>/g, "");

/** A comment, a string or a character of Rust. */
const TOKEN = /\/\/[^\n]*|\/\*.*?\*\/|b?r(#*)"(?<raw>.*?)"\1|b?"(?<string>(?:[^"\\]|\\.)*)"|b?'(?:[^'\\\n]|\\[^\n]{1,9}?)'/gsu;

/** Returns the start and the end of each part of a Rust source that is compiled only for tests. */
function testsIn(source) {
  const code = source.replace(TOKEN, (token) => " ".repeat(token.length));
  return [...code.matchAll(/#\[cfg\((?:all\()?test\b/g)].map(({ index }) => {
    const from = index + code.slice(index).search(/[{;]/);
    let [end, depth] = [from, 0];
    do {
      depth += { "{": 1, "}": -1 }[code[end]] ?? 0;
      end += 1;
    } while (depth && end < code.length);
    return [index, end];
  });
}

/** Returns the strings and the documentation in a Rust source, without its tests. */
function textsOf(source) {
  const tests = testsIn(source);
  const tokens = [...source.matchAll(TOKEN)].filter(({ index }) => !tests.some(([from, end]) => from <= index && index < end));
  const strings = tokens.map(({ groups }) => groups.raw ?? groups.string?.replace(/\\\n\s*/g, "").replace(/\\[nt]/g, "\n")).filter(Boolean);
  const docs = tokens.map(([token]) => token.match(/^\/\/[/!] ?(.*)/)?.[1]).filter((line) => line !== undefined);
  return [...strings, prose(docs.join("\n")).replace(/\[[^\]\n]*\]/g, "")].join("\n");
}

/** Returns the texts of a review's report: those of its document, and its script's strings. */
async function report() {
  const document = (await read("crates/page/report/report.html")).replace(/<!--.*?-->|<script.*?<\/script>|\{\{\w+\}\}/gs, "");
  const labels = [...document.matchAll(/(?:title|aria-label)="([^"]*)"/g)].map(([, label]) => label);
  const script = (await read("crates/page/report/report.js")).replace(/^\s*\/\/.*$/gm, "");
  // A single word in small letters is a name in the program: a class, an attribute, a field.
  const strings = [...script.matchAll(/"([^"\n]*)"|`([^`]*)`/g)].map(([, plain, filled]) => plain ?? filled.replace(/\$\{[^}]*\}/g, ""));
  return [document.replace(/<[^>]*>/g, ""), ...labels, ...strings.filter((string) => /^[A-Z]|\s\w/.test(string))].join("\n");
}

test("the page uses one word for one thing, in three languages", async () => {
  const words = await rejectedWords();
  assert.ok(words.every(({ everywhere }) => everywhere.length > 5), "the glossary has no words to reject");
  const stories = [...JSON.parse(await read("crates/play/src/lessons.json")), ...JSON.parse(await read("crates/play/src/games.json"))];
  const [keys, opponents, reported] = [await keysOf(), await levels(), await report()];
  assert.ok(reported.includes("The best move is"));
  assert.ok(reported.includes("White's lead"));
  const violations = [];
  LANGUAGES.forEach((language, index) => {
    const findRejected = createFinder([...words[index].everywhere, ...words[index].page]);
    const check = (where, sentence) =>
      findRejected(sentence) && violations.push(`${where} (${language}): ${findRejected(sentence)}: ${sentence}`);
    for (const key of keys) check(key, text(language, key));
    const walk = (where, value) => {
      if (typeof value?.[language] === "string") check(where, value[language]);
      else if (value && typeof value === "object") for (const [name, part] of Object.entries(value)) walk(`${where}.${name}`, part);
    };
    for (const story of stories) walk(story.id, story);
    for (const level of opponents) for (const sentence of level[index]) check("a level", sentence);
    if (language === "en") for (const line of reported.split("\n")) check("the report", line.trim());
  });
  assert.deepEqual(violations, []);
});

test("documents and messages use the words of the glossary", async () => {
  const [english] = await rejectedWords();
  const findRejected = createFinder(english.everywhere);
  const documents = [
    "README.md", "protocol.md", "CONTRIBUTING.md", "CHANGELOG.md", "tests/README.md", "openings/README.md",
    ...await filesIn("docs/", ".md"),
  ];
  const sources = [...await filesIn("src/", ".rs"), ...await filesIn("crates/", ".rs")]
    .filter((path) => !/\/tests?[/.]|crates\/testing/.test(path));
  assert.ok(documents.length > 20);
  assert.ok(sources.length > 150);
  const violations = [];
  const check = (path, sentence) => {
    for (const line of sentence.split("\n")) if (findRejected(line)) violations.push(`${path}: ${findRejected(line)}: ${line.trim()}`);
  };
  for (const path of documents.filter((path) => !path.endsWith("glossary.md"))) check(path, prose(await read(path)));
  for (const path of sources) check(path, textsOf(await read(path)));
  assert.deepEqual(violations, []);
});

test("a rejected word is found wherever it occurs", () => {
  const findRejected = createFinder(["stone", "not legal", "win probability", "AI"]);
  for (const sentence of ["a stone", "Stones.", "it is not legal:", "(stone)", "not\nlegal", "win probabilities", "two AIs"]) {
    assert.ok(findRejected(sentence), sentence);
  }
  for (const sentence of ["milestone", "a legal move", "cornerstones", "rock-stone-dead", "j’ai"]) {
    assert.equal(findRejected(sentence), undefined, sentence);
  }
});

test("the strings and the documentation of a source are read, its tests are not", () => {
  const sentence = textsOf(`
//! The first page, \`code\`.
#[cfg(test)]
use tested::Thing;
/// Says 'a' of a lifetime, see [link].
fn say<'a>(a: &'a str) -> char { print("one\\ttwo \\
    three"); print(r#"a "raw" one"#); '"' } // no documentation
#[cfg(test)]
mod tests { fn no() { print("hidden }"); } }
/// After the tests.
const END: &str = "the end";
`);
  for (const word of ["first page", "Says 'a'", "two three", 'a "raw" one', "After the tests", "the end"]) {
    assert.ok(sentence.includes(word), word);
  }
  for (const word of ["code", "no documentation", "hidden", "tested", "link"]) assert.ok(!sentence.includes(word), word);
});
