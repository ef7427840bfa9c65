// Queries of two shapes, without a world.

import type {
  Distance,
  Manifold,
  Placeable,
  Point,
  PolygonShape,
  MaskShape,
  PlacedShape,
  Shape,
  Vec,
} from "./shapes.js";

/** Returns true if the shapes share at least one point. Touching counts. The answer is that of exact arithmetic. */
export function intersects(a: Placeable, b: Placeable): boolean;

/** Returns true if the depth is above 0. Touching does not count. The answer is that of exact arithmetic. */
export function overlaps(a: Placeable, b: Placeable): boolean;

/**
 * Returns the contact, or null if the shapes are apart by more than `margin` (default 0). Of concave shapes, chains,
 * compounds and masks it is that of the deepest pair of convex parts.
 */
export function collide(a: Placeable, b: Placeable, margin?: number): Manifold | null;

/** Returns one contact for each pair of convex parts that meet. */
export function manifolds(a: Placeable, b: Placeable, margin?: number): Manifold[];

/** Returns the distance and the closest points. */
export function distance(a: Placeable, b: Placeable): Distance;

/** Returns true if every point of `b` lies in `a`. */
export function contains(a: Placeable, b: Placeable): boolean;

/** Returns true if the point lies in the shape. Its boundary belongs to it. */
export function containsPoint(a: Placeable, x: number, y: number): boolean;

/** Motion of a placed shape during the time from 0 to 1. `rotation` is in radians, about the shape's origin. */
export interface Motion {
  dx?: number;
  dy?: number;
  rotation?: number;
}

/** The first contact of two moving shapes. */
export interface Impact {
  /** Fraction of the motion, 0 to 1. */
  time: number;
  /** Unit vector from `a` to `b`. */
  normal: Vec;
  point: Vec;
  /** Depth of the overlap at the start, or null if there is none. */
  initialDepth: number | null;
  partA: number;
  partB: number;
}

/** Returns the first contact of two moving shapes, or null. Each motion defaults to none. */
export function timeOfImpact(
  a: Placeable,
  motionA: Motion | null,
  b: Placeable,
  motionB?: Motion | null,
): Impact | null;

/** One axis of the separating axis test. */
export interface Axis {
  /** Unit vector. Along it `b` lies after `a`. */
  normal: Vec;
  /** Source of the axis: an edge, the line through the closest features, or the union of composites. */
  source: "edge of a" | "edge of b" | "nearest" | "union";
  /** Index of the edge in the input of its shape, else null. */
  edge: number | null;
  /** Projection of `a`: `[min, max]`. */
  projectionA: Vec;
  /** Projection of `b`: `[min, max]`. */
  projectionB: Vec;
  /** Length by which the projections overlap. Negative: the gap. */
  overlap: number;
  /** True for the axis of least overlap, or largest gap. */
  decides: boolean;
}

/** Every axis of the separating axis test. */
export interface Explanation {
  intersects: boolean;
  overlaps: boolean;
  /** Depth, or null if the shapes are apart. */
  depth: number | null;
  /** Distance. 0 if the shapes intersect. */
  distance: number;
  axes: Axis[];
  /** Index of the deciding axis. */
  deciding: number;
  /** The convex parts of the explanation. 0 for convex shapes. */
  partA: number;
  partB: number;
}

/** Explains `collide`: every axis with both projections, and the deciding axis. */
export function explain(a: Placeable, b: Placeable): Explanation;

/** A vertex of the Minkowski difference A − B. */
export interface GjkPoint {
  /** `pointA − pointB`. */
  difference: Vec;
  pointA: Vec;
  pointB: Vec;
  /** Index of the vertex in the input of `a`. */
  vertexA: number;
  vertexB: number;
}

/** One iteration of GJK. */
export interface GjkStep {
  /** One or two vertices at the start of the iteration. */
  simplex: GjkPoint[];
  /** Unit vector from the simplex toward the origin. */
  direction: Vec;
  /** The vertex farthest along `direction`. */
  support: GjkPoint;
  /** Upper bound of the distance of the hulls. */
  upperBound: number;
  /** Lower bound of the distance of the hulls. Negative values prove nothing. */
  lowerBound: number;
}

/** The iterations of GJK. The shapes without radii intersect if their difference contains the origin. */
export interface GjkExplanation {
  steps: GjkStep[];
  /** The last simplex: one to three vertices. */
  simplex: GjkPoint[];
  containsOrigin: boolean;
  /** Outline of A − B, counter-clockwise if +y points up. */
  difference: Vec[];
  /** Sum of the radii. A − B grows by it. */
  radius: number;
  intersects: boolean;
  /** Distance, radii included. */
  distance: number;
  partA: number;
  partB: number;
}

/** Returns the iterations of GJK. */
export function explainGjk(a: Placeable, b: Placeable): GjkExplanation;

/** One time of a motion. */
export interface ImpactStep {
  time: number;
  gap: number;
  /** Unit vector from `a` to `b` along which the gap is measured. */
  normal: Vec;
  pointA: Vec;
  pointB: Vec;
}

/** The steps of `timeOfImpact`. */
export interface ImpactExplanation {
  method: "start" | "clip" | "advancement";
  steps: ImpactStep[];
  impact: Impact | null;
  partA: number;
  partB: number;
}

/** Returns the steps of `timeOfImpact`. */
export function explainTimeOfImpact(
  a: Placeable,
  motionA: Motion | null,
  b: Placeable,
  motionB?: Motion | null,
): ImpactExplanation;

/** A convex part: points, grown by a radius. A circle has one point. */
export interface ConvexPart {
  points: Vec[];
  radius: number;
}

/** Returns the convex parts of a shape in world coordinates, in the order of the part indices of results. */
export function parts(shape: Placeable): ConvexPart[];

/** Returns convex polygons that together are the polygon. `optimal` (default false) uses the least number of parts. */
export function decompose(shape: PolygonShape, options?: { optimal?: boolean }): Vec[][];

/** An outline: its outer ring and its holes. */
export interface Outline {
  points: Vec[];
  holes: Vec[][];
}

/**
 * Traces the outlines of a mask, in the coordinates of the shape. `deviation` (default 0) is the largest distance
 * between the outline and the simplified one.
 */
export function outlines(shape: MaskShape, options?: { deviation?: number }): Outline[];

/** Makes a mask of the pixels with at least `threshold` alpha (1 to 255, default 128). `ImageData` serves. */
export function maskFromImage(
  image: { width: number; height: number; data: Uint8Array | Uint8ClampedArray },
  options?: { threshold?: number; scale?: number | Point },
): MaskShape;

/** Makes a polygon of an ellipse. The polygon deviates from it by at most `deviation`. */
export function ellipse(radiusX: number, radiusY: number, deviation: number): PolygonShape;

/** The common region of two shapes. */
export interface OverlapRegion {
  area: number;
  /** Centre of the area, or null if the area is 0. */
  centroid: Vec | null;
  /** Convex pieces of the region. */
  pieces: Vec[][];
}

/**
 * Returns the common region. Arcs become chords that deviate by at most `deviation`, a length. Default: 1/2000 of the
 * longer side of the box of the smaller shape, without its rotation. So a circle in a larger shape has 71 vertices and
 * loses 0.13 % of its area. A compound of small circles that are far apart needs a smaller deviation.
 */
export function overlapRegion(a: Placeable, b: Placeable, options?: { deviation?: number }): OverlapRegion;

export type { Distance, Manifold, Placeable, PlacedShape, Point, Shape, Vec };
