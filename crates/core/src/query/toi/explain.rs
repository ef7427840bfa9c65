//! The steps by which a time of impact is found.

use alloc::vec;
use alloc::vec::Vec;

use glam::DVec2;

use super::conservative_advancement::first_contact;
use super::linear_cast::Mover;
use super::relative_motion::RelativeMotion;
use super::{Impact, linear_cast, time_of_impact};
use crate::math::both::both;
use crate::query::separation::at_features;
use crate::query::{convex_pair, distance};
use crate::shape::Sweep;
use crate::shape::part::Part;

/// How a time of impact was found, or that there is none: the moments that were looked at.
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
    method: ImpactMethod,
    steps: Vec<ImpactStep>,
    impact: Option<Impact>,
    parts: [u32; 2],
}

/// By which way a time of impact was looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ImpactMethod {
    /// Nothing moves, or the shapes overlap where the motion starts: there is nothing to look for. One step, the start.
    Start,
    /// Nothing turns: the motion is a segment that the Minkowski difference clips in one go. Two steps, the start and the impact or the end.
    Clip,
    /// Conservative advancement: each step goes as far as no contact can be, for the gap and the speed at which it may close at the most. The steps are those that were made; none where the
    /// circles around the shapes never meet.
    Advancement,
}

/// One moment of the motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImpactStep {
    /// When, as a part of the motion.
    pub time: f64,
    /// How far apart the shapes are then, radii included; up to rounding and the tolerance not below 0, but where they overlap at the start.
    pub gap: f64,
    /// Unit vector from a to b, along which they are so far apart.
    pub normal: DVec2,
    /// Where that is measured, on the surface of a.
    pub point_a: DVec2,
    /// Where that is measured, on the surface of b.
    pub point_b: DVec2,
}

impl ImpactExplanation {
    /// How the answer was found.
    #[must_use]
    pub fn method(&self) -> ImpactMethod {
        self.method
    }

    /// The moments that were looked at, in order; the last one of an impact is the impact.
    #[must_use]
    pub fn steps(&self) -> &[ImpactStep] {
        &self.steps
    }

    /// What [`time_of_impact`](crate::time_of_impact) answers.
    #[must_use]
    pub fn impact(&self) -> Option<Impact> {
        self.impact
    }

    /// The parts that it is about: of composites those that meet, and where none do, those that are nearest at the start.
    #[must_use]
    pub fn parts(&self) -> [u32; 2] {
        self.parts
    }
}

/// The steps of [`time_of_impact`](crate::time_of_impact), to be read or drawn.
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
    let (method, steps) = RelativeMotion::new(p, q, [&a, &b]).with_precise_frame(|motion| {
        let (method, times) = times(motion, (p, &a), (q, &b), impact);
        (method, times.into_iter().map(|time| step(motion, time)).collect())
    });
    ImpactExplanation { method, steps, impact, parts }
}

/// The times that were looked at.
fn times(
    motion: &RelativeMotion<'_>,
    (p, a): (Part<'_>, &Sweep<'_>),
    (q, b): (Part<'_>, &Sweep<'_>),
    impact: Option<Impact>,
) -> (ImpactMethod, Vec<f64>) {
    let (still, turns) = (a.is_still() && b.is_still(), a.angle() != 0.0 || b.angle() != 0.0);
    if still || impact.is_some_and(|impact| impact.initial_depth.is_some()) {
        return (ImpactMethod::Start, vec![0.0]);
    }
    if !turns && linear_cast::cast(Mover::of_part(&p, a), Mover::of_part(&q, b), 1.0).is_ok() {
        let end = impact.map_or(1.0, |impact| impact.time);
        return (ImpactMethod::Clip, if end > 0.0 { vec![0.0, end] } else { vec![0.0] });
    }
    let mut times = Vec::new();
    if let Some(window) = motion.window(1.0) {
        first_contact(motion, window, Some(&mut times));
    }
    if let Some(impact) = impact {
        // Without turning the last step is exact and not looked at again; of composites no more is looked at than up to the earliest.
        times.retain(|&time| time < impact.time);
        times.push(impact.time);
    }
    (ImpactMethod::Advancement, times)
}

fn step(motion: &RelativeMotion<'_>, time: f64) -> ImpactStep {
    let pair = motion.at(time).pair;
    let features = convex_pair::unlimited(&pair);
    let found = at_features(&pair, features);
    let (on_a, on_b) = convex_pair::witnesses(&pair, features);
    let [radius_a, radius_b] = both(pair.parts, |part| part.convex.radius);
    ImpactStep {
        time,
        gap: found.distance - pair.radius,
        normal: found.normal,
        point_a: motion.in_world(on_a + found.normal * radius_a, time),
        point_b: motion.in_world(on_b - found.normal * radius_b, time),
    }
}
