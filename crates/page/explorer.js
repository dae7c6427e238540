// The opening explorer: how the engine's own games began, at White's first turn and Red's
// reply. Moves that are the same turned or mirrored are one entry. The numbers are a file
// for each kind of game, made by `pontifex openings explorer` and loaded when it is opened.
// Nothing is searched here: the engine's view of the position shown is in analysis.js.

import { lineOf } from "./analysis.js";
import { byId, element, setList, setText, show } from "./dom.js";
import { cellName, columnRow, pair, parts } from "./geometry.js";
import { percent } from "./texts.js";

/** The kinds of games that there are files for. */
const KINDS = ["10-standard", "10-unlimited", "12-standard"];

/**
 * A move that games began with.
 * @typedef {{move: string, games: number, white: number, value: number, replies?: Beginning[]}} Beginning
 */

/** The eight symmetries of the board, as functions of column and row. */
const SYMMETRIES = [false, true].flatMap((turned) => [false, true].flatMap((x) => [false, true].map((y) => ({ turned, x, y }))));

/** The image of a move of two tiles. */
function image(move, { turned, x, y }, size) {
  const [a, b] = parts(move).cells.map((cell) => {
    const [column, row] = columnRow(cell);
    const [u, v] = [x ? size - 1 - column : column, y ? size - 1 - row : row];
    return turned ? cellName(v, u) : cellName(u, v);
  });
  return pair(a, b);
}

/**
 * What games went on with at the start or after `first`, as it lies on the board, and how
 * many games came there.
 * @param {{games: number, turns: Beginning[]}} file
 * @param {string|undefined} first
 * @param {number} size
 */
function beginningsAfter({ games, turns }, first, size) {
  if (!first) return { games, turns };
  for (const turn of turns) {
    const back = SYMMETRIES.find((symmetry) => image(turn.move, symmetry, size) === first);
    if (back) return { games: turn.games, turns: (turn.replies ?? []).map((reply) => ({ ...reply, move: image(reply.move, back, size) })) };
  }
  return { games: 0, turns: [] };
}

/** @param {import("./main.js").Page} page */
export function createExplorer({ store, play, say }) {
  const note = element("p", { class: "quiet", role: "status" });
  const list = element("ol", { id: "beginnings" });
  const root = element("details", { id: "explorer", ontoggle: () => { wanted = root.open; redraw(); } },
    element("summary", { "data-text": "explorer" }), note, list);
  byId("panel-analysis").append(root);
  let wanted = false;
  /** What was loaded, by kind: the file, or null while it comes. @type {Map<string, any>} */
  const files = new Map();

  async function load(kind) {
    files.set(kind, null);
    try {
      const answer = await fetch(new URL(`explorer-${kind}.json`, import.meta.url));
      if (!answer.ok) throw new Error(String(answer.status));
      files.set(kind, await answer.json());
    } catch {
      // Opening it again tries again.
      files.delete(kind);
      root.open = false;
    }
    redraw();
  }

  function row({ move, games, white, value }, all) {
    const shareText = (share) => percent(store.state.language, share);
    const draw = (isOn) => store.note({ line: isOn ? lineOf([move], store.state.game.position.to_move) : null });
    const look = element("button", {
      type: "button", class: "look beginning", onfocus: () => draw(true), onblur: () => draw(false),
      onpointerenter: () => draw(true), onpointerleave: () => draw(false),
      "aria-label": say("explorerRow", { move, share: shareText(games / all), games, white: shareText(white), value: shareText(value) }),
    }, ...[move, shareText(games / all), shareText(white), shareText(value)].map((text) => element("span", { text })));
    const take = element("button", {
      type: "button", class: "take round", text: "▸", title: say("playThis", { move }), "aria-label": say("playThis", { move }),
      onclick: () => { draw(false); play.move(move); },
    });
    return element("li", { "data-beginning": move }, look, take);
  }

  function draw({ game, language }) {
    const kind = game && `${game.rules.board}-${game.rules.supply}`;
    const path = game?.main.slice(1, 1 + game.main.indexOf(game.current)) ?? [];
    const played = path.map((node) => game.tree.find((each) => each.node === node)?.move ?? "");
    const isStart = game?.tree.find(({ node }) => node === game.main[0]) && game.position.turn === played.length + 1;
    // Who plays against an engine looks on their own.
    const isContest = Boolean(game?.live) && Object.values(game.players).some((who) => who !== "human");
    show(root, KINDS.includes(kind) && isStart && played.length < 2 && !isContest);
    if (root.hidden || !wanted) return;
    if (!files.has(kind)) load(kind);
    const file = files.get(kind);
    const { games: all, turns } = file ? beginningsAfter(file, played[0], game.rules.board) : { games: 0, turns: [] };
    setText(note, !file ? "…" : turns.length ? say("explorerNote", { games: file.games.toLocaleString(language) }) : say("explorerNone"));
    setList(list, [kind, played, language, Boolean(file)], () => {
      const head = element("li", { class: "quiet", "aria-hidden": "true" }, element("div", { class: "look beginning" },
        ...["", "explorerShare", "explorerWhite", "explorerValue"].map((key) => element("span", { text: key && say(key) }))), element("span", { class: "take" }));
      return turns.length ? [head, ...turns.map((turn) => row(turn, all))] : [];
    });
  }
  const redraw = store.watch(draw);
}
