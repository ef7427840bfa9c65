//! Stores the cells of a grid that lie entirely inside or entirely outside a polygon.
//!
//! Input: the boxes of the boundary, and a function that locates a point exactly. Output: for a point, the answer of its
//! cell, or `None` if the boundary can pass through the cell. Most points of a large polygon need no edge.
//!
//! ```text
//! mark the cells that a box of the boundary intersects
//! for each other cell: copy the state of the left or the lower neighbor, else locate a point of the cell
//! ```
//!
//! The answers are exact: the cell of a coordinate is a monotone function of it, also after rounding. So a cell is a
//! rectangle, and a box of the boundary that contains a point of a cell has marked the cell. Two neighbors without a mark
//! form a rectangle that the boundary does not enter.
//!
//! A cell takes two bits. There are [`CELLS_PER_BOX`] cells per box: one byte per block of seven edges, and the
//! rest of the last word of each row.

use alloc::vec;
use alloc::vec::Vec;

use glam::DVec2;

use crate::math::aabb::Aabb;
use crate::math::vector::sqrt;

/// Number of cells per box of the boundary.
const CELLS_PER_BOX: usize = 4;

/// Largest number of cells along an axis.
const MAX_CELLS: f64 = 4096.0;

/// Largest number of words per box that are written to mark cells. A polygon of long spikes would need more, and its grid
/// would have marks everywhere.
const WORDS_PER_BOX: usize = 16;

/// Number of boxes per point that is located, at most.
const BOXES_PER_LOCATED_POINT: usize = 8;

/// Number of cells that are searched for the end of a ray.
const SEARCHED_CELLS: usize = 16;

/// Number of cells in a word.
const CELLS_PER_WORD: usize = 32;

/// The states of a cell: a location, a mark, or neither.
const UNKNOWN: u64 = 0;
const OUTSIDE: u64 = 1;
const INSIDE: u64 = 2;
const MARKED: u64 = 3;

/// The low bit of each cell of a word.
const LOW_BITS: u64 = 0x5555_5555_5555_5555;

/// A grid over the box of a polygon.
#[derive(Clone)]
pub(crate) struct CellGrid {
    /// The low corner of the grid.
    origin: DVec2,
    /// Number of cells per unit of length.
    scale: DVec2,
    /// Number of cells along each axis.
    counts: [usize; 2],
    /// Number of words in a row.
    row_words: usize,
    /// The states of all cells, row after row from the bottom, each row from the left.
    states: Vec<u64>,
}

impl CellGrid {
    /// Creates the grid of a polygon with `box_count` boxes of its boundary. All boxes lie in `bounds`.
    pub(crate) fn new(
        bounds: &Aabb,
        box_count: usize,
        boxes: impl Iterator<Item = Aabb>,
        mut is_inside: impl FnMut(DVec2) -> bool,
    ) -> Self {
        let (size, cells) = (bounds.size(), (CELLS_PER_BOX * box_count) as f64);
        let along = |cells: f64| libm::trunc(cells.clamp(1.0, MAX_CELLS));
        let columns = along(sqrt(cells * size.x / size.y));
        let counts = DVec2::new(columns, along(cells / columns));
        let scale = counts / size;
        // The quotient can overflow for a tiny polygon.
        if !scale.is_finite() {
            return Self::without_cells();
        }
        let counts = [counts.x as usize, counts.y as usize];
        let row_words = counts[0].div_ceil(CELLS_PER_WORD);
        let states = vec![UNKNOWN; row_words * counts[1]];
        let mut grid = Self { origin: bounds.min(), scale, counts, row_words, states };
        let mut words_left = WORDS_PER_BOX * box_count;
        for bounds in boxes {
            let ([left, low], [right, high]) = (grid.cell_of(bounds.min()), grid.cell_of(bounds.max()));
            let words = (high - low + 1) * (right / CELLS_PER_WORD - left / CELLS_PER_WORD + 1);
            let Some(rest) = words_left.checked_sub(words) else { return Self::without_cells() };
            words_left = rest;
            for row in low..=high {
                grid.mark(row, left, right);
            }
        }
        let mut points_left = box_count.div_ceil(BOXES_PER_LOCATED_POINT);
        let mut locate = |point| {
            points_left = points_left.checked_sub(1)?;
            Some(is_inside(point))
        };
        for row in 0..counts[1] {
            grid.fill(row, &mut locate);
        }
        grid
    }

