// Draws the level on a canvas of the worker: light, colliders, the tiles that block, the mover, bullets.

import type { Id, SceneCollider, Shape } from "carom";
import { shapePath, type Pose, type TraceMask } from "../../draw/shape_path";
import { View } from "../../draw/view";
import type { Frame, Ink } from "./messages";
import { BULLET_RADIUS, isSensor, type Simulation } from "./simulation";

/** Milliseconds that new outlines may take in a frame. */
const FREE = 8;

interface Drawn {
  path: Path2D;
  open: boolean;
  sensor: boolean;
  oneWay: boolean;
}

/** The visible region, and how far it reaches in heights of the mover. */
export interface Light {
  region: Float64Array;
  range: number;
}

/** What the picture shows beside the level. */
export interface Shown {
  light: Light | null;
  blocking: Map<Id, "floor" | "wall" | "ceiling">;
}

export class LevelPicture {
  readonly canvas = new OffscreenCanvas(1, 1);
  private readonly context = this.canvas.getContext("2d")!;
  private readonly view = new View();
  private readonly paths = new Map<Id, Drawn>();
  private readonly colliders: Map<Id, SceneCollider>;
  private readonly reference = new View();
  private colours: Partial<Record<Ink, string>> = {};
  private zoom = 1;

  /** Takes a level. Its outlines are made when they are drawn first. */
  constructor(
    simulation: Simulation,
    private readonly trace: TraceMask,
  ) {
    this.reference.scale = 100 / simulation.options.size;
    this.reference.down = simulation.down;
    this.colliders = new Map(simulation.ids.map((id, i) => [id, simulation.scene.colliders[i]!]));
  }

  /** Returns the outline of a collider, or null if it is not known and a frame has no time to make it. */
  private pathOf(id: Id, until: number): Drawn | null {
    const known = this.paths.get(id);
    if (known) return known;
    if (performance.now() > until) return null;
    const one = this.colliders.get(id)!;
    const made = {
      path: new Path2D(shapePath(one.shape, colliderPose(one), this.reference, this.trace)),
      open: "chain" in one.shape || "segment" in one.shape,
      sensor: isSensor(one),
      oneWay: Boolean(one.one_way),
    };
    this.paths.set(id, made);
    return made;
  }

  private ink(meaning: Ink): string {
    return this.colours[meaning]!;
  }

  /** Takes size, colours and height of the view from a frame, and moves the camera. */
  aim(simulation: Simulation, { width, height, ratio, zoom: heights, colours }: Frame, ease: number): void {
    this.colours = colours;
    const [w, h] = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
    if (this.canvas.width !== w || this.canvas.height !== h) [this.canvas.width, this.canvas.height] = [w, h];
    this.view.width = width;
    this.view.height = height;
    this.view.down = simulation.down;
    this.zoom = ratio;
    const { size } = simulation.options;
    this.view.scale = Math.min(height / (heights * size), width / (0.62 * heights * size));
    const [minX, minY, maxX, maxY] = simulation.bounds;
    const inside = (p: number, min: number, max: number, half: number) =>
      max - min < 2 * half ? (min + max) / 2 : Math.min(max - half, Math.max(min + half, p));
    const lead = simulation.up * size * 1.5;
    const target = [
      inside(simulation.x, minX - 2 * size, maxX + 2 * size, width / 2 / this.view.scale),
      inside(simulation.y + lead, minY, maxY + size, height / 2 / this.view.scale),
    ];
    const [cx, cy] = this.view.centre;
    this.view.centre = [cx + (target[0]! - cx) * ease, cy + (target[1]! - cy) * ease];
  }

  /** Returns the world point of a pixel of the figure. */
  world(x: number, y: number): [number, number] {
    return this.view.world(x, y);
  }

  draw(simulation: Simulation, shown: Shown): void {
    const { context, view } = this;
    context.setTransform(this.zoom, 0, 0, this.zoom, 0, 0);
    context.clearRect(0, 0, view.width, view.height);
    if (shown.light) {
      context.fillStyle = this.ink("line");
      context.globalAlpha = 0.75;
      context.fillRect(0, 0, view.width, view.height);
      context.globalAlpha = 1;
      this.drawLight(simulation, shown.light);
    }
    this.drawColliders(simulation, shown);
    this.drawBullets(simulation);
    this.drawMover(simulation);
  }

