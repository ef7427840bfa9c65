/// <reference lib="esnext.disposable" />

// Worlds: colliders, contacts, events and queries.

import type { Distance, Placeable, Point, Shape, Vec } from "./shapes.js";
import type { Motion } from "./pairs.js";
import type { Scene, SceneCollider } from "./scene.js";

/**
 * Id of a collider: an integer. The first colliders have the ids 0, 1, 2, …
 * The id of a removed collider stays wrong for ever. `id % 2 ** 32` is its slot: slots are reused, so they stay small.
 */
export type Id = number;

/**
 * A layer: a number from 0 to 63, or a name. A name gets the lowest free number from 1 to 63 when a collider, a mask, a
 * scene or `layer` uses it first. Layer 0 is that of colliders without layers. A name gets it only if all others are
 * taken and nothing has used it. A query with any other name throws.
 */
export type Layer = number | string;

/** Name of a broad phase. All report the same pairs. `grid` is another name of `strips`. */
export type BroadPhaseName = "auto" | "brute" | "strips" | "grid" | "bvh" | "sweep" | "sweep-insertion" | "sweep-swaps";

/** Options of a collider. */
export interface ColliderOptions {
  x?: number;
  y?: number;
  /** Radians. Positive angles turn +x toward +y. */
  angle?: number;
  /** Layers of the collider. Default `[0]`. Queries that name layers do not find a collider with `[]`. */
  layers?: Layer | readonly Layer[];
  /**
   * Layers with which it may have contacts. Default and null: all. The masks of both colliders have to allow a pair.
   */
  mask?: Layer | readonly Layer[] | null;
  /** Colliders of the same group have no contacts with each other. An integer. Default 0: no group. */
  group?: number;
  /** Reports contacts, but is never separated or bounced. */
  sensor?: boolean;
  /** Two fixed colliders never have a contact. For walls and floors. */
  fixed?: boolean;
  /** A disabled collider has no contacts and no query finds it. Default true. */
  enabled?: boolean;
  /** Direction of the front of a one-way platform, any length above 0: `[0, 1]` is solid from the side of +y. */
  oneWay?: Point | null;
}

/** The state of a collider. It serves as options of `add`. The angle is rounded, so the hash of a copy can differ. */
export interface ColliderState {
  x: number;
  y: number;
  /** Radians. */
  angle: number;
  /**
   * A layer that has a name is a text, every other one a number. A snapshot contains no names: after `restore` the names
   * are those of this world.
   */
  layers: Layer[];
  /** Null: all layers. */
  mask: Layer[] | null;
  /** 0: no group. */
  group: number;
  sensor: boolean;
  fixed: boolean;
  enabled: boolean;
  /** Front of a one-way platform, a unit vector. Null: solid from all sides. */
  oneWay: Vec | null;
}

/** Restricts a query. */
export interface QueryFilter {
  /**
   * Only colliders on one of these layers. Throws for a name that the world does not know. Default: all colliders, also
   * those with `layers: []`.
   */
  layers?: Layer | readonly Layer[];
  /** Without sensors. */
  excludeSensors?: boolean;
  /** Without this collider. */
  exclude?: Id;
}

/**
 * A pair that meets. For concave shapes, chains, compounds and masks it is the contact of the deepest pair of parts.
 */
export interface Contact {
  /** The collider of the lower slot: `a < b`, unless a slot was used again. */
  a: Id;
  b: Id;
  /** Unit vector from `a` to `b`. For the view of `b`, negate it. */
  normal: Vec;
  /** Length of the shortest move that separates the two convex parts. 0 if they only touch. */
  depth: number;
  /**
   * `normal × depth`. Added to the position of `b`, or subtracted from that of `a`, it separates the two parts. Other
   * parts of the shapes can still overlap then: use `separate`, or repeat a limited number of times. For two convex
   * shapes one move is enough.
   */
  mtv: Vec;
  /** True if one of them is a sensor. */
  sensor: boolean;
  /** One or two points, with the depth at each. */
  points: { position: Vec; depth: number }[];
}

/**
 * Contacts of the last update, as columns and as an iterable of plain objects.
 * The columns are views of wasm memory: read them before the next call of this package, or copy them.
 */
