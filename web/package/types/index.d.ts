export * from "./shapes.js";
export * from "./pairs.js";
export * from "./world.js";
export * from "./scene.js";

/**
 * Compiles the wasm module without blocking. Optional: the first call compiles it otherwise.
 * An engine without WebAssembly SIMD needs it, because the other build is loaded from a file.
 * After a trap (the memory is full) it loads the module again. Worlds of before throw then: make new ones.
 */
export function ready(): Promise<void>;

/** True if the build with SIMD runs. */
export function simd(): boolean;
