// The dialogs of games: a new game, a new level in the current one, and the list of stored games,
// to open or delete them. Also the names of players. The host stores the games; session.js
// decides which one this page shows.

import { byId, chip, element, onClick, setOptions, setText, show } from "./dom.js";
import { COLORS } from "./geometry.js";
import { savePreference, readPreference } from "./memory.js";
import { dateText, resultText, text, typeset } from "./texts.js";

/** @import { Color, LevelText } from "./messages.d.ts" */
/** @import { State } from "./store.js" */

/**
 * Returns the names and characters of the levels, from level 1 on, in the page's language.
 * @param {Pick<State, "info"|"language">} state
 * @returns {LevelText[]}
 */
export const opponents = ({ info, language }) => (info?.levels ?? []).map((level) => level[language] ?? level.en);

/** Returns the colours that people at this device play. @param {Record<Color, string>} players */
export const humansOf = (players) => COLORS.filter((player) => players[player] === "human");

/** Returns the colour of the only person at this device, or null. @param {Record<Color, string>} players @returns {Color|null} */
export function soleHumanOf(players) {
  const humans = humansOf(players);
  return humans.length === 1 ? humans[0] : null;
}

/**
 * Returns the name of the player of a colour: a level, an engine, or a person.
 * @param {Pick<State, "info"|"language">} state
 * @param {{players: Record<Color, string>, level?: any}} game
 * @param {Color} player
 * @returns {string}
 */
export function nameOf({ info, language }, { players, level }, player) {
  const who = players[player];
  // A spectator sees two people.
  const friends = Object.values(players).filter((who) => who === "friend").length;
  if (who === "human" || who === "friend") return text(language, friends === 1 ? (who === "human" ? "you" : who) : "human");
  const opponent = players[player] === "pontifex" && opponents({ info, language })[(level?.level ?? 0) - 1];
  return opponent ? `${opponent.name} (${level.level})` : players[player];
}

