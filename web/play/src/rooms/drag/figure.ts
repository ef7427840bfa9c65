// The figure: one group a shape, which can be dragged, turned with keys, and clicked.

import { dot } from "../../draw/marks";
import { grownPath, shapePath, type TraceMask } from "../../draw/shape_path";
import { View, type Point } from "../../draw/view";
import type { ConvexPart } from "carom";
import { say } from "../../shell/language";
import { s } from "../../ui/dom";
import { followPointer } from "../../ui/follow_pointer";
import { keepFocus } from "../../ui/keep_focus";
import { labelOf } from "./label";
import { poseOf, type Item, type State } from "./state";
import { words } from "./words";

export interface FigureHost {
  state(): State;
  moved(item: Item): void;
  /** Returns the middle of the box around a shape, or null before the package has arrived. */
  middle(item: Item): Point | null;
  commit(): void;
  select(id: string): void;
  click(p: Point): void;
  remove(id: string): void;
}

/** What the figure shows beside the shapes. */
export interface Shown {
  met: Set<string>;
  lit: Set<string>;
  selected: string | null;
  part: ConvexPart | null;
  trace: TraceMask | undefined;
}

const round = (value: number) => Math.round(value * 1000) / 1000;

export class DragFigure {
  readonly view = new View();
  readonly svg = s("svg", { role: "group" });
  private readonly shapes = s("g");
  private readonly marks = s("g", { "pointer-events": "none" });
  private readonly groups = new Map<string, SVGGElement>();

  constructor(
    private readonly host: FigureHost,
    signal: AbortSignal,
    private readonly resized: () => void,
  ) {
    const dots = s(
      "pattern",
      { id: "drag-grid", width: 24, height: 24, patternUnits: "userSpaceOnUse" },
      s("circle", { class: "grid", cx: 12, cy: 12, r: 1.1 }),
    );
    const back = s("rect", { width: "100%", height: "100%", fill: "url(#drag-grid)" });
    back.addEventListener("click", (event) => this.host.click(this.view.pointer(event, this.svg)));
    this.svg.append(s("defs", {}, dots), back, this.shapes, this.marks);
    const observer = new ResizeObserver(() => this.fit() && this.resized());
    observer.observe(this.svg);
    signal.addEventListener("abort", () => observer.disconnect());
  }

  fit(): boolean {
    const { frame, down, items } = this.host.state();
    this.view.down = down;
    if (!this.view.measure(this.svg)) return false;
    // More than the frame if a shape was moved out of it, in a wider figure.
    const middles = items.map((item) => this.host.middle(item)).filter((p) => p !== null);
    const margin = (frame[2] - frame[0]) / 12;
    this.view.fitAll([frame[0], frame[1]], [frame[2], frame[3]], 10, middles, margin);
    return true;
  }

  private group(id: string): SVGGElement {
    const group = s(
      "g",
      { class: "movable", tabindex: 0, role: "button", "data-id": id },
      s("path", { class: "shape" }),
    );
    const item = () => this.host.state().items.find((one) => one.id === id);
    followPointer(group, (event) => {
      const pressed = item();
      if (!pressed) return null;
      const [x, y] = this.view.pointer(event, this.svg);
      const offset: Point = [pressed.x - x, pressed.y - y];
      let moved = false;
      this.host.select(id);
      return {
        move: (at) => {
          const one = item();
          if (!one || (!moved && Math.hypot(at.clientX - event.clientX, at.clientY - event.clientY) < 4)) return;
          moved = true;
          const p = this.view.pointer(at, this.svg);
          this.place(one, [p[0] + offset[0], p[1] + offset[1]]);
        },
        end: (at) => {
          if (moved) this.host.commit();
          else if (at.type === "pointerup") this.host.click(this.view.pointer(at, this.svg));
        },
      };
    });
    group.addEventListener("focus", () => this.host.select(id));
    group.addEventListener("keydown", (event) => this.key(event, item()));
    return group;
  }

  /** Moves a shape, but keeps its middle in the figure. The origin of a shape of a map can lie far from it. */
  private place(item: Item, p: Point): void {
    const [left, top] = this.view.world(8, 8);
    const [right, bottom] = this.view.world(this.view.width - 8, this.view.height - 8);
    const middle = this.host.middle(item) ?? [item.x, item.y];
    const [dx, dy] = [middle[0] - item.x, middle[1] - item.y];
    item.x = round(Math.min(Math.max(left, right), Math.max(Math.min(left, right), p[0] + dx)) - dx);
    item.y = round(Math.min(Math.max(top, bottom), Math.max(Math.min(top, bottom), p[1] + dy)) - dy);
    this.host.moved(item);
  }

  private key(event: KeyboardEvent, item: Item | undefined): void {
    if (!item || event.ctrlKey || event.metaKey || event.altKey) return;
    const up = this.view.down ? -1 : 1;
    const moves: Record<string, Point> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, up],
      ArrowDown: [0, -up],
    };
    const move = moves[event.key];
    const key = event.key.toLowerCase();
    const pixels = event.shiftKey ? 1 : 8;
    if (move)
      this.place(item, [item.x + (move[0] * pixels) / this.view.scale, item.y + (move[1] * pixels) / this.view.scale]);
    else if (key === "q" || key === "e") {
      item.rotation = round(item.rotation + (key === "q" ? up : -up) * (event.shiftKey ? 1 : 5));
      this.host.moved(item);
    } else if (event.key === "Enter") {
      event.preventDefault();
      this.host.click([item.x, item.y]);
      return;
    } else if (event.key === "Delete" || event.key === "Backspace") {
      event.preventDefault();
      this.host.remove(item.id);
      return;
    } else return;
    event.preventDefault();
    this.host.commit();
  }

  draw(shown: Shown): void {
    const { items, click } = this.host.state();
    this.svg.setAttribute("aria-label", say(words.figure, { n: items.length }));
    const known = new Set(items.map((one) => one.id));
    for (const [id, group] of this.groups) {
      if (known.has(id)) continue;
      this.groups.delete(id);
      keepFocus(this.shapes, () => group.remove());
    }
    for (const item of items) {
      let group = this.groups.get(item.id);
      if (!group) {
        group = this.group(item.id);
        this.groups.set(item.id, group);
        this.shapes.append(group);
      }
      const path = group.firstElementChild!;
      const met = shown.met.has(item.id);
      const open = "chain" in item.shape || "segment" in item.shape;
      path.setAttribute("d", shapePath(item.shape, poseOf(item), this.view, shown.trace));
      path.setAttribute("class", met ? "shape shape-met" : "shape shape-plain");
      path.classList.toggle("open", open);
      path.classList.toggle("lit", shown.lit.has(item.id));
      path.classList.toggle("selected", shown.selected === item.id);
      const label = labelOf(item);
      group.setAttribute("aria-label", met ? say(words.meets, { id: label }) : label);
    }
    this.marks.replaceChildren();
    if (shown.part) {
      const points = shown.part.points.map((p) => this.view.point(p));
      this.marks.append(s("path", { d: grownPath(points, shown.part.radius * this.view.scale), class: "part" }));
    }
    if (click) this.marks.append(dot(this.view.point(click), "c-tested", 5));
  }
}
