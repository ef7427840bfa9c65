//! Tiled maps, XML and JSON, as Tiled draws them.
//!
//! - **Objects** become one collider each: rectangles, ellipses (a circle where width and height are equal, else a
//!   polygon that deviates by at most 1/1000 of the larger radius, before a tile stretches it), capsules, points (circles of radius 0),
//!   polygons, convex or not, and polylines (chains). What has no width and no height is a point, what has only one of
//!   them a segment. Texts and image layers cover nothing.
//! - **Tile objects** are the collision shapes of their tile, flipped and stretched with it, or its whole rectangle
//!   where the tile has none.
//! - **Tile layers** give the collision shapes of their tiles; those named by [`Options::solid`] instead give every
//!   tile's whole rectangle.
//! - **Place**: rotation is about Tiled's own origin, in degrees, positive +x toward +y (y points down). Offsets of
//!   layers and groups add up. Visibility, opacity, parallax and draw order concern pictures only: a hidden
//!   collision layer still collides.
//! - **Ids**: an object's is its number, else its name, else `#index`; a cell is `layer[column,row]`. Where a tile
//!   has several collision shapes, `.1`, `.2` … follow. Repeats get `#2`, `#3` ….
//! - **Layers** become layers by name (an unnamed one is `#` and its number in the file), in order of their first
//!   collider. The tiles of one layer are one group, and so are the shapes of one tile object.
//!
//! Only orthogonal maps, of fixed or infinite size. A map may hold 2²⁴ cells, 2²⁰ colliders out of tile layers, and
//! group layers 100 deep. Tiles and templates may repeat 2²⁶ bytes of points and names. Unknown elements and keys are ignored, as Tiled asks of its readers.
mod builder;
mod encoding;
mod json;
mod loader;
mod model;
mod object_shape;
mod objects;
mod repeats;
mod tile_shape;
mod tiles;
mod xml;

use crate::{Error, Options, Scene};
use std::io;

/// Reads a map in Tiled's XML. `load` fetches tilesets and templates by their path relative to the map.
pub(crate) fn read_tmx(
    name: &str,
    text: &str,
    options: &Options,
    load: &mut dyn FnMut(&str) -> io::Result<Vec<u8>>,
) -> Result<Scene, Error> {
    objects::scene(name, xml::map(name, text)?, loader::Loader::new(name, load), options)
}

/// Reads a map in Tiled's JSON. `load` fetches tilesets and templates by their path relative to the map.
pub(crate) fn read_tmj(
    name: &str,
    text: &str,
    options: &Options,
    load: &mut dyn FnMut(&str) -> io::Result<Vec<u8>>,
) -> Result<Scene, Error> {
    objects::scene(name, json::map(name, text)?, loader::Loader::new(name, load), options)
}
