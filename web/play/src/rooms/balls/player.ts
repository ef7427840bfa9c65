// Plays the recorded actions of one search, one by one.

import type { Trace } from "./messages";

/** Kinds of recorded actions. See `BroadPhase.steps`. */
export const APART = 0;
export const HIT = 1;
export const SWAP_X = 2;
export const SWAP_Y = 3;
export const LINE = 4;
export const STOP = 5;

export interface Action {
  kind: number;
  a: number;
  b: number;
}

/** The state of a search after some of its actions. */
export class Player {
  /** Number of actions that were executed. */
  at = 0;
  tests = 0;
  swaps = 0;
  /** The last action. */
  last: Action | null = null;
  /** The ball at the sweep line, or −1. */
  swept = -1;
  /** Pairs that were tested, a, b each, and those of them whose boxes intersect. */
  readonly tested: number[] = [];
  readonly hits: number[] = [];
  /** The order of each axis: ids of balls, or of edges (2 × ball, + 1 for an upper edge). */
  readonly orders: [Uint32Array, Uint32Array];
  private readonly places: [Uint32Array, Uint32Array];

  constructor(private readonly trace: Trace) {
    this.orders = [trace.orders[0].slice(), trace.orders[1].slice()];
    this.places = [inverse(this.orders[0]), inverse(this.orders[1])];
  }

  get length(): number {
    return this.trace.steps.length / 3;
  }

  get done(): boolean {
    return this.at >= this.length;
  }

  /** Executes up to `count` actions. */
  advance(count: number): void {
    for (let left = count; left > 0 && !this.done; left--) this.execute();
  }

  private execute(): void {
    const { steps } = this.trace;
    const [kind, a, b] = [steps[3 * this.at]!, steps[3 * this.at + 1]!, steps[3 * this.at + 2]!];
    this.at++;
    this.last = { kind, a, b };
    if (kind === APART || kind === HIT) {
      this.tests++;
      this.tested.push(a, b);
      if (kind === HIT) this.hits.push(a, b);
    } else if (kind === SWAP_X || kind === SWAP_Y) {
      this.swaps++;
      this.swap(kind === SWAP_X ? 0 : 1, a, b);
    } else if (kind === LINE) this.swept = a;
  }

  private swap(axis: 0 | 1, a: number, b: number): void {
    const [order, place] = [this.orders[axis], this.places[axis]];
    const at = place[a]!;
    order[at] = b;
    order[at + 1] = a;
    place[b] = at;
    place[a] = at + 1;
  }
}

/** Returns the index of each value. */
function inverse(order: Uint32Array): Uint32Array {
  const places = new Uint32Array(order.length);
  order.forEach((value, index) => {
    places[value] = index;
  });
  return places;
}
