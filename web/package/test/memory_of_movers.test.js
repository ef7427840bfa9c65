// Memory of movers and particles. A file of its own: the memory that other tests leave would hide a leak.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Mover, Particles, World } from "carom";
import { freed } from "./garbage.js";

const ball = { circle: { radius: 1 } };

/** Makes many movers and particles, each with memory of its own. */
function crowd(world, id, keep) {
  for (let i = 0; i < 500; i++) {
    const mover = new Mover(world, id);
    mover.move(0.1, 0);
    mover.move(-0.1, 0);
    const particles = new Particles(world);
    for (let k = 0; k < 20; k++) particles.add(k);
    keep(mover, particles);
  }
}

/** Returns a world with a collider for a mover and others for particles. */
function crowdedWorld() {
  const world = new World();
  for (let k = 0; k < 20; k++) world.add(ball, { x: 3 * k });
  return [world, world.add(ball, { y: 9 })];
}

test("forgotten movers and particles are freed while their world lives", async () => {
  const [world, id] = crowdedWorld();
  const sizes = [];
  for (let round = 0; round < 8; round++) {
    const owned = [];
    crowd(world, id, (mover, particles) => owned.push(mover._owned, particles._owned));
    assert.ok(owned.length === 1000 && owned.every((one) => one._lives));
    sizes.push(world.ids.buffer.byteLength);
    await freed(owned);
  }
  assert.equal(sizes.at(-1), sizes[1], `${sizes}`);
});

test("dispose frees movers and particles", () => {
  const [world, id] = crowdedWorld();
  const sizes = [];
  for (let round = 0; round < 8; round++) {
    const made = [];
    crowd(world, id, (...both) => made.push(...both));
    sizes.push(world.ids.buffer.byteLength);
    for (const one of made) one.dispose();
  }
  assert.equal(sizes.at(-1), sizes[0], `${sizes}`);
});
