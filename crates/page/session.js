// The page's session with the host, over one connection, which reconnects automatically. The
// session's id is in the address and saved in the browser, so the same game continues after a
// reload. Requests are numbered, and each answer goes to the caller that asked; unsolicited
// messages go to main.js.

import { isFriendLink, readLink, sessionOf } from "./friend.js";
import { TooManyGames } from "./host.js";
import { browser } from "./memory.js";

/** @import { Request, SentMessage, SentRequest } from "./messages.d.ts" */

const SESSION_KEY = "pontifex.session";
const LINKS_KEY = "pontifex.links";
/** The older links are forgotten. */
const MAX_SAVED_LINKS = 100;
const ID_FORM = /^[0-9a-f]{32}$/;
/** The first and the longest delay before a reconnection, in milliseconds; it doubles each time. */
const FIRST_RETRY_DELAY = 250;
const MAX_RETRY_DELAY = 5000;
/** Between pings, in milliseconds; many proxies close a silent connection. */
const PING_INTERVAL = 20000;
/** The requests that replace the game. */
const REPLACING = ["new", "load", "rematch"];

/**
 * @param {import("./host.js").Host} host
 * @param {object} handlers
 * @param {(message: SentMessage) => void} handlers.message
 * @param {(connection: "connecting"|"open"|"lost") => void} handlers.connection
 * @param {(id: string) => void} handlers.sessionId
 * @param {() => void} handlers.sessionMissing the session in the address does not exist
 * @param {(text: string) => void} handlers.newGameRefused there are too many games
 * @param {() => void} handlers.linkKnown the link was opened before: its game exists
 * @param {() => boolean} handlers.keepsGame whether the game must not be replaced: a new one gets its own session
 */
export function createSession(host, handlers) {
  let id = null;
  /** Whether the id is from the address, and the host has not confirmed it yet. */
  let isNamed = false;
  /** The fragment of the link that is being opened. */
  let link = null;
  /** @type {import("./host.js").Connection|null} */
  let connection = null;
  let retryDelay = FIRST_RETRY_DELAY;
  let timer = 0;
  let nextNumber = 1;
  /** A request that waits for a connection, with the callback for its answer. @type {[Request, (answer: SentMessage) => void]|null} */
  let pendingRequest = null;
  /** Callbacks of requests without an answer yet, by request number. @type {Map<number, (answer: SentMessage) => void>} */
  const callbacks = new Map();

  async function start() {
    // A game in a link gets a new session and never replaces another game.
    const isGameLink = location.hash.startsWith("#g=");
    const requested = new URLSearchParams(location.search).get("session") ?? (isGameLink ? "new" : null);
    link = isGameLink ? location.hash : null;
    if (isFriendLink(location.hash)) id = readLink(location.hash) ? sessionOf(location.hash) : savedId();
    else if (link) id = savedLinks()[link] ?? null;
    else if (requested && ID_FORM.test(requested)) [id, isNamed] = [requested, true];
    else if (requested !== "new") id = savedId();
    await connect();
  }

  /** Returns the sessions of links that were opened before, by their fragments. */
  function savedLinks() {
    return browser.readJson(LINKS_KEY) ?? {};
  }

  /** Saves the session of the link, so that the link leads to the same game again. */
  function saveLink() {
    const all = Object.entries({ ...savedLinks(), [link]: id }).slice(-MAX_SAVED_LINKS);
    link = null;
    browser.writeJson(LINKS_KEY, Object.fromEntries(all));
  }

  async function connect() {
    clearTimeout(timer);
    timer = 0;
    handlers.connection("connecting");
    try {
      const isKnown = id && (await host.has(id));
      if (!isKnown && isNamed) handlers.sessionMissing();
      if (isKnown && link) handlers.linkKnown();
      if (!isKnown) id = await host.create();
      isNamed = false;
      if (link) saveLink();
    } catch (error) {
      if (error instanceof TooManyGames) handlers.newGameRefused(error.message);
      reconnectLater();
      return;
    }
    saveId();
    connection = host.connect(id, {
      open() {
        retryDelay = FIRST_RETRY_DELAY;
        handlers.connection("open");
        if (!pendingRequest) return;
        const [message, onAnswer] = pendingRequest;
        pendingRequest = null;
        post(message, onAnswer);
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
    const onAnswer = callbacks.get(message.id);
    callbacks.delete(message.id);
    onAnswer?.(message);
  }

  function saveId() {
    handlers.sessionId(id);
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
   * Sends a message and calls `onAnswer` with its answer. If it would replace a game that must
   * be kept, it first opens a new session and sends the message there. Returns false if the
   * message could be neither sent nor queued.
   * @param {Request} message
   * @param {(answer: SentMessage) => void} onAnswer
   */
  function ask(message, onAnswer) {
    if (!REPLACING.includes(message.type) || !handlers.keepsGame()) return post(message, onAnswer);
    leave();
    pendingRequest = [message, onAnswer];
    connect();
    return true;
  }

  /** Numbers a message, sends it and remembers `onAnswer`. Returns false if there is no connection. */
  function post(message, onAnswer) {
    const number = nextNumber++;
    if (!send({ ...message, id: number })) return false;
    callbacks.set(number, onAnswer);
    return true;
  }

  /** Asks now or, without a connection, as soon as there is one. Only the last such request waits. @param {Request} message */
  function askSoon(message, onAnswer = (_answer) => {}) {
    if (!ask(message, onAnswer)) pendingRequest = [message, onAnswer];
  }

  setInterval(() => send({ type: "ping" }), PING_INTERVAL);
  // Reconnect early only if a retry is pending; otherwise there would be two connections.
  addEventListener("online", () => timer && connect());
  return { start, send, ask, askSoon, id: () => id };
}
