// The level to begin with: ground, slopes, steps, one-way platforms, a lift, a tunnel, thin walls, round stones.

import type { Point, Scene, SceneCollider, Shape } from "carom";
import type { OwnName } from "./words";

const round = (value: number) => Math.round(value * 1000) / 1000;

/** Returns a level of about 60 by 16 units. The mover is 1 unit high. y points up. */
export function ownLevel(): Scene {
  const colliders: SceneCollider[] = [];
  const counts = new Map<OwnName, number>();
  const put = (name: OwnName, shape: Shape, x: number, y: number, more: Partial<SceneCollider> = {}) => {
    const n = (counts.get(name) ?? 0) + 1;
    counts.set(name, n);
    colliders.push({ id: `${name} ${n}`, shape, position: [round(x), round(y)], layers: ["solid"], ...more });
  };
  const box = (
    name: OwnName,
    left: number,
    bottom: number,
    width: number,
    height: number,
    more: Partial<SceneCollider> = {},
  ) => put(name, { rectangle: { width, height } }, left + width / 2, bottom + height / 2, more);
  const polygon = (name: OwnName, points: Point[]) => put(name, { polygon: { points } }, 0, 0);

  // The ground in tiles of 2, with a pit.
  for (let x = 0; x < 60; x += 2) {
    if (x >= 22 && x < 26) continue;
    box("ground", x, -2, 2, 2);
  }
  box("pit", 22, -4, 4, 2);
  box("wall", -1, -2, 1, 14);
  box("wall", 60, -2, 1, 14);

  // Steps that the mover climbs, then a ledge.
  for (let i = 0; i < 5; i++) box("step", 6 + i * 0.8, 0, 0.8, 0.25 * (i + 1));
  box("ledge", 10, 0, 3, 1.25);
  polygon("slope", [
    [13, 0],
    [17, 0],
    [13, 1.25],
  ]);
  for (const [x, y, width] of [
    [8.5, 3.1, 3],
    [13, 4.6, 3],
    [17.5, 3.4, 3],
  ] as const) {
    box("platform", x, y, width, 0.25, { one_way: [0, 1] });
  }

  // Over the pit: a bridge of stones.
  put("stone", { circle: { radius: 0.55 } }, 22.9, -0.3);
  put("stone", { circle: { radius: 0.55 } }, 25.1, -0.3);

  // A hill from a smooth line, and a steep wall that is no floor.
  const hill: Point[] = Array.from({ length: 25 }, (_, i) => {
    const t = i / 24;
    return [round(27 + 8 * t), round(1.3 * (1 - Math.cos(2 * Math.PI * t)))];
  });
  polygon("hill", hill);
  polygon("steep", [
    [37, 0],
    [40.5, 0],
    [40.5, 4.4],
    [39.2, 4.4],
  ]);
  box("lift", 35.05, 0, 1.9, 0.25, {
    one_way: [0, 1],
    moving: {
      path: [
        [0, 0],
        [0, 3.6],
      ],
      speed: 1.2,
    },
  });

  // A tunnel that only fits a mover, with crates before it.
  box("crate", 41.6, 0, 0.9, 0.9);
  box("crate", 42.5, 0, 0.9, 0.9);
  put("crate", { rectangle: { width: 0.9, height: 0.9 } }, 42.1, 1.42, { rotation: 12 });
  box("roof", 44.5, 1.25, 5.5, 2);
  polygon("roof", [
    [44.5, 3.25],
    [50, 3.25],
    [47.2, 4.8],
  ]);

  // Walls without thickness: bullets do not pass them.
  for (const x of [51.8, 53.2, 54.6]) put("thin wall", { segment: { a: [0, 0], b: [0, 0.9] } }, x, 0);
  put("lamp", { capsule: { a: [-0.9, 0], b: [0.9, 0], radius: 0.12 } }, 53.2, 4.2);

  // A star, a ring and a boulder to jump on.
  put("boulder", { circle: { radius: 1.1 } }, 57.6, 1.1);
  put(
    "star",
    {
      polygon: {
        points: Array.from({ length: 10 }, (_, i): Point => {
          const [angle, radius] = [Math.PI / 2 + (i * Math.PI) / 5, i % 2 ? 0.45 : 1.05];
          return [round(radius * Math.cos(angle)), round(radius * Math.sin(angle))];
        }),
      },
    },
    19.4,
    7.4,
  );
  const ring = (radius: number): Point[] =>
    Array.from({ length: 24 }, (_, i) => [
      round(radius * Math.cos((i * Math.PI) / 12)),
      round(radius * Math.sin((i * Math.PI) / 12)),
    ]);
  put("ring", { polygon: { points: ring(1.5), holes: [ring(1.05)] } }, 31, 6.2);
  put("beam", { rectangle: { width: 5, height: 0.35, radius: 0.1 } }, 5.2, 5.6, { rotation: -9 });
  return { carom: 1, y: "up", colliders };
}
