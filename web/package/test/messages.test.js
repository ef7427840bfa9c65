// Messages about values of a wrong kind or size: they name the value, and the remedy.

import assert from "node:assert/strict";
import { test } from "node:test";
import { BroadPhase, Mover, Particles, World, collide, maskFromImage, overlapRegion } from "carom";

const ball = { circle: { radius: 1 } };

/** Asserts the whole messages of calls. */
function expectMessages(calls) {
  for (const [call, message] of calls) assert.throws(call, { message }, `${call}`);
}

test("a point with a wrong count of numbers says the count", () => {
  const world = new World();
  const polygon = (second) => ({ polygon: { points: [[0, 0], second, [1, 1]] } });
  expectMessages([
    [() => world.add(polygon([1])), "shape.polygon.points[1] is an array of length 1: expected a point [x, y]"],
    [() => world.add(polygon([0, 0, 0])), "shape.polygon.points[1] is an array of length 3: expected a point [x, y]"],
    [() => world.add(polygon([])), "shape.polygon.points[1] is an empty array: expected a point [x, y]"],
    [() => world.add(polygon([0, "1"])), 'shape.polygon.points[1][1] is "1": expected a number'],
    [() => world.add(polygon("01")), 'shape.polygon.points[1] is "01": expected a point [x, y]'],
    [() => world.add(polygon(null)), "shape.polygon.points[1] is null: expected a point [x, y]"],
    [() => world.add(ball, { oneWay: [0] }), "oneWay is an array of length 1: expected a point [x, y]"],
    [() => world.add(ball, { oneWay: [0, null] }), "oneWay[1] is null: expected a number"],
    [
      () => world.add(ball, { oneWay: new Float64Array(3) }),
      "oneWay is a Float64Array of length 3: expected a point [x, y]",
    ],
    [
      () => world.add({ mask: { rows: ["#"], scale: [1] } }),
      "shape.mask.scale is an array of length 1: expected a point [x, y]",
    ],
    [
      () => new Particles(world, { walls: [0, 0, 1] }),
      "walls is an array of length 3: expected [minX, minY, maxX, maxY] or null",
    ],
    [
      () => maskFromImage({ width: 1, height: 1, data: [0, 0, 0, 255] }, { scale: [1] }),
      /^scale is an array of length 1/,
    ],
  ]);
  assert.equal(world.size, 0);
});

test("rows of a mask that are empty or no texts are named", () => {
  expectMessages([
    [() => collide({ mask: { rows: [] } }, ball), "a.mask.rows is an empty array: expected texts of # and ."],
    [() => collide({ mask: { rows: "#." } }, ball), 'a.mask.rows is "#.": expected texts of # and .'],
    [() => collide({ mask: { rows: [5] } }, ball), "a.mask.rows[0] is 5: expected a text of # and ."],
    [
      () => collide({ mask: { rows: ["#.", ["#", "."]] } }, ball),
      "a.mask.rows[1] is an array of length 2: expected a text of # and .",
    ],
  ]);
});

test("bytes and promises are no scene, and the message names them", () => {
  const world = new World();
  const remedy = 'expected an object or its JSON text; "carom/files" reads files';
  expectMessages([
    [() => world.addScene(new Uint8Array(3)), `scene is a Uint8Array of length 3: ${remedy}`],
    [() => world.addScene(new ArrayBuffer(3)), `scene is an ArrayBuffer: ${remedy}`],
    [() => world.addScene(Promise.resolve({})), `scene is a Promise (await is missing): ${remedy}`],
    [() => world.addScene(new Response("{}")), `scene is a Response: ${remedy}`],
    [
      () => overlapRegion(Promise.resolve(ball), ball),
      /^a is a Promise \(await is missing\): expected a shape such as/,
    ],
  ]);
});

test("the message of a broad phase lists all names", () => {
  const message =
    'broad phase "octree": expected auto, brute, strips, bvh, sweep, sweep-insertion, sweep-swaps, or grid (strips)';
  assert.throws(() => new World({ broadPhase: "octree" }), { message });
  for (const name of /expected (.*), or/.exec(message)[1].split(", ").concat("grid")) {
    new World({ broadPhase: name }).dispose();
    new BroadPhase(name).dispose();
  }
});

test("a text or an object that is no scene is described", () => {
  const world = new World();
  assert.throws(
    () => world.addScene("{"),
    (error) => error instanceof SyntaxError && /^scene is no JSON: /.test(error.message),
  );
  for (const wrong of [{}, [], { type: "map", layers: [] }, '{"scene": {}}']) {
    assert.throws(() => world.addScene(wrong), /^TypeError: scene has no "carom": .*carom\/files/);
  }
  assert.throws(() => world.addScene(null), /^TypeError: scene is null: expected an object/);
  assert.equal(world.size, 0);
});

test("a value of the right type that has no meaning is described", () => {
  const world = new World();
  const id = world.add(ball);
  for (const [call, message] of [
    [() => world.add({}), /: shape has no key: expected a shape such as/],
    [() => world.add([]), /: shape is an empty array: expected a shape such as/],
    [() => world.nearest(0, 0, { count: -1 }), /: count is -1: expected a whole number, 0 or more/],
    [() => new Mover(world, id, { up: [0, 0] }), /: up is \[0, 0\]: expected a direction/],
  ]) {
    assert.throws(call, message);
  }
});
