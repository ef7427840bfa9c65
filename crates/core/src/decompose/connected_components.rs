//! Labels the connected components of a mask from runs: maximal sequences of solid pixels in a row.
//!
//! Input: a mask, and a rule for pixels that share only a corner. Output: the component of each
//! solid pixel. Runs in neighbouring rows are joined by union-find. A flood fill would take a step
//! and a label per pixel; runs are found from words of 64 pixels.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use crate::math::mask::Mask;

/// The connected component of each solid pixel.
///
/// Runs in neighbouring rows are joined by union-find if they share an edge. The root of a
/// component is its first run. The work is one step per run instead of one per pixel.
pub(super) struct ConnectedComponents<'a> {
    mask: &'a Mask,
    /// Number of runs that begin before each word, in the layout of the mask's words. So the run of
    /// a pixel is found by counting bits.
    runs_before: Vec<u32>,
    runs: Vec<Run>,
}

/// The pixels `start <= x < end` of a row.
struct Run {
    start: u32,
    end: u32,
    /// Index of a run of the same component that is not later; the index of the run itself for a
    /// root.
    parent: u32,
}

impl<'a> ConnectedComponents<'a> {
    /// Labels the components. `joined` is called for corners where two solid pixels are diagonal
    /// neighbours and the other two pixels are empty. It returns whether these are connected.
    pub(super) fn new(mask: &'a Mask, joined: impl Fn([u32; 2]) -> bool) -> Self {
        let words = mask.stripes() * mask.height() as usize;
        let mut pieces = Self { mask, runs_before: vec![0; words], runs: Vec::new() };
        let mut last = 0;
        for y in 0..mask.height() {
            let first = pieces.runs.len();
            pieces.add_row(y);
            pieces.join_rows(y, last..first, &joined);
            last = first;
        }
        for i in 0..pieces.runs.len() {
            pieces.runs[i].parent = pieces.root(i) as u32;
        }
        pieces
    }

    /// Returns an upper bound (exclusive) of the values that [`component_of`](Self::component_of)
    /// returns.
    pub(super) fn len(&self) -> usize {
        self.runs.len()
    }

    /// Returns the component of a solid pixel: the index of its root run.
    pub(super) fn component_of(&self, [x, y]: [u32; 2]) -> usize {
        let (stripe, y) = ((x / u64::BITS) as usize, y as usize);
        let word = self.mask.stripe(stripe)[y];
        let carried = stripe > 0 && self.mask.stripe(stripe - 1)[y] >> (u64::BITS - 1) == 1;
        let begins = word & !(word << 1 | u64::from(carried));
        let up_to = begins << (u64::BITS - 1 - x % u64::BITS);
        let run = self.runs_before[stripe * self.mask.height() as usize + y] + up_to.count_ones() - 1;
        self.runs[run as usize].parent as usize
    }

    fn add_row(&mut self, y: u32) {
        // Visits the bits at which solid begins or ends. `solid` is the last bit of the previous
        // word.
        let (mut solid, mut start) = (false, 0);
        for k in 0..self.mask.stripes() {
            self.runs_before[k * self.mask.height() as usize + y as usize] = self.runs.len() as u32 + u32::from(solid);
            let word = self.mask.stripe(k)[y as usize];
            let mut changes = word ^ (word << 1 | u64::from(solid));
            while changes != 0 {
                let x = k as u32 * u64::BITS + changes.trailing_zeros();
                if solid {
                    self.add_run(start, x);
                }
                (solid, start) = (!solid, x);
                changes &= changes - 1;
            }
        }
        if solid {
            self.add_run(start, self.mask.width());
        }
    }

    fn add_run(&mut self, start: u32, end: u32) {
        let parent = self.runs.len() as u32;
        self.runs.push(Run { start, end, parent });
    }

    /// Joins the runs of row `y` with those of the row before.
    fn join_rows(&mut self, y: u32, before: Range<usize>, joined: impl Fn([u32; 2]) -> bool) {
        let (first, end) = (before.end, self.runs.len());
        let (mut i, mut j) = (before.start, first);
        while i < first && j < end {
            let (below, above) = (&self.runs[i], &self.runs[j]);
            let (low, high) = (below.start.max(above.start), below.end.min(above.end));
            let ends_first = below.end < above.end;
            if low < high || low == high && joined([low, y]) {
                self.join(i, j);
            }
            if ends_first { i += 1 } else { j += 1 }
        }
    }

    fn join(&mut self, i: usize, j: usize) {
        let (p, q) = (self.root(i), self.root(j));
        self.runs[p.max(q)].parent = p.min(q) as u32;
    }

    fn root(&mut self, mut i: usize) -> usize {
        while self.runs[i].parent as usize != i {
            // Path halving: makes later searches shorter.
            let parent = self.runs[i].parent as usize;
            self.runs[i].parent = self.runs[parent].parent;
            i = parent;
        }
        i
    }
}
