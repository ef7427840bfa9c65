// The messages between the page and the worker that runs a level. A worker runs one level, then it ends.

import type { SceneText } from "../../scene_text";
import type { Meaning } from "../../shell/theme";

/** The colours of the picture. */
export const INKS = [
  "a",
  "a-fill",
  "b",
  "b-fill",
  "gap",
  "overlap",
  "pruned",
  "faint",
  "line",
  "sheet",
  "solid",
  "solid-line",
  "light",
] as const satisfies Meaning[];

export type Ink = (typeof INKS)[number];

/** The directions that are held. */
export interface Input {
  left: boolean;
  right: boolean;
  up: boolean;
  down: boolean;
  jump: boolean;
}

export interface Options {
  /** Height of the mover, or 0: from the size of the level. */
  size: number;
  gravity: boolean;
}

/** A level to build. */
export interface Load {
  scene: SceneText;
  options: Options;
  /** Start of the level, or undefined: the worker searches a free place. */
  start: [number, number] | undefined;
  /** Position of the mover, or null: at the start. */
  at: [number, number] | null;
}

/** Everything that a frame depends on. */
export interface Frame {
  /** Seconds since the last frame. */
  passed: number;
  input: Input;
  /** The pointer in CSS pixels of the figure if it moved since the last frame. */
  pointer: [number, number] | null;
  /** Number of bullets to shoot, and whether each has a companion that is tested once a frame. */
  shots: number;
  sampled: boolean;
  light: boolean;
  /** Range of the light, and height of the view, in heights of the mover. */
  range: number;
  zoom: number;
  /** True if the camera follows without a delay. */
  still: boolean;
  /** Size of the figure in CSS pixels, and device pixels per CSS pixel. */
  width: number;
  height: number;
  ratio: number;
  colours: Record<Ink, string>;
}

/** Facts of a frame that the page writes. Colliders have their names. */
export interface Report {
  x: number;
  y: number;
  /** The collider that the mover stands on. */
  ground: string | null;
  surfaces: { name: string; kind: "floor" | "wall" | "ceiling" }[];
  /** The last collider that a bullet hit, the number of hits, and of sampled bullets that passed a surface. */
  lastHit: string | null;
  hits: number;
  passed: number;
}

export type ToWorker =
  | ({ kind: "load" } & Load)
  | { kind: "spawn"; at: [number, number] | null }
  | ({ kind: "frame" } & Frame)
  | { kind: "svg"; title: string };

export type FromWorker =
  /** The share of the level that is built. */
  | { kind: "progress"; share: number }
  | { kind: "ready"; size: number; start: [number, number] }
  | { kind: "frame"; picture: ImageBitmap; report: Report }
  /** The picture, or why there is none. */
  | { kind: "svg"; text: string }
  | { kind: "noSvg"; reason: string }
  | { kind: "failed"; message: string };
