// The game: one mover, bullets, light. Every decision about shapes is a call of the package.

import type { Id, Mover, Scene, SceneCollider, Shape, World } from "carom";
import type { Carom } from "../../carom";
import type { Input, Options } from "./messages";
import { Platforms } from "./platforms";

export interface Bullet {
  x: number;
  y: number;
  vx: number;
  vy: number;
  bounces: number;
  age: number;
  /** Tested only at the end of each frame: it passes thin walls. */
  sampled: boolean;
  trail: number[];
}

/** A place where a bullet hit. */
export interface Spark {
  x: number;
  y: number;
  nx: number;
  ny: number;
  age: number;
}

/** Speeds in heights of the mover. */
const RUN = 5.5;
const GRAVITY = 26;
const JUMP = 9.6;
const FALL = 22;
const BULLET = 58;
export const BULLET_RADIUS = 0.07;
const LIFE = 2.5;

/** Corners in reach of the light, at most. */
const CORNERS = 4000;

/** Points that are added to the world between two messages about the progress, at least. */
const PIECE = 500;

/** Returns about the number of points of a shape. The world refuses a shape that is none. */
function weigh(shape: Shape | undefined): number {
  if (!shape || typeof shape !== "object") return 1;
  if ("polygon" in shape) return [shape.polygon?.points, ...(shape.polygon?.holes ?? [])].flat().length;
  if ("chain" in shape) return shape.chain?.points?.length ?? 1;
  if ("compound" in shape) return [shape.compound].flat().reduce((sum, child) => sum + weigh(child?.shape), 1);
  return "mask" in shape ? (shape.mask?.rows?.length ?? 1) ** 2 : 4;
}

/** Returns true for regions that block nothing: sensors, and the layers of regions in maps. */
export function isSensor({ sensor, layers }: SceneCollider): boolean {
  return (
    sensor === true || (layers?.some((layer) => /^(rooms?|zones?|regions?|triggers?)$/i.test(String(layer))) ?? false)
  );
}

export class Simulation {
  readonly world: World;
  readonly names: string[] = [];
  readonly scene: Scene;
  readonly options: Options;
  readonly down: boolean;
  /** Ids of the colliders of the scene, in its order. */
  readonly ids: Id[] = [];
  platforms!: Platforms;
  /** The box of all colliders of the scene. */
  bounds: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  /** Seconds since the start. */
  private time = 0;
  bullets: Bullet[] = [];
  sparks: Spark[] = [];
  /** The last collider that a bullet hit. */
  lastHit: Id | null = null;
  /** Bullets that were tested at the frames only and passed a wall that the others hit. */
  fired = { hits: 0, passed: 0 };
  x = 0;
  y = 0;
  vx = 0;
  vy = 0;
  facing = 1;
  mover!: Mover;
  id: Id = -1;
  /** The place of the level's own player, if it has one. */
  private place: [number, number] | null = null;
  private sinceGround = 1;
  private readonly carom: Carom;
  /** Points of all colliders. */
  private weight = 0;
  /** Ids in the file of the colliders that were added. A piece knows only its own. */
  private readonly known = new Set<string>();
  /** Boxes of the colliders at the start, and their numbers of points. */
  private readonly sizes = new Map<Id, { box: readonly [number, number, number, number]; weight: number }>();

  /** Makes the world of a scene. `progress` gets the share that is done. */
  constructor(carom: Carom, scene: Scene, options: Options, progress: (share: number) => void) {
    this.carom = carom;
    this.scene = scene;
    this.options = { ...options };
    this.down = scene.y === "down";
    this.world = new carom.World();
    this.fill(progress);
  }

