// The world: results that follow from plain geometry.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { BroadPhase, intersects, Mover, Particles, World } from "carom";

const circle = (radius) => ({ circle: { radius } });
const box = (width, height) => ({ rectangle: { width, height } });

test("contacts are columns and plain objects with the same numbers", () => {
  const world = new World();
  const a = world.add(circle(1));
  const b = world.add(circle(1), { x: 1.5 });
  const coin = world.add(circle(0.5), { x: -1.25, sensor: true });
  assert.deepEqual([a, b, coin], [0, 1, 2]);
  world.update();
  assert.deepEqual(
    [...world.contacts],
    [
      { a, b, normal: [1, 0], depth: 0.5, mtv: [0.5, 0], sensor: false, points: [{ position: [0.75, 0], depth: 0.5 }] },
      {
        a,
        b: coin,
        normal: [-1, 0],
        depth: 0.25,
        mtv: [-0.25, 0],
        sensor: true,
        points: [{ position: [-0.875, 0], depth: 0.25 }],
      },
    ],
  );
  const { contacts } = world;
  assert.equal(contacts.length, 2);
  assert.deepEqual([...contacts.a, ...contacts.b], [0, 0, 1, 2]);
  assert.deepEqual([...contacts.normals], [1, 0, -1, 0]);
  assert.deepEqual([...contacts.depths, ...contacts.sensors], [0.5, 0.25, 0, 1]);
  assert.deepEqual([...contacts.pointEnds], [1, 2]);
  assert.deepEqual([...contacts.points], [0.75, 0, 0.5, -0.875, 0, 0.25]);
  assert.deepEqual(world.contact(b, a).mtv, [0.5, 0]);
  assert.equal(world.contact(b, coin), null);
});

test("events report the begin and the end once", () => {
  const world = new World();
  const a = world.add(circle(1));
  const b = world.add(circle(1), { x: 1.5 });
  world.update();
  assert.deepEqual(
    [...world.events].map(({ type }) => type),
    ["begin"],
  );
  world.update();
  assert.equal(world.events.length, 0);
  world.move(b, 9, 0);
  world.update();
  assert.deepEqual([...world.events], [{ type: "end", a, b, normal: [1, 0], depth: 0.5, sensor: false }]);
  assert.deepEqual([...world.events.begins], [0]);
});

test("an update may happen inside a loop over contacts", () => {
  const world = new World();
  for (let x = 0; x < 3; x++) world.add(circle(1), { x });
  world.update();
  let count = 0;
  for (const { b, mtv } of world.contacts) {
    const { x, y } = world.pose(b);
    world.move(b, x + mtv[0], y + mtv[1]);
    world.update();
    count++;
  }
  assert.equal(count, 3);
});

test("poses move one by one and all at once", () => {
  const world = new World();
  const a = world.add(box(2, 1));
  const b = world.add(box(2, 1), { x: 5, angle: Math.PI / 2 });
  assert.deepEqual(world.box(a), [-1, -0.5, 1, 0.5]);
  world.move(b, 7, 1); // keeps the angle
  assert.deepEqual(world.pose(b), { x: 7, y: 1, angle: Math.PI / 2 });
  world.moveAll(new Float64Array([1, 2, 0, 3, 4, 0]));
  assert.deepEqual([...world.poses], [1, 2, 0, 3, 4, 0]);
  assert.deepEqual([...world.transforms], [1, 2, 1, 0, 3, 4, 1, 0]);
  world.moveAll([8, 8, 0], [b]);
  assert.deepEqual([...world.poses], [1, 2, 0, 8, 8, 0]);
  assert.throws(() => world.moveAll([1, 2, 3]), /3 numbers are given for 2 colliders/);
  assert.deepEqual([...world.ids], [a, b]);
  assert.equal(world.size, 2);
});

