// What lessons and puzzles share: their board, which is the game's board with its own state, and
// the texts beside it. The host answers as a session would: if several turns are to be found, a
// right one with the opponent's reply; a wrong one with its refutation. Either is played on the
// board. No rules are known here.

import { createBoard } from "./board.js";
import { button, chip, element, makeScrollable, setText, show, svgElement } from "./dom.js";
import { COLORS, bridgeEnds, splitMove } from "./geometry.js";
import { createGrid } from "./grid.js";
import { lineOf } from "./analysis.js";
import { layersOf, sceneOf, sentHere } from "./overlays.js";
import { WHOLE, hintAt, nextDegree } from "./hints.js";
import { createPlay, refuse } from "./play.js";
import { createStore } from "./store.js";
import { messageText } from "./texts.js";

/** @import { State } from "./store.js" */

/** How long a turn is shown before the reply to it, in milliseconds. */
const LOOK_TIME = 1100;

/**
 * Creates the texts and buttons of a lesson or a puzzle beside the board.
 * @param {Node[]} answers the buttons under the verdict
 * @param {HTMLElement} more the choice of other exercises, below the board
 */
export function createGuide(answers, more) {
  const kicker = element("p", { class: "kicker" });
  const title = element("h2", { id: "exercise-title", tabindex: -1 });
  const text = element("p", { id: "exercise-text" });
  const verdict = element("p", { id: "exercise-verdict", role: "status" });
  new ResizeObserver(() => makeScrollable(verdict)).observe(verdict);
  const parts = [
    element("div", { class: "prompt" }, kicker, title, text),
    element("div", { class: "answer" }, verdict, ...answers),
    more,
  ];
  return { kicker, title, text, verdict, parts };
}

/**
 * @param {import("./store.js").Store} page the page's store, for the language
 * @param {import("./host.js").Host} host
 * @param {(key: string, values?: object) => string} say
 */
