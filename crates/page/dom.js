// Creates and changes DOM nodes. Text is inserted as text, never as HTML.

const SVG = "http://www.w3.org/2000/svg";

/** The element with this id. */
export const byId = (id) => document.getElementById(id);

/**
 * A new HTML element. `on…` keys are event listeners, `text` is its text, and all
 * other keys are attributes.
 */
export function element(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** A new SVG element; the arguments are those of `element`. */
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

/** Sets the text if it differs, so screen readers do not repeat it. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Shows or hides a node. */
export function show(node, visible) {
  node.hidden = !visible;
}

/** The content of lists, as it is on the page. @type {WeakMap<Element, string>} */
const listed = new WeakMap();

/** Draws a list again only if its content differs: a button under the pointer or with the focus stays. */
export function setList(node, content, draw) {
  const text = JSON.stringify(content);
  if (listed.get(node) === text) return;
  listed.set(node, text);
  node.replaceChildren(...draw());
}

/** Sets or removes attributes of a node. */
export function setAttributes(node, attributes) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) node.removeAttribute(key);
    else if (node.getAttribute(key) !== String(value)) node.setAttribute(key, value);
  }
}

/** Downloads `blob` as a file. */
export function download(blob, name) {
  const url = URL.createObjectURL(blob);
  const link = element("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
