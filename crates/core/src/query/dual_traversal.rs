//! Traverses the BVHs of two shapes together and visits the pairs of parts that can matter.
//!
//! Input: two placed shapes and a visitor with a lower limit of the depth. Output: calls of the
//! visitor, closest boxes first. Source: Ericson 2005, 6.3.
//!
//! ```text
//! visit(node of a, node of b)
//!     if both are leaves: pass the pair of parts to the visitor
//!     split the larger node; for its two children, the pair with the greater bound first
//!         if bound + rounding error ≥ limit of the visitor: visit(child, other node)
//! ```
//!
//! The bound of a pair of boxes is the least overlap along an axis, or minus the distance of the
//! boxes. No pair of parts inside overlaps more or is closer.
//!
//! One limit serves all queries. For a relation it is 0, for a manifold the greatest depth so far,
//! for a distance minus the least distance so far. The closest boxes come first, so that the limit
//! rises early.

use core::ops::ControlFlow;

use super::pair::Relative;
use crate::broad_phase::static_bvh::StaticBvh;
use crate::math::aabb::Aabb;
use crate::math::both::both;
use crate::math::vector::{UNIT_ROUNDOFF, norm1, unscaled_length};
use crate::shape::part::Part;
use crate::shape::{Form, Placed, Shape};

/// Returns the leaves of a pair of nodes. If a node is no leaf: the index of the node to split, and its children. Of
/// two nodes, the larger one is split.
///
/// `children`: the leaf of each node, or its children. `boxes`: the boxes of the nodes.
#[inline(always)]
pub(super) fn split<L, N>(
    children: [Result<L, [N; 2]>; 2],
    boxes: impl FnOnce() -> [Aabb; 2],
) -> Result<[L; 2], (usize, [N; 2])> {
    match children {
        [Ok(p), Ok(q)] => Ok([p, q]),
        [Err(of_first), Ok(_)] => Err((0, of_first)),
        [Ok(_), Err(of_second)] => Err((1, of_second)),
        [Err(of_first), Err(of_second)] => {
            let [first, second] = both(boxes(), |bounds| norm1(bounds.size()));
            Err(if first >= second { (0, of_first) } else { (1, of_second) })
        }
    }
}

/// Returns a pair with one element replaced.
#[inline(always)]
pub(super) fn replaced<T>(mut pair: [T; 2], index: usize, element: T) -> [T; 2] {
    pair[index] = element;
    pair
}

/// Visits the parts of a shape that are within a distance of a part, closer boxes first, with their numbers. Some parts
/// can be farther away by a rounding error. `Break` ends the search.
pub(super) fn for_each_near_part(
    placed: Placed<'_>,
    part: Part<'_>,
    distance: f64,
    visit: &mut dyn FnMut(u32, Part<'_>) -> ControlFlow<()>,
) {
    let alone = Shape::from(part.convex.clone());
    visit_near(placed, alone.placed(part.pose), distance, &mut |(number, part), _| visit(number, part));
}

/// A part and its index in its shape.
type Numbered<'a> = (u32, Part<'a>);

/// Receives the pairs of parts of a traversal.
pub(super) trait PairVisitor {
    /// Lower limit of the depth (negative: minus the distance). Pairs certainly below it are
    /// skipped. By default 0: only pairs that are certainly apart are skipped.
    fn min_depth(&self) -> f64 {
        0.0
    }

    /// Visits a pair. `Break` ends the traversal.
    fn visit(&mut self, a: Numbered<'_>, b: Numbered<'_>) -> ControlFlow<()>;
}

/// Calls the visitor for every pair of parts above its limit.
pub(super) fn traverse(a: Placed<'_>, b: Placed<'_>, search: &mut dyn PairVisitor) {
    let _ = DualTraversal::new(a, b).below(0, 0, search);
}

/// Calls a function for every pair of parts whose distance may be at most `max_gap`, until it breaks.
pub(super) fn visit_near(
    a: Placed<'_>,
    b: Placed<'_>,
    max_gap: f64,
    visit: &mut dyn FnMut(Numbered<'_>, Numbered<'_>) -> ControlFlow<()>,
) {
    struct Near<'f> {
        min_depth: f64,
        visit: &'f mut dyn FnMut(Numbered<'_>, Numbered<'_>) -> ControlFlow<()>,
    }
    impl PairVisitor for Near<'_> {
        fn min_depth(&self) -> f64 {
            self.min_depth
        }

        fn visit(&mut self, a: Numbered<'_>, b: Numbered<'_>) -> ControlFlow<()> {
            (self.visit)(a, b)
        }
    }
    traverse(a, b, &mut Near { min_depth: -max_gap, visit });
}

/// A placed shape as a BVH of its parts.
pub(super) struct Parts<'a> {
    /// The placed shape.
    placed: Placed<'a>,
    /// The only box of a convex shape.
    alone: Option<Aabb>,
    /// The BVH of the parts of a composite.
    tree: Option<&'a StaticBvh>,
    /// Bounding radius of the shape, the rounding included.
    bounding_radius: f64,
}

