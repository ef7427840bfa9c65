// P24: a wrong call throws an Error and never stops the module.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as carom from "carom";
import * as narrow from "carom/narrow";

const { Mover, Particles, World, intersects } = carom;
const ball = { circle: { radius: 1 } };
const bowTie = {
  polygon: {
    points: [
      [0, 0],
      [2, 2],
      [2, 0],
      [0, 2],
    ],
  },
};

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
    (id) => world.contact(next, id),
    (id) => world.partAt(id, 0, 0),
    (id) => world.rayCast(0, 0, 1, 0, { exclude: id }),
    (id) => world.separate(new Map([[id, 1]])),
    (id) => new Mover(world, id),
    (id) => new Particles(world).add(id),
    (id) => new Particles(world).addAll(Float64Array.of(id), [1, 0, 0, 0]),
    (id) => new Particles(world).setVelocity(id, 0, 0),
    (id) => new Particles(world).velocity(id),
  ];
  // The whole number below 0.5 and 1.5 is no id that the message may name.
  for (const id of [gone, 12, -1, 0.5, 1.5, 2 ** 32, 2 ** 53, 1e300, Infinity, NaN]) {
    if (id === next) continue;
    for (const call of calls) {
      const named = (error) => error.message.startsWith(`no collider has the id ${id}: `);
      assert.throws(() => call(id), named, `${call} ${id}`);
    }
    assert.equal(world.has(id), false);
  }
  assert.ok(world.has(next));
  stillWorks();
});

test("wrong numbers throw the message of the library", () => {
  const world = new World();
  const id = world.add(ball);
  assert.throws(() => world.add({ circle: { radius: -1 } }), /radius is -1; it must be 0 or more/);
  assert.throws(() => world.move(id, NaN, 0), /^Error: x is NaN/);
  assert.throws(() => world.move(id, 1e31, 0), /1e\+31.*1e30/);
  assert.throws(() => world.rayCast(0, 0, Infinity, 0), /Infinity/);
  assert.throws(() => world.shapeCast(ball, { dx: 1 }, { targetDistance: NaN }), /targetDistance is NaN/);
  assert.throws(() => world.inBox(1, 0, 0, 0), /minimum/);
  assert.throws(() => new Particles(world).add(id, { mass: 0 }), /mass/);
  // NaN stands for the default in the module, so the scripts refuse it as a value.
  for (const name of ["skin", "maxSlope", "stepHeight", "snapDistance", "maxPush"]) {
    assert.throws(
      () => new Mover(world, id, { [name]: NaN }),
      new RegExp(`^RangeError: ${name} is NaN: expected a number`),
    );
  }
  assert.throws(() => new Mover(world, id, { up: [NaN, NaN] }), /^RangeError: up\[0\] is NaN: expected a number/);
  assert.throws(() => new Mover(world, id, { up: [0, NaN] }), /^RangeError: up\[1\] is NaN/);
  const threshold = { restitutionThreshold: NaN };
  assert.throws(() => new Particles(world, threshold), /^RangeError: restitutionThreshold is NaN: expected a number/);
  for (const value of [undefined, null, 0, 1]) new Particles(world, { restitutionThreshold: value });
  assert.throws(() => world.restore(new Uint8Array([1, 2, 3])));
  assert.throws(
    () => world.add(bowTie),
    (error) => error instanceof Error && error.message.length > 10,
  );
  stillWorks();
});

