// Worlds: colliders, contacts, events and queries.

import { core, Disposable, inputRows } from "./core.js";
import { readCollider } from "./collider.js";
import { Contacts, Events } from "./columns.js";
import {
  boolean,
  encodePlaced,
  encodeShape,
  describe,
  fields,
  idOf,
  length,
  list,
  number,
  optional,
  point,
} from "./encode.js";
import { Layers } from "./layers.js";
import { Cursor } from "./module.js";
import { motionNumbers } from "./pairs.js";
import { cursorOf, readManifold } from "./results.js";
import { DISABLED, FIXED, groupOf, ONE_WAY, readScene, SENSOR } from "./scene.js";

const METHODS = ["auto", "brute", "strips", "bvh", "sweep", "sweep-insertion", "sweep-swaps"];

/** Returns the number of a broad phase. */
export function methodNumber(name) {
  const found = METHODS.indexOf(name === "grid" ? "strips" : name);
  if (found < 0)
    throw new RangeError(`broad phase ${describe(name)}: expected ${METHODS.join(", ")}, or grid (strips)`);
  return found;
}

const OPTIONS = ["x", "y", "angle", "layers", "mask", "group", "sensor", "fixed", "enabled", "oneWay"];
const FILTER = ["layers", "excludeSensors", "exclude"];

export class World extends Disposable {
  constructor(options = {}) {
    super();
    const { broadPhase = "auto" } = fields(options, "options", [], ["broadPhase"]);
    core.call("world_new", methodNumber(broadPhase));
    this._own(core.output()[0], "world", "world_free");
    this._layers = new Layers();
    /** Counts changes of the results. */
    this._version = 0;
    this._contacts = new Contacts(this);
    this._events = new Events(this);
  }

  /** The number of the world in the module. Throws if the module was loaded again. */
  get _number() {
    return this._owned.number;
  }

  _call(name, ...numbers) {
    return core.call(name, this._number, ...numbers);
  }

  add(shape, options = {}) {
    fields(options, "options", [], OPTIONS);
    const { x = 0, y = 0, angle = 0, layers = 0, mask, oneWay } = options;
    const { sensor = false, fixed = false, enabled = true } = options;
    const numbers = [number(x, "x"), number(y, "y"), number(angle, "angle")];
    encodeShape(numbers, shape);
    const front = optional(point, oneWay, "oneWay");
    const flags =
      (boolean(sensor, "sensor") ? SENSOR : 0) |
      (boolean(fixed, "fixed") ? FIXED : 0) |
      (boolean(enabled, "enabled") ? 0 : DISABLED);
    return this._layers.attempt(() => {
      const [bits, maskBits] = [this._layers.bits(layers), this._layers.filter(mask)];
      return this._add(numbers, bits, maskBits, groupOf(options.group ?? 0, "group"), flags, front);
    });
  }

  _add(numbers, layers, mask, inGroup, flags, front) {
    core.input(numbers);
    this._call("world_add", ...layers, ...mask, inGroup, flags | (front ? ONE_WAY : 0), ...(front ?? [0, 0]));
    return core.output()[0];
  }

  /** Adds all colliders in one call: the module adds none of them if it refuses one. */
  addScene(scene) {
    return this._layers.attempt(() => {
      const { numbers, names } = readScene(scene, this._layers);
      core.input(numbers);
      this._call("world_add_all", names.length);
      const ids = Array.from(core.output());
      return { ids, names: new Map(names.map((name, i) => [name, ids[i]])) };
    });
  }

  remove(id) {
    this._call("world_remove", idOf(id, "id"));
  }

  clear() {
    this._call("world_clear");
  }

  get(id) {
    this._call("world_get", idOf(id, "id"));
    return readCollider(cursorOf(core), this._layers.names);
  }

  has(id) {
    return this._call("world_has", number(id, "id"));
  }

  get size() {
    return this._rows("world_size")[0];
  }

  _rows(name) {
    this._call(name);
    return core.output();
  }

  get ids() {
    const [count, address] = this._rows("world_ids");
    return core.column(Float64Array, address, count);
  }

  get poses() {
    const [count, address] = this._rows("world_poses");
    return core.column(Float64Array, address, 3 * count);
  }

  get transforms() {
    const [count, address] = this._rows("world_transforms");
    return core.column(Float64Array, address, 4 * count);
  }

  pose(id) {
    this._call("world_pose", idOf(id, "id"));
    const [x, y, angle] = core.output();
    return { x, y, angle };
  }

  box(id) {
    this._call("world_box", idOf(id, "id"));
    return Array.from(core.output(), (side) => side + 0); // Without -0.
  }

