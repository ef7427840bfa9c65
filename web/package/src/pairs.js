// Queries of two shapes, without a world.

import { core } from "./core.js";
import {
  boolean,
  encodePair,
  encodePlaced,
  encodeShape,
  fields,
  length,
  number,
  pixels,
  point,
  rings,
} from "./encode.js";
import { cursorOf, readDistance, readImpact, readManifold } from "./results.js";

export function intersects(a, b) {
  core.input(encodePair(a, b));
  return core.call("pair_intersects");
}

export function overlaps(a, b) {
  core.input(encodePair(a, b));
  return core.call("pair_overlaps");
}

export function collide(a, b, margin = 0) {
  core.input(encodePair(a, b));
  return core.call("pair_collide", length(margin, "margin")) ? readManifold(cursorOf(core)) : null;
}

export function manifolds(a, b, margin = 0) {
  core.input(encodePair(a, b));
  core.call("pair_manifolds", length(margin, "margin"));
  return cursorOf(core).list(readManifold);
}

export function distance(a, b) {
  core.input(encodePair(a, b));
  core.call("pair_distance");
  return readDistance(core.output());
}

export function contains(a, b) {
  core.input(encodePair(a, b));
  return core.call("pair_contains");
}

export function containsPoint(a, x, y) {
  const out = [];
  encodePlaced(out, a, "a");
  core.input(out);
  return core.call("contains_point", number(x, "x"), number(y, "y"));
}

/** Returns the numbers of a motion. */
export function motionNumbers(motion, place) {
  if (motion === null || motion === undefined) return [0, 0, 0];
  const { dx = 0, dy = 0, rotation = 0 } = fields(motion, place, [], ["dx", "dy", "rotation"]);
  return [number(dx, `${place}.dx`), number(dy, `${place}.dy`), number(rotation, `${place}.rotation`)];
}

function inputMotions(a, motionA, b, motionB) {
  core.input([...motionNumbers(motionA, "motionA"), ...motionNumbers(motionB, "motionB"), ...encodePair(a, b)]);
}

export function timeOfImpact(a, motionA, b, motionB = null) {
  inputMotions(a, motionA, b, motionB);
  return core.call("pair_time_of_impact") ? readImpact(cursorOf(core)) : null;
}

const SOURCES = ["edge of a", "edge of b", "nearest", "union"];

export function explain(a, b) {
  core.input(encodePair(a, b));
  core.call("pair_explain");
  const cursor = cursorOf(core);
  const found = {
    intersects: cursor.flag(),
    overlaps: cursor.flag(),
    depth: cursor.optional(),
    distance: cursor.next(),
    deciding: cursor.next(),
    partA: cursor.next(),
    partB: cursor.next(),
  };
  const axes = cursor.list(() => {
    const normal = cursor.vec();
    const [source, edge] = cursor.vec();
    return {
      normal,
      source: SOURCES[source],
      edge: source < 2 ? edge : null,
      projectionA: cursor.vec(),
      projectionB: cursor.vec(),
      overlap: cursor.next(),
      decides: cursor.flag(),
    };
  });
  return { ...found, axes };
}

function readVertex(cursor) {
  return {
    difference: cursor.vec(),
    pointA: cursor.vec(),
    pointB: cursor.vec(),
    vertexA: cursor.next(),
    vertexB: cursor.next(),
  };
}

export function explainGjk(a, b) {
  core.input(encodePair(a, b));
  core.call("pair_explain_gjk");
  const cursor = cursorOf(core);
  const found = {
    containsOrigin: cursor.flag(),
    intersects: cursor.flag(),
    radius: cursor.next(),
    distance: cursor.next(),
    partA: cursor.next(),
    partB: cursor.next(),
    simplex: cursor.list(readVertex),
    difference: cursor.ring(),
  };
  const steps = cursor.list(() => ({
    simplex: cursor.list(readVertex),
    direction: cursor.vec(),
    support: readVertex(cursor),
    upperBound: cursor.next(),
    lowerBound: cursor.next(),
  }));
  return { ...found, steps };
}

const METHODS = ["start", "clip", "advancement"];

