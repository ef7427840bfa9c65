//! Computes the shortest translation (MTV) that moves parts without area out of a union that they
//! overlap.
//!
//! Input: the moving parts and the parts of the union. Output: a manifold. A translation is free if
//! it lies in no Minkowski difference of a moving part and a part of the union. These differences
//! are convex hulls with a radius. The shortest free translation ends on an edge, on an arc, or at
//! an intersection of two of these curves.
//!
//! ```text
//! candidates = points of each boundary curve closest to the origin; then intersections of pairs of curves
//! for each candidate, shortest first
//!     if it is deep inside a difference: continue
//!     if the exact predicate confirms it: return it
//! ```
//!
//! The MTV of a single pair of parts does not suffice: each pair only touches, so its depth is 0.
//!
//! Candidates are rounded. So the predicate tests a point slightly beyond each of them. Parts of
//! the union that are farther away than the result do not matter. The search starts with the near
//! parts and repeats with a larger distance.
//!
//! The simple candidates, the closest points of single curves, are tested first. They are few, and
//! one of them is the result in most cases. Its length limits the second set, the intersections:
//! only curves closer than that matter. Pairs of them are found by a sweep over their bounding
//! boxes along x.
//!
//! At a reflex vertex of the union, the direction of the translation itself can be blocked. Then a
//! direction toward an opening between the curves is tried. It differs from the translation by at
//! most 1e-9 of its length.

use alloc::vec::Vec;
use core::ops::ControlFlow::Continue;

use glam::DVec2;

use super::{Passage, TouchingParts};
use crate::math::aabb::Aabb;
use crate::math::both::both;
use crate::math::lists::{filter_mapped, mapped};
use crate::math::pose::Pose;
use crate::math::ring::edges;
use crate::math::sort::{sort_cold, sort_numbers, sort_pairs};
use crate::math::vector::{MIN_SUBNORMAL, UNIT_ROUNDOFF, cross, length, length_and_direction, norm1, sqrt, unit};
use crate::pair_result::{ContactId, ContactPoint, Feature, Manifold, Margin};
use crate::query::dual_traversal::for_each_near_part;
use crate::query::pair::Pair;
use crate::query::union_boundary::sub_segment::{foot, hull_points};
use crate::query::{convex_pair, fast_path};
use crate::shape::Placed;
use crate::shape::part::Part;

/// After this number of blocked candidates, those within rounding of a blocked one count as blocked.
const MAX_EXACT_BLOCKED: usize = 64;

/// A translation out of the union, with the union part and the moving part that then touch.
struct Exit {
    /// Unit direction. May differ from the translation's direction by 1e-9 of its length.
    direction: DVec2,
    /// Displacement of the moving parts.
    translation: DVec2,
    /// Length of the translation.
    depth: f64,
    /// Indices of the union part and of the moving part.
    pair: [usize; 2],
}

/// Returns the contact of a passage: the MTV of its parts, which touch the union after that translation.
pub(super) fn manifold(contacts: &TouchingParts<'_>, passage: &Passage, placed: [Placed<'_>; 2]) -> Manifold {
    let side = passage.side;
    let moving = mapped(&passage.members, |&i| contacts.sides[side][i].part);
    let (numbers, still, exit) = shortest_translation(&moving, placed[1 - side]);
    let number = |(side, index): (usize, usize)| contacts.sides[side][index].number;
    let mut pairs = mapped(&contacts.pairs_in(passage), |&[i, j]| both([(0, i), (1, j)], number));
    sort_pairs(&mut pairs);
    let mut parts = [numbers[exit.pair[0]]; 2];
    parts[side] = number((side, passage.members[exit.pair[1]]));
    if !pairs.contains(&parts) {
        parts = pairs.first().copied().unwrap_or([0; 2]);
    }
    let found = of_exit(still[exit.pair[0]], moving[exit.pair[1]], &exit);
    if side == 1 { found.of_parts(parts) } else { found.flipped().of_parts(parts) }
}

/// Returns the contact after the translation, with the moving part moved back. The union's part comes first.
fn of_exit(still: Part<'_>, moving: Part<'_>, exit: &Exit) -> Manifold {
    let (normal, depth) = (exit.direction, exit.depth.max(MIN_SUBNORMAL));
    let moved = Part { pose: moved(moving.pose, exit.translation), ..moving };
    let pair = Pair::new(still, moved);
    let back = |p: &ContactPoint| ContactPoint { on_b: p.on_b - exit.translation, depth, ..*p };
    let at_end = fast_path::contact_of_parts(still, moved, Margin::rounded(4.0 * pair.rounding.separation()));
    match at_end.as_ref().map(Manifold::points) {
        Some([p, q]) => Manifold::of(normal, depth, [back(p), back(q)], 2),
        Some([p, ..]) => Manifold::one(normal, depth, back(p)),
        _ => {
            let nearest = convex_pair::distance(still, moved);
            let id = ContactId { a: Feature::Vertex(0), b: Feature::Vertex(0) };
            let point = ContactPoint { on_a: nearest.point_a, on_b: nearest.point_b, depth, id };
            Manifold::one(normal, depth, back(&point))
        }
    }
}

