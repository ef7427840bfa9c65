//! Generates the content and motion of the worlds. All engines get the same numbers.

use std::f64::consts::{PI, TAU};

use crate::input::{Pose, Vec2};

/// Shape about its own origin.
#[derive(Clone, Debug)]
pub(crate) enum Form {
    /// By its radius.
    Circle(f64),
    /// By its half extents.
    Rectangle(Vec2),
    /// By its vertices, counter-clockwise.
    Polygon(Vec<Vec2>),
}

/// Shapes with positions and velocities.
pub(crate) struct Scene {
    /// One per collider.
    pub(crate) forms: Vec<Form>,
    /// Positions in this step.
    pub(crate) poses: Vec<Pose>,
    /// Distance per step, or units per second.
    pub(crate) velocities: Vec<Vec2>,
    /// Walls are at 0 and at this value.
    pub(crate) side: f64,
}

impl Scene {
    /// N shapes of about one unit, with two overlaps of boxes per shape (as the boxes of W1). Each
    /// moves by up to a tenth of its radius per step.
    pub(crate) fn crowd(n: usize, mixed: bool, seed: u64) -> Self {
        let mut rng = fastrand::Rng::with_seed(seed);
        let side = (2.0 * n as f64).sqrt();
        let pentagon: Vec<Vec2> =
            (0..5).map(|i| (TAU / 5.0 * f64::from(i)).sin_cos()).map(|(sin, cos)| [0.5 * cos, 0.5 * sin]).collect();
        let kinds = [Form::Circle(0.5), Form::Rectangle([0.5, 0.4]), Form::Polygon(pentagon)];
        let forms = (0..n).map(|i| kinds[if mixed { i % 3 } else { 0 }].clone()).collect();
        let poses = (0..n)
            .map(|_| {
                let (sin, cos) = if mixed { (rng.f64() * TAU).sin_cos() } else { (0.0, 1.0) };
                Pose { translation: [rng.f64() * side, rng.f64() * side], cos, sin }
            })
            .collect();
        let velocities = (0..n).map(|_| random_direction(&mut rng, 0.0, 0.05)).collect();
        Self { forms, poses, velocities, side }
    }

    /// W4: balls of radius ½ that cover 30 % of a box, on a jittered lattice without overlap, in random order.
    pub(crate) fn gas(n: usize, seed: u64) -> Self {
        let mut rng = fastrand::Rng::with_seed(seed);
        let side = (n as f64 * PI * 0.25 / 0.3).sqrt();
        let per_row = (1..=n).find(|k| k * k >= n).unwrap_or(1);
        let cell = side / per_row as f64;
        let mut cells: Vec<usize> = (0..n).collect();
        rng.shuffle(&mut cells);
        let mut along = |k: usize| cell * k as f64 + 0.5 + rng.f64() * (cell - 1.0);
        let poses = cells
            .iter()
            .map(|i| Pose { translation: [along(i % per_row), along(i / per_row)], cos: 1.0, sin: 0.0 })
            .collect();
        let velocities = (0..n).map(|_| random_direction(&mut rng, 1.0, 5.0)).collect();
        Self { forms: vec![Form::Circle(0.5); n], poses, velocities, side }
    }

    /// Moves and rotates all shapes a little. Walls reverse the motion.
    pub(crate) fn step(&mut self) {
        let (sin, cos) = 0.01_f64.sin_cos();
        for ((pose, velocity), form) in self.poses.iter_mut().zip(&mut self.velocities).zip(&self.forms) {
            for (position, speed) in pose.translation.iter_mut().zip(velocity) {
                let at = *position + *speed;
                *position = at.clamp(0.0, self.side);
                if at != *position {
                    *speed = -*speed;
                }
            }
            if !matches!(form, Form::Circle(_)) {
                // Normalized again, because all libraries require it.
                let turned = [pose.cos * cos - pose.sin * sin, pose.sin * cos + pose.cos * sin];
                let length = turned[0].hypot(turned[1]);
                (pose.cos, pose.sin) = (turned[0] / length, turned[1] / length);
            }
        }
    }
}

fn random_direction(rng: &mut fastrand::Rng, least: f64, most: f64) -> Vec2 {
    let (sin, cos) = (rng.f64() * TAU).sin_cos();
    let speed = least + (most - least) * rng.f64();
    [speed * cos, speed * sin]
}