test("contacts and events become JSON", () => {
  const world = new World();
  const [a, b] = [world.add(box(2, 2)), world.add(box(2, 2), { x: 1.5 })];
  world.update();
  const contact = JSON.parse(JSON.stringify(world.contacts));
  assert.deepEqual(contact, [...world.contacts]);
  assert.deepEqual([contact[0].a, contact[0].b, contact[0].mtv], [a, b, [0.5, 0]]);
  assert.deepEqual(JSON.parse(JSON.stringify(world.events)), [
    { type: "begin", a, b, normal: [1, 0], depth: 0.5, sensor: false },
  ]);
});

test("a separation without an update sees no contact", () => {
  const world = new World();
  const [a] = [world.add(circle(1)), world.add(circle(1), { x: 1 })];
  assert.deepEqual(world.separate(), { iterations: 0, converged: true, maxPenetration: 0 });
  assert.equal(world.pose(a).x, 0);
  world.update();
  assert.ok(world.separate().converged && world.pose(a).x < -0.4);
});

test("rows of poses may be any array of numbers", () => {
  const world = new World();
  const id = world.add(circle(1));
  for (const rows of [[1, 2, 0], new Float32Array([1, 2, 0]), new Int8Array([1, 2, 0])]) {
    world.move(id, 0, 0);
    world.moveAll(rows);
    assert.deepEqual(world.pose(id), { x: 1, y: 2, angle: 0 });
  }
});

test("layers have numbers and names", () => {
  const world = new World();
  const player = world.add(circle(1), { layers: "player", mask: ["wall"] });
  const wall = world.add(circle(1), { layers: ["wall"], mask: ["player", 63] });
  world.add(circle(1), { layers: 63, mask: "player" });
  world.update();
  assert.deepEqual(
    [...world.contacts].map(({ a, b }) => [a, b]),
    [[player, wall]],
  );
  assert.deepEqual(world.atPoint(0, 0, { layers: ["wall"] }), [wall]);
  assert.equal(world.layer("player"), 1);
  assert.equal(world.layer("wall"), 2);
  world.setLayers(wall, { mask: [] });
  world.update();
  assert.equal(world.contacts.length, 0);
});

test("queries find what geometry says", () => {
  const world = new World();
  const ball = world.add(circle(1), { x: 3 });
  const block = world.add(box(2, 2), { x: -4, sensor: true });
  assert.deepEqual(world.rayCast(0, 0, 10, 0), { id: ball, time: 0.2, point: [2, 0], normal: [-1, 0], part: 0 });
  assert.equal(world.rayCast(0, 0, 0, 10), null);
  assert.deepEqual(
    world.rayCastAll(10, 0, -20, 0).map(({ id }) => id),
    [ball, block],
  );
  assert.deepEqual(
    world.rayCastAll(10, 0, -20, 0, { excludeSensors: true }).map(({ id }) => id),
    [ball],
  );
  assert.equal(world.rayCast(0, 0, 10, 0, { exclude: ball }), null);
  assert.equal(world.rayCast(0, 1.5, 10, 0, { radius: 0.5 }).id, ball);
  assert.deepEqual(world.atPoint(-4, 0.5), [block]);
  assert.deepEqual(world.inBox(-5, 0, -4, 1), [block]);
  assert.deepEqual(world.inShape({ shape: circle(2), x: 1 }), [ball]);
  assert.equal(world.partAt(ball, 3, 0), 0);
  assert.equal(world.partAt(ball, 0, 0), -1);
  const [first, second] = world.nearest(0, 0, { count: 2 });
  assert.deepEqual(first, { id: ball, distance: 2, pointA: [0, 0], pointB: [2, 0], part: 0 });
  assert.deepEqual([second.id, second.distance], [block, 3]);
  const hit = world.shapeCast({ shape: circle(0.5) }, { dx: 10 }, { targetDistance: 0.25 });
  assert.equal(hit.id, ball);
  assert.ok(Math.abs(hit.time - 0.125) < 1e-6 && hit.initialDepth === null);
  assert.deepEqual(hit.normal, [-1, 0]);
});

test("light stops at a wall", () => {
  const world = new World();
  world.add(box(1, 2), { x: 3.5 });
  const region = world.visibility(0, 0, 10, { deviation: 0.01 });
  assert.ok(region.length > 20);
  for (let i = 0; i < region.length; i += 2) {
    assert.ok(region[i] < 3.1 || Math.abs(region[i + 1]) >= 0.99);
  }
  assert.equal(world.visibility(3.5, 0, 10).length, 0);
});

