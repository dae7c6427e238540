// Making and changing nodes. Text goes in as text, never as HTML.

const SVG = "http://www.w3.org/2000/svg";

/** The element with this id. */
export const byId = (id) => document.getElementById(id);

/**
 * A new HTML element. `on…` are listeners, `class` and `data-…` attributes,
 * `text` its text.
 */
export function element(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** A new SVG element, as `element`. */
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

/** Sets the text only if it is another: less work, and no second reading. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Shows or hides. */
export function show(node, visible) {
  node.hidden = !visible;
}

/** Sets or takes away attributes of a node. */
export function setAttributes(node, attributes) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) node.removeAttribute(key);
    else if (node.getAttribute(key) !== String(value)) node.setAttribute(key, value);
  }
}

/** Hands `blob` to the user as a file. */
export function download(blob, name) {
  const url = URL.createObjectURL(blob);
  const link = element("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
