// The rules page: its pictures, drawn by the board of the game. Its texts are in
// texts-rules.js; it needs no host.

import { createBoard } from "./board.js";
import { readPosition, rowsOf } from "./geometry.js";
import { closedCells } from "./overlays.js";
import { createPreferences, firstPreferences } from "./preferences.js";
import { createStore } from "./store.js";

/** The position of each picture. */
const POSITIONS = {
  turn: "6/2r1w1/6/4r1/1w4/6",
  island: "6/4rr/2w1r1/1ww3/1w2w1/4w1",
  distance: "6/6/1rww2/1wwr2/5r/6",
  bridge: "4r2/w1w3r/7/5w1/3r3/4w2/1r5 w a6-c6,b1-d3,e2-f4,e7-g6",
  score: "6rr/ww4rr/ww6/3w4/3w1ww1/5ww1/8/8 w b6-d5,d4-f3",
};
/** What each picture shows besides. @type {Record<string, Partial<import("./board.js").Scene>>} */
const ADDITIONS = {
  turn: { laid: [{ cell: "d2", player: "white" }, { cell: "b4", player: "white" }] },
  score: { glow: ["a6", "a7", "b6", "b7", "d5", "d4", "f3", "f4", "g3", "g4"] },
};
/** The cells that the island of the picture `distance` closes. */
const CLOSED_CELLS = ["a2", "a3", "a4", "b2", "c2", "d2", "d5", "b5", "c5", "e3", "e4", "e5"];

const store = createStore(firstPreferences());
createPreferences(store);
for (const picture of /** @type {NodeListOf<SVGSVGElement>} */ (document.querySelectorAll("[data-picture]"))) {
  const name = picture.dataset.picture;
  const scene = { ...readPosition(POSITIONS[name]), ...ADDITIONS[name] };
  const red = rowsOf(scene.size).flat();
  const closed = name === "distance" ? { white: red.filter((cell) => !CLOSED_CELLS.includes(cell)), red } : null;
  createBoard(picture).draw(scene, [closedCells(scene, closed)]);
}
