//! Compares every broad phase with the definition: a pair is reported if its boxes intersect, its
//! filters allow it, and one of both boxes moves.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use carom::broad_phase::{
    Aabb32, Adaptive, BroadPhase, BruteForce, Bvh, CoherentSortAndSweep, Filter, LocalOrigin, SortAndSweep, StripSweep,
    SweepAndPrune,
};
use carom::{Aabb, DVec2, Ray};
use fastrand::Rng;

use crate::support::broads;

/// A seeded source of boxes and filters.
struct Dice(Rng);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0.u64(..n)
    }

    /// On a coarse grid, so that many boxes share sides and corners.
    fn position(&mut self) -> f32 {
        self.below(40) as f32 * 0.5 - 10.0
    }

    fn aabb(&mut self) -> Aabb32 {
        let min = [self.position(), self.position()];
        Aabb32 { min, max: [min[0] + self.below(5) as f32, min[1] + self.below(5) as f32] }
    }

    fn filter(&mut self) -> Filter {
        Filter { layers: 1 << self.below(3), mask: self.below(8), group: self.below(4) as u32 }
    }
}

#[derive(Clone, Copy)]
struct Object {
    aabb: Aabb32,
    filter: Filter,
    moving: bool,
}

fn meet(a: &Aabb32, b: &Aabb32) -> bool {
    (0..2).all(|i| a.min[i] <= b.max[i] && b.min[i] <= a.max[i])
}

fn expected(objects: &BTreeMap<u32, Object>) -> Vec<[u32; 2]> {
    let mut pairs = Vec::new();
    for (&i, a) in objects {
        for (&j, b) in objects.range(i + 1..) {
            let layers = a.filter.mask & b.filter.layers != 0 && b.filter.mask & a.filter.layers != 0;
            let groups = a.filter.group == 0 || a.filter.group != b.filter.group;
            if layers && groups && (a.moving || b.moving) && meet(&a.aabb, &b.aabb) {
                pairs.push([i, j]);
            }
        }
    }
    pairs
}

fn visited(call: impl FnOnce(&mut dyn FnMut(u32) -> ControlFlow<()>)) -> Vec<u32> {
    let mut ids = Vec::new();
    call(&mut |id| {
        ids.push(id);
        ControlFlow::Continue(())
    });
    ids.sort_unstable();
    ids
}

fn run(broad: &mut dyn BroadPhase, seed: u64) {
    println!("{} with seed {seed}", broad.name());
    let (mut dice, mut objects, mut seen) = (Dice(Rng::with_seed(seed)), BTreeMap::new(), 0);
    for _ in 0..1_000 {
        let id = dice.below(60) as u32;
        match dice.below(4) {
            0 => {
                broad.remove(id);
                objects.remove(&id);
            }
            1 => {
                let aabb = dice.aabb();
                broad.update(id, aabb);
                if let Some(object) = objects.get_mut(&id) {
                    let object: &mut Object = object;
                    object.aabb = aabb;
                }
            }
            _ => {
                let object = Object { aabb: dice.aabb(), filter: dice.filter(), moving: dice.below(3) > 0 };
                broad.insert(id, object.aabb, object.filter, object.moving);
                objects.insert(id, object);
            }
        }
        let mut pairs = Vec::new();
        broad.pairs(&mut pairs);
        pairs.sort_unstable();
        assert_eq!(pairs, expected(&objects));
        seen += pairs.len();

        let region = dice.aabb();
        let inside: Vec<u32> = objects.iter().filter(|(_, o)| meet(&o.aabb, &region)).map(|(&id, _)| id).collect();
        assert_eq!(visited(|visit| broad.query_aabb(region, visit)), inside);
        let corner = Aabb32 { min: region.min, max: region.min };
        let holding: Vec<u32> = objects.iter().filter(|(_, o)| meet(&o.aabb, &corner)).map(|(&id, _)| id).collect();
        assert_eq!(visited(|visit| broad.visit_point(region.min, visit)), holding);
        check_ray(broad, &objects, &region);
        check_nearest(broad, &objects, region.min.map(f64::from));
    }
    assert!(seen > 3_000, "only {seen} pairs were reported: the test is empty");
}

