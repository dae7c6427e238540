// The list of saved games, to open or delete them.

import { byId, element, setText, show } from "./dom.js";
import { engineName } from "./opponents.js";
import { resultText } from "./texts.js";

export function createGames(store, host, session, say, ask) {
  const dialog = byId("games-dialog");
  const list = byId("games");
  /** The host's list of games, most recently used first. */
  let games = [];

  const date = (game) => new Intl.DateTimeFormat(store.state.language, { dateStyle: "short", timeStyle: "short" })
    .format(new Date(game.used * 1000));
  const who = (game, player) => (game.players[player] === "human" ? say("human") : engineName({ ...store.state, game }, player));

  function row(game) {
    const { board, turns, result } = game;
    const here = game.session === session.id();
    const ending = result ? resultText(store.state.language, result) : say("unfinished");
    const open = element("button", { type: "button", class: "game", onclick: () => go(game) },
      element("b", { text: date(game) }),
      element("span", { text: `${board} × ${board}, ${say("turns", { count: turns })}` }),
      element("span", { class: "seats" }, ...["white", "red"].map((player) => element("span", {}, element("i", { class: `chip ${player}` }), who(game, player)))),
      element("span", { class: "quiet", text: here ? `${say("gameHere")}, ${ending}` : ending }));
    const label = say("deleteGame", { date: date(game) });
    const remove = element("button", { type: "button", class: "round", text: "×", title: label, "aria-label": label, disabled: here, onclick: () => removeGame(game) });
    return element("li", { "data-session": game.session, "aria-current": here ? "true" : null }, open, remove);
  }

  function go(game) {
    if (game.session === session.id()) dialog.close();
    else location.assign(`?session=${game.session}`);
  }

  function draw() {
    list.replaceChildren(...games.map(row));
  }

  const says = (text) => {
    setText(byId("games-note"), text);
    show(byId("games-note"), Boolean(text));
  };

  async function removeGame(game) {
    const place = games.indexOf(game);
    if (!(await ask("confirmDeleteGame", { date: date(game) }))) return;
    try {
      if (!(await host.remove(game.session))) says(say("gameInUse"));
      else {
        games = games.filter((other) => other !== game);
        says(games.length ? "" : say("noGames"));
        draw();
      }
    } catch (error) {
      says(say("failed", { text: error.message }));
    }
    // Focus the row that took the place of the deleted one.
    (list.children[Math.min(place, games.length - 1)]?.querySelector(".game") ?? byId("games-close")).focus();
  }

  async function open() {
    if (dialog.open) return;
    games = [];
    draw();
    says("…");
    dialog.showModal();
    try {
      const known = await host.games();
      games = known ?? [];
      says(games.length ? "" : say(known ? "noGames" : "gamesPrivate"));
    } catch (error) {
      says(say("failed", { text: error.message }));
    }
    draw();
  }

  byId("games-button").addEventListener("click", open);
  store.watch(["language"], draw);
  return { open };
}