export interface Contacts extends Iterable<Contact> {
  readonly length: number;
  /** Ids of the first colliders. */
  readonly a: Float64Array;
  /** Ids of the second colliders. */
  readonly b: Float64Array;
  /** Two numbers a contact: x, y. */
  readonly normals: Float64Array;
  readonly depths: Float64Array;
  /** 1 if one of the pair is a sensor. */
  readonly sensors: Uint8Array;
  /** Contact i owns the points from `pointEnds[i − 1]` (0 for the first) up to `pointEnds[i]`. */
  readonly pointEnds: Uint32Array;
  /** Three numbers a point: x, y, depth. */
  readonly points: Float64Array;
  /** Plain objects, for `JSON.stringify`. */
  toJSON(): Contact[];
}

/** The begin or the end of a contact. */
export interface WorldEvent {
  type: "begin" | "end";
  a: Id;
  b: Id;
  /** That of the contact. For `end`: of the last update in which it existed. */
  normal: Vec;
  depth: number;
  sensor: boolean;
}

/** Events of the last update, as columns and as an iterable. The columns are views, as those of `Contacts`. */
export interface Events extends Iterable<WorldEvent> {
  readonly length: number;
  /** 1 begin, 0 end. */
  readonly begins: Uint8Array;
  readonly a: Float64Array;
  readonly b: Float64Array;
  readonly normals: Float64Array;
  readonly depths: Float64Array;
  readonly sensors: Uint8Array;
  /** Plain objects, for `JSON.stringify`. */
  toJSON(): WorldEvent[];
}

/** Result of a ray cast. */
export interface RayHit {
  id: Id;
  /** Fraction of the ray, 0 to 1. */
  time: number;
  point: Vec;
  /** Normal of the surface, against the ray. */
  normal: Vec;
  /** Index of the convex part that was hit. 0 if the shape is convex. */
  part: number;
}

/** Result of a shape cast. */
export interface ShapeHit {
  id: Id;
  /** Fraction of the motion, 0 to 1. */
  time: number;
  point: Vec;
  /** Normal of the surface that was hit, toward the moving shape. */
  normal: Vec;
  /** Depth of the overlap at the start (then `time` is 0), or null if there is none. */
  initialDepth: number | null;
  /** Index of the convex part that was hit. 0 if the shape is convex. */
  part: number;
}

/** An impact of a collider that has a motion. */
export interface MotionHit {
  mover: Id;
  other: Id;
  /** Fraction of the motion, 0 to 1. */
  time: number;
  point: Vec;
  /** Normal of the surface of `other`. */
  normal: Vec;
  sensor: boolean;
}

/** Counts of the last update. */
export interface Stats {
  /** The strategy that did the work. For `auto`: the selected one. */
  strategy: string;
  /** Reason of the selection. Empty if there was no choice. */
  reason: string;
  /** Box tests. A SIMD test of several boxes counts once. */
  boxTests: number;
  /** Swaps of neighbours in a sorted order. */
  swaps: number;
  /** Pairs whose boxes intersect and whose layers allow it. */
  candidates: number;
}

/** Result of `separate` and of the position correction of a step. */
export interface Separation {
  /** Rounds that were run, 0 to 64. */
  iterations: number;
  /** True if no overlap is deeper than the slop. */
  converged: boolean;
  /** Upper bound of the remaining depth. */
  maxPenetration: number;
}

/**
 * A set of colliders that reports contacts, events and query results. Queries (`rayCast`, `atPoint`, `inBox`, …) see
 * every change at once. Contacts and events are those of the last `update`. Lists of ids have no promised order.
 */
export class World {
  constructor(options?: { broadPhase?: BroadPhaseName });

