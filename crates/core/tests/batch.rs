//! Batches return the results of the functions for one pair, bit for bit (the promise of
//! `carom::batch`). Inputs: all kinds mixed, random and adversarial, all SIMD widths, any order of
//! the pairs.

use carom::batch::{Batch, Contacts};
use carom::{DVec2, ErrorKind, Manifold, Placed, Pose, Shape, collide, intersects, overlaps};

use crate::support;
use crate::support::adversarial;
use crate::support::dice::Dice;
use crate::support::random_pairs::{self, Range};
use crate::support::recipe::Pair;
use crate::support::run;

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
            batch.limit_simd_width(width);
            for p in placed {
                let id = batch.add_shape(p.shape());
                batch.add_instance(id, p.pose()).unwrap();
            }
            (width, batch)
        })
        .collect()
}

/// Runs all batches on all pairs. Returns the number of pairs that intersect.
fn compare(placed: &[Placed<'_>], pairs: &[[u32; 2]], context: &str) -> usize {
    let of = |pair: [u32; 2]| pair.map(|i| placed[i as usize]);
    let expected: Vec<Option<Manifold>> = pairs.iter().map(|&pair| of(pair)).map(|[a, b]| collide(a, b)).collect();
    let (mut answers, mut contacts) = (vec![true; 3], Contacts::new());
    for (width, batch) in batches(placed) {
        batch.intersects(pairs, &mut answers).unwrap();
        for (&pair, &answer) in pairs.iter().zip(&answers) {
            let [a, b] = of(pair);
            assert_eq!(answer, intersects(a, b), "intersects, {width} bits, {context}: {a:?} {b:?}");
        }
        batch.overlaps(pairs, &mut answers).unwrap();
        for (&pair, &answer) in pairs.iter().zip(&answers) {
            let [a, b] = of(pair);
            assert_eq!(answer, overlaps(a, b), "overlaps, {width} bits, {context}: {a:?} {b:?}");
        }
        batch.collide(pairs, &mut contacts).unwrap();
        let mut found = contacts.iter().peekable();
        for (i, expected) in (0..).zip(&expected) {
            let here = found.next_if(|c| c.pair == i).map(|c| c.manifold);
            let [a, b] = of(pairs[i as usize]);
            let (here_bits, expected_bits) = (here.as_ref().map(bits), expected.as_ref().map(bits));
            assert_eq!(
                here_bits, expected_bits,
                "collide, {width} bits, {context}: {a:?} {b:?}\n{here:?}\n{expected:?}"
            );
        }
        assert!(found.next().is_none(), "contacts are in the order of the pairs");
        columns_agree(&contacts);
    }
    expected.iter().flatten().count()
}

/// The columns contain the values of the contacts that are built from them.
fn columns_agree(contacts: &Contacts) {
    let ([x, y], depths) = (contacts.normals(), contacts.depths());
    assert_eq!([contacts.pair_indices().len(), x.len(), y.len(), depths.len()], [contacts.len(); 4]);
    assert_eq!(contacts.iter().len(), contacts.len());
    for (i, contact) in contacts.into_iter().enumerate() {
        let Manifold { normal, depth, .. } = contact.manifold;
        assert_eq!(contacts.pair_indices()[i], contact.pair);
        assert_eq!([x[i], y[i], depths[i]].map(f64::to_bits), [normal.x, normal.y, depth].map(f64::to_bits));
        assert_eq!(contacts.get(i), Some(contact));
    }
    assert!(contacts.iter().rev().eq(contacts.iter().collect::<Vec<_>>().into_iter().rev()), "from behind");
    assert_eq!((contacts.get(contacts.len()), contacts.iter().nth(contacts.len())), (None, None));
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
fn pairs_that_barely_touch_have_the_answers_of_one_pair() {
    let families = adversarial::FAMILIES;
    compare_many(run::pairs(15_000), |i, dice| families[usize::try_from(i).unwrap() % families.len()].1(dice));
}

/// Shapes that have wide kernels, sharp and rounded, or one of the others.
fn shape(dice: &mut Dice) -> Shape {
    let (x, y) = (dice.between(0.2, 2.0), dice.between(0.2, 2.0));
    let sharp = match dice.index(8) {
        0 | 1 => Shape::circle(x),
        2 | 3 => Shape::rectangle(x, y),
        4..=6 => {
            let count = 3 + dice.index(6);
            Shape::polygon(&support::shapes::ring(dice, count, x, 0.7))
        }
        _ => Shape::capsule([-x, 0.0], [x, 0.0], 0.3),
    };
    let sharp = sharp.expect("a valid shape");
    if dice.chance(0.2) { sharp.rounded(0.25).expect("a radius in range") } else { sharp }
}

#[test]
fn kinds_are_answered_in_the_order_of_the_pairs() {
    let seed = run::seed();
    let mut intersecting = 0;
    for round in 0..6 {
        let dice = &mut Dice::new(seed, round);
        let shapes: Vec<Shape> = (0..80).map(|_| shape(dice)).collect();
        let placed: Vec<Placed<'_>> = shapes
            .iter()
            .map(|shape| {
                // On a coarse lattice at right angles shapes touch, and coincide.
                let exact = dice.chance(0.3);
                let at = DVec2::new(dice.between(-3.0, 3.0), dice.between(-3.0, 3.0));
                if exact {
                    shape.placed(Pose::from_translation(at.round()).unwrap())
                } else {
                    shape.placed(random_pairs::turned(dice, at))
                }
            })
            .collect();
        // Any pairs, some of them twice, some of a shape with itself: no whole number of blocks.
        let any = |dice: &mut Dice| dice.index(80) as u32;
        let pairs: Vec<[u32; 2]> = (0..2000 + 7 * round).map(|_| [any(dice), any(dice)]).collect();
        intersecting += compare(&placed, &pairs, &format!("seed {seed}, round {round}"));
    }
    assert!(intersecting > 2000, "only {intersecting} pairs met: the test looks at too little");
}

#[test]
fn one_kind_at_a_time_has_the_answers_of_one_pair() {
    let seed = run::seed();
    for kind in 0..9 {
        let dice = &mut Dice::new(seed, 100 + kind);
        let shapes: Vec<Shape> = (0..64)
            .map(|i| {
                let (x, y) = (dice.between(0.2, 2.0), dice.between(0.2, 2.0));
                // Kinds 0 to 2 are pairs of equal kinds. Kinds 3 and 4 are a circle and a
                // rectangle, in both orders, 5 and 6 a polygon and a rectangle. Kinds 7 and 8 are a
                // polygon and a circle, and sharp and rounded polygons.
                let is_first = (i % 2 == 0) == (kind % 2 == 1);
                if kind == 0 || ((3..5).contains(&kind) && is_first) || (kind >= 7 && !is_first) {
                    Shape::circle(x).unwrap()
                } else if kind == 2 || (kind >= 5 && is_first) {
                    let count = 3 + dice.index(6);
                    let sharp = Shape::polygon(&support::shapes::ring(dice, count, x, 0.8)).unwrap();
                    if kind >= 7 && i % 3 == 0 { sharp.rounded(0.2).unwrap() } else { sharp }
                } else {
                    Shape::rectangle(x, y).unwrap()
                }
            })
            .collect();
        let placed: Vec<Placed<'_>> = (0..8000)
            .map(|i| {
                let at = DVec2::new(dice.between(-1.5, 1.5), dice.between(-1.5, 1.5));
                shapes[i % 64].placed(random_pairs::turned(dice, at))
            })
            .collect();
        let pairs: Vec<[u32; 2]> = (0..4000).map(|i| [2 * i, 2 * i + 1]).collect();
        let intersecting = compare(&placed, &pairs, &format!("seed {seed}, kind {kind}"));
        assert!((800..3900).contains(&intersecting), "kind {kind}: {intersecting} of 4000 meet");
    }
}

/// Circles that barely touch a polygon, at the transition from an edge to a vertex. Their centres
/// lie around each vertex, along both edges' normals and between them, at the radius ± 1 ulp.
#[test]
fn circles_about_a_polygon_have_the_answers_of_one_pair() {
    let seed = run::seed();
    let dice = &mut Dice::new(seed, 200);
    let mut intersecting = 0;
    for round in 0..40 {
        let count = 3 + dice.index(6);
        let mut ring = support::shapes::ring(dice, count, 2.0, 0.6);
        if round % 3 == 0 {
            for p in &mut ring {
                *p = (*p * 4.0).round();
            }
        } else if round % 3 == 1 {
            // A corner that is hardly one.
            let (p, q) = (ring[0], ring[1]);
            ring[1] = p + (q - p) * 0.5 + (q - p).perp() * -1e-15 * dice.between(0.0, 4.0);
            ring.insert(2, q);
            ring.truncate(8);
        }
        let Ok(sharp) = Shape::convex_polygon(&ring) else { continue };
        let polygon = if round % 4 == 0 { sharp.rounded(0.25).unwrap() } else { sharp };
        let radius = [0.0, 0.5, 0.7][dice.index(3)];
        let circle = Shape::circle(radius).unwrap();
        let pose = if round % 2 == 0 { Pose::IDENTITY } else { random_pairs::turned(dice, DVec2::new(3.0, -2.0)) };
        let limit = radius + if round % 4 == 0 { 0.25 } else { 0.0 };
        let mut placed = vec![polygon.placed(pose)];
        for i in 0..ring.len() {
            let (p, at, q) = (ring[(i + ring.len() - 1) % ring.len()], ring[i], ring[(i + 1) % ring.len()]);
            let normal = |edge: DVec2| -edge.perp().normalize_or(DVec2::Y);
            let (before, behind) = (normal(at - p), normal(q - at));
            for direction in
                [before, behind, before + behind, before - (at - p) * 1e-16, behind + (at - q) * 1e-16, -before]
            {
                for far in [limit, limit * (1.0 + f64::EPSILON), limit * (1.0 - f64::EPSILON), limit * 0.5, 0.0] {
                    let center = pose.transform_point(at + direction.normalize_or_zero() * far);
                    placed.push(circle.placed(random_pairs::turned(dice, center)));
                }
            }
        }
        let pairs: Vec<[u32; 2]> = (1..placed.len() as u32).flat_map(|i| [[0, i], [i, 0]]).collect();
        intersecting += compare(&placed, &pairs, &format!("seed {seed}, round {round}"));
    }
    assert!(intersecting > 2000, "only {intersecting} pairs met: the test looks at too little");
}

#[test]
fn a_number_that_names_nothing_is_refused() {
    let mut batch = Batch::new();
    let ball = batch.add_shape(&Shape::circle(1.0).unwrap());
    let pose = Pose::IDENTITY;
    assert_eq!((batch.add_instance(ball, pose).unwrap(), batch.add_instance(ball, pose).unwrap()), (0, 1));
    let (mut answers, mut contacts) = (vec![true], Contacts::new());
    for pair in [[0, 2], [2, 0], [u32::MAX, u32::MAX]] {
        let error = batch.intersects(&[[0, 1], pair], &mut answers).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::OutOfRange, "{pair:?}");
        assert!(error.to_string().contains("the batch has 2"), "{error}");
        assert!(answers.is_empty());
        assert!(batch.collide(&[[0, 1], pair], &mut contacts).is_err() && contacts.is_empty());
    }
    assert!(batch.set_pose(2, pose).is_err() && batch.set_shape(2, ball).is_err());
    let foreign = {
        let mut other = Batch::new();
        other.add_shape(&Shape::rectangle(1.0, 1.0).unwrap())
    };
    assert!(batch.add_instance(foreign, pose).is_err() && batch.set_shape(0, foreign).is_err());
    // Rectangles and polygons are counted together, but stay distinguishable.
    batch.add_shape(&Shape::rectangle(1.0, 1.0).unwrap());
    let foreign = Batch::new().add_shape(&Shape::polygon(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]).unwrap());
    assert!(batch.add_instance(foreign, pose).is_err() && batch.set_shape(0, foreign).is_err());
    batch.intersects(&[], &mut answers).unwrap();
    assert!(answers.is_empty());
}

