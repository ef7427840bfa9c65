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
use super::bvh_traversal::march;
use super::prepared::{BoundaryFeature, Crossing, PreparedRay, RayInterval};
use super::surface;
use crate::math::both::both;
use crate::math::sort::sort_cold;
use crate::pair_result::Relation;
use crate::query::union_boundary::sub_segment::{Segment, placed_hull, surrounded};
use crate::shape::Placed;
use crate::shape::part::Part;

/// Returns the exit of a ray that starts in a convex part.
pub(super) fn convex(probe: &PreparedRay, part: Part<'_>, passage: &RayInterval) -> Option<RayHit> {
    let relation = probe.end_relation(part);
    if relation == Relation::Overlapping {
        return None;
    }
    let exit = probe.crossing(part, passage.exit);
    let ends_on_it = relation == Relation::Touching;
    let time = if ends_on_it { 1.0 } else { exit.time_within(0.0, 1.0_f64.next_down()) };
    // Parallel to a side the ray leaves later, through another side.
    let is_later = ends_on_it && !probe.is_point() && (exit.time - 1.0).abs() > exit.error;
    let exit = if is_later { surface::on_boundary_of_part(probe, part, exit, time) } else { exit };
    Some(hit(probe, time, &exit, (0, part)))
}

/// A part that the ray passes through.
#[derive(Clone, Copy)]
struct PartInterval<'a> {
    number: u32,
    part: Part<'a>,
    passage: RayInterval,
    enter: Crossing,
    exit: Crossing,
    /// True if the ray's end is in the part.
    to_the_end: bool,
}

impl PartInterval<'_> {
    /// Returns the time of the entry. Negative if the part contains the start.
    fn begin(&self) -> f64 {
        if self.passage.starts_inside { -1.0 } else { self.enter.time }
    }

    fn until(&self) -> f64 {
        if self.to_the_end { 1.0 } else { self.exit.time_within(0.0, 1.0_f64.next_down()) }
    }
}

/// Returns the exit of a ray that starts in one of many parts from their union.
pub(super) fn composite(probe: &PreparedRay, placed: Placed<'_>) -> Option<RayHit> {
    let mut ahead = Vec::new();
    march(probe, placed, &mut |number, part| {
        if let Some(passage) = probe.through(part) {
            let [enter, exit] = both([passage.enter, passage.exit], |gate| probe.crossing(part, gate));
            let clear = (exit.time - 1.0).abs() > exit.error && !probe.is_point();
            let to_the_end = if clear { exit.time > 1.0 } else { probe.end_relation(part) != Relation::Apart };
            ahead.push(PartInterval { number, part, passage, enter, exit, to_the_end });
        }
        1.0
    });
    sort_cold(&mut ahead, |s, t| s.begin().total_cmp(&t.begin()).then(s.number.cmp(&t.number)));
    let (joined, beyond) = joined(probe, ahead);
    let last = joined.iter().reduce(|last, next| {
        let order = next.until().total_cmp(&last.until()).then(last.number.cmp(&next.number));
        if order == Ordering::Greater { next } else { last }
    })?;
    if last.to_the_end && ends_within(probe, &joined) {
        return None;
    }
    let (time, exit) = (last.until(), last.exit);
    let is_there = |stay: &PartInterval<'_>| {
        stay.enter.time - stay.enter.error - exit.error <= time && time <= stay.exit.time + stay.exit.error + exit.error
    };
    let is_shared = (time - exit.time).abs() > exit.error
        || surface::is_at_end(probe, last.part, &exit)
        || joined.iter().chain(&beyond).any(|stay| stay.number != last.number && is_there(stay));
    let (number, exit) = if is_shared && !probe.is_point() {
        surface::on_boundary(probe, placed, (last.number, exit), time, probe.direction())
    } else {
        (last.number, exit)
    };
    Some(hit(probe, time, &exit, (number, placed.part(number))))
}

/// Splits the parts into those that the ray passes one after another from its start, and the
/// others. Input is sorted by entry time.
fn joined<'a>(probe: &PreparedRay, mut ahead: Vec<PartInterval<'a>>) -> (Vec<PartInterval<'a>>, Vec<PartInterval<'a>>) {
    let mut joined: Vec<PartInterval<'_>> = Vec::new();
    // A part that seems to begin too late may still be connected: rounding may have changed the
    // order.
    loop {
        let before = joined.len();
        let mut later = Vec::new();
        for stay in ahead {
            if stay.passage.starts_inside || joined.iter().rev().any(|one| goes_on(probe, one, &stay)) {
                joined.push(stay);
            } else {
                later.push(stay);
            }
        }
        if joined.len() == before {
            return (joined, later);
        }
        ahead = later;
    }
}

/// Returns true if the ray continues in the other part at the exit of the first.
fn goes_on(probe: &PreparedRay, one: &PartInterval<'_>, other: &PartInterval<'_>) -> bool {
    let (exit, enter) = (&one.exit, &other.enter);
    if one.to_the_end {
        return true;
    }
    if (exit.time - enter.time).abs() > exit.error + enter.error {
        return exit.time > enter.time;
    }
    let round = probe.radius + one.part.convex.radius > 0.0 || probe.radius + other.part.convex.radius > 0.0;
    round || share_edge(one, other) || goes_exactly_on(probe, one.part, other.part)
}

/// Returns true if the ray passes through an edge that both parts share.
fn share_edge(one: &PartInterval<'_>, other: &PartInterval<'_>) -> bool {
    let (BoundaryFeature::Edge(i), BoundaryFeature::Edge(j)) = (one.passage.exit, other.passage.enter) else {
        return false;
    };
    let ends = |part: Part<'_>, edge: usize| [part.placed(edge), part.placed(part.convex.next(edge))];
    let [a, b] = ends(one.part, i);
    ends(other.part, j) == [b, a]
}

#[cold]
fn goes_exactly_on(probe: &PreparedRay, one: Part<'_>, other: Part<'_>) -> bool {
    let ray = Segment { p: probe.origin, q: probe.end };
    match (ray.within(&placed_hull(one)), ray.within(&placed_hull(other))) {
        (Some([_, exit]), Some([enter, _])) => ray.compare(enter, exit) != Ordering::Greater,
        _ => false,
    }
}

/// Returns true if the ray ends in the interior of the union. If rounded parts only touch at the
/// end, it counts as boundary.
fn ends_within(probe: &PreparedRay, joined: &[PartInterval<'_>]) -> bool {
    let last = joined.iter().filter(|stay| stay.to_the_end);
    if last.clone().any(|stay| probe.end_relation(stay.part) == Relation::Overlapping) {
        return true;
    }
    let sharp = last.filter(|stay| probe.radius + stay.part.convex.radius == 0.0);
    let hulls: Vec<_> = sharp.map(|stay| placed_hull(stay.part)).collect();
    surrounded(probe.end, hulls.iter().map(Vec::as_slice))
}

/// Returns a hit from inside.
fn hit(probe: &PreparedRay, time: f64, exit: &Crossing, (number, part): (u32, Part<'_>)) -> RayHit {
    let time = if probe.is_point() { 0.0 } else { time };
    RayHit {
        time,
        point: probe.at(time) - exit.normal * probe.radius,
        normal: DVec2::ZERO - exit.normal,
        part: number,
        feature: exit.feature_of(part),
    }
}
