// The connection to the host: one session and one line to it, which reconnects by
// itself. The session's id is in the address and saved in the browser, so the
// same game continues after a reload. It numbers requests and passes answers on; what they
// mean is decided by who asked, and what comes unasked by main.js.

import { isFriendly, readLink, sessionOf } from "./friend.js";
import { TooManyGames } from "./host.js";
import { browser } from "./memory.js";

/** @import { Request, SentMessage, SentRequest } from "./messages.d.ts" */

const SESSION_KEY = "pontifex.session";
const LINKS_KEY = "pontifex.links";
const ID_FORM = /^[0-9a-f]{32}$/;
const MAX_RETRY_DELAY = 5000;
/** The requests that replace the game. */
const REPLACING = ["new", "load", "rematch"];

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
  let isNamed = false;
  /** The fragment of the link that is being opened. */
  let link = null;
  /** @type {import("./host.js").Line|null} */
  let connection = null;
  let retryDelay = 250;
  let timer = 0;
  let nextNumber = 1;
  /** A request that waits for a connection, and what to do with the answer. @type {[Request, (answer: SentMessage) => void]|null} */
  let pendingRequest = null;
  /** Callbacks of requests without an answer yet, by request number. @type {Map<number, (answer: SentMessage) => void>} */
  const callbacks = new Map();

  async function start() {
    // A game in a link gets a new session and never replaces another game.
    const linked = location.hash.startsWith("#g=") ? "new" : null;
    const requested = new URLSearchParams(location.search).get("session") ?? linked;
    link = linked && location.hash;
    if (isFriendly(location.hash)) id = readLink(location.hash) ? sessionOf(location.hash) : savedId();
    else if (link) id = savedLinks()[link] ?? null;
    else if (requested && ID_FORM.test(requested)) [id, isNamed] = [requested, true];
    else if (requested !== "new") id = savedId();
    await connect();
  }

  /** The sessions of links that were opened before, by their fragments. */
  function savedLinks() {
    return browser.readJson(LINKS_KEY) ?? {};
  }

  /** A link opened twice leads to the same game. */
  function saveLink() {
    const all = Object.entries({ ...savedLinks(), [link]: id }).slice(-100);
    link = null;
    browser.writeJson(LINKS_KEY, Object.fromEntries(all));
  }

  async function connect() {
    clearTimeout(timer);
    timer = 0;
    handlers.connection("connecting");
    try {
      const isKnown = id && (await host.has(id));
      if (!isKnown && isNamed) handlers.missing();
      if (isKnown && link) handlers.opened();
      if (!isKnown) id = await host.create();
      isNamed = false;
      if (link) saveLink();
    } catch (error) {
      if (error instanceof TooManyGames) handlers.refused(error.message);
      reconnectLater();
      return;
    }
    saveId();
    connection = host.connect(id, {
      open() {
        retryDelay = 250;
        handlers.connection("open");
        if (!pendingRequest) return;
        const [message, then] = pendingRequest;
        pendingRequest = null;
        post(message, then);
      },
      message: receive,
      close: reconnectLater,
    });
  }

  /** Leaves the session for a new one. */
  function leave() {
    connection?.close();
    [connection, id] = [null, null];
    callbacks.clear();
  }

  function reconnectLater() {
    connection = null;
    callbacks.clear();
    handlers.connection("lost");
    clearTimeout(timer);
    timer = setTimeout(connect, retryDelay);
    retryDelay = Math.min(retryDelay * 2, MAX_RETRY_DELAY);
  }

  function receive(text) {
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      return;
    }
    handlers.message(message);
    const answer = callbacks.get(message.id);
    callbacks.delete(message.id);
    answer?.(message);
  }

  function saveId() {
    handlers.session(id);
    browser.write(SESSION_KEY, id);
    const address = new URL(location.href);
    address.searchParams.set("session", id);
    history.replaceState(null, "", address);
  }

  function savedId() {
    const stored = browser.read(SESSION_KEY);
    return stored && ID_FORM.test(stored) ? stored : null;
  }

  /** Sends a message. Returns false if there is no connection. @param {SentRequest} message */
  function send(message) {
    if (!connection?.isOpen()) return false;
    connection.send(JSON.stringify(message));
    return true;
  }

  /**
   * Sends a message and calls `then` with its answer.
   * @param {Request} message
   * @param {(answer: SentMessage) => void} then
   */
  function ask(message, then) {
    if (!REPLACING.includes(message.type) || !handlers.stays()) return post(message, then);
    leave();
    pendingRequest = [message, then];
    connect();
    return true;
  }

  function post(message, then) {
    const number = nextNumber++;
    if (!send({ ...message, id: number })) return false;
    callbacks.set(number, then);
    return true;
  }

  /** Asks now or, without a connection, as soon as there is one. Only the last such request waits. @param {Request} message */
  function askSoon(message, then = (_answer) => {}) {
    if (!ask(message, then)) pendingRequest = [message, then];
  }

  setInterval(() => send({ type: "ping" }), 20000);
  // Reconnect early only if a retry is pending; otherwise there would be two lines.
  addEventListener("online", () => timer && connect());
  return { start, send, ask, askSoon, id: () => id };
}
