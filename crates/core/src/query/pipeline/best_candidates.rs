//! Who has the least of something, asked of as few shapes as possible.

use super::interval::{ClosestFeature, Interval, NONE};

/// How many shapes wait to be asked before one of them is.
const CAPACITY: usize = 8;

/// A shape, and its place among packed ones, if they are.
#[derive(Clone, Copy)]
pub(super) struct PackedShapeId {
    pub(super) id: u32,
    pub(super) place: u32,
}

/// A shape to be asked, the least that it can have, and what of it is known to decide.
#[derive(Clone, Copy)]
struct Candidate {
    who: PackedShapeId,
    least: f64,
    spot: Option<ClosestFeature>,
}

/// The shapes that may have the least of something (a time, a distance), and who has it among those that were asked themselves.
pub(super) struct BestCandidates<T> {
    waiting: [Candidate; CAPACITY],
    count: usize,
    /// The least is not more than this.
    pub(super) most: f64,
    best: Option<(u32, f64, T)>,
}

impl<T: Copy> BestCandidates<T> {
    #[inline(always)]
    pub(super) fn new(most: f64) -> Self {
        Self {
            waiting: [Candidate { who: PackedShapeId { id: 0, place: NONE }, least: 0.0, spot: None }; CAPACITY],
            count: 0,
            most,
            best: None,
        }
    }

    /// Begins anew.
    #[inline(always)]
    pub(super) fn reset(&mut self, most: f64) {
        (self.count, self.most, self.best) = (0, most, None);
    }

    /// Another one, whose number lies between two; `ask` tells the number itself, which is done at once where not even that there is one is known.
    #[inline(always)]
    pub(super) fn add(
        &mut self,
        who: PackedShapeId,
        (Interval { least, most }, spot): (Interval, Option<ClosestFeature>),
        mut ask: impl FnMut(PackedShapeId, Option<ClosestFeature>) -> Option<(f64, T)>,
    ) {
        if least > self.most {
            return;
        }
        if self.count == CAPACITY {
            self.ask_now(&mut ask);
        }
        self.waiting[self.count % CAPACITY] = Candidate { who, least, spot };
        self.count += 1;
        self.most = self.most.min(most);
        if most == f64::INFINITY {
            self.ask_now(ask);
        }
    }

    /// Those that are still in question.
    pub(super) fn open(&self) -> impl Iterator<Item = (PackedShapeId, Option<ClosestFeature>)> {
        self.waiting[..self.count]
            .iter()
            .filter(|candidate| candidate.least <= self.most)
            .map(|candidate| (candidate.who, candidate.spot))
    }

    /// Who has the least, and what `ask` found of it.
    #[inline(always)]
    pub(super) fn decide(
        &self,
        ask: impl FnMut(PackedShapeId, Option<ClosestFeature>) -> Option<(f64, T)>,
    ) -> Option<(u32, T)> {
        self.asked(ask).1.map(|(id, _, found)| (id, found))
    }

    /// Within the search, which should not grow by it.
    #[cold]
    #[inline(never)]
    fn ask_now(&mut self, ask: impl FnMut(PackedShapeId, Option<ClosestFeature>) -> Option<(f64, T)>) {
        (self.most, self.best) = self.asked(ask);
        self.count = 0;
    }

    /// Asks those that are still in question. What comes of it is not written down here: to be read at once, it would have to be waited for.
    #[inline(always)]
    fn asked(
        &self,
        mut ask: impl FnMut(PackedShapeId, Option<ClosestFeature>) -> Option<(f64, T)>,
    ) -> (f64, Option<(u32, f64, T)>) {
        let (mut most, mut best) = (self.most, self.best);
        for &Candidate { who, least, spot } in &self.waiting[..self.count] {
            if least <= most
                && let Some((number, found)) = ask(who, spot)
                && number <= most
                && best.is_none_or(|(other, best, _)| (number, who.id) < (best, other))
            {
                most = number;
                best = Some((who.id, number, found));
            }
        }
        (most, best)
    }
}
