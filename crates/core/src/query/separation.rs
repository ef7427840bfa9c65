//! From features to numbers: the distance of two hulls, its direction, and the points.

use glam::DVec2;

use super::closest::Features;
use super::pair::Pair;
use crate::math::integer::power_of_two;
use crate::math::vector::{length, rescaled};

/// How far two hulls are apart, and along which way; the radii are not in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Separation {
    /// Signed: negative where they overlap.
    pub(super) distance: f64,
    /// Unit vector from a to b.
    pub(super) normal: DVec2,
}

/// The length of any vector, tiny ones included, and its direction (or another one for zero).
#[inline(always)]
pub(super) fn length_and_direction(v: DVec2, otherwise: DVec2) -> (f64, DVec2) {
    let norm = length(v);
    if norm > 1e-140 {
        return (norm, v / norm);
    }
    tiny(v, otherwise)
}

#[cold]
fn tiny(v: DVec2, otherwise: DVec2) -> (f64, DVec2) {
    let (scaled, power) = rescaled(v);
    let norm = length(scaled);
    if norm == 0.0 {
        return (0.0, otherwise);
    }
    // Two steps: the power may lie beyond the normal numbers.
    let half = power / 2;
    (norm * power_of_two(-half) * power_of_two(half - power), scaled / norm)
}

/// The separation that the features give, from the placed points themselves: no error grows with the distance from the origin.
#[inline(always)]
pub(super) fn separation(pair: &Pair<'_>, features: Features) -> Separation {
    let (p, q) = (pair.a.pose(), pair.b.pose());
    let (a, b) = (pair.convex_a, pair.convex_b);
    match features {
        Features::FaceOfA { edge, corner } => {
            let normal = p.rotate(a.normal(edge));
            Separation { distance: normal.dot(q.apply(b.corner(corner)) - p.apply(a.corner(edge))), normal }
        }
        Features::FaceOfB { edge, corner } => {
            let normal = q.rotate(b.normal(edge));
            Separation { distance: normal.dot(p.apply(a.corner(corner)) - q.apply(b.corner(edge))), normal: -normal }
        }
        Features::Corners { a: i, b: j } => {
            let (distance, normal) = length_and_direction(q.apply(b.corner(j)) - p.apply(a.corner(i)), fallback(pair, i));
            Separation { distance, normal }
        }
    }
}

/// The normal where two corners fall on one point: outward at the corner of a; for two circles the first axis of a.
#[inline(always)]
fn fallback(pair: &Pair<'_>, corner: usize) -> DVec2 {
    pair.a.pose().rotate(pair.convex_a.normal(corner))
}
