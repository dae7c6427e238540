// Saves and loads records, positions, pictures and links, as files, pasted text
// or dropped files. It writes and reads the links of whole games (`#g=`) and draws the
// pictures; the formats of records are read and written by the host alone. Links to a
// friend (`#f=`, `#i=`) are in friend.js.

import { byId, download, drawing as svg, isWithin, onClick, setAttributes, setOptions, setText, show } from "./dom.js";
import { bare } from "./friend.js";
import { messageText, illegalText } from "./texts.js";

/** Maximum length of a text to load, or of a file in base64, in characters. */
const MAX_TEXT = 1000000;
/** How long a page says that a game is loaded, in milliseconds. */
const LOADED_SHOWN = 6000;

/**
 * The contents of a file as the host takes them: as text where every encoding
 * gives the same, else as bytes, since only the host knows how to decode records.
 *
 * @param {Uint8Array} bytes
 * @returns {string|{base64: string}}
 */
function asRequestText(bytes) {
  let text = "";
  // All bytes at once would be too many arguments.
  for (let at = 0; at < bytes.length; at += 4096) text += String.fromCharCode(...bytes.subarray(at, at + 4096));
  return bytes.every((byte) => byte < 0x80 && byte !== 0x1b) ? text : { base64: btoa(text) };
}

/**
 * A whole game as a link: `#g=10~standard~pie~-~@human,pontifex,3,live~d4,e6~swap~…`. The
 * fields are board, supply, pie rule, start (position text with `_` for spaces, or `-`),
 * who opened as White, the other one and the level (`3`, `1.5s`, `500p`) of a game, `live`
 * if it goes on, and the moves. Earlier links have no players.
 */
const PREFIX = "#g=";

/** The players of a game as a field of its link. @param {import("./store.js").ShownGame} game */
function seatsOf({ players, level, live, main, tree, current }) {
  const path = new Set(main.slice(0, main.indexOf(current) + 1));
  const isSwapped = tree.some(({ node, move }) => move === "swap" && path.has(node));
  // A link for everybody has no friend.
  const [first, second] = (isSwapped ? [players.red, players.white] : [players.white, players.red]).map((who) => (who === "friend" ? "human" : who));
  const bound = level.level ?? (level.time ? `${level.time}s` : `${level.playouts}p`);
  return `@${[first, second, bound, ...(live ? ["live"] : [])].join()}`;
}

/** What a link says of players, for the request `load`; nothing if it does not, or of engines that are not here. @param {string} fragment @param {string[]} engines */
export function termsOf(fragment, engines) {
  const field = bare(fragment).split("~").map(decoded).find((word) => word?.startsWith("@"));
  const [first, second, bound, live] = field?.slice(1).split(",") ?? [];
  const isKnown = [first, second].every((who) => who === "human" || engines.includes(who));
  const [, number, unit] = bound?.match(/^(\d+(?:\.\d+)?)([sp]?)$/) ?? [];
  if (!isKnown || !number) return {};
  const isSwapped = fragment.split("~").includes("swap");
  const [white, red] = isSwapped ? [second, first] : [first, second];
  return { players: { white, red }, level: { [{ s: "time", p: "playouts" }[unit] ?? "level"]: Number(number) }, play: live === "live" };
}

/**
 * The fragment of the link for a list of moves.
 * @param {string} list as the format `moves` has it, with its heads
 * @param {string|null} [seats] the field for the players, as `seatsOf` writes it
 * @returns {string}
 */
