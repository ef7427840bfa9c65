//! Stores pixel masks: one bit per pixel, true if solid, 64 pixels per word.
//!
//! Input: alpha values, a function or text. Output: a mask, with queries for overlap, penetration,
//! moments and outlines.
//!
//! The words are stored in stripes. A stripe contains 64 columns; its words are the rows. Two masks
//! at any offset overlap in at most two shifts per pair of stripes. Each shift is one plain loop
//! over two slices, however wide the masks are. Bits beyond the width are always zero.
//!
//! With words in rows, as in an image file, each row would be an inner loop of few words.

mod blit;
mod moments;
mod overlap;
mod overlap_test;
mod penetration;
mod perimeter;
mod rotate;

pub use overlap::MaskOverlap;

use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use crate::error::{Error, ErrorKind};

/// Number of columns per stripe: the bits of a word.
const WORD: u32 = u64::BITS;

/// A pixel mask: which pixels of an image are solid.
///
/// Pixel `(x, y)` is the closed unit square from `(x, y)` to `(x + 1, y + 1)`. `x` counts columns
/// and `y` counts rows, both from 0. Rows have the order of the image data: if the first row is the
/// top one, +y points down.
///
/// A mask has 1 to 65 536 columns and rows and up to 2²⁸ = 268 435 456 pixels. [`Mask::MAX_SIDE`]
/// and [`Mask::MAX_PIXELS`] name these limits.
///
/// Queries of two masks take an `offset` in whole pixels. Pixel `(x, y)` of the second mask lies on
/// pixel `(x + offset[0], y + offset[1])` of the first. Any offset is allowed. No query allocates.
///
/// ```
/// use carom::Mask;
///
/// let ship = Mask::from_rows(&[
///     "...#...", //
///     "..###..",
///     ".#####.",
///     "#######",
/// ])?;
/// let rock = Mask::from_rows(&["##"])?;
///
/// assert!(!ship.intersects_at(&rock, [6, 0])); // inside the ship's box, but nothing is solid there
/// assert!(ship.intersects_at(&rock, [5, 0]) && !ship.overlaps_at(&rock, [5, 0])); // they touch
/// let overlap = ship.overlap(&rock, [4, 2]).unwrap();
/// assert_eq!((overlap.count, overlap.first), (2, [4, 2]));
/// assert!(!ship.overlaps_at(&rock, [4 + overlap.mtv_pixels[0], 2 + overlap.mtv_pixels[1]])); // moved out
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Mask {
    width: u32,
    height: u32,
    /// The stripes one after the other, `height` words each. Bit `i` of stripe `k` is the pixel of
    /// column `64 k + i`.
    words: Vec<u64>,
}

/// A box of pixels: all pixels with `min[0] <= x < max[0]` and `min[1] <= y < max[1]`.
///
/// As points, `min` and `max` are the lowest and highest corner of the box.
///
/// ```
/// use carom::Mask;
/// use carom::mask::PixelBox;
///
/// let mask = Mask::from_rows(&["....", ".##.", "..#."])?;
/// assert_eq!(mask.bounds(), Some(PixelBox { min: [1, 1], max: [3, 3] }));
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PixelBox {
    /// Lowest column and row.
    pub min: [u32; 2],
    /// Highest column and row, plus one.
    pub max: [u32; 2],
}

impl Mask {
    /// Largest number of columns, and of rows.
    pub const MAX_SIDE: u32 = 1 << 16;

    /// Largest number of pixels.
    pub const MAX_PIXELS: u64 = 1 << 28;

