//! The pairs of parts of two shapes that may matter, found by their trees of boxes.
//!
//! Both trees are descended together (Ericson 2005, 6.3), nearest boxes first. What two parts can have at most, their overlap or minus
//! their distance, is bounded by that of the boxes around them; whoever searches says from which bound on it is still interested.

use core::ops::ControlFlow;

use super::pair::Relative;
use crate::broad_phase::static_bvh::StaticBvh;
use crate::math::aabb::Aabb;
use crate::math::vector::{UNIT_ROUNDOFF, length, norm1};
use crate::shape::part::Part;
use crate::shape::{Form, Placed};

/// What is done with the pairs of parts.
pub(super) trait PairVisitor {
    /// Pairs whose depth (negative: minus the distance) is certainly below this are passed over.
    fn min_depth(&self) -> f64;

    /// Looks at a pair; a break ends the search.
    fn visit(&mut self, a: (u32, Part<'_>), b: (u32, Part<'_>)) -> ControlFlow<()>;
}

/// Shows every pair of parts that a search is interested in to it.
pub(super) fn traverse(a: Placed<'_>, b: Placed<'_>, search: &mut impl PairVisitor) {
    let _ = DualTraversal::new(a, b).below(0, 0, search);
}

/// A placed shape as a tree of parts.
pub(super) struct Parts<'a> {
    placed: Placed<'a>,
    /// A convex shape's only box.
    alone: Option<Aabb>,
    tree: Option<&'a StaticBvh>,
    reach: f64,
}

impl<'a> Parts<'a> {
    pub(super) fn new(placed: Placed<'a>) -> Self {
        match &placed.shape().0 {
            Form::Convex(convex) => {
                let alone = Aabb::around(convex.points().iter().copied(), convex.radius);
                Self { placed, alone: Some(alone), tree: None, reach: convex.bounding_radius + convex.radius }
            }
            Form::Composite(composite) => {
                Self { placed, alone: None, tree: Some(composite.tree()), reach: composite.bounding_radius() }
            }
        }
    }

    /// No point, radii included, is farther from the origin than this.
    pub(super) fn reach(&self) -> f64 {
        self.reach
    }

    /// The box of a node, in the shape's own frame.
    pub(super) fn bounds(&self, node: u32) -> Aabb {
        match (self.alone, self.tree) {
            (None, Some(tree)) => tree.bounds(node),
            (alone, _) => alone.unwrap_or(Aabb::around([].into_iter(), 0.0)),
        }
    }

    /// The part of a leaf, or both children.
    pub(super) fn children(&self, node: u32) -> Result<u32, [u32; 2]> {
        self.tree.map_or(Ok(0), |tree| tree.children(node))
    }
}

struct DualTraversal<'a> {
    a: Parts<'a>,
    b: Parts<'a>,
    b_in_a: Relative,
    /// Bounds may be too low by this.
    slack: f64,
}

impl<'a> DualTraversal<'a> {
    fn new(a: Placed<'a>, b: Placed<'a>) -> Self {
        let (p, q) = (a.pose(), b.pose());
        let (a, b) = (Parts::new(a), Parts::new(b));
        let apart = q.translation() - p.translation();
        let b_in_a = Relative::between(&p, &q);
        // As for a pair of parts, and poses inside compounds are rounded too.
        let far = norm1(p.translation()) + norm1(q.translation());
        let slack = 128.0 * UNIT_ROUNDOFF * (a.reach + b.reach + norm1(apart)) + 8.0 * UNIT_ROUNDOFF * far + 1e-300;
        Self { a, b, b_in_a, slack }
    }

    /// Looks at the pairs below two nodes.
    fn below(&self, i: u32, j: u32, search: &mut impl PairVisitor) -> ControlFlow<()> {
        match (self.a.children(i), self.b.children(j)) {
            (Ok(a), Ok(b)) => search.visit((a, self.a.placed.part(a)), (b, self.b.placed.part(b))),
            (Err(children), Ok(_)) => self.nearest_first(children.map(|child| (child, j)), search),
            (Ok(_), Err(children)) => self.nearest_first(children.map(|child| (i, child)), search),
            (Err(of_a), Err(of_b)) => {
                // The larger one is split.
                let size = |bounds: Aabb| norm1(bounds.size());
                if size(self.a.bounds(i)) >= size(self.b.bounds(j)) {
                    self.nearest_first(of_a.map(|child| (child, j)), search)
                } else {
                    self.nearest_first(of_b.map(|child| (i, child)), search)
                }
            }
        }
    }

    fn nearest_first(&self, pairs: [(u32, u32); 2], search: &mut impl PairVisitor) -> ControlFlow<()> {
        let bounds = pairs.map(|(i, j)| self.bound(i, j));
        let first = usize::from(bounds[1] > bounds[0]);
        for k in [first, 1 - first] {
            if bounds[k] + self.slack >= search.min_depth() {
                self.below(pairs[k].0, pairs[k].1, search)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// No two parts below these nodes are deeper in each other than this.
    fn bound(&self, i: u32, j: u32) -> f64 {
        let (a, b) = (self.a.bounds(i), self.b.bounds(j));
        let (center, half) = (self.b_in_a.apply(b.center()), self.b_in_a.extent(b.size() * 0.5));
        let gaps = (center - half - a.max()).max(a.min() - center - half);
        let gap = gaps.max_element();
        if gap > 0.0 { -length(gaps.max(glam::DVec2::ZERO)) } else { -gap }
    }
}
