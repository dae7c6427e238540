// The rules page. Its pictures are drawn by the board of the game.

import { createBoard } from "./board.js";
import { createPreferences, firstPreferences } from "./preferences.js";
import { createStore } from "./store.js";

const all = (size) => {
  const cells = new Set();
  for (let x = 0; x < size; x++) for (let y = 1; y <= size; y++) cells.add(String.fromCharCode(97 + x) + y);
  return cells;
};
/** All cells of a board except the closed ones. */
function without(size, closed) {
  const cells = all(size);
  for (const cell of closed) cells.delete(cell);
  return cells;
}

/** @type {Record<string, import("./board.js").Scene>} */
const PICTURES = {
  turn: {
    size: 6,
    tiles: { white: ["b2", "e5"], red: ["c5", "e3"] },
    bridges: [],
    laid: [{ cell: "d2", player: "white" }, { cell: "b4", player: "white" }],
  },
  island: {
    size: 6,
    tiles: { white: ["b2", "b3", "c3", "c4", "e1", "e2"], red: ["e4", "e5", "f5"] },
    islands: [{ player: "white", cells: ["b2", "b3", "c3", "c4"] }],
    bridges: [],
  },
  distance: {
    size: 6,
    tiles: { white: ["b3", "c3", "c4", "d4"], red: ["b4", "d3", "f2"] },
    islands: [{ player: "white", cells: ["b3", "c3", "c4", "d4"] }],
    bridges: [],
    usable: {
      white: without(6, ["a2", "a3", "a4", "b2", "c2", "d2", "d5", "b5", "c5", "e3", "e4", "e5"]),
      red: all(6),
    },
  },
  bridge: {
    size: 7,
    tiles: { white: ["a6", "c6", "e2", "f4"], red: ["b1", "d3", "e7", "g6"] },
    bridges: [
      { from: "a6", to: "c6", player: "white" }, { from: "b1", to: "d3", player: "red" },
      { from: "e2", to: "f4", player: "white" }, { from: "e7", to: "g6", player: "red" },
    ],
  },
  score: {
    size: 8,
    tiles: { white: ["a6", "a7", "b7", "b6", "d5", "f4", "f3", "g3", "g4"], red: ["h7", "h8", "g8", "g7"] },
    islands: [
      { player: "white", cells: ["a6", "a7", "b6", "b7"] }, { player: "white", cells: ["f3", "f4", "g3", "g4"] },
      { player: "red", cells: ["g7", "g8", "h7", "h8"] },
    ],
    bridges: [{ from: "b6", to: "d5", player: "white" }],
  },
};
// A tile carries only one bridge, so the connecting sandbank has two tiles.
PICTURES.score.tiles.white.push("d4");
PICTURES.score.bridges.push({ from: "d4", to: "f3", player: "white" });
PICTURES.score.glow = ["a6", "a7", "b6", "b7", "d5", "d4", "f3", "f4", "g3", "g4"];

const store = createStore(firstPreferences());
createPreferences(store);
for (const picture of document.querySelectorAll("[data-picture]")) {
  createBoard(picture).draw(PICTURES[picture.dataset.picture]);
}
