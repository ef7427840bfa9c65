// The state of the room: two shapes with their places, the mode, and the motion of B.

import type { Point as ShapePoint, Shape } from "carom";
import type { Pose } from "../../draw/shape_path";
import { drawable, type Json } from "../room";

export type Mode = "axes" | "closest" | "gjk" | "impact";
export const MODES: Mode[] = ["axes", "closest", "gjk", "impact"];

export type Kind =
  | "triangle"
  | "rectangle"
  | "pentagon"
  | "hexagon"
  | "circle"
  | "capsule"
  | "segment"
  | "rounded"
  | "star"
  | "hook"
  | "ring"
  | "pair";

export type Name = "a" | "b";

/** One shape with its place. Angles are in degrees, as in scene files. */
export interface Item {
  kind: Kind;
  shape: Shape;
  x: number;
  y: number;
  rotation: number;
  scale: number;
}

export interface State {
  a: Item;
  b: Item;
  mode: Mode;
  /** The chosen axis, or −1: the deciding one. */
  axis: number;
  /** The step of GJK. */
  step: number;
  motion: { dx: number; dy: number; rotation: number };
  time: number;
}

const round = (value: number) => Math.round(value * 1000) / 1000;

function regular(corners: number, radius: number, turn = 90): ShapePoint[] {
  return Array.from({ length: corners }, (_, i) => {
    const angle = ((turn + (360 * i) / corners) * Math.PI) / 180;
    return [round(radius * Math.cos(angle)), round(radius * Math.sin(angle))];
  });
}

function star(points: number, outer: number, inner: number): ShapePoint[] {
  return Array.from({ length: 2 * points }, (_, i) => {
    const angle = ((90 + (180 * i) / points) * Math.PI) / 180;
    const radius = i % 2 ? inner : outer;
    return [round(radius * Math.cos(angle)), round(radius * Math.sin(angle))];
  });
}

/** The first shape of each kind. */
export const KINDS: Record<Kind, Shape> = {
  triangle: {
    polygon: {
      points: [
        [-1.5, -1],
        [1.5, -1],
        [0, 1.5],
      ],
    },
  },
  rectangle: { rectangle: { width: 2.6, height: 1.8 } },
  pentagon: { polygon: { points: regular(5, 1.5) } },
  hexagon: { polygon: { points: regular(6, 1.5, 0) } },
  circle: { circle: { radius: 1.2 } },
  capsule: { capsule: { a: [-1, 0], b: [1, 0], radius: 0.7 } },
  segment: { segment: { a: [-1.6, 0], b: [1.6, 0] } },
  rounded: { rectangle: { width: 2, height: 1.4, radius: 0.4 } },
  star: { polygon: { points: star(5, 1.7, 0.75) } },
  hook: {
    polygon: {
      points: [
        [-1.4, -1.4],
        [1.4, -1.4],
        [1.4, -0.5],
        [-0.4, -0.5],
        [-0.4, 1.4],
        [-1.4, 1.4],
      ],
    },
  },
  ring: { polygon: { points: regular(8, 1.7, 22.5), holes: [regular(8, 0.9, 22.5)] } },
  pair: {
    compound: [
      { shape: { circle: { radius: 0.7 } }, position: [-1, 0] },
      { shape: { circle: { radius: 0.7 } }, position: [1, 0] },
      { shape: { rectangle: { width: 2, height: 0.4 } } },
    ],
  },
};

export function newItem(kind: Kind, { x, y, rotation }: Pick<Item, "x" | "y" | "rotation">): Item {
  return { kind, shape: structuredClone(KINDS[kind]), x, y, rotation, scale: 1 };
}

export function firstState(): State {
  return {
    a: newItem("triangle", { x: -0.95, y: -0.35, rotation: 10 }),
    b: newItem("rectangle", { x: 0.85, y: 0.6, rotation: -18 }),
    mode: "axes",
    axis: -1,
    step: 0,
    motion: { dx: -4, dy: -1.5, rotation: 60 },
    time: 0,
  };
}

