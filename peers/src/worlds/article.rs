//! The loop of the sweep-and-prune article: balls sorted by their left ends, a break, an impulse.

use super::engine::{Engine, SECONDS};
use super::scene::{Form, Scene};
use crate::input::Vec2;
use crate::race::Library;

#[derive(Clone, Copy)]
struct Ball {
    place: Vec2,
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
            place: scene.poses[i].translation,
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
            for (x, v) in ball.place.iter_mut().zip(&mut ball.velocity) {
                *x += *v * SECONDS;
                if (*x < ball.radius && *v < 0.0) || (*x > self.side - ball.radius && *v > 0.0) {
                    *v = -*v;
                }
            }
        }
        self.balls.sort_unstable_by(|p, q| (p.place[0] - p.radius).total_cmp(&(q.place[0] - q.radius)));
        for i in 0..self.balls.len() {
            let right = self.balls[i].place[0] + self.balls[i].radius;
            for j in i + 1..self.balls.len() {
                if self.balls[j].place[0] - self.balls[j].radius > right {
                    break;
                }
                let [p, q] = [self.balls[i], self.balls[j]];
                let (way, reach) = ([q.place[0] - p.place[0], q.place[1] - p.place[1]], p.radius + q.radius);
                let square = way[0] * way[0] + way[1] * way[1];
                let approach = (q.velocity[0] - p.velocity[0]) * way[0] + (q.velocity[1] - p.velocity[1]) * way[1];
                if square < reach * reach && approach < 0.0 {
                    // Equal masses.
                    let push = approach / square;
                    for (axis, way) in way.into_iter().enumerate() {
                        self.balls[i].velocity[axis] += push * way;
                        self.balls[j].velocity[axis] -= push * way;
                    }
                }
            }
        }
    }

    fn energy(&mut self) -> f64 {
        self.balls.iter().map(|b| b.velocity[0] * b.velocity[0] + b.velocity[1] * b.velocity[1]).sum()
    }
}
