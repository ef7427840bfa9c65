// Waits until the package has freed objects that were collected as garbage.

import { setTimeout } from "node:timers/promises";

/** Milliseconds after which an object counts as never freed. No test measures it: a loaded machine takes long. */
const PATIENCE = 30_000;

/** Collects garbage until all owned parts of forgotten objects are freed. The owned part does not hold its object. */
export async function freed(owned) {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const left = owned.filter((one) => one._lives).length;
    if (left === 0) return;
    if (Date.now() > end) throw new Error(`${left} of ${owned.length} objects are not freed after ${PATIENCE} ms`);
    globalThis.gc();
    await setTimeout(5);
  }
}
