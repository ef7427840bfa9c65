// Reads results of pair queries from the output buffer.

import { Cursor } from "./module.js";

/** Reads a manifold. */
export function readManifold(cursor) {
  const normal = cursor.vec();
  const depth = cursor.next();
  const partA = cursor.next();
  const partB = cursor.next();
  const points = cursor.list(() => ({
    position: cursor.vec(),
    onA: cursor.vec(),
    onB: cursor.vec(),
    depth: cursor.next(),
  }));
  return { normal, depth, mtv: [normal[0] * depth, normal[1] * depth], partA, partB, points };
}

/** Reads a distance. */
export function readDistance(numbers) {
  const [distance, ax, ay, bx, by, partA, partB] = numbers;
  return { distance, pointA: [ax, ay], pointB: [bx, by], partA, partB };
}

/** Reads an impact. */
export function readImpact(cursor) {
  return {
    time: cursor.next(),
    normal: cursor.vec(),
    point: cursor.vec(),
    initialDepth: cursor.optional(),
    partA: cursor.next(),
    partB: cursor.next(),
  };
}

/** Returns a cursor over the output of a module. */
export function cursorOf(module) {
  return new Cursor(module.output());
}
