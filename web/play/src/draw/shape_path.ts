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

/** Returns a ring of pixels, grown by `r` pixels: edges move out, corners become arcs. */
export function grownPath(points: readonly Point[], r: number): string {
  if (points.length === 1) {
    const [x, y] = points[0]!;
    const [left, right] = [at([x - r, y]), at([x + r, y])];
    return `M${left}A${number(r)} ${number(r)} 0 1 1 ${right}A${number(r)} ${number(r)} 0 1 1 ${left}Z`;
  }
  if (r === 0) return points.length === 2 ? linePath(points) : ringPath(directed([...points], 1));
  const ring = area(points) < 0 ? [...points].reverse() : points;
  const edges: { from: Point; to: Point; normal: Point }[] = [];
  ring.forEach((p, i) => {
    const q = ring[(i + 1) % ring.length]!;
    const length = Math.hypot(q[0] - p[0], q[1] - p[1]);
    if (length === 0) return;
    const normal: Point = [((q[1] - p[1]) / length) * r, (-(q[0] - p[0]) / length) * r];
    edges.push({ from: [p[0] + normal[0], p[1] + normal[1]], to: [q[0] + normal[0], q[1] + normal[1]], normal });
  });
  if (edges.length === 0) return grownPath(points.slice(0, 1), r);
  let path = "";
  edges.forEach((edge, i) => {
    const next = edges[(i + 1) % edges.length]!;
    const turn = edge.normal[0] * next.normal[1] - edge.normal[1] * next.normal[0];
    path += `${i === 0 ? "M" : "L"}${at(edge.from)}L${at(edge.to)}`;
    const convex = turn > 0 || (turn === 0 && edge.normal[0] * next.normal[0] + edge.normal[1] * next.normal[1] < 0);
    path += convex || edges.length === 2 ? `A${number(r)} ${number(r)} 0 0 1 ${at(next.from)}` : `L${at(next.from)}`;
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
