// Saves and loads records, positions, pictures and links, as files, pasted text or dropped
// files. It writes and reads the links of whole games (`#g=`) and draws the pictures; only the
// host reads and writes the formats of records. Links to a friend (`#f=`, `#i=`) are in
// friend.js.

import { byId, download, isWithin, onClick, setAttributes, setOptions, setText, show, svgElement as svg } from "./dom.js";
import { withoutPunctuation } from "./friend.js";
import { messageText, illegalText } from "./texts.js";

/** Maximum length of a text to load, or of a file in base64, in characters. */
const MAX_TEXT = 1000000;
/** How long the message that a game was loaded is shown, in milliseconds. */
const LOADED_MESSAGE_TIME = 6000;

/**
 * Returns the contents of a file for a request: as text if it is plain ASCII, which is the same
 * in every encoding, otherwise as bytes, because only the host can decode records.
 *
 * @param {Uint8Array} bytes
 * @returns {string|{base64: string}}
 */
function asRequestText(bytes) {
  let text = "";
  // In pieces: all bytes at once would be too many arguments.
  for (let start = 0; start < bytes.length; start += 4096) text += String.fromCharCode(...bytes.subarray(start, start + 4096));
  return bytes.every((byte) => byte < 0x80 && byte !== 0x1b) ? text : { base64: btoa(text) };
}

/**
 * The start of a link with a whole game:
 * `#g=10~standard~pie~-~@human,pontifex,3,live~d4,e6~swap~…`. The fields are board, supply, pie
 * rule, starting position (with `_` for spaces, or `-`), the players, and the moves. The players
 * are the one who opened as White, the other one, the level or limit (`3`, `1.5s`, `500p`), and
 * `live` if the game is not over. Earlier links have none.
 */
const PREFIX = "#g=";

/** Returns the players of a game as a field of its link. @param {import("./store.js").ShownGame} game */
function writePlayers({ players, level, live, main, tree, current }) {
  const path = new Set(main.slice(0, main.indexOf(current) + 1));
  const isSwapped = tree.some(({ node, move }) => move === "swap" && path.has(node));
  // The link is for everybody, so a friend is just a human.
  const [first, second] = (isSwapped ? [players.red, players.white] : [players.white, players.red])
    .map((who) => (who === "friend" ? "human" : who));
  const limit = level.level ?? (level.time ? `${level.time}s` : `${level.playouts}p`);
  return `@${[first, second, limit, ...(live ? ["live"] : [])].join()}`;
}

/**
 * Returns the players in a link, for the request `load`; empty if there are none or an engine is
 * unknown here.
 * @param {string} fragment
 * @param {string[]} engines
 */
export function readPlayers(fragment, engines) {
  const field = withoutPunctuation(fragment).split("~").map(decode).find((word) => word?.startsWith("@"));
  const [first, second, limit, live] = field?.slice(1).split(",") ?? [];
  const isPlayable = [first, second].every((who) => who === "human" || engines.includes(who));
  const [, number, unit] = limit?.match(/^(\d+(?:\.\d+)?)([sp]?)$/) ?? [];
  if (!isPlayable || !number) return {};
  const isSwapped = fragment.split("~").includes("swap");
  const [white, red] = isSwapped ? [second, first] : [first, second];
  return { players: { white, red }, level: { [{ s: "time", p: "playouts" }[unit] ?? "level"]: Number(number) }, play: live === "live" };
}

/**
 * Returns the fragment of the link for a list of moves.
 * @param {string} list in the format `moves`, with its header lines
 * @param {string|null} [playersField] the field for the players, as `writePlayers` writes it
 * @returns {string}
 */
