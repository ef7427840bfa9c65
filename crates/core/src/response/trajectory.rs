//! Stores trajectory segments: the straight path of a particle from one impact to the next.
//!
//! Input: position, velocity and acceleration at the start of a segment, and the time left in the
//! step. Output: position, velocity and remaining displacement at any time of the segment.
//!
//! Gravity bends a path. A segment is the chord from its start to the point at the end of the step,
//! so impacts are computed along straight lines. The velocity changes with gravity along the
//! segment. For a circle on a parabola and a fixed circle, the time of impact is a root of degree
//! four.
//!
//! A segment is divided into pieces. Impacts are predicted for the current piece only, see
//! `event_queue.rs`.
//!
//! ```text
//! displacement = (velocity at the start + velocity at the end) · half of the time left
//! position at t = origin + displacement · (t − start) / (1 − start)
//! velocity at t = velocity at the start + acceleration · (t − start) · length of the step in seconds
//! ```
//!
//! The chord ends where the parabola ends. Between the ends, the position differs from the parabola
//! by at most g T² / 8 for the time T left.

use glam::DVec2;

use crate::math::vector::{length, norm1};

/// Largest number of impacts of one particle in one step.
///
/// After that the particle rests until the next step: it stays where it is, as an obstacle for
/// others. Impacts still change its velocity. An impact that loses energy counts as eight. It
/// counts as 40 if it follows the last impact within a sixteenth of the step, because such impacts
/// follow each other ever faster.
pub const MAX_IMPACTS_PER_STEP: u32 = 128;

/// The path of a particle from one impact to the end of the step. Times are fractions of the step,
/// 0 to 1.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TrajectorySegment {
    /// Start time, and position and velocity at that time.
    pub(super) from: f64,
    pub(super) origin: DVec2,
    pub(super) velocity: DVec2,
    /// Displacement until the end of the step, if there is no impact.
    pub(super) displacement: DVec2,
    /// Displacement per whole step. It gives the position without a division, up to rounding.
    pub(super) rate: DVec2,
    /// Acceleration: gravity, or 0 along a normal along which the particle is blocked.
    pub(super) acceleration: DVec2,
    /// Weighted count of the impacts before this segment: see [`MAX_IMPACTS_PER_STEP`].
    pub(super) impact_count: u32,
    /// `bounding_radius`: about the origin of the particle. `circle_radius`: NaN if the shape is no
    /// circle.
    pub(super) bounding_radius: f64,
    pub(super) circle_radius: f64,
    /// `piece_length`: length of the pieces for which impacts are predicted. `piece_end`: end time of
    /// the current piece; infinity for the last piece.
    pub(super) piece_length: f64,
    pub(super) piece_end: f64,
    /// Number of pieces since the start of the segment.
    pub(super) pieces: u32,
    /// True if impacts of the particle are predicted.
    pub(super) flies: bool,
}

impl TrajectorySegment {
    /// Returns the segment with another velocity and acceleration, if `seconds` are left in the
    /// step. The displacement is the chord of the path that gravity bends.
    pub(super) fn with_velocity(self, velocity: DVec2, acceleration: DVec2, seconds: f64) -> Self {
        let after = velocity + acceleration * seconds;
        Self { velocity, displacement: (velocity + after) * (0.5 * seconds), acceleration, ..self }
    }

    /// Returns true if the particle does not move until the end of the step, after too many
    /// impacts.
    pub(super) fn rests(&self) -> bool {
        self.impact_count > MAX_IMPACTS_PER_STEP
    }

    /// Returns the same segment without motion; the velocity is kept.
    pub(super) fn stopped(self) -> Self {
        Self { displacement: DVec2::ZERO, acceleration: DVec2::ZERO, ..self }
    }

    /// Returns the segment of a resting particle with a new number, if a collider of infinite mass
    /// pushes the particle on.
    pub(super) fn pushed_on(self) -> Self {
        if self.rests() && self.displacement != DVec2::ZERO {
            Self { impact_count: self.impact_count + 1, ..self }
        } else {
            self
        }
    }

    /// Returns true if colliders of infinite mass have pushed the resting particle too often. Then
    /// they press it against something else, and nothing can give way.
    pub(super) fn was_pushed_too_often(&self) -> bool {
        self.impact_count > 2 * MAX_IMPACTS_PER_STEP
    }

