// Without a browser: every template of the page, filled with a pass, a swap, one, many and
// the longest values, is a sentence in three languages.

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";
import { LANGUAGES, moveName, moveText, text } from "../../crates/page/texts.js";
import { tables } from "./templates.mjs";

const PAGE = new URL("../../crates/page/", import.meta.url);
const ALL = Object.assign({}, ...await tables());
const namesIn = (form) => [...form.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);

/** What stands for a move or a player, in turn. */
const MOVES = new Set(["move", "best", "played", "reply", "by"]);
const PLAYERS = new Set(["player", "winner", "loser", "opponent", "color", "to_move"]);

/** Values for every name: each time of one kind. */
const KINDS = {
  pass: (name) => (MOVES.has(name) ? "pass" : PLAYERS.has(name) ? "white" : "2"),
  swap: (name) => (MOVES.has(name) ? "swap" : PLAYERS.has(name) ? "red" : "3"),
  many: (name) => (MOVES.has(name) ? "d4,e6" : PLAYERS.has(name) ? "white" : "20"),
  longest: (name) => (MOVES.has(name) ? "k11-l12" : PLAYERS.has(name) ? "white" : "199"),
};

/** Sentences begin with a capital or with what a value brings; parts of sentences and lists do not. */
const PARTS = /^(theme\.|target|does\.|part|cell|cost|passMove|swapMove|point(One|Many)|value|puzzleDue|puzzlesDue|puzzleRating|puzzleSolved|puzzleTurns|solved|visits|inaccuracy$|mistake$|blunder$|chances$|network|depth|explorerRow|doorResumeText|puzzleStreak|puzzleProgress|reviewProgress|exercise|opponentFull$|mended\.|unread\.|level\d|.*Short$|warn|gameHere|unfinished)/;

test("every template is whole in three languages, whatever fills it", () => {
  const found = [];
  for (const [key, forms] of Object.entries(ALL)) {
    const names = namesIn(forms[0]).sort();
    forms.forEach((form, index) => assert.deepEqual(namesIn(form).sort(), names, `${key}: ${LANGUAGES[index]} has other values`));
    for (const language of LANGUAGES) {
      for (const [kind, value] of Object.entries(KINDS)) {
        const said = text(language, key, Object.fromEntries(names.map((name) => [name, value(name)])));
        const wrong = (what) => found.push(`${key} (${language}, ${kind}): ${what}: ${said}`);
        if (/[{}]|undefined|\bnull\b|NaN/.test(said)) wrong("not filled");
        if (/ {2}|(?<!\.)\.\.(?!\.)|\s[.,]/.test(said)) wrong("spaces or stops");
        if (!PARTS.test(key) && /^\p{Ll}/u.test(said) && !/^\{(?!player|winner|loser)/.test(forms[LANGUAGES.indexOf(language)])) wrong("no capital");
        if (/['"](?!\w*=)/.test(said.replace(/^".*"$/, ""))) wrong("typewriter quotation marks");
        if (language === "fr" && /[^\s\u00a0\u202f.…?!][:;?!»]|«\S/.test(said.replace(/https?:/g, ""))) wrong("no space before : ; ? ! »");
        if (language === "en" && /\d %/.test(said)) wrong("a space before %");
      }
    }
  }
  assert.deepEqual(found, []);
});

/** A noun that must be singular after 1. */
const PLURALS = {
  en: /\b1 (?!\w+ss\b)\w+s\b/,
  de: /\b1 (?:Punkten|Punkte|Züge|Zügen|Stellungen|Partien|Brücken|Inseln|Steine|Felder|Aufgaben|Lektionen|Sekunden)\b/,
  fr: /\b1 (?!fois\b)\w+s\b/,
};

test("one is singular", () => {
  const found = [];
  // Names, not numbers; and numbers that are decimals, totals, or have a form of their own.
  const never = new Set(["cell", "ends", "engine", "name", "share", "total", "points", "left", "supply", "tiles", "games", "islands", "lost", "ways", "free", "milliseconds", "best"]);
  // What is said only of several: the form for one is another key.
  const several = new Set(["does.closes", "does.completesMany", "puzzleHowTurns", "puzzleTurns", "valuePoints"]);
  for (const [key, forms] of Object.entries(ALL).filter(([key]) => !several.has(key))) {
    for (const name of namesIn(forms[0]).filter((name) => !MOVES.has(name) && !PLAYERS.has(name) && !never.has(name))) {
      LANGUAGES.forEach((language) => {
        const values = Object.fromEntries(namesIn(forms[0]).map((each) => [each, MOVES.has(each) ? "d4,e6" : PLAYERS.has(each) ? "red" : each === name ? "1" : "7"]));
        const said = text(language, key, values);
        if (PLURALS[language].test(said)) found.push(`${key} (${language}, ${name}): ${said}`);
      });
    }
  }
  assert.deepEqual(found, []);
});

/** The keys on buttons: of the page's document and of the elements that scripts make. */
async function buttons() {
  const html = await readFile(new URL("index.html", PAGE), "utf8");
  const keys = [...html.matchAll(/<button\b[^>]*\bdata-text="([\w.]+)"/g)].map(([, key]) => key);
  for (const name of (await readdir(PAGE)).filter((name) => name.endsWith(".js"))) {
    const source = await readFile(new URL(name, PAGE), "utf8");
    for (const [, key] of source.matchAll(/element\("button", \{[^}]*"data-text": "([\w.]+)"/g)) keys.push(key);
  }
  return [...new Set(keys)];
}

/** The longest label that fits a button on a phone of 320 pixels. */
const LONGEST = 24;

test("the labels of buttons fit a phone", async () => {
  const keys = await buttons();
  assert.ok(keys.length > 40, `${keys.length} buttons`);
  const long = keys.flatMap((key) => LANGUAGES.map((language) => `${key} (${language}): ${text(language, key, { level: 10 })}`).filter((_, n) => text(LANGUAGES[n], key, { level: 10 }).length > LONGEST));
  assert.deepEqual(long, []);
});

test("a pass and a swap are words in sentences and short in lists", () => {
  for (const language of LANGUAGES) {
    for (const move of ["pass", "swap"]) {
      assert.match(text(language, "hintSays", { move, does: "" }), /^\p{Lu}/u);
      assert.notEqual(moveText(language, move), move);
      assert.ok(moveName(language, move).length <= 10, moveName(language, move));
    }
  }
});
