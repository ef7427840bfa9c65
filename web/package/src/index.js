// Entry `carom`: the module with SIMD is part of the script. The other one is a file that is loaded if it is needed.

import { core, starter } from "./core.js";
import inlined from "./inline-carom.js";
import { fromBase64, instantiate, instantiateNow, simdSupported } from "./load.js";

export * from "./all.js";

let loading = null;

function start() {
  if (!simdSupported()) {
    throw new Error("this engine has no WebAssembly SIMD: await ready() first, which loads the other build");
  }
  return instantiateNow(fromBase64(inlined));
}

/** Compiles the module without blocking. After a trap it loads the module again. */
export function ready() {
  if (core.started) return Promise.resolve();
  const source = () => (simdSupported() ? fromBase64(inlined) : new URL("./carom-baseline.wasm", import.meta.url));
  loading ??= instantiate(source())
    .then((exports) => {
      // A call may have started the module in the meantime. Its objects live there.
      if (!core.started) core.use(exports);
    })
    .finally(() => (loading = null));
  return loading;
}

export function simd() {
  return simdSupported();
}

starter.start = start;
