// Looks up the texts of the page, in English, German and French, and makes whole sentences
// of them: `{name}` stands for a value. The texts themselves are in the files `texts-….js`,
// by area; the words to use are in docs/glossary.md. Other
// modules decide where and when a text is shown. Only `translate` touches the document.

import { DIALOGS } from "./texts-dialogs.js";
import { FRIEND } from "./texts-friend.js";
import { MOVES } from "./texts-moves.js";
import { PRACTICE } from "./texts-practice.js";
import { REASONS, formOf } from "./texts-reasons.js";
import { REVIEW } from "./texts-review.js";
import { RULES } from "./texts-rules.js";
import { TABLE } from "./texts-table.js";

/** In the order of each entry. */
export const LANGUAGES = ["en", "de", "fr"];

/** @type {Record<string, [string, string, string]>} */
const ALL = { ...TABLE, ...MOVES, ...REVIEW, ...REASONS, ...DIALOGS, ...FRIEND, ...PRACTICE, ...RULES };

/**
 * The text for `key` with its `values` inserted: colours and moves in words. A key that does
 * not exist is its own text, so that the mistake shows.
 * @param {string} language
 * @param {string} key
 * @param {Record<string, string|number|null|undefined>} [values]
 * @returns {string}
 */
export function text(language, key, values = {}) {
  const entry = ALL[key];
  if (!entry) return key;
  const form = typeset(language, entry[Math.max(0, LANGUAGES.indexOf(language))]);
  const filled = form.replace(/\{(\w+)\}/g, (_, name, at) => {
    const value = values[name];
    if (value === "white" || value === "red") return text(language, value);
    const said = moveText(language, String(value ?? ""));
    // A sentence may begin with a move in words.
    return at === 0 && (value === "pass" || value === "swap") ? capital(said) : said;
  });
  // A reason that cannot be told leaves a gap between two sentences.
  return filled.replace(/ {2,}/g, " ").trim();
}

/** @param {string} said */
const capital = (said) => said.charAt(0).toUpperCase() + said.slice(1);

/**
 * A text with the spaces of its language: in French, no line breaks before `: ; ? ! »` or
 * after `«`. The sources have ordinary spaces there, which are easier to type and to see.
 * @param {string} language
 * @param {string} said
 * @returns {string}
 */
export function typeset(language, said) {
  return language === "fr" ? said.replace(/ (?=[:;?!»])/g, "\u00a0").replaceAll("« ", "«\u00a0") : said;
}

/**
 * A move in a sentence: in words, or with a dash at which no line breaks.
 * @param {string} language
 * @param {string} move
 * @returns {string}
 */
export function moveText(language, move) {
  if (move === "pass" || move === "swap") return text(language, `${move}Move`);
  return move.replace(/^([a-l]\d+)-([a-l]\d+)$/, "$1\u2060–\u2060$2");
}

/**
 * A move in a list, short.
 * @param {string} language
 * @param {string} move
 * @returns {string}
 */
export function moveName(language, move) {
  return move === "pass" || move === "swap" ? text(language, `${move}Short`) : move;
}

/**
 * A date or time as the language writes it. The page's English is British.
 * @param {string} language
 * @param {Date} date
 * @param {Intl.DateTimeFormatOptions} options
 */
export function dateText(language, date, options) {
  return new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, options).format(date);
}

/**
 * A share from 0 to 1 as per cent, as the language writes it.
 * @param {string} language
 * @param {number} share
 * @param {number} [digits] after the point
 * @returns {string}
 */
export function percent(language, share, digits = 0) {
  return new Intl.NumberFormat(language, { style: "percent", minimumFractionDigits: digits, maximumFractionDigits: digits }).format(share);
}

/**
 * A number with one decimal, as the language writes it.
 * @param {string} language
 * @param {number} value
 * @returns {string}
 */
export function tenths(language, value) {
  return new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(value);
}

/**
 * What a move does, or why it is better, in sentences.
 * @param {string} language
 * @param {{code: string, by: string, player: "white"|"red", [name: string]: any}[]} why
 */
export function doesText(language, why = []) {
  return why.map((reason) => sentences(language, reason)).join(" ");
}

/**
 * A reason in one sentence or two. The tables have whole sentences, one for each form, and
 * no parts to be joined: word order, genders and plurals differ too much.
 * @param {string} language
 * @param {{code: string, [name: string]: any}} reason
 */
