//! The usual end of a turning cast: a corner comes down on an edge.
//!
//! Which corner and which edge [`find_separation_root`](super::separation_root) says, and that all other corners are farther from the edge's line than the level: where the corner is over the edge and no
//! farther off than the tolerance, they are in contact. Whatever else there may be need not be looked at, nor is it written down.

use core::hint::select_unpredictable;

use glam::DVec2;

use super::relative_motion::{RelativeMotion, RelativeRotation};
use crate::query::closest_features::EdgeVertex;

/// A contact, or the last moment before it.
pub(super) struct Hit {
    pub(super) time: f64,
    /// On the surface of a, in the frame of the pair.
    pub(super) on_a: DVec2,
    /// From a to b.
    pub(super) normal: DVec2,
}

/// The contact at a time of a corner and an edge, along which the hulls are apart by more than their radii; none where they are farther apart than `near`, or the corner is not over the edge.
#[inline(always)]
pub(super) fn vertex_edge_hit(
    motion: &RelativeMotion<'_>,
    time: f64,
    EdgeVertex { of, edge, corner }: EdgeVertex,
    near: f64,
) -> Option<Hit> {
    let now = RelativeRotation::new(motion, time);
    let (own, other, sign) = (motion.parts[of].convex, motion.parts[1 - of].convex, [1.0, -1.0][of]);
    let (own_pose, other_pose) = (&now.poses[of], &now.poses[1 - of]);
    let (first, second) = (own.hull_vertex(edge), own.hull_vertex(own.next(edge)));
    // Seen from the pivots, then from where the edge begins.
    let (start, arm) = (own_pose.rotate_vector(first), other_pose.rotate_vector(other.hull_vertex(corner)));
    let seen = own_pose.inverse_rotate_vector(now.offset * sign + arm - start);
    let (along, height) = (own.tangent(edge).dot(seen), own.normal(edge).dot(seen));
    let length = own.tangent(edge).dot(second - first);
    if (height > motion.radius + near) | (along < 0.0) | (along > length) {
        return None;
    }
    let foot = start + own_pose.rotate_vector(own.tangent(edge) * along);
    let (is_first, normal) = (of == 0, own_pose.rotate_vector(own.normal(edge)) * sign);
    let on_a = select_unpredictable(is_first, foot, arm);
    Some(Hit { time, on_a: on_a + normal * motion.parts[0].convex.radius, normal })
}
