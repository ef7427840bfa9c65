import type { BallScene } from "../balls/scene";

/** One entrant of the race: moves the balls of a scene and bounces them. */
export interface Engine {
  /** Runs one frame: moves all balls, finds contacts, bounces. */
  frame(): void;
  /** Writes x, y of every ball, in the order and units of the scene. */
  read(positions: Float32Array): void;
  /** Returns the sum of the squared speeds. All balls have the same mass. */
  energy(): number;
  /** Frees memory outside the JavaScript heap. */
  dispose(): void;
}

/** What the page and the script know about an entrant before its code is loaded. */
export interface Entrant {
  readonly id: string;
  /** The name on npm, or a name in plain words. */
  readonly name: string;
  /** The most balls that it is raced with: more would take seconds per frame. */
  readonly most: number;
  /** Loads the entrant's code and makes its balls. */
  load(scene: BallScene): Promise<Engine>;
}

/** All entrants. Their code is loaded by `load`, not before. */
export const ENTRANTS: readonly Entrant[] = [
  { id: "carom", name: "carom", most: 100_000, load: async (scene) => (await import("./engines/carom")).make(scene) },
  {
    id: "rapier",
    name: "rapier2d-simd-compat",
    most: 20_000,
    load: async (scene) => (await import("./engines/rapier")).make(scene),
  },
  {
    id: "check2d",
    name: "check2d",
    most: 20_000,
    load: async (scene) => (await import("./engines/check2d")).make(scene),
  },
  {
    id: "matter",
    name: "matter-js",
    most: 20_000,
    load: async (scene) => (await import("./engines/matter")).make(scene),
  },
  { id: "planck", name: "planck", most: 20_000, load: async (scene) => (await import("./engines/planck")).make(scene) },
  {
    id: "sorted",
    name: "sort + break",
    most: 100_000,
    load: async (scene) => (await import("./engines/loops")).makeSorted(scene),
  },
  {
    id: "nested",
    name: "two loops",
    most: 5_000,
    load: async (scene) => (await import("./engines/loops")).makeNested(scene),
  },
];
