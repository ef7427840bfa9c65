// The state of the room: shapes with their places, and the part of the world that the figure shows.

import type { Scene, Shape } from "carom";
import type { Pose } from "../../draw/shape_path";
import type { Json } from "../room";

/** One shape with its place. Angles are in degrees, as in scene files. */
export interface Item {
  id: string;
  shape: Shape;
  x: number;
  y: number;
  rotation: number;
}

export interface State {
  items: Item[];
  /** Minimum x, minimum y, maximum x, maximum y of the figure. */
  frame: [number, number, number, number];
  /** True if y points down, as in images. */
  down: boolean;
  /** The last click: a point of the world. */
  click: [number, number] | null;
}

export const poseOf = (item: Item): Pose => ({ x: item.x, y: item.y, angle: (item.rotation * Math.PI) / 180 });

const comb = [
  [-2.1, -0.8],
  [2.1, -0.8],
  [2.1, 1.1],
  [1.5, 1.1],
  [1.5, -0.1],
  [0.9, -0.1],
  [0.9, 1.1],
  [0.3, 1.1],
  [0.3, -0.1],
  [-0.3, -0.1],
  [-0.3, 1.1],
  [-0.9, 1.1],
  [-0.9, -0.1],
  [-1.5, -0.1],
  [-1.5, 1.1],
  [-2.1, 1.1],
];

function ring(corners: number, radius: number): [number, number][] {
  return Array.from({ length: corners }, (_, i) => {
    const angle = (2 * Math.PI * i) / corners;
    return [Math.round(radius * Math.cos(angle) * 1000) / 1000, Math.round(radius * Math.sin(angle) * 1000) / 1000];
  });
}

const spiral: [number, number][] = Array.from({ length: 22 }, (_, i) => {
  const [angle, radius] = [i * 0.52, 0.25 + i * 0.062];
  return [Math.round(radius * Math.cos(angle) * 1000) / 1000, Math.round(radius * Math.sin(angle) * 1000) / 1000];
});

const invader = [
  "..#.....#..",
  "...#...#...",
  "..#######..",
  ".##.###.##.",
  "###########",
  "#.#######.#",
  "#.#.....#.#",
  "...##.##...",
].reverse();

const star = Array.from({ length: 10 }, (_, i): [number, number] => {
  const [angle, radius] = [Math.PI / 2 + (i * Math.PI) / 5, i % 2 ? 0.6 : 1.4];
  return [Math.round(radius * Math.cos(angle) * 1000) / 1000, Math.round(radius * Math.sin(angle) * 1000) / 1000];
});

/** The shapes that can be added. The key is the id of the first one. */
export const CATALOGUE: Record<string, Shape> = {
  circle: { circle: { radius: 1 } },
  capsule: { capsule: { a: [-1, 0], b: [1, 0], radius: 0.5 } },
  rectangle: { rectangle: { width: 2.4, height: 1.4 } },
  pill: { rectangle: { width: 1.6, height: 0.7, radius: 0.35 } },
  triangle: {
    polygon: {
      points: [
        [-1.2, -0.8],
        [1.2, -0.8],
        [0, 1.3],
      ],
    },
  },
  hexagon: { polygon: { points: ring(6, 1.1) } },
  star: { polygon: { points: star } },
  comb: { polygon: { points: comb } },
  ring: { polygon: { points: ring(20, 1.7), holes: [ring(20, 1.1)] } },
  segment: { segment: { a: [-1.6, 0], b: [1.6, 0] } },
  spiral: { chain: { points: spiral } },
  hammer: {
    compound: [
      { shape: { rectangle: { width: 0.4, height: 2.4 } }, position: [0, -0.4] },
      { shape: { rectangle: { width: 1.8, height: 0.7, radius: 0.1 } }, position: [0, 1] },
    ],
  },
  invader: { mask: { rows: invader, scale: 0.22 } },
};

/** Returns a new item with a free id. */
export function newItem(items: Item[], kind: string, x: number, y: number, rotation = 0): Item {
  const used = new Set(items.map((one) => one.id));
  let id = kind;
  for (let i = 2; used.has(id); i++) id = `${kind} ${i}`;
  return { id, shape: structuredClone(CATALOGUE[kind]!), x, y, rotation };
}

export function firstState(): State {
  const items: Item[] = [];
  const put = (kind: string, x: number, y: number, rotation = 0) => items.push(newItem(items, kind, x, y, rotation));
  put("ring", -5.4, 2.4);
  put("circle", -4.1, 1.2);
  put("comb", 0.2, 2.9, 8);
  put("star", 0.4, 4.1, 10);
  put("invader", 4.4, 1.9, 12);
  put("hammer", 3.6, -0.6, -40);
  put("spiral", 5.2, -2.9);
  put("hexagon", -5.6, -2.6, 14);
  put("capsule", -3.9, -3.4, 35);
  put("triangle", -1.5, -1.1, -12);
  put("rectangle", 0.3, -3.3, 18);
  put("segment", 1.5, -2.7, 65);
  put("pill", -1.9, 0.8, 72);
  return { items, frame: [-8, -5.2, 8, 5.6], down: false, click: null };
}

/** Returns the items of a scene file. */
export function itemsOf(scene: Scene): Item[] {
  return scene.colliders.map((one, i) => ({
    id: one.id ?? `#${i}`,
    shape: one.shape,
    x: one.position?.[0] ?? 0,
    y: one.position?.[1] ?? 0,
    rotation: one.rotation ?? 0,
  }));
}

/** Files may use all coordinates of the library. */
const isCoordinate = (value: unknown) => typeof value === "number" && Math.abs(value) <= 1e30;

/** Checks a state of a link or file. Throws if a field is missing. */
export function readState(json: Json): State {
  const state = json as unknown as State;
  const { items, frame, click } = state;
  const list = (value: unknown, length: number) =>
    Array.isArray(value) && value.length === length && value.every(isCoordinate);
  const fine =
    list(frame, 4) &&
    (click === null || list(click, 2)) &&
    new Set(items.map((one) => one.id)).size === items.length &&
    items.every((one) => typeof one.id === "string" && [one.x, one.y, one.rotation].every(isCoordinate));
  if (!fine) throw new Error("not a state of this room");
  return structuredClone(state);
}
