//! `distance_cached` returns the bits of `distance`, for any content of the cache.

use carom::query::{Distance, DistanceCache, distance_cached};
use carom::{DVec2, Mask, Placed, Pose, Shape, distance};

use crate::support::dice::Dice;
use crate::support::{run, shapes};

/// All numbers of an answer.
fn bits(found: &Distance) -> ([u64; 5], [u32; 2]) {
    let (p, q) = (found.point_a, found.point_b);
    ([found.distance, p.x, p.y, q.x, q.y].map(f64::to_bits), [found.part_a, found.part_b])
}

fn assert_same(a: Placed<'_>, b: Placed<'_>, cache: &mut DistanceCache, story: &dyn Fn() -> String) -> f64 {
    let before = *cache;
    let (found, expected) = (distance_cached(a, b, cache), distance(a, b));
    assert_eq!(bits(&found), bits(&expected), "from {before:?}: {found:?} instead of {expected:?}\n{}", story());
    expected.distance
}

/// Pose that moves a little per frame, sometimes far, and sometimes onto the lattice, where edges
/// are parallel and vertices touch.
struct Drift {
    at: DVec2,
    angle: f64,
    step: DVec2,
    turn: f64,
    grid: bool,
}

impl Drift {
    fn new(dice: &mut Dice, extent: f64) -> Self {
        let speed = dice.magnitude(1e-9, 0.3) * extent;
        Self {
            at: dice.in_disk(2.5 * extent),
            angle: dice.angle(),
            step: dice.in_disk(speed),
            turn: if dice.chance(0.3) { 0.0 } else { dice.between(-0.2, 0.2) },
            grid: dice.chance(0.2),
        }
    }

    fn next(&mut self, dice: &mut Dice, extent: f64, origin: DVec2) -> Pose {
        if dice.chance(0.02) {
            *self = Self::new(dice, extent);
        }
        self.at += self.step;
        self.angle += self.turn;
        if self.grid {
            let unit = extent / 4.0;
            let at = (self.at / unit).round() * unit;
            return Pose::from_degrees(origin + at, 90.0 * (self.angle * 4.0).round()).unwrap();
        }
        Pose::new(origin + self.at, self.angle).unwrap()
    }
}

/// Any convex shape, or one of many vertices.
fn convex(dice: &mut Dice, size: f64) -> Shape {
    if dice.chance(0.5) {
        return shapes::any(dice, size).build().unwrap();
    }
    let count = dice.count(9, 80);
    let (radius, flatness) = (if dice.chance(0.3) { 0.1 * size } else { 0.0 }, dice.magnitude(1e-3, 1.0));
    Shape::polygon(&shapes::ring(dice, count, size / 2.0, flatness)).unwrap().rounded(radius).unwrap()
}

/// Frames of one pair with one cache.
fn frames(seed: u64, index: u64, make: fn(&mut Dice, f64) -> Shape, count: usize) -> [usize; 2] {
    let mut dice = Dice::new(seed, index);
    let size = dice.magnitude(1e-3, 1e3);
    let (a, b) = (make(&mut dice, size), make(&mut dice, size));
    let origin = if dice.chance(0.5) { DVec2::ZERO } else { dice.in_disk(1e7) };
    let mut cache = DistanceCache::default();
    let mut drifts = [Drift::new(&mut dice, size), Drift::new(&mut dice, size)];
    let mut seen = [0; 2];
    for frame in 0..count {
        let [p, q] = drifts.each_mut().map(|drift| drift.next(&mut dice, size, origin));
        let apart = assert_same(a.placed(p), b.placed(q), &mut cache, &|| {
            format!("seed {seed}, pair {index}, frame {frame}: {a:?} {p:?} {b:?} {q:?}")
        });
        seen[usize::from(apart > 0.0)] += 1;
    }
    seen
}

#[test]
fn convex_shapes_that_drift() {
    let seed = run::seed();
    let seen = (0..run::pairs(2_000))
        .map(|index| frames(seed, index, convex, 40))
        .fold([0; 2], |s, t| [s[0] + t[0], s[1] + t[1]]);
    assert!(seen.iter().all(|&times| times > 1_000), "met, apart: {seen:?}");
}

