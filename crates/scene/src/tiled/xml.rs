//! Reads Tiled's XML: maps (.tmx), tilesets (.tsx) and templates (.tx).
//!
//! Input: the text of a file. Output: the types of `model.rs`, as from JSON. A missing attribute is
//! empty or 0, as in Tiled. Errors name the line and column of the element.

use super::coverage_xml::COVERAGE;
use super::encoding::{CellBudget, Encoding, counted, decode};
use super::grid::{Grid, Written};
use super::model::anchor;
use super::model::{Chunk, Content, Kind, Layer, Map, Object, Source, Template, Tile, TileIds, Tileset, TilesetRef};
use super::properties::{Properties, point};
use crate::Error;
use crate::unread::{self, Unread};
use carom::DVec2;
use roxmltree::Node;
use std::collections::HashMap;
use std::str::FromStr;

/// Largest depth of group layers.
const MAX_DEPTH: usize = 100;

/// Reads a map.
pub(super) fn map(file: &str, text: &str, unread: &mut Unread) -> Result<Map, Error> {
    with_root(file, text, "map", unread, |e| {
        let grid = Grid::new(&Written {
            orientation: e.text("orientation"),
            cell: e.pair("tilewidth", "tileheight")?,
            rows: e.pair("width", "height")?.y,
            side: e.number("hexsidelength")?.unwrap_or(0.0),
            axis: e.text("staggeraxis"),
            index: e.text("staggerindex"),
        })
        .map_err(|m| e.error(m))?;
        let mut budget = CellBudget::new(e.text("infinite") == "1");
        let tilesets = e.children("tileset").map(tileset_ref).collect::<Result<_, _>>()?;
        Ok(Map { grid, tilesets, layers: layers(e, &mut budget, 0)? })
    })
}

/// Reads a tileset file.
pub(super) fn tileset(file: &str, text: &str, unread: &mut Unread) -> Result<Tileset, Error> {
    with_root(file, text, "tileset", unread, tileset_inline)
}

/// Reads a template file.
pub(super) fn template(file: &str, text: &str, unread: &mut Unread) -> Result<Template, Error> {
    with_root(file, text, "template", unread, |e| {
        let tileset = e.children("tileset").next().map(tileset_ref).transpose()?;
        let object = e.children("object").next().ok_or_else(|| e.error("a template without an <object>"))?;
        Ok(Template { tileset, object: read_object(object)? })
    })
}

/// Parses the text and returns the root element, if it is the expected one.
fn with_root<T>(
    file: &str,
    text: &str,
    expected: &str,
    unread: &mut Unread,
    read: impl FnOnce(Element<'_, '_>) -> Result<T, Error>,
) -> Result<T, Error> {
    let document = crate::xml::parse(file, text)?;
    let root = Element { file, node: document.root_element() };
    match root.node.tag_name().name() {
        name if name == expected => {
            let found = read(root)?;
            unread::xml::search(COVERAGE, expected, root.node, expected == "map", unread);
            Ok(found)
        }
        other => Err(root.error(format!("expected a Tiled <{expected}>, found <{other}>"))),
    }
}

/// Element, and the name of its file in messages.
#[derive(Clone, Copy)]
struct Element<'a, 'input> {
    file: &'a str,
    node: Node<'a, 'input>,
}

