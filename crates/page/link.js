// A whole game as a link: `#g=10~standard~pie~-~d4,e6~swap~…`. The fields are
// board, supply, pie rule, start (position text with `_` for spaces, or `-`) and
// the moves.

const PREFIX = "#g=";

/** The fragment of the link for a list of moves. */
export function fragmentOf(list) {
  const heads = {};
  const moves = [];
  for (const line of list.split("\n")) {
    const head = line.match(/^#\s*(\w+):\s*(.*)$/);
    if (head) heads[head[1]] ??= head[2].trim();
    else moves.push(...line.replace(/#.*/, "").split(/\s+/).filter((word) => word && !/^\d+\.$/.test(word)));
  }
  const start = heads.start ? heads.start.replaceAll(" ", "_") : "-";
  return PREFIX + [heads.board ?? "", heads.supply ?? "standard", heads.pie === "off" ? "nopie" : "pie", start, ...moves].map(encode).join("~");
}

function encode(word) {
  return encodeURIComponent(word).replaceAll("%2C", ",").replaceAll("%2F", "/");
}

/** The list of moves in a fragment, or null if there is none. */
export function listOf(fragment) {
  if (!fragment.startsWith(PREFIX)) return null;
  let words;
  try {
    words = fragment.slice(PREFIX.length).split("~").map(decodeURIComponent);
  } catch {
    return null;
  }
  const [board, supply, pie, start, ...moves] = words;
  const heads = [];
  if (board) heads.push(`# board: ${board}`);
  heads.push(`# supply: ${supply || "standard"}`, `# pie: ${pie === "nopie" ? "off" : "on"}`);
  if (start && start !== "-") heads.push(`# start: ${start.replaceAll("_", " ")}`);
  return `${[...heads, ...moves].join("\n")}\n`.replaceAll(/[\r\t]/g, " ");
}
