// Moves as typed text, for keyboards and for users who cannot see the board: the field completes
// legal moves and says why a move is illegal. The host judges; names in three languages come
// from texts.js.

import { bridgeName, pairName } from "./geometry.js";
import { byId, element, setText } from "./dom.js";
import { moveName, illegalText } from "./texts.js";

const CELL_PAIR = /^([a-l]\d{1,2})\s*([-,;\s]?)\s*([a-l]\d{1,2})$/;

/** @param {import("./main.js").Page} page */
export function createMoveField({ store, session, play, say }) {
  const field = /** @type {HTMLInputElement} */ (byId("type-move"));
  const list = byId("type-moves");
  /** The node, first cell and language that the current completions are for. */
  let completedKey = "";
  /** @type {() => string} */
  let noteText = () => "";
  const drawNote = store.watch(() => setText(byId("type-note"), noteText()));
  const showNote = (textOf) => {
    noteText = textOf;
    drawNote();
  };

  /** Returns the move in a text, in the host's notation, or null. */
  function moveOf(text) {
    const typed = text.trim().toLowerCase();
    for (const word of ["pass", "swap"]) if ([word, moveName(store.state.language, word).toLowerCase()].includes(typed)) return word;
    const [, from, separator, to] = typed.match(CELL_PAIR) ?? [];
    return from ? (separator === "-" ? bridgeName : pairName)(from, to) : null;
  }

  const offer = (choices) => list.replaceChildren(...choices.map((value) => element("option", { value })));

  /** Offers completions of the text: bridges and first cells, or second cells after a first one. */
  function complete() {
    const { game, language } = store.state;
    if (!game) return;
    const [, first = null] = field.value.toLowerCase().match(/^\s*([a-l]\d{1,2})[,\s]/) ?? [];
    const key = `${game.game} ${game.current} ${first} ${language}`;
    if (key === completedKey) return;
    completedKey = key;
    const { legal } = game.position;
    const words = ["pass", "swap"].filter((word) => legal[word]).map((word) => moveName(language, word));
    if (!first) return offer([...legal.cells.map((cell) => `${cell},`), ...legal.bridges, ...words]);
    session.ask({ type: "seconds", first, node: game.current }, (answer) => {
      if (key === completedKey && answer.type === "seconds") offer(answer.cells.map((cell) => `${first},${cell}`));
    });
  }

  function submit() {
    const text = field.value;
    const move = moveOf(text);
    if (!text.trim()) return;
    if (!move) return showNote(() => say("notAMove", { text }));
    const node = store.state.game.current;
    const isSent = session.ask({ type: "why", node, move }, (answer) => {
      if (answer.type === "illegal") {
        return showNote(() => illegalText(store.state.language, { ...answer, values: "data" in answer ? answer.data : {} }));
      }
      if (answer.type !== "legal") return;
      showNote(() => "");
      // A move at an earlier turn is refused with a message at the board.
      const isReady = play.isReady();
      play.move(move);
      if (isReady) field.value = "";
    });
    if (!isSent) showNote(() => say("offline"));
  }

  field.addEventListener("focus", complete);
  field.addEventListener("input", () => {
    showNote(() => "");
    complete();
  });
  byId("type-form").addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  store.watch(({ game }) => {
    if (game && document.activeElement === field) complete();
  });
}