test("the default deviation of light is 1/1000 of the range", () => {
  const world = new World();
  world.add(circle(5), { x: 8 });
  const numbers = world.visibility(0, 0, 10);
  assert.deepEqual(numbers, world.visibility(0, 0, 10, { deviation: 10 / 1000 }));
  assert.notDeepEqual(numbers, world.visibility(0, 0, 10, { deviation: 0 })); // a hundredth of the radius: 0.05
  const points = Array.from({ length: numbers.length / 2 }, (_, i) => [numbers[2 * i], numbers[2 * i + 1]]);
  const gap = ([x, y]) => Math.hypot(x - 8, y) - 5;
  let chords = 0;
  points.forEach(([x, y], i) => {
    const [nextX, nextY] = points[(i + 1) % points.length];
    if (Math.abs(gap([x, y])) > 1e-9 || Math.abs(gap([nextX, nextY])) > 1e-9) return;
    assert.ok(Math.abs(gap([(x + nextX) / 2, (y + nextY) / 2])) <= 0.01);
    chords++;
  });
  // A chord that deviates by 0.01 has an angle of 2 acos(0.998) = 0.1265. The lit arc is 2 acos(5 / 8) = 1.791.
  assert.ok(chords >= 15);
  assert.ok(numbers.length < world.visibility(0, 0, 10, { deviation: 1e-4 }).length / 3);
});

test("nearest leaves out colliders beyond a distance", () => {
  const world = new World();
  const ids = [0, 3, 4, 10].map((x) => world.add(circle(1), { x }));
  const found = (maxDistance, count = 9) => world.nearest(0, 0, { count, maxDistance }).map(({ id }) => id);
  assert.deepEqual(found(0), ids.slice(0, 1)); // inside
  assert.deepEqual(found(2), ids.slice(0, 2)); // exactly 2
  assert.deepEqual(found(1.9999), ids.slice(0, 1));
  assert.deepEqual(found(5), ids.slice(0, 3));
  assert.deepEqual(found(5, 1), ids.slice(0, 1));
  for (const all of [Infinity, undefined, 9]) assert.deepEqual(found(all), ids);
  for (const wrong of [-1, NaN])
    assert.throws(() => found(wrong), /^RangeError: maxDistance is .*: expected 0 or more/);
  assert.throws(() => found("5"), /^TypeError: maxDistance is "5": expected a number/);
});

test("a contact leads from the lower slot to the higher one, whatever the order of the parameters", () => {
  const world = new World();
  const [a, b] = [world.add(circle(1)), world.add(circle(1), { x: 1.5 })];
  world.update();
  const contact = world.contact(b, a);
  assert.deepEqual([contact.a, contact.b, contact.normal, contact.mtv], [a, b, [1, 0], [0.5, 0]]);
  assert.deepEqual(contact, world.contact(a, b));
});

test("a motion stops at a thin wall", () => {
  const world = new World();
  const [bullet, second] = [0, 3].map((y) => world.add(circle(0.1), { x: -500, y }));
  const wall = world.add(box(0.001, 10), { fixed: true });
  for (const mover of [bullet, second]) world.setMotion(mover, 1000, 0);
  world.update();
  const hits = world.motionHits;
  assert.deepEqual(hits.map(({ mover }) => mover).toSorted(), [bullet, second].toSorted());
  for (const { mover, other, time, point, normal, ...rest } of hits) {
    assert.deepEqual([other, normal, rest], [wall, [-1, 0], { sensor: false }]);
    assert.ok(Math.abs(time - 0.4998995) < 1e-6); // the gap is 500 - 0.1 - 0.0005
    assert.ok(Math.hypot(point[0] + 0.0005, point[1] - world.pose(mover).y) < 1e-6);
    assert.ok(world.pose(mover).x < 0);
  }
});