test("wrong objects name the place", () => {
  const bad = [
    [undefined, /shape is undefined: expected a shape such as/],
    [{}, /shape has no key/],
    [{ sphere: {} }, /"sphere".*circle, capsule/],
    [{ circle: { r: 1 } }, /shape\.circle has the unknown key "r": expected radius/],
    [{ circle: {} }, /shape\.circle has no "radius"/],
    [{ circle: { radius: "1" } }, /shape\.circle\.radius is "1": expected a number/],
    [{ polygon: { points: [[0, 0], [1], [1, 1]] } }, /shape\.polygon\.points\[1\]/],
    [{ compound: [{ shape: { circle: 5 } }] }, /shape\.compound\[0\]\.shape\.circle is 5/],
    [{ compound: [{ shape: ball }, { shape: ball, position: [0, NaN] }] }, /compound\[1\]\.position\[1\] is NaN/],
    [{ compound: [{ shape: ball, position: [-1e31, 0] }] }, /shape\.compound\[0\]\.position\[0\] is -1e\+31/],
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
  for (const key of ["sensor", "fixed", "enabled"]) {
    for (const value of ["no", 0, null]) {
      assert.throws(
        () => new World().add(ball, { [key]: value }),
        new RegExp(`^TypeError: ${key} is .*: expected true or`),
      );
    }
  }
  const world = new World();
  const id = world.add(ball, { sensor: undefined });
  assert.throws(() => world.setSensor(id, "no"), /sensor is "no"/);
  assert.throws(() => world.setFixed(id), /fixed is undefined/);
  assert.throws(() => world.setEnabled(id, 1), /enabled is 1/);
  assert.throws(() => world.setPairEnabled(id, id, "off"), /enabled is "off"/);
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

test("a disposed mover or set of particles throws, and others live on", () => {
  const world = new World();
  const id = world.add(ball);
  const movers = [new Mover(world, id), new Mover(world, id)];
  const sets = [new Particles(world), new Particles(world)];
  for (const one of [movers[0], movers[0], sets[0], sets[0]]) one.dispose();
  for (const call of [
    () => movers[0].move(1, 0),
    () => movers[0].dropThrough(),
    () => movers[0].grounded,
    () => movers[0].surfaces,
  ]) {
    assert.throws(call, /this mover was disposed/);
  }
  for (const call of [
    () => sets[0].step(1),
    () => sets[0].add(id),
    () => sets[0].ids,
    () => sets[0].setGravity(0, 1),
  ]) {
    assert.throws(call, /these particles were disposed/);
  }
  const third = new Mover(world, id); // takes the memory of the first
  assert.throws(() => movers[0].move(1, 0), /this mover was disposed/);
  for (const mover of [movers[1], third]) assert.ok(mover.move(1, 0).translation[0] > 0);
  sets[1].add(id);
  assert.equal(sets[1].step(0.1).swept, 0);
  stillWorks();
});

test("a mover of a disposed world frees nothing of the world that has its number", () => {
  const first = new World();
  const old = [new Mover(first, first.add(ball)), new Particles(first)];
  first.dispose();
  const second = new World();
  const id = second.add(ball);
  const [mover, particles] = [new Mover(second, id), new Particles(second)];
  old.forEach((one) => one.dispose());
  assert.ok(mover.move(1, 0).translation[0] > 0);
  particles.add(id);
  assert.equal(particles.size, 1);
});

test("a query with an unknown name of a layer throws, and uses no layer", () => {
  const world = new World();
  const calls = [
    (layers) => world.rayCast(0, 0, 1, 0, { layers }),
    (layers) => world.rayCastAll(0, 0, 1, 0, { layers }),
    (layers) => world.shapeCast(ball, { dx: 1 }, { layers }),
    (layers) => world.atPoint(0, 0, { layers }),
    (layers) => world.nearest(0, 0, { layers }),
    (layers) => world.inBox(0, 0, 1, 1, { layers }),
    (layers) => world.inShape(ball, { layers }),
    (layers) => world.visibility(9, 0, 1, { layers }),
  ];
  for (const call of calls) {
    assert.throws(() => call("wall"), /layer "wall" is unknown: the layers with names are none/);
  }
  const wall = world.add(ball, { layers: "wall", mask: ["player"] });
  for (const call of calls) {
    assert.throws(
      () => call("wal"),
      (error) => {
        const text = 'layer "wal" is unknown: the layers with names are "wall", "player"; ';
        return (
          error instanceof RangeError &&
          error.message === `${text}for a layer without colliders call layer("wal") first`
        );
      },
    );
    assert.throws(() => call(["wall", "Wall"]), /layer "Wall" is unknown/);
    assert.throws(() => call([2, "Wall"]), /layer "Wall" is unknown/);
    assert.throws(() => call([2, 64]), /layer 64: expected a number from 0 to 63, or a name/);
    for (const known of ["wall", ["wall", "player"], 2, undefined, null]) call(known);
  }
  assert.deepEqual(world.atPoint(0, 0, { layers: "wall" }), [wall]);
  assert.deepEqual(world.atPoint(0, 0, { layers: "player" }), []); // known by the mask
  assert.equal(world.layer("enemy"), 3);
  assert.deepEqual(world.atPoint(0, 0, { layers: "enemy" }), []);
});

test("more than 64 layers are refused", () => {
  const world = new World();
  // Names get 1 to 63, then 0.
  for (let i = 0; i < 64; i++) assert.equal(world.layer(`layer ${i}`), (i + 1) % 64);
  assert.throws(() => world.layer("one more"), /65th layer/);
  // A collider without layers has used 0, so 63 names are left.
  const other = new World();
  other.add(ball);
  for (let i = 0; i < 63; i++) assert.equal(other.layer(`layer ${i}`), i + 1);
  assert.throws(() => other.layer("one more"), /65th layer/);
});

test("wrong lists, lengths and counts throw, and nothing changes", () => {
  const world = new World();
  const id = world.add(ball);
  const calls = [
    [() => world.moveAll(undefined), /poses is undefined: expected an array of numbers/],
    [() => world.moveAll("012"), /poses is "012"/],
    [() => world.moveAll([0, 0, 0], new Set([id])), /ids is a Set: expected an array of numbers/],
    [() => world.moveAll([0, 0]), /2 numbers are given for 1 colliders/],
    [() => new Particles(world).addAll([id], new Map()), /rows is a Map: expected an array of numbers/],
    [() => new carom.BroadPhase("sweep").update(null), /boxes is null/],
    [() => world.separate({ [id]: 1 }), /masses is an object: expected a number, or a Map/],
    [() => world.separate(new Map([[id, "1"]])), /mass is "1"/],
    [() => world.separate(new Map([[id, NaN]])), /mass/],
    [() => world.restore("text"), /the snapshot is "text": expected a Uint8Array/],
    [() => world.restore(undefined), /the snapshot is undefined/],
    [() => world.nearest(0, 0, { count: 1.5 }), /count is 1.5/],
    [() => world.visibility(9, 9, 5, { deviation: NaN }), /deviation is NaN/],
    [() => carom.collide(ball, ball, NaN), /margin is NaN: it must be from 0 to 1e30/],
    [() => carom.collide(ball, ball, -1), /margin is -1/],
    [() => carom.manifolds(ball, ball, Infinity), /margin is Infinity/],
    [() => carom.overlapRegion(ball, ball, { deviation: NaN }), /deviation is NaN/],
    [() => carom.outlines({ mask: { rows: ["#"], scale: NaN } }), /scale is NaN/],
    [() => carom.outlines({ mask: { rows: ["#"], scale: [1, 0] } }), /scale is 1,0/],
    [() => carom.outlines({ mask: { rows: ["#"], scale: Infinity } }), /scale is Infinity: it must not be 0/],
    [() => carom.maskFromImage({ width: 1, height: 1, data: [0, 0, 0, 255] }, { scale: NaN }), /scale is NaN/],
    [() => carom.maskFromImage({ width: 1.5, height: 2, data: new Uint8Array(12) }), /1.5 × 2 pixels/],
    [() => carom.maskFromImage({ width: 0, height: 0, data: [] }), /0 × 0 pixels/],
    [() => carom.maskFromImage(null), /undefined × undefined pixels/],
    [() => new Particles({}), /world is an object: expected a World/],
    [() => new Mover(null, id), /world is null: expected a World/],
    [() => new Particles(world, { walls: [0, 0, "9", 9] }), /a side of walls is "9"/],
  ];
  const hash = world.hash();
  for (const [call, message] of calls) assert.throws(call, message, `${call}`);
  assert.equal(world.hash(), hash);
  // A count has no upper limit: the module has 32 bits for it.
  assert.deepEqual(
    world.nearest(3, 0, { count: 2 ** 32 }).map((found) => found.id),
    [id],
  );
  stillWorks();
});

test("an input that is larger than the memory throws, and the module works on", () => {
  const world = new World();
  world.add(ball);
  assert.throws(() => world.moveAll(new Uint8Array(2 ** 30)), /1073741824 items does not fit into the memory/);
  stillWorks();
  assert.equal(world.size, 1);
});

test("a failed call uses no layer", () => {
  const world = new World();
  for (let i = 0; i < 99; i++) {
    assert.throws(() => world.add({ circle: { radius: -1 } }, { layers: `a${i}`, mask: [`b${i}`] }), /radius/);
    const scene = { carom: 1, colliders: [{ shape: { circle: { radius: -1 } }, layers: [`c${i}`] }] };
    assert.throws(() => world.addScene(scene), /radius/);
  }
  const id = world.add(ball, { layers: "first" });
  assert.throws(() => world.setLayers(id, { layers: "second", group: -1 }), /group/);
  assert.equal(world.layer("first"), 1);
  assert.equal(world.layer("third"), 2);
});

test("a failed scene leaves the ids and the hash as they are", () => {
  const [world, twin] = [new World(), new World()];
  for (const one of [world, twin]) {
    for (let i = 0; i < 3; i++) one.add(ball, { x: 3 * i });
    one.remove(1);
    one.update();
  }
  for (const [bad, message] of [
    [{ shape: { circle: { radius: -1 } } }, /^colliders\[2\]: radius/],
    [{ shape: bowTie }, /^colliders\[2\]: /],
    [{ shape: ball, position: [NaN, 0] }, /^colliders\[2\]\.position\[0\] is NaN: it must be from -1e30 to 1e30$/],
    [{ shape: ball, one_way: [0, 0] }, /^colliders\[2\]: /],
    [{ shape: ball, group: -1 }, /^colliders\[2\]\.group is -1/],
    [{ shape: ball, layers: [64] }, /^colliders\[2\]\.layers: layer 64: expected/],
  ]) {
    const scene = { carom: 1, colliders: [{ shape: ball }, { shape: ball, position: [9, 9] }, bad] };
    assert.throws(
      () => world.addScene(scene),
      (error) => message.test(error.message) && (bad.shape !== bowTie || Number.isInteger(error.vertex)),
    );
    assert.equal(world.hash(), twin.hash());
  }
  // New colliders get the same ids.
  for (let i = 0; i < 3; i++) assert.equal(world.add(ball), twin.add(ball));
  assert.equal(world.hash(), twin.hash());
});

test("a message names ids and calls of JavaScript, not of Rust", () => {
  const world = new World();
  world.remove(world.add(ball));
  const id = world.add(ball); // the slot is used again
  assert.ok(id >= 2 ** 32);
  const [particles, mover] = [new Particles(world), new Mover(world, id)];
  particles.add(id);
  world.remove(id);
  assert.throws(() => particles.step(0.1), new RegExp(`: the id ${id} is a particle, but names no collider`));
  assert.throws(() => mover.move(1, 0), new RegExp(`: the id ${id} names no collider of this world`));
  particles.remove(id);
  assert.equal(particles.step(0.1).swept, 0);
  const ring = {
    points: [
      [0, 0],
      [9, 0],
      [9, 9],
      [0, 9],
    ],
    holes: [
      [
        [1, 1],
        [2, 1],
        [2, 2],
      ],
    ],
  };
  assert.throws(() => carom.decompose({ polygon: ring }, { optimal: true }), /touch itself: omit `optimal`$/);
  const full = /import "carom" instead of "carom\/narrow"$/;
  for (const shape of [
    {
      polygon: {
        points: [
          [0, 0],
          [4, 0],
          [4, 4],
          [2, 1],
          [0, 4],
        ],
      },
    },
    { polygon: ring },
    {
      chain: {
        points: [
          [0, 0],
          [1, 1],
        ],
      },
    },
    { mask: { rows: ["#"] } },
  ]) {
    assert.throws(() => narrow.intersects(shape, ball), full);
  }
});

test("a message of the library uses the names and numbers of JavaScript", () => {
  const world = new World();
  const id = world.add(ball);
  for (const [call, message] of [
    [() => new Mover(world, id, { maxSlope: 90 }), "maxSlope is 90 radians; it must be below π/2: a wall is no slope"],
    [() => new Mover(world, id, { stepHeight: -1 }), "stepHeight is -1; it must be 0 or more"],
    [() => new Mover(world, id, { snapDistance: -0.5 }), "snapDistance is -0.5; it must be 0 or more"],
    [() => new Mover(world, id, { maxPush: Infinity }), "maxPush is Infinity; it must be a finite number"],
    [() => new Mover(world, id, { up: [0, -Infinity] }), "y of up is -Infinity; it must be a finite number"],
    [() => new Particles(world).step(-1), "seconds is -1; it must be 0 or more"],
    [() => new Particles(world, { restitutionThreshold: -1 }), "restitutionThreshold is -1; it must be 0 or more"],
    [() => world.move(id, 0, NaN), "y is NaN; it must be a finite number"],
    [
      () => world.setMotion(id, 1, 2, 1e9),
      "rotation is 1000000000 radians; the limit is 10000 in one motion: split the motion",
    ],
    [() => world.shapeCast(ball, { dy: Infinity }), "dy is Infinity; it must be a finite number"],
    [() => world.setMotion(id, NaN, 0), "dx is NaN; it must be a finite number"],
    [() => world.rayCast(0, 0, Infinity, 0), "dx is Infinity; it must be a finite number"],
    [() => world.rayCastAll(0, 0, 0, 1e31), "dy is 1e+31; the limit is 1e30 in magnitude: choose a larger unit"],
    [() => new Mover(world, id).move(NaN, 0), "dx is NaN; it must be a finite number"],
    [() => world.visibility(9, 0, -1), "range is -1: it must be from 0 to 1e30"],
  ]) {
    assert.throws(call, { message });
  }
});

test("a view that is detached is named", () => {
  const world = new World();
  world.add(ball);
  const view = world.poses;
  const rows = Array.from({ length: 400 }, () => "#".repeat(400));
  for (const other = new World(); view.length > 0;) other.add({ mask: { rows } });
  const message = "poses is a view that a later call detached: read it again, or keep a copy (slice)";
  assert.throws(() => world.moveAll(view), { message });
  world.moveAll(world.poses);
  assert.throws(() => world.moveAll(new Float64Array(0)), /0 numbers are given/);
});

test("a box has no side of -0", () => {
  const world = new World();
  const square = {
    polygon: {
      points: [
        [0, 0],
        [2, 0],
        [2, 1],
        [0, 1],
      ],
    },
  };
  assert.deepEqual(world.box(world.add(square)), [0, 0, 2, 1]);
});

test("a scene is checked as the command line checks it", () => {
  const world = new World();
  for (const [more, message] of [
    [{ mask: null }, /colliders\[0\]\.mask is null/],
    [{ layers: null }, /colliders\[0\]\.layers is null/],
    [{ sensor: "yes" }, /colliders\[0\]\.sensor is "yes": expected true or false/],
    [{ fixed: 1 }, /colliders\[0\]\.fixed is 1/],
    [{ mask: [{}] }, /: colliders\[0\]\.mask: layer an object: expected a number from 0 to 63, or a name$/],
    [{ id: "#1" }, /: colliders\[0\]\.id is "#1": an id must not begin with #$/],
  ]) {
    assert.throws(() => world.addScene({ carom: 1, colliders: [{ shape: ball, ...more }] }), message);
  }
  assert.equal(world.size, 0);
});
