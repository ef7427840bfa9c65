//! Computes a block of pairs whose shapes are stored elsewhere: each pair has its own copies of its
//! poses.
//!
//! Input: shape ids and poses, pair by pair. Output: a manifold per pair, or a mark that the scalar
//! path must compute it. The kernels are those of [`Batch::collide`](super::Batch::collide).
//!
//! A world could mirror its colliders in a `Batch`, but would have to write each pose twice. It
//! visits candidates in order anyway, so two poses are copied per pair, into a block that stays in
//! the cache.
//!
//! ```text
//! push:     copy the ids and poses of both shapes to rows 2i and 2i + 1
//! collide:  run the kernels of `collide.rs` on the pairs [2i, 2i + 1]
//!           for each manifold: store its index at its pair
//! manifold: look up the index of the pair; none if the shapes are apart
//! ```

use super::collide::{self, CollideKernel, CollideScratch};
use super::contact_columns::ContactColumns;
use super::contact_writer::BlockWriter;
use super::kind_buckets::{FallbackSet, KindBuckets};
use super::pair_kernel::{KernelScratch, PerBucket};
use super::prefetch::{BLOCK, NextPairs};
use super::shape_interner::ShapeInterner;
use super::shape_kind::ShapeId;
use super::view::View;
use crate::math::pose::Pose;
use crate::query::Manifold;

/// The shape indices of each pair: 2i and 2i + 1 for pair i.
const PAIRS: [[u32; 2]; BLOCK] = {
    let (mut pairs, mut i) = ([[0; 2]; BLOCK], 0);
    while i < BLOCK {
        pairs[i] = [2 * i as u32, 2 * i as u32 + 1];
        i += 1;
    }
    pairs
};

/// Up to [`CAPACITY`](Self::CAPACITY) pairs, and their manifolds.
pub(crate) struct PairBlock {
    /// Two for each pair.
    ids: [ShapeId; 2 * BLOCK],
    /// The translation of each shape.
    translations: [[f64; 2]; 2 * BLOCK],
    /// Cosine and sine of each shape.
    rotations: [[f64; 2]; 2 * BLOCK],
    /// Number of pairs.
    rows: usize,
    /// The pairs sorted by class.
    groups: KindBuckets,
    /// Columns of the kernels.
    scratch: KernelScratch,
    own_scratch: CollideScratch,
    /// The manifolds of the last [`collide`](Self::collide).
    contacts: ContactColumns,
    /// The index of each pair's manifold plus 1, or 0 if there is none.
    manifold_indices: [u16; BLOCK],
    /// The pairs that must be computed by the scalar path.
    fallback: FallbackSet,
}

impl PairBlock {
    /// Maximum number of pairs.
    pub(crate) const CAPACITY: usize = BLOCK;

    /// Returns an empty block.
    pub(crate) fn new() -> Self {
        let (ids, vectors) = ([ShapeId::OTHER; 2 * BLOCK], [[0.0; 2]; 2 * BLOCK]);
        Self {
            ids,
            translations: vectors,
            rotations: vectors,
            rows: 0,
            groups: KindBuckets::EMPTY,
            scratch: KernelScratch::EMPTY,
            own_scratch: CollideScratch::EMPTY,
            contacts: ContactColumns::default(),
            manifold_indices: [0; BLOCK],
            fallback: FallbackSet::default(),
        }
    }

    /// Removes all pairs.
    pub(crate) fn clear(&mut self) {
        self.rows = 0;
    }

    /// Adds a pair and returns its row. The block must not be full.
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

    /// Computes all pairs. Their shape ids refer to the given circles and polygons.
    ///
    /// On AVX2 at most: AVX-512 saves less than 10 % of an update, and adds 41 KB to a program with a world.
    #[inline]
    pub(crate) fn collide(&mut self, circles: &[f64], polygons: &ShapeInterner) {
        let Self { ids, translations, rotations, groups, scratch, own_scratch, contacts, .. } = self;
        let pairs = &PAIRS[..self.rows];
        if pairs.is_empty() || groups.sort(ids, pairs).is_err() {
            return;
        }
        contacts.clear();
        let mut sink = BlockWriter::new(contacts, 0, false);
        let view = View { circles, polygons: &polygons.polygons, ids, translations, rotations };
        let kernel = CollideKernel { view, writer: &mut sink, scratch: own_scratch };
        collide::run_up_to_avx2(256, PerBucket { groups, ahead: NextPairs { view, pairs: &[] }, scratch, kernel });
        self.fallback = sink.fallback;
        self.manifold_indices = [0; BLOCK];
        // Index the manifolds by pair.
        for (index, &pair) in (1..).zip(contacts.pairs()) {
            self.manifold_indices[pair as usize % BLOCK] = index;
        }
    }

    /// Returns true if the pair must be computed by the scalar path.
    #[inline(always)]
    pub(crate) fn needs_fallback(&self, row: usize) -> bool {
        self.fallback.contains(row)
    }

    /// Returns the manifold of a pair, or `None` if there is none.
    #[inline(always)]
    pub(crate) fn manifold(&self, row: usize) -> Option<Manifold> {
        let index = usize::from(self.manifold_indices[row % BLOCK]).checked_sub(1)?;
        self.contacts.get(index).map(|contact| contact.manifold)
    }
}
