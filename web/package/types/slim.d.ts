export * from "./shapes.js";
export * from "./pairs.js";
export * from "./world.js";
export * from "./scene.js";

/**
 * Loads `carom.wasm` (SIMD) or `carom-baseline.wasm`: its bytes, module, address or response. Call it once, first. It
 * throws if the module is another one, such as `carom-files.wasm`. While the module runs, a later call does nothing
 * and does not read its source. After a trap (the memory is full) it loads the module again. Worlds of before throw
 * then: make new ones.
 */
export function init(
  source: BufferSource | WebAssembly.Module | URL | string | Response | Promise<Response>,
): Promise<void>;

/** Returns true if this engine runs `carom.wasm`. Otherwise load `carom-baseline.wasm`. */
export function simdSupported(): boolean;