/// All coordinates are on a grid, so the arithmetic is exact. A sampled ray finds no box that
/// `query_ray` misses. The distance of every visited box from the ray is 0.
fn check_ray(broad: &dyn BroadPhase, objects: &BTreeMap<u32, Object>, region: &Aabb32) {
    let (from, to) = (region.min.map(f64::from), region.max.map(f64::from));
    let ray = LocalOrigin::new(DVec2::ZERO).localize_ray(&Ray::new(from, [to[0] - from[0], to[1] - from[1]]).unwrap());
    let ids = visited(|visit| broad.query_ray(&ray, visit));
    for (id, object) in objects {
        let samples = (0..=64).map(|i| [0, 1].map(|k| from[k] + (to[k] - from[k]) * f64::from(i) / 64.0));
        let least = samples.map(|p| object.aabb.distance(p)).fold(f64::INFINITY, f64::min);
        if least == 0.0 {
            assert!(ids.contains(id));
        } else if least > 0.1 {
            assert!(!ids.contains(id));
        }
    }
}

fn check_nearest(broad: &dyn BroadPhase, objects: &BTreeMap<u32, Object>, point: [f64; 2]) {
    let mut found = Vec::new();
    broad.visit_by_distance(point, &mut |id, distance| {
        found.push((distance, id));
        if found.len() == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let outside = |min: f32, max: f32, x: f64| (f64::from(min) - x).max(x - f64::from(max)).max(0.0);
    let distance = |o: &Object| {
        outside(o.aabb.min[0], o.aabb.max[0], point[0]).hypot(outside(o.aabb.min[1], o.aabb.max[1], point[1]))
    };
    let mut all: Vec<f64> = objects.values().map(distance).collect();
    all.sort_by(f64::total_cmp);
    all.truncate(5);
    assert_eq!(found.len(), all.len());
    for ((distance, _), expected) in found.iter().zip(all) {
        assert!((distance - expected).abs() < 1e-12);
    }
}

#[test]
fn brute_force_is_the_definition() {
    run(&mut BruteForce::new(), 1);
}

#[test]
fn sweep_agrees() {
    for seed in 2..6 {
        run(&mut SortAndSweep::new(), seed);
    }
}

#[test]
fn the_textbook_agrees() {
    run(&mut CoherentSortAndSweep::new(), 10);
    run(&mut SweepAndPrune::new(), 11);
}

#[test]
fn auto_agrees() {
    for seed in 12..16 {
        run(&mut Adaptive::new(), seed);
    }
}

#[test]
fn grid_agrees() {
    for seed in 6..10 {
        run(&mut StripSweep::new(), seed);
    }
}

#[test]
fn bvh_agrees() {
    for seed in 6..10 {
        run(&mut Bvh::new(), seed);
    }
}

#[test]
fn boxes_are_rounded_outward_wherever_the_frame_is() {
    let mut dice = Dice(Rng::with_seed(9));
    for _ in 0..10_000 {
        let random = |dice: &mut Dice| (dice.below(1 << 30) as f64 - 5e8) * 1e-3 / (1 + dice.below(1000)) as f64;
        let (origin, min) =
            (DVec2::new(random(&mut dice), random(&mut dice)), DVec2::new(random(&mut dice), random(&mut dice)));
        let aabb = Aabb::new(min, min + DVec2::new(random(&mut dice).abs(), 0.0)).unwrap();
        let local = LocalOrigin::new(origin).to_local(&aabb);
        // Compared in integers of 2⁻¹⁰⁷⁴ would be exact; f64 differences of these magnitudes are
        // within an ulp, which f32 dwarfs.
        assert!(
            f64::from(local.min[0]) <= aabb.min().x - origin.x && f64::from(local.max[0]) >= aabb.max().x - origin.x
        );
        assert!(
            f64::from(local.min[0].next_up()) >= aabb.min().x - origin.x
                && f64::from(local.max[0].next_down()) <= aabb.max().x - origin.x
        );
    }
}

/// Strips whose lists are out of order test every box for a box query. So frequent queries, or
/// queries without pair searches, select the BVH.
#[test]
fn adaptive_selects_the_tree_after_many_queries() {
    let mut auto = Adaptive::new();
    for id in 0..1_000 {
        let x = id as f32;
        auto.insert(id, Aabb32 { min: [x, 0.0], max: [x + 1.5, 1.0] }, Filter::default(), true);
    }
    let run_queries = |auto: &Adaptive, times: usize| {
        for _ in 0..times {
            auto.visit_point([0.5, 0.5], &mut |_| ControlFlow::Continue(()));
        }
    };
    assert_eq!(auto.stats().strategy, "bvh", "nothing but questions so far");
    let mut search = |searches: usize, soon: bool| {
        if !soon {
            // One that comes anew is in no list.
            auto.insert(0, Aabb32 { min: [0.0, 0.0], max: [1.5, 1.0] }, Filter::default(), true);
        }
        run_queries(&auto, searches);
        auto.pairs(&mut Vec::new());
        auto.stats().strategy
    };
    assert_eq!(search(0, false), "strips", "no question, many movers");
    assert_eq!(search(1_000, true), "strips", "many questions, all of them soon after a search");
    assert_eq!(search(10, false), "strips", "a few questions");
    assert_eq!(search(1_000, false), "bvh", "many questions");
    let calm: Vec<&str> = (0..30).map(|_| search(0, false)).collect();
    assert!(calm[0] == "bvh" && calm[29] == "strips", "{calm:?}");
}

/// The grid plans its strips by the sizes and distances of boxes. Regression: equal points gave a
/// size of 0, and boxes of the largest width an infinite sum. The computed row was one of zero
/// rows: index out of bounds.
#[test]
fn boxes_without_sizes_or_distances_are_planned_for() {
    let point = |x: f32| Aabb32 { min: [x; 2], max: [x; 2] };
    let vast = Aabb32 { min: [f32::MIN; 2], max: [f32::MAX; 2] };
    let filters: [fn(u32) -> Filter; 2] =
        [|_| Filter::default(), |id| Filter { mask: 1, layers: if id == 0 { 3 } else { 2 }, group: 0 }];
    for (what, filter) in ["all meet", "only the first"].into_iter().zip(filters) {
        for (name, aabb) in [("points", point(1.0)), ("points at the origin", point(0.0)), ("vast ones", vast)] {
            for count in [1, 2, 60, 3_000] {
                let mut broads: [Box<dyn BroadPhase>; 3] =
                    [Box::new(StripSweep::new()), Box::new(Bvh::new()), Box::new(Adaptive::new())];
                for broad in &mut broads {
                    (0..count).for_each(|id| broad.insert(id, aabb, filter(id), id < 100));
                    let mut pairs = Vec::new();
                    broad.pairs(&mut pairs);
                    let meet = |a: u32, b: u32| a < 100 && filter(a).should_collide(filter(b));
                    let expected =
                        (0..count.min(100)).map(|a| (a + 1..count).filter(|&b| meet(a, b)).count()).sum::<usize>();
                    assert_eq!(pairs.len(), expected, "{count} {name}, {what}: {}", broad.name());
                }
            }
        }
    }
}

/// Meaning of any four numbers as a box: NaN is no box, and infinity is the largest number.
fn meaning(aabb: &Aabb32) -> Option<Aabb32> {
    let is_box = (0..2).all(|i| aabb.min[i] <= aabb.max[i]);
    let finite = |side: [f32; 2]| side.map(|x| x.clamp(f32::MIN, f32::MAX));
    is_box.then(|| Aabb32 { min: finite(aabb.min), max: finite(aabb.max) })
}

/// P22: a box of NaN, or an inverted one, does not affect the others. The textbook broad phases
/// lost pairs behind it, the strips reported pairs with it, and missed pairs of infinite boxes.
#[test]
fn any_bits_make_the_same_pairs_everywhere() {
    let odd = [f32::NAN, -f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, 1e-45, -0.0, 0.0, 7.0];
    for seed in 0..24 {
        let mut dice = Dice(Rng::with_seed(seed));
        let n = [3, 30, 100][seed as usize % 3];
        let any = |dice: &mut Dice| {
            let mut sides = [dice.position(), dice.position(), dice.position(), dice.position()];
            if seed % 4 > 0 {
                sides =
                    [sides[0].min(sides[2]), sides[1].min(sides[3]), sides[0].max(sides[2]), sides[1].max(sides[3])];
            }
            match seed % 4 {
                1 if dice.below(8) == 0 => sides[dice.below(4) as usize] = odd[dice.below(2) as usize],
                2 => sides = sides.map(|x| if dice.below(4) == 0 { odd[2 + dice.below(8) as usize] } else { x }),
                3 => sides = sides.map(|_| f32::from_bits(dice.below(1 << 31) as u32 * 2 + dice.below(2) as u32)),
                _ => {}
            }
            Aabb32 { min: [sides[0], sides[1]], max: [sides[2], sides[3]] }
        };
        let mut boxes: Vec<Aabb32> = (0..n).map(|_| any(&mut dice)).collect();
        let mut broads = broads::all();
        for broad in &mut broads {
            (0..).zip(&boxes).for_each(|(id, &aabb)| broad.insert(id, aabb, Filter::default(), true));
        }
        for step in 0..8 {
            let query = any(&mut dice);
            let is_reported =
                |a: &Aabb32, b: &Aabb32| matches!((meaning(a), meaning(b)), (Some(a), Some(b)) if meet(&a, &b));
            let ids: Vec<u32> =
                (0..).zip(&boxes).filter(|(_, aabb)| is_reported(aabb, &query)).map(|(id, _)| id).collect();
            let all = (0..n).flat_map(|a| (a + 1..n).map(move |b| [a, b]));
            let expected: Vec<[u32; 2]> =
                all.filter(|[a, b]| is_reported(&boxes[*a as usize], &boxes[*b as usize])).collect();
            for broad in &mut broads {
                let (mut pairs, name) = (Vec::new(), broad.name());
                for when in ["before the search", "after it"] {
                    assert_eq!(
                        visited(|visit| broad.query_aabb(query, visit)),
                        ids,
                        "{name}, seed {seed}, step {step}, {query:?} {when}"
                    );
                    let mut many = Vec::new();
                    broad.visit_boxes(&[query], &mut |_, id| many.push(id));
                    many.sort_unstable();
                    assert_eq!(many, ids, "{name}, seed {seed}, step {step}, {query:?} {when}");
                    pairs.clear();
                    broad.pairs(&mut pairs);
                }
                pairs.sort_unstable();
                assert_eq!(pairs, expected, "{name}, seed {seed}, step {step}");
                let (mut last, mut seen) = (0.0, 0);
                broad.visit_by_distance([0.5, -3.0], &mut |_, distance| {
                    assert!(distance >= last, "{name}, seed {seed}: {distance} after {last}");
                    (last, seen) = (distance, seen + 1);
                    ControlFlow::Continue(())
                });
                assert_eq!(seen, n);
            }
            if step % 2 == 0 {
                boxes = boxes.iter().map(|&aabb| if dice.below(2) == 0 { any(&mut dice) } else { aabb }).collect();
                for broad in &mut broads {
                    broad.update_all(&boxes);
                }
            } else {
                let id = dice.below(u64::from(n)) as u32;
                boxes[id as usize] = any(&mut dice);
                for broad in &mut broads {
                    broad.update(id, boxes[id as usize]);
                }
            }
        }
    }
}
