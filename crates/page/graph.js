// The graph of White's win rate, turn by turn. A click goes to a turn. The win rates are part of
// the game's nodes; they come from a review or from the engine's own searches.

import { byId, svgElement as svg } from "./dom.js";
import { scrollToBoard } from "./moves.js";
import { isSilent } from "./analysis.js";
import { moveName, percent } from "./texts.js";
import { isBeside } from "./view.js";

const WIDTH = 400;
const HEIGHT = 96;
const PADDING = 6;

/** @param {import("./main.js").Page} page */
export function createGraph({ store, play, say }) {
  const root = byId("graph");
  let main = [];

  const x = (n) => PADDING + ((WIDTH - 2 * PADDING) * n) / Math.max(8, main.length - 1);
  const y = (chance) => PADDING + (HEIGHT - 2 * PADDING) * (1 - chance);

  /** Splits the points into runs of consecutive turns. */
  function runsOf(points) {
    const runs = [];
    for (const point of points) {
      if (runs.at(-1)?.at(-1).n === point.n - 1) runs.at(-1).push(point);
      else runs.push([point]);
    }
    return runs;
  }

  /** Returns the result in short: `Red +3`. */
  function shortResult({ winner, by, text }) {
    if (winner === "draw") return say("draw");
    return by === "score" && /\+\d+$/.test(text) ? `${say(winner)} +${text.match(/\d+$/)[0]}` : say("cardWins", { winner });
  }

  store.watch(({ game, review, silent, language }) => {
    if (!game) return;
    const nodes = new Map(game.tree.map((node) => [node.node, node]));
    // A variation beside a finished game leaves its graph as it is.
    const { main: line, end } = isBeside(game) ? game.final : game;
    main = line.map((node) => nodes.get(node)).filter(Boolean);
    const measured = [];
    main.forEach((node, n) => {
      if (!isSilent({ game, silent }) && typeof node.winrate === "number") measured.push({ n, node, x: x(n), y: y(node.winrate) });
    });
    root.toggleAttribute("hidden", !measured.length && !end);
    const parts = [
      svg("rect", { class: "paper", width: WIDTH, height: HEIGHT, rx: 8 }),
      svg("path", { class: "half", d: `M${PADDING} ${HEIGHT / 2}H${WIDTH - PADDING}` }),
    ];
    if (measured.length) {
      for (const run of runsOf(measured)) {
        const path = run.map((p) => `${p.x.toFixed(1)} ${p.y.toFixed(1)}`).join("L");
        const [left, right] = [run[0].x, run.at(-1).x].map((at) => at.toFixed(1));
        if (run.length > 1) {
          parts.push(
            svg("path", { class: "red", d: `M${left} ${PADDING}L${path}L${right} ${PADDING}Z` }),
            svg("path", { class: "area", d: `M${left} ${HEIGHT - PADDING}L${path}L${right} ${HEIGHT - PADDING}Z` }),
            svg("path", { class: "curve", d: `M${path}` }));
        } else parts.push(svg("circle", { class: "dot", cx: run[0].x, cy: run[0].y, r: 3 }));
      }
    }
    if (end && main.length) {
      const endValue = { white: 1, red: 0, draw: 0.5 }[end.winner];
      parts.push(
        svg("circle", { class: `end ${end.winner}`, cx: x(main.length - 1), cy: y(endValue), r: 5 }),
        svg("text", {
          class: "result", x: x(main.length - 1) - 9, y: endValue > 0.5 ? 20 : HEIGHT - 11,
          "text-anchor": "end", text: shortResult(end),
        }));
    }
    const grades = new Map((review?.turns ?? []).map((t) => [t.node, t.grade]));
    for (const point of measured) {
      const kind = grades.get(point.node.node);
      if (kind === "mistake" || kind === "blunder") parts.push(svg("circle", { class: `dot ${kind}`, cx: point.x, cy: point.y, r: 4 }));
    }
    const currentIndex = main.findIndex((node) => node.node === game.current);
    if (currentIndex >= 0) {
      parts.push(svg("path", { class: "here", d: `M${x(currentIndex).toFixed(1)} ${PADDING}V${HEIGHT - PADDING}` }));
      const chance = measured.find((point) => point.n === currentIndex)?.node.winrate;
      // At the end, the result is shown instead.
      if (typeof chance === "number" && !(end && currentIndex === main.length - 1)) {
        const right = x(currentIndex) > WIDTH - 60;
        parts.push(svg("text", {
          class: "value", x: x(currentIndex) + (right ? -6 : 6), y: 20, "text-anchor": right ? "end" : "start",
          text: percent(language, chance),
        }));
      }
    }
    const width = main.length > 1 ? x(1) - x(0) : WIDTH;
    main.forEach((node, n) => {
      const spot = svg("rect", {
        class: "spot", x: x(n) - width / 2, y: 0, width, height: HEIGHT, "data-graph-turn": node.turn ?? 0,
        onclick: () => (play.go(node.node), scrollToBoard()),
      });
      const chance = measured.some((point) => point.n === n) ? `: ${percent(language, node.winrate)}` : "";
      spot.append(svg("title", { text: `${node.turn ?? 0}. ${node.move ? moveName(language, node.move) : say("start")}${chance}` }));
      parts.push(spot);
    });
    root.replaceChildren(...parts);
  });
}
