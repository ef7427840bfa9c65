// A worker that draws the balls. The page stays free however slow the drawing is.

import { type Colours, FigureGl } from "./figure_gl";
import type { Buffers } from "./messages";

export type ToPainter =
  | { kind: "canvas"; canvas: OffscreenCanvas }
  /** Draws the balls, or without buffers those of the last time. */
  | { kind: "draw"; view: PaintedView; buffers: Buffers | null };

/** What is drawn, besides the balls. Sizes are in device pixels. */
export interface PaintedView {
  width: number;
  height: number;
  border: number;
  colours: Colours;
  /** Side of the box and radius of the balls, in units of the scene. */
  side: number;
  radius: number;
}

export type FromPainter =
  | { kind: "drawn"; buffers: Buffers | null; milliseconds: number }
  /** `lasting` is true if a new painter would fail too. */
  | { kind: "failed"; message: string; lasting: boolean };

const post = (message: FromPainter, transfer: Transferable[] = []): void => postMessage(message, { transfer });

let figure: FigureGl | null = null;

function draw({ view, buffers }: Extract<ToPainter, { kind: "draw" }>): void {
  if (!figure) return;
  const start = performance.now();
  figure.resize(view.width, view.height);
  figure.setColours(view.colours);
  if (buffers) figure.upload(buffers.positions, buffers.touching);
  figure.draw(view.side, view.radius, view.border);
  const milliseconds = performance.now() - start;
  post({ kind: "drawn", buffers, milliseconds }, buffers ? [buffers.positions.buffer, buffers.touching.buffer] : []);
}

addEventListener("message", ({ data }: MessageEvent<ToPainter>) => {
  try {
    if (data.kind === "canvas") {
      figure = new FigureGl(data.canvas);
      // Without a context all later calls draw nothing, and none of them fails.
      data.canvas.addEventListener("webglcontextlost", () =>
        post({ kind: "failed", message: "the context was lost", lasting: false }),
      );
    } else draw(data);
  } catch (error) {
    // A new painter may get a context. It draws the same balls, so it draws them no better.
    const message = error instanceof Error ? error.message : String(error);
    post({ kind: "failed", message, lasting: data.kind === "draw" });
  }
});
