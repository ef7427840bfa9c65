//! The steps that textbook broad phases report are those that they make: counts, pairs and orders follow from them.

use carom::broad_phase::{
    Aabb32, BroadPhase, BruteForce, CoherentSortAndSweep, Filter, SortAndSweep, SweepAndPrune, TextbookEndpoint,
    TextbookStep,
};

/// Boxes in frame `t`, spread along both axes.
fn boxes(t: u32) -> Vec<Aabb32> {
    let mut rng = fastrand::Rng::with_seed(7);
    (0..30)
        .map(|_| {
            let [x, y, vx, vy] = [20.0, 20.0, 1.0, 1.0].map(|size| rng.f32() * size);
            let min = [x + vx * t as f32, y - vy * t as f32];
            Aabb32 { min, max: [min[0] + 2.0, min[1] + 2.0] }
        })
        .collect()
}

fn set(broad: &mut dyn BroadPhase, t: u32) {
    for (id, aabb) in (0..).zip(boxes(t)) {
        broad.insert(id, aabb, Filter::default(), true);
    }
}

fn sorted(mut pairs: Vec<[u32; 2]>) -> Vec<[u32; 2]> {
    pairs.sort_unstable();
    pairs
}

/// Checks the steps of a call against its pairs and counts, for a method that tests each pair at most once.
fn check(name: &str, steps: &[TextbookStep], pairs: Vec<[u32; 2]>, broad: &dyn BroadPhase) {
    let tests = steps.iter().filter(|step| matches!(step, TextbookStep::Test { .. })).count();
    assert_eq!(tests as u64, broad.stats().box_tests, "{name}");
    let found = steps.iter().filter_map(|step| match *step {
        TextbookStep::Test { a, b, intersects: true } => Some([a.min(b), a.max(b)]),
        _ => None,
    });
    assert_eq!(sorted(found.collect()), sorted(pairs), "{name}");
}

#[test]
fn reported_tests_are_those_that_find_the_pairs() {
    let (mut brute, mut sweep, mut coherent) = (BruteForce::new(), SortAndSweep::new(), CoherentSortAndSweep::new());
    for t in 0..4 {
        let (mut pairs, mut steps) = (Vec::new(), Vec::new());
        set(&mut brute, t);
        brute.pairs_observed(&mut pairs, &mut |step| steps.push(step));
        assert_eq!(steps.len(), 30 * 29 / 2);
        check("brute", &steps, pairs.clone(), &brute);

        let (mut again, mut steps) = (Vec::new(), Vec::new());
        set(&mut sweep, t);
        sweep.pairs_observed(&mut again, &mut |step| steps.push(step));
        check("sweep", &steps, again.clone(), &sweep);
        assert_eq!(sorted(again), sorted(pairs.clone()));

        let (mut again, mut steps) = (Vec::new(), Vec::new());
        set(&mut coherent, t);
        let mut order: Vec<u32> = coherent.order().collect();
        coherent.pairs_observed(&mut again, &mut |step| steps.push(step));
        check("sweep-insertion", &steps, again.clone(), &coherent);
        assert_eq!(sorted(again), sorted(pairs));
        let swaps = replay(&steps, 0, &mut order, |end| end.id);
        assert_eq!((swaps, order), (coherent.stats().swaps, coherent.order().collect()));
    }
}

/// Makes the swaps of an axis and returns their number. Each swaps two neighbours.
fn replay<T: PartialEq + Copy + std::fmt::Debug>(
    steps: &[TextbookStep],
    axis: usize,
    order: &mut [T],
    named: impl Fn(TextbookEndpoint) -> T,
) -> u64 {
    let mut swaps = 0;
    for step in steps {
        if let TextbookStep::Swap { axis: own, first, second } = *step
            && own == axis
        {
            let at = order.iter().position(|end| *end == named(first)).unwrap();
            assert_eq!(order[at + 1], named(second));
            order.swap(at, at + 1);
            swaps += 1;
        }
    }
    swaps
}

#[test]
fn reported_swaps_sort_the_endpoints() {
    let mut broad = SweepAndPrune::new();
    for t in 0..4 {
        set(&mut broad, t);
        let before = [0, 1].map(|axis| broad.endpoints(axis).collect::<Vec<_>>());
        let (mut pairs, mut steps) = (Vec::new(), Vec::new());
        broad.pairs_observed(&mut pairs, &mut |step| steps.push(step));
        let mut swaps = 0;
        for (axis, mut order) in before.into_iter().enumerate() {
            swaps += replay(&steps, axis, &mut order, |end| end);
            assert_eq!(order, broad.endpoints(axis).collect::<Vec<_>>());
            let value = |end: &TextbookEndpoint| {
                let aabb = boxes(t)[end.id as usize];
                if end.is_upper { aabb.max[axis] } else { aabb.min[axis] }
            };
            assert!(order.iter().map(value).is_sorted());
        }
        assert_eq!(swaps, broad.stats().swaps);
        let mut brute = BruteForce::new();
        set(&mut brute, t);
        let mut expected = Vec::new();
        brute.pairs(&mut expected);
        assert_eq!(sorted(pairs), sorted(expected));
    }
}
