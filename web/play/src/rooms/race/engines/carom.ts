// carom: contacts with begin and end events, walls, bounces and position correction, all in wasm.
import { loadCarom } from "../../../carom";
import { type BallScene, STEP } from "../../balls/scene";
import type { Engine } from "../engine";

export async function make(scene: BallScene): Promise<Engine> {
  const { Particles, World } = await loadCarom();
  const { count, side, radius, positions, velocities } = scene;
  const world = new World();
  const particles = new Particles(world, { walls: [0, 0, side, side] });
  const ids = new Float64Array(count);
  const rows = new Float64Array(4 * count);
  for (let i = 0; i < count; i++) {
    ids[i] = world.add({ circle: { radius } }, { x: positions[2 * i]!, y: positions[2 * i + 1]! });
    rows.set([1, velocities[2 * i]!, velocities[2 * i + 1]!, 1], 4 * i);
  }
  particles.addAll(ids, rows);
  return {
    frame() {
      particles.step(STEP);
    },
    read(out) {
      const transforms = world.transforms;
      for (let i = 0; i < count; i++) {
        out[2 * i] = transforms[4 * i]!;
        out[2 * i + 1] = transforms[4 * i + 1]!;
      }
    },
    energy: () => 2 * particles.kineticEnergy,
    dispose() {
      world.dispose();
    },
  };
}
