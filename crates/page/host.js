// The host of the games, behind one interface: the server that sent the page, or a worker in
// this browser. Both hold sessions and answer the same messages; the server does so over HTTP,
// with a WebSocket for each connection: see docs/web.md. The messages themselves pass through:
// session.js sends the requests and dispatches the answers, main.js handles the rest.

import { createLocal } from "./local.js";

/**
 * @typedef {object} Host
 * @property {boolean} isLocal whether the games are in this browser
 * @property {() => Promise<object>} info boards, engines and opponents
 * @property {() => Promise<object>} exercises all lessons and puzzles
 * @property {(message: object) => Promise<object>} practise answers a message about a lesson or a puzzle
 * @property {() => Promise<string>} create makes a session and returns its id
 * @property {(id: string) => Promise<boolean>} has whether the session exists
 * @property {() => Promise<object[]|null>} games the games, most recently used first; null if the host does not list them
 * @property {() => Promise<object[]>} [saved] all games, for a backup file; only of a host in this browser
 * @property {(games: object[]) => Promise<number>} [restore] adds the games of a backup file; returns how many were new
 * @property {(id: string) => Promise<boolean>} remove deletes a game; false while it is in use
 * @property {(id: string, format: string, node: number) => Promise<string>} text a game as text in a format
 * @property {(id: string, handlers: Handlers) => Connection} connect
 *
 * @typedef {object} Handlers
 * @property {() => void} open
 * @property {(text: string) => void} message
 * @property {() => void} close the connection is lost: connect again
 *
 * @typedef {object} Connection a connection to a session
 * @property {() => boolean} isOpen
 * @property {(text: string) => void} send
 * @property {() => void} close ends it; no handler is called any more
 */

/**
 * @param {(key: string) => void} warn shows a text about the host
 * @returns {Host}
 */
export function createHost(warn) {
  return document.documentElement.dataset.host === "worker" ? createLocal(warn) : createServer();
}

/** The server creates no session because there are too many games. */
export class TooManyGames extends Error {}

/** Returns the error in a response that is not a success. */
async function errorText(response) {
  const text = await response.text();
  try {
    return JSON.parse(text).error ?? text;
  } catch {
    return text || String(response.status);
  }
}

/** @returns {Host} */
function createServer() {
  async function get(path) {
    const response = await fetch(path, { cache: "no-store" });
    if (!response.ok) throw new Error(await errorText(response));
    return response.json();
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
      const response = await post("api/sessions", {});
      if (response.status === 429) throw new TooManyGames(await errorText(response));
      if (!response.ok) throw new Error(await errorText(response));
      return (await response.json()).session;
    },
    // There is no request for that: the export of a session that does not exist is not found.
    has: async (id) => (await exported(id, "format=position")).status !== 404,
    async games() {
      const response = await fetch("api/sessions", { cache: "no-store" });
      if (response.status === 403) return null;
      if (!response.ok) throw new Error(await errorText(response));
      return (await response.json()).sessions;
    },
    async remove(id) {
      const response = await fetch(`api/sessions/${id}`, { method: "DELETE" });
      if (response.status === 409) return false;
      if (!response.ok && response.status !== 404) throw new Error(await errorText(response));
      return true;
    },
    async text(id, format, node) {
      const response = await exported(id, `format=${format}&node=${node}`);
      if (!response.ok) throw new Error(await errorText(response));
      return response.text();
    },
    connect(id, handlers) {
      const address = new URL(`ws?session=${id}`, location.href);
      address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
      address.hash = "";
      const socket = new WebSocket(address);
      socket.onopen = handlers.open;
      socket.onmessage = (event) => handlers.message(event.data);
      socket.onclose = handlers.close;
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
