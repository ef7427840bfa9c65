// Moves the platforms of a level along their paths, as `carom walk` does.

import type { Id, Point, SceneCollider, World } from "carom";

interface Platform {
  id: Id;
  start: Point;
  angle: number;
  path: readonly Point[];
  /** Length of the path up to each point. */
  lengths: number[];
  speed: number;
}

/** The colliders of a scene that have a path. */
export class Platforms {
  private readonly all: Platform[] = [];
  private readonly offsets = new Map<Id, Point>();

  /** Takes the colliders of a scene and their ids in the world. */
  constructor(colliders: readonly SceneCollider[], ids: readonly Id[]) {
    colliders.forEach(({ moving, position, rotation = 0 }, i) => {
      if (!moving) return;
      const { path, speed } = moving;
      const lengths = [0];
      for (let k = 1; k < path.length; k++) {
        const [from, to] = [path[k - 1]!, path[k]!];
        lengths.push(lengths[k - 1]! + Math.hypot(to[0] - from[0], to[1] - from[1]));
      }
      if (!(lengths.at(-1)! > 0)) return;
      const start: Point = [position?.[0] ?? 0, position?.[1] ?? 0];
      this.all.push({ id: ids[i]!, start, angle: (rotation * Math.PI) / 180, path, lengths, speed });
    });
  }

  /** True if there are platforms. */
  get moving(): boolean {
    return this.all.length > 0;
  }

  /** Moves the platforms to their positions at a time in seconds. */
  moveTo(world: World, time: number): void {
    for (const platform of this.all) {
      const [dx, dy] = offsetAt(platform, time);
      world.move(platform.id, platform.start[0] + dx, platform.start[1] + dy, platform.angle);
      this.offsets.set(platform.id, [dx, dy]);
    }
  }

  /** Returns the translation of a collider from its position in the file. */
  offset(id: Id): Point {
    return this.offsets.get(id) ?? [0, 0];
  }
}

/** Returns the translation at a time. A path that ends at its first point is a circuit; others go there and back. */
function offsetAt({ path, lengths, speed }: Platform, time: number): Point {
  const last = path.length - 1;
  const [first, end] = [path[0]!, path[last]!];
  const length = lengths[last]!;
  const isClosed = first[0] === end[0] && first[1] === end[1];
  const period = isClosed ? length : 2 * length;
  const distance = (speed * time) % period;
  const at = distance > length ? period - distance : distance;
  let edge = 0;
  while (edge < last - 1 && lengths[edge + 1]! <= at) edge++;
  const [before, after] = [lengths[edge]!, lengths[edge + 1]!];
  const part = after > before ? (at - before) / (after - before) : 0;
  const [from, to] = [path[edge]!, path[edge + 1]!];
  return [from[0] + (to[0] - from[0]) * part - first[0], from[1] + (to[1] - from[1]) * part - first[1]];
}
