// The notice at the window's edge: something about this browser that the user should know, such
// as that it saves nothing.

import { byId, onClick, setText, show } from "./dom.js";

/**
 * The notice appears once, follows the language, and goes when it is closed or a game is played.
 *
 * @param {import("./store.js").Store} store
 * @param {(key: string) => string} say
 * @returns {(key: string) => void} shows a text
 */
export function createNotice(store, say) {
  const [notice, node] = [byId("notice"), byId("notice-text")];
  const draw = store.watch(() => notice.dataset.code && setText(node, say(notice.dataset.code)));
  const close = () => show(notice, false);
  onClick({ "notice-close": close, grid: close });
  return (key) => {
    if (notice.dataset.code === key) return;
    notice.dataset.code = key;
    draw();
    show(notice, true);
  };
}
