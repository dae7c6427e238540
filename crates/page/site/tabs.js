// One session in several tabs. The tab that holds the session's lock hosts it; the others are
// guests and send their messages through a broadcast channel. When the host's tab closes, or is
// suspended and does not answer, each guest starts over: one of them then hosts the session as
// it was saved. The messages themselves are opaque here.

/** The number of the host's own page. */
const OWN_PAGE = 0;

/** How long a guest waits for the host's answer, in milliseconds. */
const ANSWER_TIMEOUT = 5000;

/**
 * @param {string} name of the lock and the channel
 * @param {LockManager|null} locks null if there are none: then this tab hosts without asking
 * @param {(deliver: (page: number, text: string) => void, lost: () => void) => Promise<object>} host
 * @param {(text: string) => void} deliver sends to this tab's page
 * @param {(isTaken: boolean) => void} closed no more messages come: start over; `isTaken`: another tab has taken over the session
 */
export function createTabs(name, locks, host, deliver, closed) {
  const channel = locks && new BroadcastChannel(name);
  const me = crypto.getRandomValues(new Uint32Array(1))[0] || 1;
  /** The session, while this tab hosts it. */
  let session = null;
  /** Whether a host answers this guest. */
  let isGuest = false;
  let isClosed = false;
  /** The page's messages from before it was known which tab hosts. */
  let earlyMessages = [];
  let lastNumber = 0;
  let answerTimer = 0;
  const waiting = new Map();
  /** Aborts this tab's waiting requests for locks. */
  const leaving = new AbortController();
  /** Releases the locks that this tab holds. */
  let leave = null;
  const whenLeft = new Promise((resolve) => { leave = resolve; });
  /** @type {{resolve: Function, reject: (error: Error) => void}} */
  let settle;
  const joined = new Promise((resolve, reject) => { settle = { resolve, reject }; });

  const post = (message) => channel?.postMessage({ from: me, ...message });

  function close(isTaken = false) {
    if (isClosed) return;
    isClosed = true;
    clearTimeout(answerTimer);
    session?.close();
    channel?.close();
    leaving.abort();
    leave();
    for (const { reject } of waiting.values()) reject(new Error("the tab that hosted the game is gone"));
    settle.resolve();
    closed(isTaken);
  }

  async function startHosting() {
    const hosted = await host(
      (page, text) => (page === OWN_PAGE ? deliver(text) : channel.postMessage({ to: page, text })),
      () => close(true),
    );
    if (isClosed) return hosted.close();
    session = hosted;
    session.join(OWN_PAGE);
    for (const text of earlyMessages) session.receive(OWN_PAGE, text);
    post({ hosts: true });
    settle.resolve();
  }

  function asHost({ from, joins, text, request, values }) {
    if (joins) {
      session.join(from);
      channel.postMessage({ to: from, joined: true });
      // A page that has gone no longer holds its lock.
      locks.request(`${name}.${from}`, { signal: leaving.signal }, () => session?.leave(from)).catch(() => {});
    } else if (text !== undefined) session.receive(from, text);
    else if (request) {
      let answer;
      try {
        answer = { value: session.text(...values) };
      } catch (error) {
        answer = { error: String(error?.message ?? error) };
      }
      channel.postMessage({ to: from, request, ...answer });
    }
  }

  function asGuest({ to, hosts, joined: hasJoined, text, request, value, error }) {
    // The host was not ready for the first request.
    if (hosts && !isGuest) post({ joins: true });
    else if (hosts) close();
    if (to !== me) return;
    clearTimeout(answerTimer);
    if (hasJoined && !isGuest) {
      isGuest = true;
      for (const text of earlyMessages) ask({ text });
      settle.resolve();
    } else if (text !== undefined) deliver(text);
    else if (request) {
      const pending = waiting.get(request);
      waiting.delete(request);
      if (error === undefined) pending?.resolve(value);
      else pending?.reject(new Error(error));
    }
  }

  if (channel) channel.onmessage = ({ data }) => (session ? asHost(data) : asGuest(data));

  /** Sends a message to the host, and takes the lock from one that does not answer. */
  function ask(message) {
    post(message);
    clearTimeout(answerTimer);
    answerTimer = setTimeout(() => acquireLock({ steal: true }), ANSWER_TIMEOUT);
  }

  /** Requests the session's lock, and hosts while this tab holds it; a guest starts over. */
  function acquireLock(options) {
    locks.request(name, options, async (lock) => {
      if (!lock) return join();
      if (isGuest || isClosed) return close();
      await startHosting();
      return whenLeft;
    }).catch((error) => (error?.name === "AbortError" ? close(true) : settle.reject(error)));
  }

  function join() {
    ask({ joins: true });
    // This lock is granted when the host's tab closes.
    locks.request(name, { signal: leaving.signal }, () => close()).catch(() => {});
  }

  if (locks) {
    locks.request(`${name}.${me}`, () => whenLeft);
    acquireLock({ ifAvailable: true });
  } else startHosting().catch(settle.reject);

  return {
    joined,
    close,
    send(text) {
      if (session) session.receive(OWN_PAGE, text);
      else if (isGuest) ask({ text });
      else earlyMessages.push(text);
    },
    text(format, node) {
      if (session) return session.text(format, node);
      const request = ++lastNumber;
      return new Promise((resolve, reject) => {
        waiting.set(request, { resolve, reject });
        ask({ request, values: [format, node] });
      });
    },
  };
}
