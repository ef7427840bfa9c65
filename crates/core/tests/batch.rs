//! Many pairs at a time have the answers of one pair at a time, bit for bit (the promise of `carom::batch`): all kinds mixed, random and adversarial, on
//! vectors of every width, in whatever order the pairs come.

mod support;

use carom::batch::{Batch, Contacts};
use carom::{Manifold, Placed, collide, intersects, overlaps};
use support::adversarial;
use support::dice::Dice;
use support::random_pairs::{self, Range};
use support::recipe::Pair;
use support::run;

/// All bits of a manifold: equal numbers that are not the same number (0 and −0) differ.
fn bits(m: &Manifold) -> (Vec<u64>, String) {
    let mut numbers = vec![m.normal.x, m.normal.y, m.depth];
    for p in m.points() {
        numbers.extend([p.on_a.x, p.on_a.y, p.on_b.x, p.on_b.y, p.depth]);
    }
    let ids: Vec<_> = m.points().iter().map(|p| p.id).collect();
    (numbers.into_iter().map(f64::to_bits).collect(), format!("{ids:?} {} {}", m.part_a, m.part_b))
}

/// Batches that hold the same placed shapes, for every width of the lanes.
fn batches(placed: &[Placed<'_>]) -> Vec<(u32, Batch)> {
    [128, 256, 512]
        .into_iter()
        .map(|width| {
            let mut batch = Batch::new();
            batch.limit_lanes(width);
            for p in placed {
                let id = batch.add(p.shape());
                batch.push(id, p.pose()).unwrap();
            }
            (width, batch)
        })
        .collect()
}

/// Asks all batches about all pairs; how many meet.
fn compare(placed: &[Placed<'_>], pairs: &[[u32; 2]], told: &str) -> usize {
    let of = |pair: [u32; 2]| pair.map(|i| placed[i as usize]);
    let expected: Vec<Option<Manifold>> = pairs.iter().map(|&pair| of(pair)).map(|[a, b]| collide(a, b)).collect();
    let (mut answers, mut contacts) = (vec![true; 3], Contacts::new());
    for (width, batch) in batches(placed) {
        batch.intersects(pairs, &mut answers).unwrap();
        for (&pair, &answer) in pairs.iter().zip(&answers) {
            let [a, b] = of(pair);
            assert_eq!(answer, intersects(a, b), "intersects, {width} bits, {told}: {a:?} {b:?}");
        }
        batch.overlaps(pairs, &mut answers).unwrap();
        for (&pair, &answer) in pairs.iter().zip(&answers) {
            let [a, b] = of(pair);
            assert_eq!(answer, overlaps(a, b), "overlaps, {width} bits, {told}: {a:?} {b:?}");
        }
        batch.collide(pairs, &mut contacts).unwrap();
        let mut found = contacts.iter().peekable();
        for (i, expected) in (0..).zip(&expected) {
            let here = found.next_if(|c| c.pair == i).map(|c| c.manifold);
            let [a, b] = of(pairs[i as usize]);
            let (here_bits, expected_bits) = (here.as_ref().map(bits), expected.as_ref().map(bits));
            assert_eq!(here_bits, expected_bits, "collide, {width} bits, {told}: {a:?} {b:?}\n{here:?}\n{expected:?}");
        }
        assert!(found.next().is_none(), "contacts are in the order of the pairs");
    }
    expected.iter().flatten().count()
}

/// Draws pairs a thousand at a time, and compares them in this order.
fn compare_many(count: u64, mut make: impl FnMut(u64, &mut Dice) -> Pair) {
    let seed = run::seed();
    let mut index = 0;
    while index < count {
        let drawn: Vec<Pair> = (index..count.min(index + 1000)).map(|i| make(i, &mut Dice::new(seed, i))).collect();
        index += drawn.len() as u64;
        let placed: Vec<Placed<'_>> = drawn.iter().flat_map(|pair| [pair.a.placed(), pair.b.placed()]).collect();
        let pairs: Vec<[u32; 2]> = (0..drawn.len() as u32).map(|i| [2 * i, 2 * i + 1]).collect();
        compare(&placed, &pairs, &format!("seed {seed} before pair {index}"));
    }
}

#[test]
fn random_pairs_have_the_answers_of_one_pair() {
    let range = Range { sizes: (1e-3, 1e3), offset: 1e6 };
    compare_many(run::pairs(20_000), |_, dice| random_pairs::any(dice, range));
}

#[test]
fn pairs_that_barely_meet_have_the_answers_of_one_pair() {
    let families = adversarial::FAMILIES;
    compare_many(run::pairs(15_000), |i, dice| families[usize::try_from(i).unwrap() % families.len()].1(dice));
}
