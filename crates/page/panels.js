// Players, clocks, status, messages and the buttons under the board. Moves on the board are in
// play.js, the additional controls of a friend's game in friend.js, the list of moves in
// moves.js.

import { isSilent } from "./analysis.js";
import { byId, chip, element, makeScrollable, onClick, setPressed, setText, show } from "./dom.js";
import { COLORS, bridgeEnds, opponentOf } from "./geometry.js";
import { friendTexts, isEndDue, isFriendToMove, isRemote, mayUndo } from "./friend.js";
import { nameOf, soleHumanOf } from "./games.js";
import { sentHere, thinkingHere } from "./overlays.js";
import { messageText, moveName, percent, resultText } from "./texts.js";
import { isBeside, isElsewhere } from "./view.js";

/** @import { Color, Network } from "./messages.d.ts" */
/** @import { State } from "./store.js" */

/** The highest level for beginners. */
const LAST_EASY_LEVEL = 3;

/**
 * Returns a player's networks that score, the best first.
 * @param {{networks: Network[]}} position
 * @param {Color} color
 * @returns {Network[]}
 */
export const networksOf = ({ networks }, color) =>
  networks.filter(({ player, points }) => player === color && points > 0).sort((a, b) => b.points - a.points);

/** @param {import("./main.js").Page} page */
export function createPanels({ store, session, play, view, say, ask }) {
  const cards = { white: card("white"), red: card("red") };
  byId("players").append(cards.white.root, cards.red.root);

  function card(player) {
    const value = (name) => element("strong", { "data-value": name });
    const fields = Object.fromEntries(["points", "islands", "bridges", "tiles"].map((name) => [name, value(name)]));
    const name = element("span", { class: "name" });
    const who = element("span", { class: "who" });
    const clock = element("span", { class: "clock", "data-clock": player });
    const networks = element("ul", { class: "networks", id: `networks-${player}` });
    const figure = (key, node) => element("span", {
      class: `figure ${key}`, "data-tooltip": key === "tiles" ? "tilesLeft" : null,
    }, node, element("small", { "data-text": key }));
    const root = element("article", { class: `card ${player}`, id: `player-${player}`, "data-player": player },
      element("header", {}, chip(player), name, who, clock),
      element("div", { class: "figures" },
        figure("points", fields.points), figure("islands", fields.islands), figure("bridges", fields.bridges),
        figure("tiles", fields.tiles)));
    return { root, name, who, clock, networks, fields };
  }

  store.watch((state) => {
    const { game } = state;
    if (!game) return;
    const { position } = game;
    for (const player of COLORS) {
      const { root, name, who, networks, fields } = cards[player];
      const score = position.score[player];
      setText(name, say(player));
      setText(who, nameOf(state, game, player));
      root.dataset.who = game.players[player];
      setText(fields.points, score.points);
      setText(fields.islands, score.islands);
      setText(fields.bridges, score.bridges);
      setText(fields.tiles, position.supply[player] ?? "∞");
      root.classList.toggle("turn", !position.result && position.to_move === player);
      root.classList.toggle("winner", position.result?.winner === player);
      networks.replaceChildren(...networksOf(position, player).map(networkItem));
      networks.setAttribute("aria-label", `${say(player)}: ${say("networks")}`);
    }
    byId("players").dataset.game = game.game;
    setText(bridgesLeft, position.supply.bridges === null ? "" : `${say("bridgesLeft")}: ${position.supply.bridges}`);
  });
  const bridgesLeft = element("p", { class: "bridges-left quiet", id: "bridges-left" });
  byId("networks").append(cards.white.networks, cards.red.networks, bridgesLeft);

  /** Creates the list item of a network; hovering over it highlights its cells. */
  function networkItem(network) {
    const label = network.islands === 1 ? say("networkOne") : say("network", network);
    const highlight = () => store.note({ glow: network.cells });
    const unhighlight = () => store.note({ glow: null });
    return element("li", {}, element("button", {
      type: "button", class: `network ${network.player}`, title: label, "aria-label": `${network.islands} → ${network.points}: ${label}`,
      "data-islands": network.islands, "data-points": network.points,
      onpointerenter: highlight, onpointerleave: unhighlight, onfocus: highlight, onblur: unhighlight,
    }, chip(network.player), `${network.islands} → ${network.points}`));
  }

  /** Returns the status: whose turn it is, the result, or which turn is shown. @param {State} state */
  function statusOf(state) {
    const { game, thinking, here: { retry, tried }, language } = state;
    const { position } = game;
    const retried = tried?.turn ?? retry;
    if (retried) return say("retryAs", { turn: retried.turn, player: retried.player });
    if (position.result) return resultText(language, position.result);
    if (play.isLookingBack()) return say("lookingAt", { turn: position.turn - 1 });
    if (isFriendToMove(game)) return say(friendTexts(game)[0], { player: position.to_move });
    if (thinkingHere(game)) {
      return say(thinking?.queued ? "queued" : "thinking", {
        engine: game.players[position.to_move] === "human" ? game.thinking.engine : nameOf(state, game, position.to_move),
      });
    }
    // Against a friend, the user must see that it is their turn, and with which colour.
    const isOwn = isRemote(game) && game.live && game.players[position.to_move] === "human";
    return say(isOwn ? "yourTurnAs" : "sideToMove", { player: position.to_move });
  }

  /** Returns White's win rate, if known from a review or an analysis and no game is running. @param {State} state */
  function valueOf({ game, language, here: { retry, tried } }) {
    const value = game.live || retry || tried ? undefined : game.tree.find(({ node }) => node === game.current)?.winrate;
    return value === undefined || game.position.result ? "" : say("whiteWinRate", { value: percent(language, value) });
  }

  /** Returns what the player can do now. @param {State} state */
  function promptOf(state) {
    const { game: { players, position }, here: { first, bridgeFrom, retry, tried } } = state;
    const { result } = position;
    if (tried) return "";
    if (result && isEndDue(state.game)) return say("friendEndPrompt");
    if (result) return { score: result.passed ? say(`passed.${result.passed}`) : "", forfeit: result.detail }[result.by] ?? "";
    if (play.isLookingBack()) return say("prompt.looking");
    if (isFriendToMove(state.game)) return say(friendTexts(state.game)[1]);
    if (thinkingHere(state.game) || sentHere(state)) return evaluationOf(state);
    if (retry) return say("prompt.retry", { move: retry.move });
    if (bridgeFrom) return say(bridgeEnds(position, bridgeFrom).length ? "prompt.bridge" : "prompt.noBridge", { cell: bridgeFrom });
    if (first) return say("prompt.second", { cell: first });
    if (!["human", "friend"].includes(players[position.to_move])) return say("prompt.engineTurn");
    if (position.last?.move === "swap" && players[opponentOf(position.to_move)] !== "human") {
      return say("prompt.swapped", { player: position.to_move });
    }
    if (position.legal.swap) return say("prompt.swap");
    if (position.legal.pass) return say("prompt.pass");
    return say(position.status === "last" ? "prompt.last" : "prompt.first");
  }

  store.watch((state) => {
    const { game, connection, here: { first, bridgeFrom, tried } } = state;
    if (!game) return;
    const looks = play.isLookingBack();
    const { position } = game;
    const { result } = position;
    const isIdle = connection === "open" && play.isReady();
    const status = statusOf(state);
    setText(byId("status"), status);
    setText(byId("hint"), [valueOf(state), promptOf(state)].filter(Boolean).join(" "));
    byId("status").dataset.toMove = result ? "" : position.to_move;
    byId("status").dataset.status = result ? "over" : position.status;
    byId("status").dataset.thinking = game.thinking ? "true" : "false";

    const isClosed = thinkingHere(game) || isFriendToMove(game) || looks;
    show(byId("swap"), position.legal.swap && !isClosed);
    show(byId("pass"), position.legal.pass && !isClosed);
    show(byId("branch"), looks && !result);
    show(byId("home"), !tried && (isElsewhere(game) || isBeside(game)));
    byId("hint-button").disabled = !isIdle;
    document.title = title(game, status);
    byId("undo").disabled = !first && !bridgeFrom && !sentHere(state)?.isLost
      && (!game.current || (game.current === view.home() && !mayUndo(game)));
    byId("resign").disabled = !isIdle || isElsewhere(game);
    const isDone = !game.live && game.tip !== null;
    show(byId("resign"), !isDone);
    show(byId("hint-button"), (!isDone || !result) && !(isRemote(game) && game.live));
    const moveNowButton = byId("move-now");
    show(moveNowButton, !looks && !isRemote(game) && (Boolean(game.thinking) || (!result && game.players[position.to_move] !== "human")));
    setText(moveNowButton, say(game.thinking ? "moveNow" : "enginePlays"));
  });

  /** Returns the title of the browser's tab: whose turn it is. */
  function title(game, status) {
    const { to_move: side } = game.position;
    const isOwnTurn = game.live && !game.thinking && !isElsewhere(game)
      && game.players[side] === "human" && game.players[opponentOf(side)] !== "human";
    return `${isOwnTurn ? `● ${say("yourTurn")}` : status} – ${say("title")}`;
  }

  /** Returns the current move and win rate of the searching engine, unless they are hidden. */
  function evaluationOf({ game, silent, thinking, language }) {
    if (isSilent({ game, silent }) || !game?.thinking || !thinking || thinking.winrate === undefined) return "";
    return [thinking.move && moveName(language, thinking.move), percent(language, thinking.winrate)].filter(Boolean).join(" · ");
  }

  // Without a message, the record's comment on the turn.
  store.watch(({ language, game, here: { message } }) => {
    const comment = game?.tree.find(({ node }) => node === game.current)?.comment ?? "";
    const text = messageText(language, message) || comment;
    const node = byId("message");
    setText(node, text);
    node.dataset.kind = text ? message?.kind ?? "comment" : "";
    node.dataset.code = text ? message?.code ?? message?.key ?? "" : "";
    if (text) makeScrollable(node);
    else node.removeAttribute("tabindex");
  });

  watchConnection({ store, say });
  watchClocks(store, { white: cards.white.clock, red: cards.red.clock });

  store.watch(({ game, overlays, sound, silent, tools }) => {
    setPressed(byId("sound-toggle"), sound);
    setPressed(byId("thoughts-toggle"), !isSilent({ game, silent }));
    // Against a level for beginners, the advanced buttons are hidden at first.
    const isReduced = Boolean(game?.live) && game.level?.level <= LAST_EASY_LEVEL
      && Object.values(game.players).some((who) => who !== "human");
    show(byId("tools-toggle"), isReduced);
    byId("tools-toggle").setAttribute("aria-expanded", String(tools));
    show(byId("tools"), !isReduced || tools || game.analysis || overlays.unusable);
  });

  function moveNow() {
    const { game } = store.state;
    const isElsewhereNow = !game.thinking && game.current !== view.home();
    if (isElsewhereNow) session.send({ type: "goto", node: game.current });
    session.send({ type: "move_now", ...(isElsewhereNow ? {} : { node: game.tip }) });
  }

  async function resign() {
    if (!play.isReady() || isElsewhere(store.state.game)) return;
    const { players, position } = store.state.game;
    const player = soleHumanOf(players) ?? position.to_move;
    if (await ask("confirmResign")) session.askSoon({ type: "resign", player });
  }

  onClick({
    branch: play.branch, home: play.home, undo: play.undo, swap: play.swap, pass: play.pass, "move-now": moveNow, resign,
    "tools-toggle": () => store.set({ tools: !store.state.tools }),
    "sound-toggle": () => store.set({ sound: !store.state.sound }),
    "thoughts-toggle": () => store.set({ silent: !isSilent(store.state) }),
  });
  new ResizeObserver(() => makeScrollable(byId("message"))).observe(byId("message"));
}