  private drawLight(simulation: Simulation, { region: light, range }: Light): void {
    if (light.length < 6) return;
    const { context, view } = this;
    context.beginPath();
    for (let i = 0; i < light.length; i += 2) context.lineTo(view.x(light[i]!), view.y(light[i + 1]!));
    context.closePath();
    const [x, y] = view.point([simulation.x, simulation.y]);
    const radius = range * simulation.options.size * view.scale;
    const glow = context.createRadialGradient(x, y, 0, x, y, radius);
    const [warm, sheet] = [this.ink("light"), this.ink("sheet")];
    glow.addColorStop(0, `color-mix(in srgb, ${warm} 55%, ${sheet})`);
    glow.addColorStop(0.35, `color-mix(in srgb, ${warm} 26%, ${sheet})`);
    glow.addColorStop(0.75, `color-mix(in srgb, ${warm} 10%, ${sheet})`);
    context.fillStyle = sheet; // Reading it back gives six hexadecimal digits. Two more are the opacity.
    glow.addColorStop(1, `${context.fillStyle}00`);
    context.fillStyle = glow;
    context.fill();
  }

  private drawColliders(simulation: Simulation, shown: Shown): void {
    const { context, view } = this;
    const [left, bottom] = view.world(0, view.height);
    const [right, top] = view.world(view.width, 0);
    const ids = simulation.world.inBox(
      Math.min(left, right),
      Math.min(bottom, top),
      Math.max(left, right),
      Math.max(bottom, top),
    );
    const factor = view.scale / this.reference.scale;
    const [ox, oy] = view.point([0, 0]);
    const [rx, ry] = this.reference.point([0, 0]);
    context.save();
    context.transform(factor, 0, 0, factor, ox - rx * factor, oy - ry * factor);
    context.lineJoin = context.lineCap = "round";
    const ordered = ids
      .filter((id) => this.colliders.has(id))
      .sort((a, b) => Number(shown.blocking.has(a)) - Number(shown.blocking.has(b)));
    const until = performance.now() + FREE;
    for (const id of ordered) {
      const drawn = this.pathOf(id, until);
      if (!drawn) continue; // The next frame draws it.
      const { path, open, sensor, oneWay } = drawn;
      const blocks = shown.blocking.has(id);
      const [dx, dy] = simulation.platforms.offset(id);
      const scale = this.reference.scale;
      context.translate(dx * scale, -simulation.up * dy * scale);
      context.setLineDash(sensor ? [6 / factor, 6 / factor] : []);
      context.lineWidth = (open ? 3.5 : blocks ? 2.5 : 1.2) / factor;
      context.strokeStyle = this.ink(blocks ? "b" : sensor ? "faint" : oneWay ? "gap" : "solid-line");
      if (!open && !sensor) {
        context.fillStyle = this.ink("solid");
        context.fill(path);
        if (blocks) {
          context.globalAlpha = 0.42;
          context.fillStyle = this.ink("b-fill");
          context.fill(path);
          context.globalAlpha = 1;
        }
      }
      context.stroke(path);
      context.translate(-dx * scale, simulation.up * dy * scale);
    }
    context.restore();
    context.setLineDash([]);
  }