/** @param {import("./main.js").Page} page */
export function createNewGame(page) {
  const { store, host, session, friend, say, ask } = page;
  const dialog = byId("new-dialog");
  const form = byId("new-form");
  const number = (id) => Number(byId(id).value);
  const seat = () => form.elements.seat.value;
  const opponent = () => byId("new-opponent").value;
  /** Whether the user has set the pie rule since the dialog opened. */
  let isPieChosen = false;
  /** Whether this is the first game, against level 1: the pie rule would confuse a beginner. */
  const isFirstGame = () => seat() !== "both" && opponent() === "1" && readPreference("over") === null;
  const isLive = () => opponent() === "live";
  const isAgainstFriend = () => opponent() === "friend" || isLive();

  /** An opponent that was requested before the list of opponents arrived. */
  let pendingOpponent = null;

  /** Selects an opponent, now or when the list with that name arrives. */
  function selectOpponent(name) {
    const list = byId("new-opponent");
    const isListed = [...list.options].some(({ value }) => value === name);
    if (isListed) list.value = name;
    pendingOpponent = isListed ? null : name;
  }

  /** @param {State} state */
  function fillChoices({ info, language }) {
    const sizes = info?.sizes ?? [4, 5, 6, 7, 8, 9, 10, 11, 12];
    const engines = info?.engines ?? ["pontifex"];
    setOptions(byId("new-board"), sizes.map((n) => [n, `${n} × ${n}`]));
    for (const id of ["new-engine-white", "new-engine-red"]) setOptions(byId(id), engines.map((name) => [name, name]));
    const levels = opponents({ info, language }).map(({ name }, index) => [index + 1, `${index + 1} · ${name}`]);
    // Before the list of opponents arrives, the user cannot have chosen one.
    const isFirst = byId("new-opponent").options.length < 2;
    setOptions(byId("new-opponent"), [...levels, ["max", say("opponentFull")], ...(info ? [["friend", say("friendOpponent")]] : []),
      // Only a server that others can reach.
      ...(info && !host.isLocal && !info.private ? [["live", say("liveOpponent")]] : [])]);
    if (isFirst) byId("new-opponent").selectedIndex = 0;
    selectOpponent(pendingOpponent);
    arrange();
  }

  /** Shows the fields that apply to the current choices. */
  function arrange() {
    for (const node of form.querySelectorAll(".own")) show(node, byId("new-supply").value === "own");
    for (const node of form.querySelectorAll("[data-clock]")) show(node, node.dataset.clock.split(" ").includes(byId("new-clock").value));
    show(byId("new-bound"), byId("new-clock").value !== "none" && !isAgainstFriend());
    const isByPlayouts = byId("new-level").value === "playouts";
    Object.assign(byId("new-level-value"), isByPlayouts ? { min: "1", step: "1" } : { min: "0.01", step: "any" });
    const chosen = opponents(store.state)[Number(opponent()) - 1];
    // The friend plays the other colour.
    for (const id of ["new-seat-both", "new-seat-watch"]) show(byId(id).parentElement, !isAgainstFriend());
    if (isAgainstFriend() && seat() !== "red") form.elements.seat.value = "white";
    show(byId("new-opponent").parentElement, seat() !== "both");
    byId("new-character").textContent = seat() === "both"
      ? ""
      : (chosen && typeset(store.state.language, chosen.character))
        ?? say(isLive() ? "liveNote" : isAgainstFriend() ? "friendNote" : "opponentFullNote");
    show(byId("apply-settings"), !isAgainstFriend());
    show(form.querySelector(".clock"), !isAgainstFriend() || isLive());
    show(form.querySelector(".level"), !chosen && !isAgainstFriend() && seat() !== "both");
    show(form.querySelector(".white-engine"), !isAgainstFriend() && (seat() === "red" || seat() === "watch"));
    show(form.querySelector(".red-engine"), !isAgainstFriend() && (seat() === "white" || seat() === "watch"));
    if (!isPieChosen && isFirstGame()) byId("new-pie").checked = false;
    // A hidden field must not block the form.
    for (const input of form.querySelectorAll("label input[type=number]")) input.disabled = Boolean(input.closest("[hidden]"));
  }

  function open() {
    const { game } = store.state;
    if (game && !dialog.open) {
      // A position that was set up or loaded does not change the choice.
      byId("new-board").value = readPreference("board") ?? String(game.rules.board);
      isPieChosen = false;
      byId("new-pie").checked = readPreference("pie") !== "no";
      const isListed = ["standard", "unlimited"].includes(game.rules.supply);
      byId("new-supply").value = isListed ? game.rules.supply : "own";
      if (!isListed) [byId("new-tiles").value, byId("new-bridges").value] = game.rules.supply.split(",");
      const { white, red } = game.players;
      form.elements.seat.value = white === "human" ? (red === "human" ? "both" : "white") : red === "human" ? "red" : "watch";
      if (white !== "human") byId("new-engine-white").value = white;
      if (red !== "human") byId("new-engine-red").value = red;
      byId("new-opponent").value = game.link
        ? "friend"
        : game.shared ? "live" : String(game.level.level ?? (game.tree.length > 1 ? "max" : opponent()));
      byId("new-level").value = game.level.playouts ? "playouts" : "time";
      byId("new-level-value").value = game.level.playouts ?? game.level.time ?? 1;
      byId("new-clock").value = game.clock?.kind ?? "none";
    }
    arrange();
    dialog.showModal();
  }
  page.openNewGame = (name) => {
    open();
    selectOpponent(name);
    arrange();
  };

  function level() {
    if (opponent() !== "max") return { level: Number(opponent()) };
    const limits = { time: 0, playouts: 0, ...store.state.info?.limits };
    const within = (value, most) => (most ? Math.min(value, most) : value);
    if (byId("new-level").value === "playouts") {
      return { playouts: within(Math.max(1, Math.round(number("new-level-value"))), limits.playouts) };
    }
    return { time: within(Math.max(0.01, number("new-level-value")), limits.time) };
  }

  function clock() {
    const kind = byId("new-clock").value;
    if (kind === "none") return { kind };
    const chosen = { kind, main: number("new-main") * 60 };
    if (kind === "fischer") chosen.increment = number("new-increment");
    if (kind === "byoyomi") Object.assign(chosen, { period: number("new-period"), count: number("new-count") });
    return chosen;
  }

  function start() {
    const isCustom = byId("new-supply").value === "own";
    savePreference("board", byId("new-board").value);
    if (isPieChosen) savePreference("pie", byId("new-pie").checked ? "yes" : "no");
    const white = seat() === "white" || seat() === "both" ? "human" : byId("new-engine-white").value;
    const red = seat() === "red" || seat() === "both" ? "human" : byId("new-engine-red").value;
    const rules = {
      board: number("new-board"),
      supply: isCustom ? `${number("new-tiles")},${number("new-bridges")}` : byId("new-supply").value,
      pie: byId("new-pie").checked,
    };
    if (isLive()) friend.beginLive(rules, seat() === "red" ? 2 : 1, clock());
    else if (isAgainstFriend()) friend.begin(rules, seat() === "red" ? 2 : 1);
    else session.askSoon({ type: "new", ...rules, players: { white, red }, level: level(), clock: clock() });
  }

  form.addEventListener("change", (event) => {
    if (event.target.id === "new-pie") isPieChosen = true;
    if (event.target.id === "new-level") byId("new-level-value").value = event.target.value === "time" ? 1 : 5000;
    arrange();
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    dialog.close();
    const { game } = store.state;
    const isRunning = game && game.tree.length > 1 && !game.position.result;
    if (!isRunning || (await ask("confirmReplace"))) start();
  });
  onClick({
    "new-game": open,
    "new-cancel": () => dialog.close(),
    "apply-settings": () => {
      dialog.close();
      session.askSoon({ type: "settings", level: level() });
    },
  });
  store.watch(fillChoices);
}

