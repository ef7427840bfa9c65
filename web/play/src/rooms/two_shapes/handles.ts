// The handles of the selected shape: turn, scale, and one for each vertex. The end of the motion of B.

import { placePoint } from "../../draw/shape_path";
import type { Point, View } from "../../draw/view";
import { say } from "../../shell/language";
import { s } from "../../ui/dom";
import { followPointer } from "../../ui/follow_pointer";
import type { FigureHost } from "./figure";
import { poseOf, scaled, vertices, withVertices, type Item, type Name } from "./state";
import { words } from "./words";

const round = (value: number) => Math.round(value * 1000) / 1000;

interface Handle {
  key: string;
  at: Point;
  label: string;
  shape: "circle" | "square" | "turn" | "arrow";
  drag(to: Point): void;
  remove?(): void;
}

export class Handles {
  readonly element = s("g");
  private readonly drawn = new Map<string, SVGGElement>();
  private readonly current = new Map<string, Handle>();
  /** The handles that pointers drag. */
  private readonly drags = new Set<Element>();

  constructor(
    private readonly view: View,
    private readonly host: FigureHost,
    private readonly selected: () => Name,
  ) {}

  /** True while a handle is dragged. A handle that was removed meanwhile does not count. */
  get dragged(): boolean {
    return [...this.drags].some((one) => one.isConnected);
  }

  draw(): void {
    const name = this.selected();
    const state = this.host.state();
    const list = this.list(name, state[name]);
    if (state.mode === "impact") list.push(this.motion());
    this.current.clear();
    for (const one of list) this.current.set(one.key, one);
    for (const [key, group] of this.drawn) {
      if (this.current.has(key)) continue;
      group.remove();
      this.drawn.delete(key);
    }
    for (const one of list) {
      let group = this.drawn.get(one.key);
      if (!group) {
        group = this.create(one);
        this.drawn.set(one.key, group);
        this.element.append(group);
      }
      const [x, y] = this.view.point(one.at);
      group.setAttribute("transform", `translate(${x} ${y})`);
      group.setAttribute("class", `handle-group c-${one.key === "motion" ? "b" : name}`);
      group.setAttribute("aria-label", one.label);
    }
  }

  private list(name: Name, item: Item): Handle[] {
    const pose = poseOf(item);
    const upper = name.toUpperCase();
    const points = vertices(item.shape);
    const own = "compound" in item.shape || "circle" in item.shape || "rectangle" in item.shape ? [] : points;
    const reach = this.reach(item);
    const places = vertices(scaled(item.shape, item.scale));
    const list: Handle[] = own.map((_, i) => ({
      key: `vertex-${i}`,
      at: placePoint(places[i]!, pose),
      label: say(words.vertexOf, { i, name: upper }),
      shape: "circle" as const,
      drag: (to: Point) => this.moveVertex(item, i, to),
      remove: "polygon" in item.shape && points.length > 3 ? () => this.removeVertex(item, i) : undefined,
    }));
    const gap = 30 / this.view.scale;
    list.push({
      key: "turn",
      at: placePoint([0, reach + gap], pose),
      label: say(words.turnHandle, { name: upper }),
      shape: "turn",
      drag: (to) => {
        item.rotation = round((Math.atan2(to[1] - item.y, to[0] - item.x) * 180) / Math.PI - 90);
      },
    });
    const base = this.reach({ ...item, scale: 1 });
    list.push({
      key: "scale",
      at: placePoint([(reach + gap) * Math.SQRT1_2, -(reach + gap) * Math.SQRT1_2], pose),
      label: say(words.sizeHandle, { name: upper }),
      shape: "square",
      drag: (to) => {
        const length = Math.hypot(to[0] - item.x, to[1] - item.y) - gap;
        item.scale = round(Math.min(3, Math.max(0.2, length / base)));
      },
    });
    return list;
  }

  /** Returns the largest distance of the drawn outline from the shape's origin, roughly. */
  private reach(item: Item): number {
    const { shape, scale } = item;
    if ("circle" in shape) return shape.circle.radius * scale;
    if ("rectangle" in shape)
      return (Math.hypot(shape.rectangle.width, shape.rectangle.height) / 2 + (shape.rectangle.radius ?? 0)) * scale;
    if ("compound" in shape) return 1.7 * scale;
    const radius = "capsule" in shape ? shape.capsule.radius : 0;
    return (Math.max(...vertices(shape).map((p) => Math.hypot(p[0]!, p[1]!))) + radius) * scale;
  }

  private moveVertex(item: Item, i: number, to: Point): void {
    const { angle } = poseOf(item);
    const [dx, dy] = [to[0] - item.x, to[1] - item.y];
    const local: Point = [
      (Math.cos(angle) * dx + Math.sin(angle) * dy) / item.scale,
      (-Math.sin(angle) * dx + Math.cos(angle) * dy) / item.scale,
    ];
    const points = vertices(item.shape);
    points[i] = local.map(round);
    item.shape = withVertices(item.shape, points);
  }

  private removeVertex(item: Item, i: number): void {
    const points = vertices(item.shape);
    points.splice(i, 1);
    item.shape = withVertices(item.shape, points);
  }

  private motion(): Handle {
    const { b, motion } = this.host.state();
    return {
      key: "motion",
      at: [b.x + motion.dx, b.y + motion.dy],
      label: say(words.motionHandle),
      shape: "arrow",
      drag: (to) => {
        motion.dx = round(to[0] - b.x);
        motion.dy = round(to[1] - b.y);
      },
    };
  }

  private create(handle: Handle): SVGGElement {
    const { key } = handle;
    const group = s(
      "g",
      { tabindex: 0, role: "button", "data-handle": key },
      s("circle", { class: "handle-hit", r: 22 }),
    );
    if (handle.shape === "square")
      group.append(s("rect", { class: "handle", x: -6, y: -6, width: 12, height: 12, rx: 2 }));
    else group.append(s("circle", { class: "handle", r: handle.shape === "circle" ? 5 : 8 }));
    if (handle.shape === "turn") {
      group.append(
        s("path", {
          d: "M-3.2 1.6A3.6 3.6 0 1 1 1 3.4M-4.6 -0.4L-3.2 1.8L-0.9 0.6",
          fill: "none",
          stroke: "currentColor",
          "stroke-width": 1.4,
          "pointer-events": "none",
        }),
      );
    }
    followPointer(group, () => {
      this.drags.add(group);
      return {
        move: (event) => {
          this.current.get(key)?.drag(this.view.pointer(event, group.ownerSVGElement!));
          this.host.changed();
        },
        end: () => {
          this.drags.delete(group);
          this.host.commit();
        },
      };
    });
    group.addEventListener("dblclick", () => this.remove(key));
    group.addEventListener("keydown", (event) => this.key(event, key));
    return group;
  }

  private remove(key: string): void {
    const handle = this.current.get(key);
    if (!handle?.remove) return;
    handle.remove();
    this.host.changed();
    this.host.commit();
  }

  private key(event: KeyboardEvent, key: string): void {
    const handle = this.current.get(key);
    const moves: Record<string, Point> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, 1],
      ArrowDown: [0, -1],
    };
    const move = moves[event.key];
    if (!handle) return;
    if (event.key === "Delete" || event.key === "Backspace") this.remove(key);
    else if (move) {
      const length = event.shiftKey ? 0.01 : 0.1;
      handle.drag([handle.at[0] + move[0] * length, handle.at[1] + move[1] * length]);
      this.host.changed();
      this.host.commit();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
