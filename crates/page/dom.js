// Creates and changes DOM nodes. Text is inserted as text, never as HTML: a record that
// somebody loads cannot bring markup. Nothing here knows of the game, of texts in three
// languages or of the store.

const SVG = "http://www.w3.org/2000/svg";

/** The element with this id, of the kind that its use says. @param {string} id @returns {any} */
export const byId = (id) => document.getElementById(id);

/** Whether an event comes from within elements of a kind. @param {Event} event @param {string} selector */
export const isWithin = (event, selector) => event.target instanceof Element && event.target.closest(selector) !== null;

/** Whether a key is pressed for the page: not while somebody types or a dialog is open. @param {KeyboardEvent} event */
export function isForPage(event) {
  return !event.altKey && !event.ctrlKey && !event.metaKey && !event.defaultPrevented
    && !isWithin(event, "input, textarea, select") && !document.querySelector("dialog[open]");
}

/**
 * A new HTML element. `on…` keys are event listeners, `text` is its text, and all
 * other keys are attributes; null, undefined and false leave one out.
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 * @param {...(Node|string)} children
 * @returns {any} of the kind that the name says
 */
export function element(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/**
 * A new SVG element; the arguments are those of `element`.
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 * @param {...(Node|string)} children
 * @returns {any}
 */
export function drawing(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "text") node.textContent = value;
    else if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}

/** Sets the text if it differs, so screen readers do not repeat it. @param {Element} node @param {string|number} text */
export function setText(node, text) {
  if (node.textContent !== String(text)) node.textContent = String(text);
}

/** Shows or hides a node. @param {HTMLElement} node @param {any} visible taken as true or false */
export function show(node, visible) {
  node.hidden = !visible;
}

/** Scrolls a phone's page back to the board, once most of it is out of sight. */
export function scrollToBoard() {
  const { top, bottom, height } = byId("frame").getBoundingClientRect();
  if (top < -height / 2 || bottom > innerHeight + height / 2) scrollTo(0, 0);
}

/** A text that is too long for its place on a phone scrolls, also by keyboard. @param {HTMLElement} node */
export function makeScrollable(node) {
  if (getComputedStyle(node).overflowY === "auto" && node.scrollHeight > node.clientHeight) node.tabIndex = 0;
  else node.removeAttribute("tabindex");
}

/** Says whether a switch is on. @param {Element} node @param {any} isOn taken as true or false */
export function press(node, isOn) {
  node.setAttribute("aria-pressed", String(Boolean(isOn)));
}

/** Calls a function when the element with an id is clicked. @param {Record<string, (event: MouseEvent) => void>} handlers */
export function onClick(handlers) {
  for (const [id, handler] of Object.entries(handlers)) byId(id).addEventListener("click", handler);
}

/**
 * A button with the text of a key, in whatever language the page has.
 * @param {string} id
 * @param {string} key
 * @param {(event: MouseEvent) => void} onclick
 * @param {string|null} [name] its class
 * @returns {HTMLButtonElement}
 */
export function button(id, key, onclick, name = null) {
  return element("button", { type: "button", id, "data-text": key, class: name, onclick });
}

/** Fills a list of choices; what was chosen stays so. @param {HTMLSelectElement} select @param {any[][]} choices values and texts */
export function setOptions(select, choices) {
  const before = select.value;
  select.replaceChildren(...choices.map(([value, text]) => element("option", { value, text })));
  if (choices.some(([value]) => String(value) === before)) select.value = before;
}

/** The mark of a player. @param {string} player */
export const chip = (player) => element("i", { class: `chip ${player}` });

/** The content of lists, as it is on the page. @type {WeakMap<Element, string>} */
const drawnContents = new WeakMap();

/**
 * Draws a list again only if its content differs: a button under the pointer or with the focus stays.
 * @param {Element} node
 * @param {any} content what the list depends on, as JSON can tell it
 * @param {() => (Node|string)[]} draw
 */
export function setList(node, content, draw) {
  const text = JSON.stringify(content);
  if (drawnContents.get(node) === text) return;
  drawnContents.set(node, text);
  node.replaceChildren(...draw());
}

/** Sets or removes attributes of a node: null, undefined and false remove. @param {Element} node @param {Record<string, any>} attributes */
export function setAttributes(node, attributes) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) node.removeAttribute(key);
    else if (node.getAttribute(key) !== String(value)) node.setAttribute(key, value);
  }
}

/** Downloads `blob` as a file. @param {Blob} blob @param {string} name */
export function download(blob, name) {
  const url = URL.createObjectURL(blob);
  const link = element("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
