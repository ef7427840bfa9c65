//! Compares the BVH with brute force: every query after every kind of change, on scenes that are
//! difficult for trees. Bounds the number of visited nodes.

use std::ops::ControlFlow::{self, Break, Continue};

use carom::broad_phase::{Aabb32, BroadPhase, BruteForce, Bvh, Filter, LocalOrigin, LocalRay};
use carom::{DVec2, Ray};
use fastrand::Rng;

/// A scene: where a new box is.
type Scene = fn(&mut Rng) -> Aabb32;

const SCENES: [(&str, Scene); 8] = [
    ("uniform", |rng| square(rng, 40.0, 1.0)),
    ("on a grid, sides shared", |rng| {
        let min = [0, 1].map(|_| rng.u32(..40) as f32 * 0.5);
        Aabb32 { min, max: min.map(|x| x + rng.u32(..3) as f32) }
    }),
    ("all on one spot", |_| Aabb32 { min: [1.0, 2.0], max: [1.0, 2.0] }),
    ("in a line", |rng| {
        let x = rng.f32() * 1e3;
        Aabb32 { min: [x, 0.0], max: [x + 1.0, 0.5] }
    }),
    ("on a slope", |rng| {
        let x = rng.f32() * 1e3;
        Aabb32 { min: [x, x], max: [x + 1.0, x + 1.0] }
    }),
    ("from 1e-30 to 1e30", |rng| {
        let size = |rng: &mut Rng| 10.0_f32.powf(rng.f32() * 60.0 - 30.0);
        let min = [0, 1].map(|_| if rng.bool() { size(rng) } else { -size(rng) });
        Aabb32 { min, max: [min[0] + size(rng), min[1] + size(rng)] }
    }),
    ("a giant among dwarfs", |rng| if rng.u32(..50) == 0 { square(rng, 1.0, 100.0) } else { square(rng, 40.0, 0.1) }),
    ("clusters", |rng| {
        let home = rng.u32(..3) as f32 * 1e4;
        let mut aabb = square(rng, 1.0, 0.2);
        aabb.min[0] += home;
        aabb.max[0] += home;
        aabb
    }),
];

fn square(rng: &mut Rng, range: f32, side: f32) -> Aabb32 {
    let min = [rng.f32() * range, rng.f32() * range];
    Aabb32 { min, max: min.map(|x| x + side * (0.5 + rng.f32())) }
}

fn filter(rng: &mut Rng) -> Filter {
    Filter { layers: 1 << rng.u32(..3), mask: u64::from(rng.u32(..8)), group: rng.u32(..3) }
}

/// The tree and its oracle, changed alike.
struct Both {
    bvh: Bvh,
    brute: BruteForce,
}

impl Both {
    fn change(&mut self, rng: &mut Rng, scene: Scene, ids: u32, filters: bool) {
        let (id, aabb) = (rng.u32(..ids), scene(rng));
        match rng.u32(..8) {
            0 => self.each(|broad| broad.remove(id)),
            1..4 => self.each(|broad| broad.update(id, aabb)),
            _ => {
                let filter = if filters { filter(rng) } else { Filter::default() };
                let moving = rng.u32(..3) > 0;
                self.each(|broad| broad.insert(id, aabb, filter, moving));
            }
        }
    }

    fn each(&mut self, change: impl Fn(&mut dyn BroadPhase)) {
        change(&mut self.bvh);
        change(&mut self.brute);
    }

    fn agree(&mut self, rng: &mut Rng, scene: Scene) -> usize {
        let [ours, expected] = [pairs(&mut self.bvh), pairs(&mut self.brute)];
        assert_eq!(ours, expected);
        let (from, to) = (scene(rng), scene(rng));
        let region =
            Aabb32 { min: [0, 1].map(|k| from.min[k].min(to.min[k])), max: [0, 1].map(|k| from.max[k].max(to.max[k])) };
        for query in [from, region] {
            self.same(|broad, visit| broad.query_aabb(query, visit));
            self.same(|broad, visit| broad.visit_point(query.min, visit));
        }
        for (start, end) in [
            (from.min, to.max),
            (from.min, from.min),
            (from.min, [to.min[0], from.min[1]]),
            (to.max, [to.max[0], from.max[1]]),
        ] {
            for radius in [0.0, 0.25] {
                let ray = ray(start, end, radius);
                self.same(|broad, visit| broad.query_ray(&ray, visit));
            }
        }
        let point = from.min.map(f64::from);
        assert_eq!(nearest(&self.bvh, point, 20), nearest(&self.brute, point, 20));
        self.same_near(point, 3.0);
        let queries: Vec<Aabb32> = (0..20).map(|_| scene(rng)).collect();
        let [found, wanted] = [&self.bvh as &dyn BroadPhase, &self.brute].map(|broad| {
            let mut found = Vec::new();
            broad.visit_boxes(&queries, &mut |number, id| found.push((number, id)));
            found.sort_unstable();
            found
        });
        assert_eq!(found, wanted);
        ours.len()
    }

