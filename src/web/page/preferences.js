// Language and appearance: chosen once, kept in the browser.

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
    // Without storage the choice holds until the page is left.
  }
}

/** Language and appearance to begin with. */
export function firstPreferences() {
  const theme = kept("theme");
  return { language: firstLanguage(kept("language")), theme: ["light", "dark"].includes(theme) ? theme : "auto" };
}

/** Ties the two selects in the head of the page to the store. */
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
