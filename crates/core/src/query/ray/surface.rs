//! Finds the side of a union that a ray crosses at a point of several parts.
//!
//! Input: a point of the ray, its direction, and the parts near the point. Output: a side of the
//! union's boundary. Source: neighbourhoods of boundary evaluation (Requicha and Voelcker 1985).
//!
//! A part alone does not know which of its sides other parts hide. Each part fills a sector around
//! the point, and the ray comes through a gap between the sectors. Only the two sides along that
//! gap are boundary:
//!
//! ```text
//! for each part near the point: add the sectors that it fills
//! sort the sectors by angle; gaps = angles that no sector covers
//! return a side of the gap that contains the ray's direction: the given side if it is one, else the first
//! ```
//!
//! A smooth part, with a radius far above the tolerance, fills the half-plane behind its tangent.
//! Angles are compared by a monotonic function of the sine and the cosine, so no arc tangent is
//! needed.

use alloc::vec::Vec;
use core::cmp::Ordering;
use core::ops::ControlFlow::Continue;

use glam::DVec2;

use super::convex::circle_at;
use super::prepared::{Crossing, PreparedRay};
use crate::math::both::both;
use crate::math::sort::sort_cold;
use crate::math::vector::{cross, norm1, unit};
use crate::pair_result::Feature;
use crate::query::convex_pair::unlimited;
use crate::query::dual_traversal::visit_near;
use crate::query::feature_pair::FeaturePair;
use crate::query::pair::Pair;
use crate::query::separation::at_features;
use crate::shape::part::Part;
use crate::shape::{Placed, Shape};

/// Directions with a smaller angle between them count as equal.
const SAME: f64 = 1e-12;

/// Outward normals of one part with a smaller difference belong to one side.
const SAME_SIDE: f64 = 1e-6;

/// A full turn in the units of [`angle`].
const TURN: f64 = 4.0;

/// A part counts as smooth if its radius is above this number of tolerances.
const SMOOTH: f64 = 64.0;

/// A side of a part near a point.
#[derive(Clone, Copy)]
struct PartSide {
    /// Index of the part.
    part: u32,
    /// Hull vertex or edge, by the part's numbers.
    feature: Feature,
    /// Outward unit normal.
    normal: DVec2,
}

/// Sector that a part fills around a point, counter-clockwise. Angles are measured from the direction out of the union.
#[derive(Clone)]
struct AngleSector {
    /// Angle at which the sector begins, and the side there.
    from: (f64, PartSide),
    /// Angle at which the sector ends, and the side there.
    to: (f64, PartSide),
}

/// Part that a ray crosses at a point, by its index, with the crossing.
pub(super) type Through = (u32, Crossing);

/// Maximum distance of a side that is counted for a point.
pub(super) fn tolerance(prepared: &PreparedRay, part: &Part<'_>) -> f64 {
    4.0 * prepared.error_bound(part)
}

/// Returns true if the ray hits an edge at one of its ends. Another part may hide the edge up to there.
pub(super) fn is_at_end(prepared: &PreparedRay, part: Part<'_>, crossing: &Crossing) -> bool {
    let Some(Feature::Edge(edge)) = crossing.feature else { return false };
    let (edge, point) = (edge as usize, prepared.at(crossing.time));
    let distance = tolerance(prepared, &part) + prepared.radius + part.convex.radius;
    [edge, part.convex.next(edge)].into_iter().any(|vertex| norm1(part.placed(vertex) - point) <= 2.0 * distance)
}

/// Replaces the side that a ray crosses by one of the union's boundary. `out` leads out of the
/// union: against the ray at an entry, along it at an exit.
#[cold]
pub(super) fn on_boundary(
    prepared: &PreparedRay,
    placed: Placed<'_>,
    found: Through,
    time: f64,
    out: DVec2,
) -> Through {
    let mut near = NearbySectors::new(prepared, placed.part(found.0), time, out);
    let (circle, pose) = circle_at(near.point, prepared.radius + near.tolerance);
    visit_near(placed, Shape::from(circle).placed(pose), 0.0, &mut |(number, part), _| {
        near.add(number, part);
        Continue(())
    });
    near.sides_for(found)
}

/// Does the same as [`on_boundary`] for a convex shape that a ray leaves.
#[cold]
pub(super) fn on_boundary_of_part(prepared: &PreparedRay, part: Part<'_>, crossing: Crossing, time: f64) -> Crossing {
    let mut near = NearbySectors::new(prepared, part, time, prepared.direction());
    near.add(0, part);
    near.sides_for((0, crossing)).1
}

/// The sectors of all parts near a point.
struct NearbySectors<'a> {
    /// The ray.
    prepared: &'a PreparedRay,
    point: DVec2,
    /// Unit direction out of the union.
    out: DVec2,
    /// Distance up to which a side is counted.
    tolerance: f64,
    /// The sectors found so far.
    sectors: Vec<AngleSector>,
}

impl<'a> NearbySectors<'a> {
    /// Prepares a point of the ray.
    fn new(prepared: &'a PreparedRay, part: Part<'_>, time: f64, out: DVec2) -> Self {
        Self { prepared, point: prepared.at(time), out, tolerance: tolerance(prepared, &part), sectors: Vec::new() }
    }

