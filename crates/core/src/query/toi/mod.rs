//! Computes the time of impact: the first contact of two moving shapes.
//!
//! Input: two sweeps. Each translates and rotates at constant speed while time goes from 0 to 1.
//! Output: time, normal, point, parts, and the depth of an overlap at the start. The simple version
//! tests the pose at sampled times:
//!
//! ```text
//! for time in 0, step, 2 step, … 1: if the shapes intersect: return time
//! ```
//!
//! It misses thin shapes between two samples (tunnelling). Here no contact is missed, and no result
//! is late:
//!
//! ```text
//! convex, no rotation:  clip the motion by the Minkowski difference               (linear_cast.rs)
//! convex, rotation:     advance along one axis while the parts are distant        (separation_root.rs)
//!                       then conservative advancement                             (conservative_advancement.rs)
//! composite:            earliest impact of two parts, by traversal of both BVHs   (composite.rs)
//! ```

mod composite;
mod conservative_advancement;
mod entry;
mod explain;
mod exposed;
mod hit;
mod linear_cast;
mod relative_motion;
mod separation_function;
mod separation_root;
mod vertex_edge;

use glam::DVec2;

use crate::math::vector::{MAX_COORDINATE, vector_times_power_of_two};
use crate::pair_result::{Manifold, Margin, Relation};
use crate::query::distance;
use crate::query::fast_path;
use crate::shape::Sweep;
use crate::shape::part::Part;
pub(crate) use composite::{
    Least, enters_at_start, first_after_slides, first_approach, first_that_counts, passage_after,
};
use conservative_advancement::first_contact;
pub use explain::{ImpactExplanation, ImpactMethod, ImpactStep, explain_time_of_impact};
pub use hit::ShapeHit;
use linear_cast::MovingConvex;
use relative_motion::RelativeMotion;
use vertex_edge::FirstContact;

/// The first contact of two moving shapes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// Fraction of the motion: 0 at its start, 1 at its end. Never later than the true time.
    pub time: f64,
    /// Unit vector from a to b at that time: the normal of the union's boundary, never that of a
    /// vertex between flush parts.
    pub normal: DVec2,
    /// Contact point at that time: on the surface of a, up to the tolerance. In both shapes if they
    /// overlap at the start.
    pub point: DVec2,
    /// Depth of the overlap at the start of the motion. `None` if the shapes do not overlap there.
    pub initial_depth: Option<f64>,
    /// Index of the part of a that is hit. 0 if a is convex.
    pub part_a: u32,
    /// Index of the part of b that is hit. 0 if b is convex.
    pub part_b: u32,
}

/// Returns the first contact of two moving shapes. Each translates and rotates at constant speed
/// while time goes from 0 to 1. Returns `None` if there is no contact.
///
/// - **Overlap at the start**: time 0, and the depth. For composites it is the depth of
///   [`collide`](super::collide).
/// - **Touching at the start**, or closer than the tolerance: time 0 if the motion leads to an
///   overlap from there. Otherwise this contact is ignored until the shapes have separated. So a
///   block slides freely along the floor. Points and segments never overlap deeply. If they are
///   apart by more than rounding errors, they stop before the motion leads through the other one, or
///   ends closer than half the usual gap at a hit. So the next motion still sees their side.
/// - **Otherwise** the first contact. It is never late: the gap at `time` is in 0 ..= 1e-7 × size +
///   4 ulp. The size is the larger diameter of the two shapes, radius included. The ulp is that of
///   the largest of size, coordinates and lengths of motion (arcs included). A motion with a deepest
///   overlap above this tolerance is always reported. A motion with a smallest gap above it never is.
///   A graze between both may go either way.
///
/// After a million steps the function returns the time reached so far, which is not late. No motion
/// within the limits is known to need that many.
///
/// [`Sweep::at`] returns the pose at `time`. The cost grows with the rotation, and with the number
/// of part pairs that come near each other.
///
/// Without motion the result is `Some` if the shapes [overlap](super::overlaps). For composites it
/// is the earliest impact of two parts, up to the tolerance above. A part without area (a point,
/// segment or link) may touch the union of the other shape's parts at the start. If it then enters
/// along a seam or through a vertex, this is an impact at time 0. Only cracks narrower than
/// rounding count as seams.
///
/// ```
/// use carom::{Shape, time_of_impact};
///
/// let bullet = Shape::circle(0.125)?;
/// let wall = Shape::rectangle(0.001, 10.0)?;
/// let shot = bullet.at([-500_000.0, 0.0])?.sweep([1_000_000.0, 0.0])?;
/// let hit = time_of_impact(shot, wall.at([0.0, 0.0])?).unwrap();
/// assert!(hit.time <= 0.499_999_874_5 && hit.time > 0.499_999_874_4); // never late
/// assert_eq!((hit.normal, hit.initial_depth), ([1.0, 0.0].into(), None));
///
/// // A block on the floor slides along it, and falls no farther.
/// let (block, floor) = (Shape::rectangle(1.0, 1.0)?, Shape::rectangle(100.0, 1.0)?);
/// let (block, floor) = (block.at([0.0, 1.0])?, floor.at([0.0, 0.0])?);
/// assert!(time_of_impact(block.sweep([10.0, 0.0])?, floor).is_none());
/// assert_eq!(time_of_impact(block.sweep([10.0, -0.1])?, floor).unwrap().time, 0.0);
/// # Ok::<(), carom::Error>(())
/// ```
#[inline]
#[must_use]
#[doc(alias("toi", "ccd"))]
pub fn time_of_impact<'a, 'b>(a: impl Into<Sweep<'a>>, b: impl Into<Sweep<'b>>) -> Option<Impact> {
    of_sweeps(&a.into(), &b.into())
}