  private fill(progress: (share: number) => void): void {
    const { scene, world, ids } = this;
    const { colliders, ...head } = scene;
    // `addScene` throws the message for a scene without a list of colliders.
    if (!Array.isArray(colliders)) world.addScene(scene);
    // A name never gets a number that a later piece uses. Colliders without layers are on layer 0.
    for (const one of colliders)
      for (const layer of [one?.layers ?? 0, one?.mask].flat()) if (typeof layer === "number") world.layer(layer);
    for (let from = 0; from < colliders.length;) {
      let to = from;
      for (let weight = 0; to < colliders.length && (to === from || weight < PIECE); to++)
        weight += weigh(colliders[to]?.shape);
      this.addPiece({ ...head, colliders: colliders.slice(from, to) }, from);
      from = to;
      progress(from / colliders.length);
    }
    if (!Number.isFinite(this.bounds[0])) this.bounds = [-5, -5, 5, 5];
    const [minX, minY, maxX, maxY] = this.bounds;
    const size = Number((Math.max(maxX - minX, 2 * (maxY - minY)) / 40).toPrecision(2));
    this.options.size ||= size || 1; // A single point has no size.
    this.platforms = new Platforms(colliders, ids);
    this.leavePlaceOfPlayer(ids);
    world.update();
  }

  /** Adds some colliders of the scene. `first` is the index of the first one. */
  private addPiece(piece: Scene, first: number): void {
    const { world, bounds } = this;
    let added: Id[];
    try {
      added = world.addScene(piece).ids;
    } catch (error) {
      // The message names the place in the piece.
      if (error instanceof Error)
        error.message = error.message.replace(/^colliders\[(\d+)\]/, (_, i) => `colliders[${first + Number(i)}]`);
      throw error;
    }
    added.forEach((id, i) => {
      const one = piece.colliders[i]!;
      if (one.id !== undefined) {
        const place = `colliders[${first + i}]`;
        if (this.known.has(one.id))
          throw new RangeError(`${place}.id is "${one.id}", as that of another collider: ids are unique`);
        this.known.add(one.id);
      }
      this.names[id] = one.id ?? `#${first + i}`;
      world.setFixed(id, !one.moving);
      if (isSensor(one)) world.setSensor(id, true);
      const box = world.box(id);
      const weight = weigh(one.shape);
      this.sizes.set(id, { box, weight });
      this.weight += weight;
      for (const k of [0, 1] as const) {
        bounds[k] = Math.min(bounds[k], box[k]);
        bounds[k + 2] = Math.max(bounds[k + 2]!, box[k + 2]!);
      }
      this.ids.push(id);
    });
  }

  /** Disables the shapes of the level's own player, and keeps their place for the mover. */
  private leavePlaceOfPlayer(ids: Id[]): void {
    const players = ids.filter((id) => /^(player|hero|spawn)\b/i.test(this.names[id]!));
    const [first] = players;
    if (first === undefined) return;
    const [minX, minY, maxX, maxY] = this.world.box(first);
    this.place = [(minX + maxX) / 2, (minY + maxY) / 2 + this.up * 0.1 * this.options.size];
    for (const id of players) this.world.setEnabled(id, false);
  }

  /** 1 if y points up, −1 if it points down. */
  get up(): 1 | -1 {
    return this.down ? -1 : 1;
  }

  /** The shape of the mover: a capsule of the given height. */
  shape(): Shape {
    const { size } = this.options;
    return { capsule: { a: [0, -0.22 * size], b: [0, 0.22 * size], radius: 0.28 * size } };
  }

  /** The shape of a bullet. */
  bullet(): Shape {
    return { circle: { radius: BULLET_RADIUS * this.options.size } };
  }

  /** Puts the mover at a place and the platforms at their starts. */
  spawn(x: number, y: number): void {
    this.time = 0;
    this.platforms.moveTo(this.world, 0);
    this.x = x;
    this.y = y;
    this.vx = this.vy = 0;
    if (this.id >= 0) {
      this.mover.dispose();
      this.world.remove(this.id);
    }
    const { size, gravity } = this.options;
    this.id = this.world.add(this.shape(), { x, y });
    this.names[this.id] = "mover";
    this.mover = new this.carom.Mover(this.world, this.id, {
      ...(gravity ? { up: [0, this.up] } : {}),
      skin: 0.01 * size,
      stepHeight: gravity ? 0.32 * size : 0,
      snapDistance: gravity ? 0.3 * size : 0,
      maxPush: size,
    });
    this.world.update();
  }

