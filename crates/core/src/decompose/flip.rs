//! Diagonals turned where that lets fewer of them do.

use alloc::vec::Vec;
use core::cmp::Ordering;

use glam::DVec2;

use super::monotone::Mesh;
use super::status::NONE;
use crate::math::predicates::orientation;

/// The side that follows within its triangle.
#[inline(always)]
pub(super) fn next(side: u32) -> u32 {
    if side % 3 == 2 { side - 2 } else { side + 1 }
}

/// The side before.
#[inline(always)]
pub(super) fn prev(side: u32) -> u32 {
    if side.is_multiple_of(3) { side + 2 } else { side - 1 }
}

/// Turns diagonals until none could be turned to end at more reflex vertices, or at as many and be shorter.
///
/// Only at reflex vertices are diagonals needed, so one that ends at two of them may serve both; short ones cross the ways of few others. Every turn lowers the
/// (count, length) of the triangulation, so this ends.
pub(super) fn turn_diagonals(mesh: &mut Mesh, points: &[DVec2], reflex: &[bool]) {
    let inner = |mesh: &Mesh, side: u32| mesh.twins[side as usize] != NONE && side < mesh.twins[side as usize];
    let mut pending: Vec<u32> = (0..mesh.corners.len() as u32).filter(|&side| inner(mesh, side)).collect();
    while let Some(side) = pending.pop() {
        let twin = mesh.twins[side as usize];
        if twin == NONE {
            continue;
        }
        let around = [next(side), prev(side), next(twin), prev(twin)];
        let [a, b, c, d] = [side, twin, around[1], around[3]].map(|s| mesh.corners[s as usize]);
        let [p, q, r, s] = [a, b, c, d].map(|v| points[v as usize]);
        let ends = |v: u32, w: u32| u32::from(reflex[v as usize]) + u32::from(reflex[w as usize]);
        let (now, then) = (ends(a, b), ends(c, d));
        if then < now || then == now && r.distance_squared(s) >= p.distance_squared(q) {
            continue;
        }
        if orientation(s, q, r) != Ordering::Greater || orientation(r, p, s) != Ordering::Greater {
            continue;
        }
        turn(mesh, side, twin);
        pending.extend_from_slice(&around);
    }
}

/// Replaces the diagonal of a convex quadrilateral by the other one.
fn turn(mesh: &mut Mesh, side: u32, twin: u32) {
    let around = [next(side), prev(side), next(twin), prev(twin)];
    let [a, b, c, d] = [side, twin, around[1], around[3]].map(|s| mesh.corners[s as usize]);
    let beyond = around.map(|s| mesh.twins[s as usize]);
    let mut set = |side: u32, corner: u32, twin: u32| {
        mesh.corners[side as usize] = corner;
        mesh.twins[side as usize] = twin;
        if twin != NONE {
            mesh.twins[twin as usize] = side;
        }
    };
    set(side, c, twin);
    set(around[0], d, beyond[3]);
    set(around[1], b, beyond[0]);
    set(twin, d, side);
    set(around[2], c, beyond[1]);
    set(around[3], a, beyond[2]);
}
