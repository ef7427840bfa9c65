// The reader `carom/files`: forms of its input, and its messages.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { runInNewContext } from "node:vm";
import * as files from "carom/files";

const ball = { circle: { radius: 1 } };

before(() => files.init());

test("the reader takes bytes in every form", () => {
  const text = '{"carom":1,"colliders":[{"shape":{"circle":{"radius":1}}}]}';
  const bytes = new TextEncoder().encode(text);
  const padded = Uint8Array.of(33, ...bytes, 33);
  const foreign = runInNewContext("new ArrayBuffer(size)", { size: bytes.length });
  new Uint8Array(foreign).set(bytes);
  for (const form of [
    text,
    bytes,
    bytes.buffer,
    Buffer.from(bytes),
    new DataView(bytes.buffer),
    new Uint8ClampedArray(bytes),
    padded.subarray(1, -1),
    foreign,
  ]) {
    assert.deepEqual(files.read(form).scene.colliders[0].shape, ball);
  }
  const remedy = "expected a text, a Uint8Array or an ArrayBuffer";
  for (const [call, message] of [
    [() => files.read([1, 2]), `the file is an array of length 2: ${remedy}`],
    [() => files.read(Promise.resolve(bytes)), `the file is a Promise (await is missing): ${remedy}`],
  ]) {
    assert.throws(call, { message });
  }
});

test("wrong arguments of the reader name the argument", () => {
  for (const [bytes, options, message] of [
    [null, {}, /the file is null: expected a text, a Uint8Array or an ArrayBuffer/],
    ["{}", { name: 5 }, /name is 5/],
    ["{}", { idProperty: 5 }, /idProperty is 5/],
    ["{}", { solid: "Walls" }, /solid is "Walls": expected names of layers, or true/],
    ["{}", { solid: [5] }, /solid\[0\] is 5/],
    ["{}", { files: null }, /files is null/],
    ["{}", { files: { "a.tsx": 5 } }, /files\["a\.tsx"\] is 5/],
  ]) {
    assert.throws(() => files.read(bytes, options), message);
  }
});

test("texts about objects of a file contain numbers in the form of JavaScript", () => {
  const bowTie = '{"type": "Polygon", "coordinates": [[[0, 0], [2.5, 2.5], [2.5, 0], [0, 2.5], [0, 0]]]}';
  const { skipped, scene } = files.read(bowTie, { skipInvalid: true });
  assert.equal(scene.colliders.length, 0);
  assert.equal(skipped.length, 1);
  assert.doesNotMatch(skipped[0], /\x01/);
  assert.match(skipped[0], /crosses itself near \(1\.25, 1\.25\)/);
});

test("messages of the reader name options of JavaScript", () => {
  const bowTie = '{"type": "Polygon", "coordinates": [[[0, 0], [2, 2], [2, 0], [0, 2], [0, 0]]]}';
  assert.throws(() => files.read(bowTie), /or repair it \(repair: "nonzero"\)/);
  const map = `<map version="1.10" orientation="orthogonal" width="1" height="1" tilewidth="9" tileheight="9">
    <tileset firstgid="1" name="t" tilewidth="9" tileheight="9" tilecount="1" columns="1">
      <image source="t.png" width="9" height="9"/></tileset>
    <layer id="1" name="Walls" width="1" height="1"><data encoding="csv">1</data></layer></map>`;
  const [warning] = files.read(map).warnings;
  assert.match(warning, /solid: \["Walls"\] makes .*, solid: true those of every layer/);
  assert.equal(files.read(map, { solid: ["Walls"] }).scene.colliders.length, 1);
});