  /** Adds a collider and returns its id. */
  add(shape: Shape, options?: ColliderOptions): Id;
  /**
   * Adds all colliders of a scene (an object, or its text): positions, rotations in degrees, layers by name.
   * Returns the ids in file order. `names` maps the ids of the file to ids of the world. A collider without an id is
   * named `#` and its index. Gravity, walls, bodies and motions of the file are ignored. If it throws, nothing changed.
   */
  addScene(scene: Scene | string): { ids: Id[]; names: Map<string, Id> };
  /** Removes a collider. Its contacts end with the next update. */
  remove(id: Id): void;
  /**
   * Removes all colliders, and all particles of this world. Contacts end with the next update. Ids are not reused.
   * Layers keep their names.
   */
  clear(): void;
  /** Returns the pose, layers, mask, group, sensor, fixed, enabled and oneWay of a collider, without its shape. */
  get(id: Id): ColliderState;
  /** Returns true if the collider exists. */
  has(id: Id): boolean;
  /** Number of colliders. */
  readonly size: number;
  /** Ids of all colliders in the order of their slots. A view. */
  readonly ids: Float64Array;
  /** Poses in the order of `ids`: x, y, angle. A view. */
  readonly poses: Float64Array;
  /** Poses in the order of `ids`: x, y, cos, sin. A view, made for drawing. */
  readonly transforms: Float64Array;
  /** Returns the pose. */
  pose(id: Id): { x: number; y: number; angle: number };
  /** Returns the box `[minX, minY, maxX, maxY]`. */
  box(id: Id): [number, number, number, number];

  /** Sets the pose. Without `angle` the angle stays. */
  move(id: Id, x: number, y: number, angle?: number): void;
  /** Sets many poses: x, y, angle each. Without `ids`: of all colliders in the order of `world.ids`. */
  moveAll(poses: ArrayLike<number>, ids?: ArrayLike<Id>): void;
  /**
   * Sets a motion for the next update. The collider stops at its first impact: fast ones do not tunnel. `motionHits`
   * lists the impacts. A collider that stopped need not touch the other one, so no event of type `begin` has to
   * follow. A collider that it overlaps at the start stops it if the motion increases the depth, unless the overlap is deeper
   * than half of its own extent: a bullet leaves the collider in which it starts.
   */
  setMotion(id: Id, dx: number, dy: number, rotation?: number): void;
  /** Replaces the shape. The pose stays. */
  setShape(id: Id, shape: Shape): void;
  /** Replaces layers, mask and group. Those without a value stay. A mask of null means all layers. */
  setLayers(
    id: Id,
    options: { layers?: Layer | readonly Layer[]; mask?: Layer | readonly Layer[] | null; group?: number },
  ): void;
  /** Makes a collider a sensor, or solid. */
  setSensor(id: Id, sensor: boolean): void;
  /** Makes a collider fixed, or movable. */
  setFixed(id: Id, fixed: boolean): void;
  /** Hides a collider from contacts and queries, or shows it again. */
  setEnabled(id: Id, enabled: boolean): void;
  /** Sets the front of a one-way platform. Null: solid from all sides. */
  setOneWay(id: Id, front: Point | null): void;
  /** Allows or forbids contacts of two colliders. */
  setPairEnabled(a: Id, b: Id, enabled: boolean): void;
  /**
   * Returns the number of a layer. A new name gets a free number: call it for layers that queries name before they have
   * colliders.
   */
  layer(layer: Layer): number;

  /** Executes motions and finds contacts and events. It moves no other collider: see `separate`. */
  update(): void;
  readonly contacts: Contacts;
  readonly events: Events;
  /** Impacts of the motions of the last update, also of those that are followed by no contact. */
  readonly motionHits: MotionHit[];
  readonly stats: Stats;
  /**
   * Returns the contact of two colliders, or null. The order of the parameters has no effect: `a`, `b` and `normal`
   * of the result lead from the lower slot to the higher one.
   */
  contact(a: Id, b: Id): Contact | null;

