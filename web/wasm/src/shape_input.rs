//! Decodes shapes from numbers. `web/package/src/encode.js` writes them.

use alloc::vec::Vec;

use carom::{Pose, Shape};

use crate::failure::Failure;

/// Reads numbers in order.
pub(crate) struct Reader<'a> {
    rest: &'a [f64],
    /// Compounds around the shape that is read.
    #[cfg(feature = "world")]
    depth: usize,
}

/// Compounds may be nested this deep. The stack of a module is small.
#[cfg(feature = "world")]
const MAX_DEPTH: usize = 64;

impl<'a> Reader<'a> {
    pub(crate) fn new(numbers: &'a [f64]) -> Self {
        Self {
            rest: numbers,
            #[cfg(feature = "world")]
            depth: 0,
        }
    }

    /// Returns the next numbers.
    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [f64], Failure> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or_else(|| Failure::new("the input is too short"))?;
        self.rest = rest;
        Ok(taken)
    }

    /// Returns the next `N` numbers.
    pub(crate) fn numbers<const N: usize>(&mut self) -> Result<[f64; N], Failure> {
        let mut numbers = [0.0; N];
        numbers.copy_from_slice(self.take(N)?);
        Ok(numbers)
    }

    /// Returns the next number as a count.
    pub(crate) fn count(&mut self) -> Result<usize, Failure> {
        let [count] = self.numbers()?;
        Ok(count as usize)
    }

    /// Returns a list of points: their count, then x and y of each.
    pub(crate) fn points(&mut self) -> Result<Vec<[f64; 2]>, Failure> {
        let count = self.count()?;
        Ok(self.take(count.saturating_mul(2))?.chunks_exact(2).map(|p| [p[0], p[1]]).collect())
    }

    /// Returns a pose and a shape: x, y, angle in radians, shape.
    pub(crate) fn placed(&mut self) -> Result<(Shape, Pose), Failure> {
        let [x, y, angle] = self.numbers()?;
        let shape = self.shape()?;
        Ok((shape, Pose::new([x, y], angle)?))
    }

    /// Returns a shape: the number of its kind, then its values.
    pub(crate) fn shape(&mut self) -> Result<Shape, Failure> {
        match self.count()? {
            0 => {
                let [radius] = self.numbers()?;
                Ok(Shape::circle(radius)?)
            }
            1 => {
                let [ax, ay, bx, by, radius] = self.numbers()?;
                Ok(Shape::capsule([ax, ay], [bx, by], radius)?)
            }
            2 => {
                let [ax, ay, bx, by, radius] = self.numbers()?;
                Ok(Shape::segment([ax, ay], [bx, by])?.rounded(radius)?)
            }
            3 => {
                let [width, height, radius] = self.numbers()?;
                Ok(Shape::rectangle(width, height)?.rounded(radius)?)
            }
            4 => self.polygon(),
            8 => {
                let [radius_x, radius_y, deviation] = self.numbers()?;
                Ok(Shape::ellipse(radius_x, radius_y, deviation)?)
            }
            #[cfg(feature = "world")]
            kind => self.composite(kind),
            #[cfg(not(feature = "world"))]
            _ => Err(Failure::new("this module has convex shapes only")),
        }
    }

    #[cfg(feature = "world")]
    fn polygon(&mut self) -> Result<Shape, Failure> {
        let (outer, holes) = self.rings()?;
        let [radius] = self.numbers()?;
        Ok(Shape::polygon_with_holes(&outer, &holes)?.rounded(radius)?)
    }

    #[cfg(not(feature = "world"))]
    fn polygon(&mut self) -> Result<Shape, Failure> {
        if self.count()? != 1 {
            return Err(Failure::new(
                "a polygon with holes is not convex: import \"carom\" instead of \"carom/narrow\"",
            ));
        }
        let points = self.points()?;
        let [radius] = self.numbers()?;
        Ok(Shape::convex_polygon(&points)?.rounded(radius)?)
    }
}

#[cfg(feature = "world")]
mod composite {
    use alloc::vec::Vec;

    use carom::{Mask, Pose, Shape};

    use super::{Failure, MAX_DEPTH, Reader};

    impl Reader<'_> {
        /// Returns the rings of a polygon: their count, then the points of each.
        #[expect(clippy::type_complexity, reason = "the outer ring and the holes")]
        pub(crate) fn rings(&mut self) -> Result<(Vec<[f64; 2]>, Vec<Vec<[f64; 2]>>), Failure> {
            let count = self.count()?;
            let outer = self.points()?;
            let holes = (1..count).map(|_| self.points()).collect::<Result<_, _>>()?;
            Ok((outer, holes))
        }

        pub(super) fn composite(&mut self, kind: usize) -> Result<Shape, Failure> {
            match kind {
                5 => {
                    let [closed, one_sided, radius] = self.numbers()?;
                    let points = self.points()?;
                    let chain = if closed == 0.0 { Shape::chain(&points) } else { Shape::closed_chain(&points) }?;
                    let chain = if one_sided == 0.0 { chain } else { chain.one_sided()? };
                    Ok(chain.rounded(radius)?)
                }
                6 => self.compound(),
                7 => {
                    let [scale_x, scale_y, radius] = self.numbers()?;
                    let shape = Shape::mask(self.mask()?)?;
                    let shape = if [scale_x, scale_y] == [1.0; 2] { shape } else { shape.scaled(scale_x, scale_y)? };
                    Ok(shape.rounded(radius)?)
                }
                _ => Err(Failure::new("the input is not a shape")),
            }
        }

        fn compound(&mut self) -> Result<Shape, Failure> {
            self.depth += 1;
            if self.depth > MAX_DEPTH {
                return Err(Failure::new(format_args!(
                    "compounds are nested deeper than {MAX_DEPTH}: use fewer levels"
                )));
            }
            let count = self.count()?;
            let mut children = Vec::new();
            for _ in 0..count {
                let [x, y, degrees] = self.numbers()?;
                children.push((self.shape()?, Pose::from_degrees([x, y], degrees)?));
            }
            self.depth -= 1;
            Ok(Shape::compound(children)?)
        }

        /// Returns a mask: width, height, then the pixels, 32 in a number.
        pub(crate) fn mask(&mut self) -> Result<Mask, Failure> {
            let [width, height] = self.numbers()?.map(|side: f64| side as u32);
            // Checks the size before the pixels are read.
            Mask::new(width, height)?;
            let words = self.take((width as usize * height as usize).div_ceil(32))?;
            let solid = |x, y| {
                let i = y as usize * width as usize + x as usize;
                words[i / 32] as u32 >> (i % 32) & 1 == 1
            };
            Ok(Mask::from_fn(width, height, solid)?)
        }
    }
}
