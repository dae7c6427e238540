// Lets the program's other events have their turn between two slices of a
// search. Timers are no good: browsers stretch them to 4 ms, and to a second in
// hidden tabs.

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
