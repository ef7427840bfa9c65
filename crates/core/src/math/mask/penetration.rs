//! Computes the penetration depth of two masks: moves `b` down the gradient of the common area
//! until the masks are separate.
//!
//! Input: two masks that share a solid pixel. Output: an integer direction and the parameter on it
//! at which the overlap ends. All decisions are in integers.
//!
//! The simple version tests the offsets around the start by increasing distance:
//!
//! ```text
//! for each offset, nearest first: return it if the masks do not overlap there
//! ```
//!
//! It takes a number of tests that is quadratic in the depth, and its direction jumps between
//! frames. Here only the offsets along one direction are tested:
//!
//! ```text
//! direction = negative gradient of the common area, by central differences of one pixel
//! if direction = 0: repeat for +x, −x, +y, −y and return the shortest
//! visit the cells of the lattice of offsets along the direction (Amanatides and Woo, 1987):
//!     if the masks overlap at no corner of the cell: return the point where the cell is entered
//! ```
//!
//! The corners suffice: between whole pixels the common area is bilinear in the offset, and all its
//! terms are nonnegative. So inside a cell the squares overlap exactly if they overlap at one of
//! its four corners.

use core::cmp::Ordering;

use glam::DVec2;

use super::Mask;
use crate::math::both::both;
use crate::math::vector::sqrt;

/// A direction in integers, and the parameter where the overlap ends: `lines / along` times the
/// direction.
///
/// `lines` counts the grid lines crossed on one axis. `along` is the component of the direction on
/// that axis.
pub(super) struct Escape {
    direction: [i64; 2],
    lines: u64,
    along: u64,
}

impl Escape {
    /// Returns the unit direction and the distance along it.
    pub(super) fn direction_and_depth(&self) -> (DVec2, f64) {
        let direction = DVec2::new(self.direction[0] as f64, self.direction[1] as f64);
        let length = sqrt(direction.x * direction.x + direction.y * direction.y);
        (direction / length, self.lines as f64 * length / self.along as f64)
    }

    /// Returns the end of the translation, rounded away from the start: a corner of the free cell
    /// that begins there.
    pub(super) fn mtv_pixels(&self) -> [i64; 2] {
        both(self.direction, |d| d.signum() * (d.unsigned_abs() * self.lines).div_ceil(self.along) as i64)
    }
}

/// Returns the translation of `b` out of `a`, given a pixel `common` of both.
pub(super) fn escape_vector(a: &Mask, b: &Mask, offset: [i64; 2], common: [u32; 2]) -> Escape {
    let area = |x: i64, y: i64| a.overlap_area(b, [offset[0] + x, offset[1] + y]) as i64;
    let downward = [area(-1, 0) - area(1, 0), area(0, -1) - area(0, 1)];
    let along = |direction: [i64; 2]| {
        let (sign, pixel) = (both(direction, i64::signum), both(common, i64::from));
        EscapeSearch { a, b, offset, sign, lattice_point: [0, 0], pixel }.find_free_cell(direction)
    };
    if downward != [0, 0] {
        return along(downward);
    }
    let mut best = along([1, 0]);
    for direction in [[-1, 0], [0, 1], [0, -1]] {
        let escape = along(direction);
        best = if escape.lines < best.lines { escape } else { best };
    }
    best
}

/// Moves `b` through the lattice of offsets. Lattice points are relative to the start and count in
/// the direction of motion.
struct EscapeSearch<'m> {
    a: &'m Mask,
    b: &'m Mask,
    offset: [i64; 2],
    sign: [i64; 2],
    /// Last lattice point where an overlap was found, and a common pixel there, in `a`'s
    /// coordinates.
    lattice_point: [u64; 2],
    pixel: [i64; 2],
}

impl EscapeSearch<'_> {
    /// Visits the cells along `direction`, and returns the entry into the first cell whose corners
    /// are all free.
    fn find_free_cell(mut self, direction: [i64; 2]) -> Escape {
        let length = both(direction, i64::unsigned_abs);
        // Along an axis the path stays on the line between two lattice points.
        let [wide, high] = both(length, |l| u64::from(l > 0));
        let (mut x, mut y) = (0, 0);
        let mut escape = Escape { direction, lines: 0, along: 1 };
        loop {
            // The last lattice point with an overlap may be a corner of this cell. Else test the
            // farthest corner first: it may belong to the next cells too.
            let is_overlapping = self.lattice_point[0] >= x && self.lattice_point[1] >= y;
            if !is_overlapping
                && ![[x + wide, y + high], [x, y], [x + wide, y], [x, y + high]]
                    .into_iter()
                    .any(|corner| self.overlaps(corner))
            {
                return escape;
            }
            let order = match (wide, high) {
                (1, 1) => ((x + 1) * length[1]).cmp(&((y + 1) * length[0])),
                (1, 0) => Ordering::Less,
                _ => Ordering::Greater,
            };
            x += u64::from(order.is_le());
            y += u64::from(order.is_ge());
            (escape.lines, escape.along) = if order.is_le() { (x, length[0]) } else { (y, length[1]) };
        }
    }

    /// Returns true if the masks overlap at a lattice point. Stores the common pixel that was
    /// found.
    fn overlaps(&mut self, corner: [u64; 2]) -> bool {
        let displacement = both([0, 1], |i| self.sign[i] * (corner[i] as i64 - self.lattice_point[i] as i64));
        let offset = both([0, 1], |i| self.offset[i] + self.sign[i] * corner[i] as i64);
        // Test near the last common pixel first: the same pixel of a, then the same pixel of b. A
        // negative coordinate wraps to one far outside the mask.
        let solid = |mask: &Mask, [x, y]: [i64; 2]| mask.get(x as u32, y as u32);
        let common = |p: &[i64; 2]| solid(self.a, *p) && solid(self.b, [p[0] - offset[0], p[1] - offset[1]]);
        let near =
            [self.pixel, [self.pixel[0] + displacement[0], self.pixel[1] + displacement[1]]].into_iter().find(common);
        let found = near.or_else(|| self.a.common_pixel(self.b, offset).map(|pixel| both(pixel, i64::from)));
        if let Some(pixel) = found {
            (self.lattice_point, self.pixel) = (corner, pixel);
        }
        found.is_some()
    }
}