export function fragmentOf(list, seats = null) {
  const heads = {};
  const moves = [];
  for (const line of list.split("\n")) {
    const head = line.match(/^#\s*(\w+):\s*(.*)$/);
    if (head) heads[head[1]] ??= head[2].trim();
    else moves.push(...line.replace(/#.*/, "").split(/\s+/).filter((word) => word && !/^\d+\.$/.test(word)));
  }
  const start = heads.start ? heads.start.replaceAll(" ", "_") : "-";
  return PREFIX + [heads.board ?? "", heads.supply ?? "standard", heads.pie === "off" ? "nopie" : "pie", start, ...(seats ? [seats] : []), ...moves].map(encode).join("~");
}

function encode(word) {
  return encodeURIComponent(word).replaceAll("%2C", ",").replaceAll("%2F", "/").replaceAll("%40", "@");
}

/** The word of a link, or null if it is damaged. */
function decoded(word) {
  try {
    return decodeURIComponent(word);
  } catch {
    return null;
  }
}

/** The list of moves in a fragment, or null if there is none. @param {string} fragment @returns {string|null} */
export function listOf(fragment) {
  if (!fragment.startsWith(PREFIX)) return null;
  const words = bare(fragment).slice(PREFIX.length).split("~").map(decoded);
  if (words.includes(null)) return null;
  const [board, supply, pie, start, ...others] = words;
  const moves = others.filter((word) => !word.startsWith("@"));
  const heads = [];
  if (board) heads.push(`# board: ${board}`);
  heads.push(`# supply: ${supply || "standard"}`, `# pie: ${pie === "nopie" ? "off" : "on"}`);
  if (start && start !== "-") heads.push(`# start: ${start.replaceAll("_", " ")}`);
  return `${[...heads, ...moves].join("\n")}\n`.replaceAll(/[\r\t]/g, " ");
}

/** A move, as every format writes it. */
const MOVE = /\b[a-l]\d+[,-][a-l]\d+\b|\b(?:pass|swap)\b/gi;

/** The number of moves in the beginning of a record. */
const turnsIn = (text) => text.replaceAll(/^#.*$/gm, "").match(MOVE)?.length ?? 0;

/**
 * Where in a text is what the host could not read: beginning and end, or null.
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
  const at = unread.found ? line.indexOf(unread.found, unread.column - 1) : -1;
  return at < 0 ? [start, start + line.length] : [start + at, start + at + unread.found.length];
}

/** Properties that the style sheet sets on shapes. */
const LOOKS = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-linecap", "stroke-linejoin",
  "stroke-dasharray", "opacity", "paint-order", "stop-color", "stop-opacity",
];
const LETTERS = ["font-family", "font-size", "font-weight", "text-anchor"];
/** Edge length of the PNG, in pixels. */
const EDGE = 1200;

/** A copy of the board that does not need the style sheet. */
function standalone(board) {
  const copy = board.cloneNode(true);
  const [from, to] = [board.querySelectorAll("*"), copy.querySelectorAll("*")];
  from.forEach((node, n) => {
    const look = getComputedStyle(node);
    const names = node.localName === "text" ? [...LOOKS, ...LETTERS] : LOOKS;
    for (const name of names) {
      const value = look.getPropertyValue(name);
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
 * The board as a file: an SVG without style sheet, or a PNG rendered from it.
 * @param {SVGSVGElement} board
 * @param {"svg"|"png"} format
 * @returns {Promise<{text: string, blob: Blob}>}
 */
async function pictureOf(board, format) {
  const text = new XMLSerializer().serializeToString(standalone(board));
  const blob = new Blob([text], { type: "image/svg+xml" });
  if (format === "svg") return { text, blob };
  const url = URL.createObjectURL(blob);
  try {
    const image = new Image(EDGE, EDGE);
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = EDGE;
    canvas.getContext("2d").drawImage(image, 0, 0, EDGE, EDGE);
    const png = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
    if (!png) throw new Error("PNG");
    return { text, blob: png };
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** @param {import("./main.js").Page} page */
export function createFiles({ store, host, session, board, say, ask }) {
  /** What is said in the panel, by the node that shows it. @type {Record<string, import("./store.js").Message|null>} */
  const notes = { "save-note": null, "load-note": null };
  const drawNotes = store.watch(({ language }) => {
    for (const [id, message] of Object.entries(notes)) {
      setText(byId(id), messageText(language, message));
      Object.assign(byId(id).dataset, { kind: message?.kind ?? "", code: message?.key ?? "" });
    }
  });

  /** Says something where the user is: in the panel, if that is on the screen, or else at the board. */
  function showNote(id, message) {
    const panel = byId("panel-record").getBoundingClientRect();
    const isThere = panel.height > 0 && panel.top < innerHeight && panel.bottom > 0;
    notes["save-note"] = notes["load-note"] = null;
    if (isThere) notes[id] = message;
    else store.note({ message });
    drawNotes();
    if (isThere && message) byId(id).scrollIntoView({ block: "nearest" });
  }
  const succeeded = (key) => showNote("save-note", { kind: "info", key });
  const failed = (text, id = "save-note") => showNote(id, { kind: "error", key: "failed", values: { text } });

  const fetchText = (format) => host.text(session.id(), format, store.state.game.current);

  /** Wraps `work` to show an error message if it fails. */
  const guarded = (work) => async () => {
    try {
      await work();
    } catch (error) {
      failed(error.message);
    }
  };

  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      show(byId("save-shown"), false);
      succeeded("copied");
    } catch {
      // No access to the clipboard: show the text, selected.
      show(byId("save-shown"), true);
      byId("save-text").value = text;
      byId("save-text").select();
      byId("save-text").focus();
    }
  }

  const format = () => byId("save-format").value;

  /** The records that the host writes, and the pictures of the page. */
  store.watch(({ info, language }) => {
    const records = (info?.formats ?? []).map(({ name, title }) => [name, title[language] ?? title.en]);
    if (info) setOptions(byId("save-format"), [...records, ["svg", say("formatSvg")], ["png", say("formatPng")]]);
  });

  const saveCopy = guarded(async () => {
    if (format() === "png") {
      const { blob } = await pictureOf(board.root, "png");
      await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
      succeeded("copied");
    } else if (format() === "svg") await copy((await pictureOf(board.root, "svg")).text);
    else await copy(await fetchText(format()));
  });
  const saveDownload = guarded(async () => {
    const extension = store.state.info?.formats.find(({ name }) => name === format())?.extension ?? format();
    const name = `pontifex.${extension}`;
    if (format() === "svg" || format() === "png") download((await pictureOf(board.root, format())).blob, name);
    else download(new Blob([await fetchText(format())], { type: "text/plain" }), name);
  });
  const saveLink = guarded(async () => {
    const address = new URL("./", location.href);
    address.hash = fragmentOf(await fetchText("moves"), seatsOf(store.state.game));
    await copy(address.href);
    if (byId("save-shown").hidden) succeeded(store.state.info?.private === false ? "copiedLink" : "copiedLocal");
  });

  /** Loads a text, or the bytes of a file; asks before it replaces a running game. @param {object|null} terms those of a link */
  async function load(text, name = null, confirmReplace = false, terms = null) {
    if (typeof text === "string" && !text.trim()) return showNote("load-note", { kind: "error", key: "unreadable.empty" });
    if ((text.base64 ?? text).length > MAX_TEXT) return showNote("load-note", { kind: "error", key: "tooLong" });
    const { game } = store.state;
    if (confirmReplace && game && game.tree.length > 1 && !game.position.result && !(await ask("confirmReplace"))) return;
    const isSent = session.ask({ type: "load", text, name, ...terms }, (answer) => {
      if (answer.type === "error") refused(text, answer);
      if (answer.type !== "state") return;
      byId("load-text").value = "";
      // A file can be dropped on a lesson, too.
      if (location.hash) location.hash = "";
      showNote("load-note", null);
      const loaded = (key, more) => {
        const message = { kind: "info", key, ...more };
        const { current } = answer;
        store.note({ message });
        // It lies over what is said of the turn.
        if (!answer.mended) setTimeout(() => store.state.here.message === message && store.note({ message: null }, current), LOADED_SHOWN);
      };
      if (answer.mended) loaded("loadedMended", { mended: answer.mended });
      // On a phone, a message stands in the place of whose turn it is.
      else if (!terms) loaded(answer.position.result ? "loadedOver" : "loaded", { values: { player: answer.position.to_move } });
    });
    if (!isSent) showNote("load-note", { kind: "error", key: "offline" });
  }

  /** Says why a text was not loaded, and selects the place where it can be found in the field. */
  function refused(text, { text: reason, unread = null }) {
    if (!unread) return failed(reason, "load-note");
    const field = /** @type {HTMLTextAreaElement} */ (byId("load-text"));
    const unreadText = unread.code === "place" ? unread.found : null;
    const place = placeOf(String(text.base64 ? "" : text), unread);
    if (place && field.value === text) {
      field.focus({ preventScroll: true });
      field.setSelectionRange(...place);
    }
    // A move with a cell that no board has: `z9`, `d40`.
    const cell = /^[a-z]+\d+([,-][a-z]+\d+)?$/i.test(unreadText ?? "") && unreadText.match(/[a-z]+\d+/gi).find((each) => !/^[a-l]([1-9]|1[0-2])$/i.test(each));
    const turn = unread.turn ?? (place ? turnsIn(text.slice(0, place[0])) + 1 : null);
    const why = unread.why && illegalText(store.state.language, { ...unread.why, values: unread.why.data });
    const key = unread.code !== "place" ? unread.code : cell && turn ? "cell" : unreadText ? "place" : "line";
    showNote("load-note", { kind: "error", key: `unreadable.${key}`, values: { ...unread, why, cell, turn } });
  }

  async function loadFile(file, confirmReplace) {
    if (!file) return;
    // Base64 makes four characters of three bytes.
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

  let over = 0;
  const drop = (visible) => show(byId("drop"), visible);
  addEventListener("dragenter", (event) => {
    event.preventDefault();
    over++;
    drop(true);
  });
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("dragleave", () => {
    over = Math.max(0, over - 1);
    if (!over) drop(false);
  });
  addEventListener("drop", (event) => {
    event.preventDefault();
    over = 0;
    drop(false);
    const [file] = event.dataTransfer.files;
    if (file) loadFile(file, true);
    else load(event.dataTransfer.getData("text/plain"), null, true);
  });

  /** Opens the game in the address once and removes it from the address. */
  async function openLink(known = false) {
    const fragment = location.hash;
    const list = listOf(fragment);
    if (!list) return;
    const address = new URL(location.href);
    address.hash = "";
    history.replaceState(null, "", address);
    if (known) return;
    const { engines } = store.state.info ?? (await host.info().catch(() => ({ engines: [] })));
    load(list, null, true, termsOf(fragment, engines));
  }
  addEventListener("hashchange", () => openLink());

  return { openLink };
}
