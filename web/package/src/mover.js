// Characters: slide along walls, climb steps, stay on the ground.

import { core, Disposable } from "./core.js";
import { fields, idOf, number, optional, point, setting, worldOf } from "./encode.js";
import { cursorOf } from "./results.js";

const LENGTHS = ["skin", "maxSlope", "stepHeight", "snapDistance", "maxPush"];
const KINDS = ["floor", "wall", "ceiling"];

export class Mover extends Disposable {
  constructor(world, id, options = {}) {
    super();
    fields(options, "options", [], ["up", ...LENGTHS]);
    this._world = worldOf(world);
    this.id = idOf(id, "id");
    const up = optional(point, options.up, "up");
    const direction = up ? Array.from(up, (value, i) => setting(value, `up[${i}]`)) : [NaN, NaN];
    if (direction[0] === 0 && direction[1] === 0) throw new RangeError("up is [0, 0]: expected a direction");
    const lengths = LENGTHS.map((name) => (options[name] === undefined ? NaN : setting(options[name], name)));
    world._call("mover_new", id, ...direction, ...lengths);
    this._own(core.output()[0], "mover", "mover_free", world._owned);
  }

  _call(name, ...numbers) {
    return core.call(name, this._world._number, this._owned.number, ...numbers);
  }

  move(dx, dy) {
    this._call("mover_move", number(dx, "dx"), number(dy, "dy"));
    const cursor = cursorOf(core);
    return { translation: cursor.vec(), remaining: cursor.vec() };
  }

  dropThrough() {
    this._call("mover_drop_through");
  }

  get grounded() {
    return this._call("mover_ground");
  }

  get ground() {
    if (!this._call("mover_ground")) return null;
    const cursor = cursorOf(core);
    return { id: cursor.next(), normal: cursor.vec(), motion: cursor.vec() };
  }

  get surfaces() {
    this._call("mover_surfaces");
    const cursor = cursorOf(core);
    const surfaces = [];
    while (!cursor.done) surfaces.push({ id: cursor.next(), normal: cursor.vec(), kind: KINDS[cursor.next()] });
    return surfaces;
  }
}
