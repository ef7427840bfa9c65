//! Generates moving boxes from a seed: the input of the broad phases.
use carom::broad_phase::Aabb32;

/// Workload: sizes and motion of the boxes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Workload {
    /// Boxes of side 1. All move a little in every step.
    AllMove,
    /// Sizes follow a power law over two decades.
    Sizes,
    /// A tenth of the boxes moves.
    TenthMoves,
}

impl Workload {
    pub(super) const ALL: [Self; 3] = [Self::AllMove, Self::Sizes, Self::TenthMoves];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::AllMove => "all move",
            Self::Sizes => "sizes over two decades",
            Self::TenthMoves => "a tenth moves",
        }
    }
}

/// Boxes in random order, in a square with two overlaps per box on average.
pub(super) struct RandomBoxes {
    side: f64,
    all: Vec<MovingBox>,
    /// Boxes in the form that broad phases take.
    written: Vec<Aabb32>,
}

struct MovingBox {
    centre: [f64; 2],
    velocity: [f64; 2],
    half: f64,
    moves: bool,
}

impl RandomBoxes {
    pub(super) fn new(workload: Workload, count: usize, seed: u64) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        let halves: Vec<f64> = (0..count).map(|_| half(workload, &mut random)).collect();
        // Two boxes overlap with probability (2 (h + k))² / side². Summed over all pairs this makes
        // two per box.
        let n = count as f64;
        let (sum, squares) = halves.iter().fold((0.0, 0.0), |(sum, squares), h| (sum + h, squares + h * h));
        let side = (4.0 * (squares / n + (sum / n) * (sum / n)) * n).sqrt();
        let all = halves.into_iter().map(|half| MovingBox::new(half, side, workload, &mut random)).collect();
        let mut boxes = Self { side, all, written: Vec::with_capacity(count) };
        boxes.write();
        boxes
    }

    /// Flag of each box that moves.
    pub(super) fn movers(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.all).filter(|(_, one)| one.moves).map(|(id, _)| id)
    }

    /// Returns the boxes with their numbers.
    pub(super) fn as_slice(&self) -> &[Aabb32] {
        &self.written
    }

    /// Moves the boxes. Walls reverse the motion.
    pub(super) fn step(&mut self) {
        for one in self.all.iter_mut().filter(|one| one.moves) {
            for axis in 0..2 {
                let moved = one.centre[axis] + one.velocity[axis];
                one.centre[axis] = moved.clamp(0.0, self.side);
                if one.centre[axis] != moved {
                    one.velocity[axis] = -one.velocity[axis];
                }
            }
        }
        self.write();
    }

    fn write(&mut self) {
        self.written.clear();
        self.written.extend(self.all.iter().map(|one| {
            let [x, y] = one.centre;
            Aabb32 {
                min: [(x - one.half) as f32, (y - one.half) as f32],
                max: [(x + one.half) as f32, (y + one.half) as f32],
            }
        }));
    }
}

impl MovingBox {
    fn new(half: f64, side: f64, workload: Workload, random: &mut fastrand::Rng) -> Self {
        let centre = [random.f64() * side, random.f64() * side];
        let (sin, cos) = (random.f64() * std::f64::consts::TAU).sin_cos();
        let speed = random.f64() * 0.1 * half;
        let moves = workload != Workload::TenthMoves || random.f64() < 0.1;
        Self { centre, velocity: [cos * speed, sin * speed], half, moves }
    }
}

fn half(workload: Workload, random: &mut fastrand::Rng) -> f64 {
    match workload {
        Workload::Sizes => 0.1 / (1.0 - 0.99 * random.f64()),
        Workload::AllMove | Workload::TenthMoves => 0.5,
    }
}
