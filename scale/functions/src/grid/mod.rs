//! Divides the plane into the cells of a join: a quadtree of regions, each with square cells of its
//! own size.
//!
//! Input: the box of an outline, or the boxes of a pair. Output: the cells that the box touches, or
//! the cell that owns the pair.
//!
//! ```text
//! join(a, b):
//!     for each outline of a and of b: one row per cell that its box touches
//!     for each two rows with the same cell: a candidate
//!     report a candidate only in the cell that owns it
//! ```
//!
//! Two outlines whose boxes intersect share at least one cell. Exactly one cell owns the pair: the
//! cell with the low corner of the intersection of both boxes. So a join on cells that keeps only
//! owned pairs returns each pair once, without a step that removes duplicates. The rule is the
//! reference point method (Dittrich and Seeger, *Data redundancy and duplicate detection in spatial
//! join processing*, 2000).
//!
//! A query engine computes an equi-join of cells by hashing or sorting, in parallel and on many
//! machines. With a condition on boxes alone, it would compare every row with every row.
//!
//! One size of cells does not suffice. Outlines are dense in cities and sparse elsewhere. Small
//! cells repeat the large outlines in many rows, large cells have many candidates in cities. So
//! each region has its own size; `plan.rs` chooses it.
//!
//! All decisions compare integers: a coordinate becomes a column or row of 2²⁶, by a monotone
//! function. So both sides of a join, and all machines of a cluster, always agree. Cells are
//! numbered by their Morton code: the bits of column and row, interleaved. A region is then a range
//! of codes, and the region of a code is found by binary search.

mod plan;
mod text;

pub use plan::Costs;
pub use text::GridTextError;

use crate::outline::Bounds;
use crate::sample::Sample;

/// Levels of the quadtree. Level 0 is the whole square; level 26 has 2²⁶ columns and rows.
const LEVELS: u32 = 26;

/// Bits of the level in the number of a cell.
const LEVEL_BITS: u32 = 6;

/// Cells of a join, chosen from samples of both inputs.
///
/// ```
/// use carom_functions::{Bounds, Grid};
///
/// let grid = Grid::uniform(Bounds { min: [0.0, 0.0], max: [8.0, 8.0] }, 3); // 8 × 8 cells of side 1
/// let (mut a, mut b) = (Vec::new(), Vec::new());
/// let box_a = Bounds { min: [0.5, 0.5], max: [2.5, 0.9] };
/// let box_b = Bounds { min: [1.5, 0.5], max: [1.9, 1.5] };
/// grid.cells(&box_a, &mut a);
/// grid.cells(&box_b, &mut b);
/// assert_eq!((a.len(), b.len()), (3, 2));
/// let shared: Vec<_> = a.iter().filter(|&cell| b.contains(cell)).collect();
/// assert_eq!(shared, [&grid.owner(&box_a, &box_b).unwrap()]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// Lowest x and y of the square.
    origin: [f64; 2],
    /// Side of the square.
    side: f64,
    /// Columns per unit of length.
    columns_per_unit: f64,
    /// The regions in Morton order. They cover the square.
    regions: Vec<Region>,
}

/// A square of the quadtree whose cells have one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Region {
    /// Morton code of the lowest column and row.
    start: u64,
    /// Level of the region.
    level: u32,
    /// Level of its cells: `level` or more.
    cell_level: u32,
}

/// Columns and rows, both ends included.
#[derive(Clone, Copy)]
struct Range {
    min: [u32; 2],
    max: [u32; 2],
}

impl Grid {
    /// Creates a grid of 2^`level` by 2^`level` cells around a box. `level` is at most 26.
    #[must_use]
    pub fn uniform(bounds: Bounds, level: u32) -> Self {
        Self::new(bounds, vec![Region { start: 0, level: 0, cell_level: level.min(LEVELS) }])
    }

    /// Creates a grid whose square has the low corner of the box and its longer side. A side of 0
    /// becomes 1.
    fn new(bounds: Bounds, regions: Vec<Region>) -> Self {
        let [width, height] = bounds.size();
        let side = width.max(height);
        // A box of no points or of one point: any side will do.
        let side = if side > 0.0 && side.is_finite() { side } else { 1.0 };
        let origin = if bounds.is_finite() { bounds.min } else { [0.0; 2] };
        Self::from_parts(origin, side, regions)
    }

    /// Creates a grid from its square. The regions must cover the square in Morton order.
    fn from_parts(origin: [f64; 2], side: f64, regions: Vec<Region>) -> Self {
        Self { origin, side, columns_per_unit: f64::from(1_u32 << LEVELS) / side, regions }
    }

    /// Appends the cells that a box touches. A box outside the grid touches the cells at the border.
    pub fn cells(&self, bounds: &Bounds, out: &mut Vec<i64>) {
        let range = self.range(bounds);
        let region = self.region_of(morton(range.min));
        if morton(range.max) <= region.end() && region.range().contains(&range) {
            region.cells(&range, out);
        } else {
            self.descend(&range, 0, 0, out);
        }
    }

