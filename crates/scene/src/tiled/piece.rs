//! The shapes that an object, a cell or a tile is made of.
use super::place::{Outline, Part, TileFrame};
use carom::Pose;

/// A shape of an object or a cell, with its number where there are several.
pub(super) struct Piece {
    pub(super) number: Option<usize>,
    pub(super) part: Part,
}

/// A collision shape of a tile, in the tile's pixels.
pub(super) struct TileShape {
    /// Its number within the tile, from 1, where the tile has several.
    pub(super) number: Option<usize>,
    pub(super) outline: Outline,
    pub(super) turn: Pose,
}

impl TileShape {
    /// The shape as the tile is drawn.
    pub(super) fn piece(&self, frame: &TileFrame) -> Result<Piece, String> {
        let part = self.outline.clone().drawn(self.turn, frame)?.part().map_err(reason)?;
        Ok(Piece { number: self.number, part })
    }
}

/// The whole rectangle of a tile.
pub(super) fn whole(frame: &TileFrame) -> Result<Vec<Piece>, String> {
    Ok(vec![Piece { number: None, part: frame.outline().part().map_err(reason)? }])
}

#[expect(clippy::needless_pass_by_value, reason = "an adapter for map_err")]
pub(super) fn reason(error: carom::Error) -> String {
    error.to_string()
}