/** @param {import("./main.js").Page} page */
export function createGames({ store, host, session, say, ask }) {
  const dialog = byId("games-dialog");
  const list = byId("games");
  /** The games from the host, most recently used first. */
  let games = [];

  const date = (game) => dateText(store.state.language, new Date(game.used * 1000), { dateStyle: "short", timeStyle: "short" });

  function row(game) {
    const { board, turns, result } = game;
    const isCurrent = game.session === session.id();
    const ending = result ? resultText(store.state.language, result) : say("unfinished");
    const openButton = element("button", { type: "button", class: "game", onclick: () => openGame(game) },
      element("b", { text: date(game) }),
      element("span", { text: `${board} × ${board}, ${say("turnCount", { count: turns })}` }),
      element("span", { class: "seats" }, ...COLORS.map((player) => element("span", {}, chip(player), nameOf(store.state, game, player)))),
      element("span", { class: "quiet", text: isCurrent ? `${say("gameHere")}, ${ending}` : ending }));
    const label = say("deleteGame", { date: date(game) });
    const remove = element("button", {
      type: "button", class: "round", text: "×", title: label, "aria-label": label,
      disabled: isCurrent, onclick: () => removeGame(game),
    });
    return element("li", { "data-session": game.session, "aria-current": isCurrent ? "true" : null }, openButton, remove);
  }

  function openGame(game) {
    if (game.session === session.id()) dialog.close();
    else location.assign(`?session=${game.session}`);
  }

  const draw = () => list.replaceChildren(...games.map(row));
  const showNote = (text) => {
    setText(byId("games-note"), text);
    show(byId("games-note"), Boolean(text));
  };

  async function removeGame(game) {
    const index = games.indexOf(game);
    if (!(await ask("confirmDeleteGame", { date: date(game) }))) return;
    try {
      if (!(await host.remove(game.session))) showNote(say("gameInUse"));
      else {
        games = games.filter((other) => other !== game);
        showNote(games.length ? "" : say("noGames"));
        redraw();
      }
    } catch (error) {
      showNote(say("failed", { text: error.message }));
    }
    // Focus the row that took the place of the deleted one.
    (list.children[Math.min(index, games.length - 1)]?.querySelector(".game") ?? byId("games-close")).focus();
  }

  async function open() {
    if (dialog.open) return;
    games = [];
    redraw();
    showNote("…");
    dialog.showModal();
    try {
      const stored = await host.games();
      games = stored ?? [];
      showNote(games.length ? "" : say(stored ? "noGames" : "gamesPrivate"));
    } catch (error) {
      showNote(say("failed", { text: error.message }));
    }
    redraw();
  }

  onClick({ "games-button": open });
  const redraw = store.watch(draw);
}
