// The messages between the page and the worker of the race.

import type { LaneReport } from "./lane";

export type ToRace =
  | { kind: "start"; run: number; ids: string[]; count: number; seed: number; shown: string }
  | { kind: "show"; id: string }
  /** Runs a round: a frame of each entrant. */
  | { kind: "round"; run: number };

export type FromRace =
  | { kind: "loaded"; run: number; id: string }
  | { kind: "failed"; run: number; id: string; message: string }
  | { kind: "ready"; run: number }
  | { kind: "round"; run: number; reports: LaneReport[]; shown: string; positions: Float32Array<ArrayBuffer> };