impl<'a, 'input: 'a> Element<'a, 'input> {
    fn error(self, message: impl Into<String>) -> Error {
        let at = self.node.document().text_pos_at(self.node.range().start);
        Error::at(self.file, format!("line {}, column {}", at.row, at.col), message)
    }

    fn name(self) -> &'a str {
        self.node.tag_name().name()
    }

    fn elements(self) -> impl Iterator<Item = Self> {
        self.node.children().filter(Node::is_element).map(move |node| Self { node, ..self })
    }

    fn children(self, name: &'static str) -> impl Iterator<Item = Self> {
        self.elements().filter(move |e| e.name() == name)
    }

    fn child(self, name: &'static str) -> Option<Self> {
        self.children(name).next()
    }

    /// Returns an attribute. A missing attribute is empty, as in Tiled.
    fn text(self, name: &str) -> &'a str {
        self.node.attribute(name).unwrap_or("")
    }

    fn parsed<T: FromStr>(self, name: &str, expected: &str) -> Result<Option<T>, Error> {
        match self.text(name) {
            "" => Ok(None),
            text => text
                .trim()
                .parse()
                .map(Some)
                .map_err(|_| self.error(format!("<{}> {name}=\"{text}\": expected {expected}", self.name()))),
        }
    }

    fn whole(self, name: &str) -> Result<Option<u32>, Error> {
        self.parsed(name, "a whole number, 0 to 4294967295")
    }

    fn number(self, name: &str) -> Result<Option<f64>, Error> {
        match self.parsed(name, "a number")? {
            Some(n) if !f64::is_finite(n) => {
                Err(self.error(format!("<{}> {name}=\"{}\": expected a finite number", self.name(), self.text(name))))
            }
            n => Ok(n),
        }
    }

    /// Returns two numbers, which are 0 if they are missing.
    fn pair(self, x: &str, y: &str) -> Result<DVec2, Error> {
        Ok(DVec2::new(self.number(x)?.unwrap_or(0.0), self.number(y)?.unwrap_or(0.0)))
    }
}

fn tileset_ref(e: Element<'_, '_>) -> Result<TilesetRef, Error> {
    let first_gid = match e.whole("firstgid")? {
        Some(gid) if gid > 0 => gid,
        _ => return Err(e.error("a tileset needs a firstgid of at least 1")),
    };
    let source = match e.text("source") {
        "" => Source::Inline(tileset_inline(e)?),
        path => Source::File(path.to_owned()),
    };
    Ok(TilesetRef { first_gid, source })
}

fn tileset_inline(e: Element<'_, '_>) -> Result<Tileset, Error> {
    let mut tiles = HashMap::new();
    let mut own_images = false;
    for tile in e.children("tile") {
        let Some(id) = tile.whole("id")? else { return Err(tile.error("a <tile> without id")) };
        own_images |= tile.child("image").is_some();
        tiles.insert(id, read_tile(tile)?);
    }
    let offset = e.child("tileoffset").map_or(Ok(DVec2::ZERO), |o| o.pair("x", "y"))?;
    Ok(Tileset {
        name: e.text("name").to_owned(),
        tile_size: e.pair("tilewidth", "tileheight")?,
        ids: TileIds::new(e.whole("tilecount")?, own_images && e.child("image").is_none()),
        offset,
        anchor: anchor(e.text("objectalignment")).map_err(|m| e.error(m))?,
        fits_grid: e.text("tilerendersize") == "grid",
        keeps_aspect: e.text("fillmode") == "preserve-aspect-fit",
        isometric_cell: match e.child("grid").filter(|g| g.text("orientation") == "isometric") {
            Some(grid) => Some(grid.pair("width", "height")?),
            None => None,
        },
        tiles,
    })
}

fn read_tile(e: Element<'_, '_>) -> Result<Tile, Error> {
    let image = e.child("image").map_or(Ok(DVec2::ZERO), |i| i.pair("width", "height"))?;
    let part = e.pair("width", "height")?;
    let shapes = e.children("objectgroup").flat_map(|g| g.children("object"));
    Ok(Tile {
        size: [part, image].into_iter().find(|s| s.x > 0.0 && s.y > 0.0),
        shapes: shapes.map(read_object).collect::<Result<_, _>>()?,
    })
}

fn layers(parent: Element<'_, '_>, budget: &mut CellBudget, depth: usize) -> Result<Vec<Layer>, Error> {
    if depth > MAX_DEPTH {
        return Err(parent.error(format!("group layers more than {MAX_DEPTH} deep")));
    }
    let mut out = Vec::new();
    for e in parent.elements() {
        let content = match e.name() {
            "layer" => Content::Tiles(chunks(e, budget)?),
            "objectgroup" => Content::Objects(e.children("object").map(read_object).collect::<Result<_, _>>()?),
            "group" => Content::Group(layers(e, budget, depth + 1)?),
            "imagelayer" => Content::Image,
            _ => continue,
        };
        let (name, offset) = (e.text("name").to_owned(), e.pair("offsetx", "offsety")?);
        out.push(Layer { name, offset, properties: read_properties(e)?, content });
    }
    Ok(out)
}

