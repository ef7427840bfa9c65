// check2d finds pairs and tells their overlap. Motion, walls and the bounce are a dozen lines of our own.
import { type Circle, type Response, System } from "check2d";
import { type BallScene, STEP } from "../../balls/scene";
import type { Engine } from "../engine";

interface Moving {
  vx: number;
  vy: number;
}

export function make(scene: BallScene): Engine {
  const { count, side, radius, positions, velocities } = scene;
  const system = new System();
  const balls: Circle<Moving>[] = [];
  for (let i = 0; i < count; i++) {
    const userData = { vx: velocities[2 * i]!, vy: velocities[2 * i + 1]! };
    const center = { x: positions[2 * i]!, y: positions[2 * i + 1]! };
    balls.push(system.createCircle(center, radius, { userData }) as Circle<Moving>);
  }
  const bounce = ({ a, b, overlapN }: Response): void => {
    const [p, q] = [(a as Circle<Moving>).userData!, (b as Circle<Moving>).userData!];
    const approach = (q.vx - p.vx) * overlapN.x + (q.vy - p.vy) * overlapN.y;
    if (approach < 0) {
      p.vx += approach * overlapN.x;
      p.vy += approach * overlapN.y;
      q.vx -= approach * overlapN.x;
      q.vy -= approach * overlapN.y;
    }
  };
  return {
    frame() {
      for (const ball of balls) {
        const velocity = ball.userData!;
        const x = ball.x + velocity.vx * STEP;
        const y = ball.y + velocity.vy * STEP;
        if ((x < radius && velocity.vx < 0) || (x > side - radius && velocity.vx > 0)) velocity.vx = -velocity.vx;
        if ((y < radius && velocity.vy < 0) || (y > side - radius && velocity.vy > 0)) velocity.vy = -velocity.vy;
        ball.setPosition(x, y);
      }
      system.checkAll(bounce);
    },
    read(out) {
      balls.forEach((ball, i) => {
        out[2 * i] = ball.x;
        out[2 * i + 1] = ball.y;
      });
    },
    energy: () => balls.reduce((sum, { userData }) => sum + userData!.vx ** 2 + userData!.vy ** 2, 0),
    dispose() {},
  };
}
