// What a refused move's reason speaks of, by the names that the texts use.
// The server sends the rule's code and the cells: those of the move first,
// then those it collides with.

/**
 * @param {{code: string|null, text: string, cells: string[]}} reason
 * @param {object} position the position it is about
 * @returns {Record<string, string|number>}
 */
export function valuesOf({ code, text = "", cells = [] }, position) {
  const [a, b, c, d] = cells;
  const mover = position?.to_move;
  const owner = ["white", "red"].find((player) => position?.tiles[player].includes(a));
  switch (code) {
    case "not_your_turn": return { to_move: mover };
    case "occupied": return { cell: a, color: owner };
    case "blocked":
    case "carries_bridge": return { cell: a, bridge: `${b}-${c}` };
    case "group_too_large": return { cell: a, tiles: text.match(/group of (\d+)/)?.[1] ?? 5 };
    case "touches_island": return { cell: a, island: b };
    case "island_touches": return { cell: a, tile: b };
    case "no_tiles_left": return { color: mover, left: position?.supply[mover] ?? 0 };
    case "no_bridge_shape": return { ends: `${a}-${b}` };
    case "not_your_tile": return { cell: a, color: mover };
    case "tile_under_bridge": return { ends: `${a}-${b}`, tile: c };
    case "crosses_bridge": return { ends: `${a}-${b}`, other: `${c}-${d}` };
    case "pass_not_allowed": return { example: `${a},${b}` };
    default: return { cell: a };
  }
}
