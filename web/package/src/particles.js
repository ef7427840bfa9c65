// Bouncing bodies without rotation.

import { core, Disposable, inputRows } from "./core.js";
import { describe, fields, idOf, number, optional, point, setting, worldOf } from "./encode.js";
import { Cursor } from "./module.js";
import { cursorOf } from "./results.js";
import { readSeparation } from "./world.js";

/** Returns 1 and the sides of walls, or zeros for null. */
function sidesOf(walls) {
  if (walls === null) return [0, 0, 0, 0, 0];
  if (walls?.length !== 4) {
    throw new TypeError(`walls is ${describe(walls)}: expected [minX, minY, maxX, maxY] or null`);
  }
  return [1, ...Array.from(walls, (side) => number(side, "a side of walls"))];
}

export class Particles extends Disposable {
  constructor(world, options = {}) {
    super();
    fields(options, "options", [], ["gravity", "walls", "restitutionThreshold"]);
    this._world = worldOf(world);
    const { walls } = options;
    const gravity = optional(point, options.gravity, "gravity") ?? [0, 0];
    const threshold = optional(setting, options.restitutionThreshold, "restitutionThreshold") ?? NaN;
    // One call: the world gets no particles if a setting is refused.
    world._call("particles_new", ...gravity, ...sidesOf(walls ?? null), threshold);
    this._own(core.output()[0], "set of particles", "particles_free", world._owned);
  }

  _call(name, ...numbers) {
    return core.call(name, this._world._number, this._owned.number, ...numbers);
  }

  add(id, options = {}) {
    fields(options, "options", [], ["mass", "velocity", "restitution"]);
    const { mass = 1, velocity = [0, 0], restitution = 0 } = options;
    const row = [number(mass, "mass"), ...point(velocity, "velocity"), number(restitution, "restitution")];
    core.input([idOf(id, "id"), ...row]);
    this._call("particles_add", 1);
  }

  addAll(ids, rows) {
    this._call("particles_add", inputRows(ids, rows, "rows"));
  }

  remove(id) {
    if (!this._call("particles_remove", number(id, "id"))) throw new Error(`the collider ${id} is no particle`);
  }

  get size() {
    this._call("particles_energy");
    return core.output()[3];
  }

  get ids() {
    this._call("particles_columns");
    const [count, address] = core.output();
    return core.column(Float64Array, address, count);
  }

  get velocities() {
    this._call("particles_columns");
    const [count, , address] = core.output();
    return core.column(Float64Array, address, 2 * count);
  }

  velocity(id) {
    this._call("particles_velocity", idOf(id, "id"));
    return Array.from(core.output());
  }

  setVelocity(id, x, y) {
    this._call("particles_set_velocity", idOf(id, "id"), number(x, "x"), number(y, "y"));
  }

  setGravity(x, y) {
    this._call("particles_set_gravity", number(x, "x"), number(y, "y"));
  }

  setWalls(walls) {
    this._call("particles_set_walls", ...sidesOf(walls));
  }

  step(seconds) {
    this._world._version++;
    this._call("particles_step", number(seconds, "seconds"));
    const cursor = cursorOf(core);
    return { swept: cursor.next(), separation: readSeparation(cursor) };
  }

  get kineticEnergy() {
    this._call("particles_energy");
    return core.output()[0];
  }

  get momentum() {
    this._call("particles_energy");
    const [, x, y] = core.output();
    return [x, y];
  }

  get impacts() {
    this._call("particles_impacts");
    const cursor = new Cursor(core.output());
    const impacts = [];
    while (!cursor.done) {
      const [a, b] = cursor.vec();
      const sensor = cursor.flag();
      impacts.push({ a, b, time: cursor.next(), point: cursor.vec(), normal: cursor.vec(), sensor });
    }
    return impacts;
  }
}
