// Undo and redo over whole states. States of one level share its scene.

import { lengthOf } from "../scene_text";
import { sameState, type SavedState } from "./saved_state";

const LIMIT = 200;
/** Letters of all states together. A level from a file may have millions. */
const LETTERS = 48e6;

/** A line of states with a position. */
export class Undo {
  private states: SavedState[] = [];
  private position = -1;

  /** Starts again with one state. */
  restart(state: SavedState): void {
    this.states = [state];
    this.position = 0;
  }

  /** Adds a state after the position. Returns false if it equals the current one. */
  add(state: SavedState): boolean {
    const { current } = this;
    if (current && sameState(current, state)) return false;
    this.states.splice(this.position + 1, Infinity, state);
    while (this.states.length > LIMIT || (this.states.length > 2 && this.letters() > LETTERS)) this.states.shift();
    this.position = this.states.length - 1;
    return true;
  }

  /** Returns the letters of all states. A scene counts once. */
  private letters(): number {
    const scenes = new Set(this.states.flatMap(({ scene }) => scene ?? []));
    const texts = this.states.reduce((sum, { text }) => sum + text.length, 0);
    return [...scenes].reduce((sum, scene) => sum + lengthOf(scene), texts);
  }

  /** The state at the position. */
  get current(): SavedState | undefined {
    return this.states[this.position];
  }

  get canUndo(): boolean {
    return this.position > 0;
  }

  get canRedo(): boolean {
    return this.position < this.states.length - 1;
  }

  /** Moves the position by −1 or 1 and returns the state there. */
  go(step: -1 | 1): SavedState | undefined {
    const state = this.states[this.position + step];
    if (state !== undefined) this.position += step;
    return state;
  }

  /** Moves the position to a state. Adds it if a later state has replaced it. */
  goTo(state: SavedState): void {
    const position = this.states.indexOf(state);
    if (position < 0) this.add(state);
    else this.position = position;
  }
}
