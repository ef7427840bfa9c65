// Measures the race outside the page: the same modules, in turns, in Node.

import { type Entrant, ENTRANTS } from "./engine";
import { Lane, type LaneReport } from "./lane";

/** Frames of each entrant before the measured ones. */
const WARM = 40;

/**
 * Returns the medians of all entrants that take `count` balls. Each round runs a frame of each entrant. `clock` returns
 * milliseconds.
 */
export async function measure(count: number, rounds: number, clock: () => number, seed = 1): Promise<LaneReport[]> {
  const lanes: Lane[] = [];
  const fits = ({ most }: Entrant): boolean => most >= count;
  for (const entrant of ENTRANTS.filter(fits)) lanes.push(await Lane.open(entrant, count, seed, clock));
  const run = (frames: number): void => {
    for (let round = 0; round < frames; round++) for (const lane of lanes) lane.frame();
  };
  run(WARM);
  for (const lane of lanes) lane.restart();
  run(rounds);
  const reports = lanes.map((lane) => lane.report(true));
  for (const lane of lanes) lane.close();
  return reports;
}

export { ENTRANTS };
