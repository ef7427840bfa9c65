//! Reads Tiled's JSON: maps (.tmj), tilesets (.tsj) and templates (.tj).
//!
//! Input: the text of a file. Output: the types of `model.rs`, as from XML. The `Raw…` types have
//! the keys of the file. A file is parsed twice: first only its type, so that a tileset given as a
//! map is reported as such.

use super::coverage_json::COVERAGE;
use super::encoding::{CellBudget, Encoding, counted, decode};
use super::grid::{Grid, Written};
use super::json_properties::RawProperties;
use super::model::{self, Chunk, Content, Kind, Layer, Map, Source, Template, TileIds, TilesetRef, anchor};
use crate::Error;
use crate::unread::{self, Unread};
use carom::DVec2;
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, MapAccess, SeqAccess, Visitor};
use std::collections::HashMap;
use std::fmt;

/// Reads a map.
pub(super) fn map(file: &str, text: &str, unread: &mut Unread) -> Result<Map, Error> {
    let raw: RawMap = parse(file, text, "map")?;
    unread::json::search(COVERAGE, "map", text, unread);
    let grid = Grid::new(&Written {
        orientation: &raw.orientation,
        cell: DVec2::new(raw.tilewidth, raw.tileheight),
        rows: raw.height,
        side: raw.hexsidelength,
        axis: &raw.staggeraxis,
        index: &raw.staggerindex,
    })
    .map_err(|m| Error::new(file, m))?;
    let mut budget = CellBudget::new(raw.infinite);
    Ok(Map {
        grid,
        tilesets: raw.tilesets.into_iter().map(|t| t.reference(file)).collect::<Result<_, _>>()?,
        layers: raw.layers.into_iter().map(|l| l.read(file, &mut budget)).collect::<Result<_, _>>()?,
    })
}

/// Reads a tileset file.
pub(super) fn tileset(file: &str, text: &str, unread: &mut Unread) -> Result<model::Tileset, Error> {
    let raw = parse::<RawTileset>(file, text, "tileset")?;
    unread::json::search(COVERAGE, "tileset", text, unread);
    raw.read(file)
}

/// Reads a template file.
pub(super) fn template(file: &str, text: &str, unread: &mut Unread) -> Result<Template, Error> {
    let raw: RawTemplate = parse(file, text, "template")?;
    unread::json::search(COVERAGE, "template", text, unread);
    let tileset = raw.tileset.map(|t| t.reference(file)).transpose()?;
    Ok(Template { tileset, object: raw.object.read() })
}

/// Only the type of the file, so that a file of the wrong type is reported first.
#[derive(Deserialize)]
struct Typed {
    #[serde(rename = "type", default)]
    kind: String,
}

fn parse<T: DeserializeOwned>(file: &str, text: &str, expected: &str) -> Result<T, Error> {
    let broken = |e: serde_json::Error| {
        let text = e.to_string();
        let message = text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message);
        Error::at(file, format!("line {}, column {}", e.line(), e.column()), message)
    };
    let typed: Typed = serde_json::from_str(text).map_err(broken)?;
    if !typed.kind.is_empty() && typed.kind != expected {
        return Err(Error::new(file, format!("expected a Tiled {expected}, found a {}", typed.kind)));
    }
    serde_json::from_str(text).map_err(broken)
}

/// A map (.tmj) with the keys of the format.
#[derive(Deserialize)]
struct RawMap {
    orientation: String,
    tilewidth: f64,
    tileheight: f64,
    #[serde(default)]
    height: f64,
    #[serde(default)]
    hexsidelength: f64,
    #[serde(default)]
    staggeraxis: String,
    #[serde(default)]
    staggerindex: String,
    #[serde(default)]
    infinite: bool,
    #[serde(default)]
    tilesets: Vec<RawTileset>,
    layers: Vec<RawLayer>,
}

/// A template (.tj): an object, and the tileset of its tile.
#[derive(Deserialize)]
struct RawTemplate {
    tileset: Option<RawTileset>,
    object: RawObject,
}

/// Point of a polygon, or the offset of a tileset.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(default)]
struct Point {
    x: f64,
    y: f64,
}

impl From<Point> for DVec2 {
    fn from(p: Point) -> Self {
        Self::new(p.x, p.y)
    }
}

