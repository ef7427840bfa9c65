// P24: a wrong call throws an Error and never stops the module.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as carom from "carom";
import * as narrow from "carom/narrow";

const { Mover, Particles, World, intersects } = carom;
const ball = { circle: { radius: 1 } };

/** Throws if the module was stopped by a trap. */
function stillWorks() {
  assert.ok(intersects(ball, ball));
}

test("a wrong id throws in every method", () => {
  const world = new World();
  const gone = world.add(ball);
  world.remove(gone);
  const next = world.add(ball);
  assert.notEqual(next, gone);
  const calls = [
    (id) => world.remove(id),
    (id) => world.pose(id),
    (id) => world.box(id),
    (id) => world.move(id, 0, 0),
    (id) => world.move(id, 0, 0, 0),
    (id) => world.moveAll([0, 0, 0], [id]),
    (id) => world.setMotion(id, 1, 0),
    (id) => world.setShape(id, ball),
    (id) => world.setLayers(id, { layers: 1 }),
    (id) => world.setSensor(id, true),
    (id) => world.setFixed(id, true),
    (id) => world.setEnabled(id, false),
    (id) => world.setOneWay(id, [0, 1]),
    (id) => world.setPairEnabled(id, next, false),
    (id) => world.contact(id, next),
    (id) => world.partAt(id, 0, 0),
    (id) => world.rayCast(0, 0, 1, 0, { exclude: id < 0 ? 12 : id }),
    (id) => world.separate(new Map([[id, 1]])),
    (id) => new Mover(world, id),
    (id) => new Particles(world).add(id),
    (id) => new Particles(world).setVelocity(id, 0, 0),
  ];
  for (const id of [gone, 12, -1, 1.5, 2 ** 32, 2 ** 53, Infinity, NaN]) {
    if (id === next) continue;
    for (const call of calls) assert.throws(() => call(id), /no collider has the id|exclude/, `${call} ${id}`);
    assert.equal(world.has(id), false);
  }
  assert.ok(world.has(next));
  stillWorks();
});

test("wrong numbers throw the message of the library", () => {
  const world = new World();
  const id = world.add(ball);
  assert.throws(() => world.add({ circle: { radius: -1 } }), /radius is -1.0; it must be 0 or more/);
  assert.throws(() => world.move(id, NaN, 0), /x of the .*NaN/);
  assert.throws(() => world.move(id, 1e31, 0), /1e30/);
  assert.throws(() => world.rayCast(0, 0, Infinity, 0), /inf/);
  assert.throws(() => world.shapeCast(ball, { dx: 1 }, { targetDistance: NaN }), /targetDistance is NaN/);
  assert.throws(() => world.inBox(1, 0, 0, 0), /minimum/);
  assert.throws(() => new Particles(world).add(id, { mass: 0 }), /mass/);
  assert.throws(() => new Mover(world, id, { skin: NaN }), /skin is NaN/);
  assert.throws(() => world.restore(new Uint8Array([1, 2, 3])));
  const crossing = {
    polygon: {
      points: [
        [0, 0],
        [2, 2],
        [2, 0],
        [0, 2],
      ],
    },
  };
  assert.throws(
    () => world.add(crossing),
    (error) => error instanceof Error && error.message.length > 10,
  );
  stillWorks();
});

test("wrong objects name the place", () => {
  const bad = [
    [undefined, /shape is undefined: expected a shape such as/],
    [{}, /shape has the key undefined/],
    [{ sphere: {} }, /"sphere".*circle, capsule/],
    [{ circle: { r: 1 } }, /shape\.circle has the unknown key "r": expected radius/],
    [{ circle: {} }, /shape\.circle has no "radius"/],
    [{ circle: { radius: "1" } }, /shape\.circle\.radius is "1": expected a number/],
    [{ polygon: { points: [[0, 0], [1], [1, 1]] } }, /shape\.polygon\.points\[1\]/],
    [{ compound: [{ shape: { circle: 5 } }] }, /shape\.compound\[0\]\.shape\.circle is 5/],
    [{ mask: { image: "a.png" } }, /carom\/files/],
    [{ mask: { rows: ["#", "##"] } }, /rows\[1\] is not as long/],
    [{ circle: { radius: 1 }, x: 1 }, /one key/],
  ];
  for (const [shape, message] of bad) {
    assert.throws(() => new World().add(shape), message);
    assert.throws(() => intersects(shape, ball));
  }
  assert.throws(() => new World().add(ball, { rotation: 1 }), /unknown key "rotation"/);
  assert.throws(() => new World().add(ball, { layers: 64 }), /layer 64/);
  assert.throws(() => new World({ broadPhase: "octree" }), /octree.*sweep-swaps/);
  stillWorks();
});

test("deep compounds are refused", () => {
  let shape = ball;
  for (let i = 0; i < 500; i++) shape = { compound: [{ shape }] };
  assert.throws(() => intersects(shape, ball), /nested deeper/);
  stillWorks();
});

test("the narrow entry refuses concave shapes", () => {
  const ell = {
    polygon: {
      points: [
        [0, 0],
        [2, 0],
        [2, 1],
        [1, 1],
        [1, 2],
        [0, 2],
      ],
    },
  };
  assert.throws(() => narrow.intersects(ell, ball), /concave/i);
  assert.throws(() => narrow.intersects({ mask: { rows: ["#"] } }, ball), /convex shapes only/);
  assert.ok(narrow.intersects(ball, ball));
});

test("a disposed world throws, and others live on", () => {
  const [first, second] = [new World(), new World()];
  first.add(ball);
  const particles = new Particles(first);
  first.dispose();
  first.dispose();
  assert.throws(() => first.update(), /this world was disposed/);
  assert.throws(() => first.contacts.length, /this world was disposed/);
  assert.throws(() => particles.step(0.1), /this world was disposed/);
  const third = new World(); // may take the memory of the first
  third.add(ball);
  assert.throws(() => first.add(ball), /this world was disposed/);
  assert.equal(second.size, 0);
  assert.equal(third.size, 1);
});

test("more than 64 layers are refused", () => {
  const world = new World();
  for (let i = 0; i < 64; i++) world.layer(`layer ${i}`);
  assert.throws(() => world.layer("one more"), /65th layer/);
});
