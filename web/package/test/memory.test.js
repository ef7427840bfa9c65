// Memory: views after growth, forgotten worlds.

import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import { test } from "node:test";
import { World } from "carom";

const ball = { circle: { radius: 1 } };

test("getters give valid views after the memory grew", () => {
  const world = new World();
  world.add(ball);
  world.add(ball, { x: 1.5 });
  world.update();
  const { contacts } = world;
  const old = contacts.depths;
  const { buffer } = old;
  const other = new World();
  const rows = Array.from({ length: 400 }, () => "#".repeat(400));
  while (buffer.byteLength > 0) other.add({ mask: { rows } }); // growth detaches the old buffer
  assert.equal(old.length, 0);
  assert.deepEqual([...contacts.depths], [0.5]);
  assert.deepEqual([...contacts.points], [0.75, 0, 0.5]);
  assert.deepEqual([...world.poses], [0, 0, 0, 1.5, 0, 0]);
  world.update();
  assert.deepEqual(
    [...contacts].map(({ depth }) => depth),
    [0.5],
  );
});

test("views may be given back", () => {
  const world = new World();
  for (let x = 0; x < 50_000; x++) world.add(ball, { x: 3 * x });
  const before = world.poses.slice();
  world.moveAll(world.poses);
  assert.deepEqual(world.poses, before);
  world.moveAll(world.poses, world.ids);
  assert.deepEqual(world.poses, before);
});

test("a forgotten world is freed", async () => {
  const rows = Array.from({ length: 100 }, (_, y) =>
    Array.from({ length: 100 }, (_, x) => ((x ^ y) & 1 ? "#" : ".")).join(""),
  );
  let size = 0;
  const sizes = [];
  for (let round = 0; round < 6; round++) {
    (() => {
      const world = new World();
      world.add({ mask: { rows } });
      size = world.ids.buffer.byteLength;
    })();
    sizes.push(size);
    for (let i = 0; i < 5; i++) {
      globalThis.gc();
      await setTimeout(5);
    }
  }
  // Each world needs megabytes. From the second round on the memory is used again.
  assert.equal(sizes.at(-1), sizes[1], `${sizes}`);
});
