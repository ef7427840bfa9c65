// Simulates the balls. The page only draws.
//
// The simulation is the same for every method: `Particles` in a `World`. After each step the method gets the boxes of
// all balls and searches their pairs. Both times are measured apart.

import type { BroadPhase, Particles, World } from "carom";
import { type Carom, loadCarom } from "../../carom";
import { searchTimes } from "./measure";
import type { Buffers, FromWorker, ToWorker, Trace } from "./messages";
import { type MethodId, methodOf } from "./methods";
import { makeBalls, STEP } from "./scene";

const post = (message: FromWorker, transfer: Transferable[] = []): void => postMessage(message, { transfer });

/** The balls, and the method that searches their pairs. */
class Simulation {
  private world: World;
  private particles: Particles;
  private broad: BroadPhase;
  private boxes: Float64Array;
  private readonly radius: number;
  readonly count: number;

  constructor(
    private readonly carom: Carom,
    count: number,
    seed: number,
    method: MethodId,
    trace: boolean,
  ) {
    const { side, radius, positions, velocities } = makeBalls(count, seed);
    this.count = count;
    this.radius = radius;
    this.world = new carom.World();
    this.particles = new carom.Particles(this.world, { walls: [0, 0, side, side] });
    const ids = new Float64Array(count);
    const rows = new Float64Array(4 * count);
    for (let i = 0; i < count; i++) {
      ids[i] = this.world.add({ circle: { radius } }, { x: positions[2 * i]!, y: positions[2 * i + 1]! });
      rows.set([1, velocities[2 * i]!, velocities[2 * i + 1]!, 1], 4 * i);
    }
    this.particles.addAll(ids, rows);
    this.boxes = new Float64Array(4 * count);
    this.broad = new carom.BroadPhase(method, { record: trace });
    this.world.update();
  }

  /** Lets another method search the same balls. */
  setMethod(method: MethodId, trace: boolean): void {
    this.broad.dispose();
    this.broad = new this.carom.BroadPhase(method, { record: trace });
  }

  /** Runs a step. Returns its time in milliseconds. */
  step(): number {
    const start = performance.now();
    this.particles.step(STEP);
    return performance.now() - start;
  }

  /** Searches the pairs of the balls. Returns the time in milliseconds. */
  search(): number {
    const transforms = this.world.transforms;
    const { boxes, radius } = this;
    for (let i = 0; i < this.count; i++) {
      const [x, y] = [transforms[4 * i]!, transforms[4 * i + 1]!];
      boxes[4 * i] = x - radius;
      boxes[4 * i + 1] = y - radius;
      boxes[4 * i + 2] = x + radius;
      boxes[4 * i + 3] = y + radius;
    }
    const start = performance.now();
    this.broad.update(boxes);
    return performance.now() - start;
  }

  /** Writes positions and contacts into buffers of the page. */
  read(buffers: Buffers): void {
    const transforms = this.world.transforms;
    for (let i = 0; i < this.count; i++) {
      buffers.positions[2 * i] = transforms[4 * i]!;
      buffers.positions[2 * i + 1] = transforms[4 * i + 1]!;
    }
    buffers.touching.fill(0);
    const { a, b } = this.world.contacts;
    // No ball is ever removed, so ids are indices.
    for (let i = 0; i < a.length; i++) buffers.touching[a[i]!] = buffers.touching[b[i]!] = 1;
  }

  get counts() {
    const { boxTests, swaps, strategy, reason } = this.broad.stats;
    return { tests: boxTests, swaps, strategy, reason, pairs: this.broad.pairCount };
  }

  trace(): Trace {
    const copy = (view: Uint32Array) => new Uint32Array(view);
    return { steps: copy(this.broad.steps), orders: [copy(this.broad.order(0)), copy(this.broad.order(1))] };
  }

  get energy(): number {
    return this.particles.kineticEnergy;
  }

  dispose(): void {
    this.broad.dispose();
    this.world.dispose();
  }
}

let simulation: Simulation | null = null;
let traced = false;

function frame(run: number, given: Buffers | null, step: number): void {
  const now = simulation!;
  const search = now.search();
  const fits = given && given.touching.length === now.count;
  const buffers = fits ? given : { positions: new Float32Array(2 * now.count), touching: new Uint8Array(now.count) };
  now.read(buffers);
  const trace = traced ? now.trace() : null;
  const { counts, energy } = now;
  const lists = trace ? [trace.steps.buffer, trace.orders[0].buffer, trace.orders[1].buffer] : [];
  const transfer = [buffers.positions.buffer, buffers.touching.buffer, ...lists];
  post({ kind: "frame", run, buffers, counts, search, step, energy, trace }, transfer);
}

function receive(carom: Carom, message: ToWorker): void {
  if (message.kind === "setup") {
    traced = message.trace && methodOf(message.method).observed;
    if (message.keep && simulation?.count === message.count) simulation.setMethod(message.method, traced);
    else {
      simulation?.dispose();
      simulation = new Simulation(carom, message.count, message.seed, message.method, traced);
    }
    frame(message.run, null, 0);
  } else if (message.kind === "step" && simulation) {
    frame(message.run, message.buffers, simulation.step());
  } else if (message.kind === "measure") {
    for (const method of message.methods) {
      for (const count of message.counts.filter((n) => n <= methodOf(method).most)) {
        post({ kind: "measured", method, count, ...searchTimes(carom, method, count, message.seed) });
      }
    }
    post({ kind: "measured all" });
  }
}

const ready = loadCarom();

addEventListener("message", (event: MessageEvent<ToWorker>) => {
  const failed = (kind: "failed" | "not loaded") => (error: unknown) =>
    post({ kind, message: error instanceof Error ? error.message : String(error) });
  ready.then((carom) => {
    try {
      receive(carom, event.data);
    } catch (error) {
      failed("failed")(error);
    }
  }, failed("not loaded"));
});
