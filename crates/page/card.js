// The card after a game: the result in words and points, the networks, the
// points given away, the turns that lost most, and the next game.

import { byId, element, setList, setText, show } from "./dom.js";
import { resultText, tenths } from "./texts.js";

/** Seconds per search of the review that runs by itself. */
const TIME = 0.2;
/** Smaller losses, in points, are within what such a search can tell. */
const LEAST = 0.5;

export function createCard(store, session, advice, before, say) {
  const root = byId("card");
  /** The game whose review was asked for. */
  let asked = null;

  /** Whether the game on the page has come to its end. */
  const isOver = (game) => Boolean(game?.final.end) && !game.live && game.line.length > 1
    // A record that was loaded was not played here.
    && (game.tip !== null || game.final.end.by !== "score");

  const humans = (game) => ["white", "red"].filter((player) => game.players[player] === "human");

  function headline(game) {
    const { winner } = game.end;
    const [only, ...others] = humans(game);
    if (winner === "draw" || !only || others.length) return winner === "draw" ? say("overDraw") : say("cardWins", { winner });
    return say(winner === only ? "cardWon" : "cardLost");
  }

  function side(game, player, review) {
    const { score, networks } = game.position;
    const given = (review?.turns ?? []).filter((turn) => turn.player === player && turn.points >= LEAST).reduce((sum, turn) => sum + turn.points, 0);
    const own = networks.filter((network) => network.player === player && network.points > 0).sort((a, b) => b.points - a.points);
    const cell = (name, text) => element("td", { "data-value": name, text });
    return element("tr", { "data-player": player },
      element("th", { scope: "row" }, element("i", { class: `chip ${player}` }), say(player)),
      cell("points", score[player].points),
      cell("networks", own.map(({ islands, points }) => `${islands}→${points}`).join("  ") || "–"),
      cell("given", review?.finished ? String(Math.round(given)) : "…"));
  }

  function worst(game, review) {
    const [only, ...others] = humans(game);
    const numbers = review?.finished ? review.worst?.[only && !others.length ? only : "both"] ?? [] : [];
    return numbers.map((number) => review.turns.find((turn) => turn.turn === number)).filter(Boolean);
  }

  function fault(turn) {
    const cost = turn.points >= 0.05 ? say("cost", { points: tenths(store.state.language, turn.points) }) : say("costChance");
    return element("li", {},
      element("span", {}, element("i", { class: `chip ${turn.player}` }), element("b", { text: `${turn.turn}. ${turn.move}` }), ` ${cost}`),
      element("button", {
        type: "button", "data-retry": turn.turn, text: say("retryTurn"), "aria-label": `${say("retryTurn")}: ${turn.turn}. ${turn.move}`,
        onclick: () => advice.retry(before(turn), turn),
      }));
  }

  function draw({ game: shown, review }) {
    const over = isOver(shown);
    // It makes room while another turn is looked at.
    show(root, over && shown.current === shown.final.current);
    if (!over) return;
    const game = shown.final;
    const key = `${game.session} ${game.game} ${game.main.at(-1)}`;
    if (asked !== key) {
      asked = key;
      session.send({ type: "review", once: true, time: TIME, node: game.current });
    }
    const [title, result] = [headline(game), resultText(store.state.language, game.end)];
    // "Red wins by 3 points" says that Red wins.
    const isSaid = game.end.by === "score" && result.startsWith(title);
    setText(byId("card-title"), isSaid ? result : title);
    show(byId("card-result"), !isSaid && result !== title);
    setText(byId("card-result"), result);
    byId("card-sides").tBodies[0].replaceChildren(...["white", "red"].map((player) => side(game, player, review)));
    const bad = worst(game, review);
    setList(byId("card-worst"), [store.state.language, bad], () => bad.map(fault));
    const done = Boolean(review?.finished);
    setText(byId("card-note"), done ? say(bad.length ? "cardWorst" : "cardClean") : say("cardReviewing", { done: review?.done ?? 0, total: review?.total ?? game.main.length - 1 }));
    const level = game.level?.level;
    for (const [id, step] of [["level-up", 1], ["level-down", -1]]) {
      const next = level + step;
      show(byId(id), typeof level === "number" && next >= 1 && next <= 10);
      setText(byId(id), say(step > 0 ? "levelUp" : "levelDown", { level: next }));
    }
    // Who has won goes on to the next level.
    const [only, ...others] = humans(game);
    const isWon = others.length === 0 && game.end.winner === only && !byId("level-up").hidden;
    byId("level-up").classList.toggle("main", isWon);
    byId("rematch").classList.toggle("main", !isWon);
  }

  function again(step = 0) {
    const { game } = store.state;
    store.set({ review: null, lesson: null, hint: null, retry: null, message: null, marked: [] });
    session.askSoon({ type: "rematch", ...(step ? { level: { level: game.level.level + step } } : {}) });
  }

  byId("rematch").addEventListener("click", () => again());
  byId("level-up").addEventListener("click", () => again(1));
  byId("level-down").addEventListener("click", () => again(-1));
  store.watch(["game", "review", "language"], draw);
  return { again };
}
