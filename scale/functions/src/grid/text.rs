//! Writes grids as text and reads them back, so that they can be a literal of a query.
//!
//! A function of a query has arguments of SQL types only. So the grid is a text argument, which
//! each machine of a cluster parses.
//!
//! Format: `origin_x origin_y side`, then `start:level:cell_level` of each region. All numbers are
//! hexadecimal. Numbers with a fraction are the bits of an `f64`, so that every process computes
//! the same cells.
//!
//! The reader checks that the regions cover the square without a gap or an overlap. A damaged text
//! is an error, because its cells could lose pairs.

use std::fmt;
use std::str::FromStr;

use super::{Grid, LEVELS, Region};

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y] = self.origin.map(f64::to_bits);
        write!(f, "{x:x} {y:x} {:x}", self.side.to_bits())?;
        self.regions
            .iter()
            .try_for_each(|Region { start, level, cell_level }| write!(f, " {start:x}:{level:x}:{cell_level:x}"))
    }
}

/// The text of a grid is damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GridTextError;

impl fmt::Display for GridTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the grid is not a text that carom wrote")
    }
}

impl std::error::Error for GridTextError {}

impl FromStr for Grid {
    type Err = GridTextError;

    fn from_str(text: &str) -> Result<Self, GridTextError> {
        let mut words = text.split_ascii_whitespace();
        let mut number = || {
            let bits = u64::from_str_radix(words.next()?, 16).ok()?;
            Some(f64::from_bits(bits)).filter(|value| value.is_finite())
        };
        let (x, y, side) = (|| Some((number()?, number()?, number()?)))().ok_or(GridTextError)?;
        let regions: Vec<Region> = words.map(region).collect::<Option<_>>().ok_or(GridTextError)?;
        let mut next = 0;
        for region in &regions {
            if region.start != next {
                return Err(GridTextError);
            }
            next = region.end() + 1;
        }
        if next != 1 << (2 * LEVELS) || side <= 0.0 {
            return Err(GridTextError);
        }
        Ok(Self::from_parts([x, y], side, regions))
    }
}

/// Reads a region; `None` if a number is missing, too many or out of range.
fn region(word: &str) -> Option<Region> {
    let mut parts = word.split(':');
    let start = u64::from_str_radix(parts.next()?, 16).ok()?;
    let mut level = || u32::from_str_radix(parts.next()?, 16).ok().filter(|&level| level <= LEVELS);
    let (level, cell_level) = (level()?, level()?);
    (parts.next().is_none() && level <= cell_level).then_some(Region { start, level, cell_level })
}
