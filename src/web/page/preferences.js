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

function keep(name, value) {
  try {
    localStorage.setItem(`pontifex.${name}`, value);
  } catch {
    // Without storage, the choice lasts until the page is closed.
  }
}

/** Initial language and appearance. */
export function firstPreferences() {
  const theme = kept("theme");
  return { language: firstLanguage(kept("language")), theme: ["light", "dark"].includes(theme) ? theme : "auto" };
}

/** Connects the two selects in the header to the store. */
export function createPreferences(store) {
  const language = byId("language");
  const theme = byId("theme");
  language.addEventListener("change", () => store.set({ language: language.value }));
  theme.addEventListener("change", () => store.set({ theme: theme.value }));
  store.watch(["language"], (state) => {
    language.value = state.language;
    document.documentElement.lang = state.language;
    translate(document, state.language);
    if (state.language !== kept("language")) keep("language", state.language);
  });
  store.watch(["theme"], (state) => {
    theme.value = state.theme;
    document.documentElement.dataset.theme = state.theme;
    keep("theme", state.theme);
  });
}
