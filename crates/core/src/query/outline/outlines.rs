//! Visits the pairs of polygons of two shapes, each a polygon or a compound of polygons.
//!
//! Input: two placed shapes. Output: calls of a visitor with a pair of outlines. The simple version is two loops over
//! the polygons of both. Here both BVHs over the polygons are traversed together:
//!
//! ```text
//! visit(node of a, node of b): if the boxes intersect
//!     if both are leaves: pass the pair of outlines to the visitor
//!     else: split the larger node, and visit both children with the other node
//! ```

use core::ops::ControlFlow::{self, Break, Continue};

use glam::DVec2;
use smallvec::SmallVec;

use super::locate::{Location, locate};
use super::{PlacedOutline, placed_box};
use crate::math::aabb::Aabb;
use crate::math::pose::Pose;
use crate::query::dual_traversal::{replaced, split};
use crate::shape::convex::Convex;
use crate::shape::members::Members;
use crate::shape::outline::{INLINE_EDGES, Outline};
use crate::shape::{Form, Placed};

/// The outlines of a polygon or of a compound of polygons, at a pose that rounds no vertex.
pub(super) enum Outlines<'a> {
    /// The outline of a polygon.
    One(PlacedOutline<'a>),
    /// Those of a compound, and its pose.
    Members(&'a Members, Pose),
}

/// The root of the BVH of [`Outlines`].
pub(super) const ROOT: u32 = 0;

/// Receives a pair of outlines and their indices. `Break` ends the visit.
pub(super) type PairVisitor<'v> = dyn FnMut([&PlacedOutline<'_>; 2], [usize; 2]) -> ControlFlow<()> + 'v;

impl<'a> Outlines<'a> {
    /// Returns the outlines of a shape; `None` if a part has none, or if a pose rounds a vertex. A convex polygon puts
    /// its outline into `created`.
    #[inline]
    pub(super) fn new(placed: &Placed<'a>, created: &'a mut Option<Outline>) -> Option<Self> {
        let pose = placed.pose_ref();
        let outline = match &placed.shape().0 {
            Form::Convex(convex) => &*created.insert(of_convex(convex)?),
            Form::Composite(composite) => {
                let Some(outline) = composite.outline() else {
                    let members = composite.members()?;
                    return members.is_exact_at(pose).then_some(Self::Members(members, *pose));
                };
                outline
            }
        };
        PlacedOutline::new(outline, pose).map(Self::One)
    }

    /// Returns the box of all outlines.
    #[inline]
    pub(super) fn aabb(&self) -> Aabb {
        self.bounds(ROOT)
    }

    /// Returns the box of a node.
    #[inline]
    pub(super) fn bounds(&self, node: u32) -> Aabb {
        match self {
            Self::One(outline) => outline.aabb(),
            Self::Members(members, pose) => placed_box(&members.tree().bounds(node), pose),
        }
    }

    /// Returns the index of the outline of a leaf (`Ok`), or both children of a node (`Err`).
    #[inline]
    pub(super) fn children(&self, node: u32) -> Result<usize, [u32; 2]> {
        match self {
            Self::One(_) => Ok(0),
            Self::Members(members, _) => members.tree().children(node).map(|index| index as usize),
        }
    }

    /// Calls a function with an outline.
    #[inline]
    pub(super) fn with<T>(&self, index: usize, visit: impl FnOnce(&PlacedOutline<'a>) -> T) -> Option<T> {
        match self {
            Self::One(outline) => Some(visit(outline)),
            Self::Members(members, pose) => {
                let (outline, own) = members.member(index)?;
                let pose = pose.compose(own);
                let pose = (pose != Pose::IDENTITY).then_some(pose);
                Some(visit(&PlacedOutline { outline, pose }))
            }
        }
    }

    /// Visits the indices of the outlines whose boxes intersect a box.
    pub(super) fn for_each_near(
        &self,
        bounds: &Aabb,
        visit: &mut dyn FnMut(usize) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.near_below(ROOT, bounds, visit)
    }

    fn near_below(&self, node: u32, bounds: &Aabb, visit: &mut dyn FnMut(usize) -> ControlFlow<()>) -> ControlFlow<()> {
        if !self.bounds(node).intersects(bounds) {
            return Continue(());
        }
        match self.children(node) {
            Ok(index) => visit(index),
            Err(children) => children.into_iter().try_for_each(|child| self.near_below(child, bounds, visit)),
        }
    }
}

/// Returns true if a point lies in one of the outlines.
pub(super) fn has_point(outlines: &Outlines<'_>, point: DVec2) -> bool {
    let found = outlines.for_each_near(&Aabb::at(point), &mut |index| {
        let location = outlines.with(index, |outline| locate(outline, point));
        if location == Some(Location::Outside) { Continue(()) } else { Break(()) }
    });
    found.is_break()
}

/// Creates the outline of a convex polygon.
#[inline(never)]
fn of_convex(convex: &Convex) -> Option<Outline> {
    let vertices: SmallVec<[DVec2; INLINE_EDGES]> =
        (0..convex.hull_vertex_count()).map(|i| convex.hull_vertex(i)).collect();
    Outline::new(&mut [(&*vertices, false)].into_iter(), false)
}

/// Visits the pairs of outlines whose boxes intersect.
pub(super) fn for_each_near_pair(a: &Outlines<'_>, b: &Outlines<'_>, visit: &mut PairVisitor<'_>) -> ControlFlow<()> {
    near_pairs_below([a, b], [ROOT; 2], visit)
}

fn near_pairs_below(outlines: [&Outlines<'_>; 2], nodes: [u32; 2], visit: &mut PairVisitor<'_>) -> ControlFlow<()> {
    let boxes = [outlines[0].bounds(nodes[0]), outlines[1].bounds(nodes[1])];
    if !boxes[0].intersects(&boxes[1]) {
        return Continue(());
    }
    match split([outlines[0].children(nodes[0]), outlines[1].children(nodes[1])], || boxes) {
        Ok(indices) => visit_pair(outlines, indices, visit),
        Err((side, children)) => {
            children.into_iter().try_for_each(|child| near_pairs_below(outlines, replaced(nodes, side, child), visit))
        }
    }
}

/// Calls the visitor with a pair of outlines.
pub(super) fn visit_pair(
    both: [&Outlines<'_>; 2],
    indices: [usize; 2],
    visit: &mut PairVisitor<'_>,
) -> ControlFlow<()> {
    let visited = both[0].with(indices[0], |p| both[1].with(indices[1], |q| visit([p, q], indices)));
    visited.flatten().unwrap_or(Continue(()))
}
