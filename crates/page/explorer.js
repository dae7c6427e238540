// The opening explorer: how the engine's games against itself began, at White's first turn and
// Red's reply. Rotations and reflections of a move are one entry. The statistics are a file for
// each kind of game, made by `pontifex openings explorer` and loaded when the explorer is
// opened. Nothing is searched here: the analysis of the position shown is in analysis.js.

import { lineOf } from "./analysis.js";
import { byId, element, setList, setText, show } from "./dom.js";
import { cellName, columnRow, pairName, splitMove } from "./geometry.js";
import { percent } from "./texts.js";

/** The kinds of games with a file: board and supply. */
const KINDS = ["10-standard", "10-unlimited", "12-standard"];

/**
 * A move that games began with.
 * @typedef {object} Beginning
 * @property {string} move
 * @property {number} games how many games began with it
 * @property {number} white White's mean result in these games, from 0 to 1
 * @property {number} value White's result after the move as the engine expects it, from 0 to 1
 * @property {Beginning[]} [replies] Red's, after a move of White
 */

const NO_YES = [false, true];
/** The eight symmetries of the board: what each does to column and row. */
const SYMMETRIES = NO_YES.flatMap((transposes) =>
  NO_YES.flatMap((flipsColumn) => NO_YES.map((flipsRow) => ({ transposes, flipsColumn, flipsRow }))));

/** Returns the image of a move of two tiles under a symmetry. */
function imageOf(move, { transposes, flipsColumn, flipsRow }, size) {
  const [a, b] = splitMove(move).cells.map((cell) => {
    const [column, row] = columnRow(cell);
    const [u, v] = [flipsColumn ? size - 1 - column : column, flipsRow ? size - 1 - row : row];
    return transposes ? cellName(v, u) : cellName(u, v);
  });
  return pairName(a, b);
}

/**
 * Returns the moves that games continued with, at the start or after `first`, oriented as on
 * the board, and the number of games that reached the position.
 * @param {{games: number, turns: Beginning[]}} file
 * @param {string|undefined} first
 * @param {number} size
 */
function beginningsAfter({ games, turns }, first, size) {
  if (!first) return { games, turns };
  for (const turn of turns) {
    const toBoard = SYMMETRIES.find((symmetry) => imageOf(turn.move, symmetry, size) === first);
    if (!toBoard) continue;
    const replies = turn.replies ?? [];
    return { games: turn.games, turns: replies.map((reply) => ({ ...reply, move: imageOf(reply.move, toBoard, size) })) };
  }
  return { games: 0, turns: [] };
}

/** @param {import("./main.js").Page} page */
export function createExplorer({ store, play, say }) {
  const summary = element("p", { class: "quiet", role: "status" });
  const list = element("ol", { id: "beginnings" });
  const root = element("details", { id: "explorer", ontoggle: () => { isOpen = root.open; redraw(); } },
    element("summary", { "data-text": "explorer" }), summary, list);
  byId("panel-analysis").append(root);
  let isOpen = false;
  /** The files by kind; null while one is loading. @type {Map<string, any>} */
  const filesByKind = new Map();

  async function load(kind) {
    filesByKind.set(kind, null);
    try {
      const response = await fetch(new URL(`explorer-${kind}.json`, import.meta.url));
      if (!response.ok) throw new Error(String(response.status));
      filesByKind.set(kind, await response.json());
    } catch {
      // Opening the explorer again retries.
      filesByKind.delete(kind);
      root.open = false;
    }
    redraw();
  }

  function createRow({ move, games, white, value }, all) {
    const shareText = (share) => percent(store.state.language, share);
    const preview = (isOn) => store.note({ line: isOn ? lineOf([move], store.state.game.position.to_move) : null });
    const lineButton = element("button", {
      type: "button", class: "look beginning", onfocus: () => preview(true), onblur: () => preview(false),
      onpointerenter: () => preview(true), onpointerleave: () => preview(false),
      "aria-label": say("explorerRow", { move, share: shareText(games / all), games, white: shareText(white), value: shareText(value) }),
    }, ...[move, shareText(games / all), shareText(white), shareText(value)].map((text) => element("span", { text })));
    const playButton = element("button", {
      type: "button", class: "take round", text: "▸", title: say("playThis", { move }), "aria-label": say("playThis", { move }),
      onclick: () => { preview(false); play.move(move); },
    });
    return element("li", { "data-beginning": move }, lineButton, playButton);
  }

  function draw({ game, language }) {
    const kind = game && `${game.rules.board}-${game.rules.supply}`;
    const path = game?.main.slice(1, 1 + game.main.indexOf(game.current)) ?? [];
    const played = path.map((node) => game.tree.find((each) => each.node === node)?.move ?? "");
    const isStart = game?.tree.find(({ node }) => node === game.main[0]) && game.position.turn === played.length + 1;
    // The explorer does not help in a game against an engine.
    const isContest = Boolean(game?.live) && Object.values(game.players).some((who) => who !== "human");
    show(root, KINDS.includes(kind) && isStart && played.length < 2 && !isContest);
    if (root.hidden || !isOpen) return;
    if (!filesByKind.has(kind)) load(kind);
    const file = filesByKind.get(kind);
    const { games: all, turns } = file ? beginningsAfter(file, played[0], game.rules.board) : { games: 0, turns: [] };
    setText(summary,
      !file ? "…"
        : turns.length ? say("explorerNote", { games: file.games.toLocaleString(language) })
        : say("explorerNone"));
    setList(list, [kind, played, language, Boolean(file)], () => {
      const head = element("li", { class: "quiet", "aria-hidden": "true" }, element("div", { class: "look beginning" },
        ...["", "explorerShare", "explorerWhite", "explorerValue"].map((key) => element("span", { text: key && say(key) }))),
      element("span", { class: "take" }));
      return turns.length ? [head, ...turns.map((turn) => createRow(turn, all))] : [];
    });
  }
  const redraw = store.watch(draw);
}
