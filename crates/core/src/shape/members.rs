//! Stores the outlines of a compound of polygons, and a BVH over their boxes.
//!
//! Input: the children of a compound. Output: the outline and the pose of each polygon. Nested compounds are flattened.
//! The simple version visits all children in each query, and makes an outline of each convex child again. A country of
//! 400 islands then needs 400 box tests per query. Here the BVH returns the polygons near a box.
//!
//! Memory per polygon: 900 bytes, and the edges of a convex one beyond the first 21. Concave polygons share their
//! outlines with the children.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::ControlFlow::{Break, Continue};

use glam::DVec2;

use super::composite::Composite;
use super::outline::Outline;
use super::{Form, Placed, Shape};
use crate::broad_phase::static_bvh::StaticBvh;
use crate::math::big_int::BitRange;
use crate::math::pose::Pose;

/// The outlines of a compound of polygons.
pub(crate) struct Members {
    list: Vec<Member>,
    /// BVH over the boxes of the members in the frame of the compound.
    tree: StaticBvh,
    /// The range of bits of all coordinates and translations.
    bits: BitRange,
}

/// A polygon of a compound.
struct Member {
    outline: MemberOutline,
    /// The pose in the frame of the compound.
    pose: Pose,
}

/// The outline of a concave child, or the outline made of a convex one.
#[expect(clippy::large_enum_variant, reason = "a box would allocate once more per convex polygon")]
enum MemberOutline {
    Shared(Arc<Composite>),
    New(Outline),
}

impl Members {
    /// Collects the outlines of the children of a compound; `None` if a child has no outline, or if its pose rounds a
    /// vertex.
    pub(crate) fn new(children: &[(Shape, Pose)]) -> Option<Self> {
        let (mut members, mut boxes, mut bits) = (Vec::with_capacity(children.len()), Vec::new(), BitRange::EMPTY);
        let visited = Placed::for_each_leaf_of(children, &mut |leaf| {
            let (pose, outline) = (leaf.pose(), MemberOutline::new(leaf.shape()));
            let Some(member) = outline.map(|outline| Member { outline, pose }) else { return Break(()) };
            let Some(outline) = member.outline().filter(|outline| outline.is_exact_at(&pose)) else {
                return Break(());
            };
            boxes.push(outline.aabb(&pose));
            bits = bits.union(outline.bits());
            bits.include(pose.translation().x);
            bits.include(pose.translation().y);
            members.push(member);
            Continue(())
        });
        visited.is_continue().then(|| Self { list: members, tree: StaticBvh::new(&boxes), bits })
    }

    /// Returns the BVH over the boxes of the members. The identifier of a leaf is the index of the member.
    #[inline]
    pub(crate) fn tree(&self) -> &StaticBvh {
        &self.tree
    }

    /// Returns the outline of a member, and its pose in the frame of the compound.
    #[inline]
    pub(crate) fn member(&self, index: usize) -> Option<(&Outline, &Pose)> {
        let member = &self.list[index];
        member.outline().map(|outline| (outline, &member.pose))
    }

    /// Returns true if a pose of the compound places every vertex of each member without rounding. The translation of a
    /// member is one number more in each sum.
    #[inline]
    pub(crate) fn is_exact_at(&self, pose: &Pose) -> bool {
        pose.is_exact_for(self.bits, 1)
    }
}

impl MemberOutline {
    /// Returns the outline of a polygon without a radius.
    fn new(shape: &Shape) -> Option<Self> {
        match &shape.0 {
            Form::Composite(composite) => composite.outline().is_some().then(|| Self::Shared(composite.clone())),
            Form::Convex(convex) if convex.radius == 0.0 && convex.hull_vertex_count() >= 3 => {
                let vertices: Vec<DVec2> = (0..convex.hull_vertex_count()).map(|i| convex.hull_vertex(i)).collect();
                Outline::new([(&*vertices, false)].into_iter(), false).map(Self::New)
            }
            Form::Convex(_) => None,
        }
    }
}

impl Member {
    #[inline]
    fn outline(&self) -> Option<&Outline> {
        match &self.outline {
            MemberOutline::Shared(composite) => composite.outline(),
            MemberOutline::New(outline) => Some(outline),
        }
    }
}
