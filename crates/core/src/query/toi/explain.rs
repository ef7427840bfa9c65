//! Records the steps of a time-of-impact query, for output and for drawings.
//!
//! Input: two sweeps. Output: the method, the computed times with gap, normal and closest points,
//! and the impact. The query runs again with a list for its times. Then the state at each time is
//! computed.

use alloc::vec;
use alloc::vec::Vec;

use glam::DVec2;

use super::conservative_advancement::first_contact;
use super::linear_cast::MovingConvex;
use super::relative_motion::RelativeMotion;
use super::{Impact, linear_cast, time_of_impact};
use crate::math::both::both;
use crate::math::lists::mapped;
use crate::query::separation::{at_features, witnesses};
use crate::query::{convex_pair, distance};
use crate::shape::Sweep;
use crate::shape::part::Part;

/// The steps of a time-of-impact query.
///
/// ```
/// use carom::Shape;
/// use carom::explain::explain_time_of_impact;
///
/// let (needle, wall) = (Shape::segment([-1.0, 0.0], [1.0, 0.0])?, Shape::rectangle(1.0, 10.0)?);
/// let spinning = needle.at([-4.0, 0.0])?.sweep([4.0, 0.0])?.with_rotation(2.0)?;
/// let why = explain_time_of_impact(spinning, wall.at([0.0, 0.0])?);
/// for step in why.steps() {
///     println!("at {:.4}: {:.4} apart along {}", step.time, step.gap, step.normal);
/// }
/// assert!(why.steps().windows(2).all(|pair| pair[0].time < pair[1].time)); // never over a contact
/// assert_eq!(why.steps().last().map(|step| step.time), why.impact().map(|impact| impact.time));
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ImpactExplanation {
    /// The method that the query used.
    method: ImpactMethod,
    /// The states at the computed times.
    steps: Vec<ImpactStep>,
    /// The result.
    impact: Option<Impact>,
    /// The parts that the steps show.
    parts: [u32; 2],
}

/// The method of a time-of-impact query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ImpactMethod {
    /// Nothing moves, or the shapes overlap at the start. One step, the start.
    Start,
    /// Nothing rotates: the Minkowski difference clips the segment of the motion. Two steps: the
    /// start, and the impact or the end.
    Clip,
    /// Conservative advancement: each step is as long as the gap and the maximum closing speed
    /// allow without a contact. No steps if the bounding circles never intersect.
    Advancement,
}

/// One time of the motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImpactStep {
    /// Fraction of the motion, 0 ..= 1.
    pub time: f64,
    /// Gap of the shapes, radii included. Not below 0, up to rounding and tolerance, unless the
    /// shapes overlap at the start.
    pub gap: f64,
    /// Unit vector from a to b along which the gap is measured.
    pub normal: DVec2,
    /// End point of the gap on the surface of a.
    pub point_a: DVec2,
    /// End point of the gap on the surface of b.
    pub point_b: DVec2,
}

impl ImpactExplanation {
    /// Returns the method.
    #[must_use]
    pub fn method(&self) -> ImpactMethod {
        self.method
    }

    /// Returns the steps in order of time. For an impact the last step is the impact.
    #[must_use]
    pub fn steps(&self) -> &[ImpactStep] {
        &self.steps
    }

    /// Returns the result of [`time_of_impact`](crate::time_of_impact).
    #[must_use]
    pub fn impact(&self) -> Option<Impact> {
        self.impact
    }

    /// Returns the parts of the explanation: for composites those that touch, else those that are
    /// closest at the start.
    #[must_use]
    pub fn parts(&self) -> [u32; 2] {
        self.parts
    }
}

/// Returns the steps of [`time_of_impact`](crate::time_of_impact), for output or drawing.
///
/// [`ImpactExplanation`] has an example.
#[must_use]
pub fn explain_time_of_impact<'a, 'b>(a: impl Into<Sweep<'a>>, b: impl Into<Sweep<'b>>) -> ImpactExplanation {
    let (a, b): (Sweep<'a>, Sweep<'b>) = (a.into(), b.into());
    let impact = time_of_impact(a, b);
    let parts = impact.map_or_else(
        || {
            let nearest = distance(a.start(), b.start());
            [nearest.part_a, nearest.part_b]
        },
        |impact| [impact.part_a, impact.part_b],
    );
    let (p, q) = (a.start().part(parts[0]), b.start().part(parts[1]));
    let mut motion = RelativeMotion::new(p, q, [&a, &b]);
    let (method, times) = times(&mut motion, (p, &a), (q, &b), impact);
    let steps = motion.with_precise_frame(|motion| mapped(&times, |&time| step(motion, time)));
    ImpactExplanation { method, steps, impact, parts }
}

/// Returns the computed times.
fn times(
    motion: &mut RelativeMotion<'_>,
    (p, a): (Part<'_>, &Sweep<'_>),
    (q, b): (Part<'_>, &Sweep<'_>),
    impact: Option<Impact>,
) -> (ImpactMethod, Vec<f64>) {
    let (still, turns) = (a.is_still() && b.is_still(), a.angle() != 0.0 || b.angle() != 0.0);
    if still || impact.is_some_and(|impact| impact.initial_depth.is_some()) {
        return (ImpactMethod::Start, vec![0.0]);
    }
    if !turns && linear_cast::cast(MovingConvex::of_part(&p, a), MovingConvex::of_part(&q, b), 1.0).is_ok() {
        let end = impact.map_or(1.0, |impact| impact.time);
        return (ImpactMethod::Clip, if end > 0.0 { vec![0.0, end] } else { vec![0.0] });
    }
    let search = |motion: &mut RelativeMotion<'_>| {
        let window = motion.window(1.0)?;
        Some(motion.with_precise_frame(|motion| {
            let mut times = Vec::new();
            first_contact(motion, window, Some(&mut times));
            times
        }))
    };
    let times = match motion.power_if_tiny() {
        Some(power) => motion.with_scale(power, search),
        None => search(motion),
    };
    let mut times = times.unwrap_or_default();
    if let Some(impact) = impact {
        // Without rotation the last step is exact. Composites are only followed up to the earliest
        // impact.
        times.retain(|&time| time < impact.time);
        times.push(impact.time);
    }
    (ImpactMethod::Advancement, times)
}

/// Computes the state at a time.
fn step(motion: &RelativeMotion<'_>, time: f64) -> ImpactStep {
    let pair = motion.at(time).pair;
    let features = convex_pair::unlimited(&pair);
    let found = at_features(&pair, features);
    let (on_a, on_b) = witnesses(&pair, features);
    let [radius_a, radius_b] = both(pair.parts, |part| part.convex.radius);
    ImpactStep {
        time,
        gap: found.distance - pair.radius,
        normal: found.normal,
        point_a: motion.in_world(on_a + found.normal * radius_a, time),
        point_b: motion.in_world(on_b - found.normal * radius_b, time),
    }
}
