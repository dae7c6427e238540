// Lets the program's other events run between two slices of a search.
//
// A resolved promise is not enough: it runs before all other events. Timers would work, but
// browsers clamp them to 4 ms, half of a slice, and to a second in hidden tabs. A message to
// itself arrives right after the events that are already waiting. Node has setImmediate for
// that; an open port there would keep the program from exiting.

const callbacks = [];
let port = null;

function post(resume) {
  if (port === null) {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => callbacks.shift()();
    port = port2;
  }
  callbacks.push(resume);
  port.postMessage(null);
}

/** Resolves after the events that are waiting now. */
export const breathe = typeof setImmediate === "function"
  ? () => new Promise((resume) => { setImmediate(resume); })
  : () => new Promise(post);
