// The package as users get it: packed, and installed into a separate folder.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";

/** The folder of the package's source. */
export const SOURCE = dirname(dirname(fileURLToPath(import.meta.url)));

/** Runs npm and returns what it prints. */
function npm(folder, ...args) {
  return execFileSync("npm", [...args, "--no-audit", "--no-fund"], { cwd: folder, encoding: "utf8", shell: process.platform === "win32" });
}

/** Installs the package. Returns its folder, deleted after the tests, and the packed files. */
export function install() {
  const folder = mkdtempSync(join(tmpdir(), "pontifex-engine-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  // Without building: that takes minutes, and the suite has done it already.
  const [{ filename, files }] = JSON.parse(npm(SOURCE, "pack", "--json", "--ignore-scripts", "--pack-destination", folder));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "user", private: true, type: "module" }));
  npm(folder, "install", "--offline", join(folder, filename));
  return { folder, files: files.map((file) => file.path) };
}
