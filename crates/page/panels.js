// Players, clocks, status, messages and the buttons under the board.

import { byId, element, setText, show } from "./dom.js";
import { other } from "./geometry.js";
import { engineName } from "./opponents.js";
import { isSilent, thinkingHere } from "./scene.js";
import { doesText, reasonText, resultText } from "./texts.js";
import { isElsewhere } from "./view.js";

/** The levels up to this one are for beginners. */
const EASY = 3;

export function createPanels(store, session, play, view, say, ask) {
  const cards = { white: card("white"), red: card("red") };
  byId("players").append(cards.white.root, cards.red.root);

  function card(player) {
    const value = (name) => element("strong", { "data-value": name });
    const fields = Object.fromEntries(["points", "islands", "bridges", "tiles"].map((name) => [name, value(name)]));
    const name = element("span", { class: "name" });
    const who = element("span", { class: "who" });
    const clock = element("span", { class: "clock", "data-clock": player });
    const networks = element("ul", { class: "networks", id: `networks-${player}` });
    const figure = (key, node) => element("span", { class: `figure ${key}`, "data-hint": key === "tiles" ? "tilesLeft" : null }, node, element("small", { "data-text": key }));
    const root = element("article", { class: `card ${player}`, id: `player-${player}`, "data-player": player },
      element("header", {}, element("i", { class: `chip ${player}` }), name, who, clock),
      element("div", { class: "figures" }, figure("points", fields.points), figure("islands", fields.islands), figure("bridges", fields.bridges), figure("tiles", fields.tiles)));
    return { root, name, who, clock, networks, fields };
  }

  function drawPlayers({ game }) {
    if (!game) return;
    const { position } = game;
    for (const player of ["white", "red"]) {
      const { root, name, who, networks, fields } = cards[player];
      const score = position.score[player];
      setText(name, say(player));
      setText(who, game.players[player] === "human" ? say("human") : engineName(store.state, player));
      root.dataset.who = game.players[player];
      setText(fields.points, score.points);
      setText(fields.islands, score.islands);
      setText(fields.bridges, score.bridges);
      setText(fields.tiles, position.supply[player] ?? "∞");
      root.classList.toggle("turn", !position.result && position.to_move === player);
      root.classList.toggle("winner", position.result?.winner === player);
      const own = position.networks.filter((n) => n.player === player && n.points > 0).sort((a, b) => b.points - a.points);
      networks.replaceChildren(...own.map((network) => networkItem(network)));
      networks.setAttribute("aria-label", `${say(player)}: ${say("networks")}`);
    }
    byId("players").dataset.bridges = position.supply.bridges ?? "";
    setText(bridgesLeft, position.supply.bridges === null ? "" : `${say("bridgesLeft")}: ${position.supply.bridges}`);
  }
  const bridgesLeft = element("p", { class: "bridges-left quiet", id: "bridges-left" });
  byId("networks").append(cards.white.networks, cards.red.networks, bridgesLeft);

  /** A network as its points; hovering over them highlights its cells. */
  function networkItem(network) {
    const label = network.islands === 1 ? say("networkOne") : say("network", network);
    const on = () => store.set({ glow: network.cells });
    const off = () => store.set({ glow: null });
    return element("li", {}, element("button", {
      type: "button", class: `network ${network.player}`, title: label, "aria-label": `${network.islands} → ${network.points}: ${label}`,
      "data-islands": network.islands, "data-points": network.points,
      onpointerenter: on, onpointerleave: off, onfocus: on, onblur: off,
    }, element("i", { class: `chip ${network.player}` }), `${network.islands} → ${network.points}`));
  }

  function drawStatus({ game, first, bridgeFrom, sent, connection, retry, tried }) {
    if (!game) return;
    const looks = play.looks();
    const { position } = game;
    const { result } = position;
    const idle = connection === "open" && play.ready();
    const engineTurn = game.players[position.to_move] !== "human";
    const again = tried ?? (retry?.from === game.current ? retry : null);
    let status = say("turnOf", { player: position.to_move });
    let hint = say("hintFirst");
    if (again) status = say("againOf", { turn: again.turn.turn, player: again.turn.player });
    else if (result) status = resultText(store.state.language, result);
    else if (looks) status = say("lookingAt", { turn: position.turn - 1 });
    else if (thinkingHere(game)) status = say(store.state.thinking?.queued ? "queued" : "thinking", { engine: game.thinking.engine });

    if (tried) hint = "";
    else if (result) hint = { score: say(result.passed ? `passed.${result.passed}` : "byScore"), forfeit: result.detail }[result.by] ?? "";
    else if (looks) hint = say("hintLooking");
    else if (thinkingHere(game) || sent) hint = thought();
    else if (retry?.from === game.current) hint = say("hintRetry", { move: retry.played });
    else if (bridgeFrom) hint = say(play.targets(bridgeFrom).length ? "hintBridge" : "hintBridgeNone", { cell: bridgeFrom });
    else if (first) hint = say("hintSecond", { cell: first });
    else if (engineTurn) hint = say("hintEngineTurn");
    else if (position.last?.move === "swap" && game.players[other(position.to_move)] !== "human") hint = say("hintSwapped", { player: position.to_move });
    else if (position.legal.swap) hint = say("hintSwap");
    else if (position.legal.pass) hint = say("hintPass");
    else if (position.status === "last") hint = say("hintLast");
    setText(byId("status"), status);
    setText(byId("hint"), hint);
    byId("status").dataset.toMove = result ? "" : position.to_move;
    byId("status").dataset.status = result ? "over" : position.status;
    byId("status").dataset.thinking = game.thinking ? "true" : "false";

    show(byId("swap"), position.legal.swap && !thinkingHere(game) && !looks);
    show(byId("pass"), position.legal.pass && !thinkingHere(game) && !looks);
    show(byId("branch"), looks && !result);
    show(byId("home"), !tried && (isElsewhere(game) || (!game.live && game.tip !== null && game.current !== view.home())));
    byId("hint-button").disabled = !idle;
    document.title = title(game, status);
    byId("undo").disabled = !first && !bridgeFrom && !sent?.isLost && !game.current;
    byId("resign").disabled = !idle || isElsewhere(game);
    const isDone = !game.live && game.tip !== null;
    show(byId("resign"), !isDone);
    show(byId("hint-button"), !isDone || !result);
    const now = byId("move-now");
    show(now, !looks && (Boolean(game.thinking) || (!result && engineTurn)));
    setText(now, say(game.thinking ? "moveNow" : "enginePlays"));
  }

  /** The tab's title: whose turn it is. */
  function title(game, status) {
    const { to_move: side } = game.position;
    const mine = game.live && !game.thinking && !isElsewhere(game) && game.players[side] === "human" && game.players[other(side)] !== "human";
    return `${mine ? `● ${say("yourTurn")}` : status} – ${say("title")}`;
  }

  /** The current estimate of the searching engine. */
  function thought() {
    const { game, thinking } = store.state;
    if (isSilent(store.state) || !game?.thinking || !thinking || thinking.winrate === undefined) return "";
    return [thinking.move, `${Math.round(thinking.winrate * 100)} %`].filter(Boolean).join(" · ");
  }

  /** The values of a message, with what must be told in the reader's language. */
  function wordedValues(language, { values, why, mended }) {
    if (why) return { ...values, does: doesText(language, why) };
    if (mended) return { ...values, mended: mended.map(({ code }) => say(`mended.${code}`)).join(" ") };
    return values;
  }

  /** On a phone, a message that is too long for its place scrolls, also by keyboard. */
  function letMessageScroll() {
    const node = byId("message");
    if (getComputedStyle(node).overflowY === "auto" && node.scrollHeight > node.clientHeight) node.tabIndex = 0;
    else node.removeAttribute("tabindex");
  }

  function drawMessage({ message, language }) {
    let text = "";
    if (message?.kind === "illegal" && !message.key) text = reasonText(language, message);
    else if (message?.key) text = say(message.key, wordedValues(language, message));
    else if (message) text = message.text;
    const node = byId("message");
    // A mistake or a hint may have no reason that can be told.
    setText(node, text.trim());
    node.dataset.kind = text ? message.kind : "";
    node.dataset.code = text ? message.code ?? message.key ?? "" : "";
    letMessageScroll();
  }

  /** What is wrong with the connection or with saving, and for a while that it is well again. */
  function drawConnection({ connection, game }) {
    const node = byId("connection");
    const unsaved = game?.final?.unsaved ?? null;
    Object.assign(node.dataset, { connection, saved: String(unsaved === null) });
    const isOpen = connection === "open";
    const wrong = connection === "lost" ? "lost" : unsaved !== null ? "unsaved" : null;
    let said = "";
    if (connection === "lost" || (connection === "connecting" && trouble === "lost")) said = say(connection);
    else if (isOpen && wrong) said = say("unsaved", { text: unsaved });
    else if (isOpen && trouble) said = say(trouble === "lost" ? "again" : "savedAgain");
    else if (isOpen && fading) return;
    clearTimeout(fading);
    fading = 0;
    if (isOpen && trouble && !wrong) fading = setTimeout(() => { fading = 0; setText(node, ""); }, 6000);
    if (isOpen || wrong) trouble = wrong;
    setText(node, said);
  }
  /** What was wrong at last: the connection (`lost`) or saving (`unsaved`). */
  let trouble = null;
  let fading = 0;

  function drawClock() {
    const { clock, game } = store.state;
    for (const player of ["white", "red"]) {
      const left = clock?.[player];
      const known = typeof left === "number" && game?.clock?.kind !== "none";
      const gone = known && clock.running === player ? (performance.now() - clock.at) / 1000 : 0;
      const periods = clock?.periods?.[player];
      setText(cards[player].clock, known ? minutes(Math.max(0, left - gone)) + (game.clock.kind === "byoyomi" ? ` ×${periods}` : "") : "");
    }
  }
  setInterval(() => store.state.clock?.running && drawClock(), 250);

  function drawSwitches({ game, ownership, onlyOwnership, unusable, sound, tools }) {
    const press = (id, on) => byId(id).setAttribute("aria-pressed", String(Boolean(on)));
    press("analysis-toggle", game?.analysis && !onlyOwnership);
    press("ownership-toggle", ownership);
    press("unusable-toggle", unusable);
    press("sound-toggle", sound);
    press("thoughts-toggle", !isSilent(store.state));
    // Against an opponent for beginners, there are few buttons.
    const few = Boolean(game?.live) && game.level?.level <= EASY && Object.values(game.players).some((who) => who !== "human");
    show(byId("tools-toggle"), few);
    byId("tools-toggle").setAttribute("aria-expanded", String(tools));
    show(byId("tools"), !few || tools || Boolean(game.analysis) || unusable);
  }

  /** Runs the analysis of the turn shown, or stops it. */
  function run(on) {
    session.send({ type: "analyze", on, ownership: store.state.ownership, multi: 20, node: view.analysed() });
  }

  /** Shows the engine's moves, or hides them; for the ownership, the analysis goes on. */
  function analyze(on) {
    const { ownership } = store.state;
    store.set({ onlyOwnership: !on && ownership, pinned: null, hover: null });
    if (on) {
      store.set({ hint: null, lesson: null, message: null, marked: [] });
      byId("tab-analysis").click();
    } else if (!ownership) store.set({ analysis: null });
    run(on || ownership);
  }

  /** Shows who will probably own each cell. An analysis that runs only for that ends with it. */
  function ownership() {
    const { game, onlyOwnership, ownership: was } = store.state;
    if (was) {
      store.set({ ownership: false, onlyOwnership: false, ...(onlyOwnership ? { analysis: null } : {}) });
      if (game?.analysis) run(!onlyOwnership);
    } else {
      store.set({ ownership: true, onlyOwnership: !game?.analysis });
      run(true);
    }
  }

  const actions = {
    undo: play.undo,
    swap: play.swap,
    pass: play.pass,
    moveNow() {
      const { game } = store.state;
      const away = !game.thinking && game.current !== view.home();
      if (away) session.send({ type: "goto", node: game.current });
      session.send({ type: "move_now", ...(away ? {} : { node: game.tip }) });
    },
    branch: play.branch,
    home: play.home,
    analysis: () => analyze(!store.state.game?.analysis || store.state.onlyOwnership),
    ownership,
    tools: () => store.set({ tools: !store.state.tools }),
    unusable: () => store.set({ unusable: !store.state.unusable }),
    sound: () => store.set({ sound: !store.state.sound }),
    thoughts: () => store.set({ silent: !isSilent(store.state) }),
    async resign() {
      if (!play.ready() || isElsewhere(store.state.game)) return;
      const { players, position } = store.state.game;
      const only = ["white", "red"].filter((player) => players[player] === "human");
      const player = only.length === 1 ? only[0] : position.to_move;
      if (await ask("confirmResign")) session.askSoon({ type: "resign", player });
    },
  };
  for (const [id, name] of [
    ["branch", "branch"], ["home", "home"], ["undo", "undo"], ["swap", "swap"], ["pass", "pass"], ["move-now", "moveNow"], ["resign", "resign"],
    ["analysis-toggle", "analysis"], ["ownership-toggle", "ownership"], ["unusable-toggle", "unusable"],
    ["tools-toggle", "tools"], ["sound-toggle", "sound"], ["thoughts-toggle", "thoughts"],
  ]) byId(id).addEventListener("click", () => actions[name]());

  store.watch(["game", "language"], drawPlayers);
  store.watch(["game", "first", "bridgeFrom", "sent", "connection", "thinking", "language", "branch", "retry", "tried", "silent"], drawStatus);
  store.watch(["message", "language"], drawMessage);
  new ResizeObserver(letMessageScroll).observe(byId("message"));
  store.watch(["connection", "game", "language"], drawConnection);
  store.watch(["clock", "game"], drawClock);
  store.watch(["game", "ownership", "onlyOwnership", "unusable", "sound", "silent", "tools"], drawSwitches);
  return actions;
}

/** Formats seconds as `4:05`, with tenths near the end. */
function minutes(seconds) {
  if (seconds < 10) return seconds.toFixed(1);
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** The tabs under the board's buttons. */
export function createTabs(root) {
  const tabs = [...root.querySelectorAll("[role=tab]")];
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
