// The entry `carom/slim` and the reader with a wrong source: the right one still loads afterwards.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as files from "carom/files";
import * as slim from "carom/slim";

const wasm = (name) => readFileSync(new URL(`../dist/${name}`, import.meta.url));
const ball = { circle: { radius: 1 } };

test("a wrong source is refused, and the right one still loads", async () => {
  assert.throws(() => slim.intersects(ball, ball), /carom is not loaded: await init\(source\) first/);
  assert.throws(() => files.read("{}"), /the reader is not loaded: await init\(\) first/);
  for (const source of [undefined, null, 5, new Uint8Array(3), new Response("no", { status: 404 }), "nowhere.wasm"]) {
    await assert.rejects(slim.init(source), Error);
  }
  await assert.rejects(slim.init(), /: source is undefined: expected bytes, a module, a URL or a response/);
  await assert.rejects(slim.init([0, 97]), /: source is an array of length 2: expected bytes/);
  const missing = new Response("no", { status: 404, statusText: "Not Found" });
  await assert.rejects(slim.init(missing), {
    message: "the response has the status 404 Not Found: expected a wasm module",
  });
  await assert.rejects(slim.init("carom.wasm"), /: source is "carom\.wasm", but there is no page: expected a URL/);
  await assert.rejects(slim.init(wasm("carom-files.wasm")), /the source is not carom\.wasm or carom-baseline\.wasm/);
  await assert.rejects(files.init(wasm("carom.wasm")), /the source is not carom-files\.wasm/);
  assert.throws(() => new slim.World(), /carom is not loaded/);
  await slim.init(wasm("carom-baseline.wasm"));
  await files.init();
  assert.ok(slim.intersects(ball, ball));
  assert.equal(new slim.World().size, 0);
  assert.deepEqual(files.read('{"carom":1,"colliders":[]}').scene.colliders, []);
});

test("while a module runs, a later init reads no source", async () => {
  await slim.init(wasm("carom-baseline.wasm"));
  await files.init();
  const world = new slim.World();
  world.add(ball);
  for (const source of [
    undefined,
    5,
    new Uint8Array(3),
    wasm("carom-files.wasm"),
    new Response("no", { status: 404 }),
  ]) {
    await slim.init(source);
  }
  await files.init(wasm("carom.wasm"));
  assert.equal(world.size, 1);
});
