// The menu of a narrow window: the controls of the header that do not fit there.

import { byId, isWithin } from "./dom.js";

/** Opens and closes the menu by its button, by a click elsewhere and by Escape. */
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
