// Draws two figures at any magnification. Differences to the middle are computed exactly before they are rounded to
// pixels, so the picture is right down to a fraction of the last bit.

import { format, say } from "../../shell/language";
import { h, s } from "../../ui/dom";
import type { Nearest } from "./contact";
import { type Circle, exact, exactPoint, type ExactPoint, type Figure, squareRoot, ulp, UNIT } from "./exact";
import { words } from "./words";

/** Lines of the grid are drawn if they are this many pixels apart. */
const GRID_PIXELS = 7;
/** Style of the label of the gap: readable on any colour. */
const LABEL = "font: 600 15px system-ui, sans-serif; paint-order: stroke; stroke: var(--sheet); stroke-width: 4";
/** Width of a letter of the label in pixels, roughly. */
const LETTER = 9;
/** Rows of pixels between two points of an arc that is drawn by rows. */
const ROW = 4;

export interface View {
  width: number;
  height: number;
  /** Logarithm to base 2 of the pixels per unit. */
  zoom: number;
  /** The point in the middle of the picture. */
  centre: ExactPoint;
}

/** Draws into an SVG element. */
export class Picture {
  private view: View = { width: 1, height: 1, zoom: 0, centre: [0n, 0n] };
  private nearest!: Nearest;

  constructor(readonly svg: SVGSVGElement) {}

  draw(a: Figure, b: Figure, nearest: Nearest, bits: 53 | 24, view: View): void {
    this.view = view;
    this.nearest = nearest;
    this.svg.setAttribute("viewBox", `0 0 ${view.width} ${view.height}`);
    this.svg.replaceChildren(
      this.figure(a, "a"),
      this.figure(b, "b"),
      ...this.grid(a, bits),
      ...this.gap(),
      ...this.names(),
      this.scaleBar(),
    );
  }

  /** Returns a length of pixels in units of 2 ** -UNIT. */
  private length(pixels: number): bigint {
    return exactScaled(pixels, UNIT - this.view.zoom);
  }

  private px([x, y]: ExactPoint): [number, number] {
    const { width, height, zoom, centre } = this.view;
    const scale = 2 ** (zoom - UNIT);
    return [width / 2 + Number(x - centre[0]) * scale, height / 2 - Number(y - centre[1]) * scale];
  }

  private figure(figure: Figure, name: "a" | "b"): SVGElement {
    const style = `fill: var(--${name}-fill); fill-opacity: 0.5; stroke: var(--${name}); stroke-width: 1.5`;
    if (figure.kind === "polygon") {
      const points = this.clip(figure.points.map(exactPoint)).map((point) => this.px(point).map(short).join());
      return s("polygon", { points: points.join(" "), style });
    }
    const pixels = figure.radius * 2 ** this.view.zoom;
    if (pixels > 8 * (this.view.width + this.view.height)) {
      return s("polygon", {
        points: this.arc(figure)
          .map((point) => point.map(short).join())
          .join(" "),
        style,
      });
    }
    const [cx, cy] = this.px(exactPoint(figure.center));
    return s("circle", { cx: short(cx), cy: short(cy), r: short(pixels), style });
  }

  /** Returns half the view in units of 2 ** -UNIT, with a border. */
  private half(): ExactPoint {
    return [this.length(this.view.width / 2 + 40), this.length(this.view.height / 2 + 40)];
  }

  /** Cuts a polygon to the view (Sutherland and Hodgman 1974). */
  private clip(points: ExactPoint[]): ExactPoint[] {
    const half = this.half();
    let ring = points;
    for (const axis of [0, 1] as const) {
      for (const sign of [1n, -1n]) {
        const inside = (p: ExactPoint): bigint => half[axis] - sign * (p[axis] - this.view.centre[axis]);
        ring = ring.flatMap((from, i) => {
          const to = ring[(i + 1) % ring.length]!;
          const [d, e] = [inside(from), inside(to)];
          const kept = d >= 0n ? [from] : [];
          if (d >= 0n === e >= 0n) return kept;
          return [...kept, [0, 1].map((k) => from[k]! + ((to[k]! - from[k]!) * d) / (d - e)) as ExactPoint];
        });
      }
    }
    return ring;
  }

  /** Returns the side of a huge circle in the view: a point for every few rows or columns of pixels, then the rest. */
  private arc({ center, radius }: Circle): [number, number][] {
    const { width, height, centre: middle } = this.view;
    const c = exactPoint(center);
    const r = exact(radius);
    const away = [0, 1].map((k) => middle[k]! - c[k]!) as ExactPoint;
    const size = (value: bigint): bigint => (value < 0n ? -value : value);
    const across = size(away[0]) >= size(away[1]) ? 1 : 0;
    const depth = across === 1 ? 0 : 1;
    const extent = (across === 1 ? height : width) / 2 + 40;
    const side = away[depth] < 0n ? -1n : 1n;
    const line: [number, number][] = [];
    for (let at = -extent; at <= extent; at += ROW) {
      const along = middle[across] + this.length(at);
      const rest = r * r - (along - c[across]) ** 2n;
      if (rest < 0n) continue;
      const point: ExactPoint = [0n, 0n];
      point[across] = along;
      point[depth] = c[depth] + side * squareRoot(rest);
      const [x, y] = this.px(point);
      const far = 2 * (width + height);
      line.push([Math.min(Math.max(x, -far), far), Math.min(Math.max(y, -far), far)]);
    }
    if (line.length < 2) return [];
    const beyond = Number(side) * (width + height) * 3 * (depth === 0 ? -1 : 1);
    const [first, last] = [line[0]!, line.at(-1)!];
    return depth === 0
      ? [...line, [beyond, last[1]], [beyond, first[1]]]
      : [...line, [last[0], beyond], [first[0], beyond]];
  }

