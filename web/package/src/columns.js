// Contacts and events as columns and as plain objects.

import { core } from "./core.js";

/** Columns of pairs. They are read again after each change of the world's results. */
class PairColumns {
  constructor(world, name) {
    this._world = world;
    this._export = name;
    this._version = -1;
    this._fields = null;
  }

  /** Returns the length and the addresses. */
  get _addresses() {
    const { _world: world } = this;
    const { _number: number } = world; // Addresses end with the module, too.
    // The call of a stopped module says why it stopped.
    if (this._version !== world._version || this._fields === null || !core.started) {
      core.call(this._export, number);
      this._fields = Array.from(core.output());
      this._version = world._version;
    }
    return this._fields;
  }

  _column(kind, field, perItem = 1) {
    const fields = this._addresses;
    return core.column(kind, fields[field], fields[0] * perItem);
  }

  get length() {
    return this._addresses[0];
  }

  get a() {
    return this._column(Float64Array, 1);
  }

  get b() {
    return this._column(Float64Array, 2);
  }

  get normals() {
    return this._column(Float64Array, 3, 2);
  }

  get depths() {
    return this._column(Float64Array, 4);
  }

  get sensors() {
    return this._column(Uint8Array, 5);
  }

  /** For `JSON.stringify`: plain objects instead of views. */
  toJSON() {
    return [...this];
  }

  /** Copies the columns, so that a loop may change the world. */
  _copies() {
    return [this.a, this.b, this.normals, this.depths, this.sensors].map((column) => column.slice());
  }
}

export class Contacts extends PairColumns {
  constructor(world) {
    super(world, "world_contacts");
  }

  get pointEnds() {
    return this._column(Uint32Array, 6);
  }

  get points() {
    const fields = this._addresses;
    return core.column(Float64Array, fields[7], fields[8] * 3);
  }

  *[Symbol.iterator]() {
    const [a, b, normals, depths, sensors] = this._copies();
    const ends = this.pointEnds.slice();
    const numbers = this.points.slice();
    for (let i = 0, first = 0; i < a.length; first = ends[i++]) {
      const normal = [normals[2 * i], normals[2 * i + 1]];
      const depth = depths[i];
      const points = [];
      for (let k = first; k < ends[i]; k++) {
        points.push({ position: [numbers[3 * k], numbers[3 * k + 1]], depth: numbers[3 * k + 2] });
      }
      const mtv = [normal[0] * depth, normal[1] * depth];
      yield { a: a[i], b: b[i], normal, depth, mtv, sensor: sensors[i] !== 0, points };
    }
  }
}

export class Events extends PairColumns {
  constructor(world) {
    super(world, "world_events");
  }

  get begins() {
    return this._column(Uint8Array, 6);
  }

  *[Symbol.iterator]() {
    const [a, b, normals, depths, sensors] = this._copies();
    const begins = this.begins.slice();
    for (let i = 0; i < a.length; i++) {
      const normal = [normals[2 * i], normals[2 * i + 1]];
      const type = begins[i] ? "begin" : "end";
      yield { type, a: a[i], b: b[i], normal, depth: depths[i], sensor: sensors[i] !== 0 };
    }
  }
}
