//! Runs the narrow phase on blocks of candidates, with SIMD kernels if both shapes are simple.
//!
//! Input: up to one block of slot pairs. Output: a manifold per pair, or a mark that the pair needs
//! the scalar path. Circle pairs have a kernel of their own; pairs of circles, rectangles and small
//! polygons share another. Both return the same bits as the scalar path.
//!
//! ```text
//! for each candidate of the block
//!     if neither collider changed, and no user filter was set: mark it as unchanged
//!     else if the pair has a contact margin: mark it for the scalar path
//!     else if both are circles: add centres and radii to the columns of the circle kernel
//!     else if both have a shape id: add it to the pair block
//!     else: mark it for the scalar path
//! run both kernels
//! ```
//!
//! The simple version calls `collide` per candidate. Kinds of shapes are random, so its branches
//! are mispredicted, and circles use one SIMD lane only.

use alloc::boxed::Box;
use core::slice;

use super::collider_set::{CHANGED, ColliderSet, Flags};
use super::radix_sort::Pair;
use crate::batch::circles::{self, COLUMNS};
use crate::batch::pair_block::PairBlock;
use crate::batch::simd_columns::{F64Column, ROWS};
use crate::math::prefetch::{prefetch, prefetch_distance};
use crate::math::simd::{Simd, SimdKernel, dispatch};
use crate::query::Manifold;

/// The pair block for shapes that are not both circles, allocated at first use and then reused.
#[derive(Default)]
pub(super) struct PolygonPairs(Option<Box<PairBlock>>);

impl Clone for PolygonPairs {
    fn clone(&self) -> Self {
        Self(None)
    }
}

/// A block of candidates, and the results of the SIMD kernels.
pub(super) struct CandidateBlock<'a> {
    rows: [CandidateRow; PairBlock::CAPACITY],
    count: usize,
    polygon_pairs: &'a mut PolygonPairs,
    /// SIMD columns of the circle pairs.
    columns: [F64Column; COLUMNS],
    circles: usize,
    /// One bit per circle pair: `intersecting`, and `fallback` if the scalar path must decide.
    intersecting: u64,
    fallback: u64,
}

/// A candidate of a block.
#[derive(Clone, Copy)]
pub(super) struct CandidateRow {
    pub(super) slots: [u32; 2],
    /// The flags of both colliders, combined with "or".
    pub(super) flags: Flags,
    /// Row of its circle pair, or `FIRST_POLYGON_ROW` + row of its polygon pair, or
    /// `UNCHANGED` or `FALLBACK`.
    kind: u16,
}

/// No kernel handles the pair.
const FALLBACK: u16 = u16::MAX;
/// Neither collider changed since the last update.
const UNCHANGED: u16 = u16::MAX - 1;
/// The first value of `kind` for polygon pairs.
const FIRST_POLYGON_ROW: u16 = ROWS as u16;

impl<'a> CandidateBlock<'a> {
    pub(super) fn new(polygon_pairs: &'a mut PolygonPairs) -> Self {
        let none = CandidateRow { slots: [0; 2], flags: 0, kind: FALLBACK };
        Self {
            rows: [none; PairBlock::CAPACITY],
            count: 0,
            polygon_pairs,
            columns: [F64Column::ZERO; COLUMNS],
            circles: 0,
            intersecting: 0,
            fallback: 0,
        }
    }

    /// Replaces the candidates by the next ones, and runs the SIMD kernels. Returns false if none is
    /// left.
    #[inline(always)]
    pub(super) fn load(
        &mut self,
        columns: &ColliderSet,
        candidates: &mut slice::Iter<'_, Pair>,
        complete: bool,
        within: bool,
    ) -> bool {
        (self.count, self.circles) = (0, 0);
        if let Some(block) = &mut self.polygon_pairs.0 {
            block.clear();
        }
        let ahead = prefetch_distance(columns.slots());
        while self.count < PairBlock::CAPACITY
            && self.circles < ROWS
            && let Some(&pair) = candidates.next()
        {
            if let Some(&[_, b]) = candidates.as_slice().get(ahead) {
                // Only the second slots: the first slots increase, so the hardware prefetches them.
                columns.prefetch(b);
                prefetch(&columns.generations, b as usize);
            }
            self.add(columns, pair, complete, within);
        }
        self.solve(columns);
        self.count > 0
    }

