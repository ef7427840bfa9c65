//! Random numbers for geometry, the same on every machine.

use carom::DVec2;

use super::recipe::Pair;

/// A seeded source; every pair has its own, so that one pair can be made again alone.
pub struct Dice(fastrand::Rng);

impl Dice {
    /// The dice for the `index`-th throw of a run.
    pub fn new(seed: u64, index: u64) -> Self {
        // Odd multiplier: different indices of one seed never share a state.
        Self(fastrand::Rng::with_seed(seed ^ index.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    }

    /// Dice that a pair brings along, so that a law asks the same of it every time.
    pub fn of(pair: &Pair) -> Self {
        let (a, b) = (pair.a.pose.translation(), pair.b.pose.translation());
        Self::new((b.x - a.x).to_bits(), (b.y - a.y).to_bits())
    }

    /// Uniform in `low..high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.0.f64()
    }

    /// Each power of ten between the two as likely as any other.
    pub fn magnitude(&mut self, low: f64, high: f64) -> f64 {
        libm::exp(self.between(libm::log(low), libm::log(high))).clamp(low, high)
    }

    pub fn chance(&mut self, probability: f64) -> bool {
        self.0.f64() < probability
    }

    /// A whole number in `low..=high`.
    pub fn whole(&mut self, low: i32, high: i32) -> i32 {
        self.0.i32(low..=high)
    }

    pub fn count(&mut self, low: usize, high: usize) -> usize {
        self.0.usize(low..=high)
    }

    pub fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.0.usize(..choices.len())]
    }

    pub fn index(&mut self, len: usize) -> usize {
        self.0.usize(..len)
    }

    pub fn angle(&mut self) -> f64 {
        self.between(-std::f64::consts::PI, std::f64::consts::PI)
    }

    pub fn direction(&mut self) -> DVec2 {
        heading(self.angle())
    }

    /// A point of the disk with the given radius.
    pub fn in_disk(&mut self, radius: f64) -> DVec2 {
        let extent = radius * self.0.f64().sqrt();
        self.direction() * extent
    }

    /// A point of the integer square around the origin.
    pub fn lattice(&mut self, extent: i32) -> DVec2 {
        DVec2::new(f64::from(self.whole(-extent, extent)), f64::from(self.whole(-extent, extent)))
    }
}

/// The unit vector at an angle; `libm`, so that a seed means the same pairs everywhere.
pub fn heading(angle: f64) -> DVec2 {
    DVec2::new(libm::cos(angle), libm::sin(angle))
}

/// The number `steps` representable numbers above (or below) `v`.
pub fn ulps_off(v: f64, steps: i32) -> f64 {
    (0..steps.abs()).fold(v, |v, _| if steps > 0 { v.next_up() } else { v.next_down() })
}

/// The distance from `|v|` to the next number above it.
pub fn ulp(v: f64) -> f64 {
    v.abs().next_up() - v.abs()
}
