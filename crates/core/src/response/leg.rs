//! A straight stretch of a flight.

use glam::DVec2;

/// Where a particle goes from one impact to the next. Times are parts of the step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Leg {
    /// When it begins, where, and how fast the particle is there.
    pub(super) from: f64,
    pub(super) origin: DVec2,
    pub(super) velocity: DVec2,
    /// The way to the end of the step, if nothing is met.
    pub(super) way: DVec2,
    /// What the particle is accelerated by meanwhile: gravity, unless something holds it.
    pub(super) pull: DVec2,
    /// How many impacts went before.
    pub(super) number: u32,
    /// Is it looked ahead for what it runs into?
    pub(super) flies: bool,
}

impl Leg {
    /// One that begins at a time, with so many seconds to go: gravity bends its way, the chord of which it takes.
    pub(super) fn new(from: f64, origin: DVec2, velocity: DVec2, pull: DVec2, seconds: f64) -> Self {
        let after = velocity + pull * seconds;
        Self { from, origin, velocity, way: (velocity + after) * (0.5 * seconds), pull, number: 0, flies: false }
    }

    /// The part of its way that is behind it at a time.
    fn part(&self, time: f64) -> f64 {
        if time > self.from { ((time - self.from) / (1.0 - self.from)).min(1.0) } else { 0.0 }
    }

    /// Where it is at a time.
    pub(super) fn at(&self, time: f64) -> DVec2 {
        self.origin + self.way * self.part(time)
    }

    /// The way that is left at a time.
    pub(super) fn rest(&self, time: f64) -> DVec2 {
        self.way * (1.0 - self.part(time))
    }

    /// How fast it is at a time of a step that takes so many seconds.
    pub(super) fn velocity_at(&self, time: f64, seconds: f64) -> DVec2 {
        self.velocity + self.pull * ((time - self.from).max(0.0) * seconds)
    }

    /// What is left of it at a time, after what counts as so many impacts: the next leg, if nothing changes.
    pub(super) fn cut(&self, time: f64, seconds: f64, impacts: u32) -> Self {
        let (origin, velocity, way) = (self.at(time), self.velocity_at(time, seconds), self.rest(time));
        Self { from: time.max(self.from), origin, velocity, way, number: self.number + impacts, ..*self }
    }
}

/// Lets two that press against each other along a normal, but do not run into each other, go on side by side: along the normal both have a common way, that of the heavier one more or less.
/// Inverse masses; 0 is what nothing moves.
pub(super) fn hold(legs: [Leg; 2], [wa, wb]: [f64; 2], normal: DVec2) -> [Leg; 2] {
    let total = wa + wb;
    if total == 0.0 {
        return legs;
    }
    let [a, b] = legs;
    let common = |p: DVec2, q: DVec2| p.dot(normal) * (wb / total) + q.dot(normal) * (wa / total);
    let (way, pull) = (common(a.way, b.way), common(a.pull, b.pull));
    let held = |leg: Leg, w: f64| {
        let along = |v: DVec2, to: f64| if w > 0.0 { v + normal * (to - v.dot(normal)) } else { v };
        Leg { way: along(leg.way, way), pull: along(leg.pull, pull), ..leg }
    };
    [held(a, wa), held(b, wb)]
}
