// States of a room as undo keeps them: short JSON text, and the scene beside it.

import type { Json, Room } from "../rooms/room";
import { lengthOf, sameText, sceneText, type SceneText } from "../scene_text";

/** A state of a room. */
export interface SavedState {
  /** The state as JSON. A scene that is kept beside it is `null` here. */
  readonly text: string;
  readonly scene: SceneText | null;
}

/** The place of the scene in the text. In a string of JSON the quotes are escaped, so it is found nowhere else. */
const PLACE = '"scene":null';

/** Returns the state of a room. */
export function stateOf(room: Room): SavedState {
  return { text: JSON.stringify(room.getState()), scene: room.sceneText?.() ?? null };
}

/** Sets the state of a room. Throws if the room refuses it. */
export function setState(room: Room, { text, scene }: SavedState): void {
  room.setState(JSON.parse(text) as Json, scene);
}

/** Takes the scene out of a whole state, if it has one. */
export function splitState(state: Json): SavedState {
  const source = (state as { source?: { scene?: Json } | null } | null)?.source;
  if (!source?.scene || typeof source.scene !== "object") return { text: JSON.stringify(state), scene: null };
  const scene = sceneText(JSON.stringify(source.scene));
  source.scene = null;
  return { text: JSON.stringify(state), scene };
}

/** A saved state with the name of its room. */
export interface SavedRoom {
  id: string;
  state: SavedState;
}

/** The begin of a saved room, as the page writes it. */
const BEGIN = /^\s*\{\s*"caromRoom"\s*:/;

/** Returns true if a text begins as a saved room. */
export function beginsAsRoom(text: string): boolean {
  return BEGIN.test(text);
}

/** Reads a saved room, or returns null if the JSON is no saved room. Throws if it is damaged. */
export function parseRoom(text: string): SavedRoom | null {
  const data: unknown = JSON.parse(text);
  if (!data || typeof data !== "object" || !("caromRoom" in data)) return null;
  const { caromRoom, state } = data as unknown as { caromRoom: string; state: Json };
  if (state === undefined) throw new Error('"state" is missing');
  return { id: caromRoom, state: splitState(state) };
}

/** Returns the whole state as JSON in pieces. */
export function wholeState({ text, scene }: SavedState): (string | Blob)[] {
  if (!scene) return [text];
  const place = text.indexOf(PLACE);
  if (place < 0) throw new Error("the state has a scene, but no place for it");
  return [text.slice(0, place), '"scene":', scene.json, text.slice(place + PLACE.length)];
}

/** Returns the letters of the whole state. */
export function stateLength({ text, scene }: SavedState): number {
  return text.length + (scene ? lengthOf(scene) : 0);
}

/** Returns the whole state as JSON, or `null` if it has more letters than `most`. */
export function shortState(state: SavedState, most: number): string | null {
  if (stateLength(state) > most) return null;
  const pieces = wholeState(state);
  return pieces.every((piece) => typeof piece === "string") ? pieces.join("") : null;
}

/** Returns true if both are the same state. */
export function sameState(a: SavedState, b: SavedState): boolean {
  return a.text === b.text && sameText(a.scene, b.scene);
}
