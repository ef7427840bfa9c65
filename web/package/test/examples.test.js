// Runs every example of the README.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import ts from "typescript";

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

test("the examples compile in strict TypeScript", () => {
  writeFileSync(`${folder}/assert.d.ts`, 'declare module "node:assert" { const assert: any; export default assert; }');
  const files = examples.map((code, i) => {
    const file = `${folder}/example-${i}.ts`;
    writeFileSync(file, code);
    return file;
  });
  const program = ts.createProgram([`${folder}/assert.d.ts`, ...files], {
    strict: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: [],
  });
  const problems = ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    return `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
  });
  assert.deepEqual(problems, []);
});
