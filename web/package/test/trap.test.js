// A trap stops the module, and every later call says why until it is loaded again. Other exceptions leave it as it is.

import assert from "node:assert/strict";
import { test } from "node:test";
import { BroadPhase, intersects, Mover, Particles, ready, World } from "carom";
import { core } from "../dist/core.js";
import { Module } from "../dist/module.js";

const ball = { circle: { radius: 1 } };
const STOPPED = /carom was stopped by a trap \(unreachable\)/;

// `boom` traps, and `deep` calls itself without an end:
// (module (func (export "boom") unreachable) (func $deep (export "deep") call $deep))
const header = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 3, 2, 0, 0];
const names = [7, 15, 2, 4, 98, 111, 111, 109, 0, 0, 4, 100, 101, 101, 112, 0, 1];
const code = new Uint8Array([...header, ...names, 10, 10, 2, 3, 0, 0, 11, 4, 0, 16, 1, 11]);
const { boom, deep } = new WebAssembly.Instance(new WebAssembly.Module(code)).exports;

/** Returns a module with these exports. */
function moduleOf(exports) {
  return new Module(() => exports);
}

/** Runs a test with some exports of the core replaced. The other tests get the core as it was. */
function withExports(replaced, run) {
  const { exports, _start } = core;
  core._exports = { ...exports, ...replaced };
  try {
    run();
  } finally {
    core._start = _start;
    core._exports = exports;
  }
}

test("after a trap every call says why", () => {
  const module = moduleOf({ boom });
  for (let i = 0; i < 2; i++) assert.throws(() => module.call("boom"), STOPPED);
  assert.throws(() => module.input([1]), STOPPED);
  assert.equal(module.started, false);
});

test("a trap in a buffer stops the module", () => {
  for (const write of [(module) => module.input([1]), (module) => module.bytesInput(new Uint8Array(1))]) {
    const memory = new WebAssembly.Memory({ initial: 1 });
    const module = moduleOf({ memory, input: boom, bytes_input: boom, world_size: () => 1 });
    assert.throws(() => write(module), STOPPED);
    assert.throws(() => module.call("world_size"), STOPPED);
  }
});

test("a trap in move stops the module", () => {
  for (const pose of [
    [2, 0],
    [2, 0, 1],
  ]) {
    const world = new World();
    const id = world.add(ball);
    withExports({ world_move: boom, world_move_to: boom }, () => {
      assert.throws(() => world.move(id, ...pose), STOPPED);
      for (const call of [
        () => world.move(id, ...pose),
        () => world.moveAll([0, 0, 0]),
        () => world.size,
        () => world.restore(new Uint8Array(8)),
        () => intersects(ball, ball),
      ]) {
        assert.throws(call, STOPPED, `${call}`);
      }
      assert.equal(core.started, false);
    });
  }
});

test("an exception that is no trap leaves the module as it is", () => {
  const thrown = new Error("from the caller");
  const number = {
    valueOf() {
      throw thrown;
    },
  };
  assert.throws(() => core.call("no_such_export"), TypeError);
  assert.throws(() => core.call("world_size", number), thrown);
  const world = new World();
  const id = world.add(ball);
  for (const pose of [
    ["2", 0],
    [2, 0, "1"],
  ])
    assert.throws(() => world.move(id, ...pose), TypeError);
  assert.equal(world.size, 1);
});

test("a stack overflow stops the module only if an export holds a lock", () => {
  const open = moduleOf({ deep, output_length: () => 0, answer: () => 1 });
  assert.throws(() => open.call("deep"), RangeError);
  assert.equal(open.call("answer"), true);
  const closed = moduleOf({ deep, output_length: boom, answer: () => 1 });
  for (const name of ["deep", "answer"]) {
    assert.throws(() => closed.call(name), /carom was stopped by a trap \(Maximum call stack/);
  }
});

test("ready loads a stopped module again, and objects of the old one say so", async () => {
  await ready();
  const world = new World();
  const id = world.add(ball);
  world.add(ball, { x: 1 });
  world.update();
  const { contacts } = world;
  assert.equal(contacts.length, 1);
  const [mover, particles] = [new Mover(world, id), new Particles(world)];
  const broadPhase = new BroadPhase("brute");
  broadPhase.update([0, 0, 1, 1]);
  assert.throws(() => core.stop(new WebAssembly.RuntimeError("unreachable")), STOPPED);
  // What was read before the trap is gone, too.
  for (const call of [
    () => intersects(ball, ball),
    () => contacts.length,
    () => contacts.depths,
    () => [...contacts],
    () => world.events.length,
    () => world.pose(id),
    () => mover.grounded,
    () => particles.ids,
    () => broadPhase.pairs,
    () => broadPhase.stats,
  ]) {
    assert.throws(call, STOPPED, `${call}`);
  }
  const [first, second] = [ready(), ready()];
  assert.equal(first, second);
  await first;
  assert.equal(intersects(ball, ball), true);

  // These get the numbers that the old objects had.
  const other = new World();
  assert.equal(other.add(ball, { x: 7 }), id);
  other.add(ball, { x: 7 });
  other.update();
  new Mover(other, id);
  new Particles(other);
  const otherBroadPhase = new BroadPhase("brute");
  otherBroadPhase.update([0, 0, 1, 1, 0, 0, 1, 1]);
  for (const call of [
    () => world.move(id, 0, 0),
    () => world.move(id, 0, 0, 0),
    () => world.pose(id),
    () => world.has(id),
    () => world.size,
    () => world.ids,
    () => world.update(),
    () => world.add(ball),
    () => world.addScene({ carom: 1, colliders: [] }),
    () => world.moveAll([0, 0, 0], [id]),
    () => world.snapshot(),
    () => contacts.length,
    () => contacts.depths,
    () => contacts.points,
    () => [...contacts],
    () => world.events.length,
    () => mover.move(1, 0),
    () => mover.grounded,
    () => particles.step(1),
    () => particles.ids,
    () => new Mover(world, id),
    () => new Particles(world),
  ]) {
    assert.throws(call, /this world ended with its module.*make a new world/, `${call}`);
  }
  for (const call of [() => broadPhase.update([]), () => broadPhase.pairs, () => broadPhase.stats]) {
    assert.throws(call, /this broad phase ended with its module/, `${call}`);
  }
  // The memory is gone, so there is nothing to free, and the new objects stay.
  for (let i = 0; i < 2; i++) {
    world.dispose();
    broadPhase.dispose();
  }
  assert.deepEqual(other.pose(id), { x: 7, y: 0, angle: 0 });
  assert.equal(other.contacts.length, 1);
  assert.equal(otherBroadPhase.pairCount, 1);
});

test("dispose after a trap does not throw", () => {
  const world = new World();
  assert.throws(() => core.stop(new WebAssembly.RuntimeError("unreachable")), STOPPED);
  world.dispose();
});