  /** Returns a free place near the start of the level: above a floor if there is gravity. */
  findPlace(): [number, number] {
    if (this.place) return this.place;
    const [minX, minY, maxX, maxY] = this.bounds;
    const { size, gravity } = this.options;
    const filter = { excludeSensors: true };
    const free = (x: number, y: number) => this.world.inShape({ shape: this.shape(), x, y }, filter).length === 0;
    const columns = 40;
    for (let i = 1; i < columns; i++) {
      const x = minX + ((maxX - minX) * i) / columns;
      if (gravity) {
        const top = this.down ? minY - 2 * size : maxY + 2 * size;
        const hit = this.world.shapeCast(
          { shape: this.shape(), x, y: top },
          { dy: -this.up * (maxY - minY + 4 * size) },
          filter,
        );
        if (hit) return [x, top - this.up * hit.time * (maxY - minY + 4 * size) + this.up * 0.05 * size];
      } else {
        for (let k = 1; k < columns; k++) {
          const y = minY + ((maxY - minY) * k) / columns;
          if (free(x, y)) return [x, y];
        }
      }
    }
    return [(minX + maxX) / 2, (minY + maxY) / 2];
  }

  /** Shoots a bullet from the mover. */
  shoot(dx: number, dy: number, sampled: boolean): void {
    const length = Math.hypot(dx, dy) || 1;
    const speed = BULLET * this.options.size;
    const one = {
      x: this.x,
      y: this.y,
      vx: (dx / length) * speed,
      vy: (dy / length) * speed,
      bounces: 0,
      age: 0,
      trail: [this.x, this.y],
    };
    this.bullets.push({ ...one, sampled: false });
    if (sampled) this.bullets.push({ ...one, trail: [this.x, this.y], sampled: true });
  }

  /** Advances by a time step. */
  step(dt: number, input: Input): void {
    this.time += dt;
    this.platforms.moveTo(this.world, this.time);
    this.walk(dt, input);
    for (const bullet of this.bullets) bullet.sampled ? this.flySampled(bullet, dt) : this.fly(bullet, dt);
    this.bullets = this.bullets.filter((one) => one.age < LIFE);
    for (const spark of this.sparks) spark.age += dt;
    this.sparks = this.sparks.filter((one) => one.age < 0.7);
  }

  private walk(dt: number, input: Input): void {
    const { size, gravity } = this.options;
    const across = Number(input.right) - Number(input.left);
    if (across) this.facing = across;
    const ease = Math.min(1, dt * (this.mover.grounded || !gravity ? 14 : 7));
    this.vx += (across * RUN * size - this.vx) * ease;
    if (gravity) {
      const down = -this.up;
      this.sinceGround = this.mover.grounded ? 0 : this.sinceGround + dt;
      this.vy += down * GRAVITY * size * dt;
      if (this.mover.grounded && this.vy * down > 0) this.vy = down * GRAVITY * size * dt;
      this.vy = Math.max(-FALL * size, Math.min(FALL * size, this.vy));
      if (input.jump && this.sinceGround < 0.1) {
        this.vy = -down * JUMP * size;
        this.sinceGround = 1;
      }
      if (input.down && this.mover.grounded) this.mover.dropThrough();
    } else {
      const along = (Number(input.up || input.jump) - Number(input.down)) * this.up;
      this.vy += (along * RUN * size - this.vy) * ease;
    }
    const { translation } = this.mover.move(this.vx * dt, this.vy * dt);
    this.x += translation[0];
    this.y += translation[1];
    for (const { kind } of this.mover.surfaces) {
      if (kind === "ceiling" && this.vy * this.up > 0) this.vy = 0;
      if (kind === "wall" && gravity) this.vx *= 0.6;
    }
    const [, minY, , maxY] = this.bounds;
    if (this.y < minY - 12 * size || this.y > maxY + 12 * size) this.spawn(...this.start);
  }