/// Returns a pose after a translation; the same pose if it would leave the range.
fn moved(pose: Pose, translation: DVec2) -> Pose {
    pose.with_translation(pose.translation() + translation).unwrap_or(pose)
}

/// Returns the MTV of some parts out of a shape, with the considered parts of the shape and their indices.
fn shortest_translation<'a>(moving: &[Part<'_>], from: Placed<'a>) -> (Vec<u32>, Vec<Part<'a>>, Exit) {
    let mut max_distance = 0.0;
    loop {
        let numbers = near(moving, from, max_distance);
        let still = mapped(&numbers, |&i| from.part(i));
        let exit = Differences::new(&still, moving).exit();
        let far = exit.depth;
        // Parts farther away than the length of the translation do not matter.
        if far <= max_distance || numbers.len() == from.shape().part_count() {
            return (numbers, still, exit);
        }
        max_distance = far * 1.5;
    }
}

/// Returns the indices of the parts of a shape whose distance from some parts may be at most `max_distance`.
fn near(moving: &[Part<'_>], from: Placed<'_>, max_distance: f64) -> Vec<u32> {
    let mut numbers = Vec::new();
    for &part in moving {
        for_each_near_part(from, part, max_distance, &mut |number, _| {
            numbers.push(number);
            Continue(())
        });
    }
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// The translations for which a moving part intersects a part of the union: a hull and a radius.
struct PartDifference {
    /// Vertices of the hull, counter-clockwise.
    hull: Vec<DVec2>,
    /// The radius of the union part; the moving part has none.
    radius: f64,
    /// Bounding box: minimum and maximum.
    bounds: Aabb,
    /// Indices of the union part and of the moving part.
    pair: [usize; 2],
}

/// A piece of the boundary of a difference.
#[derive(Clone, Copy)]
enum DifferenceCurve {
    /// A segment between two points.
    Line([DVec2; 2]),
    /// A circle about a vertex; the whole circle is used, because its hidden pieces are inside the
    /// difference.
    Circle(DVec2, f64),
}

/// The Minkowski differences of all pairs of a union part and a moving part.
struct Differences<'s, 'a, 'm, 'b> {
    /// The parts of the union.
    still: &'s [Part<'a>],
    /// The parts without area.
    moving: &'m [Part<'b>],
    /// One difference per pair.
    all: Vec<PartDifference>,
    /// Tolerance: points at most this deep in a difference may be on its boundary.
    tolerance: f64,
    /// Bound of the rounding error of placed parts.
    rounding: f64,
}

