// Numbers of layers: 64 bits as two halves, low and high.

import { describe } from "./encode.js";

const ALL = [0xffffffff, 0xffffffff];

function isNumber(layer) {
  return Number.isInteger(layer) && layer >= 0 && layer < 64;
}

/** Throws unless the layer is a number or a name. A message begins with `place`. */
function check(layer, place) {
  if (isNumber(layer) || typeof layer === "string") return;
  throw new RangeError(`${place}layer ${describe(layer)}: expected a number from 0 to 63, or a name`);
}

/** Returns the bits of a layer or of several. `numberOf` returns the number of each. */
function bitsOf(layers, numberOf) {
  let low = 0;
  let high = 0;
  for (const layer of Array.isArray(layers) ? layers : [layers]) {
    const number = numberOf(layer);
    if (number < 32) low |= 1 << number;
    else high |= 1 << (number - 32);
  }
  return [low >>> 0, high >>> 0];
}

/** The numbers in the order in which names get them. 0 comes last: it is the layer of every collider without layers. */
const ORDER = Array.from({ length: 64 }, (_, i) => (i + 1) % 64);

/** Assigns free layer numbers to names. */
export class Layers {
  constructor() {
    this.names = new Map();
    /** Numbers that were used, by name or not. */
    this.used = new Set();
    /** True if a snapshot used other numbers: their names are not known. */
    this.namesLost = false;
  }

  /** Returns the number of a layer. A new name gets the first free number of `ORDER`. A message begins with `place`. */
  number(layer, place = "") {
    check(layer, place);
    if (isNumber(layer)) {
      this.used.add(layer);
      return layer;
    }
    const known = this.names.get(layer);
    if (known !== undefined) return known;
    const free = ORDER.find((number) => !this.used.has(number));
    if (free === undefined) {
      const most = "a world has at most 64, numbers and names together";
      throw new RangeError(`${place}layer "${layer}" is the 65th layer: ${most}`);
    }
    this.names.set(layer, free);
    this.used.add(free);
    return free;
  }

  /** Marks the numbers of a list as used, so that no name gets one of them. Ignores all other values. */
  reserve(layers) {
    if (!Array.isArray(layers)) return;
    for (const layer of layers) if (isNumber(layer)) this.used.add(layer);
  }

  /**
   * Marks the layers of a snapshot as used, as the bits of two halves. Layer 0 alone tells of no lost name: it is the
   * layer of every collider without layers.
   */
  restored([low, high]) {
    for (let layer = 0; layer < 64; layer++) {
      const half = layer < 32 ? low : high;
      if ((half & (1 << (layer % 32))) === 0 || this.used.has(layer)) continue;
      this.used.add(layer);
      if (layer !== 0) this.namesLost = true;
    }
  }

  /** Runs a change. If it throws, the layers that it used first are free again. */
  attempt(change) {
    const { names, used } = this;
    const [named, taken] = [names.size, used.size];
    try {
      return change();
    } catch (error) {
      // Both list their entries in the order in which they were added.
      for (const name of [...names.keys()].slice(named)) names.delete(name);
      for (const number of [...used].slice(taken)) used.delete(number);
      throw error;
    }
  }

  /** Returns the bits of a layer or of several. */
  bits(layers, place) {
    return bitsOf(layers, (layer) => this.number(layer, place));
  }

  /** Returns the bits of a query: all without a value. Throws for an unknown name, which is mostly a mistyped one. */
  ofQuery(layers) {
    return layers === undefined || layers === null ? ALL : bitsOf(layers, (layer) => this._known(layer));
  }

  /** Returns the number of a layer of a query. A query uses no layer. */
  _known(layer) {
    check(layer, "");
    if (isNumber(layer)) return layer;
    const known = this.names.get(layer);
    if (known === undefined) throw new RangeError(this._unknown(layer));
    return known;
  }

  _unknown(layer) {
    const named = JSON.stringify(layer);
    const names = [...this.names.keys()].map((name) => JSON.stringify(name)).join(", ");
    const remedy = this.namesLost
      ? "a snapshot contains no names: call layer for each layer, in the order of the numbers, before restore"
      : `for a layer without colliders call layer(${named}) first`;
    return `layer ${named} is unknown: the layers with names are ${names || "none"}; ${remedy}`;
  }

  /** Returns the bits of a mask: all without a value. */
  filter(layers, place) {
    return layers === undefined || layers === null ? ALL : this.bits(layers, place);
  }
}
