//! All boxes moved at once: they are written down, and those that leave their strips are noted.

use alloc::vec::Vec;

use super::cut::Cut;
use super::search::Worker;
use super::{ABSENT, span, turned};
use crate::broad::Box32;
use crate::math::cores;

/// Boxes in the order of their ids.
pub(super) struct Moves<'a> {
    /// Where they are now.
    pub(super) to: &'a [Box32],
    pub(super) boxes: &'a mut [[f32; 4]],
    pub(super) class_of: &'a [u32],
    pub(super) listed: &'a [[u16; 2]],
}

/// How they are written down.
#[derive(Clone, Copy)]
pub(super) struct Manner<'a> {
    pub(super) cut: &'a Cut,
    pub(super) turned: bool,
    /// Noting more than this many that leave would be of no use.
    pub(super) most: usize,
}

impl Manner<'_> {
    /// Moves all; appends those that leave to `dirty`. Several cores share them where there are several workers.
    pub(super) fn run(self, moves: Moves<'_>, workers: &mut [Worker], dirty: &mut Vec<u32>) {
        if workers.len() <= 1 {
            self.part(0, moves, dirty);
            return;
        }
        let chunk = moves.to.len().div_ceil(workers.len()).max(1);
        let stored = moves.boxes.chunks_mut(chunk).zip(moves.class_of.chunks(chunk).zip(moves.listed.chunks(chunk)));
        let parts = moves.to.chunks(chunk).zip(stored).map(|(to, (boxes, (class_of, listed)))| Moves { to, boxes, class_of, listed });
        cores::each((0..).step_by(chunk).zip(parts).zip(&mut *workers).collect(), |((first, part), worker)| {
            worker.dirty.clear();
            self.part(first, part, &mut worker.dirty);
        });
        for worker in workers {
            dirty.append(&mut worker.dirty);
        }
    }

    fn part(self, first: u32, moves: Moves<'_>, dirty: &mut Vec<u32>) {
        let Moves { to, boxes, class_of, listed } = moves;
        for (id, ((to, stored), (&class, &listed))) in (first..).zip(to.iter().zip(boxes).zip(class_of.iter().zip(listed))) {
            if class == ABSENT {
                continue;
            }
            let b = if self.turned { turned(to.corners()) } else { to.corners() };
            *stored = b;
            if span(self.cut, b) != listed && dirty.len() <= self.most {
                dirty.push(id);
            }
        }
    }
}
