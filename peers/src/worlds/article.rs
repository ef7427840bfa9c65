//! The loop of the sweep-and-prune article: balls sorted by their left ends, a break, an impulse.

use super::engine::{Engine, SECONDS};
use super::scene::{Form, Scene};
use crate::input::Vec2;
use crate::race::Library;

#[derive(Clone, Copy)]
struct Ball {
    position: Vec2,
    velocity: Vec2,
    radius: f64,
}

/// Balls in a box, kept in the order of the last step.
pub(crate) struct Gas {
    balls: Vec<Ball>,
    side: f64,
}

impl Gas {
    pub(crate) fn new(scene: &Scene) -> Self {
        let radius = |form: &Form| if let Form::Circle(radius) = form { *radius } else { 0.0 };
        let ball = |i: usize| Ball {
            position: scene.poses[i].translation,
            velocity: scene.velocities[i],
            radius: radius(&scene.forms[i]),
        };
        Self { balls: (0..scene.forms.len()).map(ball).collect(), side: scene.side }
    }
}

impl Engine for Gas {
    fn name(&self) -> (Library, &'static str) {
        (Library::Textbook, "sort + break + impulse")
    }

    fn run(&mut self, _: &Scene) {
        for ball in &mut self.balls {
            for (x, v) in ball.position.iter_mut().zip(&mut ball.velocity) {
                *x += *v * SECONDS;
                if (*x < ball.radius && *v < 0.0) || (*x > self.side - ball.radius && *v > 0.0) {
                    *v = -*v;
                }
            }
        }
        self.balls.sort_unstable_by(|p, q| (p.position[0] - p.radius).total_cmp(&(q.position[0] - q.radius)));
        for i in 0..self.balls.len() {
            let right = self.balls[i].position[0] + self.balls[i].radius;
            for j in i + 1..self.balls.len() {
                if self.balls[j].position[0] - self.balls[j].radius > right {
                    break;
                }
                let [p, q] = [self.balls[i], self.balls[j]];
                let (offset, radius_sum) =
                    ([q.position[0] - p.position[0], q.position[1] - p.position[1]], p.radius + q.radius);
                let square = offset[0] * offset[0] + offset[1] * offset[1];
                let approach =
                    (q.velocity[0] - p.velocity[0]) * offset[0] + (q.velocity[1] - p.velocity[1]) * offset[1];
                if square < radius_sum * radius_sum && approach < 0.0 {
                    // Equal masses.
                    let push = approach / square;
                    for (axis, offset) in offset.into_iter().enumerate() {
                        self.balls[i].velocity[axis] += push * offset;
                        self.balls[j].velocity[axis] -= push * offset;
                    }
                }
            }
        }
    }

    fn energy(&mut self) -> f64 {
        self.balls.iter().map(|b| b.velocity[0] * b.velocity[0] + b.velocity[1] * b.velocity[1]).sum()
    }
}
