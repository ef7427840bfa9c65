//! Random frames: every broad phase finds the pairs of the definition after any moves, insertions
//! and removals. With the feature `parallel` their order is the same for any number of threads.
//!
//! `CAROM_FRAMES` sets how many frames are tried (10 000 for the full count), `CAROM_SEED` where they begin.

use carom::broad_phase::{Aabb32, Adaptive, BroadPhase, Bvh, Filter, StripSweep};
use fastrand::Rng;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::support::broads;
use crate::support::run::{from_environment, seed};

/// A crowd in motion.
struct Scene {
    rng: Rng,
    kind: u32,
    objects: Vec<Option<Object>>,
}

#[derive(Clone, Copy)]
struct Object {
    aabb: Aabb32,
    velocity: [f32; 2],
    filter: Filter,
    moving: bool,
}

impl Scene {
    fn new(seed: u64) -> Self {
        let mut rng = Rng::with_seed(seed);
        // Mostly small; every so often as many as brute force can bear.
        let most = if rng.u32(..40) == 0 { 2_000 } else { 150 };
        let (n, kind) = (rng.usize(1..most), rng.u32(..9));
        Self::of(n, kind, rng)
    }

    fn of(n: usize, kind: u32, rng: Rng) -> Self {
        let mut scene = Self { rng, kind, objects: Vec::new() };
        scene.objects = (0..n).map(|_| Some(scene.object(n))).collect();
        scene
    }

    /// Uniform, two decades of sizes, a cluster, lines along x and y, one spot, a coarse grid, far
    /// apart, a giant now and then.
    fn object(&mut self, n: usize) -> Object {
        let rng = &mut self.rng;
        let side = (n as f32 * 2.0).sqrt();
        let mut at = [rng.f32() * side, rng.f32() * side];
        let mut half = [0.5, 0.5];
        match self.kind {
            1 => half = [0.1 / (1.0 - 0.99 * rng.f32()); 2],
            2 if rng.u32(..10) > 0 => at = at.map(|x| x * 0.01 + 0.4 * side),
            3 => at = [at[0] * side, 0.25],
            4 => at = [0.25, at[1] * side],
            5 => at = at.map(|x| x * 1e-3),
            6 => at = at.map(f32::round),
            7 if rng.u32(..20) == 0 => at = at.map(|x| (x - 3.0) * 1e6),
            8 if rng.u32(..20) == 0 => half = [side * rng.f32(), side * rng.f32()],
            _ => {}
        }
        // All collide with all, or a few layers, or many groups.
        let filter = match rng.u32(..2) * (self.kind % 4) {
            1 => Filter { layers: 1 << rng.u32(..3), mask: rng.u64(..8), group: rng.u32(..3) },
            2 => Filter { group: rng.u32(..200), ..Filter::default() },
            3 => Filter { layers: 1, mask: rng.u64(..) << 1 | u64::from(rng.u32(..4) == 0), group: 0 },
            _ => Filter::default(),
        };
        let velocity = [rng.f32() * 0.2 - 0.1, rng.f32() * 0.2 - 0.1];
        let aabb = Aabb32 { min: [at[0] - half[0], at[1] - half[1]], max: [at[0] + half[0], at[1] + half[1]] };
        Object { aabb, velocity, filter, moving: rng.u32(..5) > 0 }
    }

    /// Moves most, lets some come, go, jump or take another filter; tells all broad phases.
    fn step<B: BroadPhase + ?Sized>(&mut self, broads: &mut [Box<B>]) {
        let n = self.objects.len();
        let churn = if self.rng.u32(..10) == 0 { 3 } else { 100 };
        for id in 0..n {
            if self.rng.usize(..churn) > 0 {
                if let Some(object) = self.objects[id].as_mut().filter(|o| o.moving) {
                    let shifted = |corner: [f32; 2]| [corner[0] + object.velocity[0], corner[1] + object.velocity[1]];
                    object.aabb = Aabb32 { min: shifted(object.aabb.min), max: shifted(object.aabb.max) };
                    for b in &mut *broads {
                        b.update(id as u32, object.aabb);
                    }
                }
                continue;
            }
            let fresh = self.object(n);
            match (self.rng.u32(..4), &mut self.objects[id]) {
                (0, slot) => {
                    *slot = None;
                    for b in &mut *broads {
                        b.remove(id as u32);
                    }
                }
                (1, Some(object)) => {
                    object.aabb = fresh.aabb;
                    for b in &mut *broads {
                        b.update(id as u32, fresh.aabb);
                    }
                }
                (_, slot) => {
                    *slot = Some(fresh);
                    for b in &mut *broads {
                        b.insert(id as u32, fresh.aabb, fresh.filter, fresh.moving);
                    }
                }
            }
        }
    }

