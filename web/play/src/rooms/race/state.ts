// The state of the room Race, as it stands in links.

import type { Json } from "../room";
import { ENTRANTS } from "./engine";

/** Numbers of balls to choose from. */
export const COUNTS = [200, 500, 1000, 2000, 5000, 10_000, 20_000];

export interface State {
  /** Index into `COUNTS`. */
  size: number;
  /** The entrant that is drawn. */
  shown: string;
  seed: number;
}

export const FIRST: State = { size: 3, shown: "carom", seed: 1 };

/** Reads a state of a link. Throws if it is not valid. */
export function readState(json: Json): State {
  const { size, shown, seed } = json as Partial<Record<keyof State, unknown>>;
  const known = ENTRANTS.some(({ id }) => id === shown);
  if (typeof size !== "number" || COUNTS[size] === undefined || !known) throw new Error("the state is not valid");
  return { size, shown: shown as string, seed: Number.isSafeInteger(seed) ? (seed as number) : FIRST.seed };
}