  /** Returns the first hit of a ray from (x, y) to (x + dx, y + dy), or null. `radius` (default 0) makes it thick. */
  rayCast(x: number, y: number, dx: number, dy: number, options?: QueryFilter & { radius?: number }): RayHit | null;
  /** Returns the first hit on each collider, nearest first. */
  rayCastAll(x: number, y: number, dx: number, dy: number, options?: QueryFilter & { radius?: number }): RayHit[];
  /** Returns the first contact of a moving shape, or null. */
  shapeCast(shape: Placeable, motion: Motion, options?: QueryFilter & { targetDistance?: number }): ShapeHit | null;
  /** Returns the colliders that contain a point. */
  atPoint(x: number, y: number, filter?: QueryFilter): Id[];
  /** Returns the index of the convex part of a collider that contains a point, or -1. */
  partAt(id: Id, x: number, y: number): number;
  /**
   * Returns the nearest colliders, nearest first. `count` is 1 by default. Without those farther than `maxDistance`.
   * For all colliders within a distance, `inShape` with a circle is faster than a large `count`.
   */
  nearest(
    x: number,
    y: number,
    options?: QueryFilter & { count?: number; maxDistance?: number },
  ): (Omit<Distance, "partA" | "partB"> & { id: Id; part: number })[];
  /** Returns the colliders that intersect a box. */
  inBox(minX: number, minY: number, maxX: number, maxY: number, filter?: QueryFilter): Id[];
  /** Returns the colliders that intersect a placed shape. */
  inShape(shape: Placeable, filter?: QueryFilter): Id[];
  /**
   * Returns the region that is visible from a point, as x, y of each vertex. Empty if the point is in a collider.
   * `range` is a distance from 0 to 1e30. Arcs become chords that deviate by at most `deviation`, a length, and by at
   * most a tenth of the radius. Default: 1/1000 of `range`, which is half a pixel if `range` is 500 pixels. 0: a
   * hundredth of each radius. Shadows begin at exact tangents, whatever the deviation is.
   */
  visibility(x: number, y: number, range: number, options?: QueryFilter & { deviation?: number }): Float64Array;

  /**
   * Moves overlapping colliders apart. Call `update` first: it starts from the contacts of the last `update`.
   * `masses` gives the mass of each movable collider: a number for all that are not fixed, or a map by id. Colliders
   * without a mass do not move.
   */
  separate(masses?: number | Map<Id, number>): Separation;

  /** Returns the whole state as bytes. */
  snapshot(): Uint8Array;
  /**
   * Restores a snapshot. Ids are those of the snapshot. Movers and particles of this world keep their own state.
   * Names of layers are not part of it. In a new world, first call `layer` for each layer, in the order of the numbers:
   * with its name, or with its number if it has no name; a name with number 0 comes last. After `restore` no new name
   * gets a number of the snapshot.
   */
  restore(bytes: Uint8Array): void;
  /** Returns a hash of the state. The same on every machine. */
  hash(): bigint;

  /** Frees the memory. Every later call throws. */
  dispose(): void;
  [Symbol.dispose](): void;
}

/** Options of a particle. */
export interface ParticleOptions {
  /** Above 0. `Infinity`: impacts never change its velocity. Default 1. */
  mass?: number;
  /** Units per second. Default `[0, 0]`. */
  velocity?: Point;
  /** Share of the speed that a bounce keeps, 0 to 1. Default 0. */
  restitution?: number;
}

/** Bouncing bodies without rotation in a world. They end with the world, or with `dispose`. */
export class Particles {
  constructor(
    world: World,
    options?: {
      gravity?: Point;
      /** Walls `[minX, minY, maxX, maxY]` around all particles. */
      walls?: readonly number[] | null;
      /** Contacts slower than this do not bounce. Null: the default of the library, which follows from gravity. */
      restitutionThreshold?: number | null;
    },
  );
  /** Makes a collider a particle. */
  add(id: Id, options?: ParticleOptions): void;
  /** Makes many colliders particles: mass, velocity x, velocity y, restitution each. */
  addAll(ids: ArrayLike<Id>, rows: ArrayLike<number>): void;
  /** Makes a particle a collider without motion. To remove the collider too, call this and `world.remove`. */
  remove(id: Id): void;
  /** Number of particles. */
  readonly size: number;
  /** Ids of the particles. A view. */
  readonly ids: Float64Array;
  /** Velocities in the order of `ids`: x, y. A view. */
  readonly velocities: Float64Array;
  /** Returns the velocity in units per second. */
  velocity(id: Id): Vec;
  /** Sets the velocity in units per second. */
  setVelocity(id: Id, x: number, y: number): void;
  /** Sets the acceleration of all particles, in units per second². */
  setGravity(x: number, y: number): void;
  /** Sets the walls `[minX, minY, maxX, maxY]`, or removes them. */
  setWalls(walls: readonly number[] | null): void;
  /**
   * Moves all particles, updates the world, bounces, and pushes overlaps apart. `swept` is the number of particles
   * that were fast enough for casts.
   */
  step(seconds: number): { swept: number; separation: Separation };
  /** Sum of ½ m v². Without particles of infinite mass. */
  readonly kineticEnergy: number;
  /** Sum of m v. Without particles of infinite mass. */
  readonly momentum: Vec;
  /** Impacts of fast particles in the last step. */
  readonly impacts: { a: Id; b: Id; time: number; normal: Vec; point: Vec; sensor: boolean }[];
  /** Frees the memory. The colliders stay. Every later call throws. */
  dispose(): void;
  [Symbol.dispose](): void;
}

