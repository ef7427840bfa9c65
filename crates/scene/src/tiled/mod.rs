//! Reads Tiled maps in XML and JSON, and places their shapes as Tiled draws them.
//!
//! - **Objects** become one collider each: rectangles, ellipses, capsules, points (circles of radius
//!   0), polygons and polylines (chains). An ellipse becomes a circle if width and height are equal.
//!   Other ellipses become polygons with a deviation of at most 1/1000 of the larger radius, before a
//!   tile scales it. An object without width and height is a point, one with only one of them a
//!   segment. Texts and image layers have no shape.
//! - **Tile objects** become the collision shapes of their tile, flipped and scaled with it. If the tile
//!   has none, they become its rectangle.
//! - **Tile layers** become the collision shapes of their tiles. In layers named by [`Options::solid`],
//!   every tile becomes its rectangle. In isometric, staggered and hexagonal maps it becomes the
//!   diamond or hexagon of its cell.
//! - **Isometric maps**: objects are drawn along the axes of the cells. So rectangles become diamonds,
//!   and circles ellipses. Tile objects are drawn upright.
//! - **Pose**: objects rotate about Tiled's own origin, in degrees, from +x towards +y (y points down).
//!   Offsets of layers and groups add up. Visibility, opacity, parallax and draw order are ignored, so
//!   a hidden collision layer has colliders.
//! - **Ids**: the name of an object, else its number, else `#index`. The id of a cell is
//!   `layer[column,row]`. If a tile has several collision shapes, `.1`, `.2` … follow. Repeated ids get
//!   `#2`, `#3` ….
//! - **Layers** become layers by name, in the order of their first collider. A layer without a name is
//!   `#` and its number in the file. The tiles of one layer are one group, and so are the shapes of one
//!   tile object.
//! - **Properties** of objects and layers: see `properties`. Those of a layer count for its objects and
//!   tiles, those of a group for its layers.
//!
//! Maps are orthogonal, isometric, staggered or hexagonal, of fixed or infinite size (`grid`). Limits: 2²⁴
//! cells, 2²⁰ colliders from tile layers, group layers 100 deep, and 2²⁶ bytes of points and names that
//! tiles and templates repeat. Unknown elements and keys are named in a warning, as Tiled allows.
//! `coverage_xml` and `coverage_json` list the known ones.
mod builder;
mod coverage_json;
mod coverage_xml;
mod encoding;
mod grid;
mod json;
mod json_properties;
mod loader;
mod model;
mod notes;
mod object_shape;
mod objects;
mod paths;
mod properties;
mod repeats;
mod tile_shape;
mod tiles;
mod xml;

use crate::unread::Unread;
use crate::{Error, Options, Scene};
use std::io;

pub(crate) use coverage_json::COVERAGE as JSON_COVERAGE;
pub(crate) use coverage_xml::COVERAGE as XML_COVERAGE;

/// Reads a map in Tiled's XML. `load` reads tilesets and templates by their path relative to the
/// map.
pub(crate) fn read_tmx(
    name: &str,
    text: &str,
    options: &Options,
    load: &mut dyn FnMut(&str) -> io::Result<Vec<u8>>,
) -> Result<Scene, Error> {
    let mut unread = Unread::default();
    let map = xml::map(name, text, &mut unread)?;
    objects::scene(name, map, loader::Loader::new(name, load, unread), options)
}

/// Reads a map in Tiled's JSON. `load` reads tilesets and templates by their path relative to the
/// map.
pub(crate) fn read_tmj(
    name: &str,
    text: &str,
    options: &Options,
    load: &mut dyn FnMut(&str) -> io::Result<Vec<u8>>,
) -> Result<Scene, Error> {
    let mut unread = Unread::default();
    let map = json::map(name, text, &mut unread)?;
    objects::scene(name, map, loader::Loader::new(name, load, unread), options)
}
