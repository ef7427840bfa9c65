import type { ConvexShape, Distance, Manifold, Placeable } from "./shapes.js";
export type { ConvexShape, Distance, Manifold, Placeable } from "./shapes.js";

/** Compiles the wasm module without blocking. Optional: the first call compiles it otherwise. */
export function ready(): Promise<void>;

/** Returns true if the shapes share at least one point. Shapes are convex: for others import `carom`. */
export function intersects(a: Placeable<ConvexShape>, b: Placeable<ConvexShape>): boolean;
/** Returns true if the depth is above 0. */
export function overlaps(a: Placeable<ConvexShape>, b: Placeable<ConvexShape>): boolean;
/** Returns the contact, or null if the shapes are apart by more than `margin` (default 0). */
export function collide(a: Placeable<ConvexShape>, b: Placeable<ConvexShape>, margin?: number): Manifold | null;
/** Returns the distance and the closest points. */
export function distance(a: Placeable<ConvexShape>, b: Placeable<ConvexShape>): Distance;
