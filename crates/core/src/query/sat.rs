//! Separating axes: along which edge normal of one shape the other is farthest away.
//!
//! Two convex sets are apart exactly where they are apart along a normal of an edge of one of them (the separating axis theorem; Ericson 2005,
//! 5.2.1), and where they overlap, the least overlap along these normals is their depth.

use super::pair::Relative;
use crate::math::vector::cross;
use crate::shape::convex::Ring;

/// From this many corners of both shapes on, corners are found by walking instead of by looking at all.
const WALK: usize = 28;

/// The edge of one shape from which the other is farthest, and the other's corner that is nearest to that edge's line.
#[derive(Clone, Copy)]
pub(super) struct Face {
    /// Signed: how far the other shape is in front of the edge; negative where it reaches behind.
    pub(super) separation: f64,
    pub(super) edge: usize,
    pub(super) corner: usize,
}

/// The best face of `own` against `other`; the first of several. A point has none: its separation is −∞.
#[inline(always)]
pub(super) fn best_face(own: Ring<'_>, other: Ring<'_>, pose: Relative) -> Face {
    if own.corners.len() + other.corners.len() < WALK { by_looking(own, other, pose) } else { by_walking(own, other, pose) }
}

#[inline(always)]
fn by_looking(own: Ring<'_>, other: Ring<'_>, pose: Relative) -> Face {
    let mut best = Face { separation: f64::NEG_INFINITY, edge: 0, corner: 0 };
    for (edge, (&normal, &start)) in own.normals.iter().zip(own.corners).enumerate() {
        let (direction, offset) = (pose.unrotate(normal), normal.dot(pose.translation - start));
        let (mut nearest, mut corner) = (f64::INFINITY, 0);
        for (i, q) in other.corners.iter().enumerate() {
            let along = direction.dot(*q);
            if along < nearest {
                (nearest, corner) = (along, i);
            }
        }
        if nearest + offset > best.separation {
            best = Face { separation: nearest + offset, edge, corner };
        }
    }
    best
}

/// As the normals of `own` turn counter-clockwise, so does the nearest corner of `other`: both go around once.
#[inline(never)]
fn by_walking(own: Ring<'_>, other: Ring<'_>, pose: Relative) -> Face {
    let mut best = Face { separation: f64::NEG_INFINITY, edge: 0, corner: 0 };
    let Some(&first) = own.normals.first() else { return best };
    let mut corner = lowest(other, pose.unrotate(first));
    for (edge, (&normal, &start)) in own.normals.iter().zip(own.corners).enumerate() {
        let direction = pose.unrotate(normal);
        // An edge leads farther down while its outward normal lies to the left of the direction.
        for _ in 0..other.normals.len() {
            if cross(direction, other.normals[corner]) <= 0.0 {
                break;
            }
            corner = other.next(corner);
        }
        let separation = direction.dot(other.corners[corner]) + normal.dot(pose.translation - start);
        if separation > best.separation {
            best = Face { separation, edge, corner };
        }
    }
    best
}

/// The corner that is lowest along a direction.
fn lowest(ring: Ring<'_>, direction: glam::DVec2) -> usize {
    let mut best = (f64::INFINITY, 0);
    for (i, p) in ring.corners.iter().enumerate() {
        let along = direction.dot(*p);
        if along < best.0 {
            best = (along, i);
        }
    }
    best.1
}