/** How long the news that a problem is solved is shown, in milliseconds. */
const SOLVED_MESSAGE_TIME = 6000;

/**
 * Shows a problem with the connection or with saving, and for a while that it is solved.
 * @param {Pick<import("./main.js").Page, "store"|"say">} page
 */
function watchConnection({ store, say }) {
  /** The last known problem: the connection (`lost`) or saving (`unsaved`). */
  let problem = null;
  let clearTimer = 0;
  store.watch(({ connection, game }) => {
    const node = byId("connection");
    const unsaved = game?.final?.unsaved ?? null;
    Object.assign(node.dataset, { connection, saved: String(unsaved === null) });
    const isOpen = connection === "open";
    const currentProblem = connection === "lost" ? "lost" : unsaved !== null ? "unsaved" : null;
    let statusText = "";
    if (connection === "lost" || (connection === "connecting" && problem === "lost")) {
      statusText = say(connection === "lost" ? "disconnected" : "connecting");
    } else if (isOpen && currentProblem) statusText = say("unsaved", { text: unsaved });
    else if (isOpen && problem) statusText = say(problem === "lost" ? "reconnected" : "savedAgain");
    else if (isOpen && clearTimer) return;
    clearTimeout(clearTimer);
    clearTimer = 0;
    if (isOpen && problem && !currentProblem) clearTimer = setTimeout(() => { clearTimer = 0; setText(node, ""); }, SOLVED_MESSAGE_TIME);
    if (isOpen || currentProblem) problem = currentProblem;
    setText(node, statusText);
  });
}

