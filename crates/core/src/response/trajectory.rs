//! A straight stretch of a flight.

use glam::DVec2;

use crate::math::vector::{length, norm1};

/// Largest number of impacts of one particle in one step. After that it rests until the next step: it stays where it is, as an obstacle that stops others; impacts still change its velocity.
/// An impact that loses energy counts as eight, and as 40 if it follows the one before within a sixteenth of the step: such impacts follow each other ever faster.
pub const MAX_IMPACTS_PER_STEP: u32 = 128;

/// Where a particle goes from one impact to the next. Times are parts of the step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TrajectorySegment {
    /// When it begins, where, and how fast the particle is there.
    pub(super) from: f64,
    pub(super) origin: DVec2,
    pub(super) velocity: DVec2,
    /// The way to the end of the step, if nothing is met.
    pub(super) way: DVec2,
    /// The same in the time of a whole step: says without a division, to rounding, where it is.
    pub(super) rate: DVec2,
    /// What the particle is accelerated by meanwhile: gravity, unless something holds it.
    pub(super) pull: DVec2,
    /// How many impacts went before.
    pub(super) number: u32,
    /// The particle lies in a circle of this radius about its origin; and is one if this is a number.
    pub(super) radius: f64,
    pub(super) round: f64,
    /// It is looked ahead in pieces of this length; when the one it is in ends: never, if that is the last one.
    pub(super) reach: f64,
    pub(super) until: f64,
    /// Count of the pieces since the leg began.
    pub(super) pieces: u32,
    /// Is it looked ahead for what it runs into?
    pub(super) flies: bool,
}

impl TrajectorySegment {
    /// One that begins at a time, with so many seconds to go: gravity bends its way, the chord of which it takes.
    pub(super) fn new(from: f64, origin: DVec2, velocity: DVec2, pull: DVec2, seconds: f64) -> Self {
        let after = velocity + pull * seconds;
        Self {
            from,
            origin,
            velocity,
            way: (velocity + after) * (0.5 * seconds),
            pull,
            until: f64::INFINITY,
            ..Self::default()
        }
    }

    /// Returns true if the particle stays where it is until the end of the step, after too many impacts.
    pub(super) fn rests(&self) -> bool {
        self.number > MAX_IMPACTS_PER_STEP
    }

    /// Returns the same leg without any motion; the velocity stays.
    pub(super) fn stopped(self) -> Self {
        Self { way: DVec2::ZERO, pull: DVec2::ZERO, ..self }
    }

    /// Returns the leg of a particle that rests with another number, if something of infinite mass moves it on.
    pub(super) fn pushed_on(self) -> Self {
        if self.rests() && self.way != DVec2::ZERO { Self { number: self.number + 1, ..self } } else { self }
    }

    /// Returns true if things of infinite mass have moved the resting particle too often: they press it against something else, and nothing can give way.
    pub(super) fn was_pushed_too_often(&self) -> bool {
        self.number > 2 * MAX_IMPACTS_PER_STEP
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

    /// Begins a piece of it at a time, which may be the first one.
    pub(super) fn begin_piece(&mut self, time: f64) {
        self.pieces += 1;
        self.rate = self.way / (1.0 - self.from);
        let end = time + self.reach / length(self.rate);
        // What does not lead on at all is no piece either.
        self.until = if end > time && end < 1.0 { end } else { f64::INFINITY };
    }

    /// Do two certainly keep apart from a time on, until the first of their pieces ends? Their circles do, and by more than impacts are early.
    #[inline]
    pub(super) fn keeps_apart(&self, other: &Self, now: f64) -> bool {
        let behind = |leg: &Self| leg.origin + leg.rate * (now - leg.from);
        let (apart, rate) = (behind(other) - behind(self), other.rate - self.rate);
        let left = self.until.min(other.until).min(1.0) - now;
        let far = norm1(self.origin) + norm1(other.origin) + norm1(self.rate) + norm1(other.rate);
        let reach = (self.radius + other.radius) * (1.0 + 1e-6) + far * 1e-14;
        let (closing, square) = (-apart.dot(rate), rate.length_squared());
        if closing <= 0.0 {
            apart.length_squared() > reach * reach
        } else if closing >= square * left {
            (apart + rate * left).length_squared() > reach * reach
        } else {
            let aside = apart.perp_dot(rate);
            aside * aside > reach * reach * square
        }
    }

    /// How fast it is at a time of a step that takes so many seconds.
    pub(super) fn velocity_at(&self, time: f64, seconds: f64) -> DVec2 {
        self.velocity + self.pull * ((time - self.from).max(0.0) * seconds)
    }

    /// What is left of it at a time, after what counts as so many impacts: the next leg, if nothing changes.
    pub(super) fn cut(&self, time: f64, seconds: f64, impacts: u32) -> Self {
        let (origin, velocity, way) = (self.at(time), self.velocity_at(time, seconds), self.rest(time));
        Self { from: time.max(self.from), origin, velocity, way, number: self.number + impacts, pieces: 0, ..*self }
    }
}

/// Lets two legs that lead into each other along a normal go on side by side: along the normal both get one common way, that of the heavier one more or less.
/// `wa`, `wb`: inverse masses; 0 never gives way.
pub(super) fn hold(legs: &[TrajectorySegment; 2], [wa, wb]: [f64; 2], normal: DVec2) -> [TrajectorySegment; 2] {
    let total = wa + wb;
    if total == 0.0 || (legs[0].way - legs[1].way).dot(normal) <= 0.0 {
        return *legs;
    }
    let [a, b] = *legs;
    let common = |p: DVec2, q: DVec2| p.dot(normal) * (wb / total) + q.dot(normal) * (wa / total);
    let (way, pull) = (common(a.way, b.way), common(a.pull, b.pull));
    let held = |leg: TrajectorySegment, w: f64| {
        let along = |v: DVec2, to: f64| if w > 0.0 { v + normal * (to - v.dot(normal)) } else { v };
        TrajectorySegment { way: along(leg.way, way), pull: along(leg.pull, pull), ..leg }
    };
    [held(a, wa), held(b, wb)]
}
