// The example session of docs/web.md, run in the browser instead of Node.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { SITE, open } from "./browser.mjs";

const PAGE = readFileSync(new URL("../../docs/web.md", import.meta.url), "utf8");

test("the example of docs/web.md plays a game's first moves", { skip: Boolean(SITE) }, async (t) => {
  const example = PAGE.split("```js\n")[1].split("```")[0];
  // The page's content security policy forbids evaluated scripts.
  const page = await open(t, { options: { bypassCSP: true } });
  const output = page.waitForEvent("console", (message) => message.text().startsWith("Red plays "));
  await page.evaluate(`(async (process) => {${example}})({ argv: ["node", "session.mjs", location.origin] })`);
  assert.match((await output).text(), /^Red plays [a-f][1-6],[a-f][1-6]$/);
});