function sentences(language, reason) {
  const say = (key, values) => text(language, key, values);
  const { code, player, points, cell, cells = [], target, targets = [target], why, urgent } = reason;
  const thing = (each) => each && say(each.bridge ? (each.ways > 1 ? "targetBridges" : "targetBridge") : "targetIsland", each);
  const values = {
    ...reason,
    ...target,
    opponent: player === "white" ? "red" : "white",
    worth: say(points === 1 ? "pointOne" : "pointMany", { points }),
    at: code === "completes" ? cells[0] : cell,
    from: cells[0],
    to: cells[1],
    cells: new Intl.ListFormat(language, { type: "disjunction" }).format(cells),
    thing: thing(targets[0]),
    other: thing(targets[1]),
  };
  const said = say(`does.${code}${formOf(reason)}`, values);
  // A sentence may begin with what is threatened or waits.
  const whole = code === "waits" ? capital(said) : said;
  return [whole, urgent && say("does.urgent", values), why && doesText(language, why)].filter(Boolean).join(" ");
}

/**
 * Why a move is illegal: in the user's language if the reason is known and all
 * its values are present, otherwise the server's text.
 * @param {string} language
 * @param {{code?: string, text?: string, values?: object}} reason
 */
export function reasonText(language, { code, text: said, values = {} }) {
  const key = `why.${code}${values.beside ? ".beside" : ""}`;
  const named = ALL[key]?.[0].match(/\{\w+\}/g) ?? [];
  const known = ALL[key] && named.every((name) => values[name.slice(1, -1)] !== undefined);
  return known ? text(language, key, values) : said ?? "";
}

/**
 * A message in the user's language.
 * @param {string} language
 * @param {import("./store.js").Message|null} message
 */
export function messageText(language, message) {
  if (!message) return "";
  const { kind, key, text: said, values, why, mended } = message;
  if (!key) return kind === "illegal" ? reasonText(language, message) : said;
  const does = why && doesText(language, why);
  const changes = mended?.map(({ code }) => text(language, `mended.${code}`)).join(" ");
  // A mistake or a hint may have no reason that can be told.
  return text(language, key, { ...values, does, mended: changes }).trim();
}

/**
 * A value as the host writes it, in words: `W+3`, `R+i`, `0`.
 * @param {string} language
 * @param {string} value
 */
export function valueText(language, value) {
  if (value === "0") return text(language, "valueDraw");
  const [letter, by] = value.split("+");
  const player = letter === "W" ? "white" : "red";
  if (by.startsWith("i")) return text(language, "valueIslands", { player });
  if (by.startsWith("b")) return text(language, "valueBridges", { player });
  return text(language, by === "1" ? "valuePoint" : "valuePoints", { player, count: by });
}

/**
 * The result of a game.
 * @param {string} language
 * @param {{winner: "white"|"red"|"draw", text: string, by: string}} result
 */
export function resultText(language, { winner, text: short, by }) {
  if (winner === "draw") return text(language, "overDraw");
  if (by === "score") return /\d$/.test(short) ? valueText(language, short) : text(language, "cardWins", { winner });
  const key = { resignation: "overResignation", time: "overTime" }[by] ?? "overForfeit";
  return text(language, key, { winner, loser: winner === "white" ? "red" : "white" });
}

/** The initial language: the saved choice, or the browser's language. @param {string|null} kept @returns {string} */
export function firstLanguage(kept) {
  const wanted = [kept, ...(navigator.languages ?? [navigator.language])];
  for (const name of wanted) {
    const short = name?.slice(0, 2).toLowerCase();
    if (LANGUAGES.includes(short)) return short;
  }
  return "en";
}

/**
 * Translates all nodes with `data-text`, `data-label` or `data-hint`. A label is the title,
 * too, unless `data-title` is there: most buttons with a sign instead of a text need both.
 * @param {ParentNode} root
 * @param {string} language
 */
export function translate(root, language) {
  /** @type {(selector: string) => NodeListOf<HTMLElement>} */
  const all = (selector) => root.querySelectorAll(selector);
  for (const node of all("[data-text]")) {
    node.textContent = text(language, node.dataset.text);
  }
  for (const node of all("[data-label]")) {
    node.setAttribute("aria-label", text(language, node.dataset.label));
    if (node.dataset.title === undefined) node.title = text(language, node.dataset.label);
  }
  for (const node of all("[data-hint]")) {
    node.title = text(language, node.dataset.hint);
  }
}
