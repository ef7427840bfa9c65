// Runs every example of the README.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const examples = [...readme.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code);
// Inside the package, so that `carom` means this package.
const folder = mkdtempSync(new URL("./examples-", import.meta.url).pathname);
after(() => rmSync(folder, { recursive: true }));

test("the README has examples", () => assert.ok(examples.length >= 5));

examples.forEach((code, i) => {
  test(`example ${i + 1} of the README runs`, async () => {
    assert.match(code, /assert\./);
    const file = `${folder}/example-${i}.mjs`;
    writeFileSync(file, code);
    await import(pathToFileURL(file).href);
  });
});
