// The figure: both shapes, their handles, dragging and keys. Layers of the modes are drawn on top.

import { say } from "../../shell/language";
import { s } from "../../ui/dom";
import { followPointer } from "../../ui/follow_pointer";
import { shapePath, type Pose } from "../../draw/shape_path";
import { View, type Point } from "../../draw/view";
import { label } from "../../draw/marks";
import { Handles } from "./handles";
import { poseOf, sized, type Item, type Name, type State } from "./state";
import { kindNames, words } from "./words";

export interface FigureHost {
  state(): State;
  /** Called during a gesture. */
  changed(): void;
  /** Called at the end of a gesture. */
  commit(): void;
}

/** Units around the origin of a shape that the view shows at least. */
const MARGIN = 2;

const round = (value: number, to = 1000) => Math.round(value * to) / to;

export class PairFigure {
  readonly view = new View();
  readonly svg = s("svg", { role: "group" });
  /** Below the shapes. */
  readonly under = s("g");
  /** Above the shapes. */
  readonly over = s("g");
  selected: Name = "b";
  private readonly groups: Record<Name, SVGGElement>;
  private readonly handles: Handles;

  constructor(
    private readonly host: FigureHost,
    signal: AbortSignal,
  ) {
    const dots = s(
      "pattern",
      { id: "grid", width: 24, height: 24, patternUnits: "userSpaceOnUse" },
      s("circle", { class: "grid", cx: 12, cy: 12, r: 1.1 }),
    );
    this.groups = { a: this.group("a"), b: this.group("b") };
    this.handles = new Handles(this.view, host, () => this.selected);
    this.svg.append(
      s("defs", {}, dots),
      s("rect", { width: "100%", height: "100%", fill: "url(#grid)" }),
      this.under,
      this.groups.a,
      this.groups.b,
      this.over,
      this.handles.element,
    );
    const observer = new ResizeObserver(() => this.resize());
    observer.observe(this.svg);
    signal.addEventListener("abort", () => observer.disconnect());
  }

  /** Fits the view to the element. */
  resize(): void {
    if (!this.view.measure(this.svg)) return;
    this.fit();
    this.host.changed();
  }

  /**
   * Shows the usual part of the world, or more if a shape lies outside of it: its place may come from a wider figure, or
   * was typed.
   */
  fit(): void {
    const { a, b, mode, motion } = this.host.state();
    const { view } = this;
    // A motion needs room for its start.
    const wide = mode === "impact" ? 5.8 : view.height > view.width ? 3.7 : 5.2;
    const places: Point[] = [
      [a.x, a.y],
      [b.x, b.y],
    ];
    if (mode === "impact") places.push([b.x + motion.dx, b.y + motion.dy]);
    view.fitAll([-wide, -4], [wide, 4], 8, places, MARGIN);
  }

  private group(name: Name): SVGGElement {
    const group = s(
      "g",
      { class: "movable", tabindex: 0, role: "button", "data-shape": name },
      s("path", { class: `shape shape-${name}` }),
    );
    followPointer(group, (event) => {
      const item = this.host.state()[name];
      const [x, y] = this.view.pointer(event, this.svg);
      const offset: Point = [item.x - x, item.y - y];
      let moved = false;
      this.select(name);
      return {
        move: (at) => {
          const p = this.view.pointer(at, this.svg);
          this.place(name, [p[0] + offset[0], p[1] + offset[1]]);
          moved = true;
          this.host.changed();
        },
        end: () => moved && this.host.commit(),
      };
    });
    group.addEventListener("focus", () => this.select(name));
    group.addEventListener("keydown", (event) => this.key(event, name));
    return group;
  }

  /** Moves a shape, but keeps its origin in the figure. */
  private place(name: Name, p: Point): void {
    const item = this.host.state()[name];
    const [min, max] = [this.view.world(12, this.view.height - 12), this.view.world(this.view.width - 12, 12)];
    item.x = round(Math.min(max[0], Math.max(min[0], p[0])));
    item.y = round(Math.min(max[1], Math.max(min[1], p[1])));
  }

  private select(name: Name): void {
    // The handles of the selected shape stay while one of them is dragged.
    if (this.selected === name || this.handles.dragged) return;
    this.selected = name;
    this.host.changed();
  }

  private key(event: KeyboardEvent, name: Name): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const item = this.host.state()[name];
    const length = event.shiftKey ? 0.01 : 0.1;
    const angle = event.shiftKey ? 1 : 5;
    const moves: Record<string, Point> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, 1],
      ArrowDown: [0, -1],
    };
    const move = moves[event.key];
    const key = event.key.toLowerCase();
    if (move) this.place(name, [item.x + move[0] * length, item.y + move[1] * length]);
    else if (key === "q") item.rotation = round(item.rotation + angle);
    else if (key === "e") item.rotation = round(item.rotation - angle);
    else if (key === "+" || key === "=")
      item.scale = Math.min(3, round(item.scale * (event.shiftKey && key !== "+" ? 1.01 : 1.1)));
    else if (key === "-" || key === "_") item.scale = Math.max(0.2, round(item.scale / (event.shiftKey ? 1.01 : 1.1)));
    else return;
    event.preventDefault();
    this.host.changed();
    this.host.commit();
  }

  /** Returns the outline of an item in pixels, at its place or another. */
  path(item: Item, pose: Pose = poseOf(item)): string {
    return shapePath(sized(item), pose, this.view);
  }

  /** Draws both shapes and the handles. */
  draw(): void {
    this.svg.setAttribute("aria-label", say(words.figure));
    const state = this.host.state();
    for (const name of ["a", "b"] as const) {
      const item = state[name];
      const group = this.groups[name];
      const kind = say(kindNames[item.kind]);
      group.firstElementChild!.setAttribute("d", this.path(item));
      group.setAttribute("aria-label", say(words.moveShape, { name: name.toUpperCase(), kind }));
      group.querySelector("text")?.remove();
      group.append(label(name.toUpperCase(), this.view.point([item.x, item.y]), { class: `c-${name}`, size: 17 }));
    }
    this.handles.draw();
  }
}
