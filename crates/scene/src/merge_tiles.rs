//! Merges flush tiles of a tile layer to larger shapes.
//!
//! Input: a scene. Output: fewer colliders that cover the same area. A body that slides over single
//! tiles touches their vertical edges at the seams (ghost collisions). Each tile also costs a box
//! in the broad phase.
//!
//! ```text
//! group the tiles by grid, filter and front direction
//! rectangles: for each free cell in row order, the longest free run of its row, then as many rows as are free
//! outlines:   trace the boundary of each component of cells
//! ```
//!
//! Tiles are merged if they are upright rectangles of equal size on one grid and do not move. Their
//! layers, group and front direction must be equal. The grid is exact: a corner that is off by a
//! rounding error keeps its tile alone. The rectangles are not the fewest possible ones; that would
//! need a matching.

use std::collections::{HashMap, HashSet};

use carom::decompose::{Connectivity, trace_pixels};
use carom::{DVec2, Error, Mask, Pose, Shape, ShapeKind};

use crate::{Origin, Scene, SceneCollider};

/// Form of merged tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TileMerge {
    /// Rectangles: runs of a row, extended over rows while the run is the same.
    Rectangles,
    /// Outlines with holes, one per connected area.
    Outlines,
}

/// Replaces flush tiles of each tile layer by larger shapes that cover the same area. Seams inside
/// an area disappear, so a body that slides along it has no contacts with them. Other tiles stay.
///
/// The id of a merged shape is that of its first tile in row order and, in brackets, the number of
/// its tiles.
///
/// ```
/// use carom_scene::{Options, TileMerge, merge_tiles, read};
///
/// let map = br#"<map orientation="orthogonal" width="3" height="1" tilewidth="8" tileheight="8">
///     <tileset firstgid="1" tilewidth="8" tileheight="8" tilecount="1"><image source="t.png"/></tileset>
///     <layer name="ground" width="3" height="1"><data encoding="csv">1,1,1</data></layer></map>"#;
/// let options = Options { solid_all: true, ..Options::default() };
/// let mut scene = read("map.tmx", map, &options, &mut |_| Err(std::io::ErrorKind::NotFound.into()))?;
/// merge_tiles(&mut scene, TileMerge::Rectangles);
/// assert_eq!(scene.colliders.len(), 1);
/// assert_eq!(scene.colliders[0].id, "ground[0,0] (3 tiles)");
/// # Ok::<(), carom_scene::Error>(())
/// ```
pub fn merge_tiles(scene: &mut Scene, form: TileMerge) {
    let tiles = scene.colliders.iter().enumerate();
    let mut tiles: Vec<(GridKey, Cell, usize)> =
        tiles.filter_map(|(index, tile)| grid_cell(tile).map(|(key, cell)| (key, cell, index))).collect();
    // A stable sort keeps the file order of the tiles of a grid.
    tiles.sort_by_key(|tile| tile.0);
    // The first tile of a merged shape is replaced, the others are removed.
    let mut merged: HashMap<usize, Option<SceneCollider>> = HashMap::new();
    for tiles in tiles.chunk_by(|a, b| a.0 == b.0) {
        let grid = CellGrid::new(tiles);
        let areas = match form {
            TileMerge::Rectangles => grid.rectangles(),
            TileMerge::Outlines => grid.outlines(),
        };
        // A shape that cannot be built leaves its tiles as they are.
        for area in areas.into_iter().filter(|area| area.cells.len() > 1) {
            let Some(&first) = area.cells.iter().map(|cell| &grid.cells[cell]).min() else { continue };
            let Ok((shape, pose)) = area.shape else { continue };
            merged.extend(area.cells.iter().map(|cell| (grid.cells[cell], None)));
            let tile = &scene.colliders[first];
            let id = format!("{} ({} tiles)", tile.id, area.cells.len());
            let origin = Origin { object: None, ..tile.origin.clone() };
            merged.insert(first, Some(SceneCollider { id, shape, pose, origin, ..tile.clone() }));
        }
    }
    let old = std::mem::take(&mut scene.colliders);
    scene.colliders =
        old.into_iter().enumerate().filter_map(|(i, tile)| merged.remove(&i).unwrap_or(Some(tile))).collect();
}

/// Column and row.
type Cell = [i32; 2];

/// Layers, mask, group and fixed, and the bits of the front direction. The bits of the cell size
/// and of the offset of the grid follow.
type GridKey = ([u64; 4], Option<[u64; 2]>, [u64; 4]);

/// Returns the grid and the cell of a tile that covers exactly one cell of a grid of its own size.
fn grid_cell(collider: &SceneCollider) -> Option<(GridKey, Cell)> {
    let is_upright = collider.pose.sin() == 0.0 && collider.pose.cos() == 1.0;
    let is_plain = collider.shape.kind() == ShapeKind::Rectangle && collider.shape.radius() == 0.0;
    let is_still = !collider.sensor && collider.moving.is_none();
    if !(collider.origin.is_tile && is_upright && is_plain && is_still) {
        return None;
    }
    let bounds = collider.shape.placed(collider.pose).aabb();
    let size = bounds.size();
    let cell = (bounds.min() / size).floor();
    let offset = bounds.min() - cell * size;
    // Both corners must be exactly those of the grid.
    let is_exact = offset + cell * size == bounds.min() && offset + (cell + 1.0) * size == bounds.max();
    let in_range = cell.abs().max_element() < 1e9;
    let filter = collider.filter;
    let key = (
        [filter.layers, filter.mask, u64::from(filter.group), u64::from(collider.fixed)],
        collider.one_way.map(|one_way| (one_way.front() + 0.0).to_array().map(f64::to_bits)),
        [size.x, size.y, offset.x + 0.0, offset.y + 0.0].map(f64::to_bits),
    );
    (is_exact && in_range).then_some((key, [cell.x as i32, cell.y as i32]))
}

