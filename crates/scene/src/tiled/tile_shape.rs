//! The shapes that an object, a cell or a tile is made of.
use super::object_shape::{ObjectShape, TileTransform, UnplacedShape};
use carom::Pose;

/// A shape of an object or a cell, with its number where there are several.
pub(super) struct ColliderShape {
    pub(super) number: Option<usize>,
    pub(super) part: UnplacedShape,
}

/// A collision shape of a tile, in the tile's pixels.
pub(super) struct TileShape {
    /// Its number within the tile, from 1, where the tile has several.
    pub(super) number: Option<usize>,
    pub(super) outline: ObjectShape,
    pub(super) turn: Pose,
}

impl TileShape {
    /// The shape as the tile is drawn.
    pub(super) fn piece(&self, frame: &TileTransform) -> Result<ColliderShape, String> {
        let part = self.outline.clone().drawn(self.turn, frame)?.part().map_err(reason)?;
        Ok(ColliderShape { number: self.number, part })
    }
}

/// The whole rectangle of a tile.
pub(super) fn whole(frame: &TileTransform) -> Result<Vec<ColliderShape>, String> {
    Ok(vec![ColliderShape { number: None, part: frame.outline().part().map_err(reason)? }])
}

#[expect(clippy::needless_pass_by_value, reason = "an adapter for map_err")]
pub(super) fn reason(error: carom::Error) -> String {
    error.to_string()
}