    /// Moves all that can move a good way: by id where everything is now.
    fn rush(&mut self) -> Vec<Aabb32> {
        let moved = |object: &mut Object| {
            let displacement = object.velocity.map(|v| if object.moving { 4.0 * v } else { 0.0 });
            let shifted = |corner: [f32; 2]| [corner[0] + displacement[0], corner[1] + displacement[1]];
            object.aabb = Aabb32 { min: shifted(object.aabb.min), max: shifted(object.aabb.max) };
            object.aabb
        };
        // An absent id may be given any box.
        self.objects
            .iter_mut()
            .map(|object| object.as_mut().map_or(Aabb32 { min: [0.0; 2], max: [9.0; 2] }, moved))
            .collect()
    }

    fn pairs(&self) -> Vec<[u32; 2]> {
        let mut pairs = Vec::new();
        for (i, a) in self.objects.iter().enumerate() {
            for (j, b) in self.objects.iter().enumerate().skip(i + 1) {
                let (Some(a), Some(b)) = (a, b) else { continue };
                let near = (0..2).all(|k| a.aabb.min[k] <= b.aabb.max[k] && b.aabb.min[k] <= a.aabb.max[k]);
                if near && (a.moving || b.moving) && a.filter.should_collide(b.filter) {
                    pairs.push([i as u32, j as u32]);
                }
            }
        }
        pairs
    }
}

/// Returns the number of frames to try.
fn frames() -> u64 {
    from_environment("CAROM_FRAMES").unwrap_or(1_200)
}

#[test]
fn all_find_the_same_pairs_in_random_frames() {
    let (frames, seed) = (frames(), seed());
    let (mut done, mut seen) = (0, 0);
    for seed in seed.. {
        let mut scene = Scene::new(seed);
        let mut broads = Vec::from(broads::all());
        // A grid that receives everything last to first.
        broads.push(Box::new(StripSweep::new()));
        let last = broads.len() - 1;
        for (id, object) in scene.objects.iter().enumerate() {
            let Object { aabb, filter, moving, .. } = object.unwrap();
            broads[..last].iter_mut().for_each(|b| b.insert(id as u32, aabb, filter, moving));
        }
        for (id, object) in scene.objects.iter().enumerate().rev() {
            let Object { aabb, filter, moving, .. } = object.unwrap();
            broads[last].insert(id as u32, aabb, filter, moving);
        }
        for frame in 0..20 {
            let expected = scene.pairs();
            seen += expected.len();
            for broad in &mut broads {
                let mut pairs = vec![[7, 7]];
                broad.pairs(&mut pairs);
                assert_eq!(pairs[0], [7, 7], "{} must append", broad.name());
                pairs[1..].sort_unstable();
                assert!(
                    pairs[1..] == expected,
                    "{} differs in frame {frame} of CAROM_SEED={seed}, kind {}",
                    broad.name(),
                    scene.kind
                );
            }
            done += 1;
            if done >= frames {
                assert!(seen as u64 > 10 * frames, "only {seen} pairs in {frames} frames");
                return;
            }
            scene.step(&mut broads);
        }
    }
}

/// Promise: any number of threads finds the same pairs in the same order; and those are the pairs of the definition.
#[test]
fn any_number_of_threads_finds_the_same_pairs_in_the_same_order() {
    let (scenes, seed) = (frames().div_ceil(100), seed());
    let pools = [1, 2, 3, 5].map(|count| ThreadPoolBuilder::new().num_threads(count).build().unwrap());
    for seed in seed..seed + scenes {
        let mut rng = Rng::with_seed(seed);
        // Enough for several threads. Without the kinds in which nearly all boxes intersect.
        let (n, kind) = ([300, 1_900, 2_500, 4_500][rng.usize(..4)], [0, 1, 3, 4, 6, 7, 8][rng.usize(..7)]);
        let mut scene = Scene::of(n, kind, rng);
        // For each number of threads one of each kind.
        let mut broads: Vec<Box<dyn BroadPhase + Send>> = Vec::new();
        for _ in &pools {
            broads.extend([
                Box::new(StripSweep::new()) as Box<dyn BroadPhase + Send>,
                Box::new(Bvh::new()),
                Box::new(Adaptive::new()),
            ]);
        }
        for (id, object) in scene.objects.iter().enumerate() {
            let Object { aabb, filter, moving, .. } = object.unwrap();
            for b in &mut broads {
                b.insert(id as u32, aabb, filter, moving);
            }
        }
        for frame in 0..3 {
            let expected = scene.pairs();
            let found: Vec<_> =
                broads.chunks_mut(3).zip(&pools).flat_map(|(broads, pool)| all_pairs(broads, pool)).collect();
            for (i, (name, pairs)) in found.iter().enumerate() {
                let context = format!("{name} in frame {frame} of CAROM_SEED={seed}, kind {}", scene.kind);
                assert!(
                    *pairs == found[i % 3].1,
                    "another order on {} threads: {context}",
                    pools[i / 3].current_num_threads()
                );
                if i < 3 {
                    let mut sorted = pairs.clone();
                    sorted.sort_unstable();
                    assert!(sorted == expected, "{context}");
                }
            }
            let boxes = scene.rush();
            for (broads, pool) in broads.chunks_mut(3).zip(&pools) {
                pool.install(|| broads.iter_mut().for_each(|b| b.update_all(&boxes)));
            }
            scene.step(&mut broads);
        }
    }
}