impl<'s, 'a, 'm, 'b> Differences<'s, 'a, 'm, 'b> {
    /// Computes all differences and the tolerances.
    fn new(still: &'s [Part<'a>], moving: &'m [Part<'b>]) -> Self {
        let (mut all, mut slack, mut largest) = (Vec::new(), 0.0_f64, 0.0_f64);
        for (i, &p) in still.iter().enumerate() {
            for (j, &q) in moving.iter().enumerate() {
                slack = slack.max(Pair::new(p, q).rounding.separation());
                let mut points = Vec::new();
                for u in p.points() {
                    for v in q.points() {
                        largest = largest.max(norm1(u)).max(norm1(v));
                        points.push(u - v);
                    }
                }
                let (radius, hull) = (p.convex.radius, hull_points(&points));
                let bounds = Aabb::of_points(&hull).grown(radius);
                all.push(PartDifference { hull, radius, bounds, pair: [i, j] });
            }
        }
        Self { still, moving, all, tolerance: slack, rounding: 32.0 * UNIT_ROUNDOFF * largest }
    }

    /// Returns the shortest confirmed translation to the boundary of the union of all differences.
    fn exit(&self) -> Exit {
        let mut curves: Vec<(usize, DifferenceCurve)> = Vec::new();
        for (i, difference) in self.all.iter().enumerate() {
            curves.append(&mut mapped(difference.curves(), |curve| (i, curve)));
        }
        let feet = mapped(&curves, |(i, curve)| (curve.foot(), *i));
        let best = self.nearest(feet, f64::INFINITY);
        let limit = best.as_ref().map_or(f64::INFINITY, |exit| exit.depth);
        let mut within = filter_mapped(curves.iter().enumerate(), |(k, (_, curve))| {
            (length(curve.foot()) < limit).then(|| (k, curve.bounds(self.tolerance)))
        });
        sort_cold(&mut within, |p, q| p.1.min().x.total_cmp(&q.1.min().x));
        let mut pairs = Vec::new();
        for (i, (k, bounds)) in within.iter().enumerate() {
            let others = &within[i + 1..];
            let count = others.partition_point(|(_, other)| other.min().x <= bounds.max().x);
            pairs.append(&mut filter_mapped(&others[..count], |(l, other)| {
                let crosses = curves[*l].0 != curves[*k].0 && bounds.intersects(other);
                crosses.then(|| [*k.min(l), *k.max(l)])
            }));
        }
        sort_cold(&mut pairs, Ord::cmp);
        let mut crossings = Vec::new();
        for [k, l] in pairs {
            let (i, curve) = &curves[k];
            crossings.append(&mut mapped(curve.crossings(&curves[l].1), |crossing| (crossing, *i)));
        }
        self.nearest(crossings, limit).or(best).unwrap_or(Exit {
            direction: DVec2::X,
            translation: DVec2::ZERO,
            depth: 0.0,
            pair: [0; 2],
        })
    }

    /// Returns the shortest of some translations that leads out; `None` if none is shorter than `limit`.
    fn nearest(&self, mut translations: Vec<(DVec2, usize)>, limit: f64) -> Option<Exit> {
        translations.retain(|&(translation, _)| length(translation) < limit);
        sort_cold(&mut translations, |p, q| length(p.0).total_cmp(&length(q.0)));
        // Consecutive candidates often end in the same difference.
        let (mut last, mut blocked) = (0, Vec::<DVec2>::new());
        for (translation, i) in translations {
            // Along a row of many seams, many candidates differ only by rounding.
            let alike = if blocked.len() > MAX_EXACT_BLOCKED { self.tolerance } else { 0.0 };
            if blocked.iter().any(|point| (point - translation).abs().max_element() <= alike) {
                continue;
            }
            let is_deep = |i: usize| self.all[i].depth_of(translation) > self.tolerance;
            if is_deep(last) {
                continue;
            }
            if let Some(within) = (0..self.all.len()).find(|&i| is_deep(i)) {
                last = within;
            } else if let Some(direction) = self.direction(translation) {
                return Some(Exit { direction, translation, depth: length(translation), pair: self.all[i].pair });
            } else {
                blocked.push(translation);
            }
        }
        None
    }

    /// Returns a unit direction that leads out of the union slightly beyond the translation; `None` if all are blocked.
    ///
    /// At a reflex vertex the straight direction may be blocked, or follow an edge. Then the direction leans toward an
    /// opening, by at most the length that is added to the translation.
    fn direction(&self, translation: DVec2) -> Option<DVec2> {
        let (far, straight) = length_and_direction(translation, DVec2::X);
        let more = far * 1e-9 + self.rounding;
        let (end, aside) = (straight * (far + more), straight.perp() * self.rounding);
        let is_out = self.is_out(end);
        // If the direction follows an edge, rounding would decide.
        if is_out && self.is_out(end + aside) && self.is_out(end - aside) {
            return Some(straight);
        }
        for opening in self.openings(translation, straight) {
            let leaning = unit(translation + opening * (more / opening.dot(straight)));
            if leaning.is_some_and(|direction| self.is_out(direction * (far + more))) {
                return leaning;
            }
        }
        is_out.then_some(straight)
    }

    /// Returns the bisectors between directions in which curves leave a point, if they lead forward.
    fn openings(&self, point: DVec2, straight: DVec2) -> Vec<DVec2> {
        let mut angles = Vec::new();
        for part in &self.all {
            for curve in part.curves() {
                for leaving in curve.leaving(point, 4.0 * self.tolerance).into_iter().flatten() {
                    angles.push(libm::atan2(cross(straight, leaving), straight.dot(leaving)));
                }
            }
        }
        sort_numbers(&mut angles);
        angles.dedup_by(|p, q| (*p - *q).abs() < 1e-9);
        filter_mapped(angles.windows(2), |pair| {
            let (sin, cos) = libm::sincos((pair[0] + pair[1]) * 0.5);
            (cos > 1e-3).then(|| straight * cos + straight.perp() * sin)
        })
    }

    /// Returns true if the moving parts do not overlap the union after a translation. Exact.
    fn is_out(&self, translation: DVec2) -> bool {
        let there = mapped(self.moving, |part| Part { pose: moved(part.pose, translation), ..*part });
        TouchingParts::of_parts([self.still, &there]).is_some_and(|contacts| contacts.passages().is_empty())
    }
}

