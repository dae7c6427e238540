// The server as the host of the games: HTTP requests, and a WebSocket for each
// connection. See docs/web.md.

/** The server makes no session: there are too many games. */
export class TooMany extends Error {}

async function refusal(answer) {
  const text = await answer.text();
  try {
    return JSON.parse(text).error ?? text;
  } catch {
    return text || String(answer.status);
  }
}

/** @returns {import("./host.js").Host} */
export function createServer() {
  async function get(path) {
    const answer = await fetch(path, { cache: "no-store" });
    if (!answer.ok) throw new Error(await refusal(answer));
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
      if (answer.status === 429) throw new TooMany(await refusal(answer));
      if (!answer.ok) throw new Error(await refusal(answer));
      return (await answer.json()).session;
    },
    has: async (id) => (await exported(id, "format=position")).status !== 404,
    async games() {
      const answer = await fetch("api/sessions", { cache: "no-store" });
      if (answer.status === 403) return null;
      if (!answer.ok) throw new Error(await refusal(answer));
      return (await answer.json()).sessions;
    },
    async remove(id) {
      const answer = await fetch(`api/sessions/${id}`, { method: "DELETE" });
      if (answer.status === 409) return false;
      if (!answer.ok && answer.status !== 404) throw new Error(await refusal(answer));
      return true;
    },
    async text(id, format, node) {
      const answer = await exported(id, `format=${format}&node=${node}`);
      if (!answer.ok) throw new Error(await refusal(answer));
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
      return { isOpen: () => socket.readyState === WebSocket.OPEN, send: (text) => socket.send(text) };
    },
  };
}
