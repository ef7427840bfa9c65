//! Defines the shapes of objects, cells and tiles.
use super::object_shape::{ObjectShape, TileTransform, UnplacedShape};
use carom::Pose;

/// Shape of an object or a cell, with a number if there are several.
pub(super) struct ColliderShape {
    pub(super) number: Option<usize>,
    pub(super) part: UnplacedShape,
}

/// Collision shape of a tile, in pixels of the tile.
pub(super) struct TileShape {
    /// Number in the tile, from 1. `None` if the tile has one shape.
    pub(super) number: Option<usize>,
    pub(super) outline: ObjectShape,
    pub(super) turn: Pose,
}

impl TileShape {
    /// Returns the shape of the drawn tile.
    pub(super) fn piece(&self, frame: &TileTransform) -> Result<ColliderShape, String> {
        let part = self.outline.clone().drawn(self.turn, frame)?.part().map_err(reason)?;
        Ok(ColliderShape { number: self.number, part })
    }
}

/// Returns the rectangle of a tile.
pub(super) fn whole(frame: &TileTransform) -> Result<Vec<ColliderShape>, String> {
    Ok(vec![ColliderShape { number: None, part: frame.outline().part().map_err(reason)? }])
}

#[expect(clippy::needless_pass_by_value, reason = "an adapter for map_err")]
pub(super) fn reason(error: carom::Error) -> String {
    error.to_string()
}
