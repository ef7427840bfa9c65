// P33. Sizes after gzip, in bytes: those that are reached, and 2 % more. A larger module is a regression.
// The goals are 200 kB for carom.wasm and 60 kB for the module of carom/narrow. The second one is reached.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

const LIMITS = {
  "carom.wasm": 452_200,
  "carom-baseline.wasm": 476_900,
  "carom-files.wasm": 639_100,
  "carom-narrow.wasm": 55_000,
};

/** Returns a module. That of `carom/narrow` is part of a script. */
function moduleOf(name) {
  const read = (file) => readFileSync(new URL(`../dist/${file}`, import.meta.url));
  if (name !== "carom-narrow.wasm") return read(name);
  return Buffer.from(/"(.*)"/.exec(read("inline-narrow.js").toString())[1], "base64");
}

for (const [name, limit] of Object.entries(LIMITS)) {
  test(`${name} is at most ${limit / 1000} kB`, (context) => {
    const size = gzipSync(moduleOf(name), { level: 9 }).length;
    context.diagnostic(`${name}: ${(size / 1000).toFixed(1)} kB after gzip`);
    assert.ok(size <= limit, `${size} bytes`);
  });
}
