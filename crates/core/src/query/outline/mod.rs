//! Answers pair queries of polygons from the edges of their boundaries.
//!
//! Input: two placed shapes. Output: the relation, the distance or a truth value. It is `None` if a shape is not a
//! polygon without a radius, or if its pose rounds a vertex. Then the caller uses the convex parts.
//!
//! The simple version tests all pairs of convex parts. Two polygons that share a border have thousands of pairs of
//! parts that touch, and each of them needs exact arithmetic. The edges decide with fewer tests:
//!
//! | query | file | decided by |
//! |---|---|---|
//! | `intersects` | [`contact`] | an edge that meets an edge, else a vertex inside the other polygon |
//! | `overlaps`, `contains` | [`interiors`], [`containment`] | a crossing, else the directions of the edges at each contact |
//! | `distance` | [`nearest`] | the closest pair of edges, found by branch and bound |
//! | point in polygon | [`locate`] | a cell of a grid, else the winding number |
//!
//! A compound of polygons is a list of outlines in a BVH ([`outlines`]). Each pair of outlines is one query. Convex
//! polygons become outlines for one query. Three things are allocated. The first query of a compound creates its list,
//! and that of a large polygon its grid. The outline of a convex polygon of more than 21 vertices is created for each
//! query.

mod contact;
mod containment;
mod edge_pairs;
mod interiors;
mod locate;
mod nearest;
mod outlines;
pub(crate) mod simple;

use core::cmp::Ordering::{self, Equal};
use core::ops::ControlFlow::{Break, Continue};

use glam::DVec2;

use super::Distance;
use crate::decompose::edge_bvh::EdgeBvh;
use crate::math::aabb::Aabb;
use crate::math::pose::Pose;
use crate::math::predicates::orientation;
use crate::pair_result::Relation;
use crate::shape::cell_grid::CellGrid;
use crate::shape::convex::Convex;
use crate::shape::outline::{Block, EDGES, INLINE_EDGES, Outline};
use crate::shape::{Form, Placed};
use locate::Location;
use outlines::{Outlines, ROOT, for_each_near_pair};

/// Shorter distances are left to the convex parts: the squares of their coordinates underflow.
const MIN_DISTANCE: f64 = 1e-140;

/// Number of vertices of a large outline that are tested before its edges. If large polygons overlap, one of these is
/// often inside the other.
const SAMPLES: usize = 8;

/// Number of blocks of a large outline.
const MIN_SAMPLED_BLOCKS: usize = 16;

/// The outline of a polygon at a pose that rounds no vertex.
#[derive(Clone, Copy)]
struct PlacedOutline<'a> {
    outline: &'a Outline,
    /// The pose; `None` if it changes nothing.
    pose: Option<Pose>,
}

impl<'a> PlacedOutline<'a> {
    /// Places an outline; `None` if the pose rounds a vertex.
    #[inline(always)]
    fn new(outline: &'a Outline, pose: &Pose) -> Option<Self> {
        if *pose == Pose::IDENTITY {
            return Some(Self { outline, pose: None });
        }
        outline.is_exact_at(pose).then_some(Self { outline, pose: Some(*pose) })
    }

    /// Places a point of the outline.
    #[inline(always)]
    fn transformed(&self, point: DVec2) -> DVec2 {
        self.pose.map_or(point, |pose| pose.transform_point(point))
    }

    /// Returns the placed vertices of a block.
    #[inline(always)]
    fn block(&self, block: usize) -> Block {
        self.outline.blocks()[block].map(|vertex| self.transformed(vertex))
    }

