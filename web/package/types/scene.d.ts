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
  motion?: { translation?: Point; rotation?: number } | null;
  body?: { mass: number; velocity?: Point; restitution?: number } | null;
}

/** A scene file. `carom check` reads it too. */
export interface Scene {
  $schema?: string;
  carom: 1;
  colliders: readonly SceneCollider[];
  y?: "up" | "down";
  gravity?: Point | null;
  walls?: readonly number[] | null;
}
