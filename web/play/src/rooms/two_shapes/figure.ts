// The figure: both shapes, their handles, dragging and keys. Layers of the modes are drawn on top.

import { say } from "../../shell/language";
import { s } from "../../ui/dom";
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
    const tall = this.view.height > this.view.width;
    // A motion needs room for its start.
    const wide = this.host.state().mode === "impact" ? 5.8 : tall ? 3.7 : 5.2;
    const half: Point = [wide, 4];
    this.view.fit([-half[0], -half[1]], half, 8);
    this.host.changed();
  }

  private group(name: Name): SVGGElement {
    const group = s(
      "g",
      { class: "movable", tabindex: 0, role: "button", "data-shape": name },
      s("path", { class: `shape shape-${name}` }),
    );
    let grip: { offset: Point; moved: boolean } | null = null;
    group.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      const item = this.host.state()[name];
      const p = this.view.pointer(event, this.svg);
      grip = { offset: [item.x - p[0], item.y - p[1]], moved: false };
      group.setPointerCapture(event.pointerId);
      this.select(name);
    });
    group.addEventListener("pointermove", (event) => {
      if (!grip) return;
      const p = this.view.pointer(event, this.svg);
      this.place(name, [p[0] + grip.offset[0], p[1] + grip.offset[1]]);
      grip.moved = true;
      this.host.changed();
    });
    const end = () => {
      if (grip?.moved) this.host.commit();
      grip = null;
    };
    group.addEventListener("pointerup", end);
    group.addEventListener("pointercancel", end);
    group.addEventListener("focus", () => this.select(name));
    group.addEventListener("keydown", (event) => this.key(event, name));
    return group;
  }

  /** Moves a shape, but keeps its origin in the figure. */
  private place(name: Name, p: Point): void {
    const item = this.host.state()[name];
    const [x, y] = this.clamped(p);
    [item.x, item.y] = [round(x), round(y)];
  }

  /** Returns the nearest point that lies in the figure, at least 12 pixels from its border. */
  private clamped(p: Point): Point {
    const [min, max] = [this.view.world(12, this.view.height - 12), this.view.world(this.view.width - 12, 12)];
    return [Math.min(max[0], Math.max(min[0], p[0])), Math.min(max[1], Math.max(min[1], p[1]))];
  }

  /** Moves shapes whose origin lies outside into the figure. The others keep their exact position. */
  keepInside(): void {
    for (const name of ["a", "b"] as const) {
      const { x, y } = this.host.state()[name];
      const [inX, inY] = this.clamped([x, y]);
      if (inX !== x || inY !== y) this.place(name, [x, y]);
    }
  }

  private select(name: Name): void {
    if (this.selected === name) return;
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
