//! A search for pairs in several parts at once, whose pairs come out in the order of the parts.

use alloc::vec::Vec;

use crate::math::cores;

/// What the parts found, kept for the next time; the first one writes where the pairs are wanted.
#[derive(Clone, Debug, Default)]
pub(super) struct Pieces(Vec<Vec<[u32; 2]>>);

impl Pieces {
    /// Appends to `out` what `run` finds for each part, as if they were run one after the other.
    pub(super) fn gather<P: Send>(&mut self, parts: Vec<P>, out: &mut Vec<[u32; 2]>, run: impl Fn(P, &mut Vec<[u32; 2]>) + Sync + Send) {
        let others = parts.len().saturating_sub(1);
        if self.0.len() < others {
            self.0.resize_with(others, Vec::new);
        }
        let pieces = &mut self.0[..others];
        pieces.iter_mut().for_each(Vec::clear);
        let lists = core::iter::once(&mut *out).chain(&mut *pieces);
        cores::each(parts.into_iter().zip(lists).collect(), |(part, list)| run(part, list));
        for piece in pieces {
            cores::append(out, piece);
        }
    }
}
