//! Candidates that are looked at together: pairs of circles many at a time, bit for bit as one by one.

use super::columns::{CHANGED, Columns, Flags};
use crate::batch::circles::{self, COLUMNS};
use crate::batch::columns::{Column, ROWS};
use crate::math::lanes::{Kernel, Simd, widest};
use crate::query::Manifold;

/// Candidates, and how those meet that are circles.
pub(super) struct Block {
    rows: [Row; ROWS],
    count: usize,
    /// Of the circles, in the order of their rows.
    columns: [Column; COLUMNS],
    circles: usize,
    /// Bits of the circles that meet, and of those that are to be asked by themselves.
    meets: u64,
    rare: u64,
}

/// A candidate.
#[derive(Clone, Copy)]
pub(super) struct Row {
    pub(super) slots: [u32; 2],
    /// What either of the two is.
    pub(super) flags: Flags,
    /// Its place among the circles, or what it is instead.
    kind: u8,
}

/// No circles.
const ASKED: u8 = u8::MAX;
/// Neither of the two has changed.
const AS_IT_WAS: u8 = u8::MAX - 1;

impl Block {
    /// How many candidates it takes.
    pub(super) const ROOM: usize = ROWS;

    pub(super) fn new() -> Self {
        let none = Row { slots: [0; 2], flags: 0, kind: ASKED };
        Self { rows: [none; ROWS], count: 0, columns: [Column::ZERO; COLUMNS], circles: 0, meets: 0, rare: 0 }
    }

    pub(super) fn clear(&mut self) {
        (self.count, self.circles) = (0, 0);
    }

    /// Adds a candidate; of a `complete` frame those that have not changed are as they were.
    #[inline(always)]
    pub(super) fn add(&mut self, columns: &Columns, slots: [u32; 2], complete: bool) {
        let (i, j) = (slots[0] as usize, slots[1] as usize);
        let flags = columns.flags[i] | columns.flags[j];
        let (round, other) = (columns.rounds[i], columns.rounds[j]);
        let kind = if complete && flags & CHANGED == 0 {
            AS_IT_WAS
        } else if round.is_nan() || other.is_nan() {
            ASKED
        } else {
            let (p, q) = (columns.spots[i].pose.translation(), columns.spots[j].pose.translation());
            let row = self.circles % ROWS;
            let [px, py, qx, qy, radius_p, radius_q, _] = &mut self.columns;
            (px[row], py[row], qx[row], qy[row]) = (p.x, p.y, q.x, q.y);
            (radius_p[row], radius_q[row]) = (round, other);
            self.circles += 1;
            row as u8
        };
        self.rows[self.count % ROWS] = Row { slots, flags, kind };
        self.count += 1;
    }

    /// Looks at the circles.
    #[inline(always)]
    pub(super) fn solve(&mut self) {
        if self.circles > 0 {
            [self.meets, self.rare] = widest(Solve { columns: &mut self.columns, rows: self.circles });
        }
    }

    /// All candidates.
    #[inline(always)]
    pub(super) fn rows(&self) -> impl Iterator<Item = Row> {
        self.rows[..self.count].iter().copied()
    }

    /// How the circles of a row meet.
    #[inline(always)]
    pub(super) fn manifold(&self, row: Row) -> Manifold {
        circles::manifold(&self.columns, usize::from(row.kind))
    }
}

impl Row {
    /// Has neither of the two changed?
    #[inline(always)]
    pub(super) fn is_as_it_was(self) -> bool {
        self.kind == AS_IT_WAS
    }

    /// Must the two be asked by themselves?
    #[inline(always)]
    pub(super) fn is_to_be_asked(self, block: &Block) -> bool {
        self.kind == ASKED || block.rare >> (self.kind % 64) & 1 != 0
    }

    /// Do the circles meet?
    #[inline(always)]
    pub(super) fn meets(self, block: &Block) -> bool {
        block.meets >> (self.kind % 64) & 1 != 0
    }
}

struct Solve<'a> {
    columns: &'a mut [Column; COLUMNS],
    rows: usize,
}

impl Kernel for Solve<'_> {
    type Output = [u64; 2];

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> [u64; 2] {
        circles::meet(simd, self.columns, self.rows)
    }
}