export function explainTimeOfImpact(a, motionA, b, motionB = null) {
  inputMotions(a, motionA, b, motionB);
  core.call("pair_explain_time_of_impact");
  const cursor = cursorOf(core);
  const method = METHODS[cursor.next()];
  const [partA, partB] = cursor.vec();
  const meets = cursor.flag();
  const impact = readImpact(cursor);
  const steps = cursor.list(() => ({
    time: cursor.next(),
    gap: cursor.next(),
    normal: cursor.vec(),
    pointA: cursor.vec(),
    pointB: cursor.vec(),
  }));
  return { method, steps, impact: meets ? impact : null, partA, partB };
}

export function parts(shape) {
  const out = [];
  encodePlaced(out, shape, "shape");
  core.input(out);
  core.call("shape_parts");
  return cursorOf(core).list((cursor) => ({ radius: cursor.next(), points: cursor.ring() }));
}

export function decompose(shape, options = {}) {
  fields(shape, "shape", ["polygon"], []);
  fields(shape.polygon, "shape.polygon", ["points"], ["holes", "radius"]);
  const optimal = boolean(fields(options, "options", [], ["optimal"]).optimal ?? false, "optimal");
  const out = [];
  rings(out, shape.polygon, "shape.polygon");
  core.input(out);
  core.call("polygon_decompose", optimal);
  return cursorOf(core).list((cursor) => cursor.ring());
}

/** Returns a scale as two numbers, or throws. `outlines` multiplies by it outside of the library. */
function checkScale(scale, place) {
  const [x, y] = typeof scale === "number" ? [scale, scale] : point(scale, place);
  const fits = (side) => Math.abs(side) > 0 && Math.abs(side) <= 1e30;
  if (!fits(x) || !fits(y)) throw new RangeError(`${place} is ${scale}: it must not be 0, and at most 1e30`);
  return [x, y];
}

export function outlines(shape, options = {}) {
  fields(options, "options", [], ["deviation"]);
  encodeShape([], fields(shape, "shape", ["mask"], []));
  const scale = shape.mask.scale ?? 1;
  const [sx, sy] = checkScale(scale, "shape.mask.scale");
  // The deviation is a length of the shape. Pixels may have unequal sides.
  const deviation = number(options.deviation ?? 0, "deviation") / Math.max(Math.abs(sx), Math.abs(sy));
  const out = [];
  pixels(out, shape.mask, "shape.mask");
  core.input(out);
  core.call("mask_outlines", deviation);
  const scaled = (ring) => ring.map(([x, y]) => [x * sx, y * sy]);
  return cursorOf(core).list((cursor) => {
    const [first, ...holes] = cursor.list((c) => scaled(c.ring()));
    return { points: first, holes };
  });
}

export function maskFromImage(image, options = {}) {
  const { threshold = 128, scale = 1 } = fields(options, "options", [], ["threshold", "scale"]);
  const { width, height, data } = image ?? {};
  if (!(Number.isInteger(width) && Number.isInteger(height) && width > 0 && height > 0)) {
    throw new RangeError(`the image has ${width} × ${height} pixels: expected whole numbers above 0`);
  }
  if (data?.length !== 4 * width * height) {
    throw new RangeError(`the image has ${data?.length} bytes: expected 4 × ${width} × ${height} (RGBA)`);
  }
  if (!(number(threshold, "threshold") >= 1 && threshold <= 255)) {
    throw new RangeError(`threshold is ${threshold}: expected 1 to 255`);
  }
  const rows = [];
  for (let y = 0; y < height; y++) {
    let row = "";
    for (let x = 0; x < width; x++) row += data[4 * (y * width + x) + 3] >= threshold ? "#" : ".";
    rows.push(row);
  }
  checkScale(scale, "scale");
  return { mask: scale === 1 ? { rows } : { rows, scale: typeof scale === "number" ? scale : point(scale, "scale") } };
}

export function ellipse(radiusX, radiusY, deviation) {
  core.call("ellipse_points", number(radiusX, "radiusX"), number(radiusY, "radiusY"), number(deviation, "deviation"));
  return { polygon: { points: cursorOf(core).ring() } };
}

export function overlapRegion(a, b, options = {}) {
  const { deviation } = fields(options, "options", [], ["deviation"]);
  core.input(encodePair(a, b));
  core.call("pair_overlap_region", deviation === undefined ? NaN : length(deviation, "deviation"));
  const cursor = cursorOf(core);
  const area = cursor.next();
  const has = cursor.flag();
  const centroid = cursor.vec();
  return { area, centroid: has ? centroid : null, pieces: cursor.list((c) => c.ring()) };
}