    /// Creates an empty mask of `width` columns and `height` rows.
    ///
    /// # Errors
    /// If a side is 0, or if there are more pixels than the limits allow. Then nothing is
    /// allocated, whatever the header of a file claims.
    ///
    /// ```
    /// use carom::{ErrorKind, Mask};
    ///
    /// assert_eq!(Mask::new(64, 64)?.count(), 0);
    /// assert_eq!(Mask::new(64, 0).unwrap_err().kind(), ErrorKind::ZeroSize);
    /// assert_eq!(Mask::new(40_000, 40_000).unwrap_err().kind(), ErrorKind::TooManyPixels);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn new(width: u32, height: u32) -> Result<Self, Error> {
        check_size(width, height)?;
        Ok(Self::empty(width, height))
    }

    /// Creates a mask of the pixels whose alpha is at least `threshold`. `alpha` has one byte per
    /// pixel, row after row.
    ///
    /// 128 is the usual threshold. 1 selects every pixel that is not fully transparent, 0 selects
    /// all.
    ///
    /// # Errors
    /// As [`new`](Self::new). Also if `alpha` does not have `width * height` bytes.
    ///
    /// ```
    /// use carom::Mask;
    ///
    /// let mask = Mask::from_alpha(2, 2, &[0, 127, 128, 255], 128)?;
    /// assert_eq!(mask, Mask::from_rows(&["..", "##"])?);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn from_alpha(width: u32, height: u32, alpha: &[u8], threshold: u8) -> Result<Self, Error> {
        check_data(width, height, alpha.len())?;
        let mut mask = Self::empty(width, height);
        for (y, row) in alpha.chunks_exact(width as usize).enumerate() {
            for (k, pixels) in row.chunks(WORD as usize).enumerate() {
                let word = pixels.iter().rev().fold(0, |word, &a| word << 1 | u64::from(a >= threshold));
                mask.words[k * height as usize + y] = word;
            }
        }
        Ok(mask)
    }

    /// Creates a mask of the pixels for which `solid(x, y)` is true. Calls it once per pixel, row
    /// after row.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    ///
    /// ```
    /// use carom::Mask;
    ///
    /// // The alpha of an image whose pixels are four bytes each.
    /// let rgba = [255, 255, 255, 255, 0, 0, 0, 0];
    /// let mask = Mask::from_fn(2, 1, |x, y| rgba[4 * (y as usize * 2 + x as usize) + 3] >= 128)?;
    /// assert_eq!(mask, Mask::from_rows(&["#."])?);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn from_fn(width: u32, height: u32, mut solid: impl FnMut(u32, u32) -> bool) -> Result<Self, Error> {
        let mut mask = Self::new(width, height)?;
        for y in 0..height {
            for x in 0..width {
                if solid(x, y) {
                    mask.add(x, y);
                }
            }
        }
        Ok(mask)
    }

    /// Creates a mask from text: a dot or a space is empty, any other character is solid. The first
    /// string is row 0.
    ///
    /// # Errors
    /// As [`new`](Self::new). Also if the rows have different lengths.
    ///
    /// ```
    /// use carom::Mask;
    ///
    /// assert_eq!(Mask::from_rows(&[".#.", "###"])?.count(), 4);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn from_rows(rows: &[&str]) -> Result<Self, Error> {
        let length = |row: &str| row.chars().count();
        let width = rows.first().map_or(0, |row| length(row));
        if let Some((y, row)) = rows.iter().enumerate().find(|(_, row)| length(row) != width) {
            let message = format!(
                "row {y} has {} characters, row 0 has {width}: all rows must have the same length",
                length(row)
            );
            return Err(Error::new(ErrorKind::WrongLength, message));
        }
        let side = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let mut mask = Self::new(side(width), side(rows.len()))?;
        for (y, row) in (0..).zip(rows) {
            (0..).zip(row.chars()).filter(|&(_, c)| c != '.' && c != ' ').for_each(|(x, _)| mask.add(x, y));
        }
        Ok(mask)
    }

    /// Returns the number of columns.
    #[inline]
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Returns the number of rows.
    #[inline]
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Returns true if the pixel is solid. Pixels outside the mask are empty.
    #[inline]
    #[must_use]
    pub fn get(&self, x: u32, y: u32) -> bool {
        if x >= self.width || y >= self.height {
            return false;
        }
        let (word, bit) = self.word_and_bit(x, y);
        self.words[word] & bit != 0
    }

    /// Makes a pixel solid or empty.
    ///
    /// # Errors
    /// If the pixel lies outside the mask.
    ///
    /// ```
    /// use carom::Mask;
    ///
    /// let mut mask = Mask::new(8, 8)?;
    /// mask.set(3, 4, true)?;
    /// assert!(mask.get(3, 4) && !mask.get(4, 3));
    /// assert!(mask.set(8, 0, true).is_err());
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn set(&mut self, x: u32, y: u32, solid: bool) -> Result<(), Error> {
        if x >= self.width || y >= self.height {
            let message = format!("pixel ({x}, {y}) lies outside the mask of {} × {} pixels", self.width, self.height);
            return Err(Error::new(ErrorKind::OutOfRange, message));
        }
        let (word, bit) = self.word_and_bit(x, y);
        if solid {
            self.words[word] |= bit;
        } else {
            self.words[word] &= !bit;
        }
        Ok(())
    }

    /// Returns the number of solid pixels: the area.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// Returns the smallest box around the solid pixels; `None` if all pixels are empty.
    #[must_use]
    pub fn bounds(&self) -> Option<PixelBox> {
        let mut stripes = (0..self.stripes()).filter(|&k| self.stripe(k).iter().any(|&word| word != 0));
        let first = stripes.next()?;
        let last = stripes.next_back().unwrap_or(first);
        let columns = |k| self.stripe(k).iter().fold(0, |all, word| all | word);
        let row_is_solid = |y: &usize| (first..=last).any(|k| self.stripe(k)[*y] != 0);
        let mut rows = 0..self.height as usize;
        let (top, bottom) = (rows.find(row_is_solid)?, rows.rfind(row_is_solid));
        let min_x = first as u32 * WORD + columns(first).trailing_zeros();
        let max_x = (last as u32 + 1) * WORD - columns(last).leading_zeros();
        Some(PixelBox { min: [min_x, top as u32], max: [max_x, bottom.unwrap_or(top) as u32 + 1] })
    }

    /// Creates an empty mask of a size that has been checked.
    fn empty(width: u32, height: u32) -> Self {
        Self { width, height, words: vec![0; width.div_ceil(WORD) as usize * height as usize] }
    }

    /// Returns the number of stripes.
    #[inline]
    pub(crate) fn stripes(&self) -> usize {
        self.width.div_ceil(WORD) as usize
    }

    /// Returns the words of stripe `k`, one per row.
    #[inline]
    pub(crate) fn stripe(&self, k: usize) -> &[u64] {
        let height = self.height as usize;
        &self.words[k * height..(k + 1) * height]
    }

    /// Makes a pixel solid.
    #[inline]
    fn add(&mut self, x: u32, y: u32) {
        let (word, bit) = self.word_and_bit(x, y);
        self.words[word] |= bit;
    }

    /// Returns the index of a pixel's word, and the bit of the pixel in it.
    #[inline]
    fn word_and_bit(&self, x: u32, y: u32) -> (usize, u64) {
        ((x / WORD) as usize * self.height as usize + y as usize, 1 << (x % WORD))
    }
}