    /// Both find the same boxes near a point; the tree may visit some that are a little farther.
    fn same_near(&self, point: [f64; 2], within: f64) {
        let all = nearest(&self.brute, point, usize::MAX);
        let mut expected: Vec<u32> =
            all.iter().filter(|(_, distance)| *distance <= within).map(|(id, _)| *id).collect();
        expected.sort_unstable();
        for broad in [&self.bvh as &dyn BroadPhase, &self.brute] {
            let mut ids = Vec::new();
            broad.find_nearest(point, within, &mut |id| {
                ids.push(id);
                Continue(within)
            });
            ids.sort_unstable();
            assert!(ids.windows(2).all(|two| two[0] < two[1]), "one was visited twice");
            ids.retain(|id| all.iter().any(|(other, distance)| other == id && *distance <= within));
            assert_eq!(ids, expected);
        }
    }

    /// Both visit the same ids, each once.
    fn same(&self, query: impl Fn(&dyn BroadPhase, &mut dyn FnMut(u32) -> ControlFlow<()>)) {
        let [ours, expected] = [&self.bvh as &dyn BroadPhase, &self.brute].map(|broad| {
            let mut ids = Vec::new();
            query(broad, &mut |id| {
                ids.push(id);
                Continue(())
            });
            ids.sort_unstable();
            ids
        });
        assert_eq!(ours, expected);
    }
}

fn ray(start: [f32; 2], end: [f32; 2], radius: f64) -> LocalRay {
    let (start, end) = (start.map(f64::from), end.map(f64::from));
    let ray = Ray::new(start, [0, 1].map(|k| end[k] - start[k])).unwrap().with_radius(radius).unwrap();
    LocalOrigin::new(DVec2::ZERO).localize_ray(&ray)
}

fn pairs(broad: &mut dyn BroadPhase) -> Vec<[u32; 2]> {
    let mut pairs = Vec::new();
    broad.pairs(&mut pairs);
    pairs.sort_unstable();
    pairs
}

fn nearest(broad: &dyn BroadPhase, point: [f64; 2], count: usize) -> Vec<(u32, f64)> {
    let mut found = Vec::new();
    broad.visit_by_distance(point, &mut |id, distance| {
        found.push((id, distance));
        if found.len() == count { Break(()) } else { Continue(()) }
    });
    found
}

/// Law: every query of the tree returns the result of a loop over all boxes, after any insertions,
/// moves and removals.
#[test]
fn every_query_agrees_with_brute_force() {
    for (seed, (name, scene)) in (1..).zip(SCENES) {
        for (ids, filters) in [(12, true), (300, false), (300, true)] {
            println!("{name}: {ids} ids, filters {filters}, seed {seed}");
            let (mut rng, mut seen) = (Rng::with_seed(seed), 0);
            let mut both = Both { bvh: Bvh::new(), brute: BruteForce::new() };
            for step in 0..2_000 {
                both.change(&mut rng, scene, ids, filters);
                if step % 40 == 0 {
                    seen += both.agree(&mut rng, scene);
                }
                if step % 700 == 699 {
                    both.bvh.optimize();
                    seen += both.agree(&mut rng, scene);
                }
            }
            assert!(seen > 0 || ids < 300, "no pair was ever reported: the scene is empty");
            for id in 0..ids {
                both.each(|broad| broad.remove(id));
            }
            assert_eq!(both.agree(&mut rng, scene), 0);
        }
    }
}

/// Law: many boxes at once make the same set as one by one.
#[test]
fn built_at_once_or_one_by_one() {
    for (seed, (name, scene)) in (1..).zip(SCENES) {
        println!("{name}: seed {seed}");
        let mut rng = Rng::with_seed(seed);
        let boxes: Vec<_> = (0..700).map(|i| (i * 3, scene(&mut rng), filter(&mut rng), rng.bool())).collect();
        let mut both = Both { bvh: Bvh::from_boxes(boxes.iter().copied()), brute: BruteForce::new() };
        for &(id, aabb, filter, moving) in &boxes {
            both.brute.insert(id, aabb, filter, moving);
        }
        for _ in 0..20 {
            both.agree(&mut rng, scene);
        }
    }
}

