// Turns shapes (plain objects) into numbers. `web/wasm/src/shape_input.rs` reads them.

/** Returns the keys of an object, or throws if one is unknown or missing. */
export function fields(object, place, required, optional) {
  if (typeof object !== "object" || object === null || Array.isArray(object)) {
    throw new TypeError(
      `${place} is ${describe(object)}: expected an object with ${either([...required, ...optional])}`,
    );
  }
  for (const key of Object.keys(object)) {
    if (!required.includes(key) && !optional.includes(key)) {
      throw new TypeError(`${place} has the unknown key "${key}": expected ${either([...required, ...optional])}`);
    }
  }
  for (const key of required) {
    if (object[key] === undefined) throw new TypeError(`${place} has no "${key}"`);
  }
  return object;
}

function either(names) {
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} or ${names.at(-1)}` : names[0];
}

/** Describes a value in a message. */
export function describe(value) {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "function") return "a function";
  if (typeof value !== "object" || value === null) return String(value);
  const kind = kindOf(value);
  if (kind === "Array" && value.length === 0) return "an empty array";
  const name = kind === "Array" || kind === "Object" ? kind.toLowerCase() : kind;
  const article = /^[AEIO]/i.test(name) ? "an" : "a";
  const hint = kind === "Promise" ? " (await is missing)" : "";
  return `${article} ${name}${typeof value.length === "number" ? ` of length ${value.length}` : ""}${hint}`;
}

/**
 * Returns the name of the kind of an object, such as "Array" or "Uint8Array". It is the same for all pages and
 * workers.
 */
export function kindOf(object) {
  return Object.prototype.toString.call(object).slice(8, -1);
}

/** Returns a number, or throws. NaN passes, because the library refuses it with its own message. */
export function number(value, place) {
  if (typeof value !== "number") throw new TypeError(`${place} is ${describe(value)}: expected a number`);
  return value;
}

/** Returns a number that is not NaN, or throws: for settings, whose default is NaN in the module. */
export function setting(value, place) {
  if (Number.isNaN(number(value, place))) throw new RangeError(`${place} is NaN: expected a number`);
  return value;
}

/** Returns an id, or throws. The module makes a whole number of its argument, which could be the id of another collider. */
export function idOf(value, place) {
  if (!(number(value, place) >= 0 && Number.isSafeInteger(value))) {
    throw new RangeError(`no collider has the id ${value}: ids are whole numbers from 0 to 2^53 - 1`);
  }
  return value;
}

/** Returns a length of 0 to 1e30, or throws. */
export function length(value, place) {
  if (!(number(value, place) >= 0 && value <= 1e30)) {
    throw new RangeError(`${place} is ${value}: it must be from 0 to 1e30`);
  }
  return value;
}

/** Returns an array of numbers, or throws. NaN passes, as in `number`. */
export function list(values, place) {
  if (typeof values !== "object" || typeof values?.length !== "number") {
    throw new TypeError(`${place} is ${describe(values)}: expected an array of numbers`);
  }
  if (ArrayBuffer.isView(values)) checkAttached(values, place);
  // The elements of a typed array have one type.
  const count = ArrayBuffer.isView(values) ? Math.min(values.length, 1) : values.length;
  for (let i = 0; i < count; i++) {
    if (typeof values[i] !== "number") number(values[i], `${place}[${i}]`);
  }
  return values;
}

/** Throws if a view is detached: the memory of the module has grown since. Such a view has the length 0. */
function checkAttached(view, place) {
  if (view.length > 0) return;
  try {
    new Uint8Array(view.buffer);
  } catch {
    throw new TypeError(`${place} is a view that a later call detached: read it again, or keep a copy (slice)`);
  }
}

/** Returns a world, or throws. */
export function worldOf(value) {
  if (typeof value?._call !== "function" || typeof value.rayCast !== "function") {
    throw new TypeError(`world is ${describe(value)}: expected a World`);
  }
  return value;
}

/** Returns `[x, y]`, or throws. */
export function point(value, place) {
  if (typeof value !== "object" || value?.length !== 2) {
    throw new TypeError(`${place} is ${describe(value)}: expected a point [x, y]`);
  }
  for (let i = 0; i < 2; i++) {
    // The text of the place costs time, so only a wrong number makes it.
    if (typeof value[i] !== "number") number(value[i], `${place}[${i}]`);
  }
  return value;
}

/** Returns the position of one shape of many, or throws. The message of the library would not name the place. */
export function position(value, place) {
  point(value, place);
  for (let i = 0; i < 2; i++) {
    if (Math.abs(value[i]) <= 1e30) continue;
    throw new RangeError(`${place}[${i}] is ${value[i]}: it must be from -1e30 to 1e30`);
  }
  return value;
}

/** Returns null for null and undefined, and the checked value for others. */
export function optional(check, value, place) {
  return value === null || value === undefined ? null : check(value, place);
}

/** Returns 1 for true and 0 for false, or throws. */
export function boolean(value, place) {
  if (typeof value !== "boolean") throw new TypeError(`${place} is ${describe(value)}: expected true or false`);
  return value ? 1 : 0;
}

function points(out, values, place) {
  if (!Array.isArray(values)) throw new TypeError(`${place} is ${describe(values)}: expected points [[x, y], …]`);
  out.push(values.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value?.length !== 2 || typeof value[0] !== "number" || typeof value[1] !== "number") {
      point(value, `${place}[${i}]`);
    }
    out.push(value[0], value[1]);
  }
}

/** Appends the rings of a polygon. */
export function rings(out, polygon, place) {
  const holes = polygon.holes ?? [];
  if (!Array.isArray(holes)) throw new TypeError(`${place}.holes is ${describe(holes)}: expected an array of rings`);
  out.push(1 + holes.length);
  points(out, polygon.points, `${place}.points`);
  // `forEach` would skip the gaps of a sparse array.
  for (let i = 0; i < holes.length; i++) points(out, holes[i], `${place}.holes[${i}]`);
}

/** Appends the size and the pixels of a mask, 32 in a number. */
export function pixels(out, mask, place) {
  const { rows } = mask;
  if (!Array.isArray(rows) || rows.length === 0) {
    throw new TypeError(`${place}.rows is ${describe(rows)}: expected texts of # and .`);
  }
  for (let y = 0; y < rows.length; y++) {
    if (typeof rows[y] === "string") continue;
    throw new TypeError(`${place}.rows[${y}] is ${describe(rows[y])}: expected a text of # and .`);
  }
  const width = rows[0].length;
  out.push(width, rows.length);
  let word = 0;
  let bit = 0;
  for (let y = 0; y < rows.length; y++) {
    const row = rows[y];
    if (row.length !== width) throw new TypeError(`${place}.rows[${y}] is not as long as the first row`);
    for (let x = 0; x < width; x++) {
      const pixel = row[x];
      if (pixel === "#") word |= 1 << bit;
      else if (pixel !== ".") {
        throw new TypeError(`${place}.rows[${y}] contains ${JSON.stringify(pixel)}: expected # (solid) or . (empty)`);
      }
      if (++bit === 32) {
        out.push(word >>> 0);
        word = bit = 0;
      }
    }
  }
  if (bit > 0) out.push(word >>> 0);
}

