// Turns shapes into SVG path data in pixels. `Path2D` of a canvas takes the same text.

import type { MaskShape, Outline, Shape } from "carom";
import type { Point, View } from "./view";

/** A place: world units and radians. */
export interface Pose {
  x: number;
  y: number;
  angle: number;
}

/** Returns the outlines of a mask. The package traces them. */
export type TraceMask = (mask: MaskShape) => Outline[];

/** Places a point of a shape's own frame. */
export function placePoint(p: readonly number[], { x, y, angle }: Pose): Point {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const [px = 0, py = 0] = p;
  return [c * px - s * py + x, s * px + c * py + y];
}

/** Returns the world pose of a child inside a parent. `rotation` is in degrees. */
export function childPose(parent: Pose, position: readonly number[] = [0, 0], rotation = 0): Pose {
  const [x, y] = placePoint(position, parent);
  return { x, y, angle: parent.angle + (rotation * Math.PI) / 180 };
}

const number = (value: number) => (Math.round(value * 100) / 100).toString();
const at = (p: Point) => `${number(p[0])} ${number(p[1])}`;

/** Returns a closed ring of pixels. */
export function ringPath(points: readonly Point[]): string {
  return points.length ? `M${points.map(at).join("L")}Z` : "";
}

/** Returns a ring in the given direction: outer rings one way, holes the other way, so that overlaps stay filled. */
function directed(points: Point[], sign: 1 | -1): Point[] {
  return area(points) * sign < 0 ? [...points].reverse() : points;
}

/** Returns an open line of pixels. */
export function linePath(points: readonly Point[]): string {
  return points.length ? `M${points.map(at).join("L")}` : "";
}

function area(points: readonly Point[]): number {
  return points.reduce((sum, p, i) => {
    const q = points[(i + 1) % points.length]!;
    return sum + p[0] * q[1] - p[1] * q[0];
  }, 0);
}

/** An edge, moved out by its normal. */
interface GrownEdge {
  from: Point;
  to: Point;
  normal: Point;
}

/** Returns true if an arc joins two moved edges: around a corner that points out. */
function isConvex({ normal: [ax, ay] }: GrownEdge, { normal: [bx, by] }: GrownEdge): boolean {
  const turn = ax * by - ay * bx;
  return turn > 0 || (turn === 0 && ax * bx + ay * by < 0);
}

/** Returns the point in which the moved edges of a dent meet, or null if they are too short for it. */
function dent(edge: GrownEdge, next: GrownEdge, r: number): Point | null {
  const [[ax, ay], [bx, by]] = [edge.normal, next.normal];
  const cosine = (ax * bx + ay * by) / (r * r);
  const cut = r * Math.sqrt((1 - cosine) / (1 + cosine));
  const lengths = [edge, next].map(({ from, to }) => Math.hypot(to[0] - from[0], to[1] - from[1]));
  if (!(cut <= Math.min(...lengths))) return null;
  // The vertex, plus both normals divided by 1 + the cosine of their angle.
  return [edge.to[0] - ax + (ax + bx) / (1 + cosine), edge.to[1] - ay + (ay + by) / (1 + cosine)];
}

/** Returns a ring of pixels, grown by `r` pixels: edges move out, corners become arcs. */
export function grownPath(points: readonly Point[], r: number): string {
  if (points.length === 1) {
    const [x, y] = points[0]!;
    const [left, right] = [at([x - r, y]), at([x + r, y])];
    return `M${left}A${number(r)} ${number(r)} 0 1 1 ${right}A${number(r)} ${number(r)} 0 1 1 ${left}Z`;
  }
  if (r === 0) return points.length === 2 ? linePath(points) : ringPath(directed([...points], 1));
  const ring = area(points) < 0 ? [...points].reverse() : points;
  const edges: GrownEdge[] = [];
  ring.forEach((p, i) => {
    const q = ring[(i + 1) % ring.length]!;
    const length = Math.hypot(q[0] - p[0], q[1] - p[1]);
    if (length === 0) return;
    const normal: Point = [((q[1] - p[1]) / length) * r, (-(q[0] - p[0]) / length) * r];
    edges.push({ from: [p[0] + normal[0], p[1] + normal[1]], to: [q[0] + normal[0], q[1] + normal[1]], normal });
  });
  if (edges.length === 0) return grownPath(points.slice(0, 1), r);
  const next = (i: number) => edges[(i + 1) % edges.length]!;
  const dents = edges.map((edge, i) => (isConvex(edge, next(i)) ? null : dent(edge, next(i), r)));
  let path = "";
  edges.forEach((edge, i) => {
    const [before, after] = [dents.at(i - 1), dents[i]];
    path += `${i === 0 ? "M" : "L"}${at(before ?? edge.from)}L${at(after ?? edge.to)}`;
    if (isConvex(edge, next(i))) path += `A${number(r)} ${number(r)} 0 0 1 ${at(next(i).from)}`;
  });
  return `${path}Z`;
}

/** Vertices of a drawn ellipse. */
const ELLIPSE_POINTS = 96;

/** Returns the drawn outline of a placed shape. */
export function shapePath(shape: Shape, pose: Pose, view: View, trace?: TraceMask): string {
  const pixels = (points: readonly (readonly number[])[]) => points.map((p) => view.point(placePoint(p, pose)));
  const grown = (points: readonly (readonly number[])[], radius = 0) => grownPath(pixels(points), radius * view.scale);
  if ("circle" in shape) return grown([[0, 0]], shape.circle.radius);
  if ("capsule" in shape) return grown([shape.capsule.a, shape.capsule.b], shape.capsule.radius);
  if ("segment" in shape) return grown([shape.segment.a, shape.segment.b], shape.segment.radius);
  if ("rectangle" in shape) {
    const [w, h] = [shape.rectangle.width / 2, shape.rectangle.height / 2];
    return grown(
      [
        [-w, -h],
        [w, -h],
        [w, h],
        [-w, h],
      ],
      shape.rectangle.radius,
    );
  }
  if ("ellipse" in shape) {
    const { radius_x: x, radius_y: y } = shape.ellipse;
    const angles = Array.from({ length: ELLIPSE_POINTS }, (_, i) => (i / ELLIPSE_POINTS) * 2 * Math.PI);
    return grown(angles.map((angle) => [x * Math.cos(angle), y * Math.sin(angle)]));
  }
  if ("polygon" in shape) {
    const { points, holes = [], radius = 0 } = shape.polygon;
    return grown(points, radius) + holes.map((hole) => ringPath(directed(pixels(hole), -1))).join("");
  }
  if ("chain" in shape) {
    const { points, closed = false, radius = 0 } = shape.chain;
    const ring = closed && points[0] ? [...points, points[0]] : points;
    if (radius === 0) return linePath(pixels(ring));
    return ring
      .slice(1)
      .map((p, i) => grown([ring[i]!, p], radius))
      .join("");
  }
  if ("compound" in shape) {
    return shape.compound
      .map((child) => shapePath(child.shape, childPose(pose, child.position, child.rotation), view, trace))
      .join("");
  }
  if (!trace) return "";
  const rings = ({ points, holes }: Outline) => [
    ringPath(directed(pixels(points), 1)),
    ...holes.map((hole) => ringPath(directed(pixels(hole), -1))),
  ];
  return trace(shape).flatMap(rings).join("");
}

/** Returns a function that traces each mask object once. */
export function tracer(outlines: TraceMask): TraceMask {
  const known = new WeakMap<MaskShape, Outline[]>();
  return (mask) => {
    let found = known.get(mask);
    if (!found) known.set(mask, (found = outlines(mask)));
    return found;
  };
}
