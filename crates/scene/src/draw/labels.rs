//! Finds free positions for labels.
//!
//! Input: candidates in order of preference. Output: the first one whose text fits the page and
//! covers no other label or mark. A greedy choice suffices: a label without a free position is
//! omitted. The width of a text is estimated, because fonts are not read.

use carom::DVec2;

use super::page;

/// Box on the page.
#[derive(Clone, Copy, Debug)]
pub(super) struct Area {
    pub(super) min: DVec2,
    pub(super) max: DVec2,
}

impl Area {
    pub(super) fn around(centre: DVec2, size: DVec2) -> Self {
        Self { min: centre - size * 0.5, max: centre + size * 0.5 }
    }

    pub(super) fn size(&self) -> DVec2 {
        self.max - self.min
    }

    pub(super) fn centre(&self) -> DVec2 {
        (self.min + self.max) * 0.5
    }

    pub(super) fn intersects(&self, other: &Self) -> bool {
        self.min.cmplt(other.max).all() && other.min.cmplt(self.max).all()
    }

    fn within(&self, other: &Self) -> bool {
        self.min.cmpge(other.min).all() && self.max.cmple(other.max).all()
    }
}

/// Boxes that are in use.
pub(super) struct Labels {
    bounds: Area,
    taken: Vec<Area>,
}

impl Labels {
    pub(super) fn new(bounds: Area) -> Self {
        Self { bounds, taken: Vec::new() }
    }

    /// Reserves a box.
    pub(super) fn block(&mut self, area: Area) {
        self.taken.push(area);
    }

    /// Returns the first of the centres at which the text is free, and reserves it.
    pub(super) fn place(&mut self, text: &str, size: f64, centres: impl IntoIterator<Item = DVec2>) -> Option<DVec2> {
        let needs = DVec2::new(page::width(text, size) + 4.0, size + 2.0);
        let area = centres
            .into_iter()
            .map(|centre| Area::around(centre, needs))
            .find(|area| area.within(&self.bounds) && !self.taken.iter().any(|taken| taken.intersects(area)))?;
        self.taken.push(area);
        Some(area.centre())
    }
}
