//! Time of impact: when two shapes in motion come into contact, and how.

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

use crate::math::simd::dispatch;
use crate::query::exact::Relation;
use crate::query::fast_path;
use crate::query::manifold::Manifold;
use crate::shape::Sweep;
use crate::shape::part::Part;
pub(crate) use composite::{Least, first_approach};
use conservative_advancement::first_contact;
pub use explain::{ImpactExplanation, ImpactMethod, ImpactStep, explain_time_of_impact};
pub use hit::ShapeHit;
use linear_cast::{ConvexCast, Mover};
use relative_motion::RelativeMotion;
use vertex_edge::Hit;

/// When and how two shapes in motion come into contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// When, as a part of the motion: 0 at its start, 1 at its end. Never later than the true time.
    pub time: f64,
    /// Unit vector from a to b, at that time: the normal of the union's boundary, never that of a corner between flush parts.
    pub normal: DVec2,
    /// Where they meet, at that time: on the surface of a, up to the tolerance; in both where they overlap at the start.
    pub point: DVec2,
    /// How deep they overlap where the motion starts; `None` where they do not.
    pub initial_depth: Option<f64>,
    /// The part of a that is hit; 0 where it is convex.
    pub part_a: u32,
    /// The part of b that is hit; 0 where it is convex.
    pub part_b: u32,
}

/// When the shapes come into contact, each moving straight on and turning evenly while time goes from 0 to 1; `None` if they do not.
///
/// - **Overlapping at the start**: time 0, and how deep. Of composites as [`collide`](super::collide) says.
/// - **Touching at the start**, or closer than the tolerance: time 0 if the motion makes them overlap from there; else that contact does not count (a block that
///   slides along the floor is free to), until they have been apart.
/// - **Else** the first contact. It is never late: the gap at `time` lies in 0 ..= 1e-7 × size + 4 ulp, where size is the larger diameter of the two, radius included, and ulp that of the largest of size,
///   coordinates and lengths of motion (of what turns that of the arc too). A motion whose deepest overlap exceeds that tolerance is always reported, one whose smallest gap exceeds it never; a
///   graze between the two may go either way.
///
/// After a million steps, more than any motion within the limits is known to need, the time that was reached is given, which is not late.
///
/// Where it is that a motion of `time` leads, [`Sweep::at`] says. The work grows with the turning, and with the pairs of parts that come near each other.
///
/// Without motion it is `Some` where the shapes [overlap](super::overlaps). Of composites it is the earliest impact of two parts. A part without area
/// (a point, segment or link) may be in contact at the start and overlap the union of the other shape's parts from there, along a seam or through a vertex:
/// that is an impact at time 0. Only cracks narrower than rounding count as seams.
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
pub fn time_of_impact<'a, 'b>(a: impl Into<Sweep<'a>>, b: impl Into<Sweep<'b>>) -> Option<Impact> {
    of_sweeps(&a.into(), &b.into())
}

#[inline(never)]
fn of_sweeps(a: &Sweep<'_>, b: &Sweep<'_>) -> Option<Impact> {
    dispatch(ConvexCast { a, b })
}

/// What is not two polygons of up to eight corners that do not turn.
#[inline(never)]
fn of_any(a: &Sweep<'_>, b: &Sweep<'_>) -> Option<Impact> {
    let (Some(p), Some(q)) = (Mover::new(a), Mover::new(b)) else { return composite::time_of_impact(a, b) };
    if a.angle() == 0.0 && b.angle() == 0.0 {
        return linear_cast::cast(p, q, 1.0).unwrap_or_else(|_| carefully(a, b));
    }
    carefully(a, b)
}

/// Two convex shapes, by the start rules, then step by step.
#[inline(never)]
fn carefully(a: &Sweep<'_>, b: &Sweep<'_>) -> Option<Impact> {
    let (Some(p), Some(q)) = (a.as_part(), b.as_part()) else { return None };
    let mut motion = RelativeMotion::new(p, q, [a, b]);
    let window = motion.window(1.0)?;
    if window[0] <= 0.0 && fast_path::relation_of_parts(p, q) == Relation::Overlapping {
        return fast_path::contact_of_parts(p, q, 0.0).map(|manifold| Impact::at_start(&manifold));
    }
    if a.is_still() && b.is_still() {
        return None;
    }
    motion.with_precise_frame(|motion| Impact::first(motion, window))
}

/// The first contact of two parts that do not overlap at the start, before `end`.
pub(super) fn of_parts((p, a): (&Part<'_>, &Sweep<'_>), (q, b): (&Part<'_>, &Sweep<'_>), end: f64) -> Option<Impact> {
    if a.angle() == 0.0
        && b.angle() == 0.0
        && let Ok(impact) = linear_cast::cast(Mover::of_part(p, a), Mover::of_part(q, b), end)
    {
        return impact;
    }
    let mut motion = RelativeMotion::new(*p, *q, [a, b]);
    let window = motion.window(end)?;
    motion.with_precise_frame(|motion| Impact::first(motion, window))
}

impl Impact {
    /// Of shapes that overlap where the motion starts.
    pub(super) fn at_start(manifold: &Manifold) -> Self {
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

    /// Of parts that do not overlap at the start.
    fn first(motion: &RelativeMotion<'_>, window: [f64; 2]) -> Option<Self> {
        first_contact(motion, window, None).map(|hit| Self::of(motion, &hit))
    }

    fn of(motion: &RelativeMotion<'_>, hit: &Hit) -> Self {
        Self {
            time: hit.time,
            normal: hit.normal,
            point: motion.in_world(hit.on_a, hit.time),
            initial_depth: None,
            part_a: 0,
            part_b: 0,
        }
    }
}