    /// Returns the placed box of a node. That of an empty node is inverted.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn bounds(&self, node: usize) -> Aabb {
        let bounds = self.outline.tree().bounds(node);
        self.pose.map_or(*bounds, |pose| bounds.placed_exactly(&pose))
    }

    /// Returns the box of all edges.
    #[inline(always)]
    fn aabb(&self) -> Aabb {
        self.bounds(EdgeBvh::ROOT)
    }

    /// Returns the block of a leaf, or the children of a node.
    #[inline(always)]
    fn children(&self, node: usize) -> Result<usize, [usize; 2]> {
        self.outline.tree().leaf(node).ok_or([2 * node, 2 * node + 1])
    }

    /// Returns the vertex before the start of an edge.
    fn vertex_before(&self, block: usize, slot: usize) -> DVec2 {
        self.transformed(self.outline.vertex_before(block, slot))
    }

    /// Returns vertices that are tested before the edges: the first one, or several of a large outline.
    fn sample(&self) -> impl Iterator<Item = DVec2> {
        let blocks = self.outline.blocks();
        let count = if blocks.len() < MIN_SAMPLED_BLOCKS { 1 } else { SAMPLES };
        (0..count).map(move |i| self.transformed(blocks[i * blocks.len() / count][0]))
    }

    /// Returns a vertex of a ring.
    fn vertex_of(&self, ring: usize) -> DVec2 {
        self.transformed(self.outline.blocks()[self.outline.ring_start(ring)][0])
    }
}

/// Returns a box at a pose that rounds none of its corners. An inverted box stays inverted.
#[inline(always)]
fn placed_box(bounds: &Aabb, pose: &Pose) -> Aabb {
    if *pose == Pose::IDENTITY { *bounds } else { bounds.placed_exactly(pose) }
}

/// Returns the outlines of both shapes; `None` if the parts must decide. Convex polygons put theirs into `created`.
#[inline]
fn both<'a>([a, b]: [&Placed<'a>; 2], created: &'a mut [Option<Outline>; 2]) -> Option<[Outlines<'a>; 2]> {
    if !can_be_compared(a, b) || !can_be_compared(b, a) {
        return None;
    }
    let [of_a, of_b] = created;
    Some([Outlines::new(a, of_a)?, Outlines::new(b, of_b)?])
}

/// Returns true if the edges of a shape can decide a query with another one, unless the pose rounds a vertex.
///
/// Most poses that are no quarter turn round one. A convex polygon of many vertices becomes an outline only if the
/// other shape has as many edges. Creating the outline takes time and an allocation, and parts of small polygons are
/// fast.
fn can_be_compared(placed: &Placed<'_>, other: &Placed<'_>) -> bool {
    let has_outlines = || match (&placed.shape().0, &other.shape().0) {
        (Form::Convex(convex), Form::Composite(other)) => {
            let count = convex.hull_vertex_count();
            convex.radius == 0.0 && count >= 3 && (count <= INLINE_EDGES || count <= EDGES * other.block_count())
        }
        _ => placed.shape().has_outlines(),
    };
    placed.pose_ref().is_quarter_turn() && has_outlines()
}

/// Returns the relation of two shapes, or any relation at least as strong as `enough`. `None` if the parts must decide.
pub(super) fn relation(a: Placed<'_>, b: Placed<'_>, enough: Relation) -> Option<Relation> {
    for (shape, other) in [(&a, &b), (&b, &a)] {
        if let Some((point, center)) = other.as_point()
            && point.convex.radius == 0.0
        {
            return relation_to_point(shape, point.pose.transform_center(center));
        }
    }
    let mut created = [None, None];
    let [a, b] = both([&a, &b], &mut created)?;
    let (mut greatest, mut is_decided) = (Relation::Apart, true);
    let _ = for_each_near_pair(&a, &b, &mut |[p, q], _| {
        let found = if enough == Relation::Overlapping {
            if p.outline.touches_itself() || q.outline.touches_itself() {
                is_decided = false;
                return Break(());
            }
            interiors::relation(p, q, false)
        } else if contact::common_point(p, q).is_some() {
            Relation::Touching
        } else {
            Relation::Apart
        };
        greatest = greatest.max(found);
        if greatest >= enough { Break(()) } else { Continue(()) }
    });
    is_decided.then_some(greatest)
}

