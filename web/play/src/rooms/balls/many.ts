// Draws many balls from the page: sends them to the worker that paints.

import { colour } from "../../shell/theme";
import type { Colours } from "./figure_gl";
import type { Buffers } from "./messages";
import type { FromPainter, PaintedView, ToPainter } from "./painter";

/** Border around the box in CSS pixels. */
const BORDER = 12;

/** What the painter calls. */
export interface ManyEvents {
  /** The balls are drawn, and their buffers are free again. */
  drawn(buffers: Buffers | null, milliseconds: number): void;
  /** The size changed: the balls have to be drawn again. */
  changed(): void;
  /** The painter ended. `lasting` is true if a new one would end the same way. */
  failed(message: string, lasting: boolean): void;
}

export class ManyBalls {
  readonly canvas = document.createElement("canvas");
  private readonly worker: Worker;
  private readonly resize: ResizeObserver;
  /** Size in CSS pixels and colours. Reading them in each frame would make the browser compute the layout. */
  private size = [0, 0];
  private colours!: Colours;
  /** True while the painter draws. */
  busy = false;

  /** Throws if the browser cannot give a canvas to a worker. */
  constructor(events: ManyEvents) {
    const canvas = this.canvas.transferControlToOffscreen();
    this.worker = new Worker(new URL("./painter.ts", import.meta.url), { type: "module", name: "painter" });
    this.worker.addEventListener("message", ({ data }: MessageEvent<FromPainter>) => {
      this.busy = false;
      if (data.kind === "drawn") events.drawn(data.buffers, data.milliseconds);
      else events.failed(data.message, data.lasting);
    });
    // The painter catches the errors of its work. What remains is a script that does not load or start.
    this.worker.addEventListener("error", (event) =>
      events.failed(event.message || "the painter could not be loaded", true),
    );
    this.canvas.setAttribute("role", "img");
    this.resize = new ResizeObserver(([entry]) => {
      this.size = [entry!.contentRect.width, entry!.contentRect.height];
      events.changed();
    });
    this.resize.observe(this.canvas);
    this.themeChanged();
    this.post({ kind: "canvas", canvas }, [canvas]);
  }

  themeChanged(): void {
    this.colours = { plain: colour("solid-line"), touched: colour("overlap") };
  }

  private post(message: ToPainter, transfer: Transferable[]): void {
    this.worker.postMessage(message, transfer);
  }

  /** Draws balls, or without buffers those of the last time. The buffers come back with `drawn`. */
  draw(side: number, radius: number, buffers: Buffers | null): void {
    const ratio = Math.min(devicePixelRatio, 2);
    const [width, height] = this.size.map((pixels) => Math.round(pixels * ratio)) as [number, number];
    if (this.busy || width < 2 || height < 2) return;
    this.busy = true;
    const view: PaintedView = { width, height, border: BORDER * ratio, colours: this.colours, side, radius };
    const transfer = buffers ? [buffers.positions.buffer, buffers.touching.buffer] : [];
    this.post({ kind: "draw", view, buffers }, transfer);
  }

  dispose(): void {
    this.resize.disconnect();
    this.worker.terminate();
  }
}
