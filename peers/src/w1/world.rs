//! The boxes of W1 and how they move.

use std::f32::consts::TAU;

use carom::broad_phase::Aabb32;

/// World of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Boxes of one size, all of which move.
    All,
    /// Sizes by a power law over two decades.
    Sizes,
    /// One in ten moves.
    Tenth,
    /// Nine in ten crowd in a ten-thousandth of the world's area.
    Cluster,
    /// All in a row along x.
    LineX,
    /// All in a row along y.
    LineY,
    /// Every box intersects every other.
    OnePosition,
    /// One box as large as a good part of the world.
    Giant,
    /// As `All`, but ids in spatial order.
    Sorted,
}

/// Boxes with positions and velocities.
pub(crate) struct World {
    pub(crate) kind: Kind,
    half: Vec<f32>,
    center: Vec<[f32; 2]>,
    velocity: Vec<[f32; 2]>,
    /// Ids of the moving boxes.
    pub(crate) movers: Vec<u32>,
    size: [f32; 2],
    /// The boxes of this step.
    pub(crate) boxes: Vec<Aabb32>,
}

/// ∫ of h and of h² for h = 0.1 / (1 − 0.99u).
const MEAN_HALF: f32 = 0.465_17;
const MEAN_HALF_SQUARED: f32 = 1.0;

impl World {
    /// Two overlaps per box on average, except for rows with another purpose.
    pub(crate) fn new(kind: Kind, n: usize, seed: u64) -> Self {
        let mut rng = fastrand::Rng::with_seed(seed);
        let half: Vec<f32> =
            (0..n).map(|_| if kind == Kind::Sizes { 0.1 / (1.0 - 0.99 * rng.f32()) } else { 0.5 }).collect();
        // A pair intersects with probability 4 (h + h')² / area.
        let area = n as f32 * if kind == Kind::Sizes { 4.0 * (MEAN_HALF_SQUARED + MEAN_HALF * MEAN_HALF) } else { 2.0 };
        let side = area.sqrt();
        let size = match kind {
            Kind::LineX => [n as f32, 0.5],
            Kind::LineY => [0.5, n as f32],
            Kind::OnePosition => [0.01, 0.01],
            Kind::Cluster => [side * 100.0; 2],
            _ => [side; 2],
        };
        let mut center: Vec<[f32; 2]> = (0..n)
            .map(|i| {
                let [u, v] = [rng.f32(), rng.f32()];
                // A hundredth of the width and height.
                let inner = |u: f32| if kind == Kind::Cluster && i % 10 > 0 { 0.495 + 0.01 * u } else { u };
                [inner(u) * size[0], inner(v) * size[1]]
            })
            .collect();
        if kind == Kind::Sorted {
            let row = |p: &[f32; 2]| (p[1] * 0.5).floor();
            center.sort_by(|p, q| row(p).total_cmp(&row(q)).then(p[0].total_cmp(&q[0])));
        }
        let velocity = half
            .iter()
            .map(|h| {
                let (sin, cos) = (rng.f32() * TAU).sin_cos();
                let speed = rng.f32() * 0.1 * h;
                [speed * cos, speed * sin]
            })
            .collect();
        let movers = (0..n as u32).filter(|_| kind != Kind::Tenth || rng.f32() < 0.1).collect();
        let mut world = Self { kind, half, center, velocity, movers, size, boxes: Vec::new() };
        if kind == Kind::Giant {
            world.half[n / 2] = 0.2 * side;
        }
        world.boxes = (0..n).map(|i| world.aabb(i)).collect();
        world
    }

    fn aabb(&self, i: usize) -> Aabb32 {
        let ([x, y], h) = (self.center[i], self.half[i]);
        Aabb32 { min: [x - h, y - h], max: [x + h, y + h] }
    }

    /// Executes one step. Walls reverse the motion.
    pub(crate) fn step(&mut self) {
        for k in 0..self.movers.len() {
            let i = self.movers[k] as usize;
            for axis in 0..2 {
                let at = self.center[i][axis] + self.velocity[i][axis];
                let inside = at.clamp(0.0, self.size[axis]);
                if at != inside {
                    self.velocity[i][axis] = -self.velocity[i][axis];
                }
                self.center[i][axis] = inside;
            }
            self.boxes[i] = self.aabb(i);
        }
    }
}
