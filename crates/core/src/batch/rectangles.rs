//! Finds the reference edge and the incident vertex of two rectangles with SIMD, one pair per lane.
//!
//! Input: poses and half extents. Output: the input of the edge clip. Separating-axis test of two
//! oriented boxes (S. Gottschalk, *Separating axis theorem*, 1996).
//!
//! ```text
//! for each rectangle and each of its two axes
//!     separation = |other centre along the axis| - half extent - projection of the other
//! reference edge = the edge with the greatest separation
//! incident vertex = the vertex of the other rectangle with the least projection on its normal
//! ```
//!
//! The general test (`sat.rs`) computes eight edges against eight vertices. A rectangle has two
//! axes, and a symmetric projection on each. Vertices, normals and feature codes are derived from
//! the half extents by symmetry, so no vertex data is loaded.

use super::clip::{ClipLanes, FeatureCodes};
use super::simd_columns::{Codes, Lanes, Poses, Relatives, Vectors, rounding, select};
use crate::math::simd::{Simd, mask64s};
use crate::query::pair::ErrorBounds;

/// Two rectangles in each lane.
pub(super) struct Rectangles<S: Simd> {
    /// The poses of a and b.
    pub(super) poses: [Poses<S>; 2],
    /// Half the width and half the height of a and b.
    pub(super) halves: [Vectors<S>; 2],
    /// The rounding radii of a and b.
    pub(super) radii: [Lanes<S>; 2],
    /// The sum of both bounding radii.
    pub(super) bounding_radius: Lanes<S>,
}

/// The separations of two rectangles along their four axes.
pub(super) struct RectangleSeparations<S: Simd> {
    relative: Relatives<S>,
    pub(super) rounding: ErrorBounds<Lanes<S>>,
    /// Of rectangle b from rectangle a, along both axes of a.
    pub(super) of_a: Vectors<S>,
    /// Of rectangle a from rectangle b, along both axes of b.
    pub(super) of_b: Vectors<S>,
}

impl<S: Simd> RectangleSeparations<S> {
    /// Computes the separations; `sizes` is the sum of all radii and bounding radii.
    #[inline(always)]
    pub(super) fn new([p, q]: &[Poses<S>; 2], [a, b]: [Vectors<S>; 2], sizes: Lanes<S>) -> Self {
        let relative = p.relative_to(q);
        let rounding = rounding::<S>(sizes, relative.apart, p.translation, q.translation);
        let (cos, sin) = (relative.cos.abs(), relative.sin.abs());
        let of_a = separations_from::<S>(a, relative.b_in_a, [cos * b[0] + sin * b[1], sin * b[0] + cos * b[1]]);
        let of_b = separations_from::<S>(b, relative.a_in_b, [cos * a[0] + sin * a[1], sin * a[0] + cos * a[1]]);
        Self { relative, rounding, of_a, of_b }
    }
}

/// Returns the separation of a box from a rectangle along both axes of the rectangle. The box has
/// half extents `extent` and is centred at `center`.
#[inline(always)]
fn separations_from<S: Simd>(half: Vectors<S>, center: Vectors<S>, extent: Vectors<S>) -> Vectors<S> {
    [center[0].abs() - half[0] - extent[0], center[1].abs() - half[1] - extent[1]]
}

