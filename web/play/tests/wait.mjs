// Waits for conditions. A test never reads the page once and hopes that its work is over.

import assert from "node:assert/strict";
import { inspect, isDeepStrictEqual } from "node:util";

/** Milliseconds after which a condition counts as never true. No test measures it: a loaded machine takes long. */
export const PATIENCE = 30_000;

/** Reads until `holds` accepts the value, and returns it. The error shows the last value. */
export async function poll(read, holds, what, patience = PATIENCE) {
  const end = Date.now() + patience;
  for (;;) {
    const value = await read();
    if (holds(value)) return value;
    if (Date.now() > end) assert.fail(`${what}: ${inspect(value, { depth: 4 })} after ${patience} ms`);
    await new Promise((done) => setTimeout(done, 20));
  }
}

/** Reads until the value equals the expected one. */
export const expectValue = (read, expected, what = "the value") =>
  poll(read, (value) => isDeepStrictEqual(value, expected), `${what} is not ${inspect(expected, { depth: 4 })}`);

/** Waits until the text of the first such element matches, and returns it. */
export const expectText = (page, selector, pattern) =>
  poll(
    () => page.evaluate((one) => document.querySelector(one)?.textContent ?? null, selector),
    (text) => text !== null && (typeof pattern === "string" ? text === pattern : pattern.test(text)),
    `the text of ${selector} does not match ${pattern}`,
  );

/** Waits until there are so many such elements. */
export const expectCount = (page, selector, count) =>
  expectValue(() => page.locator(selector).count(), count, `the number of ${selector}`);

/** Waits until a page has so many workers whose file has this name. */
export const expectWorkers = (page, name, count) =>
  expectValue(() => page.workers().filter((one) => one.url().includes(name)).length, count, `the number of ${name}`);

/** Waits until the page has run two frames: work of a frame that was asked for before is done. */
export const frames = (page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
