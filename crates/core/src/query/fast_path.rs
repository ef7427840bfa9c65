//! Computes relation and contact of the frequent pairs: rectangles, polygons of up to 8 vertices,
//! circles, and contacts of segments or capsules.
//!
//! Input: two convex shapes and their poses. Output: the exact relation or the manifold. Manifolds
//! of pairs without circles equal those of the general path bit for bit. All other pairs call
//! [`convex_pair`].
//!
//! The general path ([`convex_pair`]) computes the same results:
//!
//! ```text
//! best edges by separating axes; then the deciding features; then clipping
//! ```
//!
//! It decides by kind of shape in every step. Here each combination of kinds has code of its own,
//! compiled for a wide instruction set. It covers a vertex above an edge, as most contacts are.
//! Other features and results within the error bound leave for the general or the exact path.

use core::hint::select_unpredictable;

use glam::DVec2;

use super::circles::{self, CircleRectangle};
use super::closest_features::second_is_better;
use super::feature_pair::EdgeVertex;
use super::max_separation::MaxSeparation;
use super::pair::{ErrorBounds, Pair, Relative, is_beyond, relation_of_circles, with_exact_sign};
use super::support::{lowest_of_eight, lowest_of_rectangle};
use super::{capsules, clip, convex_pair, exact, sat};
use crate::math::pose::Pose;
use crate::math::simd::{Simd, SimdKernel, dispatch};
use crate::pair_result::Relation;
use crate::pair_result::{Manifold, Margin};
use crate::shape::convex::convex_view::{ConvexView, RectangleView, SmallPolygonView};
use crate::shape::convex::{Convex, VertexBlock4};
use crate::shape::part::Part;

/// Returns the relation of two parts. Exact.
#[inline(always)]
pub(crate) fn relation_of_parts(a: Part<'_>, b: Part<'_>) -> Relation {
    relation([a.convex, b.convex], [&a.pose, &b.pose])
}

/// Returns the relation of two convex shapes. Exact. Takes references, because a [`Part`] copies the pose.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub(super) fn relation(convexes: [&Convex; 2], poses: [&Pose; 2]) -> Relation {
    let ([a, b], [p, q]) = (convexes, poses);
    if let (Some(half_a), Some(half_b)) = (a.as_rectangle(), b.as_rectangle()) {
        let [of_a, of_b] = sat::of_rectangles(half_a, half_b, Relative::both(p, q));
        return beyond(of_a.separation.max(of_b.separation), a.radius + b.radius, error_bound(convexes, poses))
            .unwrap_or_else(|| of_any(a, b, p, q));
    }
    if let (Some(blocks_a), Some(blocks_b)) = (a.as_small_polygon(), b.as_small_polygon()) {
        return of_small_polygons(a, b, p, q, blocks_a, blocks_b);
    }
    of_others(a, b, p, q)
}

// Not inlined, like the functions below: the registers they save would slow down the short rectangle path.
#[inline(never)]
fn of_small_polygons(
    a: &Convex,
    b: &Convex,
    p: &Pose,
    q: &Pose,
    of_a: &[VertexBlock4; 2],
    of_b: &[VertexBlock4; 2],
) -> Relation {
    let error_bound = error_bound([a, b], [p, q]);
    if let Some(relation) = relation_of_circles([a, b], apart([p, q]), error_bound) {
        return relation;
    }
    let radius = a.radius + b.radius;
    let Some([of_a, of_b]) = sat::of_small_polygons(of_a, of_b, Relative::both(p, q), radius + error_bound) else {
        return Relation::Apart;
    };
    beyond(of_a.separation.max(of_b.separation), radius, error_bound).unwrap_or_else(|| of_any(a, b, p, q))
}

/// Returns the relation of pairs with a circle, and of all other pairs.
#[inline(never)]
fn of_others(a: &Convex, b: &Convex, p: &Pose, q: &Pose) -> Relation {
    if let (Some(center_a), Some(center_b)) = (a.as_point(), b.as_point()) {
        let (a, b) = (a.placed(p), b.placed(q));
        return circles::filtered_relation(&a, &b, center_a, center_b).unwrap_or_else(|| exact::relation(a, b));
    }
    CircleRectangle::new([a, b], [p, q]).map_or_else(|| of_any(a, b, p, q), |closed_form| closed_form.relation())
}

