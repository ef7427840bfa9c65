//! Queries of [`Adaptive`] before and after it builds a BVH beside its strips.

use std::ops::ControlFlow::{self, Continue};

use carom::broad_phase::{Aabb32, Adaptive, BroadPhase, BruteForce, Filter, LocalOrigin, LocalRay};
use carom::{DVec2, Ray};
use fastrand::Rng;

use crate::support::run::seed;

const COUNT: usize = 300;
const NOWHERE: Aabb32 = Aabb32 { min: [f32::NAN; 2], max: [f32::NAN; 2] };

fn local_ray(from: [f64; 2], displacement: [f64; 2]) -> LocalRay {
    LocalOrigin::new(DVec2::ZERO).localize_ray(&Ray::new(from, displacement).unwrap())
}

fn anywhere(rng: &mut Rng) -> Aabb32 {
    let min = [rng.f32() * 40.0, rng.f32() * 40.0];
    Aabb32 { min, max: [min[0] + rng.f32() * 3.0, min[1] + rng.f32() * 3.0] }
}

/// Ids that a query visits, sorted.
fn visited(query: impl FnOnce(&mut dyn FnMut(u32) -> ControlFlow<()>)) -> Vec<u32> {
    let mut ids = Vec::new();
    query(&mut |id| {
        ids.push(id);
        Continue(())
    });
    ids.sort_unstable();
    ids
}

/// Answers of all kinds of queries at one place: ids in a box by both forms, ids on a ray by both
/// forms, the distances of all boxes, and the least distance.
#[derive(Debug, PartialEq)]
struct Answers {
    in_box: [Vec<u32>; 2],
    on_ray: [Vec<u32>; 2],
    distances: Vec<f64>,
    least: f64,
}

/// Runs `kind`, or all kinds if it is above 5, on `broad`. Other answers are empty.
fn answers(broad: &dyn BroadPhase, boxes: &[Option<Aabb32>], kind: u32, region: Aabb32) -> Answers {
    let [from, to] = [region.min, region.max].map(|corner| corner.map(f64::from));
    let ray = local_ray(from, [(to[0] - from[0]) * 4.0 - 5.0, (to[1] - from[1]) * 4.0 - 5.0]);
    let runs = |this: u32| kind == this || kind > 5;
    let distance = |id: u32| boxes[id as usize].unwrap().distance(from);
    let mut answers = Answers { in_box: Default::default(), on_ray: Default::default(), distances: vec![], least: 1e9 };
    if runs(0) {
        answers.in_box[0] = visited(|visit| broad.query_aabb(region, visit));
    }
    if runs(1) {
        broad.visit_boxes(&[region], &mut |_, id| answers.in_box[1].push(id));
        answers.in_box[1].sort_unstable();
    }
    if runs(2) {
        answers.on_ray[0] = visited(|visit| broad.query_ray(&ray, visit));
    }
    if runs(3) {
        answers.on_ray[1] = visited(|visit| broad.cast_ray(&ray, &mut |id| visit(id).map_continue(|()| 1.0)));
    }
    if runs(4) {
        broad.visit_by_distance(from, &mut |_, distance| {
            answers.distances.push(distance);
            Continue(())
        });
    }
    if runs(5) {
        broad.find_nearest(from, 1e9, &mut |id| {
            answers.least = answers.least.min(distance(id));
            Continue(answers.least)
        });
    }
    answers
}

/// Law: box, ray and distance queries return the same as brute force, in any sequence of changes,
/// pair searches and queries.
#[test]
fn queries_agree_with_brute_force_before_and_after_the_tree_is_built() {
    let seed = seed();
    let (mut rng, mut long_bursts) = (Rng::with_seed(seed), 0);
    let (mut auto, mut brute) = (Adaptive::new(), BruteForce::new());
    let mut boxes = vec![None; COUNT];
    for step in 0..6_000 {
        let id = rng.usize(..COUNT);
        let broads: [&mut dyn BroadPhase; 2] = [&mut auto, &mut brute];
        // Changes come one by one or in a row, so periods without queries occur, too.
        match rng.u32(..if step < 600 { 3 } else { 16 }) {
            0 | 1 => {
                let (aabb, moving) = (anywhere(&mut rng), rng.u8(..) > 5);
                for broad in broads {
                    broad.insert(id as u32, aabb, Filter::default(), moving);
                }
                boxes[id] = Some(aabb);
            }
            2 => {
                for broad in broads {
                    broad.remove(id as u32);
                }
                boxes[id] = None;
            }
            3 | 4 => {
                let aabb = anywhere(&mut rng);
                boxes[id] = boxes[id].map(|_| aabb);
                for broad in broads {
                    broad.update(id as u32, aabb);
                }
            }
            5 => {
                let (ids, new) = ([id as u32, (id as u32 + 7) % COUNT as u32], [0; 2].map(|_| anywhere(&mut rng)));
                for (&id, new) in ids.iter().zip(new) {
                    boxes[id as usize] = boxes[id as usize].map(|_| new);
                }
                for broad in broads {
                    broad.update_many(&ids, &new);
                }
            }
            6 => {
                for aabb in boxes.iter_mut().flatten() {
                    for k in 0..2 {
                        let displacement = rng.f32() - 0.5;
                        (aabb.min[k], aabb.max[k]) = (aabb.min[k] + displacement, aabb.max[k] + displacement);
                    }
                }
                let all: Vec<Aabb32> = boxes.iter().map(|aabb| aabb.unwrap_or(NOWHERE)).collect();
                for broad in broads {
                    broad.update_all(&all);
                }
            }
            7..10 => {
                // Several searches, so that the queries before them do not select the BVH for long.
                let found = broads.map(|broad| {
                    let mut pairs = Vec::new();
                    for _ in 0..12 {
                        pairs.clear();
                        broad.pairs(&mut pairs);
                    }
                    pairs.sort_unstable();
                    pairs
                });
                assert_eq!(found[0], found[1], "CAROM_SEED={seed}, step {step}");
            }
            _ => {
                let (queries, kind) = (rng.usize(..20), rng.u32(..8));
                long_bursts += usize::from(queries > 8 && auto.stats().strategy == "strips");
                for query in 0..queries {
                    let region = anywhere(&mut rng);
                    assert_eq!(
                        answers(&auto, &boxes, kind, region),
                        answers(&brute, &boxes, kind, region),
                        "CAROM_SEED={seed}, step {step}, query {query} of kind {kind}: {region:?}"
                    );
                }
            }
        }
    }
    assert!(long_bursts > 300, "{long_bursts} bursts of queries that build a tree beside the strips");
}

