// The dialog for a new game, or a new level in the current one.

import { byId, element, show } from "./dom.js";
import { opponents } from "./opponents.js";
import { keep, kept } from "./preferences.js";

export function createNewGame(store, session, say, ask) {
  const dialog = byId("new-dialog");
  const form = byId("new-form");
  const number = (id) => Number(byId(id).value);
  const seat = () => form.elements.seat.value;
  const opponent = () => byId("new-opponent").value;

  function fillChoices({ info }) {
    const sizes = info?.sizes ?? [4, 5, 6, 7, 8, 9, 10, 11, 12];
    const engines = info?.engines ?? ["pontifex"];
    const options = (id, values, label) => {
      const before = byId(id).value;
      byId(id).replaceChildren(...values.map((value) => element("option", { value, text: label(value) })));
      if (before) byId(id).value = before;
    };
    options("new-board", sizes, (n) => `${n} × ${n}`);
    byId("new-board").value ||= "10";
    for (const id of ["new-engine-white", "new-engine-red"]) options(id, engines, (name) => name);
    const had = byId("new-opponent").options.length > 1;
    const before = had ? opponent() : "1";
    const levels = opponents(store.state).map(({ name }, index) => element("option", { value: String(index + 1), text: `${index + 1} · ${name}` }));
    byId("new-opponent").replaceChildren(...levels, element("option", { value: "max", text: say("opponentFull") }));
    byId("new-opponent").value = levels.length ? before : "max";
    arrange();
  }

  /** Shows the fields that the current choices need. */
  function arrange() {
    for (const node of form.querySelectorAll(".own")) show(node, byId("new-supply").value === "own");
    for (const node of form.querySelectorAll("[data-clock]")) show(node, node.dataset.clock.split(" ").includes(byId("new-clock").value));
    show(byId("new-bound"), byId("new-clock").value !== "none");
    const counts = byId("new-level").value === "playouts";
    Object.assign(byId("new-level-value"), counts ? { min: "1", step: "1" } : { min: "0.01", step: "any" });
    const chosen = opponents(store.state)[Number(opponent()) - 1];
    show(byId("new-opponent").parentElement, seat() !== "both");
    byId("new-character").textContent = seat() === "both" ? "" : chosen?.character ?? say("opponentFullNote");
    show(form.querySelector(".level"), !chosen && seat() !== "both");
    show(form.querySelector(".white-engine"), seat() === "red" || seat() === "watch");
    show(form.querySelector(".red-engine"), seat() === "white" || seat() === "watch");
    // A hidden field must not block the form.
    for (const input of form.querySelectorAll("label input[type=number]")) input.disabled = Boolean(input.closest("[hidden]"));
  }

  function open() {
    const { game } = store.state;
    if (game && !dialog.open) {
      // Not that of a position that was set up or loaded.
      byId("new-board").value = kept("board") ?? String(game.rules.board);
      byId("new-pie").checked = game.rules.pie;
      const known = ["standard", "unlimited"].includes(game.rules.supply);
      byId("new-supply").value = known ? game.rules.supply : "own";
      if (!known) [byId("new-tiles").value, byId("new-bridges").value] = game.rules.supply.split(",");
      const { white, red } = game.players;
      form.elements.seat.value = white === "human" ? (red === "human" ? "both" : "white") : red === "human" ? "red" : "watch";
      if (white !== "human") byId("new-engine-white").value = white;
      if (red !== "human") byId("new-engine-red").value = red;
      byId("new-opponent").value = String(game.level.level ?? (game.tree.length > 1 ? "max" : opponent()));
      byId("new-level").value = game.level.playouts ? "playouts" : "time";
      byId("new-level-value").value = game.level.playouts ?? game.level.time ?? 1;
      byId("new-clock").value = game.clock?.kind ?? "none";
    }
    arrange();
    dialog.showModal();
  }

  function level() {
    if (opponent() !== "max") return { level: Number(opponent()) };
    const limits = store.state.info?.limits ?? {};
    const within = (value, most) => (most ? Math.min(value, most) : value);
    if (byId("new-level").value === "playouts") return { playouts: within(Math.max(1, Math.round(number("new-level-value"))), limits.playouts) };
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
    const own = byId("new-supply").value === "own";
    keep("board", byId("new-board").value);
    const white = seat() === "white" || seat() === "both" ? "human" : byId("new-engine-white").value;
    const red = seat() === "red" || seat() === "both" ? "human" : byId("new-engine-red").value;
    store.set({ review: null, lesson: null, first: null, seconds: null, bridgeFrom: null, sent: null, message: null, marked: [] });
    session.askSoon({
      type: "new",
      board: number("new-board"),
      supply: own ? `${number("new-tiles")},${number("new-bridges")}` : byId("new-supply").value,
      pie: byId("new-pie").checked,
      players: { white, red },
      level: level(),
      clock: clock(),
    });
  }

  form.addEventListener("change", (event) => {
    if (event.target.id === "new-level") byId("new-level-value").value = event.target.value === "time" ? 1 : 5000;
    arrange();
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    dialog.close();
    const { game } = store.state;
    const goesOn = game && game.tree.length > 1 && !game.position.result;
    if (!goesOn || (await ask("confirmReplace"))) start();
  });
  byId("new-cancel").addEventListener("click", () => dialog.close());
  byId("apply-settings").addEventListener("click", () => {
    dialog.close();
    session.askSoon({ type: "settings", level: level() });
  });
  byId("new-game").addEventListener("click", open);
  store.watch(["info", "language"], fillChoices);
  return { open };
}