    /// Returns the fraction of the displacement that is done at a time, 0 to 1.
    fn elapsed_fraction(&self, time: f64) -> f64 {
        if time > self.from { ((time - self.from) / (1.0 - self.from)).min(1.0) } else { 0.0 }
    }

    /// Returns the position at a time.
    pub(super) fn at(&self, time: f64) -> DVec2 {
        self.origin + self.displacement * self.elapsed_fraction(time)
    }

    /// Returns the remaining displacement at a time.
    pub(super) fn remaining_displacement(&self, time: f64) -> DVec2 {
        self.displacement * (1.0 - self.elapsed_fraction(time))
    }

    /// Begins the next piece (or the first one) at a time.
    pub(super) fn begin_piece(&mut self, time: f64) {
        self.pieces += 1;
        self.rate = self.displacement / (1.0 - self.from);
        let end = time + self.piece_length / length(self.rate);
        // A piece that does not advance the time is replaced by the rest of the segment.
        self.piece_end = if end > time && end < 1.0 { end } else { f64::INFINITY };
    }

    /// Returns true if two particles certainly do not touch from `now` until the first of their
    /// pieces ends. Their bounding circles stay apart, by more than the tolerance of impacts.
    #[inline]
    pub(super) fn keeps_apart(&self, other: &Self, now: f64) -> bool {
        let position_at = |segment: &Self| segment.origin + segment.rate * (now - segment.from);
        let (offset, rate) = (position_at(other) - position_at(self), other.rate - self.rate);
        let left = self.piece_end.min(other.piece_end).min(1.0) - now;
        let magnitude = norm1(self.origin) + norm1(other.origin) + norm1(self.rate) + norm1(other.rate);
        let radius_sum = (self.bounding_radius + other.bounding_radius) * (1.0 + 1e-6) + magnitude * 1e-14;
        let (closing, square) = (-offset.dot(rate), rate.length_squared());
        // `MIN_POSITIVE` covers products that underflow.
        if closing <= 0.0 {
            offset.length_squared() > radius_sum * radius_sum + f64::MIN_POSITIVE
        } else if closing >= square * left {
            (offset + rate * left).length_squared() > radius_sum * radius_sum + f64::MIN_POSITIVE
        } else {
            let aside = offset.perp_dot(rate);
            aside * aside > radius_sum * radius_sum * square + f64::MIN_POSITIVE
        }
    }

    /// Returns the velocity at a time, in a step of this length in seconds.
    pub(super) fn velocity_at(&self, time: f64, seconds: f64) -> DVec2 {
        self.velocity + self.acceleration * ((time - self.from).max(0.0) * seconds)
    }

    /// Returns the rest of the segment from a time on: the next segment if nothing changes.
    pub(super) fn cut(&self, time: f64, seconds: f64) -> Self {
        Self {
            from: time.max(self.from),
            origin: self.at(time),
            velocity: self.velocity_at(time, seconds),
            displacement: self.remaining_displacement(time),
            pieces: 0,
            ..*self
        }
    }
}

/// Removes the approach of two segments along a normal: along the normal, both get one common
/// displacement. It is the average weighted by mass. `wa`, `wb`: inverse masses; 0 never gives way.
pub(super) fn remove_approach(
    segments: &[TrajectorySegment; 2],
    [wa, wb]: [f64; 2],
    normal: DVec2,
) -> [TrajectorySegment; 2] {
    let total = wa + wb;
    if total == 0.0 || (segments[0].displacement - segments[1].displacement).dot(normal) <= 0.0 {
        return *segments;
    }
    let [a, b] = *segments;
    let common = |p: DVec2, q: DVec2| p.dot(normal) * (wb / total) + q.dot(normal) * (wa / total);
    let (displacement, pull) = (common(a.displacement, b.displacement), common(a.acceleration, b.acceleration));
    let blocked = |segment: TrajectorySegment, w: f64| {
        let along = |v: DVec2, to: f64| if w > 0.0 { v + normal * (to - v.dot(normal)) } else { v };
        TrajectorySegment {
            displacement: along(segment.displacement, displacement),
            acceleration: along(segment.acceleration, pull),
            ..segment
        }
    };
    [blocked(a, wa), blocked(b, wb)]
}