  private drawBullets(simulation: Simulation): void {
    const { context, view } = this;
    const radius = Math.max(2.5, BULLET_RADIUS * simulation.options.size * view.scale);
    for (const bullet of simulation.bullets) {
      context.strokeStyle = context.fillStyle = this.ink(bullet.sampled ? "pruned" : "a");
      context.lineWidth = radius * 0.9;
      context.globalAlpha = bullet.sampled ? 0.35 : 0.45;
      context.setLineDash(bullet.sampled ? [3, 6] : []);
      context.beginPath();
      for (let i = 0; i < bullet.trail.length; i += 2)
        context.lineTo(view.x(bullet.trail[i]!), view.y(bullet.trail[i + 1]!));
      context.stroke();
      context.globalAlpha = 1;
      context.setLineDash([]);
      context.beginPath();
      context.arc(view.x(bullet.x), view.y(bullet.y), radius, 0, 2 * Math.PI);
      if (bullet.sampled) {
        context.lineWidth = 1.5;
        context.stroke();
      } else context.fill();
    }
    context.strokeStyle = context.fillStyle = this.ink("overlap");
    for (const spark of simulation.sparks) {
      context.globalAlpha = 1 - spark.age / 0.7;
      const [x, y] = view.point([spark.x, spark.y]);
      context.lineWidth = 2;
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(x + spark.nx * 18, y - simulation.up * spark.ny * 18);
      context.stroke();
      context.beginPath();
      context.arc(x, y, 3.5, 0, 2 * Math.PI);
      context.fill();
    }
    context.globalAlpha = 1;
  }

  private drawMover(simulation: Simulation): void {
    const { context, view } = this;
    const pose = { x: simulation.x, y: simulation.y, angle: 0 };
    const path = new Path2D(shapePath(simulation.shape(), pose, view));
    context.fillStyle = this.ink("sheet");
    context.fill(path);
    context.globalAlpha = 0.75;
    context.fillStyle = this.ink("a-fill");
    context.fill(path);
    context.globalAlpha = 1;
    context.strokeStyle = this.ink("a");
    context.lineWidth = 2.2;
    context.stroke(path);
    const { size } = simulation.options;
    const eye = view.point([
      simulation.x + simulation.facing * 0.12 * size,
      simulation.y + simulation.up * 0.24 * size,
    ]);
    context.fillStyle = this.ink("a");
    context.beginPath();
    context.arc(eye[0], eye[1], Math.max(1.5, 0.055 * size * view.scale), 0, 2 * Math.PI);
    context.fill();
    context.lineWidth = 1.8;
    for (const { normal } of simulation.mover.surfaces) {
      const at = view.point([simulation.x, simulation.y]);
      const half = 0.5 * size * view.scale;
      context.strokeStyle = this.ink("b");
      const [nx, ny] = [normal[0], -simulation.up * normal[1]];
      const from = [at[0] - nx * half, at[1] - ny * half];
      context.beginPath();
      context.moveTo(from[0]!, from[1]!);
      context.lineTo(from[0]! - nx * 4, from[1]! - ny * 4);
      context.stroke();
    }
  }

  /** Returns the picture as an SVG of paths. */
  toSvg(simulation: Simulation, title: string): string {
    const { view } = this;
    const path = (shape: Shape, pose: Pose, fill: string, stroke: string) =>
      `<path d="${shapePath(shape, pose, view, this.trace)}" fill="${fill}" stroke="${stroke}"/>`;
    const [solid, edge] = [this.ink("solid"), this.ink("solid-line")];
    const rows = simulation.scene.colliders.map((one, i) => {
      const open = "chain" in one.shape || "segment" in one.shape;
      const [dx, dy] = simulation.platforms.offset(simulation.ids[i]!);
      const { x, y, angle } = colliderPose(one);
      return path(one.shape, { x: x + dx, y: y + dy, angle }, open ? "none" : solid, edge);
    });
    const mover = { x: simulation.x, y: simulation.y, angle: 0 };
    rows.push(path(simulation.shape(), mover, this.ink("a-fill"), this.ink("a")));
    const box = `viewBox="0 0 ${Math.round(view.width)} ${Math.round(view.height)}"`;
    const back = `<rect width="100%" height="100%" fill="${this.ink("sheet")}"/>`;
    return `<svg xmlns="http://www.w3.org/2000/svg" ${box}><title>${title}</title>${back}${rows.join("\n")}</svg>\n`;
  }
}

function colliderPose({ position, rotation = 0 }: SceneCollider): Pose {
  return { x: position?.[0] ?? 0, y: position?.[1] ?? 0, angle: (rotation * Math.PI) / 180 };
}
