//! Answers pair queries of polygons from the edges of their boundaries.
//!
//! Input: two placed shapes. Output: the relation, the distance or a truth value; `None` if a shape is not a polygon
//! without a radius, or if its pose rounds a vertex. Then the caller uses the convex parts.
//!
//! The simple version tests all pairs of convex parts. Two polygons that share a border have thousands of pairs of
//! parts that touch, and each of them needs exact arithmetic. The edges decide with fewer tests:
//!
//! | query | file | decided by |
//! |---|---|---|
//! | `intersects` | [`contact`] | an edge that meets an edge, else a vertex inside the other polygon |
//! | `overlaps`, `contains` | [`interiors`] | a crossing, else the directions of the edges at each contact |
//! | `distance` | [`nearest`] | the closest pair of edges, found by branch and bound |
//! | point in polygon | [`locate`] | the winding number |
//!
//! A compound of polygons is a list of outlines. Each pair of outlines is one query. Convex polygons of up to
//! seven vertices become outlines for one query. Nothing is allocated.

mod contact;
mod edge_pairs;
mod interiors;
mod locate;
mod nearest;
pub(crate) mod simple;

use core::cmp::Ordering::{self, Equal};
use core::ops::ControlFlow::{Break, Continue};
use core::ops::Deref;

use glam::DVec2;
use smallvec::SmallVec;

use super::Distance;
use crate::decompose::edge_bvh::EdgeBvh;
use crate::math::aabb::Aabb;
use crate::math::pose::Pose;
use crate::math::predicates::orientation;
use crate::pair_result::Relation;
use crate::shape::outline::{Block, EDGES, Outline};
use crate::shape::{Form, Placed, ShapeKind};
use locate::Location;

/// Shorter distances are left to the convex parts: the squares of their coordinates underflow.
const MIN_DISTANCE: f64 = 1e-140;

/// Number of vertices of a large outline that are tested before its edges. If large polygons overlap, one of these is
/// often inside the other.
const SAMPLES: usize = 8;

/// Number of blocks of a large outline.
const MIN_SAMPLED_BLOCKS: usize = 16;

/// The outline of a polygon at a pose that rounds no vertex.
struct PlacedOutline<'a> {
    outline: Stored<'a>,
    /// The pose; `None` if it changes nothing.
    pose: Option<Pose>,
}

/// An outline: stored in a shape, or created for one query.
#[expect(clippy::large_enum_variant, reason = "a box would allocate in each query")]
enum Stored<'a> {
    InShape(&'a Outline),
    New(Outline),
}

impl Deref for Stored<'_> {
    type Target = Outline;

    #[inline(always)]
    fn deref(&self) -> &Outline {
        match self {
            Self::InShape(outline) => outline,
            Self::New(outline) => outline,
        }
    }
}

/// Visits the outlines of a polygon or of a compound of polygons, until the visitor returns a value, and returns that.
///
/// Returns an error if a part of the shape has no outline.
fn find_outline<'a, T>(
    placed: Placed<'a>,
    mut visit: impl FnMut(&PlacedOutline<'a>) -> Option<T>,
) -> Result<Option<T>, Unsupported> {
    let mut found = Ok(None);
    let _ = placed.for_each_leaf(&mut |leaf| {
        found = PlacedOutline::new(leaf).map(|outline| visit(&outline));
        if matches!(found, Ok(None)) { Continue(()) } else { Break(()) }
    });
    found
}

/// The reason why the convex parts must decide: a shape is no polygon, or its pose rounds a vertex.
struct Unsupported;

impl<'a> PlacedOutline<'a> {
    /// Returns the outline of a polygon at its pose.
    #[inline]
    fn new(placed: Placed<'a>) -> Result<Self, Unsupported> {
        let outline = match &placed.shape().0 {
            Form::Convex(convex) => {
                let vertices: SmallVec<[DVec2; EDGES]> =
                    (0..convex.hull_vertex_count()).map(|i| convex.hull_vertex(i)).collect();
                Outline::new([(&*vertices, false)].into_iter(), false).map(Stored::New)
            }
            Form::Composite(composite) => composite.outline().map(Stored::InShape),
        };
        let (outline, pose) = (outline.ok_or(Unsupported)?, placed.pose());
        if pose == Pose::IDENTITY {
            return Ok(Self { outline, pose: None });
        }
        if outline.is_exact_at(&pose) { Ok(Self { outline, pose: Some(pose) }) } else { Err(Unsupported) }
    }