const radius = (shape, place) => number(shape.radius ?? 0, `${place}.radius`);

const KINDS = {
  circle(out, shape, place) {
    fields(shape, place, ["radius"], []);
    out.push(0, number(shape.radius, `${place}.radius`));
  },
  capsule(out, shape, place) {
    fields(shape, place, ["a", "b", "radius"], []);
    out.push(1, ...point(shape.a, `${place}.a`), ...point(shape.b, `${place}.b`));
    out.push(number(shape.radius, `${place}.radius`));
  },
  segment(out, shape, place) {
    fields(shape, place, ["a", "b"], ["radius"]);
    out.push(2, ...point(shape.a, `${place}.a`), ...point(shape.b, `${place}.b`), radius(shape, place));
  },
  rectangle(out, shape, place) {
    fields(shape, place, ["width", "height"], ["radius"]);
    out.push(3, number(shape.width, `${place}.width`), number(shape.height, `${place}.height`), radius(shape, place));
  },
  polygon(out, shape, place) {
    fields(shape, place, ["points"], ["holes", "radius"]);
    out.push(4);
    rings(out, shape, place);
    out.push(radius(shape, place));
  },
  ellipse(out, shape, place) {
    fields(shape, place, ["radius_x", "radius_y"], ["deviation"]);
    const [x, y] = [number(shape.radius_x, `${place}.radius_x`), number(shape.radius_y, `${place}.radius_y`)];
    out.push(8, x, y, number(shape.deviation ?? Math.max(x, y) * DEVIATION, `${place}.deviation`));
  },
  chain(out, shape, place) {
    fields(shape, place, ["points"], ["closed", "one_sided", "radius"]);
    out.push(5, boolean(shape.closed ?? false, `${place}.closed`));
    out.push(boolean(shape.one_sided ?? false, `${place}.one_sided`), radius(shape, place));
    points(out, shape.points, `${place}.points`);
  },
  compound(out, children, place, depth) {
    // As in the module. A compound that contains itself has no end.
    if (depth >= MAX_DEPTH) {
      const outermost = place.slice(0, place.indexOf(".compound"));
      throw new RangeError(`${outermost}: compounds are nested deeper than ${MAX_DEPTH}: use fewer levels`);
    }
    if (!Array.isArray(children)) throw new TypeError(`${place} is ${describe(children)}: expected an array of shapes`);
    out.push(6, children.length);
    for (let i = 0; i < children.length; i++) {
      const inside = `${place}[${i}]`;
      const child = fields(children[i], inside, ["shape"], ["position", "rotation"]);
      out.push(...position(child.position ?? [0, 0], `${inside}.position`));
      out.push(number(child.rotation ?? 0, `${inside}.rotation`));
      encodeShape(out, child.shape, `${inside}.shape`, depth + 1);
    }
  },
  mask(out, shape, place) {
    if (shape?.image !== undefined) {
      throw new TypeError(`${place}.image names a file: read it with "carom/files" or maskFromImage, which make rows`);
    }
    fields(shape, place, ["rows"], ["scale", "radius", "threshold"]);
    const scale = shape.scale ?? 1;
    if (typeof scale === "number" && !(scale > 0)) {
      throw new RangeError(`${place}.scale is ${scale}: a scale is above 0; [x, y] mirrors`);
    }
    out.push(7, ...(typeof scale === "number" ? [scale, scale] : point(scale, `${place}.scale`)), radius(shape, place));
    pixels(out, shape, place);
  },
};

