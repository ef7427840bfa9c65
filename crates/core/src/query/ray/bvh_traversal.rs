//! Visits the parts of a composite along a ray, nearest boxes first.
//!
//! Input: a ray, a placed shape and a function that returns the largest time of interest. Output:
//! calls with the parts whose boxes the ray intersects. Source: slabs (Kay and Kajiya 1986).
//!
//! ```text
//! descend(node, time of its entry)
//!     if time > largest time of interest: return
//!     leaf:  largest time of interest = visit(part)
//!     node:  visit the children that the ray enters before it ends, the earlier first
//! ```
//!
//! Boxes grow by the radius of the ray and the error bound. The ray's start is shifted once instead
//! of the sides of each box.

use glam::{BVec2, DVec2};

use super::prepared::PreparedRay;
use crate::broad_phase::static_bvh::StaticBvh;
use crate::math::both::both;
use crate::math::vector::{UNIT_ROUNDOFF, norm1};
use crate::query::dual_traversal::rounding;
use crate::shape::part::Part;
use crate::shape::{Form, Placed};

/// Passes the parts with boxes that the ray intersects to `visit`, which returns the largest time of
/// interest.
pub(super) fn visit_parts<'a>(
    prepared: &PreparedRay,
    placed: Placed<'a>,
    visit: &mut impl FnMut(u32, Part<'a>) -> f64,
) {
    let Form::Composite(composite) = &placed.shape().0 else {
        visit(0, placed.part(0));
        return;
    };
    let pose = placed.pose();
    let apart = prepared.origin - pose.translation();
    let displacement = pose.inverse_rotate_vector(prepared.displacement);
    // As for a pair of parts. Poses inside compounds are rounded too.
    let near = composite.bounding_radius() + norm1(apart) + norm1(displacement) + prepared.radius;
    let far = norm1(pose.translation()) + norm1(prepared.origin);
    let (from, grown) = (pose.inverse_rotate_vector(apart), rounding(near, far) + prepared.radius);
    let rate = displacement.recip();
    let forward = rate.cmpgt(DVec2::ZERO);
    let signed = DVec2::select(forward, DVec2::splat(grown), DVec2::splat(-grown));
    let traversal = RayTraversal { tree: composite.tree(), near: from + signed, far: from - signed, rate, forward };
    if let Some(time) = traversal.entry_time(0) {
        traversal.descend(0, time, &mut 1.0, &mut |i| visit(i, composite.part(i, &pose)));
    }
}

/// A ray in the frame of a composite.
struct RayTraversal<'a> {
    /// The BVH of the parts.
    tree: &'a StaticBvh,
    /// The ray's start in the frame of the shape, shifted by the tolerance instead of the near
    /// sides of all boxes.
    near: DVec2,
    /// The same for the far sides.
    far: DVec2,
    /// Reciprocal of the ray's vector, per axis.
    rate: DVec2,
    /// True if the low side of a box is the near one, per axis.
    forward: BVec2,
}

impl RayTraversal<'_> {
    /// Visits the parts below a node that the ray enters at a given time.
    fn descend(&self, node: u32, reached: f64, until: &mut f64, visit: &mut impl FnMut(u32) -> f64) {
        if reached > *until {
            return;
        }
        match self.tree.children(node) {
            Ok(part) => *until = visit(part),
            Err(children) => match both(children, |child| self.entry_time(child)) {
                [Some(first), Some(second)] => {
                    let order = if second < first { [1, 0] } else { [0, 1] };
                    for k in order {
                        self.descend(children[k], [first, second][k], until, visit);
                    }
                }
                [Some(first), None] => self.descend(children[0], first, until, visit),
                [None, Some(second)] => self.descend(children[1], second, until, visit),
                [None, None] => {}
            },
        }
    }

    /// Returns the time at which the ray enters the box of a node, if it does.
    #[inline(always)]
    fn entry_time(&self, node: u32) -> Option<f64> {
        let bounds = self.tree.bounds(node);
        let (low, high) = (bounds.min(), bounds.max());
        // A ray along a side of a grown box is farther than the tolerance from its content. So the
        // result of 0 · ∞ does not matter.
        let enter = ((DVec2::select(self.forward, low, high) - self.near) * self.rate).max_element();
        let leave = ((DVec2::select(self.forward, high, low) - self.far) * self.rate).min_element();
        // Two roundings, of relevant times of about 1.
        (enter <= leave.min(1.0) + 8.0 * UNIT_ROUNDOFF && leave >= -8.0 * UNIT_ROUNDOFF).then_some(enter)
    }
}