/**
 * Options of a mover. Lengths are in world units, angles in radians. The defaults suit a world in metres. In another
 * unit set all four lengths: `skin`, `stepHeight`, `snapDistance` and `maxPush`. With 32 pixels per metre and +y
 * down: `{ up: [0, -1], skin: 0.32, stepHeight: 9.6, snapDistance: 9.6, maxPush: 32 }`.
 */
export interface MoverOptions {
  /** Direction up. Without it all surfaces are walls. `[0, -1]` if +y points down, as on a canvas. */
  up?: Point;
  /** Gap to surfaces that is kept. Default 0.01. */
  skin?: number;
  /** Steepest floor, in radians. Steeper surfaces are walls. Default 50°. */
  maxSlope?: number;
  /** Highest step that is climbed. Default 0.3. */
  stepHeight?: number;
  /** Largest gap below that is closed while it walks down. Default 0.3. */
  snapDistance?: number;
  /** Longest way out of colliders that overlap it, per `move`. Default 1. */
  maxPush?: number;
}

/**
 * Moves one collider as a character: slides along walls, climbs steps, stays on the ground. It ends with the world, or
 * with `dispose`.
 */
export class Mover {
  constructor(world: World, id: Id, options?: MoverOptions);
  readonly id: Id;
  /** Moves as far as possible. `translation` was made, `remaining` was stopped. */
  move(dx: number, dy: number): { translation: Vec; remaining: Vec };
  /** Falls through the one-way platform below in the next `move`. */
  dropThrough(): void;
  /** True if it stood on a floor at the end of the last `move`. */
  readonly grounded: boolean;
  /** The floor: its collider, its normal, and how far it moved since the last `move`. Null in the air. */
  readonly ground: { id: Id; normal: Vec; motion: Vec } | null;
  /** Surfaces that were touched in the last `move`. */
  readonly surfaces: { id: Id; normal: Vec; kind: "floor" | "wall" | "ceiling" }[];
  /** Frees the memory. The collider stays. Every later call throws. */
  dispose(): void;
  [Symbol.dispose](): void;
}

/**
 * A broad phase by itself: boxes in, pairs out. With `record`, the textbook methods (`brute`, `sweep`,
 * `sweep-insertion`, `sweep-swaps`) record every box test and every swap in the order in which they were made.
 */
export class BroadPhase {
  constructor(method: BroadPhaseName, options?: { record?: boolean });
  /** Sets all boxes (minX, minY, maxX, maxY each; the id of a box is its index) and searches the pairs. */
  update(boxes: ArrayLike<number>): void;
  /** Pairs of ids whose boxes intersect: a, b each, a < b, sorted. A view. */
  readonly pairs: Uint32Array;
  /** Number of pairs. It does not sort them. */
  readonly pairCount: number;
  readonly stats: Omit<Stats, "candidates">;
  /**
   * Recorded steps of the last update: kind, a, b each. A view. Kind 0: box test, apart. 1: box test, boxes intersect.
   * 2: swap of two neighbours, a was before b, in the order of axis x. 3: the same on axis y. 4: the sweep line reaches
   * the left edge of a. 5: b begins beyond the right edge of a, so it and all later boxes are not tested with a.
   * For `sweep-swaps` a and b are endpoints: 2 × id, and + 1 for an upper endpoint; in tests they are ids.
   */
  readonly steps: Uint32Array;
  /**
   * The order at the start of the sweep (`sweep`: sorted; `sweep-insertion`: before the swaps), as ids.
   * For `sweep-swaps`: the endpoints of the axis before the swaps, 2 × id, and + 1 for an upper endpoint.
   */
  order(axis?: 0 | 1): Uint32Array;
  /** Frees the memory. Every later call throws. */
  dispose(): void;
  [Symbol.dispose](): void;
}

export type { Scene, SceneCollider };
