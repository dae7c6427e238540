// Saves and loads records, positions, pictures and links, as files, pasted text
// or dropped files.

import { byId, download, show } from "./dom.js";
import { fragmentOf, listOf } from "./link.js";
import { pictureOf } from "./picture.js";

/** Maximum size of a text to load, in bytes, and of a file as base64. */
const LONGEST = 1000000;
const ENDINGS = { sgf: "sgf", json: "json", moves: "txt", position: "txt", svg: "svg", png: "png" };

/**
 * The contents of a file as the host takes them: as text where every encoding
 * gives the same, else as bytes, since only the host knows how to decode records.
 *
 * @param {Uint8Array} bytes
 * @returns {string|{base64: string}}
 */
function sent(bytes) {
  let text = "";
  // All bytes at once would be too many arguments.
  for (let at = 0; at < bytes.length; at += 4096) text += String.fromCharCode(...bytes.subarray(at, at + 4096));
  return bytes.every((byte) => byte < 0x80 && byte !== 0x1b) ? text : { base64: btoa(text) };
}

export function createFiles(store, host, session, board, say, ask) {
  const done = (key) => store.set({ message: { kind: "info", key }, marked: [] });
  const failed = (text) => store.set({ message: { kind: "error", key: "failed", values: { text } }, marked: [] });

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
      done("copied");
    } catch {
      // No access to the clipboard: show the text, selected.
      show(byId("save-shown"), true);
      byId("save-text").value = text;
      byId("save-text").select();
      byId("save-text").focus();
    }
  }

  const format = () => byId("save-format").value;
  const saveCopy = guarded(async () => {
    if (format() === "png") {
      const { blob } = await pictureOf(board.root, "png");
      await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
      done("copied");
    } else if (format() === "svg") await copy((await pictureOf(board.root, "svg")).text);
    else await copy(await fetchText(format()));
  });
  const saveDownload = guarded(async () => {
    const name = `pontifex.${ENDINGS[format()]}`;
    if (format() === "svg" || format() === "png") download((await pictureOf(board.root, format())).blob, name);
    else download(new Blob([await fetchText(format())], { type: "text/plain" }), name);
  });
  const saveLink = guarded(async () => {
    const address = new URL("./", location.href);
    address.hash = fragmentOf(await fetchText("moves"));
    await copy(address.href);
    if (byId("save-shown").hidden) done(store.state.info?.private === false ? "copiedLink" : "copiedLocal");
  });

  /** Loads a text, or the bytes of a file; asks before it replaces a running game. */
  async function load(text, name = null, careful = false) {
    if (typeof text === "string" && !text.trim()) return;
    if ((text.base64 ?? text).length > LONGEST) {
      failed(`> ${LONGEST}`);
      return;
    }
    const { game } = store.state;
    if (careful && game && game.tree.length > 1 && !game.position.result && !(await ask("confirmReplace"))) return;
    const asked = session.ask({ type: "load", text, name }, (answer) => {
      if (answer.type !== "state") return;
      store.set({ review: null, lesson: null });
      byId("load-text").value = "";
      // A file can be dropped on a lesson, too.
      if (location.hash) location.hash = "";
      if (answer.mended) store.set({ message: { kind: "info", key: "loadedMended", mended: answer.mended }, marked: [] });
      else done("loaded");
    });
    if (!asked) store.set({ message: { kind: "error", key: "offline" } });
  }

  async function loadFile(file, careful) {
    if (!file) return;
    if (file.size > LONGEST) failed(file.name);
    else await load(sent(new Uint8Array(await file.arrayBuffer())), file.name, careful);
  }

  byId("save-copy").addEventListener("click", saveCopy);
  byId("save-download").addEventListener("click", saveDownload);
  byId("save-link").addEventListener("click", saveLink);
  byId("load-button").addEventListener("click", () => load(byId("load-text").value));
  byId("load-open").addEventListener("click", () => byId("load-file").click());
  byId("load-file").addEventListener("change", (event) => {
    loadFile(event.target.files[0], false);
    event.target.value = "";
  });

  addEventListener("paste", (event) => {
    if (event.target.closest?.("input, textarea, select, dialog")) return;
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
  function openLink(known = false) {
    const list = listOf(location.hash);
    if (!list) return;
    const address = new URL(location.href);
    address.hash = "";
    history.replaceState(null, "", address);
    if (!known) load(list, null, true);
  }
  addEventListener("hashchange", () => openLink());

  return { openLink, copyRecord: guarded(async () => copy(await fetchText("sgf"))) };
}
