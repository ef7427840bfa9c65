// Measures searches in a second worker, and adds them to the chart.

import { say } from "../../shell/language";
import { words as shellWords } from "../../shell/words";
import type { FromWorker, ToWorker } from "./messages";
import { METHODS, type MethodId } from "./methods";
import type { Panel } from "./panel";

/** Sizes of the button that measures all methods. */
const SIZES = [10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000];

/** The chosen method is measured by itself up to this size. */
const QUICK = 3000;

export class Measurer {
  private worker: Worker | null = null;
  private all = false;

  /** `failed` is called with a sentence for the reader. */
  constructor(
    private readonly panel: Panel,
    private readonly failed: (message: string) => void,
  ) {}

  /** True while all methods are measured. */
  get busyWithAll(): boolean {
    return this.all;
  }

  /** Measures all methods, each up to its maximum. */
  measureAll(seed: number): void {
    this.panel.setMeasuring(true);
    this.all = true;
    this.start(
      METHODS.map(({ id }) => id),
      SIZES,
      seed,
    );
  }

  /** Measures a method up to the sizes that take no time, unless its line is there. */
  measureOne(method: MethodId, seed: number): void {
    if (this.all || this.panel.chart.has(method, SIZES[0]!)) return;
    this.start(
      [method],
      SIZES.filter((count) => count <= QUICK),
      seed,
    );
  }

  private start(methods: MethodId[], counts: number[], seed: number): void {
    this.worker?.terminate();
    this.worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "measure" });
    this.worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => {
      if (data.kind === "measured") this.panel.chart.add(data.method, data);
      else if (data.kind === "failed") this.failed(data.message);
      if (data.kind !== "measured") this.end();
    });
    this.worker.addEventListener("error", ({ message }) => {
      this.end();
      this.failed(message || say(shellWords.noWorker));
    });
    const message: ToWorker = { kind: "measure", methods, counts, seed };
    this.worker.postMessage(message);
  }

  /** Ends the measuring. */
  end(): void {
    this.worker?.terminate();
    this.worker = null;
    this.all = false;
    this.panel.setMeasuring(false);
  }
}