impl PartDifference {
    /// Returns the pieces of the boundary: edges moved outward by the radius, and circles about the
    /// vertices.
    fn curves(&self) -> Vec<DifferenceCurve> {
        let mut curves = mapped(edges(&self.hull), |[p, q]| {
            let shift = outward(p, q) * self.radius;
            DifferenceCurve::Line([p + shift, q + shift])
        });
        if self.radius > 0.0 || self.hull.len() == 1 {
            curves.append(&mut mapped(&self.hull, |&vertex| DifferenceCurve::Circle(vertex, self.radius)));
        }
        curves
    }

    /// Returns the depth of a point in the difference, below 0 if it is outside; −∞ outside the bounding box.
    fn depth_of(&self, point: DVec2) -> f64 {
        if !self.bounds.contains_point(point) {
            return f64::NEG_INFINITY;
        }
        let mut height = f64::NEG_INFINITY;
        for [p, q] in edges(&self.hull) {
            height = height.max(outward(p, q).dot(point - p));
        }
        if height < 0.0 && self.hull.len() > 2 {
            return self.radius - height;
        }
        let mut distance = self.hull.first().map_or(f64::INFINITY, |&vertex| length(vertex - point));
        for [p, q] in edges(&self.hull) {
            distance = distance.min(length(foot(p, q, point) - point));
        }
        self.radius - distance
    }
}

/// Returns the outward unit normal of an edge of a counter-clockwise hull.
fn outward(p: DVec2, q: DVec2) -> DVec2 {
    unit(DVec2::new(q.y - p.y, p.x - q.x)).unwrap_or(DVec2::X)
}

impl DifferenceCurve {
    /// Returns the curve's point closest to the origin.
    fn foot(&self) -> DVec2 {
        match *self {
            Self::Line([p, q]) => foot(p, q, DVec2::ZERO),
            Self::Circle(center, radius) => {
                let (far, direction) = length_and_direction(center, DVec2::NEG_X);
                direction * (far - radius)
            }
        }
    }

    /// Returns the directions in which the curve leaves a point, if its distance is at most `margin`.
    fn leaving(&self, point: DVec2, margin: f64) -> [Option<DVec2>; 2] {
        match *self {
            Self::Line([p, q]) if length(foot(p, q, point) - point) <= margin => {
                both([p, q], |end| if length(end - point) > margin { unit(end - point) } else { None })
            }
            Self::Circle(center, radius) if (length(point - center) - radius).abs() <= margin => {
                let along = unit(point - center).map(DVec2::perp);
                [along, along.map(|along| -along)]
            }
            _ => [None; 2],
        }
    }

    /// Returns the bounding box, grown by `margin`.
    fn bounds(&self, margin: f64) -> Aabb {
        match self {
            Self::Line(ends) => Aabb::of_points(ends).grown(margin),
            Self::Circle(center, radius) => Aabb::at(*center).grown(radius + margin),
        }
    }

    /// Returns the rounded intersections with another curve.
    fn crossings(&self, other: &Self) -> Vec<DVec2> {
        match (*self, *other) {
            (Self::Line([p, q]), Self::Line([r, s])) => {
                let (d, e) = (q - p, s - r);
                let (along, whole) = (cross(r - p, e), cross(d, e));
                let fraction = along / whole;
                let is_on = (0.0..=1.0).contains(&fraction) && (0.0..=1.0).contains(&(cross(r - p, d) / whole));
                if is_on { [p + d * fraction].into() } else { Vec::new() }
            }
            (Self::Line([p, q]), Self::Circle(center, radius)) | (Self::Circle(center, radius), Self::Line([p, q])) => {
                let (long, along) = length_and_direction(q - p, DVec2::X);
                let middle = along.dot(center - p);
                let height = length(p + along * middle - center);
                let half = sqrt((radius * radius - height * height).max(0.0));
                let is_on = |t: f64| height <= radius && (0.0..=long).contains(&t);
                filter_mapped(&[middle - half, middle + half], |&t| is_on(t).then(|| p + along * t))
            }
            (Self::Circle(p, radius), Self::Circle(q, other)) => {
                let (far, along) = length_and_direction(q - p, DVec2::X);
                let middle = (far * far + radius * radius - other * other) / (2.0 * far);
                let square = radius * radius - middle * middle;
                if !(square >= 0.0 && far > 0.0) {
                    return Vec::new();
                }
                let half = along.perp() * sqrt(square);
                [p + along * middle + half, p + along * middle - half].into()
            }
        }
    }
}
