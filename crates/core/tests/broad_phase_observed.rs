//! Compares the actions that a broad phase reports with the definitions of its method.

use std::collections::BTreeSet;

use carom::broad_phase::{
    Aabb32, BroadPhase, BruteForce, CoherentSortAndSweep, Filter, SortAndSweep, SweepAndPrune, TextbookEndpoint,
    TextbookStep,
};
use fastrand::Rng;

/// Number of boxes.
const COUNT: u32 = 40;

/// Returns a box on a coarse grid, so that many sides have the same coordinate.
fn random_box(rng: &mut Rng) -> Aabb32 {
    let mut side = || {
        let min = f32::from(rng.u8(..60)) * 0.5;
        [min, min + f32::from(rng.u8(..6)) * 0.5]
    };
    let ([min_x, max_x], [min_y, max_y]) = (side(), side());
    Aabb32 { min: [min_x, min_y], max: [max_x, max_y] }
}

/// Returns true if the intervals of two boxes along an axis share a point.
fn meet_along(a: &Aabb32, b: &Aabb32, axis: usize) -> bool {
    a.min[axis] <= b.max[axis] && b.min[axis] <= a.max[axis]
}

fn meet(a: &Aabb32, b: &Aabb32) -> bool {
    meet_along(a, b, 0) && meet_along(a, b, 1)
}

/// Returns all pairs of boxes for which `test` is true.
fn pairs_with(boxes: &[Aabb32], test: impl Fn(&Aabb32, &Aabb32) -> bool) -> BTreeSet<[u32; 2]> {
    let ids = || 0..boxes.len() as u32;
    let all = ids().flat_map(|a| ids().skip(a as usize + 1).map(move |b| [a, b]));
    all.filter(|&[a, b]| test(&boxes[a as usize], &boxes[b as usize])).collect()
}

/// The results of one search.
struct Observed {
    pairs: Vec<[u32; 2]>,
    steps: Vec<TextbookStep>,
}

impl Observed {
    fn new(search: impl FnOnce(&mut Vec<[u32; 2]>, &mut dyn FnMut(TextbookStep))) -> Self {
        let (mut pairs, mut steps) = (Vec::new(), Vec::new());
        search(&mut pairs, &mut |step| steps.push(step));
        Self { pairs, steps }
    }

    fn count(&self, of: fn(&TextbookStep) -> bool) -> u64 {
        self.steps.iter().filter(|step| of(step)).count() as u64
    }

    /// Returns the pairs that were tested, with their results.
    fn tests(&self) -> impl Iterator<Item = ([u32; 2], bool)> {
        self.steps.iter().filter_map(|step| match *step {
            TextbookStep::Test { a, b, intersects } => Some(([a, b], intersects)),
            _ => None,
        })
    }

    /// Returns the pairs that were tested, lower id first. Fails if a pair was tested twice.
    fn tested_once(&self) -> BTreeSet<[u32; 2]> {
        let pairs: BTreeSet<_> = self.tests().map(|([a, b], _)| [a.min(b), a.max(b)]).collect();
        assert_eq!(pairs.len(), self.tests().count());
        pairs
    }

    /// Executes the swaps of an axis on an order. Fails if the two are no neighbours.
    fn swapped(&self, of: usize, mut order: Vec<TextbookEndpoint>) -> Vec<TextbookEndpoint> {
        for step in &self.steps {
            if let TextbookStep::Swap { axis, first, second } = *step
                && axis == of
            {
                let at = order.iter().position(|&end| end == first).unwrap();
                assert_eq!(order[at + 1], second);
                order.swap(at, at + 1);
            }
        }
        order
    }
}

