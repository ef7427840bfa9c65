// The module of worlds and pairs. The entries `.` and `./slim` start it.

import { idOf, list } from "./encode.js";
import { Module } from "./module.js";

/** Starts the module when it is used first. The entry `.` replaces it. */
export const starter = {
  start() {
    throw new Error("carom is not loaded: await init(source) first");
  },
};

/** Names of the Rust library in messages, and their names in this package. */
const NAMES = [
  ["use `convex_parts`", "omit `optimal`"],
  ["max slope", "maxSlope"],
  ["step height", "stepHeight"],
  ["snap distance", "snapDistance"],
  ["max push", "maxPush"],
  ["restitution threshold", "restitutionThreshold"],
  ["time step", "seconds"],
  [/^([xy]) of the translation/, "$1"],
  [/^([xy]) of the (?:motion|displacement)/, "d$1"],
  [/^([xy]) of the upward direction/, "$1 of up"],
];

/** Replaces handles by ids, and names of the Rust library. */
function inScript(message) {
  const ids = message.replace(
    /Handle\((\d+)\.(\d+)\)/g,
    (_, slot, generation) => `the id ${+slot + 2 ** 32 * (generation % 2 ** 21)}`,
  );
  return NAMES.reduce((text, [theirs, ours]) => text.replace(theirs, ours), ids);
}

export const core = /* @__PURE__ */ new Module(() => starter.start(), inScript);

/** The number of no object. The module says that the object was disposed. */
const DISPOSED = 0xffffffff;

/** An object that lives in the module, by its number. It ends with the instance of the module. */
export class Owned {
  /**
   * @param {string} what the kind of the object, for messages
   * @param {string} free the export that frees it
   * @param {Owned | null} world the world that it belongs to, and ends with
   */
  constructor(number, what, free, world = null) {
    this._number = number;
    this._what = what;
    this._freeExport = free;
    this._world = world;
    this._instance = core.instance;
  }

  /** The number of the object. Throws if the module was loaded again since. */
  get number() {
    if (this._instance !== core.instance) {
      throw new Error(`this ${this._what} ended with its module, which a trap stopped: make a new ${this._what}`);
    }
    return this._number;
  }

  /** True if the module still has the object. */
  get _lives() {
    if (this._number === DISPOSED || !core.started || this._instance !== core.instance) return false;
    return this._world === null || this._world._lives;
  }

  /** Frees the object, unless it ended already. */
  free() {
    const { _lives: lives, _number: number, _world: world } = this;
    this._number = DISPOSED;
    if (!lives) return;
    if (world === null) core.call(this._freeExport, number);
    else core.call(this._freeExport, world.number, number);
  }
}

/** Frees objects that were forgotten. */
const forgotten = /* @__PURE__ */ new FinalizationRegistry((owned) => owned.free());

/** The method that `using` calls. Old engines do not have the symbol. */
const DISPOSE = Symbol.dispose ?? "dispose()";

/** Base of the classes whose objects live in the module. `dispose` frees them, or the collection of garbage. */
export class Disposable {
  /** Sets the object of the module. Its parameters are those of `Owned`. */
  _own(...parameters) {
    this._owned = new Owned(...parameters);
    forgotten.register(this, this._owned, this);
  }

  dispose() {
    forgotten.unregister(this);
    this._owned.free();
  }

  [DISPOSE]() {
    this.dispose();
  }
}

/** Writes ids and a row for each. Returns the number of ids. The lists may be views, which the call may detach. */
export function inputRows(ids, rows, place) {
  const count = list(ids, "ids").length;
  list(rows, place);
  const numbers = new Float64Array(count + rows.length);
  numbers.set(ids);
  for (let i = 0; i < count; i++) idOf(numbers[i], "ids");
  numbers.set(rows, count);
  core.input(numbers);
  return count;
}