/// A tileset (.tsj), or its entry in a map: `firstgid` with a `source` or all other keys.
#[derive(Default, Deserialize)]
#[serde(default)]
struct RawTileset {
    firstgid: u32,
    source: Option<String>,
    name: String,
    tilewidth: f64,
    tileheight: f64,
    tilecount: Option<u32>,
    image: Option<String>,
    tileoffset: Point,
    objectalignment: String,
    tilerendersize: String,
    fillmode: String,
    grid: RawGrid,
    tiles: Tiles,
}

/// Grid of a tileset, which can differ from that of the map.
#[derive(Default, Deserialize)]
#[serde(default)]
struct RawGrid {
    orientation: String,
    width: f64,
    height: f64,
}

impl RawTileset {
    fn reference(mut self, file: &str) -> Result<TilesetRef, Error> {
        let first_gid = self.firstgid;
        if first_gid == 0 {
            return Err(Error::at(file, self.location(), "a tileset needs a firstgid of at least 1"));
        }
        let source = match self.source.take() {
            Some(path) => Source::File(path),
            None => Source::Inline(self.read(file)?),
        };
        Ok(TilesetRef { first_gid, source })
    }

    fn location(&self) -> String {
        format!("tileset \"{}\"", self.source.as_ref().unwrap_or(&self.name))
    }

    fn read(self, file: &str) -> Result<model::Tileset, Error> {
        let anchor = anchor(&self.objectalignment).map_err(|m| Error::at(file, self.location(), m))?;
        Ok(model::Tileset {
            name: self.name,
            tile_size: DVec2::new(self.tilewidth, self.tileheight),
            ids: TileIds::new(self.tilecount, self.tiles.has_images && self.image.is_none()),
            offset: self.tileoffset.into(),
            anchor,
            fits_grid: self.tilerendersize == "grid",
            keeps_aspect: self.fillmode == "preserve-aspect-fit",
            isometric_cell: (self.grid.orientation == "isometric")
                .then(|| DVec2::new(self.grid.width, self.grid.height)),
            tiles: self.tiles.by_id,
        })
    }
}

/// A tile of a tileset with its collision shapes in `objectgroup`.
#[derive(Default, Deserialize)]
#[serde(default)]
struct RawTile {
    id: u32,
    image: Option<String>,
    imagewidth: f64,
    imageheight: f64,
    width: f64,
    height: f64,
    objectgroup: ObjectGroup,
}

/// Collision shapes of a tile.
#[derive(Default, Deserialize)]
#[serde(default)]
struct ObjectGroup {
    objects: Vec<RawObject>,
}

impl RawTile {
    fn read(self) -> model::Tile {
        let sizes = [DVec2::new(self.width, self.height), DVec2::new(self.imagewidth, self.imageheight)];
        model::Tile {
            size: sizes.into_iter().find(|s| s.x > 0.0 && s.y > 0.0),
            shapes: self.objectgroup.objects.into_iter().map(RawObject::read).collect(),
        }
    }
}

/// Tiles of a tileset: a list, or (before Tiled 1.2) an object with the ids as keys.
#[derive(Default)]
struct Tiles {
    by_id: HashMap<u32, model::Tile>,
    /// True if a tile has an image of its own.
    has_images: bool,
}

impl Tiles {
    fn insert(&mut self, id: u32, tile: RawTile) {
        self.has_images |= tile.image.is_some();
        self.by_id.insert(id, tile.read());
    }
}

impl<'de> Deserialize<'de> for Tiles {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Tiles;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of tiles, or an object with their ids as keys")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Tiles, A::Error> {
                let mut tiles = Tiles::default();
                while let Some(tile) = list.next_element::<RawTile>()? {
                    tiles.insert(tile.id, tile);
                }
                Ok(tiles)
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Tiles, A::Error> {
                let mut tiles = Tiles::default();
                while let Some((id, tile)) = map.next_entry()? {
                    tiles.insert(id, tile);
                }
                Ok(tiles)
            }
        }
        deserializer.deserialize_any(Either)
    }
}

/// A layer of any `type`. Keys of other types are empty.
#[derive(Default, Deserialize)]
#[serde(default)]
struct RawLayer {
    #[serde(rename = "type")]
    kind: String,
    name: String,
    offsetx: f64,
    offsety: f64,
    encoding: String,
    compression: String,
    // The cells of a map of fixed size are in the layer itself, as those of a chunk are in the
    // chunk.
    x: f64,
    y: f64,
    width: u32,
    height: u32,
    data: Option<Data>,
    chunks: Vec<RawChunk>,
    objects: Vec<RawObject>,
    layers: Vec<RawLayer>,
    properties: RawProperties,
}