/// Promise: the same answers, bit for bit and in the same order, on any number of threads.
#[test]
fn any_number_of_threads_gives_the_same_answers() {
    let dice = &mut Dice::new(run::seed(), 8);
    let mut batch = Batch::new();
    for _ in 0..900 {
        let id = batch.add_shape(&shape(dice));
        let at = DVec2::new(dice.between(-4.0, 4.0), dice.between(-4.0, 4.0));
        batch.add_instance(id, random_pairs::turned(dice, at)).unwrap();
    }
    let mut pairs: Vec<[u32; 2]> = (0..30_011).map(|_| [dice.index(900) as u32, dice.index(900) as u32]).collect();
    let mut expected = None;
    let (mut answers, mut contacts) = (Vec::new(), Contacts::new());
    for threads in [1, 2, 3, 5, 1] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        // Fewer and more from one time to the next: nothing of the last time may be left.
        for count in [pairs.len(), 9_000, 100, pairs.len()] {
            pool.install(|| batch.intersects(&pairs[..count], &mut answers).unwrap());
            pool.install(|| batch.collide(&pairs[..count], &mut contacts).unwrap());
            let all: Vec<_> = contacts.iter().map(|c| (c.pair, bits(&c.manifold))).collect();
            let (expected_answers, expected_contacts) = expected.get_or_insert_with(|| (answers.clone(), all.clone()));
            assert!(answers == expected_answers[..count], "{count} pairs on {threads} threads, seed {}", run::seed());
            let among = expected_contacts.partition_point(|&(pair, _)| (pair as usize) < count);
            assert!(all == expected_contacts[..among], "{count} pairs on {threads} threads, seed {}", run::seed());
        }
    }
    assert!(contacts.len() > 2_000, "only {} pairs intersect", contacts.len());
    // The first number that is of nothing is named, however many threads come upon one.
    pairs[12_345] = [0, 1_000_001];
    pairs[29_999] = [2_000_000, 0];
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let refused = [
            pool.install(|| batch.overlaps(&pairs, &mut answers)).unwrap_err(),
            pool.install(|| batch.collide(&pairs, &mut contacts)).unwrap_err(),
        ];
        assert!(refused.iter().all(|error| error.to_string().contains("1000001")), "{refused:?} on {threads} threads");
        assert!(answers.is_empty() && contacts.is_empty());
    }
}

/// On one thread: others are woken with allocations of their own.
#[test]
fn a_steady_frame_allocates_nothing() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(steady_frame);
}

fn steady_frame() {
    let dice = &mut Dice::new(run::seed(), 7);
    let mut batch = Batch::new();
    for _ in 0..600 {
        let id = batch.add_shape(&shape(dice));
        let at = DVec2::new(dice.between(-8.0, 8.0), dice.between(-8.0, 8.0));
        batch.add_instance(id, random_pairs::turned(dice, at)).unwrap();
    }
    let pairs: Vec<[u32; 2]> = (0..3000).map(|_| [dice.index(600) as u32, dice.index(600) as u32]).collect();
    let (mut answers, mut contacts) = (Vec::new(), Contacts::new());
    let mut frame = || {
        batch.intersects(&pairs, &mut answers).unwrap();
        batch.collide(&pairs, &mut contacts).unwrap();
        contacts.len()
    };
    let first = frame();
    assert!(first > 20, "only {first} pairs intersect");
    let seen = allocation_counter::measure(|| assert_eq!(frame(), first));
    assert_eq!(seen.count_total, 0);
}
