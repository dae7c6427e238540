// One session in several tabs. The tab that holds the session's lock hosts it;
// the others pass their messages through a channel. When the host's tab closes,
// or sleeps and does not answer, the lock goes to another one, which takes the
// session up as it was saved.

/** The host's own page. */
const OWN = 0;

/** How long a host may leave a new tab without an answer, in milliseconds. */
const PATIENCE = 5000;

/**
 * @param {string} id
 * @param {string} name of the lock and the channel
 * @param {(id: string, deliver: (page: number, text: string) => void) => Promise<object>} host
 * @param {(text: string) => void} deliver sends to this tab's page
 * @param {() => void} lost another tab has taken the session over
 */
export function createTabs(id, name, host, deliver, lost) {
  const channel = new BroadcastChannel(name);
  const me = crypto.getRandomValues(new Uint32Array(1))[0] || 1;
  /** The session, while this tab hosts it. */
  let session = null;
  /** Messages of this page that came before it was known who hosts. */
  let early = [];
  let last = 0;
  const waiting = new Map();
  let isJoined = null;
  let failed = null;
  const joined = new Promise((resolve, reject) => [isJoined, failed] = [resolve, reject]);

  const post = (message) => channel.postMessage({ from: me, ...message });

  async function takeUp() {
    session = await host(id, (page, text) => (page === OWN ? deliver(text) : channel.postMessage({ to: page, text })));
    session.join(OWN);
    for (const text of early) session.receive(OWN, text);
    early = [];
    post({ hosts: true });
    isJoined();
  }

  function asHost({ from, joins, text, request, values }) {
    if (joins) {
      session.join(from);
      channel.postMessage({ to: from, joined: true });
      // A page that has gone no longer holds its lock.
      navigator.locks.request(`${name}.${from}`, () => session.leave(from));
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
    if (hosts) post({ joins: true });
    if (to !== me) return;
    if (hasJoined) {
      clearTimeout(patience);
      for (const text of early) post({ text });
      early = null;
      isJoined();
    } else if (text !== undefined) deliver(text);
    else if (request) {
      const asked = waiting.get(request);
      waiting.delete(request);
      if (error === undefined) asked?.resolve(value);
      else asked?.reject(new Error(error));
    }
  }

  channel.onmessage = ({ data }) => (session ? asHost(data) : asGuest(data));

  /** Holds a lock until the tab closes. */
  const forever = () => new Promise(() => {});
  let patience = 0;
  async function hold() {
    clearTimeout(patience);
    early ??= [];
    await takeUp().catch(failed);
    return forever();
  }
  function join() {
    const waits = new AbortController();
    post({ joins: true });
    navigator.locks.request(name, { signal: waits.signal }, hold).catch(released);
    patience = setTimeout(() => {
      waits.abort();
      navigator.locks.request(name, { steal: true }, hold).catch(released);
    }, PATIENCE);
  }
  /** The lock is gone: this tab no longer hosts. */
  const released = () => session && lost();
  if (navigator.locks) {
    navigator.locks.request(`${name}.${me}`, forever);
    navigator.locks.request(name, { ifAvailable: true }, (lock) => (lock ? hold() : join())).catch(released);
  } else takeUp().catch(failed);

  return {
    id,
    joined,
    send(text) {
      if (session) session.receive(OWN, text);
      else if (early) early.push(text);
      else post({ text });
    },
    text(format, node) {
      if (session) return session.text(format, node);
      const request = ++last;
      return new Promise((resolve, reject) => {
        waiting.set(request, { resolve, reject });
        post({ request, values: [format, node] });
      });
    },
  };
}