/// Outlines, chains, compounds and masks, and sometimes a convex shape.
fn composite(dice: &mut Dice, size: f64) -> Shape {
    let star = |dice: &mut Dice| {
        let count = dice.count(8, 30);
        let points: Vec<DVec2> = (0..count)
            .map(|i| DVec2::from_angle(i as f64 * std::f64::consts::TAU / count as f64) * size * dice.between(0.2, 0.6))
            .collect();
        points
    };
    match dice.index(5) {
        0 => Shape::polygon(&star(dice)).unwrap(),
        1 => Shape::closed_chain(&star(dice)).unwrap().rounded(0.01 * size).unwrap(),
        2 => {
            let child =
                |dice: &mut Dice| (convex(dice, size / 2.0), Pose::new(dice.in_disk(size), dice.angle()).unwrap());
            Shape::compound([child(dice), child(dice), child(dice)]).unwrap()
        }
        3 => {
            let mask = Mask::from_fn(9, 6, |x, y| dice.chance(0.6) || (x, y) == (0, 0)).unwrap();
            Shape::mask(mask).unwrap().scaled(size / 9.0, size / 9.0).unwrap()
        }
        _ => convex(dice, size),
    }
}

#[test]
fn composites_that_drift() {
    let seed = run::seed();
    let seen = (0..run::pairs(400))
        .map(|index| frames(seed, index, composite, 25))
        .fold([0; 2], |s, t| [s[0] + t[0], s[1] + t[1]]);
    assert!(seen.iter().all(|&times| times > 200), "met, apart: {seen:?}");
}

#[test]
fn a_cache_of_other_shapes_is_as_right() {
    let seed = run::seed();
    let mut dice = Dice::new(seed, 0);
    let shapes: Vec<Shape> =
        (0..60).map(|i| if i % 3 == 0 { composite(&mut dice, 1.0) } else { convex(&mut dice, 1.0) }).collect();
    // One cache for all pairs, so that indices of edges, vertices and parts are often out of range.
    let mut cache = DistanceCache::default();
    for frame in 0..run::pairs(10_000) {
        let (a, b) = (&shapes[dice.index(shapes.len())], &shapes[dice.index(shapes.len())]);
        let (p, q) = (Pose::IDENTITY, Pose::new(dice.in_disk(3.0), dice.angle()).unwrap());
        assert_same(a.placed(p), b.placed(q), &mut cache, &|| format!("seed {seed}, frame {frame}: {a:?} {b:?} {q:?}"));
    }
}

#[test]
fn the_cache_follows_a_moon_around_a_rock() {
    // The cache must have an effect: without it, the cache of the last frame would not change the
    // next.
    let (rock, moon) = (Shape::ellipse(3.0, 2.0, 1e-4).unwrap(), Shape::ellipse(0.5, 0.5, 1e-4).unwrap());
    let (mut cache, mut kept) = (DistanceCache::default(), 0);
    for frame in 0..1_000 {
        let (sin, cos) = (f64::from(frame) * 1e-4).sin_cos();
        let before = cache;
        let story = || format!("frame {frame}");
        assert_same(rock.at([0.0, 0.0]).unwrap(), moon.at([5.0 * cos, 5.0 * sin]).unwrap(), &mut cache, &story);
        kept += usize::from(cache == before);
    }
    assert!(kept > 900 && kept < 1_000, "{kept} frames kept the features of the one before");
}

#[test]
fn shapes_at_the_ends_of_the_range() {
    for scale in [1e-300, 1e-160, 1e-20, 1.0, 1e20, 1e29] {
        let points: Vec<DVec2> = (0..20).map(|i| DVec2::from_angle(f64::from(i) * 0.314) * scale).collect();
        let disk = Shape::polygon(&points).unwrap();
        let mut cache = DistanceCache::default();
        for frame in 0..50 {
            let (a, b) = (
                disk.at([0.0, 0.0]).unwrap(),
                disk.placed(Pose::new([2.0 * scale, 0.03 * scale * f64::from(frame)], 0.01).unwrap()),
            );
            assert_same(a, b, &mut cache, &|| format!("{scale:e}, frame {frame}"));
        }
    }
}
