// Defines the interface between the shell and a room.

import type { Carom } from "../carom";
import type { SceneText } from "../scene_text";

/** Plain data: what `JSON.stringify` keeps. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The largest coordinate of a state: far outside every figure. */
const FARTHEST = 1e9;

/** Returns true if all values are numbers that a figure can draw. */
export function drawable(...values: unknown[]): boolean {
  return values.every((value) => typeof value === "number" && Math.abs(value) <= FARTHEST);
}

/** A scene file: the JSON that `carom check` reads. */
export interface SceneFile {
  carom: 1;
  colliders: object[];
  [key: string]: unknown;
}

/** A button of a message. It removes the message. */
export interface Action {
  label: string;
  run(): void;
}

/** The services that the shell gives to a room. */
export interface RoomContext {
  /** The empty box of the figure. The room fills it. */
  readonly figure: HTMLElement;
  /** The empty box of text and controls. */
  readonly side: HTMLElement;
  /** The package. A room draws its first picture before this resolves. */
  readonly carom: Promise<Carom>;
  /** Aborts when the room is left: pass it to `addEventListener` and `fetch`. */
  readonly left: AbortSignal;
  /** Records the state after a finished gesture: one entry of undo, and the address. */
  commit(): void;
  /** Says a short sentence to screen readers. */
  announce(text: string): void;
  /** Shows a message in the figure. `error` and `busy` stay until the next message or `null`. */
  message(text: string | null, kind?: "error" | "note" | "busy", action?: Action): void;
  /** Opens files in the way of the room: shows that the page is busy, then commits or shows the error. */
  open(name: string, work: (signal: AbortSignal) => Promise<void>): void;
  /** Says that the state in force needs work before it is shown, such as building a level. The last call counts. */
  settle(): Settling;
}

/** Work that the state in force needs. */
export interface Settling {
  /** Shows how far it is, with a button that goes back to the last state that was shown, if there is one. */
  say(text: string): void;
  /** Ends it. `shown` is true if the state is shown now. Until then, Cancel leads to a state before. */
  end(shown: boolean): void;
}

/** A mounted room. */
export interface Room {
  /** Returns the state as plain JSON. Its key `source.scene` is `null` if `sceneText` returns the scene. */
  getState(): Json;
  /** Returns the scene of the state, or `null`. Only rooms with large states have it. */
  sceneText?(): SceneText | null;
  /** Replaces the state: undo, redo, reset and links call it. Throws if the state is not valid. */
  setState(state: Json, scene: SceneText | null): void;
  /** Redraws all words. */
  languageChanged(): void;
  /** Redraws the colours of a canvas. SVG and HTML follow the theme by themselves. */
  themeChanged?(): void;
  /** Returns the scene for export, or `null` if the room has none. A long one is text. */
  scene?(): SceneFile | SceneText | null;
  /** Returns true if there is a picture to save. A room without this function always has one. */
  hasSvg?(): boolean;
  /** Makes the picture for export as the text of an SVG, or returns `null` if the room has none. */
  svg?(): string | null | Promise<string>;
  /**
   * Takes files that were dropped on the figure or opened. Throws with a message for the reader. The signal aborts if
   * other files are opened, another state is set or the room is left. Then the room stays as it was.
   */
  open?(files: File[], signal: AbortSignal): Promise<void>;
  /** Stops workers and timers. The shell empties both boxes. */
  unmount(): void;
}

/** The default export of a room's module. */
export interface RoomModule {
  /** Fills both boxes and returns the room in its first state. */
  mount(context: RoomContext): Room;
}
