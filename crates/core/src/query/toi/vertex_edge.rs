//! Computes the usual end of a rotating cast: a vertex hits an edge.
//!
//! Input: a time, an edge and a vertex of [`find_separation_root`](super::separation_root). Output:
//! the contact, or none if the vertex is too far away or does not project onto the edge.
//!
//! That search proves that all other vertices are farther from the edge's line than the level. If
//! the vertex projects onto the edge and is within the tolerance, the parts are in contact. So no
//! other feature needs a test, and the search for the closest features is saved.

use core::hint::select_unpredictable;

use glam::DVec2;

use super::relative_motion::{RelativeMotion, RelativeRotation};
use crate::query::feature_pair::EdgeVertex;

/// A contact, or the last time before it.
pub(super) struct FirstContact {
    /// Time, a fraction of the motion.
    pub(super) time: f64,
    /// Point on the surface of a, in the frame of the pair.
    pub(super) on_a: DVec2,
    /// Unit vector from a to b.
    pub(super) normal: DVec2,
}

/// Returns the contact of a vertex and an edge at a time. The hulls must be apart by more than
/// their radii along the edge's normal. `None` if they are farther apart than `near`, or if the
/// vertex does not project onto the edge.
#[inline(always)]
pub(super) fn vertex_edge_hit(
    motion: &RelativeMotion<'_>,
    time: f64,
    EdgeVertex { of, edge, vertex }: EdgeVertex,
    near: f64,
) -> Option<FirstContact> {
    let now = RelativeRotation::new(motion, time);
    let (own, other, sign) = (motion.parts[of].convex, motion.parts[1 - of].convex, [1.0, -1.0][of]);
    let (own_pose, other_pose) = (&now.poses[of], &now.poses[1 - of]);
    let (first, second) = (own.hull_vertex(edge), own.hull_vertex(own.next(edge)));
    // Relative to the pivots, then to the start of the edge.
    let (start, arm) = (own_pose.rotate_vector(first), other_pose.rotate_vector(other.hull_vertex(vertex)));
    let relative = own_pose.inverse_rotate_vector(now.offset * sign + arm - start);
    let (along, height) = (own.tangent(edge).dot(relative), own.normal(edge).dot(relative));
    let length = own.tangent(edge).dot(second - first);
    if (height > motion.radius + near) | (along < 0.0) | (along > length) {
        return None;
    }
    let foot = start + own_pose.rotate_vector(own.tangent(edge) * along);
    let (is_first, normal) = (of == 0, own_pose.rotate_vector(own.normal(edge)) * sign);
    let on_a = select_unpredictable(is_first, foot, arm);
    Some(FirstContact { time, on_a: on_a + normal * motion.parts[0].convex.radius, normal })
}
