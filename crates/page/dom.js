// Creates and changes DOM nodes. Text is inserted as text, never as HTML, so a loaded record
// cannot inject markup. Nothing here reads the texts in three languages or the store; of the
// game it knows only what many modules create: the mark of a player's colour.

const SVG = "http://www.w3.org/2000/svg";

/** Returns the element with this id. Its type is `any`: the caller knows its kind. @param {string} id @returns {any} */
export const byId = (id) => document.getElementById(id);

/** Whether an event comes from within an element that matches the selector. @param {Event} event @param {string} selector */
export const isWithin = (event, selector) => event.target instanceof Element && event.target.closest(selector) !== null;

/** Whether a key is meant for the page: not while the user types or a dialog is open. @param {KeyboardEvent} event */
export function isForPage(event) {
  return !event.altKey && !event.ctrlKey && !event.metaKey && !event.defaultPrevented
    && !isWithin(event, "input, textarea, select") && !document.querySelector("dialog[open]");
}

/**
 * Creates an HTML element. `on…` keys are event listeners, `text` is its text, and all other
 * keys are attributes, which null, undefined and false leave out.
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 * @param {...(Node|string)} children
 * @returns {any} an element of the kind that `name` says
 */
export function element(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/**
 * Creates an SVG element, from the arguments of `element`.
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 * @param {...(Node|string)} children
 * @returns {any}
 */
export function svgElement(name, attributes = {}, ...children) {
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

/** Lets the keyboard scroll a text that is too long for its place, as on a phone. @param {HTMLElement} node */
export function makeScrollable(node) {
  if (getComputedStyle(node).overflowY === "auto" && node.scrollHeight > node.clientHeight) node.tabIndex = 0;
  else node.removeAttribute("tabindex");
}

/** Marks a switch as on or off. @param {Element} node @param {any} isOn taken as true or false */
export function setPressed(node, isOn) {
  node.setAttribute("aria-pressed", String(Boolean(isOn)));
}

/** Adds click handlers by the ids of their elements. @param {Record<string, (event: MouseEvent) => void>} handlers */
export function onClick(handlers) {
  for (const [id, handler] of Object.entries(handlers)) byId(id).addEventListener("click", handler);
}

/**
 * Creates a button that is to have the text `key`, which `translate` in texts.js fills in.
 * @param {string} id
 * @param {string} key
 * @param {(event: MouseEvent) => void} onclick
 * @param {string|null} [className]
 * @returns {HTMLButtonElement}
 */
export function button(id, key, onclick, className = null) {
  return element("button", { type: "button", id, "data-text": key, class: className, onclick });
}

/**
 * Fills a list of choices; the current choice stays selected if it is still there.
 * @param {HTMLSelectElement} select
 * @param {any[][]} choices values and texts
 */
export function setOptions(select, choices) {
  const previous = select.value;
  select.replaceChildren(...choices.map(([value, text]) => element("option", { value, text })));
  if (choices.some(([value]) => String(value) === previous)) select.value = previous;
}

/** Creates the mark of a player's colour. @param {string} player */
export const chip = (player) => element("i", { class: `chip ${player}` });

/** The content of each list as last drawn, as JSON. @type {WeakMap<Element, string>} */
const drawnContents = new WeakMap();

/**
 * Redraws a list only if its content differs, so that a button with the pointer or the focus stays.
 * @param {Element} node
 * @param {any} content everything that the list depends on, compared as JSON
 * @param {() => (Node|string)[]} draw
 */
export function setList(node, content, draw) {
  const text = JSON.stringify(content);
  if (drawnContents.get(node) === text) return;
  drawnContents.set(node, text);
  node.replaceChildren(...draw());
}

/** Sets attributes of a node; null, undefined and false remove one. @param {Element} node @param {Record<string, any>} attributes */
export function setAttributes(node, attributes) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) node.removeAttribute(key);
    else if (node.getAttribute(key) !== String(value)) node.setAttribute(key, value);
  }
}

/** How long the address of a download stays valid, in milliseconds. */
const DOWNLOAD_TIME = 10000;

/** Downloads `blob` as a file. @param {Blob} blob @param {string} name */
export function download(blob, name) {
  const url = URL.createObjectURL(blob);
  const link = element("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), DOWNLOAD_TIME);
}
