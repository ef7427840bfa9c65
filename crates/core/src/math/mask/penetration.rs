//! The way out of two masks that overlap: down the gradient of the common area, until the squares are free of each other.

use core::cmp::Ordering;

use glam::DVec2;

use super::Mask;
use crate::math::vector::sqrt;

/// A direction in whole numbers, and where on the way along it the overlap ends: at `lines / along` of the direction, where `lines` grid
/// lines of one axis have been reached and `along` is the direction's component on that axis.
pub(super) struct Escape {
    direction: [i64; 2],
    lines: u64,
    along: u64,
}

impl Escape {
    /// The unit direction, and how far along it.
    pub(super) fn measure(&self) -> (DVec2, f64) {
        let direction = DVec2::new(self.direction[0] as f64, self.direction[1] as f64);
        let length = sqrt(direction.x * direction.x + direction.y * direction.y);
        (direction / length, self.lines as f64 * length / self.along as f64)
    }

    /// The end of the way, rounded away from the start: a corner of the free cell that begins there.
    pub(super) fn step(&self) -> [i64; 2] {
        self.direction.map(|d| d.signum() * (d.unsigned_abs() * self.lines).div_ceil(self.along) as i64)
    }
}

/// The way of `b` out of `a`, where they have the pixel `common`.
pub(super) fn escape_vector(a: &Mask, b: &Mask, offset: [i64; 2], common: [u32; 2]) -> Escape {
    let area = |x: i64, y: i64| a.overlap_area(b, [offset[0] + x, offset[1] + y]) as i64;
    let downward = [area(-1, 0) - area(1, 0), area(0, -1) - area(0, 1)];
    let along = |direction: [i64; 2]| {
        let pixel = common.map(i64::from);
        EscapeSearch { a, b, offset, sign: direction.map(i64::signum), corner: [0, 0], pixel }.until_free(direction)
    };
    if downward != [0, 0] {
        return along(downward);
    }
    let [first, rest @ ..] = [[1, 0], [-1, 0], [0, 1], [0, -1]].map(along);
    rest.into_iter().fold(first, |best, way| if way.lines < best.lines { way } else { best })
}

/// Moves `b` through the lattice of offsets. Corners of the lattice are counted from the start, in the direction of the way.
struct EscapeSearch<'m> {
    a: &'m Mask,
    b: &'m Mask,
    offset: [i64; 2],
    sign: [i64; 2],
    /// The last corner at which an overlap was found, and a common pixel there, in `a`.
    corner: [u64; 2],
    pixel: [i64; 2],
}

impl EscapeSearch<'_> {
    /// Between whole pixels the common area is bilinear in the offset, and no term of it is negative: inside a cell of the lattice of
    /// offsets the squares overlap exactly if they do at one of the cell's four corners. So the way ends where it enters the first cell
    /// whose corners are all free. Cells are visited as by Amanatides and Woo 1987, in whole numbers.
    fn until_free(mut self, direction: [i64; 2]) -> Escape {
        let length = direction.map(i64::unsigned_abs);
        // Along an axis the way stays on the line between two corners.
        let [wide, high] = length.map(|l| u64::from(l > 0));
        let (mut x, mut y) = (0, 0);
        let mut way = Escape { direction, lines: 0, along: 1 };
        loop {
            // The corner of the last overlap may belong to this cell, too. The farthest one may to the next cells, so it is asked first.
            let known = self.corner[0] >= x && self.corner[1] >= y;
            if !known
                && ![[x + wide, y + high], [x, y], [x + wide, y], [x, y + high]]
                    .into_iter()
                    .any(|corner| self.overlaps(corner))
            {
                return way;
            }
            let order = match (wide, high) {
                (1, 1) => ((x + 1) * length[1]).cmp(&((y + 1) * length[0])),
                (1, 0) => Ordering::Less,
                _ => Ordering::Greater,
            };
            x += u64::from(order.is_le());
            y += u64::from(order.is_ge());
            (way.lines, way.along) = if order.is_le() { (x, length[0]) } else { (y, length[1]) };
        }
    }

    /// Do the masks overlap at a corner?
    fn overlaps(&mut self, corner: [u64; 2]) -> bool {
        let moved = [0, 1].map(|i| self.sign[i] * (corner[i] as i64 - self.corner[i] as i64));
        let offset = [0, 1].map(|i| self.offset[i] + self.sign[i] * corner[i] as i64);
        // Near the last common pixel first: the same of a, or the same of b. A negative coordinate is one far beyond the mask.
        let solid = |mask: &Mask, [x, y]: [i64; 2]| mask.get(x as u32, y as u32);
        let common = |p: &[i64; 2]| solid(self.a, *p) && solid(self.b, [p[0] - offset[0], p[1] - offset[1]]);
        let near = [self.pixel, [self.pixel[0] + moved[0], self.pixel[1] + moved[1]]].into_iter().find(common);
        let found = near.or_else(|| self.a.common_pixel(self.b, offset).map(|pixel| pixel.map(i64::from)));
        if let Some(pixel) = found {
            (self.corner, self.pixel) = (corner, pixel);
        }
        found.is_some()
    }
}
