//! Computes the relations of `check --relations`, with the lengths of borders and the areas of
//! intersections.
use carom::query::{OutlineRelation, PreparedOutline};
use carom::{Placed, contains, intersects, overlaps};
use rayon::prelude::*;

/// Relation of a pair that intersects.
#[derive(Clone, Copy)]
pub(super) struct Related {
    pub(super) name: &'static str,
    /// `None` if a shape has no outline of straight edges, or if no length was wanted.
    pub(super) border_length: Option<f64>,
    /// `None` if a shape has no outline of straight edges, or if no area was wanted.
    pub(super) intersection_area: Option<f64>,
}

/// Options of `--relations`.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    pub(super) lengths: bool,
    pub(super) areas: bool,
    /// Leaves out pairs that only touch.
    pub(super) overlaps: bool,
}

/// The outlines of all shapes, each prepared once.
pub(super) struct Relations<'s> {
    placed: &'s [Placed<'s>],
    /// `None` for shapes with a radius or without area.
    outlines: Vec<Option<PreparedOutline<'s>>>,
    wanted: Wanted,
}

impl<'s> Relations<'s> {
    pub(super) fn new(placed: &'s [Placed<'s>], wanted: Wanted) -> Self {
        let outlines = placed.par_iter().map(|&placed| PreparedOutline::new(placed).ok()).collect();
        Self { placed, outlines, wanted }
    }

    /// Returns the relation of two shapes; `None` if they are not reported.
    pub(super) fn of(&self, pair: [u32; 2]) -> Option<Related> {
        let [a, b] = pair.map(|i| i as usize);
        match (&self.outlines[a], &self.outlines[b]) {
            (Some(a), Some(b)) => self.of_outlines(a, b),
            _ => self.of_any(self.placed[a], self.placed[b]),
        }
    }

    fn of_outlines(&self, a: &PreparedOutline<'s>, b: &PreparedOutline<'s>) -> Option<Related> {
        let pair = a.pair(b);
        let relation = pair.relation();
        if relation == OutlineRelation::Disjoint || (relation.touches() && self.wanted.overlaps) {
            return None;
        }
        Some(Related {
            name: relation.name(),
            border_length: self.wanted.lengths.then(|| pair.border_length()),
            intersection_area: self.wanted.areas.then(|| pair.intersection_area()),
        })
    }

    /// Decides for shapes of which one has a radius or no area. They touch at points or along a border.
    fn of_any(&self, a: Placed<'s>, b: Placed<'s>) -> Option<Related> {
        let name = if overlaps(a, b) {
            match (contains(a, b), contains(b, a)) {
                (true, true) => OutlineRelation::Equals.name(),
                (true, false) => OutlineRelation::Contains.name(),
                (false, true) => OutlineRelation::Within.name(),
                (false, false) => OutlineRelation::Overlaps.name(),
            }
        } else if !self.wanted.overlaps && intersects(a, b) {
            "touches"
        } else {
            return None;
        };
        Some(Related { name, border_length: None, intersection_area: None })
    }
}
