// The module of worlds and pairs. The entries `.` and `./slim` start it.

import { list } from "./encode.js";
import { Module } from "./module.js";

/** Starts the module when it is used first. The entry `.` replaces it. */
export const starter = {
  start() {
    throw new Error("carom is not loaded: await init(source) first");
  },
};

export const core = /* @__PURE__ */ new Module(() => starter.start());

/** The method that `using` calls. Old engines do not have the symbol. */
export const DISPOSE = Symbol.dispose ?? "dispose()";

/** Writes ids and a row for each. Returns the number of ids. The lists may be views, which the call may detach. */
export function inputRows(ids, rows) {
  const count = list(ids, "ids").length;
  list(rows, "rows");
  const numbers = new Float64Array(count + rows.length);
  numbers.set(ids);
  numbers.set(rows, count);
  core.input(numbers);
  return count;
}
