// Adds the colliders of a scene file to a world.

import { boolean, describe, encodeShape, fields, number, optional, point } from "./encode.js";

const COLLIDER = ["id", "position", "rotation", "layers", "mask", "group", "sensor", "fixed", "one_way"];
/** Keys for bodies and motions, which a scene has and a world has not. */
const MOTION = ["moving", "motion", "body"];

function layersOf(layers, place) {
  if (layers === undefined) return [];
  if (!Array.isArray(layers)) throw new TypeError(`${place} is ${describe(layers)}: expected an array of layers`);
  return layers;
}

/** Checks a scene and returns its colliders as numbers. Nothing is added yet. */
export function readScene(scene) {
  const { carom, colliders } = fields(
    typeof scene === "string" ? JSON.parse(scene) : scene,
    "scene",
    ["carom", "colliders"],
    ["$schema", "y", "gravity", "walls"],
  );
  if (carom !== 1) throw new RangeError(`scene.carom is ${describe(carom)}: this version reads 1`);
  if (!Array.isArray(colliders)) throw new TypeError(`scene.colliders is ${describe(colliders)}: expected an array`);
  const names = new Set();
  // `from` visits the gaps of a sparse array.
  return Array.from(colliders, (collider, i) => {
    const place = `colliders[${i}]`;
    fields(collider, place, ["shape"], [...COLLIDER, ...MOTION]);
    const { id = `#${i}`, position = [0, 0], rotation = 0, group = 0, sensor = false, fixed = false } = collider;
    if (typeof id !== "string") throw new TypeError(`${place}.id is ${describe(id)}: expected a text`);
    if (collider.id !== undefined && id.startsWith("#")) {
      throw new RangeError(`${place}.id is "${id}": an id must not begin with #`);
    }
    if (names.has(id)) throw new RangeError(`${place}.id is "${id}", as that of another collider: ids are unique`);
    names.add(id);
    const numbers = [...point(position, `${place}.position`), number(rotation, `${place}.rotation`)];
    encodeShape(numbers, collider.shape, `${place}.shape`);
    const front = optional(point, collider.one_way, `${place}.one_way`);
    const layers = layersOf(collider.layers, `${place}.layers`);
    const mask = collider.mask === undefined ? null : layersOf(collider.mask, `${place}.mask`);
    return {
      id,
      place,
      numbers,
      layers: collider.layers === undefined ? [0] : layers,
      mask,
      group: group ?? 0,
      sensor: boolean(sensor, `${place}.sensor`),
      fixed: boolean(fixed, `${place}.fixed`),
      front,
    };
  });
}
