// Odd values that look like right ones: gaps, texts, big integers, getters that call the package, cycles, detached views.

import assert from "node:assert/strict";
import { test } from "node:test";
import { BroadPhase, Mover, Particles, World, decompose, intersects, maskFromImage, outlines } from "carom";
import * as files from "carom/files";

const ball = { circle: { radius: 1 } };
const square = [
  [0, 0],
  [9, 0],
  [9, 9],
  [0, 9],
];

/** Returns an array with one item after a gap. */
function sparse(item) {
  const items = [];
  items[1] = item;
  return items;
}

test("a gap of a sparse array is an error that names its place", async () => {
  await files.init();
  const hole = [
    [1, 1],
    [2, 1],
    [2, 2],
    [1, 2],
  ];
  for (const [call, message] of [
    [
      () => intersects({ polygon: { points: square, holes: sparse(hole) } }, ball),
      /a\.polygon\.holes\[0\] is undefined/,
    ],
    [() => intersects({ polygon: { points: sparse([0, 0]) } }, ball), /a\.polygon\.points\[0\] is undefined/],
    [() => intersects(ball, { compound: sparse({ shape: ball }) }), /b\.compound\[0\] is undefined/],
    [() => intersects({ mask: { rows: ["##", ...sparse("##")] } }, ball), /a\.mask\.rows\[1\]/],
    [() => new World().addScene({ carom: 1, colliders: sparse({ shape: ball }) }), /colliders\[0\] is undefined/],
    [() => new World().add(ball, { layers: sparse(1) }), /layer undefined/],
    [() => files.read("{}", { solid: sparse("Walls") }), /solid\[0\] is undefined/],
    [() => new BroadPhase("brute").update([0, 0, , 1]), /boxes\[2\] is undefined: expected a number/],
  ]) {
    assert.throws(call, message, `${call}`);
  }
});

test("an element of a list that is no number is an error, and nothing moves", () => {
  const world = new World();
  const id = world.add(ball, { x: 5 });
  const particles = new Particles(world);
  for (const value of [null, undefined, "3", true, 3n, [3], {}, new Number(3), Symbol("3"), () => 3]) {
    assert.throws(() => world.moveAll([0, 0, value]), /^TypeError: poses\[2\] is .*: expected a number/);
    assert.throws(() => world.moveAll([0, value, 0], [id]), /^TypeError: poses\[1\] is .*: expected a number/);
    assert.throws(() => world.moveAll([0, 0, 0], [value]), /^TypeError: ids\[0\] is .*: expected a number/);
    assert.throws(() => particles.addAll([id], [1, 0, 0, value]), /^TypeError: rows\[3\] is .*: expected a number/);
    assert.throws(() => new BroadPhase("bvh").update([0, 0, 1, value]), /^TypeError: boxes\[3\] is/);
  }
  assert.throws(() => world.moveAll(new BigInt64Array(3)), /^TypeError: poses\[0\] is 0: expected a number/);
  assert.throws(() => world.moveAll(new String("123")), /^TypeError: poses\[0\] is "1"/);
  assert.deepEqual([...world.poses], [5, 0, 0]);
  assert.equal(particles.size, 0);
  // Arrays of all kinds of numbers are fine.
  class Numbers extends Array {}
  for (const poses of [
    Numbers.of(1, 2, 3),
    Object.freeze([1, 2, 3]),
    new Float32Array([1, 2, 3]),
    new Int8Array([1, 2, 3]),
  ]) {
    world.move(id, 0, 0, 0);
    world.moveAll(poses);
    assert.deepEqual([...world.poses], [1, 2, 3]);
  }
});

test("a detached view throws, and nothing moves", () => {
  const world = new World();
  world.add(ball, { x: 5 });
  const view = new Float64Array(3);
  structuredClone(view.buffer, { transfer: [view.buffer] });
  const bytes = new Uint8Array(8);
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  assert.throws(() => world.moveAll(view), /detached/);
  assert.throws(() => world.moveAll(view, world.ids), /detached/);
  assert.throws(() => world.restore(bytes), /detached/);
  assert.deepEqual([...world.poses], [5, 0, 0]);
});

