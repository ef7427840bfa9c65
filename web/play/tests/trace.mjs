// Measures tasks of pages in processor time: other programs on the machine do not make them longer.

import assert from "node:assert/strict";
import { SLOW } from "./delay.mjs";

/** The longest task that a test accepts, in milliseconds of processor time. */
const LONGEST = 50;

/** Asserts that no task was long. */
export function assertShort(tasks, what, longest = LONGEST) {
  console.log(`${what}: the longest tasks take ${tasks.slice(0, 3)} ms`);
  assert.ok(tasks[0] <= longest * SLOW, `${what}: ${tasks.slice(0, 10)} ms`);
}

/** Begins to record the tasks of all pages of a browser. Returns a function that ends it and returns their times. */
export async function recordTasks(browser) {
  await browser.stopTracing().catch(() => {}); // A test that failed did not end its record.
  await browser.startTracing(null, { categories: ["toplevel", "__metadata"] });
  const begin = Date.now();
  return async () => {
    const seconds = (Date.now() - begin) / 1000;
    return pageTasks(JSON.parse((await browser.stopTracing()).toString()).traceEvents, seconds);
  };
}

/** Returns the processor time of each task of a main thread of a page in milliseconds, the longest first. */
function pageTasks(events, seconds) {
  const key = ({ pid, tid }) => `${pid}:${tid}`;
  const named = events.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain");
  const threads = new Set(named.map(key));
  const tasks = events.filter((event) => event.name.endsWith("RunTask") && event.tdur && threads.has(key(event)));
  if (!tasks.length) throw new Error("the trace has no tasks");
  // A full buffer ends the record.
  const first = tasks.reduce((least, { ts }) => Math.min(least, ts), Infinity);
  const last = tasks.reduce((most, { ts }) => Math.max(most, ts), 0);
  const recorded = (last - first) / 1e6;
  if (recorded < seconds - 10) throw new Error(`the trace has ${recorded} s of ${seconds} s`);
  return tasks.map(({ tdur }) => tdur / 1000).sort((a, b) => b - a);
}
