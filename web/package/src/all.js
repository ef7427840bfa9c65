// The API that `.` and `./slim` share.

export { BroadPhase } from "./broad-phase.js";
export { Mover } from "./mover.js";
export {
  collide,
  contains,
  containsPoint,
  decompose,
  distance,
  ellipse,
  explain,
  explainGjk,
  explainTimeOfImpact,
  intersects,
  manifolds,
  maskFromImage,
  outlines,
  overlapRegion,
  overlaps,
  parts,
  timeOfImpact,
} from "./pairs.js";
export { Particles } from "./particles.js";
export { World } from "./world.js";
