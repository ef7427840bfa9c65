// Asks the libraries of the race about a pair. Their code is loaded by the first call.

import type { Figure } from "./exact";

export interface Answer {
  name: string;
  /** True if the library says that both intersect. */
  intersects: boolean;
}

/** Returns the answer of each library. */
export async function askLibraries(a: Figure, b: Figure): Promise<Answer[]> {
  const asked = [check2d, matter, planck, rapier].map((ask) => ask(a, b));
  return Promise.all(asked);
}

const points = (figure: Figure): { x: number; y: number }[] =>
  figure.kind === "circle" ? [] : figure.points.map(([x, y]) => ({ x, y }));

async function check2d(a: Figure, b: Figure): Promise<Answer> {
  const { System } = await import("check2d");
  const system = new System();
  const body = (figure: Figure) =>
    figure.kind === "circle"
      ? system.createCircle({ x: figure.center[0], y: figure.center[1] }, figure.radius)
      : system.createPolygon({ x: 0, y: 0 }, points(figure));
  return { name: "check2d", intersects: system.checkCollision(body(a), body(b)) };
}

async function matter(a: Figure, b: Figure): Promise<Answer> {
  const { Bodies, Body, Collision, Vertices } = (await import("matter-js")).default;
  const body = (figure: Figure) =>
    figure.kind === "circle"
      ? Bodies.circle(figure.center[0], figure.center[1], figure.radius)
      : Body.create({ position: Vertices.centre(points(figure)), vertices: points(figure) as Matter.Vector[] });
  // The types do not say that the result is null for bodies apart.
  return { name: "matter-js", intersects: (Collision.collides(body(a), body(b)) as object | null) !== null };
}

async function planck(a: Figure, b: Figure): Promise<Answer> {
  const { Circle, Polygon, testOverlap, Transform, Vec2 } = await import("planck");
  const shape = (figure: Figure) =>
    figure.kind === "circle"
      ? new Circle(new Vec2(figure.center[0], figure.center[1]), figure.radius)
      : new Polygon(points(figure).map(({ x, y }) => new Vec2(x, y)));
  const here = Transform.identity();
  return { name: "planck", intersects: testOverlap(shape(a), 0, shape(b), 0, here, here) };
}

async function rapier(a: Figure, b: Figure): Promise<Answer> {
  const RAPIER = (await import("@dimforge/rapier2d-simd-compat")).default;
  await RAPIER.init();
  const shape = (figure: Figure) =>
    figure.kind === "circle"
      ? new RAPIER.Ball(figure.radius)
      : new RAPIER.ConvexPolygon(new Float32Array(figure.points.flat()), true);
  const place = (figure: Figure) =>
    figure.kind === "circle" ? { x: figure.center[0], y: figure.center[1] } : { x: 0, y: 0 };
  return { name: "rapier2d", intersects: shape(a).intersectsShape(place(a), 0, shape(b), place(b), 0) };
}
