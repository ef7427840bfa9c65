//! Lengths of a mover that do not depend on its position.
//!
//! Input: the collider of the mover. Output: its box about the origin, its size and its radius. They are
//! computed once for many calls, until the angle of the mover or the [`Revision`] of the world changes.

use glam::DVec2;

use crate::math::aabb::Aabb;
use crate::math::vector::length;
use crate::shape::Placed;
use crate::world::Revision;

/// Lengths of a mover, and the state that they are of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body {
    /// The state of the world, with the cosine and sine of the mover's angle.
    of: (Revision, [f64; 2]),
    /// Box of a convex mover about the origin without its radius, and this radius.
    hull_box: Option<(Aabb, f64)>,
    /// Length of the diagonal of the mover's box.
    pub(super) size: f64,
    /// Half the smaller side of the mover's box.
    pub(super) radius: f64,
}

impl Body {
    /// Returns the lengths, and true if they were cached for this angle and this state of the world. Else computes
    /// and stores them.
    pub(super) fn cached<'a>(cache: &'a mut Option<Self>, placed: &Placed<'_>, world: Revision) -> (&'a Self, bool) {
        let of = (world, [placed.pose_ref().cos(), placed.pose_ref().sin()]);
        let is_cached = cache.as_ref().is_some_and(|body| body.of == of);
        if !is_cached {
            *cache = None;
        }
        (cache.get_or_insert_with(|| Self::new(of, placed)), is_cached)
    }

    fn new(of: (Revision, [f64; 2]), placed: &Placed<'_>) -> Self {
        let at_origin = placed.shape().placed(placed.pose().with_valid_translation(DVec2::ZERO));
        let hull_box = at_origin.as_part().map(|part| (Aabb::around(part.points(), 0.0), part.convex.radius));
        let sides = match hull_box {
            Some((hull, radius)) => hull.grown(radius).size(),
            None => at_origin.aabb().size(),
        };
        Self { of, hull_box, size: length(sides), radius: 0.5 * sides.min_element() }
    }

    /// Returns the box of the mover at a pose with the same angle. It is that of [`Placed::aabb`].
    pub(super) fn aabb(&self, placed: &Placed<'_>) -> Aabb {
        let position = placed.pose_ref().translation();
        match self.hull_box {
            // A sum is rounded as the least and the greatest of the sums of all points.
            Some((hull, radius)) => Aabb::spanning(hull.min() + position, hull.max() + position, radius),
            None => placed.aabb(),
        }
    }
}

/// Returns a power of two above a length, at most twice as large; 0 for 0.
pub(super) fn power_of_two_above(length: f64) -> f64 {
    const EXPONENT: u64 = f64::INFINITY.to_bits();
    match length {
        // The next exponent, without the digits.
        f64::MIN_POSITIVE..=1e300 => 2.0 * f64::from_bits(length.to_bits() & EXPONENT),
        _ if length > 0.0 => libm::ldexp(1.0, libm::frexp(length).1),
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The exponent of libm's `frexp` is the reference, also for subnormal and huge lengths.
    #[test]
    fn powers_of_two_are_those_of_libm() {
        let mut rng = fastrand::Rng::with_seed(5);
        let random = (0..100_000).map(|_| (1.0 + rng.f64()) * libm::exp2(f64::from(rng.i32(-1074..1000))));
        let special = [0.0, f64::MIN_POSITIVE, 5e-324, 1.0, 2.0, 3.0, 1e300, 1.5e300];
        for length in random.chain(special) {
            let expected = if length > 0.0 { libm::ldexp(1.0, libm::frexp(length).1) } else { 0.0 };
            assert_eq!(power_of_two_above(length), expected, "{length:e}");
        }
    }
}