  /** The place to start again after a fall. */
  start: [number, number] = [0, 0];

  /** Casts the bullet along its way: it stops at the first surface and bounces. */
  private fly(bullet: Bullet, dt: number): void {
    bullet.age += dt;
    let left = dt;
    for (let i = 0; i < 4 && left > 0; i++) {
      const motion = { dx: bullet.vx * left, dy: bullet.vy * left };
      const hit = this.world.shapeCast({ shape: this.bullet(), x: bullet.x, y: bullet.y }, motion, {
        exclude: this.id,
        excludeSensors: true,
      });
      const share = hit ? hit.time : 1;
      bullet.x += motion.dx * share;
      bullet.y += motion.dy * share;
      bullet.trail.push(bullet.x, bullet.y);
      if (!hit) break;
      this.lastHit = hit.id;
      this.fired.hits += 1;
      this.sparks.push({ x: hit.point[0], y: hit.point[1], nx: hit.normal[0], ny: hit.normal[1], age: 0 });
      bullet.bounces += 1;
      if (bullet.bounces > 3 || hit.initialDepth !== null) {
        bullet.age = LIFE;
        return;
      }
      const along = bullet.vx * hit.normal[0] + bullet.vy * hit.normal[1];
      bullet.vx -= 2 * along * hit.normal[0];
      bullet.vy -= 2 * along * hit.normal[1];
      left *= 1 - share;
    }
    if (bullet.trail.length > 24) bullet.trail.splice(0, bullet.trail.length - 24);
  }

  /** Tests the bullet only at the end of the frame, as a simple game does. */
  private flySampled(bullet: Bullet, dt: number): void {
    bullet.age += dt;
    const motion = { dx: bullet.vx * dt, dy: bullet.vy * dt };
    const filter = { exclude: this.id, excludeSensors: true };
    const missed = this.world.shapeCast({ shape: this.bullet(), x: bullet.x, y: bullet.y }, motion, filter);
    bullet.x += motion.dx;
    bullet.y += motion.dy;
    bullet.trail.push(bullet.x, bullet.y);
    if (bullet.trail.length > 24) bullet.trail.splice(0, 2);
    const inside = this.world.inShape({ shape: this.bullet(), x: bullet.x, y: bullet.y }, filter).length > 0;
    if (inside) bullet.age = LIFE;
    else if (missed) this.fired.passed += 1;
  }

  /**
   * Returns the visible region around the mover, and how far it reaches. With more corners in reach than a frame has
   * time for, it reaches less far.
   */
  visible(range: number): { region: Float64Array; range: number } {
    if (this.weight > CORNERS) while (range > 0.5 && this.corners(range) > CORNERS) range /= Math.SQRT2;
    const reach = range * this.options.size;
    const region = this.world.visibility(this.x, this.y, reach, {
      exclude: this.id,
      excludeSensors: true,
      deviation: reach / 400,
    });
    return { region, range };
  }

  /** Estimates the number of corners in reach: those of a collider lie evenly in its box. */
  private corners(range: number): number {
    const reach = range * this.options.size;
    const [left, bottom, right, top] = [this.x - reach, this.y - reach, this.x + reach, this.y + reach];
    const share = (min: number, max: number, from: number, to: number) =>
      max > min ? Math.max(0, Math.min(max, to) - Math.max(min, from)) / (max - min) : 1;
    return this.world.inBox(left, bottom, right, top, { excludeSensors: true }).reduce((sum, id) => {
      const known = this.sizes.get(id);
      if (!known) return sum;
      const [minX, minY, maxX, maxY] = known.box;
      return sum + known.weight * share(minX, maxX, left, right) * share(minY, maxY, bottom, top);
    }, 0);
  }
}
