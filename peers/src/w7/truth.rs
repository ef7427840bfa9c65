//! Compares the answers with exact ones.
//!
//! The location of each point is decided exactly. Pairs are decided exactly if the libraries that
//! work in f64 disagree about them, and for a random sample. carom's answer counts for the others.

use std::cell::OnceCell;
use std::collections::HashMap;

use fastrand::Rng;

use super::Question;
use super::exact::{Boundary, Location, Relation, relation};
use super::input::Input;
use crate::race::Library;

/// Pairs of edges in the sample.
const SAMPLE: usize = 100_000_000;

/// Largest relative error of a distance, also for parry, which works in f32.
const TOLERANCE: f64 = 1e-9;
const TOLERANCE_OF_PARRY: f64 = 1e-3;

/// Exact answers of an input.
pub(super) struct Truth<'a> {
    input: &'a Input,
    boundaries: Vec<OnceCell<Boundary>>,
    relations: HashMap<usize, Relation>,
    sample: Vec<usize>,
}

impl<'a> Truth<'a> {
    pub(super) fn new(input: &'a Input, seed: u64) -> Self {
        let mut sample: Vec<usize> = (0..input.pairs.len()).collect();
        Rng::with_seed(seed).shuffle(&mut sample);
        let size = |i: u32| input.outlines.points(i as usize).len();
        let mut work = 0;
        sample.retain(|&pair| {
            let [a, b] = input.pairs[pair];
            let fits = work + size(a) * size(b) <= SAMPLE;
            work += if fits { size(a) * size(b) } else { 0 };
            fits
        });
        let boundaries = (0..input.outlines.len()).map(|_| OnceCell::new()).collect();
        Self { input, boundaries, relations: HashMap::new(), sample }
    }

    /// Returns the number of pairs that were decided exactly.
    pub(super) fn decided(&self) -> usize {
        self.relations.len()
    }

    /// Counts the wrong answers of each library.
    pub(super) fn wrong(&mut self, question: Question, answers: &[(Library, &[f64])]) -> Vec<usize> {
        let expected = self.expected(question, answers);
        let of = |(library, found): &(Library, &[f64])| {
            expected.iter().zip(*found).filter(|(e, f)| is_wrong(question, *library, **e, **f)).count()
        };
        answers.iter().map(of).collect()
    }

    fn expected(&mut self, question: Question, answers: &[(Library, &[f64])]) -> Vec<f64> {
        if question == Question::Point {
            return self.input.points.iter().map(|&(owner, p)| code(self.boundary(owner).locate(p))).collect();
        }
        let ours = answers.iter().find(|(library, _)| *library == Library::Carom).expect("carom answers all").1;
        let mut expected = ours.to_vec();
        let in_doubles = |library| matches!(library, Library::Geos | Library::Geo);
        let disputed = |&pair: &usize| {
            let others = answers.iter().filter(|(library, _)| in_doubles(*library));
            let differs = |library, found: &f64| is_wrong(question, library, ours[pair], *found);
            others.into_iter().any(|(library, found)| found.get(pair).is_some_and(|found| differs(*library, found)))
        };
        let pairs: Vec<usize> = (0..ours.len()).filter(disputed).chain(self.sample.clone()).collect();
        for pair in pairs {
            expected[pair] = self.decide(question, pair);
        }
        expected
    }

    fn decide(&mut self, question: Question, pair: usize) -> f64 {
        let [a, b] = self.input.pairs[pair];
        let known = self.relations.get(&pair).copied();
        let (a, b) = (self.boundary(a), self.boundary(b));
        let relation = known.unwrap_or_else(|| relation(a, b));
        let answer = match question {
            Question::Intersects => relation.intersects,
            Question::Overlaps => relation.overlaps,
            Question::Contains => !relation.b_leaves_a,
            Question::Distance => return if relation.intersects { 0.0 } else { a.distance(b) },
            Question::Point => unreachable!("points are no pairs"),
        };
        self.relations.insert(pair, relation);
        f64::from(u8::from(answer))
    }

    fn boundary(&self, outline: u32) -> &Boundary {
        let outline = outline as usize;
        self.boundaries[outline].get_or_init(|| Boundary::new(&self.input.outlines, outline))
    }
}

fn code(location: Location) -> f64 {
    match location {
        Location::Outside => 0.0,
        Location::Boundary => 1.0,
        Location::Inside => 2.0,
    }
}

/// Returns true if an answer differs from the expected one. geo tells whether a point is strictly inside.
fn is_wrong(question: Question, library: Library, expected: f64, found: f64) -> bool {
    match question {
        Question::Point => (expected >= if library == Library::Geo { 2.0 } else { 1.0 }) != (found == 1.0),
        Question::Distance => {
            let tolerance = if library == Library::Parry { TOLERANCE_OF_PARRY } else { TOLERANCE };
            let is_close = (found - expected).abs() <= tolerance * expected;
            !is_close || (found == 0.0) != (expected == 0.0)
        }
        _ => expected != found,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_answer_is_found() {
        let wrong = |question, library, expected, found| is_wrong(question, library, expected, found);
        assert!(!wrong(Question::Overlaps, Library::Geos, 1.0, 1.0));
        assert!(wrong(Question::Overlaps, Library::Geos, 1.0, 0.0));
        assert!(!wrong(Question::Distance, Library::Geos, 5.0, 5.0 + 1e-12));
        assert!(wrong(Question::Distance, Library::Geos, 5.0, 5.0 + 1e-6));
        assert!(!wrong(Question::Distance, Library::Parry, 5.0, 5.0 + 1e-6));
        assert!(wrong(Question::Distance, Library::Geos, 1e-300, 0.0));
        assert!(wrong(Question::Distance, Library::Parry, 0.0, f64::NAN));
        // A point on the boundary is in the closed set, but not strictly inside.
        assert!(!wrong(Question::Point, Library::Geos, 1.0, 1.0));
        assert!(!wrong(Question::Point, Library::Geo, 1.0, 0.0));
        assert!(wrong(Question::Point, Library::Carom, 1.0, 0.0));
    }
}