/// Rectangle of cells of an infinite map.
#[derive(Default, Deserialize)]
#[serde(default)]
struct RawChunk {
    x: f64,
    y: f64,
    width: u32,
    height: u32,
    data: Option<Data>,
}

impl RawLayer {
    fn read(self, file: &str, budget: &mut CellBudget) -> Result<Layer, Error> {
        let location = format!("layer \"{}\"", self.name);
        let fail = |m: String| Error::at(file, &location, m);
        let content = match self.kind.as_str() {
            "tilelayer" => {
                let encoding = Encoding::new(&self.encoding, &self.compression).map_err(fail)?;
                let Self { x, y, width, height, data, chunks, .. } = self;
                let chunked = data.is_none() && (budget.infinite || !chunks.is_empty());
                let chunks = if chunked { chunks } else { vec![RawChunk { x, y, width, height, data }] };
                let read = |c: RawChunk| c.read(encoding, budget);
                Content::Tiles(chunks.into_iter().map(read).collect::<Result<_, _>>().map_err(fail)?)
            }
            "objectgroup" => Content::Objects(self.objects.into_iter().map(RawObject::read).collect()),
            "group" => Content::Group(self.layers.into_iter().map(|l| l.read(file, budget)).collect::<Result<_, _>>()?),
            "imagelayer" => Content::Image,
            other => {
                return Err(fail(format!(
                    "unknown layer type \"{other}\": expected tilelayer, objectgroup, group or imagelayer"
                )));
            }
        };
        let offset = DVec2::new(self.offsetx, self.offsety);
        Ok(Layer { name: self.name, offset, properties: self.properties.0, content })
    }
}

impl RawChunk {
    fn read(self, encoding: Encoding, budget: &mut CellBudget) -> Result<Chunk, String> {
        let count = budget.take(self.width, self.height)?;
        let gids = match self.data {
            Some(Data::Text(text)) => decode(&text, encoding, count)?,
            // A list needs no encoding. Tiled writes csv or leaves it out.
            Some(Data::Gids(gids)) => counted(gids, count)?,
            None => return Err("no data".to_owned()),
        };
        Ok(Chunk { x: whole(self.x)?, y: whole(self.y)?, width: self.width, gids })
    }
}

fn whole(n: f64) -> Result<i32, String> {
    let whole = n as i32;
    if f64::from(whole) == n { Ok(whole) } else { Err(format!("{n}: expected a whole number of cells")) }
}

/// Cells of a layer: encoded text, or a list of tile numbers.
enum Data {
    Text(String),
    Gids(Vec<u32>),
}

impl<'de> Deserialize<'de> for Data {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Data;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of tile numbers, or text")
            }
            fn visit_str<E>(self, text: &str) -> Result<Data, E> {
                Ok(Data::Text(text.to_owned()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Data, A::Error> {
                let mut gids = Vec::new();
                while let Some(gid) = list.next_element()? {
                    gids.push(gid);
                }
                Ok(Data::Gids(gids))
            }
        }
        deserializer.deserialize_any(Either)
    }
}

/// An object. At most one of the keys `ellipse` to `text` is given; without any it is a rectangle
/// or a tile.
#[derive(Default, Deserialize)]
#[serde(default)]
struct RawObject {
    id: u32,
    name: String,
    x: f64,
    y: f64,
    width: f64,
    height: f64,
    rotation: Option<f64>,
    gid: u32,
    template: Option<String>,
    ellipse: bool,
    capsule: bool,
    point: bool,
    polygon: Option<Vec<Point>>,
    polyline: Option<Vec<Point>>,
    text: Option<serde::de::IgnoredAny>,
    properties: RawProperties,
}

impl RawObject {
    fn read(self) -> model::Object {
        let kind = if let Some(points) = self.polygon {
            Some(Kind::Polygon(points.into_iter().map(DVec2::from).collect()))
        } else if let Some(points) = self.polyline {
            Some(Kind::Polyline(points.into_iter().map(DVec2::from).collect()))
        } else if self.text.is_some() {
            Some(Kind::Text)
        } else {
            let named = [(self.ellipse, Kind::Ellipse), (self.capsule, Kind::Capsule), (self.point, Kind::Point)];
            named.into_iter().find_map(|(is, kind)| is.then_some(kind))
        };
        model::Object {
            id: self.id,
            name: self.name,
            position: DVec2::new(self.x, self.y),
            size: DVec2::new(self.width, self.height),
            rotation: self.rotation,
            gid: Some(self.gid).filter(|&g| g > 0),
            kind,
            properties: self.properties.0,
            template: self.template,
        }
    }
}