impl<'a> Parts<'a> {
    /// Prepares a shape.
    pub(super) fn new(placed: Placed<'a>) -> Self {
        match &placed.shape().0 {
            Form::Convex(convex) => {
                let alone = Aabb::around(convex.points().iter().copied(), convex.radius);
                Self { placed, alone: Some(alone), tree: None, bounding_radius: convex.bounding_radius + convex.radius }
            }
            Form::Composite(composite) => {
                Self { placed, alone: None, tree: Some(composite.tree()), bounding_radius: composite.bounding_radius() }
            }
        }
    }

    /// Upper bound of the distance of any point from the origin, radii included.
    pub(super) fn bounding_radius(&self) -> f64 {
        self.bounding_radius
    }

    /// Returns the box of a node in the shape's own frame.
    pub(super) fn bounds(&self, node: u32) -> Aabb {
        match (self.alone, self.tree) {
            (None, Some(tree)) => tree.bounds(node),
            (alone, _) => alone.unwrap_or(Aabb::around([].into_iter(), 0.0)),
        }
    }

    /// Returns the part of a leaf or both children.
    fn children(&self, node: u32) -> Result<u32, [u32; 2]> {
        self.tree.map_or(Ok(0), |tree| tree.children(node))
    }

    /// Returns the parts of two leaves, or the two pairs of nodes that a pair of nodes splits into. The larger node is
    /// split.
    pub(super) fn split(&self, other: &Self, i: u32, j: u32) -> Result<(u32, u32), [(u32, u32); 2]> {
        match split([self.children(i), other.children(j)], || [self.bounds(i), other.bounds(j)]) {
            Ok([a, b]) => Ok((a, b)),
            Err((0, children)) => Err(both(children, |child| (child, j))),
            Err((_, children)) => Err(both(children, |child| (i, child))),
        }
    }
}

/// Returns an upper bound of the error of a computed distance of parts or boxes.
///
/// - `near`: sum of the bounding radii and of the L1 norm of the difference of the translations.
/// - `far`: sum of the L1 norms of both translations.
pub(super) fn rounding(near: f64, far: f64) -> f64 {
    128.0 * UNIT_ROUNDOFF * near + 8.0 * UNIT_ROUNDOFF * far + 1e-300
}

/// The traversal of two shapes.
struct DualTraversal<'a> {
    /// The parts of the first shape.
    a: Parts<'a>,
    /// The parts of the second shape.
    b: Parts<'a>,
    /// Pose of the second shape in the frame of the first.
    b_in_a: Relative,
    /// Upper bound of the error of a computed bound.
    slack: f64,
}

impl<'a> DualTraversal<'a> {
    /// Prepares two shapes, with the error bound of box positions.
    fn new(a: Placed<'a>, b: Placed<'a>) -> Self {
        let (p, q) = (a.pose(), b.pose());
        let (a, b) = (Parts::new(a), Parts::new(b));
        let apart = q.translation() - p.translation();
        let b_in_a = Relative::between(&p, &q);
        // The error bound is that of a pair of parts. Poses inside compounds are rounded too.
        let far = norm1(p.translation()) + norm1(q.translation());
        let slack = rounding(a.bounding_radius + b.bounding_radius + norm1(apart), far);
        Self { a, b, b_in_a, slack }
    }

    /// Visits the pairs below two nodes.
    fn below(&self, i: u32, j: u32, search: &mut dyn PairVisitor) -> ControlFlow<()> {
        match self.a.split(&self.b, i, j) {
            Ok((a, b)) => search.visit((a, self.a.placed.part(a)), (b, self.b.placed.part(b))),
            Err(pairs) => self.nearest_first(pairs, search),
        }
    }

    /// Visits two pairs of nodes, that with the greater bound first.
    fn nearest_first(&self, pairs: [(u32, u32); 2], search: &mut dyn PairVisitor) -> ControlFlow<()> {
        let bounds = both(pairs, |(i, j)| self.bound(i, j));
        let first = usize::from(bounds[1] > bounds[0]);
        for k in [first, 1 - first] {
            if bounds[k] + self.slack >= search.min_depth() {
                self.below(pairs[k].0, pairs[k].1, search)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns an upper bound of the depth of all pairs of parts below two nodes.
    fn bound(&self, i: u32, j: u32) -> f64 {
        let (a, b) = (self.a.bounds(i), self.b.bounds(j));
        let (center, half) = (self.b_in_a.apply(b.center()), self.b_in_a.extent(b.size() * 0.5));
        let gaps = (center - half - a.max()).max(a.min() - center - half);
        let gap = gaps.max_element();
        if gap > 1e-140 {
            -unscaled_length(gaps.max(glam::DVec2::ZERO))
        } else {
            // Below, squares underflow.
            -gap
        }
    }
}
