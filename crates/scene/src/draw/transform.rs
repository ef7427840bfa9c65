//! Maps scene coordinates to page coordinates.
//!
//! The map scales uniformly, centres, and mirrors y if +y of the scene points up. All drawings use
//! it, so strokes and letters have page sizes.

use carom::{Aabb, DVec2};

/// Maps a box of the scene into a box of the page, centred and as large as possible.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    /// Page units per scene unit.
    scale: f64,
    /// Scene point at `middle`.
    centre: DVec2,
    middle: DVec2,
    /// True if +y of the scene points up. +y of the page points down.
    up: bool,
}

impl View {
    /// `left_top`: position on the page. `available`: available size. The second result is the used height.
    pub(super) fn fit(bounds: &Aabb, up: bool, left_top: DVec2, available: DVec2, least_height: f64) -> (Self, f64) {
        let size = bounds.size();
        // A scene with a single point has a scale too, and the scale of a tiny scene stays finite.
        let scale = (available.x / size.x.max(1e-290)).min(available.y / size.y.max(1e-290));
        let scale = if size == DVec2::ZERO { 1.0 } else { scale };
        let height = (size.y * scale).max(least_height);
        let middle = left_top + DVec2::new(available.x, height) * 0.5;
        (Self { scale, centre: bounds.center(), middle, up }, height)
    }

    pub(super) fn length(&self, length: f64) -> f64 {
        length * self.scale
    }

    pub(super) fn point(&self, p: DVec2) -> DVec2 {
        self.middle + self.direction((p - self.centre) * self.scale)
    }

    /// Maps a direction, or a difference of positions that is already scaled.
    pub(super) fn direction(&self, d: DVec2) -> DVec2 {
        if self.up { DVec2::new(d.x, -d.y) } else { d }
    }

    /// Returns page units per scene unit.
    pub(super) fn scale(&self) -> f64 {
        self.scale
    }
}