/// Returns the relation by the general path.
#[inline(never)]
fn of_any(a: &Convex, b: &Convex, p: &Pose, q: &Pose) -> Relation {
    convex_pair::relation(a.placed(p), b.placed(q))
}

/// Returns the vector between the origins.
#[inline(always)]
fn apart([p, q]: [&Pose; 2]) -> DVec2 {
    q.translation() - p.translation()
}

/// Returns the error bound of a separation.
#[inline(always)]
fn error_bound(convexes: [&Convex; 2], poses: [&Pose; 2]) -> f64 {
    ErrorBounds::between(convexes, poses, apart(poses)).separation()
}

/// Returns the relation if a separation of the hulls decides it beyond the error bound.
///
/// Above the sum of the radii the shapes are apart. Below 0 they overlap. Compares the distance from the middle of
/// the undecided interval: one branch instead of two, almost always taken, as in
/// [`relation`](super::pair::relation).
#[inline(always)]
fn beyond(separation: f64, radius: f64, error_bound: f64) -> Option<Relation> {
    let middle = 0.5 * radius;
    let from_middle = separation - middle;
    if from_middle.abs() <= middle + error_bound {
        return None;
    }
    Some(if from_middle > 0.0 { Relation::Apart } else { Relation::Overlapping })
}

/// Returns the manifold of two parts; `None` if their distance is greater than the margin.
///
/// Not inlined: otherwise the kernels would be compiled once per caller.
#[inline(never)]
pub(crate) fn contact_of_parts(a: Part<'_>, b: Part<'_>, margin: Margin) -> Option<Manifold> {
    contact([a.convex, b.convex], [&a.pose, &b.pose], margin)
}

/// Returns the manifold of two convex shapes; `None` if their distance is greater than the margin.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub(super) fn contact(convexes: [&Convex; 2], poses: [&Pose; 2], margin: Margin) -> Option<Manifold> {
    let ([a, b], [p, q]) = (convexes, poses);
    if let (Some(of_a), Some(of_b)) = (a.as_rectangle_view(), b.as_rectangle_view()) {
        return dispatch(ContactKernel { convexes, views: [of_a, of_b], poses, margin });
    }
    if let (Some(of_a), Some(of_b)) = (a.as_small_polygon_view(), b.as_small_polygon_view()) {
        return dispatch(ContactKernel { convexes, views: [of_a, of_b], poses, margin });
    }
    if let Some(closed_form) = CircleRectangle::new(convexes, poses) {
        return closed_form.contact(margin);
    }
    if let Ok(found) = capsules::contact(convexes, poses, margin) {
        return found;
    }
    convex_pair::contact(a.placed(p), b.placed(q), margin)
}

/// A convex shape with at most eight hull vertices.
trait SmallShape: ConvexView {
    /// Returns the best edges of both shapes; `None` if one of them separates the hulls by more than `limit`.
    fn best_edges<S: Simd>(
        simd: S,
        views: [Self; 2],
        other_in: [Relative; 2],
        limit: f64,
    ) -> Option<[MaxSeparation; 2]>;
    /// Returns the index of the vertex that is lowest along a direction. Tie: lowest index.
    fn lowest<S: Simd>(self, simd: S, direction: DVec2) -> usize;
    /// If true, the bounding circles are tested first.
    const CIRCLES_FIRST: bool;
}

impl SmallShape for RectangleView<'_> {
    #[inline(always)]
    fn best_edges<S: Simd>(_: S, [a, b]: [Self; 2], other_in: [Relative; 2], limit: f64) -> Option<[MaxSeparation; 2]> {
        let best_edges = sat::of_rectangles(a.half(), b.half(), other_in);
        (best_edges[0].separation.max(best_edges[1].separation) <= limit).then_some(best_edges)
    }

    #[inline(always)]
    fn lowest<S: Simd>(self, _: S, direction: DVec2) -> usize {
        lowest_of_rectangle(direction)
    }

    /// A rectangle test is so short that an additional unpredictable branch would cost more than it saves.
    const CIRCLES_FIRST: bool = false;
}

