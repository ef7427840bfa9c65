// Splits long work on the main thread into short tasks.

/** Milliseconds of a task. */
const TASK = 25;

/** Lets the browser paint and answer input while work goes on. */
export class Turns {
  private end = performance.now() + TASK;

  constructor(private readonly signal: AbortSignal) {}

  /** Continues at once, or in a new task if the current one took long. Throws if the signal aborted. */
  async next(): Promise<void> {
    if (performance.now() < this.end) return;
    await new Promise((done) => setTimeout(done));
    this.signal.throwIfAborted();
    this.end = performance.now() + TASK;
  }
}
