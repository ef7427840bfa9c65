// Entry `carom/slim`: the caller has the wasm file.

import { core } from "./core.js";
import { expectExport, instantiate, simdSupported } from "./load.js";

export * from "./all.js";
export { simdSupported };

/** Loads the module from bytes, a compiled module, an address or a response. Reads no source while the module runs. */
export async function init(source) {
  if (core.started) return;
  const exports = await instantiate(source);
  expectExport(exports, "world_new", "carom.wasm or carom-baseline.wasm");
  if (!core.started) core.use(exports);
}
