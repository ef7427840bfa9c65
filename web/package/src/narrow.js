// Entry `carom/narrow`: queries of two convex shapes, with a small module of its own.

import { encodePair, length } from "./encode.js";
import inlined from "./inline-narrow.js";
import { fromBase64, instantiate, instantiateNow } from "./load.js";
import { Module } from "./module.js";
import { cursorOf, readDistance, readManifold } from "./results.js";

const FULL = 'import "carom" instead of "carom/narrow"';

/** Names the entry that has the missing shapes. */
function inScript(message) {
  return message.replace("use `Shape::polygon`", FULL).replace(/convex shapes only$/, `$&: ${FULL}`);
}

const narrow = /* @__PURE__ */ new Module(() => instantiateNow(fromBase64(inlined)), inScript);

/** Compiles the module without blocking. */
export async function ready() {
  if (narrow.started) return;
  const exports = await instantiate(fromBase64(inlined));
  if (!narrow.started) narrow.use(exports);
}

export function intersects(a, b) {
  narrow.input(encodePair(a, b));
  return narrow.call("pair_intersects");
}

export function overlaps(a, b) {
  narrow.input(encodePair(a, b));
  return narrow.call("pair_overlaps");
}

export function collide(a, b, margin = 0) {
  narrow.input(encodePair(a, b));
  return narrow.call("pair_collide", length(margin, "margin")) ? readManifold(cursorOf(narrow)) : null;
}

export function distance(a, b) {
  narrow.input(encodePair(a, b));
  narrow.call("pair_distance");
  return readDistance(narrow.output());
}
