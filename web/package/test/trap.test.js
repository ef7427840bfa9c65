// A trap stops the module, and every later call says why. Other exceptions leave it as it is.

import assert from "node:assert/strict";
import { test } from "node:test";
import { intersects, World } from "carom";
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
  core.use({ ...exports, ...replaced });
  try {
    run();
  } finally {
    core._start = _start;
    core.use(exports);
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
  for (const pose of [[2, 0], [2, 0, 1]]) {
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
  for (const pose of [["2", 0], [2, 0, "1"]]) assert.throws(() => world.move(id, ...pose), TypeError);
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