impl<S: Simd> Rectangles<S> {
    /// Returns the features for the clip, and a bit mask of the pairs that no axis separates.
    #[inline(always)]
    pub(super) fn decide(&self, simd: S) -> (ClipLanes<S>, u64) {
        let ([p, q], [a, b]) = (self.poses, self.halves);
        let radius = self.radii[0] + self.radii[1];
        let separations = RectangleSeparations::new(&[p, q], [a, b], self.bounding_radius + radius);
        let RectangleSeparations { relative, rounding, of_a: separations_a, of_b: separations_b } = separations;
        let (best_a, best_b) = (separations_a[0].max(separations_a[1]), separations_b[0].max(separations_b[1]));
        let candidates = best_a.max(best_b).simd_le(radius + rounding.separation()).to_bitmask();

        // The reference shape is a, unless b is better by more than the length error.
        let of = (best_b - rounding.length()).simd_gt(best_a);
        let (own, other) = (select_pose::<S>(of, &q, &p), select_pose::<S>(of, &p, &q));
        let (half, other_half) = (select::<S>(of, b, a), select::<S>(of, a, b));
        let separation = select::<S>(of, separations_b, separations_a);
        let center = select::<S>(of, relative.a_in_b, relative.b_in_a);
        let sin = of.select(-relative.sin, relative.sin);

        let (zero, one) = (Lanes::splat(simd, 0.0), Lanes::splat(simd, 1.0));
        let (at_left, above) = (center[0].simd_lt(zero), center[1].simd_gt(zero));
        // Ties: the right edge comes before the upper edge.
        let sideways = separation[0].simd_gt(separation[1]) | (separation[0].simd_eq(separation[1]) & !at_left & above);
        let normal = [sideways.select(at_left.select(-one, one), zero), sideways.select(zero, above.select(one, -one))];
        let [nx, ny] = normal;
        // The ends of the reference edge, counter-clockwise.
        let ends = [[(nx + ny) * half[0], (ny - nx) * half[1]], [(nx - ny) * half[0], (ny + nx) * half[1]]];

        // The vertex with the least projection on the normal.
        let (x, y) = (relative.cos * nx + sin * ny, relative.cos * ny - sin * nx);
        let below = y.simd_ge(zero);
        let left = x.simd_gt(zero) | (x.simd_eq(zero) & below);
        let (side_x, side_y) = (left.select(-one, one), below.select(-one, one));
        let [cx, cy] = [side_x * other_half[0], side_y * other_half[1]];
        // Consecutive vertices of a rectangle differ in the sign of one coordinate, alternately x
        // and y.
        let odd = left ^ below;
        let neighbors = [[odd.select(-cx, cx), odd.select(cy, -cy)], [odd.select(cx, -cx), odd.select(-cy, cy)]];
        let sides = [
            [odd.select(zero, side_x), odd.select(side_y, zero)],
            [odd.select(side_x, zero), odd.select(zero, side_y)],
        ];

        // Edges are numbered from the lower one, and vertices from the lower left one,
        // counter-clockwise.
        let number = |i: u64| Codes::splat(simd, i << 1);
        let edge = sideways.select(at_left.select(number(3), number(1)), above.select(number(2), number(0)));
        let lower = left.select(number(0), number(1));
        let vertex = below.select(lower, lower ^ number(3));
        let (around, end, previous, next) = (number(3), edge + number(1), vertex + number(3), vertex + number(1));
        let previous = previous & around;
        let codes = FeatureCodes {
            edge: edge | 1,
            ends: [edge, end & around],
            vertex,
            neighbors: [previous, next & around],
            sides: [previous | 1, vertex | 1],
        };
        let relative = Poses { translation: center, cos: relative.cos, sin };
        let radius_own = of.select(self.radii[1], self.radii[0]);
        let radius_other = of.select(self.radii[0], self.radii[1]);
        let sign = of.select(-one, one);
        let input = ClipLanes {
            own,
            other,
            ends,
            normal,
            vertex: [cx, cy],
            neighbors,
            sides,
            radius_own,
            radius_other,
            relative,
            rounding,
            sign,
            codes,
        };
        (input, candidates)
    }
}

/// Selects `p` or `q` in each lane.
#[inline(always)]
fn select_pose<S: Simd>(first: mask64s<S>, p: &Poses<S>, q: &Poses<S>) -> Poses<S> {
    let translation = select::<S>(first, p.translation, q.translation);
    Poses { translation, cos: first.select(p.cos, q.cos), sin: first.select(p.sin, q.sin) }
}