/// Pairs that each broad phase finds on the threads of a pool.
fn all_pairs(broads: &mut [Box<dyn BroadPhase + Send>], pool: &ThreadPool) -> Vec<(&'static str, Vec<[u32; 2]>)> {
    let pairs_of = |broad: &mut Box<dyn BroadPhase + Send>| {
        let mut pairs = Vec::new();
        broad.pairs(&mut pairs);
        (broad.name(), pairs)
    };
    pool.install(|| broads.iter_mut().map(pairs_of).collect())
}

/// All on one spot, and filters that rule every pair out: nothing may be tried pair by pair, or
/// this would take minutes.
#[test]
fn filtered_pairs_cost_nothing_in_a_crowd() {
    let n = 100_000;
    let filters: [fn(u32) -> Filter; 4] = [
        |_| Filter { layers: 1, mask: 2, group: 0 },
        |_| Filter { group: 5, ..Filter::default() },
        |id| Filter { layers: 1, mask: u64::from(id) << 1, group: 0 },
        // Each one's mask has the next one's layer, and no two have each other's.
        |id| Filter { layers: 1 << (id % 60), mask: 1 << ((id + 1) % 60), group: 0 },
    ];
    for filter in filters {
        let mut grid = StripSweep::new();
        for id in 0..n {
            let x = id as f32 * 1e-6;
            grid.insert(id, Aabb32 { min: [x, 0.0], max: [x + 1.0, 1.0] }, filter(id), true);
        }
        let mut pairs = Vec::new();
        grid.pairs(&mut pairs);
        assert_eq!(pairs.len(), 0);
        // A box that intersects all others is found with each, at a cost linear in n.
        grid.insert(
            n,
            Aabb32 { min: [0.0; 2], max: [1.0; 2] },
            Filter { layers: u64::MAX, mask: u64::MAX, group: 0 },
            true,
        );
        grid.pairs(&mut pairs);
        let expected = (0..n)
            .filter(|&id| filter(id).should_collide(Filter { layers: u64::MAX, mask: u64::MAX, group: 0 }))
            .count();
        assert_eq!(pairs.len(), expected);
        // Tests of several at once: far fewer than the 5 billion pairs.
        assert!(grid.stats().box_tests < 10 * u64::from(n), "{:?}", grid.stats());
    }
}

/// P29: the first search after everything came in does at most 3 times the tests of one where
/// everything moved a little.
#[test]
fn the_first_search_does_little_more_than_a_steady_one() {
    for n in [1_000_u32, 10_000, 100_000] {
        let mut rng = Rng::with_seed(u64::from(n));
        let side = (2.0 * n as f32).sqrt();
        let mut boxes: Vec<Aabb32> = (0..n).map(|_| [rng.f32() * side, rng.f32() * side]).map(around).collect();
        let (mut auto, mut pairs) = (Adaptive::new(), Vec::new());
        (0..n).zip(&boxes).for_each(|(id, &aabb)| auto.insert(id, aabb, Filter::default(), true));
        auto.pairs(&mut pairs);
        let first = auto.stats().box_tests;
        let mut steady = Vec::new();
        for _ in 0..5 {
            for b in &mut boxes {
                *b = around(b.min.map(|x| x + 0.1 * (rng.f32() - 0.5)));
            }
            auto.update_all(&boxes);
            auto.pairs(&mut pairs);
            steady.push(auto.stats().box_tests);
        }
        steady.sort_unstable();
        assert!(
            auto.stats().strategy == "strips" && first > 0 && first <= 3 * steady[2],
            "{n} boxes: {first} tests, then {steady:?}"
        );
    }
}

/// A box of side 1.
fn around(min: [f32; 2]) -> Aabb32 {
    Aabb32 { min, max: min.map(|x| x + 1.0) }
}
