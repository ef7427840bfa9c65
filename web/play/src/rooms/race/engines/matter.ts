// matter-js. Its lengths are pixels, so the scene is 20 times as large there. Its circles are polygons of 10 sides.
import Matter from "matter-js";
import { type BallScene, STEP } from "../../balls/scene";
import type { Engine } from "../engine";

/** Pixels per unit. */
const SCALE = 20;
/** Thickness of a wall in pixels. */
const WALL = 100;

export function make(scene: BallScene): Engine {
  const { count, side, radius, positions, velocities } = scene;
  // Slower contacts would not bounce. The setting has no public name.
  (Matter as unknown as { Resolver: { _restingThresh: number } }).Resolver._restingThresh = 0.001;
  const engine = Matter.Engine.create({ gravity: { x: 0, y: 0, scale: 0 } });
  const elastic = { restitution: 1, friction: 0, frictionStatic: 0, frictionAir: 0, slop: 0.01 };
  const balls: Matter.Body[] = [];
  for (let i = 0; i < count; i++) {
    const [x, y] = [SCALE * positions[2 * i]!, SCALE * positions[2 * i + 1]!];
    const ball = Matter.Bodies.circle(x, y, SCALE * radius, { ...elastic, inertia: Infinity });
    Matter.Body.setVelocity(ball, { x: SCALE * STEP * velocities[2 * i]!, y: SCALE * STEP * velocities[2 * i + 1]! });
    balls.push(ball);
  }
  const length = SCALE * side;
  const wall = (x: number, y: number, width: number, height: number): Matter.Body =>
    Matter.Bodies.rectangle(x, y, width, height, { ...elastic, isStatic: true });
  Matter.Composite.add(engine.world, [
    ...balls,
    wall(length / 2, -WALL / 2, length + 2 * WALL, WALL),
    wall(length / 2, length + WALL / 2, length + 2 * WALL, WALL),
    wall(-WALL / 2, length / 2, WALL, length),
    wall(length + WALL / 2, length / 2, WALL, length),
  ]);
  return {
    frame() {
      Matter.Engine.update(engine, 1000 * STEP);
    },
    read(out) {
      balls.forEach(({ position }, i) => {
        out[2 * i] = position.x / SCALE;
        out[2 * i + 1] = position.y / SCALE;
      });
    },
    energy: () => balls.reduce((sum, { velocity }) => sum + velocity.x ** 2 + velocity.y ** 2, 0) / (SCALE * STEP) ** 2,
    dispose() {
      Matter.Engine.clear(engine);
    },
  };
}
