// The scene of crates/core/tests/world/determinism.rs, call by call through the package.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { World, ellipse } from "carom";

const MASK64 = (1n << 64n) - 1n;

/** The generator of the crate fastrand 2 (wyrand). */
class Random {
  constructor(seed) {
    this.state = seed;
  }

  bits() {
    this.state = (this.state + 0x2d358dccaa6c78a5n) & MASK64;
    const product = this.state * (this.state ^ 0x8bb84b93962eacc9n);
    return (product & MASK64) ^ (product >> 64n);
  }

  /** 0 to 1, without 1. */
  f64() {
    for (;;) {
      const number = Number(this.bits() >> 1n) / 2 ** 63;
      if (number < 1) return number;
    }
  }

  /** Lemire's method, with 32 or 64 bits. */
  below(count, width) {
    const mask = (1n << width) - 1n;
    let bits = this.bits() & mask;
    let product = bits * count;
    if ((product & mask) < count) {
      const threshold = (mask + 1n - count) % count;
      while ((product & mask) < threshold) {
        bits = this.bits() & mask;
        product = bits * count;
      }
    }
    return Number(product >> width);
  }

  u8(count) {
    return this.below(BigInt(count), 32n);
  }

  u64(count) {
    return this.below(BigInt(count), 64n);
  }
}

const length = ([x, y]) => Math.sqrt(x * x + y * y);

class Scene {
  constructor() {
    this.random = new Random(0xca20n);
    this.world = new World();
    this.movers = [];
    for (let i = 0; i < 6; i++) {
      const oneWay = i % 2 === 0 ? null : [0, 1];
      this.world.add({ rectangle: { width: 4, height: 0.5 } }, { x: i * 3, y: (i % 3) * 5 + 2, fixed: true, oneWay });
    }
    this.world.add(
      {
        chain: {
          points: [
            [0, 0],
            [5, 0.3],
            [11, -0.2],
            [18, 0],
          ],
        },
      },
      { fixed: true },
    );
    for (let i = 0; i < 40; i++) this.insert();
  }

  shape() {
    const size = 0.3 + this.random.f64() * 0.5;
    switch (this.random.u8(7)) {
      case 0:
        return { circle: { radius: size } };
      case 1:
        return { rectangle: { width: size, height: 2 * size } };
      case 2:
        return { capsule: { a: [-size, 0], b: [size, 0.1], radius: 0.2 } };
      case 3:
        return ellipse(size, 0.5 * size, 0.01);
      case 4:
        return {
          polygon: {
            points: [
              [0, 0],
              [1.1 * size, 0.2],
              [0.4, 1.3 * size],
            ],
            radius: 0.05,
          },
        };
      case 5:
        return { mask: { rows: ["##.#", "#..#", "####"], scale: 0.3 } };
      default:
        return {
          polygon: {
            points: [
              [0, 0],
              [1, 0],
              [1, 0.5],
              [0.5, 0.5],
              [0.5, 1],
              [0, 1],
            ],
          },
        };
    }
  }

  insert() {
    const { random } = this;
    const [x, y] = [random.f64() * 18, random.f64() * 15];
    const [shape, angle] = [this.shape(), random.f64() * 6];
    const id = this.world.add(shape, { x, y, angle, sensor: random.u8(8) === 0 });
    const velocity = [(random.f64() - 0.5) * 0.3, (random.f64() - 0.5) * 0.3];
    this.movers.push({ id, velocity, spin: (random.f64() - 0.5) * 0.1 });
  }

  step(frame) {
    const { world, movers, random } = this;
    movers.forEach((mover, i) => {
      const { id, velocity, spin } = mover;
      const pose = world.pose(id);
      const [x, y] = [pose.x + velocity[0], pose.y + velocity[1]];
      if (x < 0 || x >= 18 || y < 0 || y >= 15) {
        const home = [18 * 0.5 - x, 15 * 0.5 - y];
        const scale = length(velocity) / length(home);
        mover.velocity = [home[0] * scale, home[1] * scale];
      } else if (i % 3 === 0) {
        world.setMotion(id, ...velocity, spin);
      } else {
        world.move(id, x, y, pose.angle + spin);
      }
    });
    if (frame % 7 === 0) {
      const chosen = random.u64(movers.length);
      const gone = movers[chosen];
      movers[chosen] = movers.at(-1);
      movers.pop();
      world.remove(gone.id);
      this.insert();
    }
    if (frame % 50 === 0) world.restore(world.snapshot());
    world.update();
    for (const { mover, other, normal, sensor } of world.motionHits) {
      if (sensor) continue;
      for (const moving of movers.filter(({ id }) => id === mover || id === other)) {
        const away = moving.id === mover ? normal : [-normal[0], -normal[1]];
        const [vx, vy] = moving.velocity;
        const change = Math.min(2 * (vx * away[0] + vy * away[1]), 0);
        moving.velocity = [vx - away[0] * change, vy - away[1] * change];
      }
    }
  }
}

test("500 frames give the hash of the native library", () => {
  const native = readFileSync(new URL("../../../crates/core/tests/world/determinism.rs", import.meta.url), "utf8");
  const expected = BigInt(/AFTER_500: u64 = (0x[0-9a-f_]+)/.exec(native)[1].replaceAll("_", ""));
  const scene = new Scene();
  let hash = 0n;
  let begun = 0;
  for (let frame = 1; frame <= 500; frame++) {
    scene.step(frame);
    hash = ((hash ^ scene.world.hash()) * 0x0100000001b3n) & MASK64;
    begun += scene.world.events.begins.reduce((sum, begin) => sum + begin, 0);
  }
  assert.equal(hash.toString(16), expected.toString(16));
  assert.ok(begun > 500, `only ${begun} contacts began`);
});
