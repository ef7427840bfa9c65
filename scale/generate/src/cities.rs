//! Generates positions of outlines: cities whose sizes follow Zipf's law, and a tenth in the
//! country.
//!
//! Output: random positions in a square world. The world has the same mean density for any number
//! of outlines.
//!
//! The city of rank k has a share proportional to 1/k. Positions in a city are normally distributed
//! about its center (Box and Muller, *A note on the generation of random normal deviates*, 1958).
//! The largest cities are the densest.
//!
//! Uniform positions would be simpler, but they hide the problem of real maps: a few cells with
//! most of the outlines.

use std::f64::consts::TAU;

/// Outlines per city, on average.
const PER_CITY: u64 = 10_000;

/// Share of the outlines outside of cities.
const COUNTRY: f64 = 0.1;

/// Area of the world per outline.
const AREA: f64 = 4000.0;

/// Area per outline in the densest part of the largest city.
const DENSEST_AREA: f64 = 120.0;

/// The density of a city grows with its size to this power.
const DENSITY_POWER: f64 = 0.25;

/// Cities of a square world.
pub(crate) struct Cities {
    side: f64,
    cities: Vec<City>,
}

/// A city with the distribution of its outlines.
struct City {
    center: [f64; 2],
    /// Standard deviation of the distance from the center, per axis.
    spread: f64,
    /// Share of all cities up to this one.
    share: f64,
}

impl Cities {
    /// Creates the cities of a world large enough for `outlines`.
    pub(crate) fn new(outlines: u64, seed: u64) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        let side = (outlines as f64 * AREA).sqrt();
        let count = (outlines / PER_CITY).clamp(3, 5000);
        let total: f64 = (1..=count).map(|rank| 1.0 / rank as f64).sum();
        let mut share = 0.0;
        let cities = (1..=count)
            .map(|rank| {
                let own = 1.0 / rank as f64 / total;
                share += own;
                let inhabitants = own * outlines as f64 * (1.0 - COUNTRY);
                let area = DENSEST_AREA * (rank as f64).powf(DENSITY_POWER);
                // The density of a normal distribution at its center is n / (τ σ²).
                let spread = (inhabitants * area / TAU).sqrt();
                City { center: [random.f64() * side, random.f64() * side], spread, share }
            })
            .collect();
        Self { side, cities }
    }

    /// Returns a random position.
    pub(crate) fn random_position(&self, random: &mut fastrand::Rng) -> [f64; 2] {
        if random.f64() < COUNTRY {
            return [random.f64() * self.side, random.f64() * self.side];
        }
        let share = random.f64();
        let index = self.cities.partition_point(|city| city.share < share).min(self.cities.len() - 1);
        let city = &self.cities[index];
        // Box and Muller, 1958.
        let radius = city.spread * (-2.0 * (1.0 - random.f64()).ln()).sqrt();
        let (sin, cos) = (random.f64() * TAU).sin_cos();
        [city.center[0] + radius * cos, city.center[1] + radius * sin]
    }
}