  move(id, x, y, angle) {
    const { exports } = core;
    let status;
    try {
      status =
        angle === undefined
          ? exports.world_move_to(this._number, idOf(id, "id"), number(x, "x"), number(y, "y"))
          : exports.world_move(this._number, idOf(id, "id"), number(x, "x"), number(y, "y"), number(angle, "angle"));
    } catch (error) {
      core.rethrow(error);
    }
    core.check(status);
  }

  moveAll(poses, ids) {
    if (ids === undefined) {
      core.input(list(poses, "poses"));
      this._call("world_move_all", -1);
    } else {
      this._call("world_move_all", inputRows(ids, poses, "poses"));
    }
  }

  setMotion(id, dx, dy, rotation = 0) {
    this._call("world_set_motion", idOf(id, "id"), number(dx, "dx"), number(dy, "dy"), number(rotation, "rotation"));
  }

  setShape(id, shape) {
    const numbers = [];
    encodeShape(numbers, shape);
    core.input(numbers);
    this._call("world_set_shape", idOf(id, "id"));
  }

  setLayers(id, options) {
    fields(options, "options", [], ["layers", "mask", "group"]);
    this._call("world_get", idOf(id, "id"));
    const old = Array.from(core.output());
    this._layers.attempt(() => {
      const layers = options.layers === undefined ? old.slice(0, 2) : this._layers.bits(options.layers);
      const mask = options.mask === undefined ? old.slice(2, 4) : this._layers.filter(options.mask);
      const inGroup = options.group === undefined ? old[4] : groupOf(options.group, "group");
      this._call("world_set_filter", id, ...layers, ...mask, inGroup);
    });
  }

  setSensor(id, sensor) {
    this._call("world_set_flag", idOf(id, "id"), 0, boolean(sensor, "sensor"));
  }

  setFixed(id, fixed) {
    this._call("world_set_flag", idOf(id, "id"), 1, boolean(fixed, "fixed"));
  }

  setEnabled(id, enabled) {
    this._call("world_set_flag", idOf(id, "id"), 2, boolean(enabled, "enabled"));
  }

  setOneWay(id, front) {
    const [x, y] = front === null ? [0, 0] : point(front, "front");
    this._call("world_set_one_way", idOf(id, "id"), front === null ? 0 : 1, x, y);
  }

  setPairEnabled(a, b, enabled) {
    this._call("world_set_pair_enabled", idOf(a, "a"), idOf(b, "b"), boolean(enabled, "enabled"));
  }

  layer(layer) {
    return this._layers.number(layer);
  }

  update() {
    this._version++;
    this._call("world_update");
  }

  get contacts() {
    return this._contacts;
  }

  get events() {
    return this._events;
  }

  get motionHits() {
    const cursor = new Cursor(this._rows("world_motion_hits"));
    const hits = [];
    while (!cursor.done) {
      const [mover, other] = cursor.vec();
      const sensor = cursor.flag();
      const time = cursor.next();
      hits.push({ mover, other, time, point: cursor.vec(), normal: cursor.vec(), sensor });
    }
    return hits;
  }

  get stats() {
    const [boxTests, swaps, candidates] = this._rows("world_stats");
    const [strategy, reason] = core.text().split("\n");
    return { strategy, reason, boxTests, swaps, candidates };
  }

  contact(a, b) {
    if (!this._call("world_contact", idOf(a, "a"), idOf(b, "b"))) return null;
    const cursor = cursorOf(core);
    const [first, second] = cursor.vec();
    const sensor = cursor.flag();
    const { normal, depth, mtv, points } = readManifold(cursor);
    return {
      a: first,
      b: second,
      normal,
      depth,
      mtv,
      sensor,
      points: points.map(({ position, depth: d }) => ({ position, depth: d })),
    };
  }

  /** Returns the numbers of a filter. */
  _filter(options, others = []) {
    fields(options, "filter", [], [...FILTER, ...others]);
    const { exclude: excluded } = options;
    const exclude = excluded === undefined ? NO_ID : idOf(excluded, "exclude");
    const excludeSensors = boolean(options.excludeSensors ?? false, "excludeSensors");
    return [...this._layers.ofQuery(options.layers), excludeSensors, exclude];
  }

  _rays(x, y, dx, dy, options, all) {
    const filter = this._filter(options, ["radius"]);
    const radius = number(options.radius ?? 0, "radius");
    this._call(
      "world_ray_cast",
      number(x, "x"),
      number(y, "y"),
      number(dx, "dx"),
      number(dy, "dy"),
      radius,
      all,
      ...filter,
    );
    const cursor = cursorOf(core);
    const hits = [];
    while (!cursor.done) {
      const [id, time] = cursor.vec();
      hits.push({ id, time, point: cursor.vec(), normal: cursor.vec(), part: cursor.next() });
    }
    return hits;
  }

