// A static web server for the tests: serves the files of a folder, and nothing else, below its
// own path.

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const PATH = "/games/ponte/";
const KINDS = {
  ".css": "text/css", ".html": "text/html", ".js": "text/javascript", ".png": "image/png", ".svg": "image/svg+xml",
  ".wasm": "application/wasm", ".webmanifest": "application/manifest+json",
};

/** Serves a folder on a free port, or on the one given. */
export async function serve(folder, port = 0) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    let name = pathname.startsWith(PATH) ? pathname.slice(PATH.length) : null;
    if (name === "" || name?.endsWith("/")) name += "index.html";
    const file = name === null ? null : join(folder, normalize(`/${decodeURIComponent(name)}`));
    const isFile = file && (await stat(file).catch(() => null))?.isFile();
    if (!isFile) return response.writeHead(404).end();
    response.writeHead(200, { "Content-Type": KINDS[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}${PATH}`,
    close: () => new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    }),
  };
}