/// Returns the relation of a shape and a point; `None` if the parts must decide.
pub(super) fn relation_to_point(shape: &Placed<'_>, point: DVec2) -> Option<Relation> {
    let relation = |outline: &PlacedOutline<'_>| match locate::locate(outline, point) {
        Location::Outside => Relation::Apart,
        Location::Boundary => Relation::Touching,
        Location::Inside => Relation::Overlapping,
    };
    if !shape.shape().has_outlines() || !shape.pose_ref().is_quarter_turn() {
        return None;
    }
    let mut created = None;
    let outlines = Outlines::new(shape, &mut created)?;
    let mut greatest = Relation::Apart;
    // Two outlines that touch at the point can contain its neighborhood together.
    let mut is_common = false;
    let _ = outlines.for_each_near(&Aabb::at(point), &mut |index| {
        let found = outlines.with(index, relation).unwrap_or(Relation::Apart);
        is_common |= greatest == Relation::Touching && found == Relation::Touching;
        greatest = greatest.max(found);
        if greatest == Relation::Overlapping { Break(()) } else { Continue(()) }
    });
    (greatest == Relation::Overlapping || !is_common).then_some(greatest)
}

/// Returns true if a shape contains a point; `None` if the parts must decide.
#[inline]
pub(super) fn contains_point(shape: &Placed<'_>, point: DVec2) -> Option<bool> {
    match &shape.shape().0 {
        Form::Convex(convex) => convex_contains_point(convex, shape.pose_ref(), point),
        Form::Composite(composite) => {
            let pose = shape.pose_ref();
            if let Some(outline) = composite.outline() {
                if *pose == Pose::IDENTITY {
                    return Some(locate::contains_point(outline, point));
                }
                return PlacedOutline::new(outline, pose)
                    .map(|outline| locate::locate(&outline, point) != Location::Outside);
            }
            let members = if pose.is_quarter_turn() { composite.members() } else { None };
            let members = members.filter(|members| members.is_exact_at(pose))?;
            let cells = if *pose == Pose::IDENTITY { members.cells() } else { None };
            let in_cell =
                |cells: &CellGrid| locate::is_in_cell(&cells.cell(point), point, |block| members.block(block));
            let is_in = cells.and_then(in_cell);
            Some(is_in.unwrap_or_else(|| outlines::has_point(&Outlines::Members(members, *pose), point)))
        }
    }
}

/// Returns true if a convex shape contains a point; `None` if it is no polygon at the origin.
///
/// A function of its own: it calls no code for composites.
#[inline]
pub(super) fn convex_contains_point(convex: &Convex, pose: &Pose, point: DVec2) -> Option<bool> {
    let count = convex.hull_vertex_count();
    let is_polygon = convex.radius == 0.0 && count >= 3;
    (is_polygon && *pose == Pose::IDENTITY).then(|| locate::is_in_convex(count, |i| convex.hull_vertex(i), point))
}

/// Returns true if `b` lies in `a`; `None` if the parts must decide.
pub(super) fn contains(a: Placed<'_>, b: Placed<'_>) -> Option<bool> {
    // Without radii, the boxes are exact.
    let has_exact_box = |placed: &Placed<'_>| match &placed.shape().0 {
        Form::Convex(convex) => convex.radius == 0.0,
        Form::Composite(composite) => composite.has_outlines(),
    };
    if has_exact_box(&a) && has_exact_box(&b) && !bounds(&a).contains(&bounds(&b)) {
        return Some(false);
    }
    let mut created = [None, None];
    let [a, b] = both([&a, &b], &mut created)?;
    containment::contains(&a, &b)
}

/// Returns the box of a shape. Reads a box that the shape stores, if there is one.
#[inline]
fn bounds(placed: &Placed<'_>) -> Aabb {
    match &placed.shape().0 {
        Form::Composite(composite) if *placed.pose_ref() == Pose::IDENTITY => match composite.outline() {
            Some(outline) => *outline.tree().bounds(EdgeBvh::ROOT),
            None => composite.members().map_or_else(|| placed.aabb(), |members| members.tree().bounds(ROOT)),
        },
        _ => placed.aabb(),
    }
}

/// Returns the distance of two shapes; `None` if the parts must decide.
pub(super) fn distance(a: Placed<'_>, b: Placed<'_>) -> Option<Distance> {
    let mut created = [None, None];
    let [p, q] = both([&a, &b], &mut created)?;
    let (best, closest) = nearest::of_outlines(&p, &q)?;
    Some(Distance { part_a: first_part(&a, closest[0]), part_b: first_part(&b, closest[1]), ..best })
}

/// Returns the index of the first part of an outline in its shape.
fn first_part(placed: &Placed<'_>, outline: usize) -> u32 {
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
