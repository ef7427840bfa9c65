// Makes balls in a square box from a seed. Every engine and every method gets the same ones.

import type { SceneFile } from "../room";

/** Balls in a square box. */
export interface BallScene {
  readonly count: number;
  /** Side of the box: x and y of the walls are 0 and `side`. */
  readonly side: number;
  readonly radius: number;
  /** x, y of each ball. */
  readonly positions: Float64Array;
  /** x, y of each velocity, in units per second. */
  readonly velocities: Float64Array;
}

/** Share of the box that balls cover. */
export const COVERED = 0.3;
/** Radius of every ball. */
export const RADIUS = 0.5;
/** Seconds per step. */
export const STEP = 1 / 60;

/** Returns a generator of numbers in 0 ≤ x < 1 (mulberry32). */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Returns the side of the box for a number of balls. */
export function sideFor(count: number): number {
  return Math.sqrt((count * Math.PI * RADIUS * RADIUS) / COVERED);
}

/** Makes balls of equal mass, one in each cell of a grid, with speeds from 1 to 5. They do not overlap. */
export function makeBalls(count: number, seed = 1): BallScene {
  const next = random(seed);
  const side = sideFor(count);
  const perRow = Math.ceil(Math.sqrt(count));
  const cell = side / perRow;
  const cells = shuffled(perRow * perRow, next);
  const positions = new Float64Array(2 * count);
  const velocities = new Float64Array(2 * count);
  for (let i = 0; i < count; i++) {
    const at = cells[i]!;
    positions[2 * i] = cell * (at % perRow) + RADIUS + next() * (cell - 2 * RADIUS);
    positions[2 * i + 1] = cell * Math.floor(at / perRow) + RADIUS + next() * (cell - 2 * RADIUS);
    const angle = next() * 2 * Math.PI;
    const speed = 1 + 4 * next();
    velocities[2 * i] = speed * Math.cos(angle);
    velocities[2 * i + 1] = speed * Math.sin(angle);
  }
  return { count, side, radius: RADIUS, positions, velocities };
}

/** Returns the balls at the start as a scene file, with velocities and walls. */
export function ballsFile(count: number, seed: number): SceneFile {
  const { side, positions, velocities } = makeBalls(count, seed);
  const colliders = Array.from({ length: count }, (_, i) => ({
    shape: { circle: { radius: RADIUS } },
    position: [positions[2 * i], positions[2 * i + 1]],
    body: { mass: 1, velocity: [velocities[2 * i], velocities[2 * i + 1]], restitution: 1 },
  }));
  return { carom: 1, colliders, walls: [0, 0, side, side] };
}

/** Returns 0 … count − 1 in random order. */
function shuffled(count: number, next: () => number): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, index) => index);
  for (let i = count - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1));
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}