    /// Places a point of the outline.
    #[inline(always)]
    fn place(&self, point: DVec2) -> DVec2 {
        self.pose.map_or(point, |pose| pose.transform_point(point))
    }

    /// Returns the placed vertices of a block.
    #[inline(always)]
    fn block(&self, block: usize) -> Block {
        self.outline.blocks()[block].map(|vertex| self.place(vertex))
    }

    /// Returns the placed box of a node. That of an empty node is inverted.
    #[inline(always)]
    fn bounds(&self, node: usize) -> Aabb {
        let bounds = *self.outline.tree().bounds(node);
        match self.pose {
            Some(pose) if bounds.min().x <= bounds.max().x => {
                Aabb::around([bounds.min(), bounds.max()].into_iter().map(|corner| pose.transform_point(corner)), 0.0)
            }
            _ => bounds,
        }
    }

    /// Returns the box of all edges.
    #[inline(always)]
    fn aabb(&self) -> Aabb {
        self.bounds(EdgeBvh::ROOT)
    }

    /// Returns the vertex before the start of an edge.
    fn vertex_before(&self, block: usize, slot: usize) -> DVec2 {
        self.place(self.outline.vertex_before(block, slot))
    }

    /// Returns vertices that are tested before the edges: the first one, or several of a large outline.
    fn sample(&self) -> impl Iterator<Item = DVec2> {
        let blocks = self.outline.blocks();
        let count = if blocks.len() < MIN_SAMPLED_BLOCKS { 1 } else { SAMPLES };
        (0..count).map(move |i| self.place(blocks[i * blocks.len() / count][0]))
    }

    /// Returns a vertex of a ring.
    fn vertex_of(&self, ring: usize) -> DVec2 {
        self.place(self.outline.blocks()[self.outline.ring_start(ring)][0])
    }
}

