//! Computes the exit of a hollow ray that starts in a shape.
//!
//! Input: a ray that starts inside. Output: the hit at the exit, or none if the ray ends inside.
//! The exit of a convex part is its last boundary point on the ray. The simple version for a union:
//!
//! ```text
//! sort the intervals of the ray in the parts by entry; join those that overlap, from the start of the ray
//! return the last exit
//! ```
//!
//! Rounded times do not suffice: parts with a common edge have equal times only up to rounding, and
//! a gap there would be an exit. So such parts are joined regardless of their times. If other times
//! are too close to compare, exact positions decide (`union_boundary/sub_segment.rs`).

use alloc::vec::Vec;
use core::cmp::Ordering;

use glam::DVec2;

use super::RayHit;
use super::bvh_traversal::visit_parts;
use super::prepared::{BoundaryFeature, Crossing, PreparedRay, RayInterval};
use super::surface;
use crate::math::both::both;
use crate::math::lists::{filter_mapped, mapped};
use crate::math::sort::sort_cold;
use crate::pair_result::Relation;
use crate::query::union_boundary::sub_segment::{Segment, placed_hull, surrounded};
use crate::shape::Placed;
use crate::shape::part::Part;

/// Returns the exit of a ray that starts in a convex part.
pub(super) fn convex(prepared: &PreparedRay, part: Part<'_>, interval: &RayInterval) -> Option<RayHit> {
    let relation = prepared.end_relation(part);
    if relation == Relation::Overlapping {
        return None;
    }
    let exit = prepared.crossing(part, interval.exit);
    let ends_on_it = relation == Relation::Touching;
    let time = if ends_on_it { 1.0 } else { exit.time_within(0.0, 1.0_f64.next_down()) };
    // Parallel to a side the ray leaves later, through another side.
    let is_later = ends_on_it && !prepared.is_point() && (exit.time - 1.0).abs() > exit.error;
    let exit = if is_later { surface::on_boundary_of_part(prepared, part, exit, time) } else { exit };
    Some(hit(prepared, time, &exit, (0, part)))
}

/// A part that the ray passes through.
#[derive(Clone, Copy)]
struct PartInterval<'a> {
    /// Index of the part.
    number: u32,
    /// The placed part.
    part: Part<'a>,
    /// Entry and exit, as boundary features.
    interval: RayInterval,
    /// The crossing at the entry.
    enter: Crossing,
    /// The crossing at the exit.
    exit: Crossing,
    /// True if the ray's end is in the part.
    to_the_end: bool,
}

impl PartInterval<'_> {
    /// Returns the time of the entry. Negative if the part contains the start.
    fn begin(&self) -> f64 {
        if self.interval.starts_inside { -1.0 } else { self.enter.time }
    }

    /// Returns the time of the exit; 1 if the ray ends in the part.
    fn until(&self) -> f64 {
        if self.to_the_end { 1.0 } else { self.exit.time_within(0.0, 1.0_f64.next_down()) }
    }
}

/// Returns the exit of a ray that starts in one of many parts from their union.
pub(super) fn composite(prepared: &PreparedRay, placed: Placed<'_>) -> Option<RayHit> {
    let mut ahead = Vec::new();
    visit_parts(prepared, placed, &mut |number, part| {
        if let Some(interval) = prepared.through(part) {
            let [enter, exit] = both([interval.enter, interval.exit], |feature| prepared.crossing(part, feature));
            let clear = (exit.time - 1.0).abs() > exit.error && !prepared.is_point();
            let to_the_end = if clear { exit.time > 1.0 } else { prepared.end_relation(part) != Relation::Apart };
            ahead.push(PartInterval { number, part, interval, enter, exit, to_the_end });
        }
        1.0
    });
    sort_cold(&mut ahead, |s, t| s.begin().total_cmp(&t.begin()).then(s.number.cmp(&t.number)));
    let (joined, beyond) = joined(prepared, ahead);
    let last = joined.iter().reduce(|last, next| {
        let order = next.until().total_cmp(&last.until()).then(last.number.cmp(&next.number));
        if order == Ordering::Greater { next } else { last }
    })?;
    if last.to_the_end && ends_within(prepared, &joined) {
        return None;
    }
    let (time, exit) = (last.until(), last.exit);
    let is_there = |one: &PartInterval<'_>| {
        one.enter.time - one.enter.error - exit.error <= time && time <= one.exit.time + one.exit.error + exit.error
    };
    let is_shared = (time - exit.time).abs() > exit.error
        || surface::is_at_end(prepared, last.part, &exit)
        || joined.iter().chain(&beyond).any(|one| one.number != last.number && is_there(one));
    let (number, exit) = if is_shared && !prepared.is_point() {
        surface::on_boundary(prepared, placed, (last.number, exit), time, prepared.direction())
    } else {
        (last.number, exit)
    };
    Some(hit(prepared, time, &exit, (number, placed.part(number))))
}

