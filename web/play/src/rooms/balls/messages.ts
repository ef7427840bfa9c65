// The messages between the page and the worker that simulates.

import type { MethodId } from "./methods";

/** Arrays that travel between both sides, so that no step allocates. */
export interface Buffers {
  /** x, y of each ball. */
  positions: Float32Array<ArrayBuffer>;
  /** 1 for each ball that touches another one. */
  touching: Uint8Array<ArrayBuffer>;
}

/** Every action of one search, as `BroadPhase` records it, and the orders before it. */
export interface Trace {
  /** Kind, a, b each. See `BroadPhase.steps`. */
  steps: Uint32Array<ArrayBuffer>;
  orders: [Uint32Array<ArrayBuffer>, Uint32Array<ArrayBuffer>];
}

/** Counts of one search. */
export interface Counts {
  tests: number;
  swaps: number;
  pairs: number;
  /** The method that did the work, and the reason of the choice. */
  strategy: string;
  reason: string;
}

export type ToWorker =
  /** Makes balls, or with `keep` gives the balls of now to another method. */
  | { kind: "setup"; run: number; method: MethodId; count: number; seed: number; keep: boolean; trace: boolean }
  /** Runs one step. */
  | { kind: "step"; run: number; buffers: Buffers | null }
  /** Measures searches without a simulation: one answer for each method and count. */
  | { kind: "measure"; methods: MethodId[]; counts: number[]; seed: number };

export type FromWorker =
  | {
      kind: "frame";
      run: number;
      buffers: Buffers;
      counts: Counts;
      /** Milliseconds of the method's search, and of the step of the simulation. */
      search: number;
      step: number;
      energy: number;
      trace: Trace | null;
    }
  | { kind: "measured"; method: MethodId; count: number; tests: number; search: number }
  | { kind: "measured all" }
  /** The package did not arrive. */
  | { kind: "not loaded"; message: string }
  | { kind: "failed"; message: string };