/** Shows the clocks. @param {import("./store.js").Store} store @param {Record<Color, Element>} nodes */
function watchClocks(store, nodes) {
  function draw() {
    const { clock, game } = store.state;
    for (const player of COLORS) {
      const remaining = clock?.[player];
      const isTimed = typeof remaining === "number" && game?.clock?.kind !== "none";
      const elapsed = isTimed && clock.running === player ? (performance.now() - clock.receivedAt) / 1000 : 0;
      const periods = clock?.periods?.[player];
      setText(nodes[player],
        isTimed ? clockText(Math.max(0, remaining - elapsed)) + (game.clock.kind === "byoyomi" ? ` ×${periods}` : "")
        : "");
    }
  }
  const redraw = store.watch(draw);
  setInterval(() => store.state.clock?.running && redraw(), 250);
}

/** Formats seconds as `4:05`, with tenths near the end. */
function clockText(seconds) {
  if (seconds < 10) return seconds.toFixed(1);
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/**
 * Connects the tabs under the board's buttons to their panels.
 * @param {ParentNode} root
 * @returns {(id: string) => void} opens the tab with this id
 */
export function createTabs(root) {
  const tabs = /** @type {HTMLElement[]} */ ([...root.querySelectorAll("[role=tab]")]);
  function choose(tab) {
    for (const each of tabs) {
      const chosen = each === tab;
      each.setAttribute("aria-selected", String(chosen));
      each.tabIndex = chosen ? 0 : -1;
      show(byId(each.getAttribute("aria-controls")), chosen);
    }
  }
  for (const [n, tab] of tabs.entries()) {
    tab.addEventListener("click", () => choose(tab));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const next = tabs[(n + step + tabs.length) % tabs.length];
      choose(next);
      next.focus();
    });
  }
  choose(tabs[0]);
  return (id) => choose(byId(id));
}