    /// Adds a candidate. If `complete`, a pair of unchanged colliders is not computed. If `within`,
    /// a pair with a contact margin takes the scalar path: the kernels have no margin.
    #[inline(always)]
    fn add(&mut self, columns: &ColliderSet, slots: [u32; 2], complete: bool, within: bool) {
        let (i, j) = (slots[0] as usize, slots[1] as usize);
        let flags = columns.flags[i] | columns.flags[j];
        let (radius, other) = (columns.circle_radii[i], columns.circle_radii[j]);
        let kind = if complete && flags & CHANGED == 0 {
            UNCHANGED
        } else if within && columns.margins.of_pair(slots) > 0.0 {
            FALLBACK
        } else if radius.is_nan() || other.is_nan() {
            let ids = [columns.ids[i], columns.ids[j]];
            if ids[0].is_other() | ids[1].is_other() {
                FALLBACK
            } else {
                let block = self.polygon_pairs.0.get_or_insert_with(|| Box::new(PairBlock::new()));
                FIRST_POLYGON_ROW
                    + block.push(ids, [&columns.poses_and_boxes[i].pose, &columns.poses_and_boxes[j].pose]) as u16
            }
        } else {
            let (p, q) = (columns.poses_and_boxes[i].pose.translation(), columns.poses_and_boxes[j].pose.translation());
            let row = self.circles % ROWS;
            let [px, py, qx, qy, radius_p, radius_q, _] = &mut self.columns;
            (px[row], py[row], qx[row], qy[row]) = (p.x, p.y, q.x, q.y);
            (radius_p[row], radius_q[row]) = (radius, other);
            self.circles += 1;
            row as u16
        };
        self.rows[self.count % PairBlock::CAPACITY] = CandidateRow { slots, flags, kind };
        self.count += 1;
    }

    /// Runs the SIMD kernels.
    #[inline(always)]
    fn solve(&mut self, columns: &ColliderSet) {
        if self.circles > 0 {
            [self.intersecting, self.fallback] = dispatch(Solve { columns: &mut self.columns, rows: self.circles });
        }
        if let Some(block) = &mut self.polygon_pairs.0 {
            block.collide(&columns.circle_radii, &columns.interner);
        }
    }

    /// Returns all candidates, in order of insertion.
    #[inline(always)]
    pub(super) fn rows(&self) -> impl Iterator<Item = CandidateRow> {
        self.rows[..self.count].iter().copied()
    }

    /// Returns the manifold that a kernel computed; `None` if the two are apart.
    #[inline(always)]
    pub(super) fn manifold(&self, row: CandidateRow) -> Option<Manifold> {
        if row.kind < FIRST_POLYGON_ROW {
            return (self.intersecting >> row.kind & 1 != 0)
                .then(|| circles::manifold(&self.columns, usize::from(row.kind)));
        }
        self.polygon_pairs.0.as_ref()?.manifold(usize::from(row.kind - FIRST_POLYGON_ROW))
    }

    /// Returns true if the pair needs the scalar path.
    #[inline(always)]
    pub(super) fn needs_fallback(&self, row: CandidateRow) -> bool {
        if row.kind < FIRST_POLYGON_ROW {
            return self.fallback >> row.kind & 1 != 0;
        }
        row.kind == FALLBACK
            || self
                .polygon_pairs
                .0
                .as_ref()
                .is_some_and(|block| block.needs_fallback(usize::from(row.kind - FIRST_POLYGON_ROW)))
    }

    /// Returns a manifold of circles that touch up to rounding, for which only the scalar path
    /// decides exactly. `None` for other pairs and concentric circles.
    #[inline(always)]
    pub(super) fn approximate_manifold(&self, row: CandidateRow) -> Option<Manifold> {
        let manifold = (row.kind < FIRST_POLYGON_ROW).then(|| circles::manifold(&self.columns, usize::from(row.kind)));
        manifold.filter(|manifold| (manifold.normal.length_squared() - 1.0).abs() < 1e-9)
    }
}

impl CandidateRow {
    /// Returns true if neither collider changed since the last update.
    #[inline(always)]
    pub(super) fn is_unchanged(self) -> bool {
        self.kind == UNCHANGED
    }
}

struct Solve<'a> {
    columns: &'a mut [F64Column; COLUMNS],
    rows: usize,
}

impl SimdKernel for Solve<'_> {
    type Output = [u64; 2];

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> [u64; 2] {
        circles::collide_rows(simd, self.columns, self.rows)
    }
}
