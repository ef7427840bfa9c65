// Loads the package `carom` once. The page paints before it arrives. Workers may call this too.

import baseline from "carom/carom-baseline.wasm?url";
import simd from "carom/carom.wasm?url";

export type Carom = typeof import("carom/slim");

let loading: Promise<Carom> | undefined;

/** Returns the package with its module compiled, loading it on the first call. */
export function loadCarom(): Promise<Carom> {
  loading ??= import("carom/slim").then(async (carom) => {
    await carom.init(new URL(carom.simdSupported() ? simd : baseline, import.meta.url));
    return carom;
  });
  return loading;
}
