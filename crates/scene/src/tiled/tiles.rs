//! Converts tiles to colliders: tile layers, tile objects, and the collision shapes of tilesets.
//!
//! ```text
//! for each cell: find its tile; build the shapes of each tile number once
//! count all colliders, names and points against the limits
//! for each cell: add its shapes at the position of the cell
//! ```
//!
//! The count comes before the first collider, so that a small file cannot fill the memory.

use super::builder::{Builder, Settings};
use super::grid::{Grid, Orientation};
use super::loader::{FileContext, GidTable, TileRef};
use super::model::{Chunk, Object};
use super::object_shape::{Drawing, ObjectShape, TileTransform};
use super::properties::{PathRef, Properties};
use super::tile_shape::{ColliderShape, TileShape, outline_of_cell, reason, whole};
use crate::{Error, Origin};
use carom::{DVec2, Pose};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::rc::Rc;

/// Largest number of colliders from the tiles of a map. A small file can have millions of cells.
const MAX_COLLIDERS: usize = 1 << 20;

/// Returns the non-empty cells: tile number, column and row.
fn cells(chunks: &[Chunk]) -> impl Iterator<Item = (u32, i64, i64)> {
    chunks.iter().flat_map(|chunk| {
        let width = i64::from(chunk.width);
        let at = move |i: i64| (i64::from(chunk.x) + i % width, i64::from(chunk.y) + i / width);
        (0_i64..).zip(&chunk.gids).filter(|(_, gid)| **gid != 0).map(move |(i, &gid)| (gid, at(i).0, at(i).1))
    })
}

