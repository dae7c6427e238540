// The connection to the host: one session and one line to it, which reconnects by
// itself. The session's id is in the address and saved in the browser, so the
// same game continues after a reload. It numbers requests and passes answers on; what they
// mean is decided by who asked, and what comes unasked by main.js.

import { isFriendly, readLink, sessionOf } from "./friend.js";
import { TooMany } from "./host.js";
import { browser } from "./memory.js";

/** @import { Request, SentMessage, SentRequest } from "./messages.d.ts" */

const KEPT = "pontifex.session";
const LINKS = "pontifex.links";
const FORM = /^[0-9a-f]{32}$/;
const LONGEST_PAUSE = 5000;
/** The requests that replace the game. */
const REPLACE = ["new", "load", "rematch"];

/**
 * @param {import("./host.js").Host} host
 * @param {object} handlers
 * @param {(message: SentMessage) => void} handlers.message
 * @param {(connection: "connecting"|"open"|"lost") => void} handlers.connection
 * @param {(id: string) => void} handlers.session
 * @param {() => void} handlers.missing the session in the address does not exist
 * @param {(text: string) => void} handlers.refused there are too many games for a new one
 * @param {() => void} handlers.opened a link leads to a game that it has made before
 * @param {() => boolean} handlers.stays whether the game is not to be replaced: another one gets a session of its own
 */
export function createSession(host, handlers) {
  let id = null;
  /** Whether the address names the session, not known yet. */
  let named = false;
  /** The fragment of the link that is being opened. */
  let link = null;
  /** @type {import("./host.js").Line|null} */
  let line = null;
  let pause = 250;
  let timer = 0;
  let next = 1;
  /** A request that waits for a connection, and what to do with the answer. @type {[Request, (answer: SentMessage) => void]|null} */
  let due = null;
  /** Callbacks of requests without an answer yet, by request number. @type {Map<number, (answer: SentMessage) => void>} */
  const waiting = new Map();

  async function start() {
    // A game in a link gets a new session and never replaces another game.
    const linked = location.hash.startsWith("#g=") ? "new" : null;
    const wanted = new URLSearchParams(location.search).get("session") ?? linked;
    link = linked && location.hash;
    if (isFriendly(location.hash)) id = readLink(location.hash) ? sessionOf(location.hash) : read();
    else if (link) id = links()[link] ?? null;
    else if (wanted && FORM.test(wanted)) [id, named] = [wanted, true];
    else if (wanted !== "new") id = read();
    await connect();
  }

  /** The sessions of links that were opened before, by their fragments. */
  function links() {
    return browser.readJson(LINKS) ?? {};
  }

  /** A link opened twice leads to the same game. */
  function remember() {
    const all = Object.entries({ ...links(), [link]: id }).slice(-100);
    link = null;
    browser.writeJson(LINKS, Object.fromEntries(all));
  }

  async function connect() {
    clearTimeout(timer);
    timer = 0;
    handlers.connection("connecting");
    try {
      const isKnown = id && (await host.has(id));
      if (!isKnown && named) handlers.missing();
      if (isKnown && link) handlers.opened();
      if (!isKnown) id = await host.create();
      named = false;
      if (link) remember();
    } catch (error) {
      if (error instanceof TooMany) handlers.refused(error.message);
      later();
      return;
    }
    keep();
    line = host.connect(id, {
      open() {
        pause = 250;
        handlers.connection("open");
        if (!due) return;
        const [message, then] = due;
        due = null;
        post(message, then);
      },
      message: receive,
      close: later,
    });
  }

  /** Leaves the session for a new one. */
  function leave() {
    line?.close();
    [line, id] = [null, null];
    waiting.clear();
  }

  function later() {
    line = null;
    waiting.clear();
    handlers.connection("lost");
    clearTimeout(timer);
    timer = setTimeout(connect, pause);
    pause = Math.min(pause * 2, LONGEST_PAUSE);
  }

  function receive(text) {
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      return;
    }
    handlers.message(message);
    const answer = waiting.get(message.id);
    waiting.delete(message.id);
    answer?.(message);
  }

  function keep() {
    handlers.session(id);
    browser.write(KEPT, id);
    const address = new URL(location.href);
    address.searchParams.set("session", id);
    history.replaceState(null, "", address);
  }

  function read() {
    const stored = browser.read(KEPT);
    return stored && FORM.test(stored) ? stored : null;
  }

  /** Sends a message. Returns false if there is no connection. @param {SentRequest} message */
  function send(message) {
    if (!line?.isOpen()) return false;
    line.send(JSON.stringify(message));
    return true;
  }

  /**
   * Sends a message and calls `then` with its answer.
   * @param {Request} message
   * @param {(answer: SentMessage) => void} then
   */
  function ask(message, then) {
    if (!REPLACE.includes(message.type) || !handlers.stays()) return post(message, then);
    leave();
    due = [message, then];
    connect();
    return true;
  }

  function post(message, then) {
    const number = next++;
    if (!send({ ...message, id: number })) return false;
    waiting.set(number, then);
    return true;
  }

  /** Asks now or, without a connection, as soon as there is one. Only the last such request waits. @param {Request} message */
  function askSoon(message, then = (_answer) => {}) {
    if (!ask(message, then)) due = [message, then];
  }

  setInterval(() => send({ type: "ping" }), 20000);
  // Reconnect early only if a retry is pending; otherwise there would be two lines.
  addEventListener("online", () => timer && connect());
  return { start, send, ask, askSoon, id: () => id };
}
