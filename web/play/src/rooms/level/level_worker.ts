// A worker that runs a level and paints it. The page shows the pictures.

import type { Id, Scene } from "carom";
import { type Carom, loadCarom } from "../../carom";
import { tracer } from "../../draw/shape_path";
import { parseScene } from "../../scene_text";
import { type Light, LevelPicture } from "./draw";
import type { Frame, FromWorker, Input, Load, Report, ToWorker } from "./messages";
import { Simulation } from "./simulation";

const FRAME = 1 / 60;
/** Milliseconds that the light may take in every frame. */
const FREE_LIGHT = 8;
const NO_INPUT: Input = { left: false, right: false, up: false, down: false, jump: false };

const post = (message: FromWorker, transfer: Transferable[] = []): void => postMessage(message, { transfer });

/** A running level. */
class RunningLevel {
  private readonly simulation: Simulation;
  private readonly picture: LevelPicture;
  private aim: [number, number] | null = null;
  private debt = 0;
  private light: { key: string; shown: Light; until: number } | null = null;
  private framed = false;
  /** Keys that were pressed in frames without a step. */
  private pressed: Input = NO_INPUT;

  constructor(carom: Carom, scene: Scene, { options, start, at }: Load) {
    const simulation = new Simulation(carom, scene, options, (share) => post({ kind: "progress", share }));
    simulation.start = start ?? simulation.findPlace();
    simulation.spawn(...(at ?? simulation.start));
    simulation.step(0, NO_INPUT);
    this.simulation = simulation;
    this.picture = new LevelPicture(simulation, tracer(carom.outlines));
    post({ kind: "ready", size: simulation.options.size, start: simulation.start });
  }

  spawn(at: [number, number] | null): void {
    this.simulation.spawn(...(at ?? this.simulation.start));
  }

  svg(title: string): string {
    return this.picture.toSvg(this.simulation, title);
  }

  /** Runs the steps of the time that passed, and paints. */
  frame(frame: Frame): void {
    const { simulation, picture } = this;
    // The pointer is a point of the picture, so the first picture needs its view before.
    if (!this.framed) picture.aim(simulation, frame, 1);
    if (frame.pointer) this.aim = picture.world(...frame.pointer);
    for (let i = 0; i < frame.shots; i++) this.shoot(frame.sampled);
    this.debt += frame.passed;
    const steps = Math.floor(this.debt / FRAME);
    this.debt -= steps * FRAME;
    const input = either(this.pressed, frame.input);
    for (let i = 0; i < steps; i++) simulation.step(FRAME, input);
    this.pressed = steps > 0 ? NO_INPUT : input;
    picture.aim(simulation, frame, this.framed && !frame.still ? Math.min(1, frame.passed * 7) : 1);
    this.framed = true;
    picture.draw(simulation, {
      light: frame.light ? this.lightOf(frame.range) : null,
      blocking: blocking(simulation),
    });
    const bitmap = picture.canvas.transferToImageBitmap();
    post({ kind: "frame", picture: bitmap, report: this.report() }, [bitmap]);
  }

  private shoot(sampled: boolean): void {
    const { simulation, aim } = this;
    const [dx, dy] = aim ? [aim[0] - simulation.x, aim[1] - simulation.y] : [simulation.facing, 0];
    simulation.shoot(dx, dy, sampled);
  }

  /**
   * Returns the visible region: that of the last time if nothing moved, or if it took so long that the frames would
   * wait for it. Large maps have more corners in sight than a frame has time for.
   */
  private lightOf(range: number): Light {
    const { simulation } = this;
    const now = performance.now();
    const key = [simulation.x, simulation.y, range, simulation.platforms.moving ? now : 0].join();
    if (this.light && (this.light.key === key || now < this.light.until)) return this.light.shown;
    const shown = simulation.visible(range);
    const end = performance.now();
    this.light = { key, shown, until: end + Math.max(0, 2 * (end - now) - FREE_LIGHT) };
    return shown;
  }

  private report(): Report {
    const { x, y, mover, lastHit, fired, names } = this.simulation;
    const name = (id: Id) => names[id] ?? String(id);
    return {
      x,
      y,
      ground: mover.grounded && mover.ground ? name(mover.ground.id) : null,
      surfaces: mover.surfaces.map(({ id, kind }) => ({ name: name(id), kind })),
      lastHit: lastHit === null ? null : name(lastHit),
      ...fired,
    };
  }
}

/** Returns the directions that one of two inputs holds. */
function either(a: Input, b: Input): Input {
  return {
    left: a.left || b.left,
    right: a.right || b.right,
    up: a.up || b.up,
    down: a.down || b.down,
    jump: a.jump || b.jump,
  };
}

/** Returns the colliders that stop the mover, the ground included. */
function blocking({ mover }: Simulation): Map<Id, "floor" | "wall" | "ceiling"> {
  const found = new Map(mover.surfaces.map(({ id, kind }): [Id, typeof kind] => [id, kind]));
  if (mover.ground) found.set(mover.ground.id, "floor");
  return found;
}

let level: RunningLevel | null = null;

async function receive(carom: Carom, message: ToWorker): Promise<void> {
  if (message.kind === "load") level = new RunningLevel(carom, await parseScene(message.scene), message);
  else if (message.kind === "spawn") level!.spawn(message.at);
  else if (message.kind === "frame") level!.frame(message);
  else post(svg(message.title));
}

/** Returns the picture. A failure does not end the level. */
function svg(title: string): FromWorker {
  try {
    return { kind: "svg", text: level!.svg(title) };
  } catch (error) {
    return { kind: "noSvg", reason: reason(error) };
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const ready = loadCarom();

addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  ready
    .then((carom) => receive(carom, data))
    .catch((error: unknown) => post({ kind: "failed", message: reason(error) }));
});