    /// Returns a grid that answers nothing.
    fn without_cells() -> Self {
        Self { origin: DVec2::ZERO, scale: DVec2::ONE, counts: [1; 2], row_words: 1, states: Vec::new() }
    }

    /// Returns true if the polygon contains a point, and false if it does not; `None` if the cell does not decide it.
    #[inline]
    pub(crate) fn contains(&self, point: DVec2) -> Option<bool> {
        let [column, row] = self.cell_of(point);
        let word = *self.states.get(row * self.row_words + column / CELLS_PER_WORD)?;
        match (word >> shift_of(column)) & MARKED {
            OUTSIDE => Some(false),
            INSIDE => Some(true),
            _ => None,
        }
    }

    /// Returns the x-coordinate of a point outside the polygon, right of a point and at the same height. Searches a few
    /// cells; returns infinity if none of them lies outside.
    pub(crate) fn outside_right_of(&self, point: DVec2) -> f64 {
        let [column, row] = self.cell_of(point);
        let words = &self.states[row * self.row_words..];
        let is_outside = |column: &usize| (words[column / CELLS_PER_WORD] >> shift_of(*column)) & MARKED == OUTSIDE;
        let last = (column + SEARCHED_CELLS).min(self.counts[0] - 1);
        let middle = |column| self.origin.x + (column as f64 + 0.5) / self.scale.x;
        let found = (column + 1..=last).find(is_outside).map(|column| (column, middle(column)));
        match found {
            // Rounding can move the point out of the cell.
            Some((column, x)) if self.cell_of(DVec2::new(x, point.y)) == [column, row] => x,
            _ => f64::INFINITY,
        }
    }

    /// Returns the column and the row of the cell of a point. The cells at the border extend to infinity.
    #[inline]
    #[expect(clippy::cast_sign_loss, reason = "a negative number becomes 0")]
    fn cell_of(&self, point: DVec2) -> [usize; 2] {
        let cell = (point - self.origin) * self.scale;
        [(cell.x as usize).min(self.counts[0] - 1), (cell.y as usize).min(self.counts[1] - 1)]
    }

    /// Marks the cells of a row from the column `left` to the column `right`.
    fn mark(&mut self, row: usize, left: usize, right: usize) {
        let words = &mut self.states[row * self.row_words..][..self.row_words];
        let (first, last) = (left / CELLS_PER_WORD, right / CELLS_PER_WORD);
        for (index, word) in (first..).zip(&mut words[first..=last]) {
            let low = if index == first { u64::MAX << shift_of(left) } else { u64::MAX };
            let high = if index == last { u64::MAX >> (62 - shift_of(right)) } else { u64::MAX };
            *word |= low & high;
        }
    }

    /// Finds the states of the cells of a row that have no mark. The row below must be complete. `is_inside` returns
    /// `None` if no more points are located.
    fn fill(&mut self, row: usize, is_inside: &mut impl FnMut(DVec2) -> Option<bool>) {
        let mut left = UNKNOWN;
        for index in 0..self.row_words {
            let at = row * self.row_words + index;
            let mut word = self.states[at];
            // A cell has a mark or is empty. Both bits of a cell are equal.
            let mut empty = !word & LOW_BITS;
            if let Some(below) = at.checked_sub(self.row_words) {
                let below = self.states[below];
                let is_known = (below ^ (below >> 1)) & empty;
                word |= below & (is_known * MARKED);
                empty &= !is_known;
            }
            let first = index * CELLS_PER_WORD;
            while empty != 0 {
                let shift = empty.trailing_zeros();
                empty &= empty - 1;
                let column = first + shift as usize / 2;
                if column >= self.counts[0] {
                    break;
                }
                let before = if shift == 0 { left } else { (word >> (shift - 2)) & MARKED };
                let state = match before {
                    OUTSIDE | INSIDE => before,
                    _ => self.located([column, row], is_inside),
                };
                word |= state << shift;
            }
            left = word >> 62;
            self.states[at] = word;
        }
    }

    /// Returns the state of a cell without a mark.
    fn located(&self, cell: [usize; 2], is_inside: &mut impl FnMut(DVec2) -> Option<bool>) -> u64 {
        let point = self.origin + (DVec2::new(cell[0] as f64, cell[1] as f64) + 0.5) / self.scale;
        // Rounding can move the point out of the cell.
        let location = if self.cell_of(point) == cell { is_inside(point) } else { None };
        location.map_or(UNKNOWN, |is_inside| if is_inside { INSIDE } else { OUTSIDE })
    }
}

