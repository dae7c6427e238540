// The packed package: its files, its types, and the examples of its README.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SOURCE, install } from "./installed.mjs";

const { folder, files } = install();

/** Runs a file in the folder and returns its output. */
const run = (file) => execFileSync(process.execPath, [file], { cwd: folder, encoding: "utf8", timeout: 120000 });

test("the package contains the needed files only", () => {
  assert.deepEqual(files.filter((path) => !path.startsWith("dist/")).sort(), [
    "README.md", "abstractplay.d.ts", "abstractplay.js", "breathe.js", "errors.js", "index.d.ts", "index.js", "load.js", "package.json",
  ]);
  assert.deepEqual(files.filter((path) => path.startsWith("dist/")).sort(), [
    "dist/LICENSE-APACHE", "dist/LICENSE-MIT", "dist/messages.d.ts", "dist/pontifex.js", "dist/pontifex_bg.wasm",
  ]);
});

const readme = readFileSync(join(SOURCE, "README.md"), "utf8");
const examples = [...readme.matchAll(/^## (.*)\n[^#]*?```js\n([\s\S]*?)```/gm)];

const EXPECTED = {
  "An opponent": /^(W\+|R\+|0).* \{\s+white: \{ points: \d+/s,
  "An analysis": /^(\d+ ([a-j]\d+[,-][a-j]\d+|swap) \d+ % .*\n)+$/,
  "Abstract Play": /^[a-l]\d+[,-][a-l]\d+\n$/,
  Bundlers: /^4950\n$/,
};

test("every example of the README is tested", () => {
  assert.deepEqual(examples.map(([, title]) => title), Object.keys(EXPECTED));
  assert.equal(readme.match(/```js\n/g).length, examples.length);
});

for (const [, title, code] of examples) {
  test(`example: ${title}`, () => {
    const file = `${title.replaceAll(" ", "-")}.mjs`;
    writeFileSync(join(folder, file), code);
    assert.match(run(file), EXPECTED[title]);
  });
}

test("the types are those of the package, strictly", () => {
  copyFileSync(join(SOURCE, "test", "types.ts"), join(folder, "types.ts"));
  const options = [
    "--strict", "--noEmit", "--target", "es2022", "--module", "nodenext",
    "--lib", "es2022,dom", "--exactOptionalPropertyTypes",
  ];
  execFileSync(process.execPath, [
    join(SOURCE, "node_modules", "typescript", "bin", "tsc"), ...options, "types.ts",
  ], { cwd: folder, encoding: "utf8" });
});

test("what the types declare is exported, and what is exported is declared", () => {
  for (const module of ["index", "abstractplay"]) {
    const types = readFileSync(join(SOURCE, `${module}.d.ts`), "utf8");
    const declared = [...types.matchAll(/^export (?:class|function) (\w+)/gm)].map(([, name]) => name);
    writeFileSync(join(folder, "names.mjs"),
      `import * as all from "pontifex-engine${module === "index" ? "" : `/${module}`}"; console.log(Object.keys(all).join());`);
    assert.deepEqual(run("names.mjs").trim().split(",").sort(), declared.sort());
  }
});
