// The user's choices, saved in the browser: language, appearance, sound, whether the evaluation
// is shown and whether blunders are warned of. How the browser stores them is in memory.js.

import { byId } from "./dom.js";
import { savePreference, readPreference } from "./memory.js";
import { firstLanguage, translate } from "./texts.js";

/** Returns the saved choices, with defaults. */
export function firstPreferences() {
  const theme = readPreference("theme");
  const silent = { yes: true, no: false }[readPreference("silent")] ?? null;
  return {
    language: firstLanguage(readPreference("language")),
    theme: ["light", "dark"].includes(theme) ? theme : "auto",
    sound: readPreference("sound") === "on",
    silent,
    warnOfBlunders: readPreference("careful") === "yes",
  };
}

/** Connects the header's two lists to the store, and the store to the saved choices. @param {import("./store.js").Store} store */
export function createPreferences(store) {
  const language = byId("language");
  const theme = byId("theme");
  // Saves a choice made just before the page is left.
  addEventListener("pagehide", () => store.flush());
  language.addEventListener("change", () => store.set({ language: language.value }));
  theme.addEventListener("change", () => store.set({ theme: theme.value }));
  store.watch((state) => {
    language.value = state.language;
    document.documentElement.lang = state.language;
    translate(document, state.language);
    if (state.language !== readPreference("language")) savePreference("language", state.language);
  });
  store.watch((state) => {
    if (state.sound !== undefined && state.sound !== (readPreference("sound") === "on")) {
      savePreference("sound", state.sound ? "on" : "off");
    }
    if (typeof state.silent === "boolean") savePreference("silent", state.silent ? "yes" : "no");
    if (state.warnOfBlunders !== (readPreference("careful") === "yes")) savePreference("careful", state.warnOfBlunders ? "yes" : "no");
  });
  store.watch((state) => {
    theme.value = state.theme;
    document.documentElement.dataset.theme = state.theme;
    savePreference("theme", state.theme);
  });
}
