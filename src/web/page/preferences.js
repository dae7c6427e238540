// Language and appearance, saved in the browser.

import { byId } from "./dom.js";
import { firstLanguage, translate } from "./texts.js";

export function kept(name) {
  try {
    return localStorage.getItem(`pontifex.${name}`);
  } catch {
    return null;
  }
}

/** Keeps a choice in the browser. */
export function keep(name, value) {
  try {
    localStorage.setItem(`pontifex.${name}`, value);
  } catch {
    // Without storage, the choice lasts until the page is closed.
  }
}

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
