// A level as the page sees it: a worker builds, runs and paints it.

import type { Scene } from 'carom';
import type { Frame, FromWorker, Load, Report, ToWorker } from './messages';

/** What a running level calls. */
export interface GameEvents {
  painted(picture: ImageBitmap, report: Report): void;
  /** The level cannot go on. */
  failed(message: string): void;
}

export class Game {
  events: GameEvents | null = null;
  /** Height of the mover, and the start of the level. */
  size = 0;
  start: [number, number] = [0, 0];
  /** True while the worker makes a frame. */
  busy = false;
  private svgs: ((text: string) => void)[] = [];
  private readonly worker = new Worker(new URL('./level_worker.ts', import.meta.url), { type: 'module', name: 'level' });

  private constructor(
    readonly scene: Scene,
    readonly gravity: boolean,
  ) {}

  /** Builds a level. If `signal` aborts, the worker ends and the promise rejects. */
  static load(
    scene: Scene,
    load: Load,
    signal: AbortSignal,
    progress: (share: number) => void = () => {},
  ): Promise<Game> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const game = new Game(scene, load.options.gravity);
      const fail = (error: unknown): void => {
        signal.removeEventListener('abort', abort);
        game.dispose();
        reject(error);
      };
      const abort = (): void => fail(signal.reason);
      signal.addEventListener('abort', abort);
      game.worker.onerror = (event) => fail(new Error(event.message || 'the level could not be loaded'));
      game.worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
        if (data.kind === 'progress') progress(data.share);
        else if (data.kind === 'failed') fail(new Error(data.message));
        else if (data.kind === 'ready') {
          signal.removeEventListener('abort', abort);
          [game.size, game.start] = [data.size, data.start];
          game.worker.onmessage = (event) => game.receive(event.data);
          resolve(game);
        }
      };
      game.post({ kind: 'load', ...load });
    });
  }

  private post(message: ToWorker): void {
    this.worker.postMessage(message);
  }

  private receive(message: FromWorker): void {
    if (message.kind === 'frame') {
      this.busy = false;
      this.events?.painted(message.picture, message.report);
    } else if (message.kind === 'svg') this.svgs.shift()?.(message.text);
    else if (message.kind === 'failed') this.events?.failed(message.message);
  }

  /** Lets the worker make a frame. `painted` gets it. */
  frame(frame: Frame): void {
    this.busy = true;
    this.post({ kind: 'frame', ...frame });
  }

  /** Puts the mover at a place, or at the start. */
  spawn(at: [number, number] | null): void {
    this.post({ kind: 'spawn', at });
  }

  /** Returns the picture as an SVG of paths. */
  svg(title: string): Promise<string> {
    this.post({ kind: 'svg', title });
    return new Promise((resolve) => this.svgs.push(resolve));
  }

  dispose(): void {
    this.events = null; // Messages of the worker that arrive later are dropped.
    this.worker.terminate();
  }
}
