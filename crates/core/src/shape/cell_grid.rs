//! Stores a grid over a polygon or a union of polygons, with the blocks of edges near each cell.
//!
//! Input: the box and both ends of each block. Output: for a point, whether its cell lies inside or outside, or the
//! blocks whose boxes intersect its cell. Most points of a large polygon need no edge, and the others few blocks. A
//! cell of more than [`MAX_BLOCKS_OF_CELL`] blocks has no list: the query searches its tree.
//!
//! ```text
//! for each cell: list the blocks whose boxes intersect it
//!                sum the winding numbers of the blocks right of it
//! ```
//!
//! A block right of a point adds a number to the winding number that depends only on the heights of both its ends. So
//! the sum is the same for all points of a cell, unless an end lies in the row of the cell. If two blocks right of the
//! cell share this end, both changes cancel. Otherwise a block of the list shares the end, and the list says so.
//!
//! The answers are exact: the cell of a coordinate is a monotone function of it, also after rounding. So a cell is a
//! rectangle, and a box that contains a point of a cell intersects the cell. A block right of a cell is right of each
//! point in it. Cells at the border extend to infinity.
//!
//! There are [`CELLS_PER_BLOCK`] cells per block of seven edges. On maps, the grid takes 4 bytes per edge.

use alloc::vec;
use alloc::vec::Vec;

use glam::DVec2;

use crate::math::aabb::Aabb;
use crate::math::both::both;
use crate::math::pose::Pose;
use crate::math::vector::sqrt;

/// Number of cells per block.
const CELLS_PER_BLOCK: usize = 4;

/// Largest number of cells along an axis.
const MAX_CELLS: f64 = 4096.0;

/// Largest number of cells that a block intersects, on average. A polygon of long spikes would need more.
const MAX_CELLS_OF_BLOCK: usize = 16;

/// Largest number of blocks in a list. One vertex far from all others can put all other blocks in one cell. The tree
/// tests fewer of them.
const MAX_BLOCKS_OF_CELL: u32 = 32;

/// The contents of a cell without blocks, or of a cell with too many. Another cell contains the start of its list, plus
/// [`LIST`].
const OUTSIDE: u32 = 0;
const INSIDE: u32 = 1;
const MANY: u32 = 2;
const LIST: u32 = 3;

/// A block of edges of a ring.
pub(crate) struct GridBlock {
    pub(crate) bounds: Aabb,
    /// The first and the last vertex.
    pub(crate) ends: [DVec2; 2],
    /// True for the last block of a ring.
    pub(crate) is_end_of_ring: bool,
}

impl GridBlock {
    /// Returns the block at a pose that is a quarter turn and rounds no vertex.
    pub(crate) fn placed_exactly(&self, pose: &Pose) -> Self {
        let ends = both(self.ends, |end| pose.transform_point(end));
        Self { bounds: self.bounds.placed_exactly(pose), ends, ..*self }
    }
}

/// A grid over the box of a polygon.
pub(crate) struct CellGrid {
    /// The low corner of the grid.
    origin: DVec2,
    /// Number of cells per unit of length.
    scale: DVec2,
    /// Number of cells along each axis.
    counts: [usize; 2],
    /// The contents of all cells, row after row from the bottom, each row from the left.
    cells: Vec<u32>,
    /// A list for each cell with 1 to [`MAX_BLOCKS_OF_CELL`] blocks: the winding number, the number of blocks, and each
    /// as [`BlockEntry`].
    lists: Vec<u32>,
}

/// The contents of the cell of a point.
pub(crate) enum Cell<'a> {
    /// No block. True if the cell lies in the polygon.
    Empty(bool),
    /// Blocks whose boxes intersect the cell, each as [`BlockEntry`].
    Crossed {
        /// The winding number of the blocks right of the cell, about a point above all their ends in its row.
        winding: i32,
        blocks: &'a [u32],
    },
    /// More than [`MAX_BLOCKS_OF_CELL`] blocks, which are not listed.
    Many,
}

/// A block in the list of a cell.
#[derive(Clone, Copy)]
pub(crate) struct BlockEntry(pub(crate) u32);

impl BlockEntry {
    const FOLLOWS: u32 = 1;
    const PRECEDES: u32 = 2;
    const BITS: u32 = 2;

