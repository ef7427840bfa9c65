//! Builds a static bounding volume hierarchy of `f64` boxes, used by shapes with many parts.
//!
//! Input: boxes. Output: a binary tree; the owner traverses it: nodes are indices, and 0 is the
//! root. It is built top-down by median splits along the longer axis (C. Ericson, *Real-Time
//! Collision Detection*, 2005, 6.2).
//!
//! Nodes are stored in depth-first order, so a first child needs no link. The boxes are `f64`,
//! because tests of parts against each other need no local origin. The tree never changes: a shape
//! is immutable, and its pose is applied to the boxes during a traversal.
//!
//! ```text
//! build(boxes):
//!     one box: a leaf
//!     else: axis = that with the larger extent of the centres
//!           split at the median of the centres along the axis
//!           node, build(first half), build(second half)
//! ```

use alloc::vec::Vec;

use crate::math::aabb::Aabb;
use crate::math::sort::{IdPoint, select_first, sort_cold};

/// A hierarchy over boxes identified by index; empty only if there are no boxes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StaticBvh {
    /// In depth-first order: the first child follows its parent.
    nodes: Vec<StaticNode>,
}

/// A node: its bounds, and its box or second child.
#[derive(Clone, Copy, Debug, PartialEq)]
struct StaticNode {
    /// The smallest box that contains all boxes below the node.
    bounds: Aabb,
    /// The box of a leaf, or the second child.
    next: Next,
}

/// The rest of a node; the first child is the next node in the list.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Next {
    /// A leaf, with the index of its box.
    Item(u32),
    /// An inner node, with the index of its second child.
    Second(u32),
}

impl StaticBvh {
    /// Builds a hierarchy. Leaves are identified by the index of their box.
    pub(crate) fn new(boxes: &[Aabb]) -> Self {
        let mut tree = Self { nodes: Vec::with_capacity(2 * boxes.len()) };
        let mut order = Vec::with_capacity(boxes.len());
        for (index, bounds) in boxes.iter().enumerate() {
            order.push(IdPoint { point: bounds.center(), id: index as u32 });
        }
        if !order.is_empty() {
            tree.build_subtree(boxes, &mut order);
        }
        tree
    }

    /// Appends the subtree of the given boxes and returns its bounds.
    fn build_subtree(&mut self, boxes: &[Aabb], order: &mut [IdPoint]) -> Aabb {
        let node = self.nodes.len();
        if let [IdPoint { id: item, .. }] = *order {
            let bounds = boxes[item as usize];
            self.nodes.push(StaticNode { bounds, next: Next::Item(item) });
            return bounds;
        }
        let (mut low, mut high) = (order[0].point, order[0].point);
        for center in order.iter() {
            (low, high) = (low.min(center.point), high.max(center.point));
        }
        let extent = high - low;
        // The axis with the larger extent of centres; ties by index.
        let [first, second] = select_first(order, order.len() / 2, usize::from(extent.x <= extent.y));
        // Reserves the index. The bounds and the second child are known after both children are
        // built.
        self.nodes.push(StaticNode { bounds: boxes[first[0].id as usize], next: Next::Second(0) });
        let of_first = self.build_subtree(boxes, first);
        let next = Next::Second(self.nodes.len() as u32);
        let bounds = of_first.union(&self.build_subtree(boxes, second));
        self.nodes[node] = StaticNode { bounds, next };
        bounds
    }

    /// Returns the indices of the boxes that intersect a box, in ascending order.
    pub(crate) fn near(&self, bounds: &Aabb) -> Vec<u32> {
        let mut found = Vec::new();
        if !self.nodes.is_empty() {
            self.near_below(0, bounds, &mut found);
        }
        sort_cold(&mut found, Ord::cmp);
        found
    }

    fn near_below(&self, node: u32, bounds: &Aabb, found: &mut Vec<u32>) {
        if !self.bounds(node).intersects(bounds) {
            return;
        }
        match self.children(node) {
            Ok(item) => found.push(item),
            Err(children) => children.iter().for_each(|&child| self.near_below(child, bounds, found)),
        }
    }

    /// Returns the bounds of a node.
    #[inline]
    pub(crate) fn bounds(&self, node: u32) -> Aabb {
        self.nodes[node as usize].bounds
    }

    /// Returns the box index of a leaf (`Ok`), or both children of an inner node (`Err`).
    #[inline]
    pub(crate) fn children(&self, node: u32) -> Result<u32, [u32; 2]> {
        match self.nodes[node as usize].next {
            Next::Item(item) => Ok(item),
            Next::Second(second) => Err([node + 1, second]),
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use glam::DVec2;

    use super::*;

    #[test]
    fn every_box_is_in_one_leaf_and_inside_all_above_it() {
        let mut rng = fastrand::Rng::with_seed(7);
        for count in [1, 2, 3, 7, 100] {
            // Several centres coincide, so that the median split has ties.
            let boxes: Vec<Aabb> = (0..count)
                .map(|_| {
                    let min = DVec2::new(f64::from(rng.u8(0..4)), f64::from(rng.u8(0..4)));
                    Aabb::new(min, min + DVec2::ONE).unwrap()
                })
                .collect();
            let tree = StaticBvh::new(&boxes);
            let mut visits = vec![0; count];
            let mut open = vec![(0, tree.bounds(0))];
            while let Some((node, above)) = open.pop() {
                let bounds = tree.bounds(node);
                assert_eq!(bounds.union(&above), above);
                match tree.children(node) {
                    Ok(item) => {
                        visits[item as usize] += 1;
                        assert_eq!(bounds, boxes[item as usize]);
                    }
                    Err(children) => open.extend(children.map(|child| (child, bounds))),
                }
            }
            assert!(visits.iter().all(|&n| n == 1));
        }
    }
}
