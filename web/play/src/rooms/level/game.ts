// A level as the page sees it: a worker builds, runs and paints it.

import type { SceneText } from "../../scene_text";
import { say } from "../../shell/language";
import type { Frame, FromWorker, Load, Report, ToWorker } from "./messages";
import { words } from "./words";

/** Callbacks of a running level. */
export interface GameEvents {
  painted(picture: ImageBitmap, report: Report): void;
  /** The level cannot go on. */
  failed(message: string): void;
}

/** A promise of a picture. */
interface Picture {
  resolve(text: string): void;
  reject(error: Error): void;
}

export class Game {
  events: GameEvents | null = null;
  /** Height of the mover, and the start of the level. */
  size = 0;
  start: [number, number] = [0, 0];
  /** True while the worker makes a frame. */
  busy = false;
  /** True after the first frame. */
  painted = false;
  private svgs: Picture[] = [];
  private readonly worker = new Worker(new URL("./level_worker.ts", import.meta.url), {
    type: "module",
    name: "level",
  });

  private constructor(
    readonly scene: SceneText,
    readonly gravity: boolean,
  ) {}

  /** Builds a level. If `signal` aborts, the worker ends and the promise rejects. */
  static load(
    scene: SceneText,
    load: Omit<Load, "scene">,
    signal: AbortSignal,
    progress: (share: number) => void = () => {},
  ): Promise<Game> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      if (!canDraw()) return reject(new Error(say(words.noCanvas)));
      const game = new Game(scene, load.options.gravity);
      const { worker } = game;
      const fail = (error: unknown): void => {
        signal.removeEventListener("abort", abort);
        game.dispose();
        reject(error);
      };
      const abort = (): void => fail(signal.reason);
      signal.addEventListener("abort", abort);
      worker.onerror = (event) => fail(new Error(event.message || say(words.broken)));
      worker.onmessageerror = () => fail(new Error(say(words.broken)));
      worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
        if (data.kind === "progress") progress(data.share);
        else if (data.kind === "failed") fail(new Error(data.message));
        else if (data.kind === "ready") {
          signal.removeEventListener("abort", abort);
          [game.size, game.start] = [data.size, data.start];
          game.listen();
          resolve(game);
        }
      };
      game.post({ kind: "load", ...load, scene });
    });
  }

  private post(message: ToWorker): void {
    this.worker.postMessage(message);
  }

  /** Passes the messages and errors of the worker to the events. */
  private listen(): void {
    const { worker } = this;
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.receive(data);
    worker.onerror = (event) => this.events?.failed(event.message || say(words.broken));
    worker.onmessageerror = () => this.events?.failed(say(words.broken));
  }

  private receive(message: FromWorker): void {
    if (message.kind === "frame") {
      this.busy = false;
      this.painted = true;
      if (this.events) this.events.painted(message.picture, message.report);
      else message.picture.close();
    } else if (message.kind === "svg") this.svgs.shift()?.resolve(message.text);
    else if (message.kind === "noSvg") this.svgs.shift()?.reject(new Error(message.reason));
    else if (message.kind === "failed") this.events?.failed(message.message);
  }

  /** Requests a frame. The result arrives in `painted`. */
  frame(frame: Frame): void {
    this.busy = true;
    this.post({ kind: "frame", ...frame });
  }

  /** Puts the mover at a place, or at the start. */
  spawn(at: [number, number] | null): void {
    this.post({ kind: "spawn", at });
  }

  /** Returns the picture as an SVG of paths. Rejects if the level ends before. */
  svg(title: string): Promise<string> {
    this.post({ kind: "svg", title });
    return new Promise((resolve, reject) => this.svgs.push({ resolve, reject }));
  }

  /** Ends the worker. `reason` is the message for pictures that are not ready. */
  dispose(reason = say(words.ended)): void {
    const { worker, svgs } = this;
    this.events = null;
    this.svgs = [];
    worker.onerror = worker.onmessageerror = null;
    // Of the messages that are on their way, only pictures need something.
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => data.kind === "frame" && data.picture.close();
    worker.terminate();
    for (const { reject } of svgs) reject(new Error(reason));
  }
}

/** Returns true if a worker of this browser can have a canvas with a 2D context. */
function canDraw(): boolean {
  return typeof OffscreenCanvas !== "undefined" && new OffscreenCanvas(1, 1).getContext("2d") !== null;
}
