// Gives the program's other events their turn between two slices of a search.
//
// A promise that is resolved at once would not do: it runs before all other events. Timers
// would, but browsers stretch them to 4 ms, half of a slice, and to a second in hidden tabs.
// A message to oneself comes right after the events that wait already. Node has
// setImmediate for that; there an open port would keep the program from ending.

const waiting = [];
let port = null;

function post(go) {
  if (port === null) {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => waiting.shift()();
    port = port2;
  }
  waiting.push(go);
  port.postMessage(null);
}

/** Resolves after the events that wait now. */
export const breathe = typeof setImmediate === "function"
  ? () => new Promise((go) => { setImmediate(go); })
  : () => new Promise(post);
