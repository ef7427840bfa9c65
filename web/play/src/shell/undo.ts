// Undo and redo over whole states. States are small, so each entry is a copy.

import type { Json } from '../rooms/room';

const LIMIT = 200;
/** Letters of all states together. A level from a file may have millions. */
const LETTERS = 48e6;

/** A line of states with a position. */
export class Undo {
  private states: string[] = [];
  private position = -1;

  /** Starts again with one state, as JSON text. */
  restart(text: string): void {
    this.states = [text];
    this.position = 0;
  }

  /** Adds a state, as JSON text, after the position. Returns false if it equals the current one. */
  add(text: string): boolean {
    if (text === this.states[this.position]) return false;
    this.states.splice(this.position + 1, Infinity, text);
    let letters = this.states.reduce((sum, one) => sum + one.length, 0);
    while (this.states.length > LIMIT || (letters > LETTERS && this.states.length > 2)) {
      letters -= this.states.shift()!.length;
    }
    this.position = this.states.length - 1;
    return true;
  }

  get canUndo(): boolean {
    return this.position > 0;
  }

  get canRedo(): boolean {
    return this.position < this.states.length - 1;
  }

  /** Moves the position by −1 or 1 and returns the state there. */
  go(step: -1 | 1): Json | undefined {
    const text = this.states[this.position + step];
    if (text === undefined) return undefined;
    this.position += step;
    return JSON.parse(text) as Json;
  }
}
