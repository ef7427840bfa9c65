// planck, Box2D in JavaScript, with the iterations that its manual recommends.
import { type Body, Circle, Edge, Settings, Vec2, World } from "planck";
import { type BallScene, STEP } from "../../balls/scene";
import type { Engine } from "../engine";

export function make(scene: BallScene): Engine {
  const { count, side, radius, positions, velocities } = scene;
  // Contacts slower than this do not bounce.
  Settings.velocityThreshold = 0;
  const world = new World({ gravity: new Vec2(0, 0), allowSleep: false });
  const elastic = { restitution: 1, friction: 0, density: 1 };
  const walls = world.createBody();
  const corners = [new Vec2(0, 0), new Vec2(side, 0), new Vec2(side, side), new Vec2(0, side)];
  corners.forEach((corner, i) => walls.createFixture({ ...elastic, shape: new Edge(corner, corners[(i + 1) % 4]!) }));
  const balls: Body[] = [];
  for (let i = 0; i < count; i++) {
    const ball = world.createBody({
      type: "dynamic",
      position: new Vec2(positions[2 * i]!, positions[2 * i + 1]!),
      linearVelocity: new Vec2(velocities[2 * i]!, velocities[2 * i + 1]!),
      fixedRotation: true,
      allowSleep: false,
    });
    ball.createFixture({ ...elastic, shape: new Circle(radius) });
    balls.push(ball);
  }
  return {
    frame() {
      world.step(STEP, 8, 3);
    },
    read(out) {
      balls.forEach((ball, i) => {
        const { x, y } = ball.getPosition();
        out[2 * i] = x;
        out[2 * i + 1] = y;
      });
    },
    energy: () => balls.reduce((sum, ball) => sum + ball.getLinearVelocity().lengthSquared(), 0),
    dispose() {},
  };
}
