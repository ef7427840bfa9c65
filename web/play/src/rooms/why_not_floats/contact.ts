// Finds the place where two figures are nearest, exactly: the middle of the picture.

import {
  type Circle,
  exact,
  exactPoint,
  type ExactPoint,
  type Figure,
  largestGap,
  type Polygon,
  squareRoot,
  UNIT,
} from "./exact";

/** The nearest points, in units of 2 ** -UNIT, rounded to the unit. */
export interface Nearest {
  /** Distance, or minus the depth. */
  gap: bigint;
  onA: ExactPoint;
  onB: ExactPoint;
  middle: ExactPoint;
  /** Unit vector from a to b, in units of 2 ** -UNIT. */
  normal: ExactPoint;
}

export function nearest(a: Figure, b: Figure): Nearest {
  if (a.kind === "circle" && b.kind === "circle") return ofCircles(a, b);
  if (a.kind === "polygon" && b.kind === "polygon") return ofPolygons(a, b);
  throw new TypeError("the figures have different kinds");
}

const ONE = 1n << BigInt(UNIT);
const along = (from: ExactPoint, normal: ExactPoint, by: bigint): ExactPoint => [
  from[0] + (normal[0] * by) / ONE,
  from[1] + (normal[1] * by) / ONE,
];

function ofCircles(a: Circle, b: Circle): Nearest {
  const [p, q] = [exactPoint(a.center), exactPoint(b.center)];
  const way: ExactPoint = [q[0] - p[0], q[1] - p[1]];
  const distance = squareRoot(way[0] ** 2n + way[1] ** 2n);
  const normal: ExactPoint = [(way[0] * ONE) / distance, (way[1] * ONE) / distance];
  const [ra, rb] = [exact(a.radius), exact(b.radius)];
  const gap = distance - ra - rb;
  return {
    gap,
    normal,
    onA: along(p, normal, ra),
    onB: along(q, normal, -rb),
    middle: along(p, normal, ra + gap / 2n),
  };
}

function ofPolygons(a: Polygon, b: Polygon): Nearest {
  const [p, q] = [a.points.map(exactPoint), b.points.map(exactPoint)];
  const { gap, normal, from } = largestGap(p, q);
  const length = squareRoot(normal[0] ** 2n + normal[1] ** 2n);
  const unit: ExactPoint = [(normal[0] * ONE) / length, (normal[1] * ONE) / length];
  const reach = (point: ExactPoint): bigint => point[0] * normal[0] + point[1] * normal[1];
  const corner = q.reduce((best, point) => (reach(point) < reach(best) ? point : best));
  // `gap` is the gap times the length of the normal.
  const apart = (reach(corner) - reach(from)) / length;
  return {
    gap: gap / length,
    normal: unit,
    onA: along(corner, unit, -apart),
    onB: corner,
    middle: along(corner, unit, -apart / 2n),
  };
}