/// Moves boxes for some frames. `search` runs an observed search and checks its steps.
fn frames<B: BroadPhase + Clone>(mut broad: B, search: impl Fn(&mut B, &[Aabb32]) -> Observed) {
    let mut rng = Rng::with_seed(25);
    let mut boxes: Vec<Aabb32> = (0..COUNT).map(|_| random_box(&mut rng)).collect();
    for (id, &aabb) in (0..).zip(&boxes) {
        broad.insert(id, aabb, Filter::default(), true);
    }
    for _ in 0..50 {
        for id in 0..COUNT {
            if rng.bool() {
                boxes[id as usize] = random_box(&mut rng);
                broad.update(id, boxes[id as usize]);
            }
        }
        let (mut silent, mut unobserved) = (broad.clone(), Vec::new());
        silent.pairs(&mut unobserved);
        let seen = search(&mut broad, &boxes);
        assert_eq!(seen.pairs, unobserved, "{}", broad.name());
        assert_eq!(broad.stats(), silent.stats());
        assert_eq!(seen.pairs.iter().copied().collect::<BTreeSet<_>>(), pairs_with(&boxes, meet));
        assert_eq!(seen.count(|step| matches!(step, TextbookStep::Test { .. })), broad.stats().box_tests);
        assert_eq!(seen.count(|step| matches!(step, TextbookStep::Swap { .. })), broad.stats().swaps);
        for (pair, intersects) in seen.tests() {
            let [a, b] = pair.map(|id| &boxes[id as usize]);
            assert_eq!(intersects, meet(a, b), "{pair:?}");
        }
    }
}

/// Checks a sweep along x. It tests exactly the pairs whose x intervals intersect, box by box from
/// the left. It stops at the first box that begins beyond the swept one.
fn check_sweep(boxes: &[Aabb32], order: &[u32], seen: &Observed) {
    let begin = |id: u32| boxes[id as usize].min[0];
    assert!(order.is_sorted_by_key(|&id| begin(id)) && order.len() == boxes.len());
    assert_eq!(seen.tested_once(), pairs_with(boxes, |a, b| meet_along(a, b, 0)));
    let mut swept = Vec::new();
    let mut expected = None;
    for step in &seen.steps {
        match *step {
            TextbookStep::Sweep { id } => {
                swept.push(id);
                expected = order.get(swept.len());
            }
            TextbookStep::Test { a, b, .. } => {
                assert_eq!((swept.last(), expected), (Some(&a), Some(&b)));
                expected = order.iter().skip_while(|&&id| id != b).nth(1);
            }
            TextbookStep::Stop { swept: a, next } => {
                assert_eq!((swept.last(), expected), (Some(&a), Some(&next)));
                assert!(begin(next) > boxes[a as usize].max[0]);
                expected = None;
            }
            _ => {}
        }
    }
    assert_eq!(swept, order);
}

#[test]
fn brute_force_reports_each_pair_once() {
    frames(BruteForce::new(), |broad, boxes| {
        let seen = Observed::new(|out, mut observe| broad.pairs_observed(out, &mut observe));
        assert_eq!(seen.steps.len() as u32, COUNT * (COUNT - 1) / 2);
        assert_eq!(seen.tested_once(), pairs_with(boxes, |_, _| true));
        seen
    });
}

#[test]
fn sort_and_sweep_reports_its_sweep() {
    frames(SortAndSweep::new(), |broad, boxes| {
        let seen = Observed::new(|out, mut observe| broad.pairs_observed(out, &mut observe));
        check_sweep(boxes, &broad.order().collect::<Vec<_>>(), &seen);
        seen
    });
}

#[test]
fn coherent_sort_and_sweep_reports_its_swaps_and_its_sweep() {
    frames(CoherentSortAndSweep::new(), |broad, boxes| {
        let before = broad.order().map(|id| TextbookEndpoint { id, is_upper: false }).collect();
        let seen = Observed::new(|out, mut observe| broad.pairs_observed(out, &mut observe));
        let order: Vec<u32> = broad.order().collect();
        assert_eq!(seen.swapped(0, before).iter().map(|end| end.id).collect::<Vec<_>>(), order);
        check_sweep(boxes, &order, &seen);
        seen
    });
}

#[test]
fn sweep_and_prune_reports_the_swaps_that_sort_both_axes() {
    frames(SweepAndPrune::new(), |broad, boxes| {
        let before = [0, 1].map(|axis| broad.endpoints(axis).collect::<Vec<_>>());
        let seen = Observed::new(|out, mut observe| broad.pairs_observed(out, &mut observe));
        for (axis, before) in before.into_iter().enumerate() {
            let order = seen.swapped(axis, before);
            assert_eq!(order, broad.endpoints(axis).collect::<Vec<_>>());
            assert_eq!(order.len(), 2 * boxes.len());
            let value = |end: &TextbookEndpoint| {
                let aabb = boxes[end.id as usize];
                if end.is_upper { aabb.max[axis] } else { aabb.min[axis] }
            };
            let sorted = |a: &_, b: &_| value(a) < value(b) || (value(a) == value(b) && a.is_upper <= b.is_upper);
            assert!(order.is_sorted_by(sorted));
        }
        seen
    });
}
