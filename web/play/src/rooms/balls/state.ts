// The state of the room Balls, as it stands in links.

import type { Json } from "../room";
import { type MethodId, methodOf } from "./methods";

/** Numbers of balls to choose from. */
export const COUNTS = [10, 20, 30, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000];

/** Actions per second to choose from. The last one is live: a step of the simulation per frame. */
export const SPEEDS = [1, 2, 5, 10, 30, 100, 300, 1000, 0] as const;
export const LIVE = SPEEDS.length - 1;

/** Up to this many balls the search is recorded and can be watched. */
export const WATCHED = 500;

export interface State {
  method: MethodId;
  /** Index into `COUNTS`. */
  size: number;
  /** Index into `SPEEDS`. */
  speed: number;
  seed: number;
}

export const FIRST: State = { method: "sweep", size: 1, speed: 2, seed: 1 };

/** Reads a state of a link. Throws if it is not valid. */
export function readState(json: Json): State {
  const { method, size, speed, seed } = json as Partial<Record<keyof State, unknown>>;
  const index = (value: unknown, list: readonly number[]): number => {
    if (typeof value !== "number" || list[value] === undefined) throw new Error("the state is not valid");
    return value;
  };
  const state = {
    method: methodOf(String(method)).id,
    size: index(size, COUNTS),
    speed: index(speed, SPEEDS),
    seed: Number.isSafeInteger(seed) ? (seed as number) : FIRST.seed,
  };
  return { ...state, size: Math.min(state.size, largest(state.method)) };
}

/** Returns the index of the most balls that a method takes. */
export function largest(method: MethodId): number {
  return COUNTS.findLastIndex((count) => count <= methodOf(method).most);
}