const times = (points: readonly ShapePoint[], k: number): ShapePoint[] => points.map((p) => [p[0]! * k, p[1]! * k]);

/** Returns a shape with all lengths multiplied. */
export function scaled(shape: Shape, k: number): Shape {
  if (k === 1) return shape;
  if ("circle" in shape) return { circle: { radius: shape.circle.radius * k } };
  if ("rectangle" in shape) {
    const { width, height, radius = 0 } = shape.rectangle;
    return { rectangle: { width: width * k, height: height * k, radius: radius * k } };
  }
  if ("capsule" in shape) {
    const [a, b] = times([shape.capsule.a, shape.capsule.b], k);
    return { capsule: { a: a!, b: b!, radius: shape.capsule.radius * k } };
  }
  if ("segment" in shape) {
    const [a, b] = times([shape.segment.a, shape.segment.b], k);
    return { segment: { a: a!, b: b!, radius: (shape.segment.radius ?? 0) * k } };
  }
  if ("polygon" in shape) {
    const { points, holes = [], radius = 0 } = shape.polygon;
    return { polygon: { points: times(points, k), holes: holes.map((hole) => times(hole, k)), radius: radius * k } };
  }
  if ("compound" in shape) {
    const child = (one: (typeof shape.compound)[number]) => ({
      ...one,
      shape: scaled(one.shape, k),
      position: times([one.position ?? [0, 0]], k)[0]!,
    });
    return { compound: shape.compound.map(child) };
  }
  return shape;
}

/** Returns the shape in its size. */
export const sized = (item: Item): Shape => scaled(item.shape, item.scale);

export const poseOf = (item: Item): Pose => ({ x: item.x, y: item.y, angle: (item.rotation * Math.PI) / 180 });

/** Returns the argument of the package's queries. */
export const placed = (item: Item) => ({ shape: sized(item), ...poseOf(item) });

/** Returns the vertices that can be edited, in the shape's own frame without its scale. */
export function vertices(shape: Shape): ShapePoint[] {
  if ("polygon" in shape) return [...shape.polygon.points];
  if ("capsule" in shape) return [shape.capsule.a, shape.capsule.b];
  if ("segment" in shape) return [shape.segment.a, shape.segment.b];
  return [];
}

/** Returns the shape with other vertices. */
export function withVertices(shape: Shape, points: ShapePoint[]): Shape {
  if ("polygon" in shape) return { polygon: { ...shape.polygon, points } };
  const [a, b] = points;
  if ("capsule" in shape) return { capsule: { ...shape.capsule, a: a!, b: b! } };
  if ("segment" in shape) return { segment: { ...shape.segment, a: a!, b: b! } };
  return shape;
}

/** The most points of a shape in a saved state. Vertices have handles in the figure. */
export const MOST_POINTS = 1000;

/** Counts the points of a shape: vertices, also of holes and parts, and positions of parts. */
export function countPoints(shape: unknown): number {
  if (!Array.isArray(shape)) return shape && typeof shape === "object" ? countPoints(Object.values(shape)) : 0;
  if (typeof shape[0] === "number") return 1;
  return shape.reduce((sum: number, one) => sum + countPoints(one), 0);
}

/** Checks a state of a link or file. Throws if a field is missing. */
export function readState(json: Json): State {
  const state = json as unknown as State;
  const item = (one: Item) =>
    Object.hasOwn(KINDS, one.kind) && drawable(one.x, one.y, one.rotation, one.scale) && one.scale > 0;
  const { a, b, mode, motion } = state;
  if (!item(a) || !item(b) || !MODES.includes(mode)) throw new Error("not a state of this room");
  if (!drawable(state.axis, state.step, state.time, motion.dx, motion.dy, motion.rotation))
    throw new Error("not a state of this room");
  if (!Number.isInteger(state.axis) || !Number.isInteger(state.step)) throw new Error("not a state of this room");
  if (state.time < 0 || state.time > 1) throw new Error("not a state of this room");
  return structuredClone(state);
}
