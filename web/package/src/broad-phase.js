// Broad phases without a world.

import { core, Disposable } from "./core.js";
import { boolean, describe, fields, list } from "./encode.js";
import { methodNumber } from "./world.js";

export class BroadPhase extends Disposable {
  constructor(method, options = {}) {
    super();
    fields(options, "options", [], ["record"]);
    core.call("broad_phase_new", methodNumber(method), boolean(options.record ?? false, "record"));
    this._own(core.output()[0], "broad phase", "broad_phase_free");
  }

  _call(name) {
    return core.call(name, this._owned.number);
  }

  update(boxes) {
    core.input(list(boxes, "boxes"));
    this._call("broad_phase_update");
  }

  /** Returns a view of a result by its index in the list of addresses. */
  _view(index, perItem) {
    this._call("broad_phase_results");
    const results = core.output();
    return core.column(Uint32Array, results[2 * index + 1], perItem * results[2 * index]);
  }

  get pairs() {
    return this._view(0, 2);
  }

  get pairCount() {
    this._call("broad_phase_stats");
    return core.output()[2];
  }

  get steps() {
    return this._view(1, 3);
  }

  order(axis = 0) {
    if (axis !== 0 && axis !== 1) throw new RangeError(`axis is ${describe(axis)}: expected 0 or 1`);
    return this._view(2 + axis, 1).slice();
  }

  get stats() {
    this._call("broad_phase_stats");
    const [boxTests, swaps] = core.output();
    const [strategy, reason] = core.text().split("\n");
    return { strategy, reason, boxTests, swaps };
  }
}