export function fragmentOf(list, playersField = null) {
  const headers = {};
  const moves = [];
  for (const line of list.split("\n")) {
    const header = line.match(/^#\s*(\w+):\s*(.*)$/);
    if (header) headers[header[1]] ??= header[2].trim();
    else moves.push(...line.replace(/#.*/, "").split(/\s+/).filter((word) => word && !/^\d+\.$/.test(word)));
  }
  const start = headers.start ? headers.start.replaceAll(" ", "_") : "-";
  return PREFIX + [
    headers.board ?? "", headers.supply ?? "standard", headers.pie === "off" ? "nopie" : "pie",
    start, ...(playersField ? [playersField] : []), ...moves,
  ].map(encode).join("~");
}

function encode(word) {
  return encodeURIComponent(word).replaceAll("%2C", ",").replaceAll("%2F", "/").replaceAll("%40", "@");
}

/** Decodes a word of a link; null if it is damaged. */
function decode(word) {
  try {
    return decodeURIComponent(word);
  } catch {
    return null;
  }
}

/** Returns the list of moves in a fragment, or null if there is none. @param {string} fragment @returns {string|null} */
export function listOf(fragment) {
  if (!fragment.startsWith(PREFIX)) return null;
  const words = withoutPunctuation(fragment).slice(PREFIX.length).split("~").map(decode);
  if (words.includes(null)) return null;
  const [board, supply, pie, start, ...others] = words;
  const moves = others.filter((word) => !word.startsWith("@"));
  const headers = [];
  if (board) headers.push(`# board: ${board}`);
  headers.push(`# supply: ${supply || "standard"}`, `# pie: ${pie === "nopie" ? "off" : "on"}`);
  if (start && start !== "-") headers.push(`# start: ${start.replaceAll("_", " ")}`);
  return `${[...headers, ...moves].join("\n")}\n`.replaceAll(/[\r\t]/g, " ");
}

/** A move, as written in every format. */
const MOVE = /\b[a-l]\d+[,-][a-l]\d+\b|\b(?:pass|swap)\b/gi;

/** Returns the number of moves in the beginning of a record. */
const countMoves = (text) => text.replaceAll(/^#.*$/gm, "").match(MOVE)?.length ?? 0;

/**
 * Returns the start and the end of what the host could not read in a text, or null.
 * @param {string} text
 * @param {import("./messages.d.ts").Unread} unread
 * @returns {[number, number]|null}
 */
function placeOf(text, unread) {
  if (unread.code === "turn") {
    const body = text.replaceAll(/^#.*$/gm, (line) => " ".repeat(line.length));
    const move = [...body.matchAll(MOVE)][unread.turn - 1];
    return move ? [move.index, move.index + move[0].length] : null;
  }
  if (unread.code !== "place") return null;
  const lines = text.split("\n");
  const start = lines.slice(0, unread.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
  const line = lines[unread.line - 1] ?? "";
  const offset = unread.found ? line.indexOf(unread.found, unread.column - 1) : -1;
  return offset < 0 ? [start, start + line.length] : [start + offset, start + offset + unread.found.length];
}

/** The properties that the style sheet sets on shapes, and on texts besides. */
const SHAPE_PROPERTIES = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-linecap", "stroke-linejoin",
  "stroke-dasharray", "opacity", "paint-order", "stop-color", "stop-opacity",
];
const TEXT_PROPERTIES = ["font-family", "font-size", "font-weight", "text-anchor"];
/** The width and height of the PNG, in pixels. */
const PNG_SIZE = 1200;

/** Returns a copy of the board that does not need the style sheet. */
function standaloneCopy(board) {
  const copy = board.cloneNode(true);
  const [from, to] = [board.querySelectorAll("*"), copy.querySelectorAll("*")];
  from.forEach((node, n) => {
    const style = getComputedStyle(node);
    const names = node.localName === "text" ? [...SHAPE_PROPERTIES, ...TEXT_PROPERTIES] : SHAPE_PROPERTIES;
    for (const name of names) {
      const value = style.getPropertyValue(name);
      if (value && value !== "none" || name === "fill") to[n].setAttribute(name, value.replace(/url\("?[^#]*(#[^")]*)"?\)/, "url($1)"));
    }
    to[n].removeAttribute("class");
  });
  const { x, y, width, height } = board.viewBox.baseVal;
  copy.prepend(svg("rect", { x, y, width, height, fill: getComputedStyle(document.body).backgroundColor }));
  for (const name of ["id", "class", "aria-hidden", "focusable"]) copy.removeAttribute(name);
  setAttributes(copy, { xmlns: "http://www.w3.org/2000/svg", width, height });
  return copy;
}

/**
 * Returns the board as a file: an SVG without a style sheet, or a PNG rendered from it.
 * @param {SVGSVGElement} board
 * @param {"svg"|"png"} format
 * @returns {Promise<{text: string, blob: Blob}>}
 */
async function pictureOf(board, format) {
  const text = new XMLSerializer().serializeToString(standaloneCopy(board));
  const blob = new Blob([text], { type: "image/svg+xml" });
  if (format === "svg") return { text, blob };
  const url = URL.createObjectURL(blob);
  try {
    const image = new Image(PNG_SIZE, PNG_SIZE);
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = PNG_SIZE;
    canvas.getContext("2d").drawImage(image, 0, 0, PNG_SIZE, PNG_SIZE);
    const png = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
    if (!png) throw new Error("PNG");
    return { text, blob: png };
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** @param {import("./main.js").Page} page */
export function createFiles({ store, host, session, board, say, ask }) {
  /** The messages of the panel, by the id of the node that shows each. @type {Record<string, import("./store.js").Message|null>} */
  const notes = { "save-note": null, "load-note": null };
  const drawNotes = store.watch(({ language }) => {
    for (const [id, message] of Object.entries(notes)) {
      setText(byId(id), messageText(language, message));
      Object.assign(byId(id).dataset, { kind: message?.kind ?? "", code: message?.key ?? "" });
    }
  });

  /** Shows a message where the user is: in the panel if it is visible, otherwise at the board. */
  function showNote(id, message) {
    const panel = byId("panel-record").getBoundingClientRect();
    const isVisible = panel.height > 0 && panel.top < innerHeight && panel.bottom > 0;
    notes["save-note"] = notes["load-note"] = null;
    if (isVisible) notes[id] = message;
    else store.note({ message });
    drawNotes();
    if (isVisible && message) byId(id).scrollIntoView({ block: "nearest" });
  }
  const showSuccess = (key) => showNote("save-note", { kind: "info", key });
  const showFailure = (text, id = "save-note") => showNote(id, { kind: "error", key: "failed", values: { text } });

  const fetchText = (format) => host.text(session.id(), format, store.state.game.current);

  /** Wraps `work` so that a failure is shown as a message. */
  const withErrors = (work) => async () => {
    try {
      await work();
    } catch (error) {
      showFailure(error.message);
    }
  };

  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      show(byId("save-shown"), false);
      showSuccess("copied");
    } catch {
      // No access to the clipboard: show the text, selected.
      show(byId("save-shown"), true);
      byId("save-text").value = text;
      byId("save-text").select();
      byId("save-text").focus();
    }
  }

  const chosenFormat = () => byId("save-format").value;

  // The formats of the host's records, and the pictures.
  store.watch(({ info, language }) => {
    const records = (info?.formats ?? []).map(({ name, title }) => [name, title[language] ?? title.en]);
    if (info) setOptions(byId("save-format"), [...records, ["svg", say("formatSvg")], ["png", say("formatPng")]]);
  });

  const saveCopy = withErrors(async () => {
    if (chosenFormat() === "png") {
      const { blob } = await pictureOf(board.root, "png");
      await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
      showSuccess("copied");
    } else if (chosenFormat() === "svg") await copy((await pictureOf(board.root, "svg")).text);
    else await copy(await fetchText(chosenFormat()));
  });
  const saveDownload = withErrors(async () => {
    const extension = store.state.info?.formats.find(({ name }) => name === chosenFormat())?.extension ?? chosenFormat();
    const name = `pontifex.${extension}`;
    if (chosenFormat() === "svg" || chosenFormat() === "png") download((await pictureOf(board.root, chosenFormat())).blob, name);
    else download(new Blob([await fetchText(chosenFormat())], { type: "text/plain" }), name);
  });
  const saveLink = withErrors(async () => {
    const address = new URL("./", location.href);
    address.hash = fragmentOf(await fetchText("moves"), writePlayers(store.state.game));
    await copy(address.href);
    if (byId("save-shown").hidden) showSuccess(store.state.info?.private === false ? "copiedLink" : "copiedLocal");
  });

  /**
   * Loads a text or the bytes of a file; with `confirmReplace`, asks before replacing a running
   * game.
   * @param {object|null} playersOfLink the players of a link
   */
  async function load(text, name = null, confirmReplace = false, playersOfLink = null) {
    if (typeof text === "string" && !text.trim()) return showNote("load-note", { kind: "error", key: "unreadable.empty" });
    if ((text.base64 ?? text).length > MAX_TEXT) return showNote("load-note", { kind: "error", key: "tooLong" });
    const { game } = store.state;
    if (confirmReplace && game && game.tree.length > 1 && !game.position.result && !(await ask("confirmReplace"))) return;
    const isSent = session.ask({ type: "load", text, name, ...playersOfLink }, (answer) => {
      if (answer.type === "error") showRefusal(text, answer);
      if (answer.type !== "state") return;
      byId("load-text").value = "";
      // The file may have been dropped on another view.
      if (location.hash) location.hash = "";
      showNote("load-note", null);
      const showLoaded = (key, more) => {
        const message = { kind: "info", key, ...more };
        const { current } = answer;
        store.note({ message });
        // The message covers the record's comment on the turn.
        if (!answer.mended) {
          setTimeout(() => store.state.here.message === message && store.note({ message: null }, current), LOADED_MESSAGE_TIME);
        }
      };
      if (answer.mended) showLoaded("loadedMended", { mended: answer.mended });
      // No message for a link: on a phone, it would cover whose turn it is.
      else if (!playersOfLink) {
        showLoaded(answer.position.result ? "loadedOver" : "loaded", { values: { player: answer.position.to_move } });
      }
    });
    if (!isSent) showNote("load-note", { kind: "error", key: "offline" });
  }

  /** Says why a text was not loaded, and selects the offending place in the field. */
  function showRefusal(text, { text: reason, unread = null }) {
    if (!unread) return showFailure(reason, "load-note");
    const field = /** @type {HTMLTextAreaElement} */ (byId("load-text"));
    const unreadText = unread.code === "place" ? unread.found : null;
    const place = placeOf(String(text.base64 ? "" : text), unread);
    if (place && field.value === text) {
      field.focus({ preventScroll: true });
      field.setSelectionRange(...place);
    }
    // A move with a cell that exists on no board: `z9`, `d40`.
    const cell = /^[a-z]+\d+([,-][a-z]+\d+)?$/i.test(unreadText ?? "")
      && unreadText.match(/[a-z]+\d+/gi).find((each) => !/^[a-l]([1-9]|1[0-2])$/i.test(each));
    const turn = unread.turn ?? (place ? countMoves(text.slice(0, place[0])) + 1 : null);
    const why = unread.why && illegalText(store.state.language, { ...unread.why, values: unread.why.data });
    const key = unread.code !== "place" ? unread.code : cell && turn ? "cell" : unreadText ? "place" : "line";
    showNote("load-note", { kind: "error", key: `unreadable.${key}`, values: { ...unread, why, cell, turn } });
  }

  async function loadFile(file, confirmReplace) {
    if (!file) return;
    // Base64 turns three bytes into four characters.
    if (file.size > (MAX_TEXT / 4) * 3) showNote("load-note", { kind: "error", key: "tooLong" });
    else await load(asRequestText(new Uint8Array(await file.arrayBuffer())), file.name, confirmReplace);
  }

  onClick({
    "save-copy": saveCopy, "save-download": saveDownload, "save-link": saveLink,
    "load-button": () => load(byId("load-text").value), "load-open": () => byId("load-file").click(),
  });
  byId("load-file").addEventListener("change", (event) => {
    loadFile(event.target.files[0], false);
    event.target.value = "";
  });

  addEventListener("paste", (event) => {
    if (isWithin(event, "input, textarea, select, dialog")) return;
    const [file] = event.clipboardData?.files ?? [];
    const text = event.clipboardData?.getData("text/plain");
    if (file) loadFile(file, true);
    else if (text) load(text, null, true);
  });

  let dragDepth = 0;
  const showDropArea = (visible) => show(byId("drop"), visible);
  addEventListener("dragenter", (event) => {
    event.preventDefault();
    dragDepth++;
    showDropArea(true);
  });
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("dragleave", () => {
    dragDepth = Math.max(0, dragDepth - 1);
    if (!dragDepth) showDropArea(false);
  });
  addEventListener("drop", (event) => {
    event.preventDefault();
    dragDepth = 0;
    showDropArea(false);
    const [file] = event.dataTransfer.files;
    if (file) loadFile(file, true);
    else load(event.dataTransfer.getData("text/plain"), null, true);
  });

  /** Opens the game in the address once and removes it from the address. */
  async function openLink(isKnown = false) {
    const fragment = location.hash;
    const list = listOf(fragment);
    if (!list) return;
    const address = new URL(location.href);
    address.hash = "";
    history.replaceState(null, "", address);
    if (isKnown) return;
    const { engines } = store.state.info ?? (await host.info().catch(() => ({ engines: [] })));
    load(list, null, true, readPlayers(fragment, engines));
  }
  addEventListener("hashchange", () => openLink());

  return { openLink };
}
