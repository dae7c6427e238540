// Without a browser: every template of the page, filled with a pass, a swap, one, many and
// the longest values, is a sentence in three languages. Also the texts of lessons and games.

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";
import {
  LANGUAGES, purposeText, messageText, moveName, moveText, percent, illegalText, resultText, text,
  typeset, valueText,
} from "../../crates/page/texts.js";
import { REASONS, levels, tables } from "./templates.mjs";

const PAGE = new URL("../../crates/page/", import.meta.url);
const PLAY = new URL("../../crates/play/src/", import.meta.url);
const ALL = Object.assign({}, ...await tables());
const LEVELS = await levels();
const STORIES = JSON.parse(await readFile(new URL("lessons.json", PLAY), "utf8"));
const GAMES = JSON.parse(await readFile(new URL("games.json", PLAY), "utf8"));
const namesIn = (form) => [...form.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
const longest = (texts) => texts.reduce((best, each) => (each.length > best.length ? each : best), "");
const sentenceOf = (why, language) => purposeText(language, [{ player: "white", ...why }]);

/** The placeholders for moves, and those for players. */
const MOVES = new Set(["move", "best", "played", "reply", "by"]);
const PLAYERS = new Set(["player", "winner", "loser", "color", "to_move"]);

/** The longest text for each placeholder. */
const LONG = {
  cell: () => "l12", tile: () => "l12", island: () => "l12", at: () => "l12",
  from: () => "k12", to: () => "l12", a: () => "k12", b: () => "l12",
  bridge: () => "k10-l12", ends: () => "k10-l12",
  other: (language, key) => (key.startsWith("illegal.") ? "k10-l12" : LONG.thing(language)),
  example: () => "k12,l12",
  cells: (language) => new Intl.ListFormat(language, { type: "disjunction" }).format(["k11", "k12", "l11"]),
  opponent: (language, key) => (key.startsWith("purpose.") ? "white" : `${LONG.engine(language)} (10)`),
  engine: (language) => longest(LEVELS.map((level) => level[LANGUAGES.indexOf(language)][0])),
  thing: (language) => longest(["targetBridge", "targetBridges", "targetIsland"].map((key) =>
    text(language, key, { bridge: "k10-l12", cell: "l12" }))),
  worth: (language) => text(language, "pointMany", { points: 199 }),
  purpose: (language) => longest(REASONS.map((why) => sentenceOf(why, language))),
  cost: (language) => text(language, "warnPoints", { points: 199 }),
  why: (language) => longest(Object.keys(ALL).filter((key) => key.startsWith("illegal.")).map((key) => fill(key, language, "longest"))),
  mended: (language) => longest(Object.keys(ALL).filter((key) => key.startsWith("mended.")).map((key) => text(language, key))),
  theme: (language) => longest(Object.keys(ALL).filter((key) => key.startsWith("theme.")).map((key) => text(language, key))),
  share: (language) => percent(language, 1, 1), winrate: (language) => percent(language, 1), percent: () => "99",
  value: (language, key) => (key === "explorerRow" ? LONG.share(language) : LONG.result(language)),
  result: (language) => longest(["W+199", "R+i1", "W+b1", "0"].map((value) => valueText(language, value))),
  before: (language) => LONG.result(language), after: (language) => LONG.result(language),
  title: (language) => longest(STORIES.map(({ title }) => title[language])),
  date: (language) => new Intl.DateTimeFormat(language, { day: "numeric", month: "long", year: "numeric" }).format(new Date(2026, 8, 30)),
  text: () => "x9", found: () => "x9", name: () => "file.txt", game: () => "11",
};

/** A value for a placeholder, by kind of value. */
const KINDS = {
  pass: (name, language, key) => (MOVES.has(name) ? "pass" : PLAYERS.has(name) ? "white" : LONG[name]?.(language, key) ?? "2"),
  swap: (name, language, key) => (MOVES.has(name) ? "swap" : PLAYERS.has(name) ? "red" : LONG[name]?.(language, key) ?? "3"),
  one: (name, language, key) => (
    MOVES.has(name) ? "d4"
      : PLAYERS.has(name) ? "red"
      : name === "worth" ? text(language, "pointOne")
      : LONG[name]?.(language, key) ?? "1"),
  many: (name, language, key) => (MOVES.has(name) ? "d4,e6" : PLAYERS.has(name) ? "white" : LONG[name]?.(language, key) ?? "20"),
  longest: (name, language, key) => (MOVES.has(name) ? "k10-l12" : PLAYERS.has(name) ? "white" : LONG[name]?.(language, key) ?? "199"),
  // A hint or a mistake may have no reason that can be told.
  untold: (name, language, key) => (name === "purpose" ? "" : KINDS.many(name, language, key)),
};

const fill = (key, language, kind) =>
  text(language, key, Object.fromEntries(namesIn(ALL[key][0]).map((name) => [name, KINDS[kind](name, language, key)])));

/** Returns the problems of a sentence that a rule for all texts can find. */
function problemsIn(sentence, language) {
  const problems = [];
  const reject = (pattern, problem) => pattern.test(sentence) && problems.push(problem);
  reject(/[{}]|undefined|\bnull\b|NaN|\[object/, "not filled");
  reject(/ {2}|^\s|\s$|(?<!\.)\.\.(?!\.)|[!?:]\.|\s[.,]|\.{3}/, "spaces or stops");
  reject(/['"]|´|`/, "typewriter quotation marks");
  reject({ en: /[„«»]/, de: /”|[«»]/, fr: /[“”„]/ }[language], "quotation marks of another language");
  // A sentence that ends is followed by another one that does.
  reject(/(?<!\d)[.?!] \p{Lu}(?!.*[.?!:…]$)/u, "no stop at the end");
  if (language === "fr") reject(/[^\u00a0?!…][:;?!»]|«[^\u00a0]/, "no space, or one that breaks, before : ; ? ! » or after «");
  else reject(/\s[:;?!]/, "a space before : ; ? !");
  reject(language === "en" ? /\d\s%/ : /\d%/, "the space before %");
  return problems;
}

/** Nouns, adjectives and verbs that do not go with 1. A decimal has a point or a comma. */
const PLURALS = {
  en: /(?<![\p{L}\d.,]|\+ )1 (?:(?!(?:points?|island|cell|bridge|tile|game|turn|move)\b)\p{Ll}+ )?(?:\p{Ll}+s|are)\b/u,
  de: /(?<![\p{L}\d.,]|\+ )1 (?!(?:Punkt|Insel|Feld|Brücke|Stein|Partie|Zug|Weg)\b)(?:\p{Lu}\p{Ll}+|andere|bleiben)/u,
  fr: /(?<![\p{L}\d.,]|\+ )[01](?:,\d)? (?!(?:fois|sur|plus)\b)\p{Ll}+[sx]\b/u,
};
const isPlural = (sentence, language) => PLURALS[language].test(sentence);

/** Placeholders that are never 1: another key has the singular, or 1 cannot occur. */
const SEVERAL = {
  "purpose.completesMany": ["count"], "purpose.hinders": ["left"],
  "purpose.hindersMany": ["lost", "left"], "purpose.hindersBridge": ["left"],
  "purpose.joins": ["islands"], "purpose.preparesMany": ["ways"], "purpose.reachesIslands": ["islands"], "purpose.crowds": ["left"],
  "purpose.closes": ["count"], "purpose.space": ["free"], "purpose.supply": ["left"],
  network: ["islands", "points"], pointMany: ["points"], valuePoints: ["count"],
  puzzleTurns: ["count"], puzzleHowTurns: ["count"], explorerNote: ["games"],
  // More than four.
  "illegal.group_too_large": ["tiles"],
};
/** Points with a decimal, which is plural in English and German. */
const DECIMALS = new Set(["mistakeCost", "retry.better", "retry.worse", "cost", "warnPoints"]);

/** Parts of sentences and of lists, which begin with a small letter. */
const PARTS = new RegExp([
  /^(?:theme\.|part[A-Z]|target|cost)/,
  /^(?:pass|swap)(?:Move|Short)$/,
  /^puzzle(?:Due|DueCount|Rating|Solved)$/,
  /^(?:gameHere|unfinished|valueDraw|solved|visits|inaccuracy|mistake|blunder|winRate|opponentFull)$/,
].map(({ source }) => source).join("|"));

test("every template is a whole sentence in three languages, whatever fills it", () => {
  const failures = [];
  for (const [key, forms] of Object.entries(ALL)) {
    const names = namesIn(forms[0]).sort();
    forms.forEach((form, index) => {
      const language = LANGUAGES[index];
      assert.deepEqual(namesIn(form).sort(), names, `${key}: ${language} has other values`);
      for (const kind of names.length ? Object.keys(KINDS) : ["one"]) {
        const sentence = fill(key, language, kind);
        const problems = problemsIn(sentence, language);
        // A cell, a file or a number may begin a sentence as it is.
        const opening = form.match(/^\{(\w+)\}/)?.[1];
        const isOpen = opening && !PLAYERS.has(opening) && !(MOVES.has(opening) && ["pass", "swap"].includes(kind));
        if (!PARTS.test(key) && !isOpen && /^\p{Ll}/u.test(sentence)) problems.push("no capital");
        failures.push(...problems.map((problem) => `${key} (${language}, ${kind}): ${problem}: ${sentence}`));
      }
    });
  }
  assert.deepEqual(failures, []);
});

test("every reason is a whole sentence, also beside others and in a message", () => {
  const failures = [];
  for (const language of LANGUAGES) {
    const check = (sentence) => failures.push(...problemsIn(sentence, language).map((problem) => `${language}: ${problem}: ${sentence}`),
      ...(isPlural(sentence, language) ? [`${language}: a plural: ${sentence}`] : []));
    for (const why of REASONS) {
      for (const player of ["white", "red"]) check(purposeText(language, [{ player, ...why }, { player, ...REASONS[0] }]));
      for (const key of ["hint.move", "retry.best", "tacticShown"]) {
        check(messageText(language, { key, values: { move: "pass" }, why: [{ player: "red", ...why }] }));
      }
    }
    for (const value of ["W+1", "R+2", "W+199", "R+i", "W+b2", "0"]) check(valueText(language, value));
    for (const by of ["score", "resignation", "time", "forfeit", "agreement"]) {
      check(resultText(language, { winner: by === "agreement" ? "draw" : "red", text: "R+1", by }));
    }
    const beside = { cell: "c2", island: "b2", beside: true };
    assert.equal(
      illegalText(language, { code: "touches_island", values: beside }),
      text(language, "illegal.touches_island.beside", beside));
  }
  assert.deepEqual(failures, []);
});

test("one is singular", () => {
  const failures = [];
  for (const [key, forms] of Object.entries(ALL)) {
    const names = namesIn(forms[0]);
    const several = SEVERAL[key] ?? [];
    assert.ok(several.every((name) => names.includes(name)), `${key} has no ${several}`);
    for (const language of LANGUAGES) {
      const value = (name) => (
        several.includes(name) ? "7"
          : DECIMALS.has(key) && name === "points" ? { en: "1.0" }[language] ?? "1,0"
          : KINDS.one(name, language, key));
      const sentence = text(language, key, Object.fromEntries(names.map((name) => [name, value(name)])));
      if (isPlural(sentence, language)) failures.push(`${key} (${language}): ${sentence}`);
    }
  }
  assert.deepEqual(failures, []);
  for (const [language, sentence] of [
    ["en", "1 turns"], ["en", "1 are left"], ["en", "has 1 tiles on"], ["en", "1 other bridges"],
    ["de", "mit 1 Punkten"], ["de", "1 Züge"], ["de", "1 bleiben"],
    ["fr", "1 coups"], ["fr", "1,5 points"], ["fr", "1 réseaux"],
  ]) {
    assert.ok(isPlural(sentence, language), sentence);
  }
  for (const [language, sentence] of [
    ["en", "by 1 point"], ["en", "1.0 points"], ["en", "21 turns"],
    ["de", "mit 1 Punkt"], ["de", "1,0 Punkte"],
    ["fr", "1 fois"], ["fr", "d’1 point"],
  ]) {
    assert.ok(!isPlural(sentence, language), sentence);
  }
});

/** The sources of the page's modules, and its documents. */
async function sources(...ends) {
  const names = (await readdir(PAGE)).filter((name) => ends.some((end) => name.endsWith(end)) && !name.startsWith("texts"));
  return Promise.all(names.map((name) => readFile(new URL(name, PAGE), "utf8")));
}

test("every text that the page asks for exists, and every text is asked for", async () => {
  const source = (await sources(".js", ".html")).join("\n")
    + (await readFile(new URL("texts.js", PAGE), "utf8"))
    + (await readFile(new URL("site/worker.js", PAGE), "utf8"));
  const asked = /\b(?:say|heard|tell|showNote|text\(language|ask|note)\(\s*"([\w.]+)"/g;
  const shown = /data-(?:text|label|tooltip)"?[=:] ?"([\w.]+)"/g;
  const askedKeys = [asked, shown].flatMap((pattern) => [...source.matchAll(pattern)].map(([, key]) => key));
  assert.ok(askedKeys.length > 200);
  // Kinds of messages, not keys.
  const kinds = new Set(["info", "error", "hidden"]);
  assert.deepEqual([...new Set(askedKeys)].filter((key) => !ALL[key] && !kinds.has(key)), []);
  const literals = new Set([...source.matchAll(/["`]([\w.]+)["`]/g)].map(([, name]) => name));
  // Keys composed of a prefix and a code of the host.
  const prefixes = /^(?:mended|unreadable|offer|keyName|illegal|theme|kind|passed|purpose|retry)\./;
  const composed = /^(?:door\w+Text|(?:pass|swap)(?:Move|Short)|difficulty\d|progress(?:Lessons|Puzzles|Rating|Streak))$/;
  assert.deepEqual(Object.keys(ALL).filter((key) => !literals.has(key) && !prefixes.test(key) && !composed.test(key)), []);
});

test("before its scripts run, the document says the same in English", async () => {
  const failures = [];
  for (const name of ["index.html", "rules.html"]) {
    const html = await readFile(new URL(name, PAGE), "utf8");
    for (const [, , key, sentence] of html.matchAll(/<(\w+)\b[^>]*\bdata-text="([\w.]+)"[^>]*>([^<]+)<\/\1>/g)) {
      if (sentence !== text("en", key)) failures.push(`${name}: ${key}: ${sentence}`);
    }
  }
  assert.deepEqual(failures, []);
});

/** The keys on buttons: of the page's document, and of the elements that scripts make and change. */
async function buttons() {
  const [html] = [(await sources(".html")).join("\n")];
  const keys = [...html.matchAll(/<(?:button\b|a\b[^>]*class="[^"]*\bbutton\b)[^>]*\bdata-text="([\w.]+)"/g)].map(([, key]) => key);
  const ids = new Set([...html.matchAll(/<button\b[^>]*\bid="([\w-]+)"/g)].map(([, id]) => id));
  for (const source of await sources(".js")) {
    const own = new Set([...source.matchAll(/const (\w+) = (?:element\("button"|button\(|byId\("([\w-]+)"\))/g)]
      .filter(([, , id]) => !id || ids.has(id))
      .map(([, name]) => name));
    const add = (expression) => keys.push(...[...expression.matchAll(/"([\w.]+)"/g)].map(([, key]) => key).filter((key) => ALL[key]));
    for (const [, expression] of source.matchAll(/\bbutton\("[\w-]+",([^,]*)/g)) add(expression);
    for (const [, expression] of source.matchAll(/element\("(?:button|a)", \{[^}]*"data-text": ([^,]*)/g)) add(expression);
    for (const [, expression] of source.matchAll(/element\("button", \{[^}]*\btext: say\(([^)]*)\)/g)) add(expression);
    for (const [, name, id, expression] of source.matchAll(/setText\((?:(\w+)|byId\("?([\w-]+)"?\)), say\((.*)\)\);/g)) {
      if (own.has(name) || ids.has(id) || id === "id") add(expression);
    }
    // The overlays' switches, and the ways between the views.
    for (const [, expression] of source.matchAll(/\{ key: "\w+", label: ("\w+")/g)) add(expression);
    for (const [, list] of source.matchAll(/const menu = \[(.*?)\]\.map/g)) {
      for (const [, key] of list.matchAll(/\["\w+", ("\w+")\]/g)) add(key);
    }
  }
  // What to do next.
  keys.push(...Object.keys(ALL).filter((key) => /^next[A-Z]/.test(key)));
  return [...new Set(keys)];
}

/** The longest label that fits a button on a phone of 320 pixels. */
const LONGEST = 24;

test("the labels of buttons fit a phone", async () => {
  const keys = await buttons();
  for (const key of [
    "undo", "moveNow", "enginePlays", "levelUp", "levelDown", "friendAgain", "liveSend", "offerWithdraw", "reviewStop",
    "playFirst", "retryTurn", "analyze", "homeButton", "doorDaily", "rules", "nextDown",
  ]) {
    assert.ok(keys.includes(key), `${key} is on a button`);
  }
  assert.ok(keys.length > 75, `${keys.length} buttons`);
  const labels = LANGUAGES.flatMap((language) => [...keys.map((key) => [`${key} (${language})`, text(language, key, { level: 10 })]),
    ...GAMES.map(({ id, title }) => [`${id} (${language})`, title[language]])]);
  assert.deepEqual(labels.filter(([, label]) => label.length > LONGEST), []);
});

test("lessons, commented games and levels are told in whole sentences", () => {
  const failures = [];
  const check = (where, language, sentence, isTitle) => {
    const problems = problemsIn(typeset(language, sentence), language);
    // A comment may begin with a move.
    if (!/^(?:\p{Lu}|[a-l]\d|\d)/u.test(sentence)) problems.push("no capital");
    if (/[.?!]$/.test(sentence) === isTitle) problems.push(isTitle ? "a stop after a title" : "no stop");
    if (isPlural(sentence, language)) problems.push("a plural");
    failures.push(...problems.map((problem) => `${where} (${language}): ${problem}: ${sentence}`));
  };
  const walk = (where, value) => {
    if (!value || typeof value !== "object") return;
    if ("en" in value) {
      assert.deepEqual(Object.keys(value), LANGUAGES, where);
      for (const language of LANGUAGES) check(where, language, value[language], where.endsWith(".title"));
    } else for (const [name, part] of Object.entries(value)) walk(`${where}.${name}`, part);
  };
  for (const story of [...STORIES, ...GAMES]) walk(story.id, story);
  assert.equal(LEVELS.length, 10);
  LEVELS.forEach((level, number) => level.forEach(([name, character], index) => {
    check(`level ${number + 1}`, LANGUAGES[index], name, true);
    check(`level ${number + 1}`, LANGUAGES[index], character, false);
  }));
  assert.deepEqual(failures, []);
});

test("a pass and a swap are words in sentences and short in lists", () => {
  for (const language of LANGUAGES) {
    for (const move of ["pass", "swap"]) {
      assert.match(text(language, "hint.move", { move, purpose: "" }), /^\p{Lu}.*\.$/u);
      assert.notEqual(moveText(language, move), move);
      assert.ok(moveName(language, move).length <= 10, moveName(language, move));
    }
  }
});
