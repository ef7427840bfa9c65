// Draws few balls with every test, the sweep line and the sorted edges.

import { colour } from "../../shell/theme";
import { APART, LINE, HIT, type Player, STOP, SWAP_X, SWAP_Y } from "./player";

/** What is drawn: the balls, and the search if it is recorded. */
export interface Picture {
  side: number;
  radius: number;
  positions: Float32Array;
  touching: Uint8Array;
  player: Player | null;
  /** Sorted lists: none, left edges on x, or both edges on both axes. */
  lists: "none" | "begins" | "both ends";
}

/** Width of the band of sorted edges, in CSS pixels. */
const BAND = 92;
/** Ids are written on up to this many balls. */
const NAMED = 60;
/** Edges are listed in slots up to this many. */
const SLOTS = 240;

/** Where the box lies in the figure. */
interface Frame {
  left: number;
  top: number;
  scale: number;
  /** Side of the box in pixels. */
  size: number;
}

export class Figure2d {
  readonly canvas = document.createElement("canvas");
  private pen = this.canvas.getContext("2d")!;
  private colours: Record<string, string> = {};

  constructor() {
    this.themeChanged();
  }

  themeChanged(): void {
    const names = ["overlap", "tested", "pruned", "ink", "faint", "line", "solid", "solid-line", "sheet"] as const;
    this.colours = Object.fromEntries(names.map((name) => [name, colour(name)]));
  }