fn chunks(layer: Element<'_, '_>, budget: &mut CellBudget) -> Result<Vec<Chunk>, Error> {
    let Some(data) = layer.child("data") else { return Err(layer.error(named(layer, "no <data>"))) };
    let encoding =
        Encoding::new(data.text("encoding"), data.text("compression")).map_err(|m| data.error(named(layer, &m)))?;
    if budget.infinite || data.child("chunk").is_some() {
        return data.children("chunk").map(|c| chunk(layer, c, c, encoding, budget)).collect();
    }
    Ok(vec![chunk(layer, data, layer, encoding, budget)?])
}

/// `cells`: element with the data. `extent`: element with the attributes of its position.
fn chunk(
    layer: Element<'_, '_>,
    cells: Element<'_, '_>,
    extent: Element<'_, '_>,
    encoding: Encoding,
    budget: &mut CellBudget,
) -> Result<Chunk, Error> {
    let (Some(width), Some(height)) = (extent.whole("width")?, extent.whole("height")?) else {
        return Err(extent.error(named(layer, "width and height are missing")));
    };
    let fail = |m: String| cells.error(named(layer, &m));
    let count = budget.take(width, height).map_err(fail)?;
    let gids = if encoding == Encoding::Plain {
        let gids = cells.children("tile").map(|t| Ok(t.whole("gid")?.unwrap_or(0))).collect::<Result<_, Error>>()?;
        counted(gids, count)
    } else {
        let text: String = cells.node.children().filter(Node::is_text).filter_map(|n| n.text()).collect();
        decode(&text, encoding, count)
    };
    let at = |name| extent.parsed(name, "a whole number").map(|n| n.unwrap_or(0));
    Ok(Chunk { x: at("x")?, y: at("y")?, width, gids: gids.map_err(fail)? })
}

fn named(layer: Element<'_, '_>, message: &str) -> String {
    format!("layer \"{}\": {message}", layer.text("name"))
}

fn read_object(e: Element<'_, '_>) -> Result<Object, Error> {
    let mut kind = None;
    for shape in e.elements() {
        kind = Some(match shape.name() {
            "ellipse" => Kind::Ellipse,
            "capsule" => Kind::Capsule,
            "point" => Kind::Point,
            "polygon" => Kind::Polygon(points(shape)?),
            "polyline" => Kind::Polyline(points(shape)?),
            "text" => Kind::Text,
            _ => continue,
        });
    }
    Ok(Object {
        id: e.whole("id")?.unwrap_or(0),
        name: e.text("name").to_owned(),
        position: e.pair("x", "y")?,
        size: e.pair("width", "height")?,
        rotation: e.number("rotation")?,
        gid: e.whole("gid")?.filter(|&g| g > 0),
        kind,
        properties: read_properties(e)?,
        template: Some(e.text("template")).filter(|t| !t.is_empty()).map(str::to_owned),
    })
}

/// Reads the custom properties of an object or a layer. A text of several lines is the content of its
/// element.
fn read_properties(parent: Element<'_, '_>) -> Result<Properties, Error> {
    let mut properties = Properties::default();
    for e in parent.children("properties").flat_map(|list| list.children("property")) {
        let text = e.node.attribute("value").unwrap_or_else(|| e.node.text().unwrap_or(""));
        // The members of a class.
        let set = if e.child("properties").is_some() {
            properties.set_other(e.text("name"))
        } else {
            properties.set(e.text("name"), e.text("type"), text)
        };
        set.map_err(|m| e.error(m))?;
    }
    Ok(properties)
}

fn points(e: Element<'_, '_>) -> Result<Vec<DVec2>, Error> {
    let read = |text| point(text).ok_or_else(|| e.error(format!("\"{text}\" is no point: expected x,y")));
    e.text("points").split_ascii_whitespace().map(read).collect()
}
