// Language and appearance, saved in the browser, and the notice if it saves nothing.

import { byId, setText, show } from "./dom.js";
import { browser } from "./memory.js";
import { firstLanguage, translate } from "./texts.js";

export const kept = (name) => browser.read(`pontifex.${name}`);

/** Keeps a choice in the browser. */
export const keep = (name, value) => browser.write(`pontifex.${name}`, value);

/** Initial language and appearance. */
export function firstPreferences() {
  const theme = kept("theme");
  const silent = { yes: true, no: false }[kept("silent")] ?? null;
  return { language: firstLanguage(kept("language")), theme: ["light", "dark"].includes(theme) ? theme : "auto", sound: kept("sound") === "on", silent };
}

/** The menu of a narrow window. */
export function createMenu() {
  const [button, menu] = [byId("menu-button"), byId("more")];
  const open = (isOpen) => {
    button.setAttribute("aria-expanded", String(isOpen));
    menu.classList.toggle("open", isOpen);
  };
  button.addEventListener("click", () => open(button.getAttribute("aria-expanded") !== "true"));
  addEventListener("click", (event) => event.target.closest?.("#more select, #more .switch, #menu-button") || open(false));
  addEventListener("keydown", (event) => event.key === "Escape" && open(false));
}

/**
 * The notice at the window's edge: something about this browser that one should know
 * once. It follows the language, and goes when it is closed or a game is played.
 *
 * @returns {(key: string) => void} shows a text
 */
export function createNotice(store, say) {
  const [notice, words] = [byId("notice"), byId("notice-text")];
  const draw = () => notice.dataset.code && setText(words, say(notice.dataset.code));
  for (const id of ["notice-close", "grid"]) byId(id).addEventListener("click", () => show(notice, false));
  store.watch(["language"], draw);
  return (key) => {
    if (notice.dataset.code === key) return;
    notice.dataset.code = key;
    draw();
    show(notice, true);
  };
}

/** Connects the two selects in the header to the store. */
export function createPreferences(store) {
  const language = byId("language");
  const theme = byId("theme");
  // A choice made just before the page is left is kept, too.
  addEventListener("pagehide", () => store.flush());
  language.addEventListener("change", () => store.set({ language: language.value }));
  theme.addEventListener("change", () => store.set({ theme: theme.value }));
  store.watch(["language"], (state) => {
    language.value = state.language;
    document.documentElement.lang = state.language;
    translate(document, state.language);
    if (state.language !== kept("language")) keep("language", state.language);
  });
  store.watch(["sound", "silent"], (state) => {
    if (state.sound !== undefined && state.sound !== (kept("sound") === "on")) keep("sound", state.sound ? "on" : "off");
    if (typeof state.silent === "boolean") keep("silent", state.silent ? "yes" : "no");
  });
  store.watch(["theme"], (state) => {
    theme.value = state.theme;
    document.documentElement.dataset.theme = state.theme;
    keep("theme", state.theme);
  });
}