    /// Returns a side of the boundary: the given one if it is boundary, else the first one.
    fn sides_for(self, found: Through) -> Through {
        let (number, crossing) = found;
        let is_found =
            |side: &PartSide| side.part == number && (side.normal - crossing.normal).abs().max_element() <= SAME_SIDE;
        let sides = sides_of_gap(self.sectors, self.out);
        if sides.iter().any(is_found) {
            return found;
        }
        let order = |p: &&PartSide, q: &&PartSide| (p.part, p.feature).cmp(&(q.part, q.feature));
        let replaced =
            |side: &PartSide| (side.part, Crossing { normal: side.normal, feature: Some(side.feature), ..crossing });
        sides.iter().min_by(order).map_or(found, replaced)
    }

    /// Adds the sectors of a part.
    fn add(&mut self, number: u32, part: Part<'_>) {
        let tolerance = self.tolerance.max(tolerance(self.prepared, &part));
        let radius = self.prepared.radius + part.convex.radius;
        if radius > SMOOTH * tolerance {
            self.sectors.extend(self.half_plane(number, part, radius, tolerance));
        } else {
            self.add_sectors(number, part, radius + tolerance);
        }
    }

    /// Returns the sector of a smooth part: the half-plane behind its tangent.
    fn half_plane(&self, number: u32, part: Part<'_>, radius: f64, tolerance: f64) -> Option<AngleSector> {
        let (point, pose) = circle_at(self.point, 0.0);
        let pair = Pair::new(part, Part { convex: &point, pose });
        let features = unlimited(&pair);
        let feature = match features {
            FeaturePair::Vertices([vertex, _]) => Feature::Vertex(vertex as u32),
            FeaturePair::EdgeVertex(side) => Feature::Edge(side.edge as u32),
        };
        let found = at_features(&pair, features);
        let side = PartSide { part: number, feature, normal: found.normal };
        let at = |direction: DVec2| (angle(self.out, direction), side);
        ((found.distance - radius).abs() <= 2.0 * tolerance)
            .then(|| AngleSector { from: at(found.normal.perp()), to: at(-found.normal.perp()) })
    }

    /// Returns the sectors of a part with vertices. There is one around a vertex or behind an edge.
    /// There are two for a line, or if the part is thinner than `distance`.
    fn add_sectors(&mut self, number: u32, part: Part<'_>, distance: f64) {
        let (mut from, mut to) = (Vec::new(), Vec::new());
        for edge in 0..part.convex.edge_count() {
            let ends = both([part.placed(edge), part.placed(part.convex.next(edge))], |end| end - self.point);
            let Some(along) = unit(ends[1] - ends[0]) else { continue };
            let [behind, ahead] = both(ends, |end| end.dot(along));
            if cross(ends[0], along).abs() > distance || behind > distance || ahead < -distance {
                continue;
            }
            let normal = part.pose.rotate_vector(part.convex.normal(edge));
            let side = PartSide { part: number, feature: Feature::Edge(edge as u32), normal };
            if ahead > distance {
                from.push((angle(self.out, along), side));
            }
            if behind < -distance {
                to.push((angle(self.out, -along), side));
            }
        }
        let turn = |start: f64, end: f64| if end - start < -SAME { end - start + TURN } else { end - start };
        for start in from {
            let nearest = to.iter().min_by(|p, q| turn(start.0, p.0).total_cmp(&turn(start.0, q.0)));
            self.sectors.extend(nearest.map(|&to| AngleSector { from: start, to }));
        }
    }
}

/// Returns the sides along the gap between sectors that contains direction 0, if they face it.
/// Without such a gap: those of all gaps that face it.
fn sides_of_gap(mut sectors: Vec<AngleSector>, out: DVec2) -> Vec<PartSide> {
    sort_cold(&mut sectors, |s, t| s.from.0.total_cmp(&t.from.0));
    let end_of = |sector: &AngleSector| sector.to.0 + if sector.to.0 < sector.from.0 - SAME { TURN } else { 0.0 };
    // The last sectors may extend past angle 0.
    let mut reached = sectors.iter().fold(f64::NEG_INFINITY, |reached, sector| reached.max(end_of(sector))) - TURN;
    let mut gaps = Vec::new();
    for sector in &sectors {
        if sector.from.0 > reached + SAME {
            gaps.push([reached, sector.from.0]);
        }
        reached = reached.max(end_of(sector));
    }
    let contains_direction = |gap: &&[f64; 2]| [0.0, TURN].iter().any(|&at| gap[0] <= at + SAME && at <= gap[1] + SAME);
    if let Some(&gap) = gaps.iter().find(contains_direction) {
        gaps = [gap].into();
    }
    let is_one = |p: f64, q: f64| ((p - q).abs() % TURN).min(TURN - (p - q).abs() % TURN) <= SAME;
    let mut sides = Vec::new();
    for sector in &sectors {
        // The sides where a gap begins and where one ends.
        for (end, (angle, side)) in [(0, sector.to), (1, sector.from)] {
            if gaps.iter().any(|gap| is_one(gap[end], angle)) && side.normal.dot(out) > -SAME {
                sides.push(side);
            }
        }
    }
    sides
}

/// Returns a monotonic measure of the counter-clockwise angle from one unit vector to another, in 0
/// ..= [`TURN`]. It is accurate for all angles, but not proportional.
fn angle(from: DVec2, to: DVec2) -> f64 {
    let (x, y) = (from.dot(to), cross(from, to));
    let fraction = y.abs() / (x.abs() + y.abs());
    match (x.partial_cmp(&0.0), y < 0.0) {
        (Some(Ordering::Less), false) => 2.0 - fraction,
        (Some(Ordering::Less), true) => 2.0 + fraction,
        (_, false) => fraction,
        (_, true) => 4.0 - fraction,
    }
}
