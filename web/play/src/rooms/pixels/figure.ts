// The figure: both sprites with their solid pixels, outlines or parts, and the common region.

import { ringPath, placePoint, type Pose } from "../../draw/shape_path";
import { View, type Point } from "../../draw/view";
import { say } from "../../shell/language";
import { s } from "../../ui/dom";
import { followPointer } from "../../ui/follow_pointer";
import type { Name, State } from "./state";
import { words } from "./words";

export interface FigureHost {
  state(): State;
  changed(): void;
  commit(): void;
}

/** What is drawn over a sprite: rings in its own frame, y down. */
export interface Overlay {
  url: string;
  width: number;
  height: number;
  rings: readonly (readonly Point[])[];
  /** True: each ring is a part by itself. */
  separate: boolean;
  /** True: the vertices are marked. */
  vertices: boolean;
}

const round = (value: number) => Math.round(value * 100) / 100;

function circlePath([x, y]: Point, r: number): string {
  return `M${round(x - r)} ${round(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
}

export class PixelFigure {
  readonly view = new View();
  readonly svg = s("svg", { role: "group" });
  private readonly over = s("g", { "pointer-events": "none" });
  private readonly groups: Record<
    Name,
    { group: SVGGElement; image: SVGImageElement; path: SVGPathElement; dots: SVGPathElement }
  >;

  constructor(
    private readonly host: FigureHost,
    signal: AbortSignal,
  ) {
    this.view.down = true;
    this.groups = { a: this.group("a"), b: this.group("b") };
    const dots = s(
      "pattern",
      { id: "pixel-grid", width: 24, height: 24, patternUnits: "userSpaceOnUse" },
      s("circle", { class: "grid", cx: 12, cy: 12, r: 1.1 }),
    );
    this.svg.append(
      s("defs", {}, dots),
      s("rect", { width: "100%", height: "100%", fill: "url(#pixel-grid)" }),
      this.groups.a.group,
      this.groups.b.group,
      this.over,
    );
    const observer = new ResizeObserver(() => this.resize());
    observer.observe(this.svg);
    signal.addEventListener("abort", () => observer.disconnect());
  }

  resize(): void {
    if (!this.view.measure(this.svg)) return;
    this.fit();
    this.host.changed();
  }

  /** Shows the usual part of the world, or more if a sprite lies outside of it: its place may come from a wider figure. */
  fit(): void {
    const { a, b } = this.host.state();
    const places = [a, b].map(({ x, y }): Point => [x, y]);
    this.view.fitAll([-112, -92], [112, 92], 8, places, 40);
  }

  private group(name: Name) {
    const image = s("image", { class: "sprite" });
    const path = s("path", { class: `solid c-${name}` });
    const dots = s("path", { class: `vertices c-${name}` });
    const group = s("g", { class: "movable", tabindex: 0, role: "button", "data-sprite": name }, image, path, dots);
    followPointer(group, (event) => {
      const sprite = this.host.state()[name];
      const [x, y] = this.view.pointer(event, this.svg);
      const offset: Point = [sprite.x - x, sprite.y - y];
      let moved = false;
      return {
        move: (at) => {
          const p = this.view.pointer(at, this.svg);
          this.place(name, p[0] + offset[0], p[1] + offset[1]);
          moved = true;
        },
        end: () => moved && this.host.commit(),
      };
    });
    group.addEventListener("keydown", (event) => this.key(event, name));
    return { group, image, path, dots };
  }

  private place(name: Name, x: number, y: number): void {
    const sprite = this.host.state()[name];
    const [left, top] = this.view.world(10, 10);
    const [right, bottom] = this.view.world(this.view.width - 10, this.view.height - 10);
    sprite.x = round(Math.min(right, Math.max(left, x)));
    sprite.y = round(Math.min(bottom, Math.max(top, y)));
    this.host.changed();
  }

  private key(event: KeyboardEvent, name: Name): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const sprite = this.host.state()[name];
    const moves: Record<string, Point> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    };
    const move = moves[event.key];
    const length = event.shiftKey ? 0.1 : 1;
    const key = event.key.toLowerCase();
    if (move) this.place(name, sprite.x + move[0] * length, sprite.y + move[1] * length);
    else if (key === "q" || key === "e") {
      sprite.rotation = round(sprite.rotation + (key === "q" ? -1 : 1) * (event.shiftKey ? 1 : 5));
      this.host.changed();
    } else return;
    event.preventDefault();
    this.host.commit();
  }

  /** Draws a sprite. The pose is that of its mask: the corner of the image. */
  drawSprite(name: Name, overlay: Overlay, pose: Pose): void {
    const { group, image, path } = this.groups[name];
    const { view } = this;
    const [x, y] = view.point([pose.x, pose.y]);
    const degrees = (pose.angle * 180) / Math.PI;
    if (image.getAttribute("href") !== overlay.url) image.setAttribute("href", overlay.url);
    image.setAttribute("width", String(overlay.width));
    image.setAttribute("height", String(overlay.height));
    image.setAttribute("transform", `translate(${x} ${y}) rotate(${degrees}) scale(${view.scale})`);
    const place = (p: Point) => view.point(placePoint(p, pose));
    path.setAttribute("d", overlay.rings.map((ring) => ringPath(ring.map(place))).join(""));
    path.classList.toggle("separate", overlay.separate);
    const dots = overlay.vertices
      ? overlay.rings
          .flat()
          .map((p) => circlePath(place(p), 2.6))
          .join("")
      : "";
    this.groups[name].dots.setAttribute("d", dots);
    group.setAttribute("aria-label", say(words.move, { name: name.toUpperCase() }));
  }

  /** Draws the common region, or the closest points. */
  drawResult(pieces: readonly (readonly Point[])[], closest: [Point, Point] | null): void {
    this.svg.setAttribute("aria-label", say(words.figure));
    this.over.replaceChildren();
    if (pieces.length) {
      const d = pieces.map((piece) => ringPath(piece.map((p) => this.view.point(p)))).join("");
      this.over.append(s("path", { class: "common", d }));
    }
    if (closest) {
      const [p, q] = closest.map((one) => this.view.point(one)) as [Point, Point];
      this.over.append(s("path", { class: "gap-line", d: `M${p.join(" ")}L${q.join(" ")}` }));
    }
  }
}
