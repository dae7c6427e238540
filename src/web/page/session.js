// The connection to the server: one session and one socket, which reconnects by
// itself. The session's id is in the address and saved in the browser, so the
// same game continues after a reload.

const KEPT = "pontifex.session";
const FORM = /^[0-9a-f]{32}$/;
const LONGEST_PAUSE = 5000;

/**
 * @param {object} handlers
 * @param {(message: object) => void} handlers.message
 * @param {(connection: "connecting"|"open"|"lost") => void} handlers.connection
 * @param {(id: string) => void} handlers.session
 */
export function createSession(handlers) {
  let id = null;
  let socket = null;
  let pause = 250;
  let timer = 0;
  let next = 1;
  /** Callbacks of requests without an answer yet, by request number. @type {Map<number, (answer: object) => void>} */
  const waiting = new Map();

  async function start() {
    // A game in a link gets a new session and never replaces another game.
    const linked = location.hash.startsWith("#g=") ? "new" : null;
    const asked = new URLSearchParams(location.search).get("session") ?? linked;
    if (asked && FORM.test(asked)) id = asked;
    else if (asked !== "new") id = read();
    await connect();
  }

  async function make() {
    const answer = await fetch("/api/sessions", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: "{}",
    });
    if (!answer.ok) throw new Error(`${answer.status}`);
    return (await answer.json()).session;
  }

  /** Whether the server has this session. Throws if the server does not answer. */
  async function known() {
    const answer = await fetch(`/api/sessions/${id}/export?format=position`, { cache: "no-store" });
    return answer.status !== 404;
  }

  async function connect() {
    clearTimeout(timer);
    timer = 0;
    handlers.connection("connecting");
    try {
      if (!id || !(await known())) id = await make();
    } catch {
      later();
      return;
    }
    keep();
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    socket = new WebSocket(`${scheme}://${location.host}/ws?session=${id}`);
    socket.onopen = () => {
      pause = 250;
      handlers.connection("open");
    };
    socket.onmessage = (event) => receive(event.data);
    socket.onclose = later;
  }

  function later() {
    socket = null;
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
    try {
      localStorage.setItem(KEPT, id);
    } catch {
      // Without storage, only the address holds the id.
    }
    const address = new URL(location.href);
    address.searchParams.set("session", id);
    history.replaceState(null, "", address);
  }

  function read() {
    try {
      const kept = localStorage.getItem(KEPT);
      return kept && FORM.test(kept) ? kept : null;
    } catch {
      return null;
    }
  }

  /** Sends a message. Returns false if there is no connection. */
  function send(message) {
    if (socket?.readyState !== WebSocket.OPEN) return false;
    socket.send(JSON.stringify(message));
    return true;
  }

  /** Sends a message and calls `then` with its answer. */
  function ask(message, then) {
    const number = next++;
    if (!send({ ...message, id: number })) return false;
    waiting.set(number, then);
    return true;
  }

  setInterval(() => send({ type: "ping" }), 20000);
  // Reconnect early only if a retry is pending; otherwise there would be two sockets.
  addEventListener("online", () => timer && connect());
  return { start, send, ask, id: () => id };
}
