// The state of the room: two sprites with their places, and how they are shown.

import { drawable, type Json } from "../room";
import { BUNDLED } from "./sprites";

export type Name = "a" | "b";
export type Look = "pixels" | "outline" | "parts";
export const LOOKS: Look[] = ["pixels", "outline", "parts"];

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
    a: { image: "ship", x: -28, y: 4, rotation: 0 },
    b: { image: "bee", x: 42, y: -18, rotation: 0 },
    look: "pixels",
    threshold: 128,
    deviation: 1,
  };
}

/** Checks a state of a link or file. Throws if a field is missing. */
export function readState(json: Json): State {
  const { a, b, look, threshold, deviation } = json as unknown as State;
  // A link never makes the page load an image from another place.
  const image = (value: string) => Object.hasOwn(BUNDLED, value) || /^data:image\/[\w.+-]+;base64,/.test(value);
  const sprite = (one: Sprite) => image(one.image) && drawable(one.x, one.y, one.rotation);
  const within = (value: number, min: number, max: number) => drawable(value) && value >= min && value <= max;
  const fine = sprite(a) && sprite(b) && LOOKS.includes(look) && within(threshold, 1, 255) && within(deviation, 0, 6);
  if (!fine) throw new Error("not a state of this room");
  return structuredClone({ a, b, look, threshold, deviation });
}