/// Cells of one grid.
struct CellGrid {
    /// Index of the tile in each cell. Of several tiles in a cell the first.
    cells: HashMap<Cell, usize>,
    size: DVec2,
    offset: DVec2,
}

/// Merged cells and their shape.
struct MergedArea {
    cells: Vec<Cell>,
    shape: Result<(Shape, Pose), Error>,
}

impl CellGrid {
    /// Makes the grid of tiles with the same key.
    fn new(tiles: &[(GridKey, Cell, usize)]) -> Self {
        let [width, height, x, y] = tiles[0].0.2.map(f64::from_bits);
        let mut first = HashMap::new();
        for &(_, cell, index) in tiles {
            first.entry(cell).or_insert(index);
        }
        Self { cells: first, size: DVec2::new(width, height), offset: DVec2::new(x, y) }
    }

    fn corner(&self, [column, row]: Cell) -> DVec2 {
        self.offset + DVec2::new(f64::from(column), f64::from(row)) * self.size
    }

    /// Cells in row order.
    fn sorted(&self) -> Vec<Cell> {
        let mut sorted: Vec<Cell> = self.cells.keys().copied().collect();
        sorted.sort_unstable_by_key(|&[column, row]| (row, column));
        sorted
    }

    /// Covers the cells by disjoint rectangles. Each is the longest free run from the first free
    /// cell, down to the last row in which the run is free.
    fn rectangles(&self) -> Vec<MergedArea> {
        let mut left: HashSet<Cell> = self.cells.keys().copied().collect();
        let mut areas = Vec::new();
        for [column, row] in self.sorted() {
            if !left.contains(&[column, row]) {
                continue;
            }
            let (mut end, mut bottom) = (column + 1, row + 1);
            while left.contains(&[end, row]) {
                end += 1;
            }
            while (column..end).all(|c| left.contains(&[c, bottom])) {
                bottom += 1;
            }
            let cells: Vec<Cell> = (row..bottom).flat_map(|r| (column..end).map(move |c| [c, r])).collect();
            for cell in &cells {
                left.remove(cell);
            }
            areas.push(MergedArea { cells, shape: self.rectangle([column, row], [end, bottom]) });
        }
        areas
    }

    /// A rectangle about its centre may miss its corners by a rounding error. A polygon cannot.
    fn rectangle(&self, from: Cell, to: Cell) -> Result<(Shape, Pose), Error> {
        let (min, max) = (self.corner(from), self.corner(to));
        let (centre, size) = ((min + max) * 0.5, max - min);
        if centre - size * 0.5 == min && centre + size * 0.5 == max {
            return Ok((Shape::rectangle(size.x, size.y)?, Pose::from_translation(centre)?));
        }
        let corners = [min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)];
        Ok((Shape::polygon(&corners)?, Pose::IDENTITY))
    }

    /// Covers each area that is connected by edges with its outline.
    fn outlines(&self) -> Vec<MergedArea> {
        let sorted = self.sorted();
        let least = sorted.iter().fold([i32::MAX; 2], |l, c| [l[0].min(c[0]), l[1].min(c[1])]);
        let most = sorted.iter().fold([i32::MIN; 2], |m, c| [m[0].max(c[0]), m[1].max(c[1])]);
        let side = |axis: usize| u32::try_from(i64::from(most[axis]) - i64::from(least[axis]) + 1).unwrap_or(u32::MAX);
        let at = |x: u32, y: u32| [least[0].wrapping_add_unsigned(x), least[1].wrapping_add_unsigned(y)];
        // A grid too large for a mask stays as it is.
        let Ok(mask) = Mask::from_fn(side(0), side(1), |x, y| self.cells.contains_key(&at(x, y))) else {
            return Vec::new();
        };
        let mut components = self.components(&sorted);
        let vertex = |p: &DVec2| self.corner(least) + *p * self.size;
        trace_pixels(&mask, Connectivity::Four)
            .iter()
            .filter_map(|contour| {
                let [x, y] = contour
                    .outer
                    .iter()
                    .fold([f64::MAX; 2], |top, p| if (p.y, p.x) < (top[1], top[0]) { p.to_array() } else { top });
                // The cell below and to the right of the first vertex in row order is inside.
                let cells = components.remove(&at(x as u32, y as u32))?;
                let outer: Vec<DVec2> = contour.outer.iter().map(vertex).collect();
                let holes: Vec<Vec<DVec2>> =
                    contour.holes.iter().map(|hole| hole.iter().map(vertex).collect()).collect();
                Some(MergedArea {
                    cells,
                    shape: Shape::polygon_with_holes(&outer, &holes).map(|shape| (shape, Pose::IDENTITY)),
                })
            })
            .collect()
    }

    /// Returns the cells of each connected area, by its first cell in row order.
    fn components(&self, sorted: &[Cell]) -> HashMap<Cell, Vec<Cell>> {
        let mut seen = HashSet::new();
        let mut components = HashMap::new();
        for &first in sorted {
            if !seen.insert(first) {
                continue;
            }
            let (mut area, mut next) = (vec![first], 0);
            while let Some(&[column, row]) = area.get(next) {
                next += 1;
                for near in [[column - 1, row], [column + 1, row], [column, row - 1], [column, row + 1]] {
                    if self.cells.contains_key(&near) && seen.insert(near) {
                        area.push(near);
                    }
                }
            }
            components.insert(first, area);
        }
        components
    }
}
