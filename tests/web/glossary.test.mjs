// Without a browser: what people read says one thing with one word. The words are those of
// docs/glossary.md, whose last column names the ones that must not be used.

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";
import { LANGUAGES, text } from "../../crates/page/texts.js";
import { keysOf, levels } from "./templates.mjs";

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

/** Finds whole words, in the plural too, in any case; abbreviations only in capitals. */
function finder(words) {
  const form = (word) => (/y$/.test(word) ? `(?:${word}|${word.slice(0, -1)}ies)` : `${word}(?:s|es|e|n|en|x)?`).replace(/ /g, "\\s+");
  const either = (some, flags) => (some.length ? new RegExp(`(?<![\\p{L}\\d_-])(?:${some.map(form).join("|")})(?![\\p{L}\\d_])`, flags) : /$^/);
  const isShort = (word) => word === word.toUpperCase();
  const [short, long] = [either(words.filter(isShort), "u"), either(words.filter((word) => !isShort(word)), "iu")];
  return (said) => (said.match(long) ?? said.match(short))?.[0];
}

/** What a document says, without code. */
const prose = (document) => document.replace(/^```.*?^```/gms, "").replace(/`[^`\n]*`/g, "").replace(/\]\([^)]*\)/g, "]").replace(/<[^>]*>/g, "");

/** A comment, a string or a character of Rust. */
const TOKEN = /\/\/[^\n]*|\/\*.*?\*\/|b?r(#*)"(?<raw>.*?)"\1|b?"(?<string>(?:[^"\\]|\\.)*)"|b?'(?:[^'\\\n]|\\[^\n]{1,9}?)'/gsu;

/** The parts of a source that are compiled only for tests, each as its start and its end. */
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

/** The strings and the documentation in a source of Rust without its tests. */
function spoken(source) {
  const tests = testsIn(source);
  const own = [...source.matchAll(TOKEN)].filter(({ index }) => !tests.some(([from, end]) => from <= index && index < end));
  const strings = own.map(({ groups }) => groups.raw ?? groups.string?.replace(/\\\n\s*/g, "").replace(/\\[nt]/g, "\n")).filter(Boolean);
  const docs = own.map(([token]) => token.match(/^\/\/[/!] ?(.*)/)?.[1]).filter((line) => line !== undefined);
  return [...strings, prose(docs.join("\n")).replace(/\[[^\]\n]*\]/g, "")].join("\n");
}

/** What the report of a review says: the text of its document, and its script's strings. */
async function report() {
  const document = (await read("crates/page/report/report.html")).replace(/<!--.*?-->|<script.*?<\/script>|\{\{\w+\}\}/gs, "");
  const labels = [...document.matchAll(/(?:title|aria-label)="([^"]*)"/g)].map(([, label]) => label);
  const script = (await read("crates/page/report/report.js")).replace(/^\s*\/\/.*$/gm, "");
  // A word in small letters is a name for the program: a class, an attribute, a field.
  const strings = [...script.matchAll(/"([^"\n]*)"|`([^`]*)`/g)].map(([, plain, filled]) => plain ?? filled.replace(/\$\{[^}]*\}/g, ""));
  return [document.replace(/<[^>]*>/g, ""), ...labels, ...strings.filter((string) => /^[A-Z]|\s\w/.test(string))].join("\n");
}

test("the page says one thing with one word, in three languages", async () => {
  const words = await rejected();
  assert.ok(words.every(({ everywhere }) => everywhere.length > 5), "the glossary has no words to reject");
  const stories = [...JSON.parse(await read("crates/play/src/lessons.json")), ...JSON.parse(await read("crates/play/src/games.json"))];
  const [keys, opponents, reported] = [await keysOf(), await levels(), await report()];
  assert.ok(reported.includes("The best move is") && reported.includes("White's lead"));
  const found = [];
  LANGUAGES.forEach((language, index) => {
    const wrong = finder([...words[index].everywhere, ...words[index].page]);
    const check = (where, said) => wrong(said) && found.push(`${where} (${language}): ${wrong(said)}: ${said}`);
    for (const key of keys) check(key, text(language, key));
    const walk = (where, value) => {
      if (typeof value?.[language] === "string") check(where, value[language]);
      else if (value && typeof value === "object") for (const [name, part] of Object.entries(value)) walk(`${where}.${name}`, part);
    };
    for (const story of stories) walk(story.id, story);
    for (const level of opponents) for (const said of level[index]) check("a level", said);
    if (language === "en") for (const line of reported.split("\n")) check("the report", line.trim());
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
    for (const line of said.split("\n")) if (wrong(line)) found.push(`${path}: ${wrong(line)}: ${line.trim()}`);
  };
  for (const path of documents.filter((path) => !path.endsWith("glossary.md"))) check(path, prose(await read(path)));
  for (const path of sources) check(path, spoken(await read(path)));
  assert.deepEqual(found, []);
});

test("a rejected word is found wherever it stands", () => {
  const wrong = finder(["stone", "not legal", "win probability", "AI"]);
  for (const said of ["a stone", "Stones.", "it is not legal:", "(stone)", "not\nlegal", "win probabilities", "two AIs"]) assert.ok(wrong(said), said);
  for (const said of ["milestone", "a legal move", "cornerstones", "rock-stone-dead", "j’ai"]) assert.equal(wrong(said), undefined, said);
});

test("the strings and the documentation of a source are read, its tests are not", () => {
  const said = spoken(`
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
  for (const word of ["first page", "Says 'a'", "two three", 'a "raw" one', "After the tests", "the end"]) assert.ok(said.includes(word), word);
  for (const word of ["code", "no documentation", "hidden", "tested", "link"]) assert.ok(!said.includes(word), word);
});