test("separate moves colliders apart by their masses", () => {
  const world = new World();
  const light = world.add(circle(1));
  const heavy = world.add(circle(1), { x: 1.5 });
  world.update();
  const report = world.separate(
    new Map([
      [light, 1],
      [heavy, 4],
    ]),
  );
  assert.ok(report.converged && report.iterations > 0);
  // The overlap of 0.5 is shared 4 : 1.
  assert.ok(Math.abs(world.pose(light).x + 0.4) < 0.01 && Math.abs(world.pose(heavy).x - 1.6) < 0.01);
});

test("a scene file is added as it is written", () => {
  const world = new World();
  const scene = {
    carom: 1,
    colliders: [
      { id: "floor", shape: box(4, 1), rotation: 90, layers: ["wall"] },
      { shape: circle(1), position: [1, 0], mask: [1], layers: [7] },
    ],
  };
  const { ids, names } = world.addScene(JSON.stringify(scene));
  assert.deepEqual(ids, [0, 1]);
  assert.equal(names.get("floor"), 0);
  assert.equal(names.get("#1"), 1);
  assert.deepEqual(world.box(0), [-0.5, -2, 0.5, 2]); // degrees are exact
  assert.equal(world.layer("wall"), 2); // 1 and 7 are taken by number
  assert.throws(
    () => world.addScene({ carom: 1, colliders: [{ shape: circle(1) }, { shape: circle(-1) }] }),
    /colliders\[1\]: radius is -1/,
  );
  assert.equal(world.size, 2); // nothing was added
  assert.throws(
    () => world.addScene({ carom: 1, colliders: [{ shape: circle(1), colour: 1 }] }),
    /unknown key "colour"/,
  );
  assert.throws(() => world.addScene({ carom: 2, colliders: [] }), /scene\.carom is 2/);
});

test("a scene file sets one-way fronts and fixed colliders", () => {
  const world = new World();
  const floor = { shape: { rectangle: { width: 4, height: 1 } }, fixed: true };
  const { ids } = world.addScene({
    carom: 1,
    colliders: [floor, floor, { ...floor, position: [0, 5], one_way: [0, 1] }],
  });
  world.update();
  assert.equal(world.contacts.length, 0); // fixed colliders do not pair
  const cast = (y, dy) => world.shapeCast({ shape: circle(0.25), y }, { dy });
  assert.equal(cast(9, -4).id, ids[2]); // from the front
  assert.equal(cast(2, 3), null); // from behind
  world.dispose();
});

test("every shape and key of the scene schema is known", () => {
  const schema = JSON.parse(readFileSync(new URL("../../../scenes/scene.schema.json", import.meta.url)));
  const { Collider, Shape } = schema.$defs;
  for (const kind of Shape.oneOf.flatMap((one) => Object.keys(one.properties))) {
    assert.throws(
      () => intersects({ [kind]: {} }, circle(1)),
      ({ message }) => !message.includes("the kinds are"),
      kind,
    );
  }
  const world = new World();
  for (const key of Object.keys(Collider.properties)) {
    const collider = { shape: circle(1), [key]: key === "shape" ? circle(1) : undefined };
    world.addScene({ carom: 1, colliders: [collider] });
  }
  world.dispose();
});

test("particles bounce and keep their energy", () => {
  for (const broadPhase of ["auto", "brute", "strips", "grid", "bvh", "sweep", "sweep-insertion", "sweep-swaps"]) {
    const world = new World({ broadPhase });
    const particles = new Particles(world, { walls: [0, 0, 10, 10] });
    for (let i = 0; i < 20; i++) {
      const id = world.add(circle(0.3), { x: 1 + (i % 5) * 2, y: 1 + Math.floor(i / 5) * 2 });
      particles.add(id, { velocity: [Math.sin(i), Math.cos(i)], restitution: 1 });
    }
    assert.equal(particles.size, 20);
    const before = particles.kineticEnergy;
    assert.ok(Math.abs(before - 10) < 1e-12); // 20 bodies of mass 1 and speed 1
    for (let i = 0; i < 100; i++) particles.step(0.02);
    assert.ok(Math.abs(particles.kineticEnergy / before - 1) < 1e-9, broadPhase);
    assert.equal(particles.velocities.length, 40);
    assert.deepEqual([...particles.ids], [...world.ids]);
    for (let i = 0; i < 60; i += 3) assert.ok(world.poses[i] > 0 && world.poses[i] < 10);
    if (broadPhase === "brute") assert.equal(world.stats.boxTests, 190);
    world.dispose();
  }
});