impl SmallShape for SmallPolygonView<'_> {
    #[inline(always)]
    fn best_edges<S: Simd>(
        simd: S,
        [a, b]: [Self; 2],
        other_in: [Relative; 2],
        limit: f64,
    ) -> Option<[MaxSeparation; 2]> {
        sat::both_sides(simd, a.blocks, b.blocks, other_in, limit)
    }

    #[inline(always)]
    fn lowest<S: Simd>(self, simd: S, direction: DVec2) -> usize {
        lowest_of_eight(simd, self.blocks, direction)
    }

    const CIRCLES_FIRST: bool = true;
}

/// The contact of two shapes of one kind, compiled for wide instruction sets.
struct ContactKernel<'a, O> {
    /// Both shapes.
    convexes: [&'a Convex; 2],
    /// Views of both shapes, specialized by kind.
    views: [O; 2],
    /// Both poses.
    poses: [&'a Pose; 2],
    /// Largest gap of a contact.
    margin: Margin,
}

impl<O: SmallShape> SimdKernel for ContactKernel<'_, O> {
    type Output = Option<Manifold>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Option<Manifold> {
        let Self { convexes, views, poses, margin } = self;
        let ([a, b], [p, q]) = (convexes, poses);
        let apart = apart(poses);
        let rounding = ErrorBounds::between(convexes, poses, apart);
        let radius = a.radius + b.radius;
        let limit = radius + margin.length() + rounding.separation();
        if O::CIRCLES_FIRST && is_beyond(apart, a.bounding_radius + b.bounding_radius + limit) {
            return None;
        }
        let other_in = Relative::both(p, q);
        let best_edges = O::best_edges(simd, views, other_in, limit)?;
        let is_second = second_is_better(best_edges, rounding.length());
        let of = usize::from(is_second);
        let (own, other) = (O::select(is_second, views), O::select(!is_second, views));
        let edge = select_unpredictable(is_second, best_edges[1].edge, best_edges[0].edge);
        let features = EdgeVertex { of, edge, vertex: other.lowest(simd, other_in[of].unrotate(own.normal(edge))) };
        // The deciding vertex is over the edge in most cases.
        if !features.is_over_edge(&other_in[of], [own, other], rounding.position()) {
            return beside(convexes, poses, best_edges, margin);
        }
        let (first, second) = (clip::ClipSide::new(views[0], p, a), clip::ClipSide::new(views[1], q, b));
        let sides =
            [clip::ClipSide::pick(is_second, [first, second]), clip::ClipSide::pick(!is_second, [first, second])];
        let reference = clip::ReferenceEdge::new(simd, sides, features, &rounding);
        let line = reference.facing_line();
        let depth = radius - line.height();
        let depth =
            if depth.abs() > rounding.separation() { depth } else { with_exact_sign(depth, exactly(convexes, poses)) };
        let depth = margin.limit(depth, rounding.separation(), |margin| is_within(convexes, poses, margin))?;
        if reference.is_over(&line) {
            reference.manifold(&line, depth, margin.length())
        } else {
            clip::clip_any(&pair(convexes, poses), features, depth, margin.length())
        }
    }
}

/// Returns the pair for the general path.
#[inline(always)]
fn pair<'a>([a, b]: [&'a Convex; 2], [p, q]: [&Pose; 2]) -> Pair<'a> {
    Pair::new(a.placed(p), b.placed(q))
}

/// Returns the manifold if the deciding vertex is beside the edge.
#[inline(never)]
fn beside(
    convexes: [&Convex; 2],
    poses: [&Pose; 2],
    best_edges: [MaxSeparation; 2],
    margin: Margin,
) -> Option<Manifold> {
    clip::at_best_edges(&pair(convexes, poses), best_edges, margin)
}

/// Returns the relation by the exact predicate.
#[cold]
#[inline(never)]
fn exactly([a, b]: [&Convex; 2], [p, q]: [&Pose; 2]) -> Relation {
    exact::relation(a.placed(p), b.placed(q))
}