    /// Returns the index of the block.
    #[inline]
    pub(crate) fn block(self) -> usize {
        (self.0 >> Self::BITS) as usize
    }

    /// Returns true if the block before it in the ring is right of the cell, and their common end lies in the row.
    #[inline]
    pub(crate) fn follows_right(self) -> bool {
        self.0 & Self::FOLLOWS != 0
    }

    /// Returns true if the block after it in the ring is right of the cell, and their common end lies in the row.
    #[inline]
    pub(crate) fn precedes_right(self) -> bool {
        self.0 & Self::PRECEDES != 0
    }
}

/// The cells that a block intersects, and its place in the ring.
struct Span {
    /// First and last column, first and last row.
    columns: [usize; 2],
    rows: [usize; 2],
    /// The rows of the first and the last vertex.
    end_rows: [usize; 2],
    /// The indices of the blocks before and after it in the ring.
    neighbors: [usize; 2],
}

impl CellGrid {
    /// Creates the grid of a polygon with `count` blocks in the order of its rings. All boxes lie in `bounds`. Returns
    /// `None` if the lists would be long, or if the polygon is tiny.
    pub(crate) fn new(bounds: &Aabb, count: usize, blocks: &mut dyn Iterator<Item = GridBlock>) -> Option<Self> {
        let (size, wanted) = (bounds.size(), (CELLS_PER_BLOCK * count) as f64);
        let along = |cells: f64| libm::trunc(cells.clamp(1.0, MAX_CELLS));
        let columns = along(sqrt(wanted * size.x / size.y));
        let counts = DVec2::new(columns, along(wanted / columns));
        let scale = counts / size;
        // The quotient can overflow for a tiny polygon.
        if !scale.is_finite() {
            return None;
        }
        let counts = [counts.x as usize, counts.y as usize];
        let cells = vec![OUTSIDE; counts[0] * counts[1]];
        let mut grid = Self { origin: bounds.min(), scale, counts, cells, lists: Vec::new() };
        let spans = grid.spans(count, blocks)?;
        grid.create_lists(&spans);
        grid.fill_lists(&spans);
        Some(grid)
    }

