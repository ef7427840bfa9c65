// The module of worlds and pairs. The entries `.` and `./slim` start it.

import { idOf, list } from "./encode.js";
import { Module } from "./module.js";

/** Starts the module when it is used first. The entry `.` replaces it. */
export const starter = {
  start() {
    throw new Error("carom is not loaded: await init(source) first");
  },
};

/** Replaces handles by ids, and the name of a Rust function. */
function inScript(message) {
  return message
    .replace(/Handle\((\d+)\.(\d+)\)/g, (_, slot, generation) => `the id ${+slot + 2 ** 32 * (generation % 2 ** 21)}`)
    .replace("use `convex_parts`", "omit `optimal`");
}

export const core = /* @__PURE__ */ new Module(() => starter.start(), inScript);

/** The method that `using` calls. Old engines do not have the symbol. */
export const DISPOSE = Symbol.dispose ?? "dispose()";

/** The number of no object. The module says that the object was disposed. */
const DISPOSED = 0xffffffff;

/** An object that lives in the module, by its number. It ends with the instance of the module. */
export class Owned {
  /** @param {string} what the kind of the object, for messages */
  constructor(number, what) {
    this._number = number;
    this._what = what;
    this._instance = core.instance;
  }

  /** The number of the object. Throws if the module was loaded again since. */
  get number() {
    if (this._instance !== core.instance) {
      throw new Error(`this ${this._what} ended with its module, which a trap stopped: make a new ${this._what}`);
    }
    return this._number;
  }

  /** Frees the object, unless it ended already. */
  free(name) {
    const number = this._number;
    this._number = DISPOSED;
    if (number !== DISPOSED && core.started && this._instance === core.instance) core.call(name, number);
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