/// Receives a pair of outlines and their indices. A value or an error ends the visit.
type PairVisitor<'v, 'a, T> = dyn FnMut([&PlacedOutline<'a>; 2], [usize; 2]) -> Result<Option<T>, Unsupported> + 'v;

/// Visits the pairs of outlines of two shapes, until the visitor returns a value, and returns that.
///
/// If `only_near` is true, only pairs whose boxes intersect are visited.
fn find_pair<'a, T>(
    a: Placed<'a>,
    b: Placed<'a>,
    only_near: bool,
    visit: &mut PairVisitor<'_, 'a, T>,
) -> Result<Option<T>, Unsupported> {
    let of_b = b.aabb();
    let mut i = 0..;
    let found = find_outline(a, |p| {
        let (i, mut j) = (i.next().unwrap_or(0), 0..);
        let of_p = p.aabb();
        if only_near && !of_p.intersects(&of_b) {
            return None;
        }
        let found = find_outline(b, |q| {
            let j = j.next().unwrap_or(0);
            let is_skipped = only_near && !of_p.intersects(&q.aabb());
            if is_skipped { None } else { visit([p, q], [i, j]).transpose() }
        });
        found.and_then(Option::transpose).transpose()
    });
    found?.transpose()
}

/// Returns the relation of two shapes, or any relation at least as strong as `enough`. `None` if the parts must decide.
pub(super) fn relation(a: Placed<'_>, b: Placed<'_>, enough: Relation) -> Option<Relation> {
    for (shape, other) in [(a, b), (b, a)] {
        if let Some((point, center)) = other.as_point()
            && point.convex.radius == 0.0
        {
            return relation_to_point(shape, point.pose.transform_center(center));
        }
    }
    if !a.shape().has_outlines() || !b.shape().has_outlines() {
        return None;
    }
    let mut greatest = Relation::Apart;
    let found = find_pair(a, b, true, &mut |[p, q], _| {
        let found = if enough == Relation::Overlapping {
            if p.outline.touches_itself() || q.outline.touches_itself() {
                return Err(Unsupported);
            }
            interiors::relation(p, q, false)
        } else if contact::common_point(p, q).is_some() {
            Relation::Touching
        } else {
            Relation::Apart
        };
        greatest = greatest.max(found);
        Ok((greatest >= enough).then_some(()))
    });
    found.is_ok().then_some(greatest)
}

/// Returns the relation of a shape and a point; `None` if the parts must decide.
pub(super) fn relation_to_point(shape: Placed<'_>, point: DVec2) -> Option<Relation> {
    if !shape.shape().has_outlines() {
        return None;
    }
    let mut greatest = Relation::Apart;
    let found = find_outline(shape, |outline| {
        let found = match locate::locate(outline, point) {
            Location::Outside => Relation::Apart,
            Location::Boundary => Relation::Touching,
            Location::Inside => Relation::Overlapping,
        };
        // Two outlines that touch at the point can contain its neighborhood together.
        let is_common = greatest == Relation::Touching && found == Relation::Touching;
        greatest = greatest.max(found);
        (is_common || greatest == Relation::Overlapping).then_some(is_common)
    });
    found.ok().filter(|&is_common| is_common != Some(true)).map(|_| greatest)
}

/// Returns true if `b` lies in `a`; `None` if the parts must decide, as for a compound `a`.
pub(super) fn contains(a: Placed<'_>, b: Placed<'_>) -> Option<bool> {
    if !a.shape().has_outlines() || !b.shape().has_outlines() {
        return None;
    }
    let (outer, inner) = (a.aabb(), b.aabb());
    if !(outer.min().cmple(inner.min()).all() && inner.max().cmple(outer.max()).all()) {
        return Some(false);
    }
    let is_compound = a.shape().kind() == ShapeKind::Compound;
    let found = find_pair(a, b, false, &mut |[p, q], _| {
        if is_compound || p.outline.touches_itself() || q.outline.touches_itself() {
            return Err(Unsupported);
        }
        Ok((interiors::relation(p, q, true) == Relation::Overlapping).then_some(()))
    });
    found.ok().map(|outside| outside.is_none())
}

/// Returns the distance of two shapes; `None` if the parts must decide.
pub(super) fn distance(a: Placed<'_>, b: Placed<'_>) -> Option<Distance> {
    if !a.shape().has_outlines() || !b.shape().has_outlines() {
        return None;
    }
    let (mut best, mut closest) = (None, [0; 2]);
    let found = find_pair(a, b, false, &mut |[p, q], indices| {
        let common = if p.aabb().intersects(&q.aabb()) { contact::common_point(p, q) } else { None };
        let next = common
            .map(|point| Distance::new(0.0, [point; 2]))
            .or_else(|| nearest::distance(p, q, best.map_or(f64::INFINITY, |best: Distance| best.distance)));
        if next.is_some() {
            (best, closest) = (next, indices);
        }
        Ok(common)
    });
    let common = found.ok()?;
    let best = best.filter(|best| common.is_some() || best.distance > MIN_DISTANCE)?;
    Some(Distance { part_a: first_part(a, closest[0]), part_b: first_part(b, closest[1]), ..best })
}

/// Returns the index of the first part of an outline in its shape.
fn first_part(placed: Placed<'_>, outline: usize) -> u32 {
    let (mut count, mut before) = (0, outline);
    let _ = placed.for_each_leaf(&mut |leaf| {
        let Some(rest) = before.checked_sub(1) else { return Break(()) };
        before = rest;
        count += leaf.shape().part_count() as u32;
        Continue(())
    });
    count
}

/// Returns the side of the line from `a` to `b` on which `c` lies, as [`orientation`].
///
/// On maps, edges share vertices. For a shared vertex, the filter of [`orientation`] is inconclusive.
#[inline(always)]
fn side(a: DVec2, b: DVec2, c: DVec2) -> Ordering {
    if c == a || c == b { Equal } else { orientation(a, b, c) }
}

/// Returns true if two collinear directions from a point are opposite.
fn is_opposite(at: DVec2, p: DVec2, q: DVec2) -> bool {
    let sign = |x: f64, y: f64| x.partial_cmp(&y);
    sign(p.x, at.x) != sign(q.x, at.x) || sign(p.y, at.y) != sign(q.y, at.y)
}
