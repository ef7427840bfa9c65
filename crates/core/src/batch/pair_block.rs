//! Pairs that are looked at together though their shapes are kept elsewhere: each brings copies of its poses.

use super::collide::{self, CollideOutput, CollideQuery, Scratch};
use super::contact_writer::ContactWriter;
use super::kind_buckets::{FallbackSet, KindBuckets, PerBucket};
use super::prefetch::{BLOCK, NextPairs};
use super::shape_interner::ShapeInterner;
use super::shape_kind::ShapeId;
use super::view::View;
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
pub(crate) struct PairBlock {
    /// Two for each pair.
    ids: [ShapeId; 2 * BLOCK],
    translations: [[f64; 2]; 2 * BLOCK],
    rotations: [[f64; 2]; 2 * BLOCK],
    rows: usize,
    groups: KindBuckets,
    scratch: Scratch,
    writer: ContactWriter,
    /// Where the manifold of each pair is, counted from 1; 0 where there is none.
    places: [u16; BLOCK],
    asked: FallbackSet,
}

impl PairBlock {
    /// How many pairs it takes.
    pub(crate) const CAPACITY: usize = BLOCK;

    pub(crate) fn new() -> Self {
        let (ids, vectors) = ([ShapeId::OTHER; 2 * BLOCK], [[0.0; 2]; 2 * BLOCK]);
        let (groups, scratch, writer) = (KindBuckets::EMPTY, Scratch::EMPTY, ContactWriter::default());
        Self {
            ids,
            translations: vectors,
            rotations: vectors,
            rows: 0,
            groups,
            scratch,
            writer,
            places: [0; BLOCK],
            asked: FallbackSet::default(),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.rows = 0;
    }

    /// Takes a pair in, if there is room; returns its row.
    #[inline(always)]
    pub(crate) fn push(&mut self, ids: [ShapeId; 2], poses: [&Pose; 2]) -> usize {
        let row = self.rows % BLOCK;
        for (k, (id, pose)) in ids.into_iter().zip(poses).enumerate() {
            let i = 2 * row + k;
            self.ids[i] = id;
            self.translations[i] = [pose.translation().x, pose.translation().y];
            self.rotations[i] = [pose.cos(), pose.sin()];
        }
        self.rows = row + 1;
        row
    }

    /// Looks at all pairs, whose ids are of these circles and outlines.
    #[inline]
    pub(crate) fn solve(&mut self, circles: &[f64], outlines: &ShapeInterner) {
        let Self { ids, translations, rotations, groups, scratch, writer, places, asked, .. } = self;
        let pairs = &PAIRS[..self.rows];
        if pairs.is_empty() || groups.sort(ids, pairs).is_err() {
            return;
        }
        writer.found.clear();
        let mut sink = writer.block(0, false);
        let view = View { circles, outlines: &outlines.outlines, ids, translations, rotations };
        let question = CollideQuery { met: CollideOutput { view, sink: &mut sink }, scratch };
        collide::run(u32::MAX, PerBucket { groups, ahead: NextPairs { view, pairs: &[] }, question });
        *asked = sink.asked;
        *places = [0; BLOCK];
        for (place, &pair) in (1..).zip(writer.found.pairs()) {
            places[pair as usize % BLOCK] = place;
        }
    }

    /// Is a pair to be asked about by itself?
    #[inline(always)]
    pub(crate) fn needs_fallback(&self, row: usize) -> bool {
        self.asked.contains(row)
    }

    /// How a pair meets.
    #[inline(always)]
    pub(crate) fn manifold(&self, row: usize) -> Option<Manifold> {
        let place = usize::from(self.places[row % BLOCK]).checked_sub(1)?;
        self.writer.found.get(place).map(|contact| contact.manifold)
    }
}
