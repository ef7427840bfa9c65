// The loops of the articles that carom grew out of, in plain JavaScript.
import { type BallScene, STEP } from "../../balls/scene";
import type { Engine } from "../engine";

interface Ball {
  x: number;
  y: number;
  vx: number;
  vy: number;
  readonly index: number;
}

/** Gives two balls of equal mass their new velocities, if they overlap and approach. */
function bounce(a: Ball, b: Ball, reach: number): void {
  const dx = b.x - a.x;
  const dy = b.y - a.y;
  const square = dx * dx + dy * dy;
  const approach = (b.vx - a.vx) * dx + (b.vy - a.vy) * dy;
  if (square < reach * reach && approach < 0) {
    const push = approach / square;
    a.vx += push * dx;
    a.vy += push * dy;
    b.vx -= push * dx;
    b.vy -= push * dy;
  }
}

/** Two loops: tests every pair of circles. */
function testAll(balls: Ball[], radius: number): void {
  for (let i = 0; i < balls.length; i++) {
    for (let j = i + 1; j < balls.length; j++) bounce(balls[i]!, balls[j]!, 2 * radius);
  }
}

/** Sort and sweep: sorts the balls by x, and tests each until one begins beyond its right end. */
function testSorted(balls: Ball[], radius: number): void {
  balls.sort((a, b) => a.x - b.x);
  for (let i = 0; i < balls.length; i++) {
    const a = balls[i]!;
    const right = a.x + 2 * radius;
    for (let j = i + 1; j < balls.length; j++) {
      const b = balls[j]!;
      if (b.x > right) break;
      bounce(a, b, 2 * radius);
    }
  }
}

function make(scene: BallScene, test: (balls: Ball[], radius: number) => void): Engine {
  const { count, side, radius, positions, velocities } = scene;
  const balls = Array.from({ length: count }, (_, index): Ball => {
    const [x, y] = [positions[2 * index]!, positions[2 * index + 1]!];
    return { x, y, vx: velocities[2 * index]!, vy: velocities[2 * index + 1]!, index };
  });
  return {
    frame() {
      for (const ball of balls) {
        ball.x += ball.vx * STEP;
        ball.y += ball.vy * STEP;
        if ((ball.x < radius && ball.vx < 0) || (ball.x > side - radius && ball.vx > 0)) ball.vx = -ball.vx;
        if ((ball.y < radius && ball.vy < 0) || (ball.y > side - radius && ball.vy > 0)) ball.vy = -ball.vy;
      }
      test(balls, radius);
    },
    read(out) {
      for (const ball of balls) {
        out[2 * ball.index] = ball.x;
        out[2 * ball.index + 1] = ball.y;
      }
    },
    energy: () => balls.reduce((sum, ball) => sum + ball.vx * ball.vx + ball.vy * ball.vy, 0),
    dispose() {},
  };
}

export const makeNested = (scene: BallScene): Engine => make(scene, testAll);
export const makeSorted = (scene: BallScene): Engine => make(scene, testSorted);
