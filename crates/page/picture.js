// The board as a file: an SVG without style sheet, and a PNG rendered from it.

/** Properties that the style sheet sets on shapes. */
const LOOKS = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-linecap", "stroke-linejoin",
  "stroke-dasharray", "opacity", "paint-order", "stop-color", "stop-opacity",
];
const LETTERS = ["font-family", "font-size", "font-weight", "text-anchor"];
/** Edge length of the PNG, in pixels. */
const EDGE = 1200;

/** A copy of the board that does not need the style sheet. */
function standalone(board) {
  const copy = board.cloneNode(true);
  const [from, to] = [board.querySelectorAll("*"), copy.querySelectorAll("*")];
  from.forEach((node, n) => {
    const look = getComputedStyle(node);
    const names = node.localName === "text" ? [...LOOKS, ...LETTERS] : LOOKS;
    for (const name of names) {
      const value = look.getPropertyValue(name);
      if (value && value !== "none" || name === "fill") to[n].setAttribute(name, value.replace(/url\("?[^#]*(#[^")]*)"?\)/, "url($1)"));
    }
    to[n].removeAttribute("class");
  });
  const box = board.viewBox.baseVal;
  const paper = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of Object.entries({ width: box.width, height: box.height, fill: getComputedStyle(document.body).backgroundColor })) paper.setAttribute(name, value);
  copy.prepend(paper);
  for (const name of ["id", "class", "aria-hidden", "focusable"]) copy.removeAttribute(name);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", box.width);
  copy.setAttribute("height", box.height);
  return copy;
}

/**
 * @param {SVGSVGElement} board
 * @param {"svg"|"png"} format
 * @returns {Promise<{text: string, blob: Blob}>}
 */
export async function pictureOf(board, format) {
  const text = new XMLSerializer().serializeToString(standalone(board));
  const blob = new Blob([text], { type: "image/svg+xml" });
  if (format === "svg") return { text, blob };
  const url = URL.createObjectURL(blob);
  try {
    const image = new Image(EDGE, EDGE);
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = EDGE;
    canvas.getContext("2d").drawImage(image, 0, 0, EDGE, EDGE);
    const png = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
    if (!png) throw new Error("PNG");
    return { text, blob: png };
  } finally {
    URL.revokeObjectURL(url);
  }
}
