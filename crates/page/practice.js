// The board of lessons and puzzles. It is the game's board, with a state of its
// own; the host answers as a session would. No rules here.

import { createBoard } from "./board.js";
import { drawing, element, setText } from "./dom.js";
import { other } from "./geometry.js";
import { createGrid } from "./grid.js";
import { createPlay } from "./play.js";
import { sceneOf } from "./scene.js";
import { createStore } from "./store.js";
import { reasonText } from "./texts.js";

/**
 * @param {object} page the page's store: its language
 * @param {import("./host.js").Host} host
 * @param {(key: string, values?: object) => string} say
 */
export function createDesk(page, host, say) {
  const picture = drawing("svg", { "aria-hidden": "true", focusable: "false" });
  const cells = element("div", { class: "cells", role: "grid" });
  const reason = element("p", { class: "reason", role: "status" });
  const pass = element("button", { type: "button", class: "main", id: "exercise-pass", hidden: true });
  const swap = element("button", { type: "button", class: "main", id: "exercise-swap", hidden: true });
  const facts = element("p", { class: "facts", id: "exercise-facts" });
  const root = element("section", { class: "stage" },
    facts,
    element("div", { class: "frame" }, picture, cells),
    element("div", { class: "under" }, reason, pass, swap));

  const store = createStore({
    game: null, analysis: null, thinking: null, first: null, seconds: null, sent: null, bridgeFrom: null, pointer: null,
    message: null, marked: [], lesson: null, hover: null, near: null, pinned: null, glow: null, retry: null, hint: null,
    branch: false, moved: null, ownership: false, unusable: false, line: [], language: page.state.language,
  });
  let name = null;
  /** The position of the exercise, once known: a retry must not wait for it. */
  let start = null;
  let judged = () => {};

  /** Sends a message about the exercise. */
  async function post(message) {
    try {
      return await host.practise({ exercise: name, ...message });
    } catch {
      return { type: "error", text: say("offline") };
    }
  }

  /** The answer with the position of the exercise. */
  async function position() {
    const asked = name;
    const answer = start ?? await post({ type: "open" });
    if (asked === name && answer.type === "state") start = answer;
    return answer;
  }

  /** Shows a position; closed to moves once a turn is judged. */
  function set(game, isOpen) {
    const position = isOpen ? game.position : { ...game.position, status: "over" };
    store.set({
      game: { ...game, tip: game.current, thinking: null, position },
      first: null, seconds: null, sent: null, bridgeFrom: null, pointer: null, message: null, marked: [], line: [], near: null,
    });
  }

  function receive(answer) {
    if (answer.type === "illegal") {
      const { code, text, data: values = {}, cells: marked = [] } = answer;
      store.set({ message: { kind: "illegal", code, text, values }, marked });
    } else if (answer.type === "error") {
      store.set({ message: { kind: "error", key: "failed", values: { text: answer.text } }, sent: null });
    } else if (answer.type === "verdict") {
      set(answer.state, false);
      if (answer.reply) store.set({ line: lineOf([answer.reply], answer.state.position.to_move) });
      judged(answer);
    }
  }

  const lineOf = (moves, player) => moves.map((move, n) => ({ move, player, number: n + 1 }));

  const session = {
    // There is one position only, so a node means nothing here.
    ask({ node: _, aside: __, ...message }, then) {
      const asked = name;
      post(message).then((answer) => {
        if (asked !== name) return;
        receive(answer);
        then(answer.type === "verdict" ? answer.state : answer);
      });
      return true;
    },
    send: () => true,
  };
  const play = createPlay(store, session, { go() {}, home: () => 0 });
  const board = createBoard(picture);
  const grid = createGrid(cells, store, play, say);
  pass.addEventListener("click", play.pass);
  swap.addEventListener("click", play.swap);

  store.watch(["game", "first", "sent", "bridgeFrom", "pointer", "marked", "near", "line"], (state) => {
    const scene = sceneOf(state, play.targets);
    board.draw(state.line.length ? { ...scene, line: state.line } : scene);
  });
  store.watch(["game", "first", "seconds", "bridgeFrom", "language"], grid.update);
  store.watch(["game", "language"], ({ game }) => {
    cells.setAttribute("aria-label", say("boardLabel"));
    setText(pass, say("pass"));
    setText(swap, say("swap"));
    const open = game && game.position.status !== "over";
    pass.hidden = !open || !game.position.legal.pass;
    swap.hidden = !open || !game.position.legal.swap;
  });
  store.watch(["message", "sent", "first", "bridgeFrom", "language"], ({ message, sent, first, bridgeFrom, language }) => {
    let text = "";
    if (message?.kind === "illegal" && !message.key) text = reasonText(language, message);
    else if (message?.key) text = say(message.key, message.values);
    else if (sent) text = say("exerciseChecking");
    else if (bridgeFrom) text = say(play.targets(bridgeFrom).length ? "hintBridge" : "hintBridgeNone", { cell: bridgeFrom });
    else if (first) text = say("hintSecond", { cell: first });
    setText(reason, text);
    reason.dataset.kind = text ? message?.kind ?? "hint" : "";
    reason.dataset.code = message?.code ?? message?.key ?? "";
  });
  store.watch(["game", "language"], ({ game }) => game && facts.replaceChildren(...factsOf(game.position)));
  page.watch(["language"], ({ language }) => store.set({ language }));

  /** The score and what is left of the supply, as far as there is any of them. */
  function factsOf({ islands, score, supply }) {
    const has = (key, value) => element("span", {}, `${say(key)}: ${value}`);
    const each = (value) => ["white", "red"].flatMap((player) => [element("i", { class: `chip ${player}` }), element("span", { class: "unseen", text: `${say(player)} ` }), element("b", { text: value(player) }), " "]);
    const said = [];
    if (islands.length) said.push(element("span", { "data-value": "score" }, `${say("points")}: `, ...each((player) => score[player].points)));
    if (supply.white !== null) said.push(element("span", { "data-value": "tiles" }, `${say("tilesLeft")}: `, ...each((player) => supply[player])));
    if (supply.bridges !== null) said.push(has("bridgesLeft", supply.bridges));
    return said;
  }

  return {
    root,
    focus: grid.focus,
    cancel: play.cancel,
    /** Opens an exercise; `then` gets its position, `onVerdict` each verdict. */
    async open(exercise, onVerdict, then = () => {}) {
      if (name !== exercise) [name, start] = [exercise, null];
      judged = onVerdict;
      // Until it is known, the position on the board is another one, and closed.
      delete root.dataset.exercise;
      if (!start && store.state.game) set(store.state.game, false);
      const answer = await position();
      if (name !== exercise) return;
      if (answer.type !== "state") return receive(answer);
      set(answer, true);
      root.dataset.exercise = exercise;
      then(answer);
    },
    /** The right turns and what each does. The exercise is open again, in its position. */
    async solution() {
      const asked = name;
      const [game, answer] = await Promise.all([position(), post({ type: "show" })]);
      if (asked !== name) return null;
      if (answer.type !== "show" || game.type !== "state") {
        receive(answer);
        return null;
      }
      set(game, true);
      return answer.right.map((move, n) => ({ move, why: answer.why?.[n] ?? [] }));
    },
    /** Marks cells. */
    mark(cells) {
      store.set({ marked: cells });
    },
    /** Draws a turn of the side to move. */
    draw(move) {
      store.set({ line: lineOf([move], store.state.game.position.to_move) });
    },
    opponent: () => other(store.state.game.position.to_move),
  };
}
