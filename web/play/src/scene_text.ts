// Keeps scenes as JSON text. The page never parses a long one: it passes the text from worker to worker.

import type { Scene } from "carom";

/** Letters of the longest text that is kept as a string. */
const LONGEST = 1e6;

/** The JSON text of a scene. A long one is a blob, which workers get without a copy. */
export interface SceneText {
  readonly json: string | Blob;
}

/** Keeps the JSON text of a scene. */
export function sceneText(json: string): SceneText {
  return { json: json.length > LONGEST ? new Blob([json]) : json };
}

/** Parses the scene. For a long one this takes long, so a worker calls it. */
export async function parseScene({ json }: SceneText): Promise<Scene> {
  return JSON.parse(typeof json === "string" ? json : await json.text()) as Scene;
}

/** Returns the letters of a string, or the bytes of a blob. */
export function lengthOf({ json }: SceneText): number {
  return typeof json === "string" ? json.length : json.size;
}

/** Returns true if both are the same text. Blobs are not compared by content. */
export function sameText(a: SceneText | null, b: SceneText | null): boolean {
  return a === b || (a !== null && b !== null && a.json === b.json);
}
