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
  old.add(ball); // layer 0, which needs no name
  const world = new World();
  for (const layer of ["wall", "player"]) world.layer(layer);
  world.restore(old.snapshot());
  assert.deepEqual(world.atPoint(0, 0, { layers: "wall" }), [wall]);
  assert.deepEqual(world.atPoint(0, 0, { layers: "player" }), [player]);
  assert.match(refusal(world, "enemy"), /for a layer without colliders call layer\("enemy"\) first$/);
  assert.equal(world.layer("enemy"), 3);
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
  assert.equal(world.layer("first"), 1);
});

/** Law: a layer with a name has only the colliders that name it, in whatever order they are added. */
test("a collider without layers is on no layer with a name", () => {
  const scene = { carom: 1, colliders: [{ shape: ball, layers: ["Walls"] }] };
  const steps = [(world) => world.addScene(scene).ids[0], (world) => world.add(ball)];
  for (const order of [steps, steps.toReversed()]) {
    const world = new World();
    const ids = order.map((step) => step(world));
    const [wall, plain] = order === steps ? ids : ids.toReversed();
    assert.deepEqual(world.atPoint(0, 0, { layers: "Walls" }), [wall]);
    assert.deepEqual(world.atPoint(0, 0, { layers: 0 }), [plain]);
    assert.equal(world.layer("Walls"), 1);
  }
});

test("a name gets 0 only if all other numbers are taken and nothing has used it", () => {
  const many = (count) => Array.from({ length: count }, (_, i) => `layer ${i}`);
  const scene = (...rest) => ({ carom: 1, colliders: [{ shape: ball, layers: many(64) }, ...rest] });
  const world = new World();
  world.addScene(scene());
  assert.deepEqual([world.layer("layer 0"), world.layer("layer 62"), world.layer("layer 63")], [1, 63, 0]);
  // The second collider is on layer 0 by default: 64 names are one too many, in either order.
  for (const colliders of [scene({ shape: ball }).colliders, scene({ shape: ball }).colliders.toReversed()]) {
    assert.throws(() => new World().addScene({ carom: 1, colliders }), /layer "layer 63" is the 65th layer/);
  }
  assert.throws(() => new World().addScene(scene({ shape: ball, layers: [0] })), /65th layer/);
});

test("a query without layers finds colliders without a layer", () => {
  const world = new World();
  const id = world.add(ball, { layers: [] });
  const finds = [
    (filter) => world.rayCast(-3, 0, 6, 0, filter)?.id,
    (filter) => world.shapeCast({ shape: ball, x: -3 }, { dx: 6 }, filter)?.id,
    (filter) => world.atPoint(0, 0, filter)[0],
    (filter) => world.nearest(3, 0, filter)[0]?.id,
    (filter) => world.inBox(0, 0, 1, 1, filter)[0],
    (filter) => world.inShape(ball, filter)[0],
  ];
  for (const find of finds) {
    assert.equal(find(), id);
    assert.equal(find({ layers: 0 }), undefined);
  }
});
