// The header: language, appearance and sound, saved in the browser, and the menu of a
// narrow window. Also the notice about the browser, such as that it saves nothing. How the
// browser keeps things is in memory.js.

import { byId, isWithin, onClick, setText, show } from "./dom.js";
import { keepPreference, readPreference } from "./memory.js";
import { firstLanguage, translate } from "./texts.js";

/** Initial language and appearance. */
export function firstPreferences() {
  const theme = readPreference("theme");
  const silent = { yes: true, no: false }[readPreference("silent")] ?? null;
  return { language: firstLanguage(readPreference("language")), theme: ["light", "dark"].includes(theme) ? theme : "auto", sound: readPreference("sound") === "on", silent, warnOfBlunders: readPreference("careful") === "yes" };
}

/** The menu of a narrow window. */
export function createMenu() {
  const [button, menu] = [byId("menu-button"), byId("more")];
  const open = (isOpen) => {
    button.setAttribute("aria-expanded", String(isOpen));
    menu.classList.toggle("open", isOpen);
  };
  button.addEventListener("click", () => open(button.getAttribute("aria-expanded") !== "true"));
  addEventListener("click", (event) => isWithin(event, "#more select, #more .switch, #menu-button") || open(false));
  addEventListener("keydown", (event) => event.key === "Escape" && open(false));
}

/**
 * The notice at the window's edge: something about this browser that one should know
 * once. It follows the language, and goes when it is closed or a game is played.
 *
 * @param {import("./store.js").Store} store
 * @param {(key: string) => string} say
 * @returns {(key: string) => void} shows a text
 */
export function createNotice(store, say) {
  const [notice, words] = [byId("notice"), byId("notice-text")];
  const draw = store.watch(() => notice.dataset.code && setText(words, say(notice.dataset.code)));
  const close = () => show(notice, false);
  onClick({ "notice-close": close, grid: close });
  return (key) => {
    if (notice.dataset.code === key) return;
    notice.dataset.code = key;
    draw();
    show(notice, true);
  };
}

/** Connects the two selects in the header to the store, and the store to what is kept. @param {import("./store.js").Store} store */
export function createPreferences(store) {
  const language = byId("language");
  const theme = byId("theme");
  // A choice made just before the page is left is kept, too.
  addEventListener("pagehide", () => store.flush());
  language.addEventListener("change", () => store.set({ language: language.value }));
  theme.addEventListener("change", () => store.set({ theme: theme.value }));
  store.watch((state) => {
    language.value = state.language;
    document.documentElement.lang = state.language;
    translate(document, state.language);
    if (state.language !== readPreference("language")) keepPreference("language", state.language);
  });
  store.watch((state) => {
    if (state.sound !== undefined && state.sound !== (readPreference("sound") === "on")) keepPreference("sound", state.sound ? "on" : "off");
    if (typeof state.silent === "boolean") keepPreference("silent", state.silent ? "yes" : "no");
    if (state.warnOfBlunders !== (readPreference("careful") === "yes")) keepPreference("careful", state.warnOfBlunders ? "yes" : "no");
  });
  store.watch((state) => {
    theme.value = state.theme;
    document.documentElement.dataset.theme = state.theme;
    keepPreference("theme", state.theme);
  });
}

/** Frequencies in hertz of each kind of move. */
const TONES = { tiles: [392, 294], bridge: [330, 494], pass: [262], swap: [349, 262], end: [392, 494, 587] };
/** The duration of a tone, in seconds. */
const TONE_SECONDS = 0.14;

/**
 * Short sounds for moves: off until switched on.
 * @param {import("./store.js").Store} store
 * @returns {(kind: string) => void} plays the sound of a kind of move
 */
export function createSound(store) {
  let context = null;

  return (kind) => {
    if (!store.state.sound) return;
    context ??= new AudioContext();
    for (const [n, pitch] of (TONES[kind] ?? []).entries()) {
      const start = context.currentTime + n * TONE_SECONDS * 0.8;
      const [tone, volume] = [context.createOscillator(), context.createGain()];
      tone.type = "triangle";
      tone.frequency.value = pitch;
      volume.gain.setValueAtTime(0.25, start);
      volume.gain.exponentialRampToValueAtTime(0.001, start + TONE_SECONDS);
      tone.connect(volume).connect(context.destination);
      tone.start(start);
      tone.stop(start + TONE_SECONDS);
    }
    document.documentElement.dataset.sounded = kind;
  };
}