#[cold]
#[inline(never)]
fn is_within([a, b]: [&Convex; 2], [p, q]: [&Pose; 2], margin: f64) -> bool {
    exact::is_within(a.placed(p), b.placed(q), margin)
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::query::closest_features::best_edges;
    use crate::shape::Shape;

    /// Random poses, or poses on a grid with quarter and half turns, where edges are parallel and vertices coincide.
    fn pose(rng: &mut fastrand::Rng) -> Pose {
        if rng.bool() {
            return Pose::new([3.0 * rng.f64(), 3.0 * rng.f64()], 7.0 * rng.f64()).unwrap();
        }
        Pose::from_degrees(
            [0.25 * f64::from(rng.i32(0..12)), 0.25 * f64::from(rng.i32(0..12))],
            90.0 * f64::from(rng.i32(0..4)),
        )
        .unwrap()
    }

    fn shape(rng: &mut fastrand::Rng, rectangle: bool) -> Shape {
        let radius = if rng.u8(0..4) == 0 { 0.125 } else { 0.0 };
        if rectangle {
            let size = [0.5, 1.0, 1.0 + rng.f64()].map(|side| side * if rng.bool() { 1.0 } else { 2.0 });
            return Shape::rectangle(size[rng.usize(0..3)], size[rng.usize(0..3)]).unwrap().rounded(radius).unwrap();
        }
        let (count, grid) = (rng.usize(3..9), rng.bool());
        let mut points: Vec<[f64; 2]> = (0..count)
            .map(|i| core::f64::consts::TAU * (i as f64 + 0.6 * rng.f64()) / count as f64)
            .map(|angle| {
                [libm::cos(angle), libm::sin(angle)].map(|x| if grid { libm::round(4.0 * x) / 4.0 } else { x })
            })
            .collect();
        if rng.bool() {
            points.reverse();
        }
        let polygon = Shape::convex_polygon(&points).or_else(|_| Shape::polygon(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]));
        polygon.and_then(|polygon| polygon.rounded(radius)).unwrap()
    }

    /// A segment or capsule, sometimes along an axis.
    fn segment(rng: &mut fastrand::Rng) -> Shape {
        let radius = [0.0, 0.125, 0.5][rng.usize(0..3)];
        let end = match rng.u8(0..3) {
            0 => [0.0, 0.5],
            1 => [0.5, 0.0],
            _ => [rng.f64(), rng.f64() - 0.5],
        };
        Shape::capsule(end.map(|x| -x), end, radius).unwrap()
    }

    #[test]
    fn the_fast_path_agrees_with_the_general_path() {
        let (seed, mut intersecting, mut beside, mut closed) = (27, [0; 4], 0, [0; 2]);
        let mut rng = fastrand::Rng::with_seed(seed);
        for i in 0..120_000 {
            let kind = i % 4;
            let mut shapes = [(); 2].map(|()| shape(&mut rng, kind % 2 == 0));
            if kind >= 2 {
                shapes[rng.usize(0..2)] = segment(&mut rng);
            }
            let (poses, length) = ([(); 2].map(|()| pose(&mut rng)), [0.0, 0.25][rng.usize(0..2)]);
            let margin = Margin::exact(length);
            let [a, b] = [0, 1].map(|i| shapes[i].placed(poses[i]));
            let (Some((p, pose_p)), Some((q, pose_q))) = (a.as_convex(), b.as_convex()) else {
                panic!("convex shapes at seed {seed}")
            };
            let pair = Pair::new(p.placed(pose_p), q.placed(pose_q));
            let common = best_edges(&pair, pair.radius + length + pair.rounding.separation())
                .and_then(|best_edges| clip::at_best_edges(&pair, best_edges, margin));
            let quick = contact([p, q], [pose_p, pose_q], margin);
            if let Ok(found) = capsules::contact([p, q], [pose_p, pose_q], margin) {
                closed[usize::from(found.is_some())] += 1;
            }
            assert_eq!(quick, common, "seed {seed}, pair {i}: {shapes:?} at {poses:?}");
            intersecting[kind] += usize::from(quick.is_some());
            beside += usize::from(quick.is_some_and(|found| found.points().len() == 1));
        }
        assert!(
            intersecting.into_iter().all(|count| count > 5000) && beside > 1000,
            "{intersecting:?} intersect, {beside} in one point"
        );
        assert!(
            closed.into_iter().all(|count| count > 1000),
            "{closed:?} segments apart and in contact in closed form"
        );
    }
}
