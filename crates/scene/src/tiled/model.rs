//! A Tiled map in memory, the same whether it came as XML or as JSON. Numbers are the file's own.
use carom::DVec2;
use std::collections::BTreeMap;

/// An orthogonal map.
#[derive(Debug)]
pub(super) struct Map {
    /// Size of a grid cell.
    pub(super) cell: DVec2,
    pub(super) tilesets: Vec<TilesetRef>,
    pub(super) layers: Vec<Layer>,
}

/// A tileset as a map or a template names it.
#[derive(Debug)]
pub(super) struct TilesetRef {
    pub(super) first_gid: u32,
    pub(super) source: Source,
}

/// Where a tileset stands.
#[derive(Debug)]
pub(super) enum Source {
    File(String),
    Inline(Tileset),
}

/// What placing needs to know of a tileset.
#[derive(Debug)]
pub(super) struct Tileset {
    pub(super) name: String,
    /// Size of a tile; the tiles of an image collection have their own.
    pub(super) tile_size: DVec2,
    pub(super) ids: TileIds,
    /// Where tiles are drawn, in pixels of the tile.
    pub(super) offset: DVec2,
    /// Where in a tile object its position lies: 0, ½ or 1 of its width and height, from the top left.
    pub(super) anchor: DVec2,
    /// Tile layers draw the tiles at the size of the map's grid (`tilerendersize="grid"`).
    pub(super) fits_grid: bool,
    /// Stretched tiles keep their proportions (`fillmode="preserve-aspect-fit"`).
    pub(super) keeps_aspect: bool,
    /// Collision shapes are drawn in isometric coordinates.
    pub(super) isometric: bool,
    pub(super) tiles: BTreeMap<u32, Tile>,
}

/// Which tile numbers a tileset has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TileIds {
    /// The file does not say (before Tiled 0.13).
    Unknown,
    /// All below this.
    Below(u32),
    /// A collection of images: those listed, with gaps.
    Listed,
}

impl TileIds {
    /// From a tileset's `tilecount` and from whether its tiles alone have images.
    pub(super) fn new(count: Option<u32>, collection: bool) -> Self {
        if collection { Self::Listed } else { count.map_or(Self::Unknown, Self::Below) }
    }
}

/// A tile that the tileset says something of.
#[derive(Debug, Default)]
pub(super) struct Tile {
    /// Its own size, in an image collection.
    pub(super) size: Option<DVec2>,
    /// Its collision shapes, in its pixels.
    pub(super) shapes: Vec<Object>,
}

/// A layer of any kind.
#[derive(Debug)]
pub(super) struct Layer {
    pub(super) name: String,
    pub(super) offset: DVec2,
    pub(super) content: Content,
}

/// What a layer holds.
#[derive(Debug)]
pub(super) enum Content {
    Group(Vec<Layer>),
    Objects(Vec<Object>),
    Tiles(Vec<Chunk>),
    Image,
}

/// A rectangle of cells; a map of fixed size has one a layer.
#[derive(Debug)]
pub(super) struct Chunk {
    pub(super) x: i32,
    pub(super) y: i32,
    pub(super) width: u32,
    /// Row by row; the highest bits are flips, 0 is an empty cell.
    pub(super) gids: Vec<u32>,
}

/// An object as written: what is `None` may come from its template.
#[derive(Clone, Debug, Default)]
pub(super) struct Object {
    /// 0: none.
    pub(super) id: u32,
    pub(super) name: String,
    pub(super) position: DVec2,
    pub(super) size: DVec2,
    /// Degrees, clockwise as seen (y points down).
    pub(super) rotation: Option<f64>,
    pub(super) gid: Option<u32>,
    pub(super) kind: Option<Kind>,
    pub(super) template: Option<String>,
}

/// What an object is, unless it is a rectangle or a tile.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Ellipse,
    Capsule,
    Point,
    Polygon(Vec<DVec2>),
    Polyline(Vec<DVec2>),
    Text,
}

/// A template file.
#[derive(Debug)]
pub(super) struct Template {
    pub(super) tileset: Option<TilesetRef>,
    pub(super) object: Object,
}

/// The `objectalignment` of a tileset as a share of the size, from the top left.
pub(super) fn anchor(alignment: &str) -> Result<DVec2, String> {
    Ok(match alignment {
        "topleft" => DVec2::new(0.0, 0.0),
        "top" => DVec2::new(0.5, 0.0),
        "topright" => DVec2::new(1.0, 0.0),
        "left" => DVec2::new(0.0, 0.5),
        "center" => DVec2::new(0.5, 0.5),
        "right" => DVec2::new(1.0, 0.5),
        // Orthogonal maps align tile objects at the bottom left unless told otherwise.
        "" | "unspecified" | "bottomleft" => DVec2::new(0.0, 1.0),
        "bottom" => DVec2::new(0.5, 1.0),
        "bottomright" => DVec2::new(1.0, 1.0),
        other => {
            return Err(format!(
                "unknown objectalignment \"{other}\": expected unspecified, topleft, top, topright, left, center, \
                 right, bottomleft, bottom or bottomright"
            ));
        }
    })
}

/// Refuses every orientation but the one that is read.
pub(super) fn orthogonal(orientation: &str) -> Result<(), String> {
    match orientation {
        "orthogonal" => Ok(()),
        other => Err(format!("maps of orientation \"{other}\" are not read: only \"orthogonal\" ones are")),
    }
}
