// Looks up the texts of the page, in English, German and French, and makes whole sentences
// of them: `{name}` stands for a value. The texts themselves are in the files `texts-….js`,
// by area; the words to use are in docs/glossary.md. Other modules decide where and when a text
// is shown. Only `translate` touches the document.

import { DIALOGS } from "./texts-dialogs.js";
import { FRIEND } from "./texts-friend.js";
import { MOVES } from "./texts-moves.js";
import { PRACTICE } from "./texts-practice.js";
import { REASONS, formOf } from "./texts-reasons.js";
import { REVIEW } from "./texts-review.js";
import { RULES } from "./texts-rules.js";
import { TABLE } from "./texts-table.js";

/** The languages, in the order of each entry of the tables. */
export const LANGUAGES = ["en", "de", "fr"];

/** @type {Record<string, [string, string, string]>} */
const ALL = { ...TABLE, ...MOVES, ...REVIEW, ...REASONS, ...DIALOGS, ...FRIEND, ...PRACTICE, ...RULES };

/**
 * Returns the text for `key` with its `values` inserted: colours and moves in words. An unknown
 * key is returned as it is, so that the mistake shows.
 * @param {string} language
 * @param {string} key
 * @param {Record<string, string|number|null|undefined>} [values]
 * @returns {string}
 */
export function text(language, key, values = {}) {
  const forms = ALL[key];
  if (!forms) return key;
  const template = typeset(language, forms[Math.max(0, LANGUAGES.indexOf(language))]);
  const filled = template.replace(/\{(\w+)\}/g, (_, name, position) => {
    const value = values[name];
    if (value === "white" || value === "red") return text(language, value);
    const words = moveText(language, String(value ?? ""));
    // A sentence may begin with a move in words.
    return position === 0 && (value === "pass" || value === "swap") ? capitalized(words) : words;
  });
  // A missing purpose leaves two spaces between its neighbours.
  return filled.replace(/ {2,}/g, " ").trim();
}

/** @param {string} sentence */
const capitalized = (sentence) => sentence.charAt(0).toUpperCase() + sentence.slice(1);

/**
 * Returns a text with the spaces of its language: in French, non-breaking ones before
 * `: ; ? ! »` and after `«`. The sources have ordinary spaces there, which are easier to type
 * and to see.
 * @param {string} language
 * @param {string} sentence
 * @returns {string}
 */
export function typeset(language, sentence) {
  return language === "fr" ? sentence.replace(/ (?=[:;?!»])/g, "\u00a0").replaceAll("« ", "«\u00a0") : sentence;
}

/**
 * Returns a move for a sentence: a pass or a swap in words, a bridge with a non-breaking dash.
 * @param {string} language
 * @param {string} move
 * @returns {string}
 */
export function moveText(language, move) {
  if (move === "pass" || move === "swap") return text(language, `${move}Move`);
  return move.replace(/^([a-l]\d+)-([a-l]\d+)$/, "$1\u2060–\u2060$2");
}

/**
 * Returns a move for a list, where a pass or a swap is one word.
 * @param {string} language
 * @param {string} move
 * @returns {string}
 */
export function moveName(language, move) {
  return move === "pass" || move === "swap" ? text(language, `${move}Short`) : move;
}

/**
 * Formats a date or time as the language writes it. The page's English is British.
 * @param {string} language
 * @param {Date} date
 * @param {Intl.DateTimeFormatOptions} options
 */
export function dateText(language, date, options) {
  return new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, options).format(date);
}

/**
 * Formats a share from 0 to 1 as a percentage, as the language writes it.
 * @param {string} language
 * @param {number} share
 * @param {number} [digits] after the decimal point
 * @returns {string}
 */
export function percent(language, share, digits = 0) {
  return new Intl.NumberFormat(language, { style: "percent", minimumFractionDigits: digits, maximumFractionDigits: digits }).format(share);
}

/**
 * Formats a number with one decimal, as the language writes it.
 * @param {string} language
 * @param {number} value
 * @returns {string}
 */
export function tenths(language, value) {
  return new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(value);
}

