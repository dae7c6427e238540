// The card after a game: the result, each player's points, networks and points lost, the
// costliest moves, and the next game. It requests a quick review of its own; the full review is
// in review.js.

import { byId, chip, element, onClick, setList, setText, show } from "./dom.js";
import { COLORS } from "./geometry.js";
import { isRemote } from "./friend.js";
import { soleHumanOf } from "./games.js";
import { savePreference } from "./memory.js";
import { networksOf } from "./panels.js";
import { remember } from "./progress.js";
import { moveName, resultText, tenths } from "./texts.js";

/** Seconds per search of the card's own review. */
const REVIEW_SECONDS = 0.2;
/** The smallest loss that counts, in points: smaller ones are noise in so short a search. */
const LEAST_LOSS = 0.5;
/** The largest number of moves listed. */
const MOST_LISTED = 3;

/** @param {import("./main.js").Page} page */
export function createCard({ store, session, advice, review, friend, say }) {
  const root = byId("card");
  /** The game whose review was requested last. */
  let reviewedGame = null;

  /** Whether the game on the page has ended. */
  const isOver = (game) => Boolean(game?.final.end) && !game.live && game.line.length > 1
    // A loaded record was not played here.
    && (game.tip !== null || game.final.end.by !== "score");

  function headline(game) {
    const { winner } = game.end;
    const soleHuman = soleHumanOf(game.players);
    if (winner === "draw") return say("overDraw");
    if (!soleHuman) return say("cardWins", { winner });
    return say(winner === soleHuman ? "cardWon" : "cardLost");
  }

  /** Returns a loss in points as the card shows it, rounded, so that the listed losses add up. */
  const lossOf = ({ loss }) => Math.round(loss.points * 10) / 10;

  function sideRow(game, player, review) {
    const { score } = game.position;
    const listed = worstTurns(game, review);
    const pointsLost = (review?.turns ?? [])
      .filter((turn) => turn.player === player && (turn.loss.points >= LEAST_LOSS || listed.includes(turn)))
      .reduce((sum, turn) => sum + lossOf(turn), 0);
    const cell = (name, text) => element("td", { "data-value": name, text });
    return element("tr", { "data-player": player },
      element("th", { scope: "row" }, chip(player), say(player)),
      cell("points", score[player].points),
      cell("networks", networksOf(game.position, player).map(({ islands, points }) => `${islands}→${points}`).join("  ") || "–"),
      cell("given", review?.finished ? tenths(store.state.language, pointsLost) : "…"));
  }

  function worstTurns(game, review) {
    if (!review?.finished) return [];
    const player = soleHumanOf(game.players) ?? "both";
    const costly = review.turns.filter((turn) => [turn.player, "both"].includes(player) && lossOf(turn) >= LEAST_LOSS);
    if (costly.length) return costly.sort((a, b) => lossOf(b) - lossOf(a)).slice(0, MOST_LISTED);
    // No turn lost points: the turns that lost most win rate.
    return (review.worst?.[player] ?? []).map((number) => review.turns.find((turn) => turn.turn === number)).filter(Boolean);
  }

  function worstItem(turn) {
    const cost = lossOf(turn) > 0 ? say("cost", { points: tenths(store.state.language, lossOf(turn)) }) : say("costChance");
    return element("li", {},
      element("span", {}, chip(turn.player),
        element("b", { text: `${turn.turn}. ${moveName(store.state.language, turn.move)}` }),
        ` ${cost}`),
      element("button", {
        type: "button", "data-retry": turn.turn, text: say("retryTurn"), "aria-label": `${say("retryTurn")}: ${turn.turn}. ${turn.move}`,
        onclick: () => advice.retry(review.nodeBefore(turn), turn),
      }));
  }

  store.watch(({ game: shown, review }) => {
    const isShownOver = isOver(shown);
    // The card is hidden while another turn is shown.
    show(root, isShownOver && shown.current === shown.final.current);
    if (!isShownOver) return;
    const game = shown.final;
    const key = `${game.session} ${game.game} ${game.main.at(-1)}`;
    if (reviewedGame !== key) {
      reviewedGame = key;
      // After a finished game, the pie rule is on by default.
      savePreference("over", "yes");
      session.send({ type: "review", once: true, time: REVIEW_SECONDS, node: game.current });
    }
    remember(game, review);
    const [title, result] = [headline(game), resultText(store.state.language, game.end)];
    // "Red wins by 3 points" makes "Red wins" redundant.
    const namesWinner = game.end.by === "score" && result.startsWith(title);
    setText(byId("card-title"), namesWinner ? result : title);
    show(byId("card-result"), !namesWinner && result !== title);
    setText(byId("card-result"), result);
    byId("card-sides").tBodies[0].replaceChildren(...COLORS.map((player) => sideRow(game, player, review)));
    const costliest = worstTurns(game, review);
    setList(byId("card-worst"), [store.state.language, costliest], () => costliest.map(worstItem));
    const isReviewed = Boolean(review?.finished);
    setText(byId("card-note"),
      isReviewed
        ? say(costliest.length ? "cardWorst" : "cardClean")
        : say("cardReviewing", { done: review?.done ?? 0, total: review?.total ?? game.main.length - 1 }));
    const { level } = shown.level;
    for (const [id, step] of Object.entries({ "level-up": 1, "level-down": -1 })) {
      const next = level + step;
      show(byId(id), typeof level === "number" && next >= 1 && next <= 10);
      setText(byId(id), say(step > 0 ? "levelUp" : "levelDown", { level: next }));
    }
    // A winner is offered the next level first.
    const isWon = game.end.winner === soleHumanOf(game.players) && !byId("level-up").hidden;
    byId("level-up").classList.toggle("main", isWon);
    byId("rematch").classList.toggle("main", !isWon);
  });

  function startNext(step = 0) {
    const { game } = store.state;
    if (isRemote(game)) return friend.rematch();
    session.askSoon({ type: "rematch", ...(step ? { level: { level: game.level.level + step } } : {}) });
  }

  onClick({ rematch: () => startNext(), "level-up": () => startNext(1), "level-down": () => startNext(-1) });
}
