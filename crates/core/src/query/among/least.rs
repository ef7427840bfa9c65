//! Who has the least of something, asked of as few shapes as possible.

use super::outlines::{Between, Spot};

/// How many shapes wait to be asked before one of them is.
const WAITING: usize = 8;

/// A shape to be asked, the least that it can have, and what of it is known to decide.
#[derive(Clone, Copy)]
struct Candidate {
    id: u32,
    least: f64,
    spot: Option<Spot>,
}

/// The shapes that may have the least of something (a time, a distance), and who has it among those that were asked themselves.
pub(super) struct Least<T> {
    waiting: [Candidate; WAITING],
    count: usize,
    /// The least is not more than this.
    pub(super) most: f64,
    best: Option<(u32, f64, T)>,
}

impl<T> Least<T> {
    #[inline(always)]
    pub(super) fn new(most: f64) -> Self {
        Self { waiting: [Candidate { id: 0, least: 0.0, spot: None }; WAITING], count: 0, most, best: None }
    }

    /// Another one, whose number lies between two; `ask` tells the number itself, which is done at once where not even that there is one is known.
    #[inline(always)]
    pub(super) fn add(
        &mut self,
        id: u32,
        (Between { least, most }, spot): (Between, Option<Spot>),
        mut ask: impl FnMut(u32, Option<Spot>) -> Option<(f64, T)>,
    ) {
        if least > self.most {
            return;
        }
        if self.count == WAITING {
            self.ask_all(&mut ask);
        }
        self.waiting[self.count] = Candidate { id, least, spot };
        self.count += 1;
        if most < f64::INFINITY {
            self.most = self.most.min(most);
        } else {
            self.ask_all(ask);
        }
    }

    /// Those that are still in question.
    pub(super) fn open(&self) -> impl Iterator<Item = (u32, Option<Spot>)> {
        self.waiting[..self.count].iter().filter(|candidate| candidate.least <= self.most).map(|candidate| (candidate.id, candidate.spot))
    }

    /// Who has the least, and what `ask` found of it.
    pub(super) fn decide(mut self, ask: impl FnMut(u32, Option<Spot>) -> Option<(f64, T)>) -> Option<(u32, T)> {
        self.ask_all(ask);
        self.best.map(|(id, _, found)| (id, found))
    }

    /// Asks those that are still in question.
    fn ask_all(&mut self, mut ask: impl FnMut(u32, Option<Spot>) -> Option<(f64, T)>) {
        for &Candidate { id, least, spot } in &self.waiting[..self.count] {
            if least <= self.most
                && let Some((number, found)) = ask(id, spot)
                && number <= self.most
                && self.best.as_ref().is_none_or(|&(other, best, _)| (number, id) < (best, other))
            {
                self.most = number;
                self.best = Some((id, number, found));
            }
        }
        self.count = 0;
    }
}