    /// Returns the contents of the cell of a point.
    #[inline]
    pub(crate) fn cell(&self, point: DVec2) -> Cell<'_> {
        let [column, row] = self.cell_of(point);
        match self.cells[row * self.counts[0] + column] {
            OUTSIDE => Cell::Empty(false),
            INSIDE => Cell::Empty(true),
            MANY => Cell::Many,
            start => {
                let list = &self.lists[(start - LIST) as usize..];
                Cell::Crossed { winding: list[0] as i32, blocks: &list[2..][..list[1] as usize] }
            }
        }
    }

    /// Returns the column and the row of the cell of a point.
    #[inline]
    #[expect(clippy::cast_sign_loss, reason = "a negative number becomes 0")]
    fn cell_of(&self, point: DVec2) -> [usize; 2] {
        let cell = (point - self.origin) * self.scale;
        [(cell.x as usize).min(self.counts[0] - 1), (cell.y as usize).min(self.counts[1] - 1)]
    }

    /// Returns the spans of all blocks; `None` if they intersect too many cells.
    fn spans(&self, count: usize, blocks: &mut dyn Iterator<Item = GridBlock>) -> Option<Vec<Span>> {
        let mut spans = Vec::<Span>::with_capacity(count);
        let (mut ring_start, mut cells_left) = (0, MAX_CELLS_OF_BLOCK * count);
        for (i, block) in blocks.enumerate() {
            let ([left, low], [right, high]) = (self.cell_of(block.bounds.min()), self.cell_of(block.bounds.max()));
            cells_left = cells_left.checked_sub((right - left + 1) * (high - low + 1))?;
            let next = if block.is_end_of_ring { ring_start } else { i + 1 };
            spans.push(Span {
                columns: [left, right],
                rows: [low, high],
                end_rows: both(block.ends, |end| self.cell_of(end)[1]),
                neighbors: [i.saturating_sub(1), next],
            });
            if block.is_end_of_ring {
                spans[ring_start].neighbors[0] = i;
                ring_start = i + 1;
            }
        }
        Some(spans)
    }

    /// Computes the contents of all cells, and creates lists with zeros instead of blocks.
    fn create_lists(&mut self, spans: &[Span]) {
        let columns = self.counts[0];
        // First, a cell contains its number of blocks, and `windings` the numbers that a cell adds to those left of it.
        let mut windings = vec![0_i32; self.cells.len()];
        for span in spans {
            let [left, right] = span.columns;
            for row in span.rows[0]..=span.rows[1] {
                for count in &mut self.cells[row * columns..][left..=right] {
                    *count += 1;
                }
                let [first, last] = span.end_rows;
                windings[row * columns + left] += i32::from(last > row) - i32::from(first > row);
            }
        }
        let mut right = 0;
        for i in (0..windings.len()).rev() {
            if (i + 1) % columns == 0 {
                right = 0;
            }
            let (winding, count) = (right, self.cells[i]);
            right += windings[i];
            self.cells[i] = match count {
                0 if winding == 0 => OUTSIDE,
                0 => INSIDE,
                _ if count > MAX_BLOCKS_OF_CELL => MANY,
                _ => {
                    let start = self.lists.len();
                    self.lists.push(winding as u32);
                    self.lists.resize(start + 2 + count as usize, 0);
                    start as u32 + LIST
                }
            };
        }
    }

    /// Appends the blocks to the lists of their cells.
    fn fill_lists(&mut self, spans: &[Span]) {
        for (i, span) in spans.iter().enumerate() {
            let [left_of_previous, left_of_next] = both(span.neighbors, |neighbor| spans[neighbor].columns[0]);
            for row in span.rows[0]..=span.rows[1] {
                let [is_first_here, is_last_here] = both(span.end_rows, |end| end == row);
                for column in span.columns[0]..=span.columns[1] {
                    let cell = self.cells[row * self.counts[0] + column];
                    if cell == MANY {
                        continue;
                    }
                    let follows = if is_first_here && left_of_previous > column { BlockEntry::FOLLOWS } else { 0 };
                    let precedes = if is_last_here && left_of_next > column { BlockEntry::PRECEDES } else { 0 };
                    let list = &mut self.lists[(cell - LIST) as usize..];
                    let count = list[1] as usize;
                    list[2 + count] = (i as u32) << BlockEntry::BITS | follows | precedes;
                    list[1] += 1;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The blocks of rings, each with up to three edges, and the vertices of each block.
    fn blocks(rings: &[Vec<DVec2>]) -> (Vec<Vec<DVec2>>, Vec<GridBlock>) {
        let (mut vertices, mut blocks) = (Vec::new(), Vec::new());
        for ring in rings {
            for start in (0..ring.len()).step_by(3) {
                let end = (start + 3).min(ring.len());
                let block: Vec<DVec2> = (start..=end).map(|i| ring[i % ring.len()]).collect();
                let bounds = Aabb::around(block.iter().copied(), 0.0);
                let ends = [block[0], block[end - start]];
                blocks.push(GridBlock { bounds, ends, is_end_of_ring: end == ring.len() });
                vertices.push(block);
            }
        }
        (vertices, blocks)
    }

    fn grid(rings: &[Vec<DVec2>]) -> (Vec<Vec<DVec2>>, Option<CellGrid>) {
        let (vertices, blocks) = blocks(rings);
        let bounds = Aabb::around(rings.iter().flatten().copied(), 0.0);
        let grid = CellGrid::new(&bounds, blocks.len(), &mut blocks.into_iter());
        (vertices, grid)
    }

    /// The winding number of consecutive edges, in numbers without rounding errors.
    fn winding(vertices: &[DVec2], point: DVec2) -> i32 {
        let of_edge = |edge: &[DVec2]| {
            let (a, b) = (edge[0], edge[1]);
            let direction = i32::from(b.y > point.y) - i32::from(a.y > point.y);
            let side = (b - a).perp_dot(point - a) * f64::from(direction);
            if side > 0.0 { direction } else { 0 }
        };
        vertices.windows(2).map(of_edge).sum()
    }

    /// Divides each side of a polygon into `count` edges.
    fn divided(corners: &[[f64; 2]], count: usize) -> Vec<DVec2> {
        let corner = |i: usize| DVec2::from(corners[i % corners.len()]);
        let side =
            |i: usize| (0..count).map(move |k| corner(i) + (corner(i + 1) - corner(i)) * k as f64 / count as f64);
        (0..corners.len()).flat_map(side).collect()
    }

    #[test]
    fn cells_give_the_winding_number_of_each_point() {
        // A wave, a rectangle around it in the opposite direction, and a triangle that overlaps both. All vertices are
        // integers, so no result is rounded.
        let wave = (0..200).map(|i| DVec2::new(f64::from(200 - 2 * i), f64::from(40 + 30 * (i % 7) - 5 * (i % 3))));
        let wave: Vec<DVec2> =
            divided(&[[-200.0, -10.0], [100.0, -70.0], [200.0, -10.0]], 20)[..40].iter().copied().chain(wave).collect();
        let rectangle = divided(&[[-300.0, -100.0], [-300.0, 280.0], [260.0, 280.0], [260.0, -100.0]], 20);
        let triangle = divided(&[[150.0, -100.0], [310.0, 60.0], [110.0, 260.0]], 20);
        let rings = [wave, rectangle, triangle];
        let closed = rings.clone().map(|mut ring| {
            ring.push(ring[0]);
            ring
        });
        let (vertices, grid) = grid(&rings);
        let grid = grid.unwrap();
        let mut rng = fastrand::Rng::with_seed(5);
        let mut counts = [0; 2];
        for _ in 0..5_000 {
            let point = DVec2::new(f64::from(rng.i32(-700..=700)), f64::from(rng.i32(-300..=700))) / 2.0;
            let expected: i32 = closed.iter().map(|ring| winding(ring, point)).sum();
            match grid.cell(point) {
                Cell::Many => panic!("{point}"),
                Cell::Empty(is_inside) => {
                    assert_eq!(is_inside, expected != 0, "{point}");
                    counts[0] += 1;
                }
                Cell::Crossed { winding: right, blocks } => {
                    let of_block = |block: BlockEntry| {
                        let vertices = &vertices[block.block()];
                        let [first, last] = [vertices[0], vertices[vertices.len() - 1]].map(|end| end.y > point.y);
                        winding(vertices, point) + i32::from(block.follows_right() & first)
                            - i32::from(block.precedes_right() & last)
                    };
                    let found = right + blocks.iter().map(|&block| of_block(BlockEntry(block))).sum::<i32>();
                    assert_eq!(found, expected, "{point}");
                    counts[1] += 1;
                }
            }
        }
        assert!(counts.iter().all(|&count| count > 1_000), "{counts:?}");
    }

    #[test]
    fn a_distant_vertex_makes_no_long_list() {
        // A circle of 100 000 edges, and a wrong coordinate.
        let circle = (0..100_000).map(|i| DVec2::from_angle(f64::from(i) * 6e-5));
        let found = grid(&[circle.chain([DVec2::new(1e6, -1e6)]).collect()]).1.unwrap();
        assert!(matches!(found.cell(DVec2::new(1.0, -0.1)), Cell::Many));
        let starts = found.cells.iter().filter(|&&cell| cell >= LIST).map(|cell| (cell - LIST) as usize);
        let longest = starts.map(|start| found.lists[start + 1]).max();
        assert!(longest <= Some(MAX_BLOCKS_OF_CELL), "{longest:?}");
    }

    #[test]
    fn a_cell_lists_up_to_32_blocks() {
        let triangle = |x: f64| [[x, x], [x + 1.0, x], [x, x + 1.0]].map(DVec2::from).to_vec();
        for count in 1..70 {
            let rings: Vec<_> = [0.0].repeat(count).into_iter().chain([1000.0]).map(triangle).collect();
            match grid(&rings).1.unwrap().cell(DVec2::ZERO) {
                Cell::Crossed { blocks, .. } => assert!(count <= 32 && blocks.len() == count),
                Cell::Many => assert!(count > 32),
                Cell::Empty(_) => panic!("{count}"),
            }
        }
    }

    #[test]
    fn long_spikes_and_tiny_polygons_have_no_grid() {
        let spikes = (0..1000).map(|i| DVec2::new(f64::from(i), f64::from(i % 2) * 1000.0)).collect();
        assert!(grid(&[spikes]).1.is_none());
        let tiny = f64::from_bits(3);
        let triangle = [[0.0, 0.0], [tiny, 0.0], [0.0, tiny]].map(DVec2::from).to_vec();
        assert!(grid(&[triangle]).1.is_none());
    }
}
