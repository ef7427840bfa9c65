// Runs the entrants of a race in turns, a frame each.

import { median } from "../balls/median";
import { makeBalls } from "../balls/scene";
import type { Engine, Entrant } from "./engine";

/** Medians are taken over this many frames. */
const WINDOW = 60;

/** What a lane shows. */
export interface LaneReport {
  id: string;
  /** Median milliseconds of a frame. */
  milliseconds: number;
  frames: number;
  /** Kinetic energy divided by that at the start. */
  energy: number;
}

/** One entrant with its balls. Each has its own copy of the same balls. */
export class Lane {
  private readonly times: number[] = [];
  private frames = 0;

  private constructor(
    readonly entrant: Entrant,
    private readonly engine: Engine,
    private readonly first: number,
    private readonly positions: Float32Array<ArrayBuffer>,
    private readonly clock: () => number,
  ) {}

  /** Loads the entrant's code and makes the balls. `clock` returns milliseconds. */
  static async open(entrant: Entrant, count: number, seed: number, clock = () => performance.now()): Promise<Lane> {
    const engine = await entrant.load(makeBalls(count, seed));
    return new Lane(entrant, engine, engine.energy(), new Float32Array(2 * count), clock);
  }

  /** Runs a frame, and reads the positions of all balls: that is part of the frame. */
  frame(): number {
    const start = this.clock();
    this.engine.frame();
    this.engine.read(this.positions);
    const time = this.clock() - start;
    this.frames++;
    // The first frames compile code and find the first contacts.
    if (this.frames > 2) this.times.push(time);
    return time;
  }

  /** Drops the times that were measured so far. */
  restart(): void {
    this.times.length = 0;
  }

  /** Returns a copy of the positions. */
  copy(): Float32Array<ArrayBuffer> {
    return this.positions.slice();
  }

  /** With `all`, the median is that of all frames, else of the last ones. */
  report(all = false): LaneReport {
    const times = all ? this.times : this.times.slice(-WINDOW);
    const { entrant, frames } = this;
    return { id: entrant.id, milliseconds: median(times), frames, energy: this.engine.energy() / this.first };
  }

  close(): void {
    this.engine.dispose();
  }
}