  /** The numbers that the format can store: a line for each x and each y. */
  private grid(figure: Figure, bits: 53 | 24): SVGElement[] {
    const [x, y] = figure.kind === "circle" ? figure.center : figure.points[0]!;
    const lines: SVGElement[] = [];
    const style = "stroke: var(--faint); stroke-width: 0.6; stroke-dasharray: 2 3";
    [x, y].forEach((near, axis) => {
      const middle = this.view.centre[axis]!;
      const value = near === 0 ? 0n : middle;
      if (value === 0n) return;
      const step = ulp(Number(middle) * 2 ** -UNIT) << BigInt(53 - bits);
      if (Number(step) * 2 ** (this.view.zoom - UNIT) < GRID_PIXELS) return;
      const half = this.half()[axis]!;
      for (let at = ((middle - half) / step) * step; at <= middle + half; at += step) {
        const [px, py] = this.px(axis === 0 ? [at, 0n] : [0n, at]);
        lines.push(
          axis === 0
            ? s("line", { x1: short(px), x2: short(px), y1: 0, y2: this.view.height, style })
            : s("line", { y1: short(py), y2: short(py), x1: 0, x2: this.view.width, style }),
        );
      }
    });
    return lines;
  }

  /** The gap or the depth, with its size. */
  private gap(): SVGElement[] {
    const { onA, onB, gap } = this.nearest;
    const [ax, ay] = this.px(onA);
    const [bx, by] = this.px(onB);
    const name = gap > 0n ? "gap" : "overlap";
    if (gap === 0n) return [s("circle", { cx: short(bx), cy: short(by), r: 5, style: "fill: var(--overlap)" })];
    if (Math.hypot(bx - ax, by - ay) < 3) return [];
    const flat = Math.abs(by - ay) < 0.3 * Math.abs(bx - ax);
    const end = (x: number, y: number) =>
      s("circle", { cx: short(x), cy: short(y), r: 3.5, style: `fill: var(--${name})` });
    const size = format(Math.abs(Number(gap) * 2 ** -UNIT), 4);
    const text = say(gap > 0n ? words.gapSize : words.depthSize, { size });
    // Beside the line, but inside the picture.
    const wide = text.length * LETTER;
    const beside = Math.min(Math.max(ax, bx) + 10, this.view.width - 8 - wide);
    return [
      s("line", {
        x1: short(ax),
        y1: short(ay),
        x2: short(bx),
        y2: short(by),
        style: `stroke: var(--${name}); stroke-width: 3`,
      }),
      end(ax, ay),
      end(bx, by),
      s(
        "text",
        {
          x: short(flat ? (ax + bx) / 2 : beside),
          y: short((ay + by) / 2 + (flat ? -14 : 5)),
          "text-anchor": flat ? "middle" : "start",
          style: `fill: var(--${name}); ${LABEL}`,
        },
        text,
      ),
    ];
  }

  /** The letters A and B, on both sides of the contact. */
  private names(): SVGElement[] {
    const { middle, normal } = this.nearest;
    const [x, y] = this.px(middle);
    const way = normal.map((part) => Number(part) * 2 ** -UNIT) as [number, number];
    const size = 2 ** this.view.zoom;
    // Far from the contact, but inside of both figures and of the picture.
    const by = Math.min(0.34 * Math.min(this.view.width, this.view.height), 0.08 * size);
    const name = (sign: number, letter: string) =>
      s(
        "text",
        {
          x: short(x + sign * by * way[0]),
          y: short(y - sign * by * way[1]),
          "text-anchor": "middle",
          "dominant-baseline": "central",
          style: `fill: var(--${letter.toLowerCase()}); font: 700 20px system-ui, sans-serif`,
        },
        letter,
      );
    return [name(-1, "A"), name(1, "B")];
  }

  /** A bar as long as a power of ten. */
  private scaleBar(): SVGElement {
    const unit = 2 ** this.view.zoom;
    const power = Math.floor(Math.log10((this.view.width * 0.4) / unit));
    const length = 10 ** power * unit;
    const y = this.view.height - 18;
    const style = "stroke: var(--ink); stroke-width: 1.5; fill: none";
    const label = power > -3 ? String(10 ** power) : `10${superscript(power)}`;
    return s(
      "g",
      {},
      s("path", { d: `M16 ${y - 5}v5h${short(length)}v-5`, style }),
      s("text", { x: 16, y: y - 10, style: "fill: var(--ink); font: 13px system-ui, sans-serif" }, label),
    );
  }
}

/** Returns `pixels × 2 ** power` as an integer. `power` may be a fraction. */
function exactScaled(pixels: number, power: number): bigint {
  const whole = Math.floor(power);
  const shift = BigInt(whole - 40);
  return BigInt(Math.round(pixels * 2 ** (power - whole) * 2 ** 20)) << (shift + 20n);
}

const short = (value: number): string => String(Number(value.toFixed(3)));

function superscript(value: number): string {
  return [...String(value)].map((letter) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(letter)]).join("");
}

/** Returns an empty figure for the room. */
export function emptyPicture(): { box: HTMLElement; picture: Picture } {
  const svg = s("svg", { role: "img", tabindex: 0 });
  return { box: h("div", { class: "floats" }, svg), picture: new Picture(svg) };
}