impl fmt::Debug for Mask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Mask({} × {}, {} solid)", self.width, self.height, self.count())
    }
}

/// Returns an error for an image without pixels or with too many.
fn check_size(width: u32, height: u32) -> Result<(), Error> {
    if width == 0 || height == 0 {
        let message = format!("the image has {width} × {height} pixels; it must have at least one column and one row");
        return Err(Error::new(ErrorKind::ZeroSize, message));
    }
    let (side, pixels) = (width.max(height), u64::from(width) * u64::from(height));
    if side > Mask::MAX_SIDE || pixels > Mask::MAX_PIXELS {
        let message = format!(
            "the image has {width} × {height} pixels; the limit is {} pixels in total and {} per \
             side: scale it down or cut it into tiles",
            Mask::MAX_PIXELS,
            Mask::MAX_SIDE
        );
        return Err(Error::new(ErrorKind::TooManyPixels, message));
    }
    Ok(())
}

/// [`check_size`]; also checks that there is one value per pixel.
pub(crate) fn check_data(width: u32, height: u32, values: usize) -> Result<(), Error> {
    check_size(width, height)?;
    if values as u64 != u64::from(width) * u64::from(height) {
        let message = format!(
            "{width} × {height} pixels need {} values, not {values}: one per pixel",
            u64::from(width) * u64::from(height)
        );
        return Err(Error::new(ErrorKind::WrongLength, message));
    }
    Ok(())
}
