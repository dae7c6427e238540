// The report of a review, in one file that needs no server and no network. This script reads the
// JSON of `pontifex review --json` in the file and draws board, graphs, lists and sentences. It
// shares nothing with the page of the game, is in English only, and knows no rules except how
// tiles form groups and networks, because the JSON has only positions.
"use strict";
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const UNIT = 100; // Edge length of a cell.
  const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??" };
  const games = JSON.parse(document.getElementById("review-data").textContent);
  const byId = (id) => document.getElementById(id);
  const percent = (share) => (100 * share).toFixed(1);
  const signed = (number) => (number > 0 ? "+" : "") + number.toFixed(1);
  const colorName = (color) => (color === "white" ? "White" : "Red");
  const proof = ({ solved, winner }) => solved || (winner ? `${colorName(winner)} wins` : "");
  let gameIndex = 0;
  let currentIndex = 0; // Index of the current turn; turns().length is the end.

  function make(kind, attributes, text) {
    const element = document.createElementNS(SVG, kind);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    if (text !== undefined) element.textContent = text;
    return element;
  }

  function html(kind, className, text) {
    const element = document.createElement(kind);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  }

  const turns = () => games[gameIndex].turns;
  const turnShown = () => turns()[currentIndex];
  const sideOf = (index) => (index < turns().length ? turns()[index].white : games[gameIndex].end.white);

  // Returns the column and row of a cell, from 0.
  const columnRow = (text) => [text.charCodeAt(0) - 97, Number(text.slice(1)) - 1];
  const cellsOf = (move) => (/[,-]/.test(move) ? move.split(/[,-]/) : []);

  function readPosition(text) {
    const [rows, side, bridges] = text.split(" ");
    const tiles = {};
    const lines = rows.split("/");
    lines.forEach((line, n) => {
      let column = 0;
      for (const part of line.match(/[wr]|\d+/g) || []) {
        if (part === "w" || part === "r") {
          tiles[String.fromCharCode(97 + column) + (lines.length - n)] = part === "w" ? "white" : "red";
          column += 1;
        } else {
          column += Number(part);
        }
      }
    });
    return { size: lines.length, side, tiles, bridges: bridges === "-" ? [] : bridges.split(",") };
  }

  const neighbours = (text) => {
    const [column, row] = columnRow(text);
    return [[0, 1], [0, -1], [-1, 0], [1, 0]].map(([x, y]) => String.fromCharCode(97 + column + x) + (row + y + 1));
  };

  // Returns the islands of a position, and its networks with an island as lists of islands.
  function readNetworks({ tiles, bridges }) {
    const groupOf = {};
    const spread = (text, group) => {
      groupOf[text] = group;
      group.push(text);
      for (const next of neighbours(text)) if (tiles[next] === tiles[text] && !groupOf[next]) spread(next, group);
    };
    for (const text in tiles) if (!groupOf[text]) spread(text, []);
    const parents = new Map();
    const root = (group) => (parents.has(group) ? root(parents.get(group)) : group);
    for (const bridge of bridges) {
      const [a, b] = bridge.split("-").map((text) => root(groupOf[text]));
      if (a !== b) parents.set(a, b);
    }
    const islands = [...new Set(Object.values(groupOf))].filter((group) => group.length === 4);
    const networks = new Map();
    for (const island of islands) networks.set(root(island), [...(networks.get(root(island)) || []), island]);
    return { islands, networks: [...networks.values()] };
  }

  const countText = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;
  const networkPoints = (islands) => (islands * (islands + 1)) / 2;

  function drawScore({ tiles, bridges }, { islands, networks }) {
    const lines = ["white", "red"].map((color) => {
      const isOwn = (cells) => tiles[cells[0]] === color;
      const sum = networks.filter((network) => isOwn(network[0])).reduce((total, network) => total + networkPoints(network.length), 0);
      const built = bridges.filter((bridge) => isOwn(bridge.split("-"))).length;
      const score = countText(sum, "point");
      return `${colorName(color)}: ${score}, ${countText(islands.filter(isOwn).length, "island")}, ${countText(built, "bridge")}`;
    });
    byId("score").replaceChildren(...lines.map((line) => html("span", "", line)));
  }

  function drawBoard() {
    const turn = turnShown();
    const position = readPosition(turn ? turn.position : games[gameIndex].end.position);
    const { size, tiles } = position;
    const connected = readNetworks(position);
    drawScore(position, connected);
    const middle = (text) => {
      const [column, row] = columnRow(text);
      return [UNIT * (column + 0.5), UNIT * (size - row - 0.5)];
    };
    const board = byId("board");
    const edge = UNIT * (size + 1.4);
    board.setAttribute("viewBox", `${-0.7 * UNIT} ${-0.7 * UNIT} ${edge} ${edge}`);
    const parts = [];
    for (let n = 0; n < size; n += 1) {
      const letter = String.fromCharCode(97 + n);
      for (const y of [-0.35, size + 0.35]) parts.push(make("text", { class: "edge", x: UNIT * (n + 0.5), y: UNIT * y }, letter));
      for (const x of [-0.35, size + 0.35]) parts.push(make("text", { class: "edge", x: UNIT * x, y: UNIT * (size - n - 0.5) }, n + 1));
      for (let row = 0; row < size; row += 1) {
        parts.push(make("rect", {
          class: "cell", "data-cell": letter + (row + 1), x: UNIT * n, y: UNIT * (size - row - 1),
          width: UNIT, height: UNIT,
        }));
      }
    }
    for (const island of connected.islands) {
      const shore = [];
      for (const text of island) {
        const [x, y] = middle(text);
        parts.push(make("rect", { class: "island", x: x - 50, y: y - 50, width: 100, height: 100 }));
        const edges = [`M${x - 50} ${y - 50}h100`, `M${x - 50} ${y + 50}h100`, `M${x - 50} ${y - 50}v100`, `M${x + 50} ${y - 50}v100`];
        neighbours(text).forEach((next, n) => island.includes(next) || shore.push(edges[n]));
      }
      parts.push(make("path", { class: "shore", d: shore.join("") }));
    }
    for (const text in tiles) {
      const [x, y] = middle(text);
      const color = tiles[text];
      const attributes = { class: `tile ${color}`, "data-tile": color, "data-cell": text };
      parts.push(make("rect", { ...attributes, rx: 8, x: x - 38, y: y - 38, width: 76, height: 76 }));
      if (color === "red") parts.push(make("rect", { class: "ring", rx: 5, x: x - 26, y: y - 26, width: 52, height: 52 }));
    }
    for (const bridge of position.bridges) {
      const [a, b] = bridge.split("-");
      const [[x1, y1], [x2, y2]] = [middle(a), middle(b)];
      parts.push(make("line", { class: "bridge", "data-bridge": bridge, x1, y1, x2, y2 }));
      parts.push(make("line", { class: `bridge core ${tiles[a]}`, x1, y1, x2, y2 }));
    }
    const ends = position.bridges.flatMap((bridge) => bridge.split("-"));
    for (const network of connected.networks) {
      // On a tile without a bridge, if there is one.
      const place = network.flat().find((text) => !ends.includes(text)) || network[0][0];
      const [x, y] = middle(place);
      parts.push(make("rect", { class: "badge", "data-network": network.length, x: x - 22, y: y - 20, width: 44, height: 40, rx: 20 }));
      parts.push(make("text", { class: "points", x, y }, networkPoints(network.length)));
    }
    if (turn && byId("heat").checked) parts.push(...heatShapes(turn, middle));
    if (turn) {
      const cells = cellsOf(turn.move).map(middle);
      if (turn.move.includes("-")) {
        const [[x1, y1], [x2, y2]] = cells;
        parts.push(make("line", { class: "played-line", x1, y1, x2, y2 }));
      }
      for (const [cx, cy] of cells) parts.push(make("circle", { class: "played", cx, cy, r: 44 }));
    }
    board.replaceChildren(...parts);
    const tileTexts = Object.entries(tiles).map(([text, color]) => `${color} ${text}`).join(", ");
    const bridgeText = position.bridges.length ? `; bridges ${position.bridges.join(", ")}` : "";
    board.setAttribute("aria-label", `Board: ${tileTexts || "empty"}${bridgeText}`);
  }

  // Draws the candidates: darker means more visits. Each cell shows the win rate and the visits
  // of the best move that uses it.
  function heatShapes(turn, middle) {
    const parts = [];
    const labelled = new Set();
    const most = Math.max(1, ...turn.moves.map((candidate) => candidate.visits));
    turn.moves.forEach((candidate) => {
      const share = 0.18 + 0.5 * Math.sqrt(candidate.visits / most);
      const marks = { "data-candidate": candidate.order, "data-move": candidate.move };
      let places = cellsOf(candidate.move);
      if (candidate.move.includes("-")) {
        const [[x1, y1], [x2, y2]] = places.map(middle);
        parts.push(make("line", { class: "heat-line", ...marks, x1, y1, x2, y2, "stroke-opacity": share + 0.3 }));
        const key = `${x1 + x2}/${y1 + y2}`;
        if (!labelled.has(key)) addLabel(parts, candidate, (x1 + x2) / 2, (y1 + y2) / 2);
        labelled.add(key);
        return;
      }
      for (const place of places.filter((text) => !labelled.has(text))) {
        labelled.add(place);
        const [x, y] = middle(place);
        parts.push(make("rect", { class: "heat", ...marks, x: x - 46, y: y - 46, width: 92, height: 92, "fill-opacity": share }));
        addLabel(parts, candidate, x, y);
      }
    });
    return parts;
  }

  function addLabel(parts, candidate, x, y) {
    const visits = candidate.visits < 10000 ? candidate.visits : Math.round(candidate.visits / 1000) + "k";
    parts.push(make("text", { class: "chance", x, y: y - 2 }, Math.round(100 * candidate.winrate) + "%"));
    parts.push(make("text", { class: "visits", x, y: y + 27 }, visits));
  }

  function drawGraph(id, value, least, most, text) {
    const graph = byId(id);
    const last = turns().length;
    const [width, height] = [600, 120];
    const x = (index) => (last ? (index / last) * (width - 20) + 10 : width / 2);
    const y = (number) => height - 8 - ((number - least) / (most - least)) * (height - 16);
    graph.setAttribute("viewBox", `0 0 ${width} ${height}`);
    graph.setAttribute("preserveAspectRatio", "none");
    const zero = y((least + most) / 2);
    const parts = [make("line", { class: "middle", x1: 0, x2: width, y1: zero, y2: zero })];
    const corners = [];
    const step = last ? (width - 20) / last : width;
    for (let index = 0; index <= last; index += 1) {
      corners.push(`${x(index).toFixed(1)},${y(value(index)).toFixed(1)}`);
      const caption = index < last ? `Turn ${index + 1}` : "End";
      const hit = make("rect", { class: "hit", "data-turn": index + 1, x: x(index) - step / 2, y: 0, width: step, height });
      hit.append(make("title", {}, `${caption}: ${text(value(index))}`));
      hit.addEventListener("click", () => show(index));
      parts.push(hit);
    }
    parts.push(make("polyline", { class: "curve", points: corners.join(" "), "pointer-events": "none" }));
    turns().forEach((turn, index) => {
      if (turn.grade) {
        parts.push(make("rect", {
          class: "bad", x: x(index) - 3, y: height - 8, width: 6, height: turn.grade === "inaccuracy" ? 3 : 8,
        }));
      }
    });
    parts.push(make("line", { class: "now", x1: x(currentIndex), x2: x(currentIndex), y1: 0, y2: height, "pointer-events": "none" }));
    graph.replaceChildren(...parts);
  }

  function drawGraphs() {
    const leads = Array.from({ length: turns().length + 1 }, (_, index) => Math.abs(sideOf(index).scoreLead));
    const most = Math.max(2, ...leads);
    drawGraph("graph-winrate", (index) => 100 * sideOf(index).winrate, 0, 100, (number) => `${number.toFixed(1)} %`);
    drawGraph("graph-lead", (index) => sideOf(index).scoreLead, -most, most, signed);
    const setScale = (id, texts) => byId(id).replaceChildren(...texts.map((text) => html("span", "", text)));
    setScale("scale-winrate", ["100", "50", "0"]);
    setScale("scale-lead", [most, 0, -most].map((number) => (number > 0 ? "+" : "") + Math.round(number)));
    for (const ruler of document.querySelectorAll(".ruler")) {
      const marks = [0, 0.25, 0.5, 0.75].map((share) => Math.round(share * (leads.length - 1)) + 1);
      ruler.replaceChildren(...[...new Set(marks)].map((turn) => html("span", "", `turn ${turn}`)), html("span", "", "end"));
    }
  }

  function tableRow(cells, kind) {
    const line = html("tr");
    for (const [text, className] of cells) line.append(html(kind || "td", className, text));
    return line;
  }

  function fillTable(id, head, rows) {
    const [top, body] = [html("thead"), html("tbody")];
    const line = tableRow(head, "th");
    for (const columnHead of line.children) columnHead.scope = "col";
    top.append(line);
    body.append(...rows);
    byId(id).replaceChildren(top, body);
  }

  function drawCandidates() {
    const turn = turnShown();
    const rows = (turn ? turn.moves : []).map((candidate) =>
      tableRow([
        [candidate.order + 1],
        [candidate.move + (turn.move === candidate.move ? " (played)" : ""), "word"],
        [candidate.visits],
        [percent(candidate.winrate)],
        [signed(candidate.scoreLead)],
        [proof(candidate)],
        [candidate.pv.slice(1, 7).join(" "), "pv"],
      ]));
    fillTable("candidates", [["#"], ["Move", "word"], ["Examined"], ["Win %"], ["Lead"], ["Proved"], ["Continuation", "pv"]], rows);
    byId("candidates").parentElement.hidden = !turn;
  }

  function drawTurns() {
    const rows = turns().map((turn, index) => {
      const better = turn.best === turn.move ? "=" : turn.best;
      const loss = turn.best === turn.move ? "" : percent(turn.loss.winrate);
      const line = tableRow([
        [turn.turn],
        [colorName(turn.player), "word"],
        [turn.move, "word"],
        [turn.grade ? SIGNS[turn.grade] : "", "sign"],
        [better, "word"],
        [percent(turn.winrate)],
        [loss],
        [turn.best === turn.move ? "" : turn.loss.points.toFixed(1)],
        [proof(turn)],
      ]);
      line.dataset.turn = turn.turn;
      if (turn.grade) line.dataset.grade = turn.grade;
      line.addEventListener("click", () => show(index));
      return line;
    });
    const end = tableRow([
      [""], ["End", "word"], [games[gameIndex].result || "", "word"],
      [""], ["", "word"], [""], [""], [""], [proof(games[gameIndex].end)],
    ]);
    end.dataset.turn = turns().length + 1;
    end.addEventListener("click", () => show(turns().length));
    const head = [
      ["Turn"], ["Side", "word"], ["Played", "word"], ["Grade"], ["Best", "word"],
      ["Win %"], ["Loss %"], ["Points lost"], ["Proved"],
    ];
    fillTable("turns", head, [...rows, end]);
  }

  function drawSummary() {
    const { summary, opening } = games[gameIndex];
    const lines = ["white", "red"].map((color) => {
      const { accuracy, loss, inaccuracies, mistakes, blunders } = summary[color];
      if (accuracy === null) return `${colorName(color)}: no moves with a choice.`;
      const player = games[gameIndex][color] ? ` (${games[gameIndex][color]})` : "";
      return `${colorName(color)}${player}: accuracy ${accuracy.toFixed(1)} %, mean loss ${percent(loss.winrate)} % and ` +
        `${loss.points.toFixed(1)} points; inaccuracies ?!: ${inaccuracies}, mistakes ?: ${mistakes}, blunders ??: ${blunders}.`;
    });
    if (opening) {
      const should = opening.should_swap ? "Red should swap" : "Red should not swap";
      const did = opening.swapped === null ? "" : opening.swapped ? ", and did" : ", and did not";
      lines.push(`Opening ${opening.move}: White's win rate is ${percent(opening.winrate)} % without a swap; ${should}${did}.`);
    }
    byId("summary").replaceChildren(...lines.map((line) => html("p", "", line)));
  }

  function describe() {
    const turn = turnShown();
    if (!turn) {
      const { end, result } = games[gameIndex];
      return end.over
        ? `The game is over: ${result || end.solved}.`
        : `The record ends here. White: win rate ${percent(end.white.winrate)} %, lead ${signed(end.white.scoreLead)}.`;
    }
    const parts = [
      `Turn ${turn.turn}, ${colorName(turn.player)} played ${turn.move}`
        + (turn.grade ? `, ${turn.grade === "inaccuracy" ? "an" : "a"} ${turn.grade} ${SIGNS[turn.grade]}.` : "."),
    ];
    parts.push(`${colorName(turn.player)}: win rate ${percent(turn.winrate)} %, lead ${signed(turn.scoreLead)}.`);
    if (turn.best === turn.move) parts.push("This is the best move.");
    else {
      const loss = `${percent(turn.loss.winrate)} % and ${turn.loss.points.toFixed(1)} points`;
      parts.push(`The best move is ${turn.best}; the loss is ${loss}.`);
    }
    if (proof(turn)) parts.push(`Proved: ${proof(turn)}.`);
    return parts.join(" ");
  }

  const isMistake = (turn) => turn.grade === "mistake" || turn.grade === "blunder";
  const previousMistake = () => turns().findLastIndex((turn, index) => index < currentIndex && isMistake(turn));
  const nextMistake = () => turns().findIndex((turn, index) => index > currentIndex && isMistake(turn));

  function show(index) {
    currentIndex = Math.max(0, Math.min(turns().length, index));
    document.body.dataset.game = gameIndex + 1;
    document.body.dataset.turn = currentIndex + 1;
    document.body.dataset.heat = byId("heat").checked ? "on" : "off";
    drawBoard();
    drawGraphs();
    drawCandidates();
    byId("status").textContent = describe();
    for (const line of byId("turns").tBodies[0].rows) {
      const isShown = Number(line.dataset.turn) === currentIndex + 1;
      if (isShown) {
        line.setAttribute("aria-current", "true");
        const list = byId("list");
        const [top, bottom] = [line.offsetTop - 40, line.offsetTop + line.offsetHeight];
        if (top < list.scrollTop) list.scrollTop = top;
        if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
      } else {
        line.removeAttribute("aria-current");
      }
    }
    byId("first").disabled = byId("previous").disabled = currentIndex === 0;
    byId("next").disabled = byId("last").disabled = currentIndex === turns().length;
    byId("previous-mistake").disabled = previousMistake() < 0;
    byId("next-mistake").disabled = nextMistake() < 0;
  }

  // Returns the index of the turn with the largest loss.
  const worstTurn = ({ turns }) => turns.reduce((worst, turn, index) => (turn.loss.winrate > turns[worst].loss.winrate ? index : worst), 0);

  function titleOf({ file, game: number, white, red, result }) {
    const names = white || red ? `: ${white || "?"} (White) - ${red || "?"} (Red)` : "";
    return file + (number > 1 ? `, game ${number}` : "") + names + (result ? `, ${result}` : "");
  }

  // Draws the list of all games, each with a link.
  function drawIndex() {
    byId("index").hidden = games.length < 2;
    const rows = games.map((reviewed, number) => {
      const costliest = reviewed.turns[reviewed.turning_points[0] - 1];
      const side = ({ accuracy, loss }) => [
        [accuracy === null ? "" : accuracy.toFixed(1)],
        [accuracy === null ? "" : percent(loss.winrate)],
      ];
      const line = tableRow([
        ["", "word"], [reviewed.white || "?", "word"], [reviewed.red || "?", "word"], [reviewed.result || "", "word"],
        ...side(reviewed.summary.white), ...side(reviewed.summary.red),
        [
          costliest
            ? `${costliest.turn}: ${costliest.move} (${colorName(costliest.player)}, -${percent(costliest.loss.winrate)} %)`
            : "",
          "word",
        ],
      ]);
      const link = html("a", "", reviewed.file + (reviewed.game > 1 ? `, game ${reviewed.game}` : ""));
      link.href = `#game-${number + 1}`;
      line.cells[0].append(link);
      line.dataset.game = number + 1;
      return line;
    });
    const head = ["Game", "White", "Red", "Result"].map((text) => [text, "word"]);
    fillTable("games", [...head, ["White's accuracy"], ["Loss %"], ["Red's accuracy"], ["Loss %"], ["Worst move", "word"]], rows);
  }

  function openGame(number) {
    gameIndex = number;
    for (const line of byId("games").rows) line.toggleAttribute("aria-current", line.dataset.game === String(number + 1));
    byId("title").textContent = titleOf(games[gameIndex]);
    document.title = `${titleOf(games[gameIndex])} - review by pontifex`;
    drawTurns();
    drawSummary();
    show(worstTurn(games[gameIndex]));
  }

  const go = (index) => index >= 0 && show(index);
  const actions = {
    first: () => show(0),
    previous: () => show(currentIndex - 1),
    next: () => show(currentIndex + 1),
    last: () => show(turns().length),
    "previous-mistake": () => go(previousMistake()),
    "next-mistake": () => go(nextMistake()),
  };
  const keys = {
    ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last", n: "next-mistake",
    ArrowDown: "next-mistake", p: "previous-mistake", ArrowUp: "previous-mistake",
  };

  if (!games.length) {
    byId("title").textContent = "No games";
    return;
  }
  for (const id in actions) byId(id).addEventListener("click", actions[id]);
  byId("heat").addEventListener("change", () => show(currentIndex));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT" || !keys[event.key]) return;
    event.preventDefault();
    actions[keys[event.key]]();
  });
  drawIndex();
  const gameInAddress = () => Number(/^#game-(\d+)$/.exec(location.hash)?.[1]) - 1;
  addEventListener("hashchange", () => games[gameInAddress()] && openGame(gameInAddress()));
  const largestLoss = (reviewed) => (reviewed.turns.length ? reviewed.turns[worstTurn(reviewed)].loss.winrate : 0);
  const worstGame = () => games.reduce((worst, reviewed, number) =>
    (largestLoss(reviewed) > largestLoss(games[worst]) ? number : worst), 0);
  openGame(games[gameInAddress()] ? gameInAddress() : worstGame());
  document.body.dataset.ready = "true";
})();