  rayCast(x, y, dx, dy, options = {}) {
    return this._rays(x, y, dx, dy, options, 0)[0] ?? null;
  }

  rayCastAll(x, y, dx, dy, options = {}) {
    return this._rays(x, y, dx, dy, options, 1);
  }

  shapeCast(shape, motion, options = {}) {
    const filter = this._filter(options, ["targetDistance"]);
    const numbers = [];
    encodePlaced(numbers, shape, "shape");
    const distance = length(options.targetDistance ?? 0, "targetDistance");
    const moved = motionNumbers(motion, "motion");
    core.input(numbers);
    if (!this._call("world_shape_cast", ...moved, distance, ...filter)) return null;
    const cursor = cursorOf(core);
    const [id, time] = cursor.vec();
    const [at, normal] = [cursor.vec(), cursor.vec()];
    return { id, time, point: at, normal, part: cursor.next(), initialDepth: cursor.optional() };
  }

  atPoint(x, y, filter = {}) {
    this._call("world_at_point", number(x, "x"), number(y, "y"), ...this._filter(filter));
    return Array.from(core.output());
  }

  partAt(id, x, y) {
    return this._call("world_part_at", idOf(id, "id"), number(x, "x"), number(y, "y")) ? core.output()[0] : -1;
  }

  nearest(x, y, options = {}) {
    const filter = this._filter(options, ["count", "maxDistance"]);
    const { count = 1, maxDistance = Infinity } = options;
    if (!Number.isInteger(count) || count < 0) {
      throw new RangeError(`count is ${describe(count)}: expected a whole number, 0 or more`);
    }
    if (!(number(maxDistance, "maxDistance") >= 0)) {
      throw new RangeError(`maxDistance is ${maxDistance}: expected 0 or more`);
    }
    // The module has 32 bits for it.
    const limit = Math.min(count, 0xffffffff);
    this._call("world_nearest", number(x, "x"), number(y, "y"), maxDistance, limit, ...filter);
    const cursor = cursorOf(core);
    const found = [];
    while (!cursor.done) {
      const [id, distance] = cursor.vec();
      found.push({ id, distance, pointA: cursor.vec(), pointB: cursor.vec(), part: cursor.next() });
    }
    return found;
  }

  inBox(minX, minY, maxX, maxY, filter = {}) {
    const box = [number(minX, "minX"), number(minY, "minY"), number(maxX, "maxX"), number(maxY, "maxY")];
    this._call("world_in_box", ...box, ...this._filter(filter));
    return Array.from(core.output());
  }

  inShape(shape, filter = {}) {
    const bits = this._filter(filter);
    const numbers = [];
    encodePlaced(numbers, shape, "shape");
    core.input(numbers);
    this._call("world_in_shape", ...bits);
    return Array.from(core.output());
  }

  visibility(x, y, range, options = {}) {
    const filter = this._filter(options, ["deviation"]);
    const reach = length(range, "range");
    const deviation = length(options.deviation ?? reach / 1000, "deviation");
    this._call("world_visibility", number(x, "x"), number(y, "y"), reach, deviation, ...filter);
    return core.output().slice();
  }

  separate(masses = 1) {
    if (typeof masses === "number") {
      if (Number.isNaN(masses)) throw new RangeError("masses is NaN: expected a number above 0");
      this._call("world_separate", masses);
    } else {
      if (!(masses instanceof Map)) {
        throw new TypeError(`masses is ${describe(masses)}: expected a number, or a Map from ids to masses`);
      }
      core.input([...masses].flatMap(([id, mass]) => [idOf(id, "id"), number(mass, "mass")]));
      this._call("world_separate", NaN);
    }
    return readSeparation(cursorOf(core));
  }

  snapshot() {
    this._call("world_snapshot");
    return core.bytes();
  }

  restore(bytes) {
    if (!(bytes instanceof Uint8Array)) {
      throw new TypeError(`the snapshot is ${describe(bytes)}: expected a Uint8Array`);
    }
    core.bytesInput(bytes);
    this._call("world_restore");
    this._layers.restored(core.output());
    this._version++;
  }

  hash() {
    this._call("world_hash");
    const [low, high] = core.output();
    return (BigInt(high) << 32n) | BigInt(low);
  }

  dispose() {
    super.dispose();
    this._version++;
  }
}

/** An id that excludes no collider. */
const NO_ID = -1;

/** Reads the report of a position correction. */
export function readSeparation(cursor) {
  return { iterations: cursor.next(), converged: cursor.flag(), maxPenetration: cursor.next() };
}
