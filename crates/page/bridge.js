// Draws one bridge, seen from above and slightly from the front: an arched deck
// with rails, planks, posts on its two tiles and a shadow on the water.

import { drawing as svg } from "./dom.js";

/** How far the middle rises above the straight line. */
const RISE = 11;
/** Half the deck's width at its ends and in the middle. */
const ENDS = 7;
const MIDDLE = 9;

/**
 * @param {[number, number]} from
 * @param {[number, number]} to
 * @returns {SVGElement[]}
 */
export function bridgeParts([x1, y1], [x2, y2]) {
  y1 -= 3;
  y2 -= 3;
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [nx, ny] = [-(y2 - y1) / length, (x2 - x1) / length];
  const top = [(x1 + x2) / 2, (y1 + y2) / 2 - RISE];

  /** A point of the arch's centre line and half the deck's width there. */
  const at = (t) => {
    const u = 1 - t;
    const bow = 4 * t * u;
    return {
      x: u * u * x1 + 2 * t * u * (2 * top[0] - (x1 + x2) / 2) + t * t * x2,
      y: u * u * y1 + 2 * t * u * (2 * top[1] - (y1 + y2) / 2) + t * t * y2,
      half: ENDS + (MIDDLE - ENDS) * bow,
    };
  };
  const side = (sign, down) => {
    const points = [];
    for (let n = 0; n <= 12; n++) {
      const { x, y, half } = at((down ? 12 - n : n) / 12);
      points.push(`${(x + sign * nx * half).toFixed(1)} ${(y + sign * ny * half).toFixed(1)}`);
    }
    return points.join("L");
  };
  let planks = "";
  const count = Math.round(length / 10);
  for (let n = 1; n < count; n++) {
    const { x, y, half } = at(n / count);
    const reach = half - 2.5;
    planks += `M${(x - nx * reach).toFixed(1)} ${(y - ny * reach).toFixed(1)}L${(x + nx * reach).toFixed(1)} ${(y + ny * reach).toFixed(1)}`;
  }
  const shadow = `M${x1} ${y1 + 6}Q${(x1 + x2) / 2 + 6} ${(y1 + y2) / 2 + 22} ${x2} ${y2 + 6}`;
  return [
    svg("path", { class: "cast", d: shadow }),
    svg("path", { class: "deck", d: `M${side(1, false)}L${side(-1, true)}Z` }),
    svg("path", { class: "planks", d: planks }),
    svg("path", { class: "rail", d: `M${side(1, false)}M${side(-1, false)}` }),
    ...[[x1, y1], [x2, y2]].map(([cx, cy]) => svg("circle", { class: "post", cx, cy, r: 8.5 })),
  ];
}
