// The list of candidates beside the board. Updates change the text of existing
// rows, so focus and pointer stay where they are.

import { byId, element, setText, show } from "./dom.js";
import { candidatesOf, signed } from "./scene.js";
import { tenths } from "./texts.js";

const ROWS = 12;

export function createAnalysis(store, play, say) {
  const list = byId("candidates");
  const rows = [];
  for (let n = 0; n < ROWS; n++) rows.push(row(n));
  list.append(...rows.map((r) => r.root));
  let shown = [];

  function row(n) {
    const cell = (name) => element("span", { class: name });
    const parts = { rank: cell("rank"), move: cell("name"), rate: cell("rate"), lead: cell("lead"), visits: cell("visits"), line: cell("pv") };
    const bar = element("meter", { min: 0, max: 1, class: "bar", "aria-hidden": "true" });
    const look = element("button", { type: "button", class: "look", "aria-pressed": "false" }, parts.rank, parts.move, bar, parts.rate, parts.lead, parts.visits, parts.line);
    const take = element("button", { type: "button", class: "take round", text: "▸" });
    const move = () => shown[n]?.move ?? null;
    const on = () => store.set({ hover: move() });
    const off = () => store.set({ hover: null });
    look.addEventListener("pointerenter", (event) => event.pointerType !== "touch" && on());
    look.addEventListener("pointerleave", off);
    look.addEventListener("focus", () => look.matches(":focus-visible") && on());
    look.addEventListener("blur", off);
    look.addEventListener("click", () => store.set({ pinned: store.state.pinned === move() ? null : move() }));
    take.addEventListener("click", () => move() && play.move(move()));
    const root = element("li", { hidden: true }, look, take);
    return { root, look, take, bar, ...parts };
  }

  function draw(state) {
    const on = Boolean(state.game?.analysis) && !state.onlyOwnership;
    show(byId("analysis"), on);
    show(byId("analysis-off"), !on);
    if (!on) return;
    shown = candidatesOf(state).slice(0, ROWS);
    const { analysis } = state;
    const root = analysis?.node === state.game.current ? analysis.root : null;
    setText(byId("analysis-root"), state.game.position.status === "over" ? say("why.game_over") : root ? [
      say(analysis.to_move), `${Math.round(root.winrate * 100)} %`, signed(root.scoreLead ?? 0, state.language),
      say("visits", { count: root.visits.toLocaleString(state.language) }), root.solved ? say("solved") : "",
    ].filter(Boolean).join(" · ") : "…");
    rows.forEach((r, n) => {
      const candidate = shown[n];
      show(r.root, Boolean(candidate));
      if (!candidate) return;
      setText(r.rank, n + 1);
      setText(r.move, candidate.move);
      setText(r.rate, `${tenths(state.language, candidate.winrate * 100)} %`);
      setText(r.lead, candidate.lead);
      setText(r.visits, candidate.visits.toLocaleString(state.language));
      setText(r.line, candidate.pv.slice(1, 6).join("  "));
      r.bar.value = candidate.winrate;
      r.root.dataset.candidateMove = candidate.move;
      r.look.setAttribute("aria-pressed", String(state.pinned === candidate.move));
      r.take.setAttribute("aria-label", say("playThis", { move: candidate.move }));
      r.take.title = say("playThis", { move: candidate.move });
    });
    const panel = byId("panel-analysis");
    panel.dataset.updates = Number(panel.dataset.updates ?? 0) + (analysis ? 1 : 0);
  }

  store.watch(["analysis", "onlyOwnership", "game", "language", "pinned"], draw);
}
