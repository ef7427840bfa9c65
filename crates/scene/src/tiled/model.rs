//! Defines a Tiled map, the same for XML and JSON. Numbers are those of the file.
//!
//! The two readers differ only in syntax. All rules of Tiled (defaults, templates, alignment,
//! flips) are applied later, to these types.

use super::grid::Grid;
use super::properties::Properties;
use carom::DVec2;
use std::collections::HashMap;

/// A map of any orientation.
#[derive(Debug)]
pub(super) struct Map {
    pub(super) grid: Grid,
    pub(super) tilesets: Vec<TilesetRef>,
    pub(super) layers: Vec<Layer>,
}

/// Reference to a tileset in a map or a template.
#[derive(Debug)]
pub(super) struct TilesetRef {
    pub(super) first_gid: u32,
    pub(super) source: Source,
}

/// Source of a tileset.
#[derive(Debug)]
pub(super) enum Source {
    File(String),
    Inline(Tileset),
}

/// Values of a tileset that decide the placement of its tiles.
#[derive(Debug)]
pub(super) struct Tileset {
    pub(super) name: String,
    /// Size of a tile. The tiles of an image collection have their own.
    pub(super) tile_size: DVec2,
    pub(super) ids: TileIds,
    /// Drawing offset in pixels of the tile.
    pub(super) offset: DVec2,
    /// Point of a tile object that is at its position: 0, ½ or 1 of its width and height, from the
    /// top left. `None` if the orientation of the map decides.
    pub(super) anchor: Option<DVec2>,
    /// Tile layers draw the tiles with the size of the map's grid (`tilerendersize="grid"`).
    pub(super) fits_grid: bool,
    /// Scaled tiles keep their proportions (`fillmode="preserve-aspect-fit"`).
    pub(super) keeps_aspect: bool,
    /// Grid cell in whose isometric coordinates collision shapes are drawn.
    pub(super) isometric_cell: Option<DVec2>,
    pub(super) tiles: HashMap<u32, Tile>,
}

/// Tile numbers of a tileset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TileIds {
    /// Unknown (before Tiled 0.13).
    Unknown,
    /// All numbers below this.
    Below(u32),
    /// A collection of images: the listed numbers, with gaps.
    Listed,
}

impl TileIds {
    /// Decides by `tilecount`, and by whether only the tiles have images.
    pub(super) fn new(count: Option<u32>, collection: bool) -> Self {
        if collection { Self::Listed } else { count.map_or(Self::Unknown, Self::Below) }
    }
}

/// Tile with an entry in the tileset.
#[derive(Debug, Default)]
pub(super) struct Tile {
    /// Its own size in an image collection.
    pub(super) size: Option<DVec2>,
    /// Collision shapes, in pixels of the tile.
    pub(super) shapes: Vec<Object>,
}

/// Layer of any kind.
#[derive(Debug)]
pub(super) struct Layer {
    pub(super) name: String,
    pub(super) offset: DVec2,
    pub(super) properties: Properties,
    pub(super) content: Content,
}

/// Content of a layer.
#[derive(Debug)]
pub(super) enum Content {
    Group(Vec<Layer>),
    Objects(Vec<Object>),
    Tiles(Vec<Chunk>),
    Image,
}

/// Rectangle of cells. A map of fixed size has one per layer.
#[derive(Debug)]
pub(super) struct Chunk {
    pub(super) x: i32,
    pub(super) y: i32,
    pub(super) width: u32,
    /// Row by row. The highest bits are flips. 0 is an empty cell.
    pub(super) gids: Vec<u32>,
}

/// Object as in the file. A value of `None` may come from its template.
#[derive(Clone, Debug, Default)]
pub(super) struct Object {
    /// 0 if it has none.
    pub(super) id: u32,
    pub(super) name: String,
    pub(super) position: DVec2,
    pub(super) size: DVec2,
    /// In degrees, clockwise on the screen (y points down).
    pub(super) rotation: Option<f64>,
    pub(super) gid: Option<u32>,
    pub(super) kind: Option<Kind>,
    pub(super) properties: Properties,
    pub(super) template: Option<String>,
}

/// Kind of an object that is neither a rectangle nor a tile.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Ellipse,
    Capsule,
    Point,
    Polygon(Vec<DVec2>),
    Polyline(Vec<DVec2>),
    Text,
}

/// Template file.
#[derive(Debug)]
pub(super) struct Template {
    pub(super) tileset: Option<TilesetRef>,
    pub(super) object: Object,
}

/// Returns the `objectalignment` of a tileset as a fraction of the size, from the top left. `None` if
/// it is unspecified.
pub(super) fn anchor(alignment: &str) -> Result<Option<DVec2>, String> {
    Ok(Some(match alignment {
        "" | "unspecified" => return Ok(None),
        "topleft" => DVec2::new(0.0, 0.0),
        "top" => DVec2::new(0.5, 0.0),
        "topright" => DVec2::new(1.0, 0.0),
        "left" => DVec2::new(0.0, 0.5),
        "center" => DVec2::new(0.5, 0.5),
        "right" => DVec2::new(1.0, 0.5),
        "bottomleft" => DVec2::new(0.0, 1.0),
        "bottom" => DVec2::new(0.5, 1.0),
        "bottomright" => DVec2::new(1.0, 1.0),
        other => {
            return Err(format!(
                "unknown objectalignment \"{other}\": expected unspecified, topleft, top, topright, left, center, \
                 right, bottomleft, bottom or bottomright"
            ));
        }
    }))
}
