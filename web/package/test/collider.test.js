// The state of a collider, and a world that is emptied.

import assert from "node:assert/strict";
import { test } from "node:test";
import { readFileSync } from "node:fs";
import { Mover, Particles, World } from "carom";

const ball = { circle: { radius: 1 } };

const DEFAULTS = {
  x: 0,
  y: 0,
  angle: 0,
  layers: [0],
  mask: null,
  group: 0,
  sensor: false,
  fixed: false,
  enabled: true,
  oneWay: null,
};

test("get returns what add was given", () => {
  const world = new World();
  for (const options of [
    {},
    { x: 3, y: -4 },
    { layers: ["wall", 63], mask: [5, "wall", 31, 32] },
    { layers: [] },
    { mask: [] },
    { group: 2 ** 32 - 1 },
    { sensor: true },
    { fixed: true },
    { enabled: false },
    { oneWay: [0, -1] },
    { sensor: true, fixed: true, enabled: false, oneWay: [1, 0], group: 7 },
  ]) {
    const state = world.get(world.add(ball, options));
    const sorted = (layers) => layers?.map((layer) => world.layer(layer)).toSorted((p, q) => p - q) ?? null;
    const expected = { ...DEFAULTS, ...options };
    for (const one of [state, expected]) [one.layers, one.mask] = [sorted(one.layers), sorted(one.mask)];
    assert.deepEqual(state, expected);
  }
  const turned = world.get(world.add(ball, { angle: 0.5, oneWay: [0, 5] }));
  assert.ok(Math.abs(turned.angle - 0.5) < 1e-15);
  assert.deepEqual(turned.oneWay, [0, 1]); // a unit vector
});

test("layers are names if they have one", () => {
  const world = new World();
  const id = world.add(ball, { layers: ["player", 9], mask: ["wall"] });
  assert.deepEqual(world.get(id).layers, ["player", 9]);
  assert.deepEqual(world.get(id).mask, ["wall"]);
  world.setLayers(id, { mask: null });
  assert.equal(world.get(id).mask, null);
  assert.deepEqual(world.get(id).layers, ["player", 9]);
  const other = new World(); // knows no names
  other.restore(world.snapshot());
  assert.deepEqual(other.get(id).layers, [1, 9]);
});

test("get follows each change", () => {
  const world = new World();
  const id = world.add(ball);
  world.move(id, 1, 2);
  world.setSensor(id, true);
  world.setFixed(id, true);
  world.setEnabled(id, false);
  world.setOneWay(id, [0, 1]);
  world.setLayers(id, { layers: 3, group: 4 });
  const changed = { x: 1, y: 2, layers: [3], group: 4, sensor: true, fixed: true, enabled: false, oneWay: [0, 1] };
  assert.deepEqual(world.get(id), { ...DEFAULTS, ...changed });
  world.setOneWay(id, null);
  assert.equal(world.get(id).oneWay, null);
});

test("the state of each collider makes a copy of its world", () => {
  const level = JSON.parse(readFileSync(new URL("level.json", import.meta.url)));
  level.colliders.forEach((collider) => delete collider.rotation); // the angle is rounded
  const [world, copy] = [new World(), new World()];
  const { ids } = world.addScene(level);
  world.setEnabled(ids[0], false);
  ids.forEach((id, i) => copy.add(level.colliders[i].shape, world.get(id)));
  assert.equal(copy.hash(), world.hash());
});

test("an imported JSON file is a scene", async () => {
  const level = JSON.parse(readFileSync(new URL("level.json", import.meta.url)));
  const { names } = new World().addScene(level);
  assert.deepEqual([...names.keys()].slice(0, 3), ["ball", "floor", "#2"]);
});

test("a wrong id has no state", () => {
  const world = new World();
  const gone = world.add(ball);
  world.remove(gone);
  for (const id of [gone, 7, -1, 0.5, NaN]) {
    assert.throws(
      () => world.get(id),
      (error) => error.message.startsWith(`no collider has the id ${id}: `),
    );
  }
});

test("clear removes colliders and particles, and no id comes again", () => {
  const world = new World();
  const [particles, empty] = [new Particles(world, { gravity: [0, -1] }), new Particles(world)];
  const ids = Array.from({ length: 50 }, (_, i) => world.add(ball, { x: i, layers: "old" }));
  for (const id of ids) particles.add(id);
  const mover = new Mover(world, ids[0]);
  world.update();
  const count = world.contacts.length;
  assert.equal(count, 49 + 48); // distances 1 and 2
  world.clear();
  assert.deepEqual([world.size, world.ids.length, particles.size, empty.size], [0, 0, 0, 0]);
  assert.deepEqual(world.atPoint(0, 0), []);
  for (const id of ids) assert.equal(world.has(id), false);
  assert.throws(() => mover.move(1, 0), new RegExp(`the id ${ids[0]} names no collider`));
  world.update();
  assert.equal(world.contacts.length, 0);
  assert.deepEqual(new Set([...world.events].map(({ type }) => type)), new Set(["end"]));
  assert.equal(world.events.length, count);
  assert.equal(particles.step(0.1).swept, 0);
  const old = new Set(ids);
  for (let i = 0; i < 100; i++) assert.ok(!old.has(world.add(ball, { x: 9 * i })));
  assert.equal(world.layer("old"), 1);
  particles.add(world.ids[0]);
  particles.step(1);
  assert.ok(particles.velocities[1] < 0); // the settings stay
  world.clear();
  world.clear();
  assert.equal(world.size, 0);
});
