// The types of the scene JSON (scenes/scene.schema.json) that all entries share.

/** A point or vector `[x, y]`. */
export type Point = readonly [number, number] | readonly number[];

/** A point or vector of a result. */
export type Vec = [number, number];

/** Circle about its origin. With radius 0 it is a point. */
export interface CircleShape {
  circle: { radius: number };
}

/** All points within `radius` of the segment from `a` to `b`. */
export interface CapsuleShape {
  capsule: { a: Point; b: Point; radius: number };
}

/** Segment from `a` to `b`. `radius` (default 0) grows it. */
export interface SegmentShape {
  segment: { a: Point; b: Point; radius?: number };
}

/** Rectangle about its origin, with full sizes. `radius` (default 0) grows it and rounds its corners. */
export interface RectangleShape {
  rectangle: { width: number; height: number; radius?: number };
}

/** Simple polygon, convex or concave, of any winding. `holes` are rings inside it. `radius` (default 0) grows it. */
export interface PolygonShape {
  polygon: { points: readonly Point[]; holes?: readonly (readonly Point[])[]; radius?: number };
}

/**
 * Ellipse about its origin, as a convex polygon with vertices on it. `deviation` is the largest distance between
 * both. Default: 1/1000 of the larger radius.
 */
export interface EllipseShape {
  ellipse: { radius_x: number; radius_y: number; deviation?: number };
}

/** Polyline. `closed` connects its ends. `one_sided` makes contacts at the front only. */
export interface ChainShape {
  chain: { points: readonly Point[]; closed?: boolean; one_sided?: boolean; radius?: number };
}

/** Several shapes as one. `rotation` is in degrees, as in scene files. Compounds nest at most 64 levels deep. */
export interface CompoundShape {
  compound: readonly { shape: Shape; position?: Point; rotation?: number }[];
}

/** Solid pixels. `#` is solid, `.` is not. The first row lies along the x axis, the others follow toward +y. */
export interface MaskShape {
  mask: { rows: readonly string[]; scale?: number | Point; radius?: number };
}

/** A shape that is one convex part. */
export type ConvexShape = CircleShape | CapsuleShape | SegmentShape | RectangleShape | PolygonShape | EllipseShape;

/** A shape: the plain object of the scene JSON. The key is its kind. An unknown key is an error. */
export type Shape = ConvexShape | ChainShape | CompoundShape | MaskShape;

/** A shape at a place. `angle` is in radians. The defaults are 0. */
export interface PlacedShape<S = Shape> {
  shape: S;
  x?: number;
  y?: number;
  angle?: number;
}

/** A placed shape, or a shape at the origin. */
export type Placeable<S = Shape> = S | PlacedShape<S>;

/** One point of a contact. */
export interface ContactPoint {
  /** Midpoint of the two surfaces. */
  position: Vec;
  /** Point on the surface of the first shape. */
  onA: Vec;
  /** Point on the surface of the second shape. */
  onB: Vec;
  /** Depth at this point. Negative for a gap within the margin. */
  depth: number;
}

/**
 * The contact of two shapes. For concave shapes, chains, compounds and masks it is the contact of the deepest pair of
 * convex parts.
 */
export interface Manifold {
  /** Unit vector from the first shape to the second. */
  normal: Vec;
  /**
   * Length of the shortest move that separates the two convex parts: 0 if they only touch, negative for a gap within
   * the margin.
   */
  depth: number;
  /**
   * `normal × depth`. Moves the second part out of the first. After the move, other parts can still overlap: repeat a
   * limited number of times, or use `world.separate`. For two convex shapes one move is enough.
   */
  mtv: Vec;
  /** Index of the convex part of the first shape. 0 if the shape is convex. */
  partA: number;
  /** Index of the convex part of the second shape. 0 if the shape is convex. */
  partB: number;
  /** One or two points. */
  points: ContactPoint[];
}

/** The distance of two shapes. */
export interface Distance {
  /** Exactly 0 if and only if the shapes intersect. */
  distance: number;
  /** Closest point on the first shape. */
  pointA: Vec;
  /** Closest point on the second shape. */
  pointB: Vec;
  partA: number;
  partB: number;
}