/// Infinite and inverted boxes: no number makes a query hang or panic.
#[test]
fn boxes_that_make_no_sense_do_no_harm() {
    let odd = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.0, 1.0, f32::MAX, f32::MIN_POSITIVE];
    let mut rng = Rng::with_seed(5);
    let mut both = Both { bvh: Bvh::new(), brute: BruteForce::new() };
    for _ in 0..2_000 {
        let mut side = || odd[rng.usize(..odd.len())];
        let aabb = Aabb32 { min: [side(), side()], max: [side(), side()] };
        let id = rng.u32(..200);
        if rng.bool() {
            both.each(|broad| broad.insert(id, aabb, Filter::default(), true));
        } else {
            both.each(|broad| broad.update(id, aabb));
        }
        if rng.u32(..20) == 0 {
            assert_eq!(pairs(&mut both.bvh), pairs(&mut both.brute));
            both.same(|broad, visit| broad.query_aabb(aabb, visit));
            nearest(&both.bvh, [0.0, f64::from(aabb.min[0])], 300);
            both.bvh.find_nearest([0.0, f64::from(aabb.min[1])], f64::NAN, &mut |_| Continue(f64::NAN));
        }
    }
}

/// Law: a search omits only boxes beyond its limit.
#[test]
fn searches_find_the_first_and_the_nearest() {
    for (seed, (name, scene)) in (1..).zip(SCENES) {
        println!("{name}: seed {seed}");
        let mut rng = Rng::with_seed(seed);
        let boxes: Vec<Aabb32> = (0..500).map(|_| scene(&mut rng)).collect();
        let bvh = Bvh::from_boxes((0..).zip(&boxes).map(|(id, &aabb)| (id, aabb, Filter::default(), id % 3 > 0)));
        for _ in 0..100 {
            let (start, end) = (scene(&mut rng).min, scene(&mut rng).max);
            let ray = ray(start, end, 0.0);
            let (mut first, mut tests) = (f64::INFINITY, 0);
            bvh.cast_ray(&ray, &mut |id| {
                tests += 1;
                first = first.min(time(&boxes[id as usize], start, end));
                Continue(first)
            });
            let all = boxes.iter().map(|aabb| time(aabb, start, end));
            let expected = all.fold(f64::INFINITY, f64::min);
            assert!(first == expected, "{first} instead of {expected}");
            let point = start.map(f64::from);
            let mut least = f64::INFINITY;
            bvh.find_nearest(point, f64::INFINITY, &mut |id| {
                least = least.min(boxes[id as usize].distance(point));
                Continue(least)
            });
            let expected = boxes.iter().map(|aabb| aabb.distance(point)).fold(f64::INFINITY, f64::min);
            assert!(least == expected, "{least} instead of {expected}");
        }
    }
}

/// When the ray from one point to another enters a box.
fn time(aabb: &Aabb32, from: [f32; 2], to: [f32; 2]) -> f64 {
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    for k in 0..2 {
        let (start, displacement) = (f64::from(from[k]), f64::from(to[k]) - f64::from(from[k]));
        let (a, b) = (f64::from(aabb.min[k]) - start, f64::from(aabb.max[k]) - start);
        if displacement == 0.0 {
            if a > 0.0 || b < 0.0 {
                return f64::INFINITY;
            }
            continue;
        }
        enter = enter.max((a / displacement).min(b / displacement));
        leave = leave.min((a / displacement).max(b / displacement));
    }
    if enter <= leave { enter } else { f64::INFINITY }
}

fn uniform(count: u32, rng: &mut Rng, moving: bool) -> Vec<(u32, Aabb32, Filter, bool)> {
    let side = (2.0 * count as f32).sqrt();
    (0..count).map(|id| (id, square(rng, side, 1.0), Filter::default(), moving)).collect()
}

/// Promise: 10⁵ static boxes cost nothing in a frame.
#[test]
fn fixed_boxes_are_not_tested_again() {
    let mut rng = Rng::with_seed(1);
    let mut bvh = Bvh::from_boxes(uniform(100_000, &mut rng, false));
    assert_eq!(pairs(&mut bvh), Vec::<[u32; 2]>::new());
    assert_eq!(bvh.nodes_visited(), 0);
    bvh.insert(100_000, Aabb32 { min: [5.0, 5.0], max: [6.0, 6.0] }, Filter::default(), true);
    assert!(!pairs(&mut bvh).is_empty());
    assert!(bvh.nodes_visited() < 20, "{} nodes for one moving box", bvh.nodes_visited());
}

fn visits(bvh: &Bvh, queries: &[Aabb32]) -> usize {
    queries.iter().map(|&query| bvh.count_visits(query)).sum()
}

