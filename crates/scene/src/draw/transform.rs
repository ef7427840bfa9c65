//! From the scene's numbers to places on the page.
use carom::{Aabb, DVec2};

/// Maps a box of the scene into a box of the page, as large as fits, centred.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    /// Page units per scene unit.
    scale: f64,
    /// The scene's point that lies at `middle`.
    centre: DVec2,
    middle: DVec2,
    /// Whether the scene's +y points up: the page's points down.
    up: bool,
}

impl View {
    /// `top`: where on the page; `room`: how much of it there is. The second value is the height that it takes.
    pub(super) fn fit(bounds: &Aabb, up: bool, left_top: DVec2, room: DVec2, least_height: f64) -> (Self, f64) {
        let size = bounds.size();
        // A scene that is one point still has a scale, and the scale of a tiny one stays finite.
        let scale = (room.x / size.x.max(1e-290)).min(room.y / size.y.max(1e-290));
        let scale = if size == DVec2::ZERO { 1.0 } else { scale };
        let height = (size.y * scale).max(least_height);
        let middle = left_top + DVec2::new(room.x, height) * 0.5;
        (Self { scale, centre: bounds.center(), middle, up }, height)
    }

    pub(super) fn length(&self, length: f64) -> f64 {
        length * self.scale
    }

    pub(super) fn point(&self, p: DVec2) -> DVec2 {
        self.middle + self.direction((p - self.centre) * self.scale)
    }

    /// A direction, or a difference of places that is scaled already.
    pub(super) fn direction(&self, d: DVec2) -> DVec2 {
        if self.up { DVec2::new(d.x, -d.y) } else { d }
    }

    /// How many page units there are to a scene unit.
    pub(super) fn scale(&self) -> f64 {
        self.scale
    }
}