  draw(picture: Picture): void {
    const box = this.canvas.getBoundingClientRect();
    const ratio = Math.min(devicePixelRatio, 2);
    const [width, height] = [Math.round(box.width * ratio), Math.round(box.height * ratio)];
    if (width < 2 || height < 2) return;
    if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, { width, height });
    this.pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.pen.clearRect(0, 0, box.width, box.height);
    this.paint(picture, box);
  }

  /** Returns the same picture as the text of an SVG. */
  async toSvg(picture: Picture): Promise<string> {
    const { Context } = await import("svgcanvas");
    const { width, height } = this.canvas.isConnected
      ? this.canvas.getBoundingClientRect()
      : { width: 800, height: 800 };
    const recorder = new Context(Math.round(width), Math.round(height));
    const { pen } = this;
    this.pen = recorder;
    try {
      recorder.fillStyle = this.colours.sheet!;
      recorder.fillRect(0, 0, width, height);
      this.paint(picture, { width, height });
    } finally {
      this.pen = pen;
    }
    return `${recorder.getSerializedSvg()}\n`;
  }

  private paint(picture: Picture, box: { width: number; height: number }): void {
    const band = picture.player && picture.lists !== "none" ? BAND : 0;
    const side = picture.lists === "both ends" ? band : 0;
    const size = Math.max(40, Math.min(box.width - 24 - side, box.height - 24 - band));
    const frame: Frame = {
      left: side + 12 + (box.width - 24 - side - size) / 2,
      top: 12 + (box.height - 24 - band - size) / 2,
      size,
      scale: size / picture.side,
    };
    this.drawSweep(picture, frame);
    this.drawTests(picture, frame);
    this.drawBalls(picture, frame);
    this.pen.strokeStyle = this.colours["solid-line"]!;
    this.pen.lineWidth = 1.5;
    this.pen.strokeRect(frame.left, frame.top, frame.size, frame.size);
    if (!band) return;
    this.drawList(picture, frame, 0);
    if (side) this.drawList(picture, frame, 1);
  }

  /** The sweep line, and the range of x in which a box must begin to be tested. */
  private drawSweep({ player, positions, radius, lists }: Picture, { left, top, scale, size }: Frame): void {
    if (!player || lists !== "begins" || player.swept < 0) return;
    const x = left + (positions[2 * player.swept]! - radius) * scale;
    this.pen.fillStyle = this.colours.tested!;
    this.pen.globalAlpha = 0.1;
    this.pen.fillRect(x, top, 2 * radius * scale, size);
    this.pen.globalAlpha = 1;
    this.line(x, top, x, top + size + 6, "tested", 2);
  }

  private line(ax: number, ay: number, bx: number, by: number, name: string, width: number): void {
    this.pen.beginPath();
    this.pen.moveTo(ax, ay);
    this.pen.lineTo(bx, by);
    this.pen.strokeStyle = this.colours[name]!;
    this.pen.lineWidth = width;
    this.pen.stroke();
  }

  /** Lines between the balls that were tested so far. */
  private drawTests(picture: Picture, frame: Frame): void {
    const { player } = picture;
    if (!player) return;
    const many = player.tested.length / 2;
    this.pen.globalAlpha = Math.max(0.05, Math.min(0.4, 30 / many));
    this.joined(picture, frame, player.tested, "tested", 1);
    this.pen.globalAlpha = 1;
    this.joined(picture, frame, player.hits, "overlap", 2.5);
    const { last } = player;
    if (last?.kind === APART || last?.kind === HIT) this.joined(picture, frame, [last.a, last.b], "tested", 3);
  }

  private joined({ positions }: Picture, frame: Frame, pairs: number[], name: string, width: number): void {
    this.pen.beginPath();
    for (let i = 0; i < pairs.length; i += 2) {
      this.pen.moveTo(...place(frame, positions, pairs[i]!));
      this.pen.lineTo(...place(frame, positions, pairs[i + 1]!));
    }
    this.pen.strokeStyle = this.colours[name]!;
    this.pen.lineWidth = width;
    this.pen.stroke();
  }

  private drawBalls(picture: Picture, frame: Frame): void {
    const { positions, touching, player, radius, lists } = picture;
    const { pen, colours } = this;
    const last = player?.last;
    const test = last && (last.kind === APART || last.kind === HIT) ? [last.a, last.b] : [];
    const swept = lists === "begins" && player ? player.swept : -1;
    const pixels = radius * frame.scale;
    for (let i = 0; i < touching.length; i++) {
      const [x, y] = place(frame, positions, i);
      pen.beginPath();
      pen.arc(x, y, pixels, 0, 2 * Math.PI);
      pen.fillStyle = touching[i] ? colours.overlap! : colours.solid!;
      pen.globalAlpha = touching[i] ? 0.45 : 0.85;
      pen.fill();
      pen.globalAlpha = 1;
      const marked = i === swept || test.includes(i);
      pen.strokeStyle = colours[marked ? "tested" : last?.kind === STOP && i === last.b ? "pruned" : "solid-line"]!;
      pen.lineWidth = marked ? 3 : 1;
      pen.stroke();
      if (test.includes(i)) pen.strokeRect(x - pixels, y - pixels, 2 * pixels, 2 * pixels);
      if (touching.length <= NAMED && pixels > 8) this.name(String(i), x, y, Math.min(13, pixels));
    }
  }

  private name(text: string, x: number, y: number, size: number): void {
    this.pen.font = `${size}px system-ui, sans-serif`;
    this.pen.textAlign = "center";
    this.pen.textBaseline = "middle";
    this.pen.fillStyle = this.colours.ink!;
    this.pen.fillText(text, x, y);
  }

  /**
   * The list of an axis in slots, and a line from each slot to the edge at its place. Lines that cross are edges out
   * of order. The band of x lies below the box, that of y to the left of it.
   */
  private drawList({ player, positions, radius, lists }: Picture, frame: Frame, axis: 0 | 1): void {
    const order = player!.orders[axis];
    const count = order.length;
    if (!count) return;
    const slot = frame.size / count;
    const last = player!.last;
    const swap = axis === 0 ? SWAP_X : SWAP_Y;
    const test = last?.kind === APART || last?.kind === HIT ? last : null;
    const both = lists === "both ends";
    for (let index = 0; index < count; index++) {
      const edge = order[index]!;
      const [ball, upper] = both ? [edge >> 1, edge & 1] : [edge, 0];
      const value = positions[2 * ball + axis]! + (upper ? radius : -radius);
      const moved = last?.kind === swap && (edge === last.a || edge === last.b);
      const isTested = (test && (ball === test.a || ball === test.b)) || (last?.kind === LINE && ball === last.a);
      const isStop = last?.kind === STOP && ball === last.b;
      const name = moved || isTested ? "tested" : isStop ? "pruned" : upper ? "faint" : "solid-line";
      const bold = moved || isTested || isStop;
      const along = value * frame.scale;
      const at = (index + 0.5) * slot;
      if (axis === 0) {
        const below = frame.top + frame.size;
        this.line(frame.left + along, below, frame.left + along, below + 10, name, bold ? 3 : 1);
        if (count > SLOTS) continue;
        this.line(frame.left + along, below + 10, frame.left + at, below + 56, name, bold ? 2 : 0.75);
        this.slot(frame.left + at, below + 68, slot, ball, upper, name, bold, true);
      } else {
        const above = frame.top + frame.size;
        this.line(frame.left, above - along, frame.left - 10, above - along, name, bold ? 3 : 1);
        if (count > SLOTS) continue;
        this.line(frame.left - 10, above - along, frame.left - 56, above - at, name, bold ? 2 : 0.75);
        this.slot(frame.left - 68, above - at, slot, ball, upper, name, bold, false);
      }
    }
  }

  /** One entry of a list: a tile with the number of its ball. Upper edges are hollow. */
  private slot(
    x: number,
    y: number,
    size: number,
    ball: number,
    upper: number,
    name: string,
    bold: boolean,
    wide: boolean,
  ): void {
    const [length, thickness] = [Math.max(1, size - 2), 22];
    const [width, height] = wide ? [length, thickness] : [thickness, length];
    this.pen.fillStyle = this.colours[bold ? name : "solid"]!;
    this.pen.strokeStyle = this.colours[bold ? name : "solid-line"]!;
    this.pen.lineWidth = 1;
    this.pen.globalAlpha = bold ? 0.45 : 1;
    if (!upper || bold) this.pen.fillRect(x - width / 2, y - height / 2, width, height);
    this.pen.globalAlpha = 1;
    if (length > 3) this.pen.strokeRect(x - width / 2, y - height / 2, width, height);
    if (length >= 15) this.name(String(ball), x, y, Math.min(12, length * 0.7));
  }
}

/** Returns the pixel of the middle of a ball. y points up. */
function place({ left, top, scale, size }: Frame, positions: Float32Array, ball: number): [number, number] {
  return [left + positions[2 * ball]! * scale, top + size - positions[2 * ball + 1]! * scale];
}