/// Returns the position of the low bit of a cell in its word.
#[inline(always)]
fn shift_of(column: usize) -> usize {
    2 * (column % CELLS_PER_WORD)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The boxes of the edges of a convex ring.
    fn edge_boxes(ring: &[DVec2]) -> impl Iterator<Item = Aabb> {
        ring.iter().zip(ring.iter().cycle().skip(1)).map(|(p, q)| Aabb::around([*p, *q].into_iter(), 0.0))
    }

    #[test]
    fn cells_agree_with_a_rhombus_and_most_of_them_answer() {
        // |x| + 3 |y| <= 3, in numbers that the grid does not divide evenly.
        let count = 400;
        let corners = [DVec2::new(3.0, 0.0), DVec2::new(0.0, 1.0), DVec2::new(-3.0, 0.0), DVec2::new(0.0, -1.0)];
        let ring: Vec<DVec2> = (0..4 * count)
            .map(|i| corners[i / count].lerp(corners[(i / count + 1) % 4], (i % count) as f64 / count as f64))
            .collect();
        let is_inside = |p: DVec2| p.x.abs() + 3.0 * p.y.abs() <= 3.0;
        let bounds = Aabb::around(ring.iter().copied(), 0.0);
        let grid = CellGrid::new(&bounds, ring.len(), edge_boxes(&ring), is_inside);
        assert!(8 * grid.states.len() <= 2 * ring.len());
        let (mut answers, mut located, mut ends) = (0, 0, 0);
        for i in 0..=300 {
            for j in 0..=300 {
                let point = bounds.min() + bounds.size() * DVec2::new(f64::from(i), f64::from(j)) / 300.0;
                // The vertices are rounded.
                if (point.x.abs() + 3.0 * point.y.abs() - 3.0).abs() < 1e-9 {
                    continue;
                }
                located += 1;
                let end = grid.outside_right_of(point);
                assert!(
                    end == f64::INFINITY || (point.x < end && !is_inside(DVec2::new(end, point.y))),
                    "{point}, {end}"
                );
                ends += usize::from(end.is_finite());
                if let Some(found) = grid.contains(point) {
                    assert_eq!(found, is_inside(point), "{point}");
                    answers += 1;
                }
            }
        }
        assert!(20 * answers > 17 * located, "{answers} of {located}");
        assert!(10 * ends > 3 * located, "{ends} of {located}");
    }

    #[test]
    fn a_grid_locates_few_points() {
        let square = [[0.0, 0.0], [9.0, 0.0], [9.0, 9.0], [0.0, 9.0]].map(DVec2::from);
        let mut count = 0;
        let bounds = Aabb::around(square.into_iter(), 0.0);
        let grid = CellGrid::new(&bounds, 100, edge_boxes(&square), |_| {
            count += 1;
            true
        });
        assert_eq!(count, 1, "all inner cells are connected");
        assert_eq!(grid.contains(DVec2::splat(4.5)), Some(true));
        assert_eq!([[0.0, 4.0], [9.0, 9.0]].map(|p| grid.contains(p.into())), [None; 2]);
    }

    #[test]
    fn a_grid_of_long_spikes_answers_nothing() {
        let spikes: Vec<DVec2> = (0..1000).map(|i| DVec2::new(f64::from(i), f64::from(i % 2) * 1000.0)).collect();
        let bounds = Aabb::around(spikes.iter().copied(), 0.0);
        let grid = CellGrid::new(&bounds, spikes.len(), edge_boxes(&spikes), |_| unreachable!("no cell is empty"));
        assert!(grid.states.is_empty());
        assert_eq!(grid.contains(DVec2::new(10.0, 500.0)), None);
    }

    #[test]
    fn a_grid_of_a_tiny_polygon_answers_nothing() {
        let tiny = f64::from_bits(3);
        let triangle = [[0.0, 0.0], [tiny, 0.0], [0.0, tiny]].map(DVec2::from);
        let bounds = Aabb::around(triangle.into_iter(), 0.0);
        let grid = CellGrid::new(&bounds, 3, edge_boxes(&triangle), |_| true);
        assert_eq!(grid.contains(DVec2::ZERO), None);
        assert_eq!(grid.outside_right_of(DVec2::ZERO), f64::INFINITY);
    }
}