/**
 * Returns sentences that say what a move does, or why it is better.
 * @param {string} language
 * @param {{code: string, by: string, player: "white"|"red", [name: string]: any}[]} purposes
 */
export function purposeText(language, purposes = []) {
  return purposes.map((purpose) => sentences(language, purpose)).join(" ");
}

/**
 * Returns a purpose in one sentence or two. The tables have whole sentences, one for each form,
 * and no parts to be joined: word order, genders and plurals differ too much.
 * @param {string} language
 * @param {{code: string, [name: string]: any}} purpose
 */
function sentences(language, purpose) {
  const say = (key, values) => text(language, key, values);
  const { code, player, points, cell, cells = [], target, targets = [target], why, urgent } = purpose;
  const targetText = (each) => each && say(each.bridge ? (each.ways > 1 ? "targetBridges" : "targetBridge") : "targetIsland", each);
  const values = {
    ...purpose,
    ...target,
    opponent: player === "white" ? "red" : "white",
    worth: say(points === 1 ? "pointOne" : "pointMany", { points }),
    at: code === "completes" ? cells[0] : cell,
    from: cells[0],
    to: cells[1],
    cells: new Intl.ListFormat(language, { type: "disjunction" }).format(cells),
    thing: targetText(targets[0]),
    other: targetText(targets[1]),
  };
  const sentence = say(`purpose.${code}${formOf(purpose)}`, values);
  // This one begins with its target, such as "the island at d4".
  const first = code === "waits" ? capitalized(sentence) : sentence;
  return [first, urgent && say("purpose.urgent", values), why && purposeText(language, why)].filter(Boolean).join(" ");
}

/**
 * Returns why a move is illegal: in the user's language if the rule is known and all values
 * of its text are present, otherwise in the host's words.
 * @param {string} language
 * @param {{code?: string, text?: string, values?: object}} answer
 */
export function illegalText(language, { code, text: hostText, values = {} }) {
  const key = `illegal.${code}${values.beside ? ".beside" : ""}`;
  const placeholders = ALL[key]?.[0].match(/\{\w+\}/g) ?? [];
  const isComplete = ALL[key] && placeholders.every((name) => values[name.slice(1, -1)] !== undefined);
  return isComplete ? text(language, key, values) : hostText ?? "";
}

/**
 * Returns a message in the user's language.
 * @param {string} language
 * @param {import("./store.js").Message|null} message
 */
export function messageText(language, message) {
  if (!message) return "";
  const { kind, key, text: hostText, values, why, mended } = message;
  if (!key) return kind === "illegal" ? illegalText(language, message) : hostText;
  const purpose = why && purposeText(language, why);
  const changes = mended?.map(({ code }) => text(language, `mended.${code}`)).join(" ");
  // A mistake or a hint may have no purpose that can be told.
  return text(language, key, { ...values, purpose, mended: changes }).trim();
}

/**
 * Returns the value of a position in words. The host writes it as `W+3`, `R+i` or `0`.
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
 * Returns the result of a game in words.
 * @param {string} language
 * @param {{winner: "white"|"red"|"draw", text: string, by: string}} result
 */
export function resultText(language, { winner, text: short, by }) {
  if (winner === "draw") return text(language, "overDraw");
  if (by === "score") return /\d$/.test(short) ? valueText(language, short) : text(language, "cardWins", { winner });
  const key = { resignation: "overResignation", time: "overTime" }[by] ?? "overForfeit";
  return text(language, key, { winner, loser: winner === "white" ? "red" : "white" });
}

/** Returns the initial language: the saved choice, or the browser's language. @param {string|null} saved @returns {string} */
export function firstLanguage(saved) {
  const candidates = [saved, ...(navigator.languages ?? [navigator.language])];
  for (const name of candidates) {
    const short = name?.slice(0, 2).toLowerCase();
    if (LANGUAGES.includes(short)) return short;
  }
  return "en";
}

/**
 * Translates all nodes with `data-text`, `data-label` or `data-tooltip`. A label is also the
 * tooltip unless the node has `data-title`: most buttons with a sign instead of a text need both.
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
  for (const node of all("[data-tooltip]")) {
    node.title = text(language, node.dataset.tooltip);
  }
}