/// Returns the first time at which two moving shapes are as near as a target distance (skin).
///
/// The result is that of [`time_of_impact`] for the set of points within `target_distance`. The sum of
/// the radii and the target distance decides, so round corners are exact. The gap at `time` is
/// `target_distance` + 0 ..= 1e-7 × size + 4 ulp.
///
/// - **Overlap at the start**: as in [`time_of_impact`].
/// - **Closer than the target at the start**: the distance at the start is the target. So motion that
///   does not come closer is free, and motion that comes closer stops at time 0.
///
/// The point is on the surface of a. A negative or NaN `target_distance` counts as 0. Values above
/// 1e30 count as 1e30.
///
/// ```
/// use carom::Shape;
/// use carom::query::time_of_impact_within;
///
/// let (ball, floor) = (Shape::circle(1.0)?, Shape::rectangle(100.0, 2.0)?); // its top is y = 1
/// let floor = floor.at([0.0, 0.0])?;
/// let fall = ball.at([0.0, 12.0])?.sweep([0.0, -20.0])?;
/// let hit = time_of_impact_within(fall, floor, 0.5).unwrap();
/// assert!((fall.at(hit.time).pose().translation().y - 2.5).abs() < 1e-6);
///
/// let near = ball.at([0.0, 2.25])?; // closer than 0.5
/// assert!(time_of_impact_within(near.sweep([9.0, 0.0])?, floor, 0.5).is_none());
/// assert_eq!(time_of_impact_within(near.sweep([9.0, -0.1])?, floor, 0.5).unwrap().time, 0.0);
/// # Ok::<(), carom::Error>(())
/// ```
#[must_use]
pub fn time_of_impact_within<'a, 'b>(
    a: impl Into<Sweep<'a>>,
    b: impl Into<Sweep<'b>>,
    target_distance: f64,
) -> Option<Impact> {
    let (a, b) = (a.into(), b.into());
    // False for NaN.
    if target_distance > 0.0 {
        let at_start = distance(a.start(), b.start()).distance;
        return of_sweeps(&a.until_gap(target_distance.min(MAX_COORDINATE).min(at_start)), &b);
    }
    of_sweeps(&a, &b)
}

/// Returns the first impact of two sweeps of any kind.
#[inline(never)]
fn of_sweeps(a: &Sweep<'_>, b: &Sweep<'_>) -> Option<Impact> {
    let (Some(p), Some(q)) = (MovingConvex::new(a), MovingConvex::new(b)) else {
        return composite::time_of_impact(a, b);
    };
    if (a.angle() == 0.0) & (b.angle() == 0.0) {
        return linear_cast::cast(p, q, 1.0).unwrap_or_else(|_| carefully(a, b));
    }
    carefully(a, b)
}