export function createDesk(page, host, say) {
  const picture = svgElement("svg", { "aria-hidden": "true", focusable: "false" });
  const cells = element("div", { class: "cells", role: "grid", "aria-describedby": "exercise-title exercise-text" });
  const reason = element("p", { class: "reason", role: "status" });
  const facts = element("p", { class: "facts", id: "exercise-facts" });
  const root = element("section", { class: "stage" },
    facts,
    element("div", { class: "frame" }, picture, cells),
    element("div", { class: "under" }, reason));

  const store = createStore({ language: page.state.language });
  /** Numbers the positions shown: each counts as another game, with its own notes. */
  let openedCount = 0;
  let exerciseName = null;
  /** The turns found so far and the replies to them. @type {string[]} */
  let line = [];
  /** The states before the first turn and before the next one, if known: a retry must not wait. */
  let firstState = null;
  let currentState = null;
  let tellVerdict = (_verdict) => {};
  /** The states before a turn, after it and after the reply, to step through, and the one shown. */
  let frames = [];
  let frameShown = 0;
  /** Runs a delayed action at once, if there is one. */
  let runPending = () => {};
  let timer = 0;
  /** The degree of the hint shown, and the move that it hints at. */
  let hintDegree = 0;
  let hintMove = null;
  /** A cell that all right turns share. @type {string|undefined} */
  let commonCell;

  /** Sends a message about the exercise. */
  async function post(message) {
    try {
      return await host.practise({ exercise: exerciseName, ...(line.length ? { line } : {}), ...message });
    } catch {
      return { type: "error", text: say("offline") };
    }
  }

  /** Resolves to the state before the next turn, or to the host's refusal. */
  async function stateToPlay() {
    const nameWhenAsked = exerciseName;
    const answer = currentState ?? await post({ type: "open" });
    if (nameWhenAsked === exerciseName && answer.type === "state") {
      currentState = answer;
      firstState ??= answer;
    }
    return answer;
  }

  /** Shows a position; with `isOpen`, the user may move. */
  function showPosition(game, isOpen) {
    const shown = isOpen ? game.position : { ...game.position, status: "over" };
    store.set({ game: { ...game, game: ++openedCount, tip: game.current, thinking: null, position: shown }, sent: null, near: null });
  }

  /** Runs an action after a pause, or earlier if `runPending` is called. */
  function runLater(action) {
    runPending = () => {
      clearTimeout(timer);
      runPending = () => {};
      action();
    };
    timer = setTimeout(() => runPending(), LOOK_TIME);
  }

  /** Drops the hint, the frames and a delayed action. */
  function reset() {
    clearTimeout(timer);
    runPending = () => {};
    [frames, frameShown, hintDegree, hintMove] = [[], 0, 0, null];
    drawFrames();
  }

  /** Shows one of the frames. */
  function showFrame(frame) {
    clearTimeout(timer);
    runPending = () => {};
    frameShown = frame;
    showPosition(frames[frame], false);
    drawFrames();
  }

  function drawFrames() {
    const hasFrames = frames.length > 2;
    show(back, hasFrames);
    show(forward, hasFrames);
    back.disabled = frameShown === 0;
    forward.disabled = frameShown === frames.length - 1;
    root.dataset.frame = hasFrames ? String(frameShown) : "";
  }

  function receive(answer) {
    if (["illegal", "error"].includes(answer.type)) return refuse(store, answer);
    if (answer.type !== "verdict") return;
    reset();
    if (answer.goes_on) {
      showPosition(answer.state, false);
      runLater(() => {
        line = [...line, answer.move, answer.reply];
        currentState = { type: "state", ...answer.then };
        showPosition(currentState, true);
        root.dataset.found = String(line.length / 2);
      });
    } else {
      frames = [currentState, answer.state, ...(answer.then ? [answer.then] : [])];
      showFrame(1);
      if (answer.then) runLater(() => showFrame(2));
    }
    tellVerdict(answer);
  }

  const session = {
    /** Sends a request without its node: there is only one position. @param {any} request */
    ask(request, onAnswer) {
      const { node: _, aside: __, ...message } = request;
      const nameWhenAsked = exerciseName;
      post(message).then((answer) => {
        if (nameWhenAsked !== exerciseName) return;
        receive(answer);
        onAnswer(answer.type === "verdict" ? answer.state : answer);
      });
      return true;
    },
    send: () => true,
  };
  const play = createPlay({ store, session, view: { go() {}, home: () => 0 } });
  const board = createBoard(picture);
  const focus = createGrid(cells, { store, play, say });
  const pass = button("exercise-pass", "pass", play.pass, "main");
  const swap = button("exercise-swap", "swap", play.swap, "main");
  const back = button("exercise-back", "exerciseBack", () => showFrame(frameShown - 1));
  const forward = button("exercise-forth", "exerciseForward", () => showFrame(frameShown + 1));
  root.lastElementChild.append(back, forward, pass, swap);
  drawFrames();

  /** Returns what the player can do now. @param {State} state */
  function promptOf(state) {
    const { game, here: { bridgeFrom, first } } = state;
    if (sentHere(state)) return say("exerciseChecking");
    if (bridgeFrom) return say(bridgeEnds(game.position, bridgeFrom).length ? "prompt.bridge" : "prompt.noBridge", { cell: bridgeFrom });
    return first ? say("prompt.second", { cell: first }) : "";
  }

  store.watch((state) => board.draw(sceneOf(state), layersOf(state)));
  store.watch(({ game }) => {
    for (const each of [back, forward]) setText(each, say(each.dataset.text));
    setText(pass, say("pass"));
    setText(swap, say("swap"));
    const isOpen = game && game.position.status !== "over";
    show(pass, isOpen && game.position.legal.pass);
    show(swap, isOpen && game.position.legal.swap);
    facts.replaceChildren(...(game ? factsOf(game.position) : []));
  });
  store.watch((state) => {
    const { language, here: { message } } = state;
    const text = messageText(language, message) || promptOf(state);
    setText(reason, text);
    reason.dataset.kind = text ? message?.kind ?? "hint" : "";
    reason.dataset.code = message?.code ?? message?.key ?? "";
  });
  page.watch(({ language }) => store.set({ language }));

  /** Creates the score, if there are islands, and the rest of a limited supply. */
  function factsOf({ islands, score, supply }) {
    const fact = (key, value) => element("span", {}, `${say(key)}: ${value}`);
    const each = (value) => COLORS.flatMap((player) => [
      chip(player), element("span", { class: "unseen", text: `${say(player)} ` }), element("b", { text: value(player) }), " ",
    ]);
    const lines = [];
    if (islands.length) {
      lines.push(element("span", { "data-value": "score" }, `${say("points")}: `, ...each((player) => score[player].points)));
    }
    if (supply.white !== null) {
      lines.push(element("span", { "data-value": "tiles" }, `${say("tilesLeft")}: `, ...each((player) => supply[player])));
    }
    if (supply.bridges !== null) lines.push(fact("bridgesLeft", supply.bridges));
    return lines;
  }

  return {
    root,
    focus,
    cancel: play.cancel,
    /** Opens an exercise; `onVerdict` gets its verdicts. `again` repeats the missed turn. */
    async open(exercise, onVerdict, again = false) {
      runPending();
      reset();
      // Turns already found count only for the same exercise.
      again &&= exerciseName === exercise && Boolean(currentState);
      if (exerciseName !== exercise) [exerciseName, firstState] = [exercise, null];
      if (!again) [line, currentState] = [[], firstState];
      tellVerdict = onVerdict;
      // Until the new position arrives, the old one stays on the board, closed to moves.
      delete root.dataset.exercise;
      if (!currentState && store.state.game) showPosition(store.state.game, false);
      const answer = await stateToPlay();
      if (exerciseName !== exercise) return;
      if (answer.type !== "state") return receive(answer);
      showPosition(answer, true);
      root.dataset.exercise = exercise;
      root.dataset.found = String(line.length / 2);
      // An exercise starts with the board in view.
      store.flush();
      scrollTo(0, 0);
      focus(true);
    },
    /** Opens the exercise again; resolves to the right turns with their purposes, or null. */
    async solution() {
      runPending();
      const nameWhenAsked = exerciseName;
      const [game, answer] = await Promise.all([stateToPlay(), post({ type: "show" })]);
      if (nameWhenAsked !== exerciseName) return null;
      if (answer.type !== "show" || game.type !== "state") {
        receive(answer);
        return null;
      }
      frames = [];
      drawFrames();
      showPosition(game, true);
      return answer.right.map((move, n) => ({ move, why: answer.why?.[n] ?? [] }));
    },
    /**
     * Shows more of a right turn: first the part of the board, then a cell of it, both marked.
     * Resolves to the degree and its text, to null if the caller must show the whole turn, and to
     * undefined if there is no hint.
     */
    async hint() {
      runPending();
      const nameWhenAsked = exerciseName;
      if (!hintMove) {
        const answer = await post({ type: "show" });
        if (nameWhenAsked !== exerciseName) return undefined;
        if (answer.type !== "show" || !answer.right.length) return receive(answer);
        [hintMove] = answer.right;
        // Any other cell might suggest that only one turn is right.
        commonCell = splitMove(hintMove).cells.find((cell) => answer.right.every((move) => splitMove(move).cells.includes(cell)));
      }
      hintDegree = nextDegree(hintMove, hintDegree);
      if (hintDegree >= WHOLE) return null;
      const { key, values, cells } = hintAt(hintMove, hintDegree, store.state.game.rules.board, commonCell);
      store.note({ message: { kind: "hint", text: "", cells } });
      return { degree: hintDegree, text: say(key, values) };
    },
    /** Draws a turn of the side to move on the board. */
    draw(move) {
      store.note({ line: lineOf([move], store.state.game.position.to_move) });
    },
    /** The side that the user plays, and the number of turns found. */
    player: () => (firstState ?? store.state.game).position.to_move,
    found: () => line.length / 2,
  };
}