    /// Returns the cell that owns a pair, or `None` if the boxes do not intersect.
    #[must_use]
    pub fn owner(&self, a: &Bounds, b: &Bounds) -> Option<i64> {
        if !a.intersects(b) {
            return None;
        }
        let corner = [self.column(0, a.min[0].max(b.min[0])), self.column(1, a.min[1].max(b.min[1]))];
        let code = morton(corner);
        Some(self.region_of(code).cell(code))
    }

    /// Returns the expected number of cells that all outlines of a sampled input touch together.
    #[must_use]
    pub fn expected_rows(&self, sample: &Sample) -> f64 {
        let mut cells = Vec::new();
        for bounds in sample.boxes() {
            self.cells(&bounds, &mut cells);
        }
        cells.len() as f64 * sample.weight()
    }

    /// Returns the number of regions.
    #[must_use]
    pub fn region_count(&self) -> usize {
        self.regions.len()
    }

    /// Appends the cells of the node with this Morton code and level.
    fn descend(&self, range: &Range, code: u64, level: u32, out: &mut Vec<i64>) {
        let region = self.region_of(code);
        if region.level <= level {
            if let Some(clipped) = range.clipped(&region.range()) {
                region.cells(&clipped, out);
            }
            return;
        }
        for child in 0..4_u64 {
            let start = code + (child << (2 * (LEVELS - level - 1)));
            let node = Region { start, level: level + 1, cell_level: level + 1 };
            if range.clipped(&node.range()).is_some() {
                self.descend(range, start, level + 1, out);
            }
        }
    }

    /// Returns the region that contains a Morton code, by binary search.
    fn region_of(&self, code: u64) -> Region {
        self.regions[self.regions.partition_point(|region| region.start <= code) - 1]
    }

    /// Returns the columns and rows that a box touches.
    fn range(&self, bounds: &Bounds) -> Range {
        let columns = |corner: [f64; 2]| [self.column(0, corner[0]), self.column(1, corner[1])];
        Range { min: columns(bounds.min), max: columns(bounds.max) }
    }

    /// Returns the column (axis 0) or row (axis 1) of a coordinate. Monotone. NaN gives 0.
    fn column(&self, axis: usize, value: f64) -> u32 {
        (((value - self.origin[axis]) * self.columns_per_unit) as u32).min((1 << LEVELS) - 1)
    }
}

impl Region {
    /// Returns the last Morton code of the region.
    fn end(&self) -> u64 {
        self.start | ((1_u64 << (2 * (LEVELS - self.level))) - 1)
    }

    /// Returns the columns and rows of the region.
    fn range(&self) -> Range {
        let min = columns(self.start);
        let last = ((1_u64 << (LEVELS - self.level)) - 1) as u32;
        Range { min, max: min.map(|column| column + last) }
    }

    /// Returns the number of the cell with this Morton code.
    fn cell(&self, code: u64) -> i64 {
        let shift = 2 * (LEVELS - self.cell_level);
        (((code >> shift << shift) << LEVEL_BITS) | u64::from(self.cell_level)) as i64
    }

    /// Appends the cells of columns and rows inside the region.
    fn cells(&self, range: &Range, out: &mut Vec<i64>) {
        let shift = LEVELS - self.cell_level;
        for row in range.min[1] >> shift..=range.max[1] >> shift {
            for column in range.min[0] >> shift..=range.max[0] >> shift {
                out.push(self.cell(morton([column << shift, row << shift])));
            }
        }
    }
}

impl Range {
    /// Returns true if `other` lies in this range.
    fn contains(&self, other: &Self) -> bool {
        (0..2).all(|axis| self.min[axis] <= other.min[axis] && other.max[axis] <= self.max[axis])
    }

    /// Returns the common columns and rows of two ranges, or `None` if there are none.
    fn clipped(&self, to: &Self) -> Option<Self> {
        let axis = |i: usize| (self.min[i].max(to.min[i]), self.max[i].min(to.max[i]));
        let ((x0, x1), (y0, y1)) = (axis(0), axis(1));
        (x0 <= x1 && y0 <= y1).then_some(Self { min: [x0, y0], max: [x1, y1] })
    }
}

/// Returns the Morton code: the bits of column and row, interleaved.
fn morton([x, y]: [u32; 2]) -> u64 {
    spread(x) | spread(y) << 1
}

/// Returns column and row of a Morton code.
fn columns(code: u64) -> [u32; 2] {
    [gather(code), gather(code >> 1)]
}

/// Moves bit i to bit 2i.
fn spread(value: u32) -> u64 {
    let mut v = u64::from(value);
    v = (v | v << 16) & 0x0000_ffff_0000_ffff;
    v = (v | v << 8) & 0x00ff_00ff_00ff_00ff;
    v = (v | v << 4) & 0x0f0f_0f0f_0f0f_0f0f;
    v = (v | v << 2) & 0x3333_3333_3333_3333;
    (v | v << 1) & 0x5555_5555_5555_5555
}

/// Moves bit 2i to bit i.
fn gather(code: u64) -> u32 {
    let mut v = code & 0x5555_5555_5555_5555;
    v = (v | v >> 1) & 0x3333_3333_3333_3333;
    v = (v | v >> 2) & 0x0f0f_0f0f_0f0f_0f0f;
    v = (v | v >> 4) & 0x00ff_00ff_00ff_00ff;
    v = (v | v >> 8) & 0x0000_ffff_0000_ffff;
    (v | v >> 16) as u32
}