/// Splits the parts into those that the ray passes one after another from its start, and the
/// others. Input is sorted by entry time.
fn joined<'a>(
    prepared: &PreparedRay,
    mut ahead: Vec<PartInterval<'a>>,
) -> (Vec<PartInterval<'a>>, Vec<PartInterval<'a>>) {
    let mut joined: Vec<PartInterval<'_>> = Vec::new();
    // A part that seems to begin too late may still be connected: rounding may have changed the
    // order.
    loop {
        let before = joined.len();
        let mut later = Vec::new();
        for next in ahead {
            if next.interval.starts_inside || joined.iter().rev().any(|one| continues(prepared, one, &next)) {
                joined.push(next);
            } else {
                later.push(next);
            }
        }
        if joined.len() == before {
            return (joined, later);
        }
        ahead = later;
    }
}

/// Returns true if the ray continues in the other part at the exit of the first.
fn continues(prepared: &PreparedRay, one: &PartInterval<'_>, other: &PartInterval<'_>) -> bool {
    let (exit, enter) = (&one.exit, &other.enter);
    if one.to_the_end {
        return true;
    }
    if (exit.time - enter.time).abs() > exit.error + enter.error {
        return exit.time > enter.time;
    }
    let round = prepared.radius + one.part.convex.radius > 0.0 || prepared.radius + other.part.convex.radius > 0.0;
    round || share_edge(one, other) || continues_exactly(prepared, one.part, other.part)
}

/// Returns true if the ray passes through an edge that both parts share.
fn share_edge(one: &PartInterval<'_>, other: &PartInterval<'_>) -> bool {
    let (BoundaryFeature::Edge(i), BoundaryFeature::Edge(j)) = (one.interval.exit, other.interval.enter) else {
        return false;
    };
    let ends = |part: Part<'_>, edge: usize| [part.placed(edge), part.placed(part.convex.next(edge))];
    let [a, b] = ends(one.part, i);
    ends(other.part, j) == [b, a]
}

/// Decides from exact positions whether the interval of the second part begins before that of the
/// first ends.
#[cold]
fn continues_exactly(prepared: &PreparedRay, one: Part<'_>, other: Part<'_>) -> bool {
    let ray = Segment { p: prepared.origin, q: prepared.end };
    match (ray.within(&placed_hull(one)), ray.within(&placed_hull(other))) {
        (Some([_, exit]), Some([enter, _])) => ray.compare(enter, exit) != Ordering::Greater,
        _ => false,
    }
}

/// Returns true if the ray ends in the interior of the union. If rounded parts only touch at the
/// end, it counts as boundary.
fn ends_within(prepared: &PreparedRay, joined: &[PartInterval<'_>]) -> bool {
    if joined.iter().any(|one| one.to_the_end && prepared.end_relation(one.part) == Relation::Overlapping) {
        return true;
    }
    let hulls = filter_mapped(joined, |one| {
        let is_sharp = prepared.radius + one.part.convex.radius == 0.0;
        (one.to_the_end && is_sharp).then(|| placed_hull(one.part))
    });
    surrounded(prepared.end, &mapped(&hulls, |hull| &hull[..]))
}

/// Returns a hit from inside.
fn hit(prepared: &PreparedRay, time: f64, exit: &Crossing, (number, part): (u32, Part<'_>)) -> RayHit {
    let time = if prepared.is_point() { 0.0 } else { time };
    RayHit {
        time,
        point: prepared.at(time) - exit.normal * prepared.radius,
        normal: DVec2::ZERO - exit.normal,
        part: number,
        feature: exit.feature_of(part),
    }
}