/** Deviation of an ellipse without one, relative to the larger radius. As in scene files. */
const DEVIATION = 1e-3;

/** Levels of compounds, at most. */
const MAX_DEPTH = 64;

const EXAMPLE = "expected a shape such as {circle: {radius: 1}}";

/** Appends a shape. */
export function encodeShape(out, shape, place = "shape", depth = 0) {
  if (typeof shape !== "object" || shape === null || Array.isArray(shape)) {
    throw new TypeError(`${place} is ${describe(shape)}: ${EXAMPLE}`);
  }
  const keys = Object.keys(shape);
  if (keys.length === 0) {
    const found = kindOf(shape) === "Object" ? "has no key" : `is ${describe(shape)}`;
    throw new TypeError(`${place} ${found}: ${EXAMPLE}`);
  }
  const encode = Object.hasOwn(KINDS, keys[0]) ? KINDS[keys[0]] : null;
  if (!encode)
    throw new TypeError(
      `${place} has the key ${describe(keys[0])}: ${EXAMPLE}; the kinds are ${Object.keys(KINDS).join(", ")}`,
    );
  if (keys.length > 1) throw new TypeError(`${place} has one key, its kind, but also "${keys[1]}"`);
  encode(out, shape[keys[0]], `${place}.${keys[0]}`, depth);
}

/** Appends a placed shape: x, y, angle, shape. */
export function encodePlaced(out, placeable, place) {
  if (typeof placeable === "object" && placeable !== null && "shape" in placeable) {
    fields(placeable, place, ["shape"], ["x", "y", "angle"]);
    const { shape, x = 0, y = 0, angle = 0 } = placeable;
    out.push(number(x, `${place}.x`), number(y, `${place}.y`), number(angle, `${place}.angle`));
    encodeShape(out, shape, `${place}.shape`);
  } else {
    out.push(0, 0, 0);
    encodeShape(out, placeable, place);
  }
}

/** Returns the numbers of two placed shapes. */
export function encodePair(a, b) {
  const out = [];
  encodePlaced(out, a, "a");
  encodePlaced(out, b, "b");
  return out;
}