/// Promise: after 10⁶ moves a query costs at most 1.5 times that of a fresh tree, in nodes.
#[test]
fn a_tree_stays_good_while_boxes_move() {
    for (name, jump) in [("drift", 0.05), ("hops", 3.0), ("teleports", 1e3)] {
        let mut rng = Rng::with_seed(7);
        let mut boxes = uniform(2_000, &mut rng, true);
        let mut bvh = Bvh::from_boxes(boxes.iter().copied());
        let velocities: Vec<[f32; 2]> = (0..2_000).map(|_| [0, 1].map(|_| (rng.f32() - 0.5) * jump)).collect();
        let queries: Vec<Aabb32> = (0..300).map(|_| square(&mut rng, 63.0, 1.0)).collect();
        let mut worst = 0.0_f64;
        for step in 0..500 {
            for (entry, velocity) in boxes.iter_mut().zip(&velocities) {
                let (side, aabb) = (63.2, &mut entry.1);
                for (axis, displacement) in velocity.iter().enumerate() {
                    let (low, size) = (aabb.min[axis] + displacement, aabb.max[axis] - aabb.min[axis]);
                    aabb.min[axis] = low.rem_euclid(side);
                    aabb.max[axis] = aabb.min[axis] + size;
                }
                bvh.update(entry.0, entry.1);
            }
            if step % 25 == 24 {
                let fresh = Bvh::from_boxes(boxes.iter().copied());
                worst = worst.max(visits(&bvh, &queries) as f64 / visits(&fresh, &queries) as f64);
            }
        }
        println!("{name}: at worst {worst:.3} times the nodes of a fresh tree");
        assert!(worst <= 1.5, "{name}: {worst}");
    }
}

/// Promise: a tree grown one by one is as good, and stays so when boxes go.
#[test]
fn a_tree_stays_good_while_boxes_come_and_go() {
    let mut rng = Rng::with_seed(3);
    let boxes = uniform(20_000, &mut rng, false);
    let queries: Vec<Aabb32> = (0..500).map(|_| square(&mut rng, 200.0, 1.0)).collect();
    let mut bvh = Bvh::new();
    for (count, &(id, aabb, filter, moving)) in boxes.iter().enumerate() {
        bvh.insert(id, aabb, filter, moving);
        if count % 4_000 == 3_999 {
            let fresh = Bvh::from_boxes(boxes[..=count].iter().copied());
            let ratio = visits(&bvh, &queries) as f64 / visits(&fresh, &queries) as f64;
            println!("{count}: {ratio:.3}");
            assert!(ratio <= 1.5, "{ratio} after {count} insertions");
        }
    }
    for (count, &(id, ..)) in boxes[1_000..].iter().enumerate() {
        bvh.remove(id);
        if count % 3_000 == 2_999 {
            let left = boxes[..1_000].iter().chain(&boxes[1_001 + count..]).copied();
            let ratio = visits(&bvh, &queries) as f64 / visits(&Bvh::from_boxes(left), &queries) as f64;
            println!("{count}: {ratio:.3}");
            assert!(ratio <= 1.5, "{ratio} after {count} removals");
        }
    }
}

/// Promise: no allocation in a steady frame on one thread, packing anew included.
#[test]
fn a_steady_frame_allocates_nothing() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(steady_frame);
}

fn steady_frame() {
    let mut rng = Rng::with_seed(9);
    let mut boxes = uniform(3_000, &mut rng, true);
    let mut bvh = Bvh::from_boxes(boxes.iter().copied());
    let mut found = Vec::with_capacity(100_000);
    let mut frame = |bvh: &mut Bvh, rng: &mut Rng| {
        for (id, aabb, ..) in &mut boxes {
            let step = [0, 1].map(|_| rng.f32() * 0.2 - 0.1);
            for (axis, displacement) in step.into_iter().enumerate() {
                aabb.min[axis] += displacement;
                aabb.max[axis] += displacement;
            }
            bvh.update(*id, *aabb);
        }
        found.clear();
        bvh.pairs(&mut found);
    };
    for _ in 0..50 {
        frame(&mut bvh, &mut rng);
    }
    let seen = allocation_counter::measure(|| (0..100).for_each(|_| frame(&mut bvh, &mut rng)));
    assert_eq!(seen.count_total, 0);
}

/// Law: a visit that breaks is over.
#[test]
fn visits_end_on_break() {
    let mut rng = Rng::with_seed(2);
    let bvh = Bvh::from_boxes(uniform(1_000, &mut rng, false));
    let all = Aabb32 { min: [-1e9; 2], max: [1e9; 2] };
    for enough in [1, 7, 100] {
        let mut count = 0;
        let mut once = |_: u32| {
            count += 1;
            if count % enough == 0 { Break(()) } else { Continue(()) }
        };
        bvh.query_aabb(all, &mut once);
        bvh.query_ray(&ray([0.0, 0.0], [50.0, 50.0], 1e3), &mut once);
        bvh.visit_by_distance([0.0; 2], &mut |id, _| once(id));
        bvh.find_nearest([0.0; 2], 1e9, &mut |id| once(id).map_continue(|()| 1e9));
        assert_eq!(count, 4 * enough);
    }
}
