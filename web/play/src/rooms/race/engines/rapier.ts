// rapier, the wasm build with SIMD, in f32, with its default solver.
import RAPIER from "@dimforge/rapier2d-simd-compat";
import { type BallScene, STEP } from "../../balls/scene";
import type { Engine } from "../engine";

export async function make(scene: BallScene): Promise<Engine> {
  await RAPIER.init();
  const { count, side, radius, positions, velocities } = scene;
  const world = new RAPIER.World({ x: 0, y: 0 });
  world.timestep = STEP;
  const elastic = (collider: RAPIER.ColliderDesc): RAPIER.ColliderDesc => collider.setRestitution(1).setFriction(0);
  const balls: RAPIER.RigidBody[] = [];
  for (let i = 0; i < count; i++) {
    const body = RAPIER.RigidBodyDesc.dynamic()
      .setTranslation(positions[2 * i]!, positions[2 * i + 1]!)
      .setLinvel(velocities[2 * i]!, velocities[2 * i + 1]!)
      .lockRotations()
      .setCanSleep(false);
    const ball = world.createRigidBody(body);
    world.createCollider(elastic(RAPIER.ColliderDesc.ball(radius)), ball);
    balls.push(ball);
  }
  const half = side / 2;
  const walls: [number, number, number, number][] = [
    [half, -1, half + 2, 1],
    [half, side + 1, half + 2, 1],
    [-1, half, 1, half],
    [side + 1, half, 1, half],
  ];
  for (const [x, y, halfWidth, halfHeight] of walls) {
    world.createCollider(elastic(RAPIER.ColliderDesc.cuboid(halfWidth, halfHeight)).setTranslation(x, y));
  }
  return {
    frame() {
      world.step();
    },
    read(out) {
      balls.forEach((ball, i) => {
        const { x, y } = ball.translation();
        out[2 * i] = x;
        out[2 * i + 1] = y;
      });
    },
    energy() {
      return balls.reduce((sum, ball) => {
        const { x, y } = ball.linvel();
        return sum + x * x + y * y;
      }, 0);
    },
    dispose() {
      world.free();
    },
  };
}
