// The host of the games, behind one interface: the server that sent the page,
// or a worker in this browser. Both keep sessions and answer the same messages. The
// server does so over HTTP requests, and a WebSocket for each connection: see docs/web.md.
// The messages themselves pass through: session.js sends the requests and hands on the
// answers, main.js takes what comes unasked.

import { createLocal } from "./local.js";

/**
 * @typedef {object} Host
 * @property {boolean} isLocal whether the games are in this browser
 * @property {() => Promise<object>} info boards, engines and opponents
 * @property {() => Promise<object>} exercises all lessons and puzzles
 * @property {(message: object) => Promise<object>} practise answers a message about one of them
 * @property {() => Promise<string>} create makes a session and returns its id
 * @property {(id: string) => Promise<boolean>} has whether there is this session
 * @property {() => Promise<object[]|null>} games the games, most recently used first; null if the host does not tell
 * @property {() => Promise<object[]>} [saved] all games, to be saved in a file, of a host in this browser
 * @property {(games: object[]) => Promise<number>} [restore] takes them from a file, and says how many were new
 * @property {(id: string) => Promise<boolean>} remove deletes a game; false while it is in use
 * @property {(id: string, format: string, node: number) => Promise<string>} text a game in a format
 * @property {(id: string, on: Handlers) => Line} connect
 *
 * @typedef {object} Handlers
 * @property {() => void} open
 * @property {(text: string) => void} message
 * @property {() => void} close after this, connect again
 *
 * @typedef {object} Line a connection to a session
 * @property {() => boolean} isOpen
 * @property {(text: string) => void} send
 * @property {() => void} close nothing comes from it any more
 */

/**
 * @param {(key: string) => void} warn shows a text about the host
 * @returns {Host}
 */
export function createHost(warn) {
  return document.documentElement.dataset.host === "worker" ? createLocal(warn) : createServer();
}

/** The server makes no session: there are too many games. */
export class TooManyGames extends Error {}

async function errorText(answer) {
  const text = await answer.text();
  try {
    return JSON.parse(text).error ?? text;
  } catch {
    return text || String(answer.status);
  }
}

/** @returns {Host} */
function createServer() {
  async function get(path) {
    const answer = await fetch(path, { cache: "no-store" });
    if (!answer.ok) throw new Error(await errorText(answer));
    return answer.json();
  }

  const post = (path, message) => fetch(path, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(message),
  });
  const exported = (id, query) => fetch(`api/sessions/${id}/export?${query}`, { cache: "no-store" });

  return {
    isLocal: false,
    info: () => get("api/info"),
    exercises: () => get("api/practice"),
    practise: async (message) => (await post("api/practice", message)).json(),
    async create() {
      const answer = await post("api/sessions", {});
      if (answer.status === 429) throw new TooManyGames(await errorText(answer));
      if (!answer.ok) throw new Error(await errorText(answer));
      return (await answer.json()).session;
    },
    has: async (id) => (await exported(id, "format=position")).status !== 404,
    async games() {
      const answer = await fetch("api/sessions", { cache: "no-store" });
      if (answer.status === 403) return null;
      if (!answer.ok) throw new Error(await errorText(answer));
      return (await answer.json()).sessions;
    },
    async remove(id) {
      const answer = await fetch(`api/sessions/${id}`, { method: "DELETE" });
      if (answer.status === 409) return false;
      if (!answer.ok && answer.status !== 404) throw new Error(await errorText(answer));
      return true;
    },
    async text(id, format, node) {
      const answer = await exported(id, `format=${format}&node=${node}`);
      if (!answer.ok) throw new Error(await errorText(answer));
      return answer.text();
    },
    connect(id, on) {
      const address = new URL(`ws?session=${id}`, location.href);
      address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
      address.hash = "";
      const socket = new WebSocket(address);
      socket.onopen = on.open;
      socket.onmessage = (event) => on.message(event.data);
      socket.onclose = on.close;
      return {
        isOpen: () => socket.readyState === WebSocket.OPEN,
        send: (text) => socket.send(text),
        close() {
          socket.onopen = socket.onmessage = socket.onclose = null;
          socket.close();
        },
      };
    },
  };
}