impl Builder<'_> {
    /// Returns the shapes of a tile object: the collision shapes of its tile, or its rectangle if
    /// there are none.
    pub(super) fn tile_object(&mut self, tile: TileRef, size: DVec2) -> Result<Vec<ColliderShape>, String> {
        let drawing = self.drawing(tile);
        let own = drawing.size.unwrap_or(DVec2::ZERO);
        let area = DVec2::new(if size.x == 0.0 { own.x } else { size.x }, if size.y == 0.0 { own.y } else { size.y });
        if area.min_element() <= 0.0 {
            return Err(format!("a tile of width {} and height {}: expected sizes above 0", area.x, area.y));
        }
        let default = if self.grid.is_isometric() { DVec2::new(0.5, 1.0) } else { DVec2::new(0.0, 1.0) };
        let anchor = self.files.tilesets[tile.tileset].anchor.unwrap_or(default);
        let base = DVec2::new(-anchor.x, 1.0 - anchor.y) * area;
        let frame = TileTransform::new(drawing, area, base, tile.flip);
        self.repeat_shapes(tile)?;
        let pieces = if self.written_shapes(tile).is_empty() {
            whole(&frame)?
        } else if drawing.size.is_some() {
            let shapes = self.shapes(tile).map_err(|e| format!("{}: {}", e.location().unwrap_or(""), e.message()))?;
            shapes.iter().map(|s| s.piece(&frame)).collect::<Result<_, _>>()?
        } else {
            return Err(format!("{} has collision shapes but no size", self.tile_name(tile)));
        };
        self.count(pieces.len())?;
        Ok(pieces)
    }

    /// Adds the tiles of a layer. `outer`: properties of the layer and its groups.
    pub(super) fn tile_layer(
        &mut self,
        layer: &str,
        offset: DVec2,
        chunks: &[Chunk],
        outer: &Properties,
    ) -> Result<(), Error> {
        let cell_name = |column: i64, row: i64| format!("{layer}[{column},{row}]");
        // All are counted before the first is made, so that a small file cannot fill the memory.
        let before = self.from_tiles;
        let mut without = 0;
        let mut known: HashMap<u32, Vec<ColliderShape>> = HashMap::new();
        for (gid, column, row) in cells(chunks) {
            let pieces = match known.entry(gid) {
                Entry::Occupied(pieces) => pieces.into_mut(),
                Entry::Vacant(free) => free.insert(self.cell(layer, gid, &cell_name(column, row))?),
            };
            without += usize::from(pieces.is_empty());
            self.count(pieces.len()).map_err(|m| Error::new(self.file, m))?;
            self.files.repeats.texts(layer, pieces.len()).map_err(|m| Error::new(self.file, m))?;
        }
        self.notes.tiles(layer, without);
        if self.from_tiles == before {
            return Ok(());
        }
        let filter = self.filter(layer, true)?;
        let origin = Origin { is_tile: true, ..Origin::default() };
        let moving = self.paths.moving(outer).map_err(|m| Error::at(self.file, format!("layer \"{layer}\""), m))?;
        let settings = Settings { own: &Properties::default(), outer, moving };
        for (gid, column, row) in cells(chunks) {
            let bottom_left = offset + self.grid.bottom_left(column, row);
            let pieces = &known[&gid];
            if !pieces.is_empty() {
                let pose = Pose::from_translation(bottom_left).map_err(reason);
                let done =
                    pose.and_then(|pose| self.push(cell_name(column, row), pieces, pose, filter, &settings, &origin));
                done.map_err(|m| Error::at(self.file, cell_name(column, row), m))?;
            }
        }
        Ok(())
    }

    /// Returns the shapes of a cell with this tile, relative to the bottom left of the cell.
    /// Refused shapes are reported at the first such cell only.
    fn cell(&mut self, layer: &str, gid: u32, location: &str) -> Result<Vec<ColliderShape>, Error> {
        let found = self.gids.tile(gid, &self.files.tilesets).map_err(|m| Error::at(self.file, location, m))?;
        let Some(tile) = found else { return Ok(Vec::new()) };
        self.repeat_shapes(tile).map_err(|m| Error::new(self.file, m))?;
        let solid = self.options.solid_all || self.options.solid.iter().any(|s| s == layer);
        let shapes = if solid { Rc::default() } else { self.shapes(tile)? };
        if !solid && shapes.is_empty() {
            return Ok(Vec::new());
        }
        if solid && let Some(outline) = self.grid.cell_outline() {
            let made = outline_of_cell(outline);
            return made
                .or_else(|reason| self.refuse(location.to_owned(), location.to_owned(), reason).map(|()| Vec::new()));
        }
        let drawing = self.drawing(tile);
        let area = if self.files.tilesets[tile.tileset].fits_grid { Some(self.grid.cell) } else { drawing.size };
        let made = match area {
            Some(area) if area.min_element() > 0.0 && self.grid.cell.min_element() > 0.0 => {
                let frame = TileTransform::new(drawing, area, DVec2::ZERO, tile.flip);
                if solid { whole(&frame) } else { shapes.iter().map(|s| s.piece(&frame)).collect() }
            }
            _ => Err(format!("{}, or the map's grid, has no size", self.tile_name(tile))),
        };
        made.or_else(|reason| self.refuse(location.to_owned(), location.to_owned(), reason).map(|()| Vec::new()))
    }

    fn drawing(&self, tile: TileRef) -> Drawing {
        let set = &self.files.tilesets[tile.tileset];
        Drawing { size: self.files.tile_size(tile), offset: set.offset, keeps_aspect: set.keeps_aspect }
    }

    /// Counts a copy of the collision shapes of a tile.
    fn repeat_shapes(&mut self, tile: TileRef) -> Result<(), String> {
        let shapes = self.files.tilesets[tile.tileset].tiles.get(&tile.id).map_or(&[][..], |tile| &tile.shapes);
        self.files.repeats.objects(shapes)
    }

    fn written_shapes(&self, tile: TileRef) -> &[Object] {
        self.files.tilesets[tile.tileset].tiles.get(&tile.id).map_or(&[], |t| &t.shapes)
    }

    fn tile_name(&self, tile: TileRef) -> String {
        format!("tile {} of tileset \"{}\"", tile.id, self.files.tilesets[tile.tileset].name)
    }

    /// Returns the collision shapes of a tile. A refused shape is reported once, not for every
    /// cell.
    fn shapes(&mut self, tile: TileRef) -> Result<Rc<Vec<TileShape>>, Error> {
        let key = (tile.tileset, tile.id);
        if let Some(known) = self.tile_shapes.get(&key) {
            return Ok(Rc::clone(known));
        }
        let written = self.written_shapes(tile).to_vec();
        let mut shapes = Vec::new();
        for (i, object) in written.iter().enumerate() {
            match self.tile_shape(tile, object) {
                Ok(Some((outline, turn, properties))) => {
                    self.note_repair(&format!("{}, collision shape {}", self.tile_name(tile), i + 1));
                    let number = (written.len() > 1).then_some(i + 1);
                    shapes.push(TileShape { number, outline, turn, properties });
                }
                Ok(None) => {}
                Err(reason) => {
                    let location = format!("{}, collision shape {}", self.tile_name(tile), i + 1);
                    self.refuse(location.clone(), location, reason)?;
                }
            }
        }
        let shapes = Rc::new(shapes);
        self.tile_shapes.insert(key, Rc::clone(&shapes));
        Ok(shapes)
    }

    fn tile_shape(
        &mut self,
        tile: TileRef,
        object: &Object,
    ) -> Result<Option<(ObjectShape, Pose, Properties)>, String> {
        let path = self.files.homes[tile.tileset].clone();
        let no_tiles = Object { gid: None, ..object.clone() };
        let resolved = self.files.resolve(&no_tiles, FileContext { path: &path, gids: &GidTable::default() })?;
        if object.gid.is_some() || resolved.tile.is_some() {
            return Err("a tile as the collision shape of a tile is not read".to_owned());
        }
        let object = resolved.object;
        let (grid, base) = self.shape_grid(tile)?;
        let position = base + grid.position(object.position);
        let turn = Pose::from_degrees(position, object.rotation.unwrap_or(0.0)).map_err(reason)?;
        let Some(outline) = ObjectShape::of(&object)? else { return Ok(None) };
        let outline = outline.projected(&grid)?.repaired(&mut self.repairs)?;
        // An error of the shape itself is reported for the tile, before the shape is placed.
        outline.clone().part().map_err(reason)?;
        self.notes.properties(&object.properties);
        if !matches!(object.properties.moving, None | Some(PathRef::None)) {
            return Err("property moving: a shape of a tile does not move alone: give it to the object or layer".into());
        }
        Ok(Some((outline, turn, object.properties)))
    }

    /// Returns the grid of the collision shapes of a tile, and its origin in pixels of the tile. An
    /// isometric grid has one cell, at the bottom of the tile.
    fn shape_grid(&self, tile: TileRef) -> Result<(Grid, DVec2), String> {
        let Some(cell) = self.files.tilesets[tile.tileset].isometric_cell else {
            return Ok((Grid { cell: self.grid.cell, orientation: Orientation::Orthogonal }, DVec2::ZERO));
        };
        if cell.min_element() <= 0.0 {
            return Err(format!("an isometric grid of {} × {}: expected sizes above 0", cell.x, cell.y));
        }
        let height = self.files.tile_size(tile).map_or(cell.y, |size| size.y);
        let grid = Grid { cell, orientation: Orientation::Isometric { rows: 1.0 } };
        Ok((grid, DVec2::new(0.0, height - cell.y)))
    }

    fn count(&mut self, colliders: usize) -> Result<(), String> {
        self.from_tiles += colliders;
        if self.from_tiles > MAX_COLLIDERS {
            return Err(format!(
                "the map's tiles make more than {MAX_COLLIDERS} colliders, the most that are read: take fewer layers \
                 as solid, or draw large areas as objects"
            ));
        }
        Ok(())
    }
}
