// Reads the state of a collider, in the form of the options of `add`.

import { DISABLED, FIXED, ONE_WAY, SENSOR } from "./scene.js";

/** Returns the layers of two halves of bits: a name if the layer has one, else the number. */
function layersOf([low, high], names) {
  const nameOf = new Map(Array.from(names, ([name, layer]) => [layer, name]));
  const layers = [];
  for (let layer = 0; layer < 64; layer++) {
    const half = layer < 32 ? low : high;
    if ((half & (1 << (layer % 32))) !== 0) layers.push(nameOf.get(layer) ?? layer);
  }
  return layers;
}

/** Reads the output of `world_get`. `names` maps names of layers to their numbers. */
export function readCollider(cursor, names) {
  const [layers, mask] = [cursor.vec(), cursor.vec()];
  const [group, flags] = cursor.vec();
  const front = cursor.vec();
  return {
    x: cursor.next(),
    y: cursor.next(),
    angle: cursor.next(),
    layers: layersOf(layers, names),
    mask: mask.every((half) => half === 0xffffffff) ? null : layersOf(mask, names),
    group,
    sensor: (flags & SENSOR) !== 0,
    fixed: (flags & FIXED) !== 0,
    enabled: (flags & DISABLED) === 0,
    oneWay: (flags & ONE_WAY) === 0 ? null : front,
  };
}
