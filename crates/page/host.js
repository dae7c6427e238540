// The host of the games, behind one interface: the server that sent the page,
// or a worker in this browser. Both keep sessions and answer the same messages.

import { createLocal } from "./local.js";
import { createServer } from "./server.js";

/**
 * @typedef {object} Host
 * @property {boolean} isLocal whether the games are in this browser
 * @property {() => Promise<object>} info boards, engines and opponents
 * @property {() => Promise<object>} exercises all lessons and puzzles
 * @property {(message: object) => Promise<object>} practise answers a message about one of them
 * @property {() => Promise<string>} create makes a session and returns its id
 * @property {(id: string) => Promise<boolean>} has whether there is this session
 * @property {() => Promise<object[]|null>} games the games, most recently used first; null if the host does not tell
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
 */

/**
 * @param {(key: string) => void} warn shows a text about the host
 * @returns {Host}
 */
export function createHost(warn) {
  return document.documentElement.dataset.host === "worker" ? createLocal(warn) : createServer();
}
