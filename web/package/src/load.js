// Compiles wasm modules from text, bytes, addresses and responses.

import { describe, kindOf } from "./encode.js";

/** A module that uses one instruction of SIMD. */
const SIMD_TEST = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
];

let simd;

/** Returns true if this engine runs modules with SIMD. */
export function simdSupported() {
  return (simd ??= WebAssembly.validate(new Uint8Array(SIMD_TEST)));
}

/** Returns the bytes of a base64 text. */
export function fromBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** Returns the exports of a module, compiled at once. */
export function instantiateNow(bytes) {
  return new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports;
}

/** Returns the exports of a module from any source. */
export async function instantiate(source) {
  source = await source;
  if (source instanceof WebAssembly.Module) return (await WebAssembly.instantiate(source)).exports;
  if (typeof source === "string" || source instanceof URL) source = await open(source);
  if (typeof Response === "function" && source instanceof Response) source = await bytesOf(source);
  if (kindOf(source) !== "ArrayBuffer" && !ArrayBuffer.isView(source)) {
    throw new TypeError(`source is ${describe(source)}: expected bytes, a module, a URL or a response`);
  }
  return (await WebAssembly.instantiate(source)).instance.exports;
}

/** Throws if a module is another one than `file`: it lacks an export. */
export function expectExport(exports, name, file) {
  if (typeof exports[name] !== "function") throw new TypeError(`the source is not ${file} of this package`);
}

async function open(address) {
  const base = globalThis.location?.href;
  if (base === undefined && !URL.canParse(address)) {
    throw new TypeError(
      `source is "${address}", but there is no page: expected a URL, such as new URL("…", import.meta.url)`,
    );
  }
  const url = address instanceof URL ? address : new URL(address, base);
  if (url.protocol === "file:" && globalThis.process?.getBuiltinModule) {
    return process.getBuiltinModule("node:fs/promises").readFile(url);
  }
  return fetch(url);
}

async function bytesOf(response) {
  if (!response.ok) {
    const status = `${response.status} ${response.statusText}`.trim();
    throw new Error(`${response.url || "the response"} has the status ${status}: expected a wasm module`);
  }
  return response.arrayBuffer();
}
