//! Defines the shapes of objects, cells and tiles.
//!
//! A [`TileShape`] has pixels of its tile. [`TileShape::piece`] draws it with the tile, flipped,
//! scaled and turned, which gives a [`ColliderShape`]. Cells with the same tile number share it.

use super::object_shape::{ObjectShape, TileTransform, UnplacedShape};
use super::properties::{Front, Properties};
use crate::repair;
use carom::world::OneWay;
use carom::{DVec2, Pose};

/// Shape of an object or a cell, with a number if there are several.
pub(super) struct ColliderShape {
    pub(super) number: Option<usize>,
    pub(super) part: UnplacedShape,
    /// Those of the collision shape of a tile.
    pub(super) properties: Properties,
}

/// Collision shape of a tile, in pixels of the tile.
pub(super) struct TileShape {
    /// Number in the tile, from 1. `None` if the tile has one shape.
    pub(super) number: Option<usize>,
    pub(super) outline: ObjectShape,
    pub(super) turn: Pose,
    pub(super) properties: Properties,
}

impl TileShape {
    /// Returns the shape of the drawn tile.
    pub(super) fn piece(&self, frame: &TileTransform) -> Result<ColliderShape, String> {
        let part = self.outline.clone().drawn(self.turn, frame)?.part().map_err(reason)?;
        let mut properties = self.properties.clone();
        if let Some(Front::One(one_way)) = &mut properties.front {
            let front = self.turn.rotate_vector(one_way.front());
            *one_way = OneWay::new(frame.direction(front)).map_err(reason)?;
        }
        Ok(ColliderShape { number: self.number, part, properties })
    }
}

/// Returns the rectangle of a tile.
pub(super) fn whole(frame: &TileTransform) -> Result<Vec<ColliderShape>, String> {
    let part = frame.outline().part().map_err(reason)?;
    Ok(vec![ColliderShape { number: None, part, properties: Properties::default() }])
}

/// Returns the diamond or hexagon of a cell.
pub(super) fn outline_of_cell(outline: Vec<DVec2>) -> Result<Vec<ColliderShape>, String> {
    let part = ObjectShape::Polygon(outline).part().map_err(reason)?;
    Ok(vec![ColliderShape { number: None, part, properties: Properties::default() }])
}

#[expect(clippy::needless_pass_by_value, reason = "an adapter for map_err")]
pub(super) fn reason(error: carom::Error) -> String {
    repair::message(&error)
}