test("a switch is true or false, and a point is no other falsy value", async () => {
  await files.init();
  const world = new World();
  const id = world.add(ball);
  for (const value of ["no", 0, 1, {}]) {
    assert.throws(
      () => world.rayCast(0, 9, 0, -20, { excludeSensors: value }),
      /excludeSensors is .*: expected true or/,
    );
    assert.throws(() => new BroadPhase("sweep", { record: value }), /record is .*: expected true or false/);
    assert.throws(
      () => decompose({ polygon: { points: square } }, { optimal: value }),
      /optimal is .*: expected true or/,
    );
    // The switch is checked before the content.
    assert.throws(() => files.read(null, { skipInvalid: value }), /skipInvalid is .*: expected true or false/);
  }
  for (const value of [0, NaN, "", false]) {
    assert.throws(() => world.add(ball, { oneWay: value }), /oneWay is .*: expected a point/);
    assert.throws(() => world.setOneWay(id, value), /front is .*: expected a point/);
    assert.throws(() => world.addScene({ carom: 1, colliders: [{ shape: ball, one_way: value }] }), /one_way is/);
    assert.throws(() => new Particles(world, { gravity: value }), /gravity is .*: expected a point/);
    assert.throws(() => new Particles(world, { walls: value }), /walls is .*: expected/);
    assert.throws(() => new Mover(world, id, { up: value }), /up is .*: expected a point/);
  }
  assert.throws(() => world.setOneWay(id), /front is undefined/);
  const pixel = { width: 1, height: 1, data: new Uint8Array(4) };
  for (const threshold of ["9", 9n, true, null, Symbol("9")])
    assert.throws(() => maskFromImage(pixel, { threshold }), /^TypeError: threshold is .*: expected a number/);
  assert.throws(() => new BroadPhase("sweep").order(Symbol("x")), /axis is Symbol\(x\): expected 0 or 1/);
  assert.equal(world.size, 1);
});

test("a compound that contains itself is refused", () => {
  const cycle = { compound: [] };
  for (let i = 0; i < 3; i++) cycle.compound.push({ shape: cycle });
  assert.throws(() => intersects(ball, cycle), /^RangeError: b: compounds are nested deeper than 64/);
  const nested = (levels) => {
    let shape = ball;
    for (let i = 0; i < levels; i++) shape = { compound: [{ shape }] };
    return shape;
  };
  assert.ok(intersects(nested(64), ball));
  assert.throws(() => intersects(nested(65), ball), /^RangeError: a: compounds are nested deeper than 64/);
  const scene = { carom: 1, colliders: [{ shape: ball }, { shape: nested(65) }] };
  assert.throws(() => new World().addScene(scene), /^RangeError: colliders\[1\]\.shape: compounds are nested/);
});

test("a getter that calls the package changes no argument of the call around it", () => {
  const world = new World();
  world.add(ball, { x: 5 });
  const other = { rectangle: { width: 90, height: 90 } };
  const motion = {
    get dx() {
      intersects(other, other); // Writes other shapes into the input.
      return 10;
    },
  };
  assert.deepEqual(world.shapeCast(ball, motion), world.shapeCast(ball, { dx: 10 }));
  assert.ok(Math.abs(world.shapeCast(ball, motion).time - 0.3) < 1e-9);
  const mask = { mask: { rows: ["##", "#."] } };
  const options = {
    get deviation() {
      intersects(other, other);
      return 0;
    },
  };
  assert.deepEqual(outlines(mask, options), outlines(mask, { deviation: 0 }));
  // The getter frees the world.
  const radius = {
    get radius() {
      world.dispose();
      return 1;
    },
  };
  assert.throws(() => world.add({ circle: radius }), /this world was disposed/);
});

test("refused particles are not stored in the world", () => {
  const world = new World();
  for (const options of [
    { gravity: [NaN, 0] },
    { gravity: [0, 1e31] },
    { gravity: 9 },
    { walls: [1, 0, 0, 1] },
    { walls: [0, 0, 1] },
    { walls: [0, 0, "1", 1] },
    { restitutionThreshold: -1 },
    { restitutionThreshold: "1" },
  ]) {
    assert.throws(() => new Particles(world, options), Error, JSON.stringify(options));
  }
  // The module numbers the particles of a world from 0.
  assert.equal(new Particles(world)._owned.number, 0);
  assert.equal(
    new Particles(world, { gravity: [0, -1], walls: [0, 0, 9, 9], restitutionThreshold: 2 })._owned.number,
    1,
  );
});

test("a damaged snapshot is refused, and the module works on", () => {
  const world = new World();
  for (let i = 0; i < 5; i++) world.add(i % 2 ? ball : { polygon: { points: square } }, { x: i });
  world.add({ mask: { rows: ["#.#", "##."] } });
  world.update();
  const bytes = world.snapshot();
  const hash = world.hash();
  for (let i = 0; i < bytes.length; i++) {
    const flipped = bytes.slice();
    flipped[i] ^= 1 << (i % 8);
    assert.throws(() => world.restore(flipped), Error, `bit ${i % 8} of byte ${i}`);
    assert.throws(() => world.restore(bytes.subarray(0, i)), Error, `${i} bytes`);
  }
  assert.equal(world.hash(), hash);
  world.restore(bytes);
  assert.equal(world.hash(), hash);
});
