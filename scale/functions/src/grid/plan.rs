//! Chooses the regions and cell sizes of a grid from samples of both inputs.
//!
//! Input: a sample of each input, and the costs of a row and of a candidate. Output: the grid. The
//! grid changes the time of the join, never its pairs.
//!
//! A region with more than [`REGION_SAMPLES`] sampled outlines is split in four. Within a region,
//! cells are halved as long as this lowers the estimated cost of the join:
//!
//! ```text
//! cost = rows × Costs::row + candidates × Costs::candidate
//! rows = sum over the outlines of the number of their cells
//! candidates = rows of a × rows of b / number of cells
//! ```
//!
//! Small cells give few candidates, but each outline lies in many cells. A box of width w and
//! height h touches (w / side + 1) · (h / side + 1) cells on average, if its position is random.
//!
//! The estimate assumes that the outlines of a region are spread evenly. Splitting a region makes
//! this assumption true enough. A region is not split below the mean size of its outlines, because
//! then each child would contain most of them.

use super::{Grid, LEVELS, Region, columns};
use crate::outline::Bounds;
use crate::sample::Sample;

/// A region with more sampled outlines is split in four.
const REGION_SAMPLES: usize = 64;

/// A region that is smaller than the mean sampled outline is not split.
const MAX_ROWS_PER_OUTLINE: f64 = 4.0;

/// Relative costs of the two kinds of work of a join.
///
/// A row of the equi-join is hashed and moved. A candidate is two rows with the same cell, whose boxes are compared.
/// The values are estimates, not measured ones. They change times, never pairs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Costs {
    /// Cost of an outline in a cell.
    pub row: f64,
    /// Cost of two outlines in the same cell.
    pub candidate: f64,
}

impl Default for Costs {
    fn default() -> Self {
        Self { row: 4.0, candidate: 1.0 }
    }
}

/// A sampled box and the number of outlines that it stands for.
#[derive(Clone, Copy)]
struct Weighted {
    bounds: Bounds,
    weight: f64,
    /// 0 or 1: the input.
    side: usize,
}

impl Grid {
    /// Chooses the cells of a join of two inputs. For a self-join, pass the sample twice.
    ///
    /// ```
    /// use carom_functions::{Bounds, Costs, Grid, Sample};
    ///
    /// let mut sample = Sample::default();
    /// for i in 0..10_000 {
    ///     let (x, y) = (f64::from(i % 100), f64::from(i / 100));
    ///     sample.add(Bounds { min: [x, y], max: [x + 0.5, y + 0.5] }, 93);
    /// }
    /// let grid = Grid::planned(&sample, &sample, Costs::default());
    /// let mut cells = Vec::new();
    /// grid.cells(&Bounds { min: [10.0, 10.0], max: [10.5, 10.5] }, &mut cells);
    /// assert!(cells.len() <= 4);
    /// ```
    #[must_use]
    pub fn planned(a: &Sample, b: &Sample, costs: Costs) -> Self {
        let bounds = {
            let (mut bounds, other) = (a.bounds(), b.bounds());
            bounds.extend(other.min);
            bounds.extend(other.max);
            if a.count() + b.count() == 0 { Bounds { min: [0.0; 2], max: [1.0; 2] } } else { bounds }
        };
        let mut grid = Self::uniform(bounds, 0);
        let mut outlines = Vec::new();
        for (side, sample) in [a, b].into_iter().enumerate() {
            let weight = sample.weight();
            outlines.extend(sample.boxes().map(|bounds| Weighted { bounds, weight, side }));
        }
        let mut regions = Vec::new();
        plan(&grid, Region { start: 0, level: 0, cell_level: 0 }, &outlines, costs, &mut regions);
        grid.regions = regions;
        grid
    }
}

/// Appends the regions of a node in Morton order.
fn plan(grid: &Grid, node: Region, outlines: &[Weighted], costs: Costs, out: &mut Vec<Region>) {
    let side = grid.side / f64::from(1_u32 << node.level);
    let largest_share: f64 = outlines.iter().map(|one| cells_along(one, side)).sum::<f64>();
    let small = largest_share <= MAX_ROWS_PER_OUTLINE * outlines.len() as f64;
    if outlines.len() <= REGION_SAMPLES || node.level == LEVELS || !small {
        out.push(Region { cell_level: cell_level(grid, node, outlines, costs), ..node });
        return;
    }
    for child in 0..4_u64 {
        let start = node.start + (child << (2 * (LEVELS - node.level - 1)));
        let child = Region { start, level: node.level + 1, cell_level: node.level + 1 };
        let range = child.range();
        let inside: Vec<Weighted> =
            outlines.iter().filter(|one| range.clipped(&grid.range(&one.bounds)).is_some()).copied().collect();
        plan(grid, child, &inside, costs, out);
    }
}

/// Returns the level of the cells of a region.
fn cell_level(grid: &Grid, region: Region, outlines: &[Weighted], costs: Costs) -> u32 {
    let origin = columns(region.start);
    let units_per_column = grid.side / f64::from(1_u32 << LEVELS);
    let side = grid.side / f64::from(1_u32 << region.level);
    let low = [0, 1].map(|axis| f64::from(origin[axis]).mul_add(units_per_column, grid.origin[axis]));
    // Only the part inside the region counts.
    let clipped: Vec<Weighted> = outlines
        .iter()
        .map(|one| {
            let min = [0, 1].map(|axis| one.bounds.min[axis].max(low[axis]));
            let max = [0, 1].map(|axis| one.bounds.max[axis].min(low[axis] + side).max(min[axis]));
            Weighted { bounds: Bounds { min, max }, ..*one }
        })
        .collect();
    let cost = |level: u32| {
        let cells = f64::from(1_u32 << (level - region.level)).powi(2);
        let mut rows = [0.0; 2];
        for one in &clipped {
            rows[one.side] += one.weight * cells_along(one, side / cells.sqrt());
        }
        (rows[0] + rows[1]) * costs.row + rows[0] * rows[1] / cells * costs.candidate
    };
    let mut best = (region.level, cost(region.level));
    for level in region.level + 1..=LEVELS {
        let next = cost(level);
        if next >= best.1 {
            break;
        }
        best = (level, next);
    }
    best.0
}

/// Returns the expected number of cells of this side that a box touches.
fn cells_along(one: &Weighted, side: f64) -> f64 {
    let [width, height] = one.bounds.size();
    (width / side + 1.0) * (height / side + 1.0)
}
