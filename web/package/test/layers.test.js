// Layers of a restored world: a snapshot has the numbers of layers, but no names.

import assert from "node:assert/strict";
import { test } from "node:test";
import { World } from "carom";

const ball = { circle: { radius: 1 } };

/** Returns the message of a query that names an unknown layer. */
function refusal(world, layers) {
  try {
    world.atPoint(0, 0, { layers });
  } catch (error) {
    return error.message;
  }
  return null;
}

test("a new name gets no number that a restored world uses", () => {
  const old = new World();
  old.add(ball); // layer 0
  old.add(ball, { layers: "wall", mask: ["player"] }); // layers 1 and 2
  old.add(ball, { layers: [4, 63], mask: 33 });
  const world = new World();
  world.restore(old.snapshot());
  assert.deepEqual(
    ["a", "b"].map((name) => world.layer(name)),
    [3, 5],
  );
  assert.deepEqual(world.atPoint(0, 0, { layers: "a" }), []);
  const names = Array.from({ length: 56 }, (_, i) => world.layer(`more ${i}`));
  assert.ok(![0, 1, 2, 3, 4, 5, 33, 63].some((used) => names.includes(used)), `${names}`);
  assert.throws(() => world.layer("no more"), /65th layer/);
});

test("names that are given before restore have the numbers of the snapshot", () => {
  const old = new World();
  const [wall, player] = ["wall", "player"].map((layers) => old.add(ball, { layers }));
  const world = new World();
  for (const layer of ["wall", "player"]) world.layer(layer);
  world.restore(old.snapshot());
  assert.deepEqual(world.atPoint(0, 0, { layers: "wall" }), [wall]);
  assert.deepEqual(world.atPoint(0, 0, { layers: "player" }), [player]);
  assert.match(refusal(world, "enemy"), /for a layer without colliders call layer\("enemy"\) first$/);
  assert.equal(world.layer("enemy"), 2);
});

test("a query of a restored world says that a snapshot has no names", () => {
  const old = new World();
  old.add(ball, { layers: "wall" });
  const world = new World();
  world.restore(old.snapshot());
  const remedy = "a snapshot contains no names: call layer for each layer, in the order of the numbers, before restore";
  assert.equal(refusal(world, "wall"), `layer "wall" is unknown: the layers with names are none; ${remedy}`);
  // The world that made the snapshot has its names still.
  old.restore(old.snapshot());
  assert.match(refusal(old, "wal"), /are "wall"; for a layer without colliders call layer\("wal"\) first$/);
});

test("a refused snapshot uses no layer", () => {
  const old = new World();
  old.add(ball, { layers: [0, 1] });
  const world = new World();
  assert.throws(() => world.restore(old.snapshot().subarray(1)));
  assert.equal(world.layer("first"), 0);
});