/// Returns the same as [`time_of_impact`], up to its tolerance. Hits of rounded vertices are computed in closed form.
pub(crate) fn time_of_impact_closed(a: &Sweep<'_>, b: &Sweep<'_>) -> Option<Impact> {
    match (MovingConvex::new(a), MovingConvex::new(b)) {
        (Some(p), Some(q)) if a.angle() == 0.0 && b.angle() == 0.0 => linear_cast::cast(p, q, 1.0)
            .or_else(|_| linear_cast::first_hit([p, q], 1.0))
            .unwrap_or_else(|_| carefully(a, b)),
        _ => of_sweeps(a, b),
    }
}

/// Handles two convex shapes: first the rules of the start, then conservative advancement.
#[inline(never)]
fn carefully(a: &Sweep<'_>, b: &Sweep<'_>) -> Option<Impact> {
    let (Some(p), Some(q)) = (a.as_part(), b.as_part()) else { return None };
    let mut motion = RelativeMotion::new(p, q, [a, b]);
    let tiny = motion.power_if_tiny();
    // The window of a tiny motion would underflow.
    let window = if tiny.is_none() { motion.window(1.0)? } else { [0.0, 1.0] };
    if window[0] <= 0.0 && fast_path::relation_of_parts(p, q) == Relation::Overlapping {
        return fast_path::contact_of_parts(p, q, Margin::ZERO).map(|manifold| Impact::at_start(&manifold));
    }
    if a.is_still() && b.is_still() {
        return None;
    }
    match tiny {
        Some(power) => Impact::first_of_tiny(&motion, power, 1.0),
        None => motion.with_precise_frame(|motion| Impact::first(motion, window)),
    }
}

/// Returns the first contact before `end` of two parts that do not overlap at the start.
pub(super) fn of_parts((p, a): (&Part<'_>, &Sweep<'_>), (q, b): (&Part<'_>, &Sweep<'_>), end: f64) -> Option<Impact> {
    if a.angle() == 0.0
        && b.angle() == 0.0
        && let Ok(impact) = linear_cast::cast(MovingConvex::of_part(p, a), MovingConvex::of_part(q, b), end)
    {
        return impact;
    }
    let mut motion = RelativeMotion::new(*p, *q, [a, b]);
    if let Some(power) = motion.power_if_tiny() {
        return Impact::first_of_tiny(&motion, power, end);
    }
    let window = motion.window(end)?;
    motion.with_precise_frame(|motion| Impact::first(motion, window))
}

impl Impact {
    /// Returns the impact of shapes that overlap at the start.
    pub(crate) fn at_start(manifold: &Manifold) -> Self {
        let points = manifold.points();
        let deepest = points.iter().copied().reduce(|p, q| if q.depth > p.depth { q } else { p });
        Self {
            time: 0.0,
            normal: manifold.normal,
            point: deepest.map_or(DVec2::ZERO, |p| p.position()),
            initial_depth: Some(manifold.depth),
            part_a: manifold.part_a,
            part_b: manifold.part_b,
        }
    }

    /// Returns the impact of parts that do not overlap at the start.
    fn first(motion: &RelativeMotion<'_>, window: [f64; 2]) -> Option<Self> {
        first_contact(motion, window, None).map(|hit| Self::of(motion, &hit))
    }

    /// Returns the impact of tiny parts that do not overlap at the start.
    ///
    /// Products of their lengths would underflow. So the motion is multiplied by a power of two.
    #[cold]
    #[inline(never)]
    fn first_of_tiny(motion: &RelativeMotion<'_>, power: i32, end: f64) -> Option<Self> {
        let impact = motion.with_scale(power, |scaled| {
            let window = scaled.window(end)?;
            scaled.with_precise_frame(|motion| Self::first(motion, window))
        })?;
        Some(Self { point: vector_times_power_of_two(impact.point, -power), ..impact })
    }

    /// Converts a contact to the world.
    fn of(motion: &RelativeMotion<'_>, &FirstContact { time, on_a, normal }: &FirstContact) -> Self {
        Self::later(time, normal, motion.in_world(on_a, time))
    }

    /// Returns the impact of two convex shapes that do not overlap at the start.
    #[inline(always)]
    fn later(time: f64, normal: DVec2, point: DVec2) -> Self {
        Self { time, normal, point, initial_depth: None, part_a: 0, part_b: 0 }
    }
}
