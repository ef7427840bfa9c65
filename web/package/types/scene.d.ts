// The scene file (scenes/scene.schema.json).

import type { Point, Shape } from "./shapes.js";

/** A collider of a scene file. */
export interface SceneCollider {
  id?: string;
  shape: Shape;
  position?: Point;
  /** Degrees. */
  rotation?: number;
  layers?: readonly (number | string)[];
  mask?: readonly (number | string)[];
  group?: number | null;
  sensor?: boolean;
  /** Belongs to the level. Two fixed colliders have no contact. */
  fixed?: boolean;
  /** Front of a one-way collider. */
  one_way?: Point | null;
  /** Path of a platform. `addScene` does not move it: a world has no clock. */
  moving?: { path: readonly Point[]; speed: number } | null;
  motion?: { translation?: Point; rotation?: number } | null;
  body?: { mass: number; velocity?: Point; restitution?: number } | null;
}

/** A scene file. `carom check` reads it too. A world ignores `y`, `gravity` and `walls`. */
export interface Scene {
  $schema?: string;
  /** The version of the format: 1. Its type is `number`, because TypeScript infers it for JSON files and variables. */
  carom: number;
  colliders: readonly SceneCollider[];
  /** Direction of +y. Its type allows any text for the same reason. */
  y?: "up" | "down" | (string & {});
  gravity?: Point | null;
  walls?: readonly number[] | null;
}
