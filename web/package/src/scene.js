// Turns the colliders of a scene file into numbers. `web/wasm/src/world.rs` reads them.

import { boolean, describe, encodeShape, fields, kindOf, number, optional, point, position } from "./encode.js";

/** Optional keys of a collider. */
const KEYS = [
  "id",
  "position",
  "rotation",
  "layers",
  "mask",
  "group",
  "sensor",
  "fixed",
  "one_way",
  // For bodies and motions, which a scene has and a world has not.
  "moving",
  "motion",
  "body",
];

/** Flags of `world_add`. */
export const SENSOR = 1;
export const FIXED = 2;
export const DISABLED = 4;
export const ONE_WAY = 8;
const DEGREES = 16;

const ORIGIN = [0, 0];
const DEFAULT_LAYERS = [0];

function layersOf(layers, place) {
  if (!Array.isArray(layers)) throw new TypeError(`${place} is ${describe(layers)}: expected an array of layers`);
  return layers;
}

/** Returns an integer from 0 to 2^32 - 1, or throws. */
export function groupOf(value, place) {
  if (!Number.isInteger(value) || value < 0 || value > 0xffffffff) {
    throw new RangeError(`${place} is ${describe(value)}: expected an integer from 0 to 4294967295`);
  }
  return value;
}

/** Returns a scene as an object: a text is parsed. */
function parse(scene) {
  let object = scene;
  if (typeof scene === "string") {
    try {
      object = JSON.parse(scene);
    } catch (cause) {
      throw new SyntaxError(`scene is no JSON: ${cause.message}`, { cause });
    }
  }
  if (typeof object === "object" && object !== null && object.carom === undefined) {
    if (!["Object", "Array"].includes(kindOf(object))) {
      throw new TypeError(
        `scene is ${describe(object)}: expected an object or its JSON text; "carom/files" reads files`,
      );
    }
    throw new TypeError(
      'scene has no "carom": it is no scene of carom; read Tiled, SVG and other files with "carom/files"',
    );
  }
  return object;
}

/** Checks a scene. Returns the ids of its colliders, and their numbers for the module. Nothing is added yet. */
export function readScene(scene, layers) {
  const optionalKeys = ["$schema", "y", "gravity", "walls"];
  const { carom, colliders } = fields(parse(scene), "scene", ["carom", "colliders"], optionalKeys);
  if (carom !== 1) throw new RangeError(`scene.carom is ${describe(carom)}: this version reads 1`);
  if (!Array.isArray(colliders)) throw new TypeError(`scene.colliders is ${describe(colliders)}: expected an array`);
  // Numbers first: a name never gets a number that the scene uses, also by default.
  for (const collider of colliders) {
    layers.reserve(collider?.layers ?? DEFAULT_LAYERS);
    layers.reserve(collider?.mask);
  }
  const numbers = [];
  const names = [];
  const given = new Set();
  // `for of` visits the gaps of a sparse array.
  for (const collider of colliders) {
    const id = readCollider(numbers, collider, names.length, layers);
    if (id !== undefined) {
      if (given.has(id)) {
        const place = `colliders[${names.length}].id`;
        throw new RangeError(`${place} is "${id}", as that of another collider: ids are unique`);
      }
      given.add(id);
    }
    names.push(id ?? `#${names.length}`);
  }
  return { numbers, names };
}

/**
 * Appends the numbers of `world_add_all` for one collider: the parameters of `world_add`, then the placed shape.
 * Returns the id that the scene gives it.
 */
function readCollider(out, collider, index, worldLayers) {
  const place = `colliders[${index}]`;
  fields(collider, place, ["shape"], KEYS);
  const { id, position: at = ORIGIN, rotation = 0, group, sensor = false, fixed = false } = collider;
  const { shape, layers = DEFAULT_LAYERS, mask, one_way: oneWay } = collider;
  if (id !== undefined) {
    if (typeof id !== "string") throw new TypeError(`${place}.id is ${describe(id)}: expected a text`);
    if (id.startsWith("#")) throw new RangeError(`${place}.id is "${id}": an id must not begin with #`);
  }
  const front = optional(point, oneWay, `${place}.one_way`);
  const flags = (boolean(sensor, `${place}.sensor`) ? SENSOR : 0) | (boolean(fixed, `${place}.fixed`) ? FIXED : 0);
  const [low, high] = worldLayers.bits(layersOf(layers, `${place}.layers`), `${place}.layers: `);
  const onlyLayers = mask === undefined ? undefined : layersOf(mask, `${place}.mask`);
  const [maskLow, maskHigh] = worldLayers.filter(onlyLayers, `${place}.mask: `);
  const inGroup = groupOf(group ?? 0, `${place}.group`);
  out.push(low, high, maskLow, maskHigh, inGroup, flags | DEGREES | (front ? ONE_WAY : 0));
  const [frontX, frontY] = front ?? ORIGIN;
  const [x, y] = position(at, `${place}.position`);
  out.push(frontX, frontY, x, y, number(rotation, `${place}.rotation`));
  encodeShape(out, shape, `${place}.shape`);
  return id;
}