/// Length of the row in the tests below.
const ROW: u32 = 2_000;

/// A row of boxes along x that all move, after a pair search.
fn row() -> (Adaptive, Vec<Aabb32>) {
    let tile = |id: u32| Aabb32 { min: [id as f32, 0.0], max: [id as f32 + 0.75, 1.0] };
    let (mut auto, boxes) = (Adaptive::new(), (0..ROW).map(tile).collect::<Vec<_>>());
    (0..).zip(&boxes).for_each(|(id, &aabb)| auto.insert(id, aabb, Filter::default(), true));
    auto.pairs(&mut Vec::new());
    assert_eq!(auto.stats().strategy, "strips");
    (auto, boxes)
}

/// Casts a ray along the row. Returns the number of visited boxes: all if each box is tested, and
/// only those near the begin of the ray if a tree visits near boxes first.
fn visits(auto: &Adaptive) -> usize {
    let (mut visits, mut first) = (0, 1.0_f64);
    auto.cast_ray(&local_ray([-1.0, 0.5], [f64::from(ROW), 0.0]), &mut |id| {
        visits += 1;
        first = first.min((1.0 + f64::from(id)) / f64::from(ROW));
        Continue(first)
    });
    assert_eq!(first, 1.0 / f64::from(ROW), "the first box of the row is visited");
    visits
}

/// A ray that visits at most this many boxes did not test every box.
const FEW: usize = 64;

/// Law: without changes, only the first queries test every box. Regression: each query did, because
/// only a pair search selected a strategy.
#[test]
fn many_rays_without_changes_do_not_test_every_box() {
    let (mut auto, _) = row();
    let linear = (0..1_000).filter(|_| visits(&auto) > FEW).count();
    assert_eq!((linear, auto.stats().strategy), (7, "strips"), "of 1000 rays");
    // A change drops the tree.
    auto.update(3, Aabb32 { min: [3.0, 0.0], max: [3.5, 1.0] });
    assert_eq!(visits(&auto), ROW as usize);
}

/// Moves all boxes of the row a little along y.
fn sink(auto: &mut Adaptive, boxes: &mut [Aabb32]) {
    for aabb in &mut *boxes {
        (aabb.min[1], aabb.max[1]) = (aabb.min[1] - 0.01, aabb.max[1] - 0.01);
    }
    auto.update_all(boxes);
}

/// Law: if each period between changes needs the tree, its first ray builds it.
#[test]
fn periods_with_many_rays_build_the_tree_at_the_first_ray() {
    let (mut auto, mut boxes) = row();
    let linear = [0; 8].map(|_| {
        sink(&mut auto, &mut boxes);
        (0..10).filter(|_| visits(&auto) > FEW).count()
    });
    assert_eq!((linear, auto.stats().strategy), ([7, 7, 7, 0, 0, 0, 0, 0], "strips"));
}

/// Law: ten rays per pair search select the BVH after several searches; one ray does not. Then no
/// tree is built in each frame. Regression: only 32 rays per pair search did.
#[test]
fn ten_rays_per_frame_select_the_tree() {
    for (rays, strategy) in [(10, "bvh"), (1, "strips")] {
        let (mut auto, mut boxes) = row();
        for _ in 0..12 {
            sink(&mut auto, &mut boxes);
            auto.pairs(&mut Vec::new());
            let linear = (0..rays).filter(|_| visits(&auto) > FEW).count();
            assert!(linear <= 7, "{linear} of {rays} rays");
        }
        assert_eq!(auto.stats().strategy, strategy, "{rays} rays");
    }
}

/// Law: a tree that would serve one query is not built.
#[test]
fn one_ray_after_each_change_builds_no_tree() {
    let (mut auto, boxes) = row();
    for (id, &aabb) in (0..50).zip(&boxes) {
        auto.update(id, aabb);
        assert_eq!(visits(&auto), ROW as usize);
    }
}

/// Law: threads that query at the same time return the same, while one or several build the tree.
#[test]
fn concurrent_queries_agree() {
    let (mut auto, boxes) = row();
    for round in 0..50 {
        auto.update(round, boxes[round as usize]);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for id in 0..20 {
                        let point = boxes[id * 90].min;
                        let hits = visited(|visit| auto.visit_point(point, visit));
                        assert_eq!(hits, [id as u32 * 90]);
                        visits(&auto);
                    }
                });
            }
        });
    }
}