test("a mover slides along the floor and stops at a wall", () => {
  const world = new World();
  world.add(box(20, 1), { y: -1, fixed: true });
  const wall = world.add(box(1, 10), { x: 5, fixed: true });
  const hero = world.add({ capsule: { a: [0, 0], b: [0, 1], radius: 0.25 } });
  const mover = new Mover(world, hero, { up: [0, 1], skin: 0.01 });
  for (let i = 0; i < 20; i++) mover.move(0.5, -0.1);
  assert.ok(mover.grounded && mover.ground.normal[1] === 1);
  assert.ok(Math.abs(world.pose(hero).x - (4.5 - 0.25 - 0.01)) < 1e-3);
  assert.ok(mover.surfaces.some(({ id, kind }) => id === wall && kind === "wall"));
});

test("a textbook broad phase records each test and each swap", () => {
  const boxes = [3, 0, 4, 1, 0, 0, 1, 1, 0.5, 0, 1.5, 1]; // ids 0, 1, 2
  const counts = { brute: 3, sweep: 1, "sweep-insertion": 1 };
  for (const [method, tests] of Object.entries(counts)) {
    const broad = new BroadPhase(method, { record: true });
    broad.update(boxes);
    assert.deepEqual([...broad.pairs], [1, 2], method);
    const kinds = [...broad.steps].filter((_, i) => i % 3 === 0);
    assert.equal(kinds.filter((kind) => kind < 2).length, tests, method);
    assert.equal(broad.stats.boxTests, tests, method);
    assert.equal(kinds.filter((kind) => kind === 2 || kind === 3).length, broad.stats.swaps, method);
  }
  const sweep = new BroadPhase("sweep", { record: true });
  sweep.update(boxes);
  assert.deepEqual([...sweep.order()], [1, 2, 0]);
  // The line reaches 1, tests 2, stops at 0; reaches 2, stops at 0; reaches 0.
  assert.deepEqual([...sweep.steps], [4, 1, 1, 1, 1, 2, 5, 1, 0, 4, 2, 2, 5, 2, 0, 4, 0, 0]);
  assert.throws(() => new BroadPhase("bvh", { record: true }), /record/);
  sweep.update(boxes.slice(0, 4));
  assert.equal(sweep.pairs.length, 0);
});

test("replayed swaps sort the endpoints", () => {
  const broad = new BroadPhase("sweep-swaps", { record: true });
  const boxes = (t) =>
    Array.from({ length: 12 }, (_, i) => 5 * Math.sin(i * 7 + t)).flatMap((x, i) => [x, i / 3, x + 1, i / 3 + 1]);
  broad.update(boxes(0));
  broad.update(boxes(0.3));
  const orders = [broad.order(0), broad.order(1)].map((order) => [...order]);
  const { steps } = broad;
  let swaps = 0;
  for (let i = 0; i < steps.length; i += 3) {
    if (steps[i] !== 2 && steps[i] !== 3) continue;
    const order = orders[steps[i] - 2];
    const at = order.indexOf(steps[i + 1]);
    assert.equal(order[at + 1], steps[i + 2]);
    order.splice(at, 2, steps[i + 2], steps[i + 1]);
    swaps++;
  }
  assert.ok(swaps > 0);
  const now = boxes(0.3);
  const value = (endpoint, axis) => Math.fround(now[4 * (endpoint >> 1) + axis + 2 * (endpoint & 1)]);
  for (const axis of [0, 1]) {
    const values = orders[axis].map((endpoint) => value(endpoint, axis));
    assert.deepEqual(
      values,
      values.toSorted((p, q) => p - q),
    );
  }
});
