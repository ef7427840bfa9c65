// The state of the room: two sprites with their places, and how they are shown.

import type { Json } from '../room';

export type Name = 'a' | 'b';
export type Look = 'pixels' | 'outline' | 'parts';
export const LOOKS: Look[] = ['pixels', 'outline', 'parts'];

/** One sprite. The image is a bundled name or a data address. Angles are in degrees. */
export interface Sprite {
  image: string;
  x: number;
  y: number;
  rotation: number;
}

export interface State {
  a: Sprite;
  b: Sprite;
  look: Look;
  /** Pixels with at least this alpha are solid. */
  threshold: number;
  /** Largest distance between the traced and the simplified outline, in pixels. */
  deviation: number;
}

export function firstState(): State {
  return {
    a: { image: 'ship', x: -28, y: 4, rotation: 0 },
    b: { image: 'bee', x: 42, y: -18, rotation: 0 },
    look: 'pixels',
    threshold: 128,
    deviation: 1,
  };
}

/** Checks a state of a link or file. Throws if a field is missing. */
export function readState(json: Json): State {
  const state = json as unknown as State;
  const sprite = (one: Sprite) =>
    one && typeof one.image === 'string' && [one.x, one.y, one.rotation].every(Number.isFinite);
  const fine =
    sprite(state.a) &&
    sprite(state.b) &&
    LOOKS.includes(state.look) &&
    [state.threshold, state.deviation].every(Number.isFinite);
  if (!fine) throw new Error('not a state of this room');
  return structuredClone(state);
}
