// The graph of White's win rate, turn by turn. A click goes to the turn.

import { byId, drawing as svg } from "./dom.js";

const WIDTH = 400;
const HEIGHT = 96;
const EDGE = 6;

export function createGraph(store, play, say) {
  const root = byId("graph");
  let main = [];

  const x = (n) => EDGE + ((WIDTH - 2 * EDGE) * n) / Math.max(8, main.length - 1);
  const y = (chance) => EDGE + (HEIGHT - 2 * EDGE) * (1 - chance);

  function draw({ game, review }) {
    if (!game) return;
    const nodes = new Map(game.tree.map((node) => [node.node, node]));
    main = game.main.map((node) => nodes.get(node)).filter(Boolean);
    const known = [];
    main.forEach((node, n) => {
      if (typeof node.winrate === "number") known.push({ n, node, x: x(n), y: y(node.winrate) });
    });
    const parts = [
      svg("rect", { class: "paper", width: WIDTH, height: HEIGHT, rx: 8 }),
      svg("path", { class: "half", d: `M${EDGE} ${HEIGHT / 2}H${WIDTH - EDGE}` }),
    ];
    if (known.length) {
      const path = known.map((p) => `${p.x.toFixed(1)} ${p.y.toFixed(1)}`).join("L");
      const [first, last] = [known[0], known.at(-1)];
      parts.push(
        svg("path", { class: "area", d: `M${first.x.toFixed(1)} ${HEIGHT - EDGE}L${path}V${HEIGHT - EDGE}Z` }),
        svg("path", { class: "curve", d: `M${path}` }));
      if (first === last) parts.push(svg("circle", { class: "dot", cx: first.x, cy: first.y, r: 3 }));
    }
    const bad = new Map((review?.turns ?? []).map((t) => [t.node, t.grade]));
    for (const point of known) {
      const kind = bad.get(point.node.node);
      if (kind === "mistake" || kind === "blunder") parts.push(svg("circle", { class: `dot ${kind}`, cx: point.x, cy: point.y, r: 4 }));
    }
    const here = main.findIndex((node) => node.node === game.current);
    if (here >= 0) {
      parts.push(svg("path", { class: "here", d: `M${x(here).toFixed(1)} ${EDGE}V${HEIGHT - EDGE}` }));
      const chance = main[here].winrate;
      if (typeof chance === "number") {
        const right = x(here) > WIDTH - 60;
        parts.push(svg("text", { class: "value", x: x(here) + (right ? -6 : 6), y: 20, "text-anchor": right ? "end" : "start", text: `${Math.round(chance * 100)} %` }));
      }
    }
    const width = main.length > 1 ? x(1) - x(0) : WIDTH;
    main.forEach((node, n) => {
      const spot = svg("rect", { class: "spot", x: x(n) - width / 2, y: 0, width, height: HEIGHT, "data-graph-turn": node.turn ?? 0, onclick: () => play.go(node.node) });
      const chance = typeof node.winrate === "number" ? `: ${Math.round(node.winrate * 100)} %` : "";
      spot.append(svg("title", { text: `${node.turn ?? 0}. ${node.move ?? say("start")}${chance}` }));
      parts.push(spot);
    });
    root.replaceChildren(...parts);
  }

  store.watch(["game", "review", "language"], draw);
}
