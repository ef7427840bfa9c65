// The names of shapes that the page shows.

import type { Shape } from "carom";
import { say } from "../../shell/language";
import { CATALOGUE, type Item } from "./state";
import { kindNames } from "./words";

/** Caches the results of `kindOf`: for each shape the kind of the catalogue whose shape is equal, or null. */
const kinds = new WeakMap<Shape, string | null>();

/** Returns the kind if its shape in the catalogue equals the shape, else null. */
function kindOf(shape: Shape, kind: string): string | null {
  let found = kinds.get(shape);
  if (found === undefined) {
    found = JSON.stringify(shape) === JSON.stringify(CATALOGUE[kind]) ? kind : null;
    kinds.set(shape, found);
  }
  return found;
}

/**
 * Returns the name of a shape in the language of the page. Its id is English, as in a saved file. A shape of another file
 * is called by its id.
 */
export function labelOf({ id, shape }: Item): string {
  const [, kind = "", number = ""] = /^([a-z]+)( \d+)?$/.exec(id) ?? [];
  if (!Object.hasOwn(CATALOGUE, kind) || kindOf(shape, kind) !== kind) return id;
  return say(kindNames[kind]!) + number;
}
