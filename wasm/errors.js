// The errors of the package.

/** An error of an engine; `code` is "options", "busy", "freed", "failed", "load", "undo",
 * "not_a_position" or "not_a_record". */
export class EngineError extends Error {
  /** @param {ErrorOptions} [options] */
  constructor(text, code, options) {
    super(text, options);
    this.name = "EngineError";
    this.code = code;
  }
}

/** A move or a position that breaks a rule. `code` names the rule, `cells` are the cells
 * concerned, `data` the values in the text. */
export class IllegalMoveError extends EngineError {
  constructor({ text, code, move = null, cells = [], data = {}, number = null }) {
    super(text, code);
    this.name = "IllegalMoveError";
    this.move = move;
    this.cells = cells;
    this.data = data;
    this.number = number;
  }
}

/** Returns the error for a refusal of the engine, as JSON: a message "illegal" or "error". */
export function fromMessage(text) {
  const message = JSON.parse(text);
  return message.type === "illegal" ? new IllegalMoveError(message) : new EngineError(message.text, message.code);
}
