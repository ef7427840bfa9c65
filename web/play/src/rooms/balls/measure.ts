// Measures the searches of one method at one size, without a simulation.

import type { Carom } from "../../carom";
import { median } from "./median";
import type { MethodId } from "./methods";
import { makeBalls, STEP } from "./scene";

/** Milliseconds for the searches of one size, and the least number of timed blocks. */
const BUDGET = 120;
const LEAST = 3;
/** A block has about so many boxes in all: the clock of a browser may be as coarse as 0.1 ms. */
const BLOCK = 20_000;

/** Returns the medians of tests and milliseconds of a search while the balls fly and bounce off the walls. */
export function searchTimes(
  { BroadPhase }: Carom,
  method: MethodId,
  count: number,
  seed: number,
): { tests: number; search: number } {
  const { side, radius, positions, velocities } = makeBalls(count, seed);
  const boxes = new Float64Array(4 * count);
  const broad = new BroadPhase(method);
  const move = (): void => {
    for (let i = 0; i < 2 * count; i++) {
      const x = positions[i]! + velocities[i]! * STEP;
      if (x < radius || x > side - radius) velocities[i] = -velocities[i]!;
      else positions[i] = x;
      const at = 4 * (i >> 1) + (i & 1);
      boxes[at] = positions[i]! - radius;
      boxes[at + 2] = positions[i]! + radius;
    }
  };
  // The first search sorts everything. The others are those of a running simulation.
  move();
  broad.update(boxes);
  const tests: number[] = [];
  const times: number[] = [];
  const length = Math.max(1, Math.floor(BLOCK / count));
  for (let spent = 0; times.length < LEAST || spent < BUDGET;) {
    const frames = Array.from({ length }, () => {
      move();
      return boxes.slice();
    });
    const start = performance.now();
    for (const frame of frames) broad.update(frame);
    const time = performance.now() - start;
    times.push(time / length);
    tests.push(broad.stats.boxTests);
    spent += Math.max(time, 1);
  }
  broad.dispose();
  return { tests: median(tests), search: median(times) };
}
