// Memory: views after growth, forgotten worlds.

import assert from "node:assert/strict";
import { test } from "node:test";
import { World } from "carom";
import { freed } from "./garbage.js";

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

test("views may be given back, also if that makes the memory grow", () => {
  const world = new World();
  let grew = 0;
  for (let round = 0; round < 8; round++) {
    for (let x = 0; x < 1000; x++) world.add(ball, { x: 3 * world.size });
    const before = world.poses.slice();
    const view = world.poses;
    world.moveAll(view);
    if (view.length === 0) grew++; // the old memory is detached
    assert.deepEqual(world.poses, before);
  }
  assert.ok(grew > 0, "the memory did not grow during a call");
  world.moveAll(world.poses.slice(), world.ids);
});

test("a forgotten world is freed", async () => {
  const rows = Array.from({ length: 100 }, (_, y) =>
    Array.from({ length: 100 }, (_, x) => ((x ^ y) & 1 ? "#" : ".")).join(""),
  );
  const sizes = [];
  for (let round = 0; round < 6; round++) {
    const owned = (() => {
      const world = new World();
      world.add({ mask: { rows } });
      sizes.push(world.ids.buffer.byteLength);
      return world._owned;
    })();
    assert.ok(owned._lives);
    await freed([owned]);
  }
  // Each world needs megabytes. From the second round on the memory is used again.
  assert.equal(sizes.at(-1), sizes[1], `${sizes}`);
});
