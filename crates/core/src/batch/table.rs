//! Pairs that are looked at together though their shapes are kept elsewhere: each brings copies of its poses.

use alloc::vec::Vec;

use super::contacts::Writer;
use super::groups::{Asked, BLOCK, Block, ByClass, Groups};
use super::how::{How, Met, Scratch};
use super::kind::ShapeId;
use super::outlines::Outlines;
use super::view::View;
use crate::math::lanes::widest;
use crate::math::pose::Pose;
use crate::query::Manifold;

/// The numbers of the shapes of each pair.
const PAIRS: [[u32; 2]; BLOCK] = {
    let (mut pairs, mut i) = ([[0; 2]; BLOCK], 0);
    while i < BLOCK {
        pairs[i] = [2 * i as u32, 2 * i as u32 + 1];
        i += 1;
    }
    pairs
};

/// Some pairs, and how they meet.
pub(crate) struct Table {
    /// Two for each pair.
    ids: Vec<ShapeId>,
    translations: Vec<[f64; 2]>,
    rotations: Vec<[f64; 2]>,
    groups: Groups,
    scratch: Scratch,
    writer: Writer,
    asked: Asked,
}

impl Table {
    /// How many pairs it takes.
    pub(crate) const ROOM: usize = BLOCK;

    pub(crate) fn new() -> Self {
        let (ids, translations, rotations) = (Vec::with_capacity(2 * BLOCK), Vec::with_capacity(2 * BLOCK), Vec::with_capacity(2 * BLOCK));
        Self {
            ids,
            translations,
            rotations,
            groups: Groups::EMPTY,
            scratch: Scratch::EMPTY,
            writer: Writer::default(),
            asked: Asked::default(),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.ids.clear();
        self.translations.clear();
        self.rotations.clear();
    }

    /// Takes a pair in; returns its row.
    #[inline(always)]
    pub(crate) fn push(&mut self, ids: [ShapeId; 2], poses: [&Pose; 2]) -> usize {
        let row = self.ids.len() / 2;
        self.ids.extend_from_slice(&ids);
        self.translations.extend_from_slice(&poses.map(|pose| pose.translation().to_array()));
        self.rotations.extend_from_slice(&poses.map(|pose| [pose.cos(), pose.sin()]));
        row
    }

    /// Looks at all pairs, whose ids are of these circles and outlines.
    #[inline]
    pub(crate) fn solve(&mut self, circles: &[f64], outlines: &Outlines) {
        let Self { ids, translations, rotations, groups, scratch, writer, asked } = self;
        let pairs = &PAIRS[..(ids.len() / 2).min(BLOCK)];
        if pairs.is_empty() || groups.sort(ids, pairs).is_err() {
            return;
        }
        let mut sink = writer.block(0, false);
        let block = Block { view: View { circles, outlines, ids, translations, rotations }, groups, pairs };
        widest(ByClass { groups, question: How { met: Met { block, sink: &mut sink }, scratch } });
        *asked = sink.asked;
    }

    /// Is a pair to be asked about by itself?
    #[inline(always)]
    pub(crate) fn is_to_be_asked(&self, row: usize) -> bool {
        self.asked.contains(row)
    }

    /// How a pair meets.
    #[inline(always)]
    pub(crate) fn manifold(&self, row: usize) -> Option<&Manifold> {
        self.writer.found(row)
    }
}
