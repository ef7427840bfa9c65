//! Motions of tiny shapes: the time of impact does not depend on the unit of length.
//!
//! A multiplication by a power of two is exact, so the same motion of shapes of size 1 gives the expected times.

use carom::explain::explain_time_of_impact;
use carom::{Collider, DVec2, Placed, Pose, Shape, Sweep, World, collide, distance, overlaps, time_of_impact};

use crate::support::dice::Dice;
use crate::support::run::pairs;

/// Exponents of units.
const POWERS: [i32; 7] = [-300, -400, -500, -540, -560, -800, -950];

/// Two shapes and a motion of the first one.
struct Scene {
    a: Shape,
    b: Shape,
    poses: [Pose; 2],
    translation: DVec2,
    angle: f64,
}

impl Scene {
    /// Draws two shapes near each other and a motion. `unit` is a power of two.
    fn new(index: u64, unit: f64) -> Self {
        Self::of_numbers(index, unit, |number| number)
    }

    /// Draws a scene whose lengths are multiples of a 2048th of the unit.
    fn of_multiples(index: u64, unit: f64) -> Self {
        Self::of_numbers(index, unit, |number| (256.0 * number).round() / 256.0)
    }

    /// Draws a scene. `round` changes each number that is drawn.
    fn of_numbers(index: u64, unit: f64, round: impl Fn(f64) -> f64) -> Self {
        let mut dice = Dice::new(31, index);
        let mut number = || round(dice.between(-4.0, 4.0));
        let mut point = || DVec2::new(number(), number());
        let mut shape = |kind: u64| {
            let [p, q, r] = [point(), point(), point()].map(|p| p * (0.5 * unit));
            let size = (q - p).abs() + DVec2::splat(0.25 * unit);
            let rectangle = Shape::rectangle(size.x, size.y).unwrap();
            match kind {
                0 => Shape::polygon(&[p, q, r]).unwrap(),
                1 => rectangle.rounded(0.25 * unit).unwrap(),
                2 => Shape::capsule(p, q, 0.5 * size.y).unwrap(),
                3 => Shape::circle(0.5 * size.x).unwrap(),
                _ => Shape::compound([
                    (rectangle, Pose::new(r, 0.7).unwrap()),
                    (Shape::segment(p, q).unwrap(), Pose::IDENTITY),
                ])
                .unwrap(),
            }
        };
        let (a, b) = (shape(index % 5), shape(index / 5 % 5));
        let poses = [0, 1].map(|_| (point() * unit, point().x)).map(|(at, angle)| Pose::new(at, angle).unwrap());
        let translation = point() * unit;
        let angle = if index.is_multiple_of(3) { 0.0 } else { 0.5 * point().x };
        Self { a, b, poses, translation, angle }
    }

    fn sweep(&self) -> Sweep<'_> {
        self.placed()[0].sweep(self.translation).unwrap().with_rotation(self.angle).unwrap()
    }

    fn placed(&self) -> [Placed<'_>; 2] {
        [self.a.placed(self.poses[0]), self.b.placed(self.poses[1])]
    }
}

/// The squares of lengths below 1e-154 underflow, and the products of four lengths below 1e-81. Hits were missed, boxes
/// of motions were too small, and distances of compounds too large.
#[test]
fn times_do_not_depend_on_the_unit() {
    let mut counts = [0; 3];
    for index in 0..pairs(4_000) {
        let results = [1.0, 2.0_f64.powi(POWERS[(index / 7 % 7) as usize])].map(|unit| {
            let scene = Scene::new(index, unit);
            let ([a, b], sweep) = (scene.placed(), scene.sweep());
            let impact = time_of_impact(sweep, b);
            let (aabb, gap) = (sweep.aabb(), distance(a, b).distance / unit);
            assert!(impact.is_none_or(|impact| impact.initial_depth.is_some() == overlaps(a, b)), "{index}");
            (
                impact.map(|impact| (impact.time, impact.normal, impact.point / unit)),
                aabb.min() / unit,
                aabb.max() / unit,
                gap,
            )
        });
        let [(large, min, max, gap), (tiny, tiny_min, tiny_max, tiny_gap)] = results;
        assert!((gap - tiny_gap).abs() < 1e-12, "{index}: {results:?}");
        assert!((min - tiny_min).length() + (max - tiny_max).length() < 1e-12, "{index}: {results:?}");
        match (large, tiny) {
            (Some(large), Some(tiny)) => {
                assert!((large.0 - tiny.0).abs() < 1e-5, "{index}: {large:?} {tiny:?}");
                // Of several deepest points at the start, any may be chosen.
                let same = (large.1 - tiny.1).length() < 1e-3 && (large.2 - tiny.2).length() < 1e-3;
                assert!(same || large.0 == 0.0, "{index}: {large:?} {tiny:?}");
                counts[usize::from(large.0 > 0.0)] += 1;
            }
            (None, None) => counts[2] += 1,
            _ => panic!("{index}: {large:?} {tiny:?}"),
        }
    }
    assert!(counts.iter().all(|&count| count > 100), "at the start, later, never: {counts:?}");
}

/// At sizes of 2 000 times the least positive number, the search took a million steps and ended apart. The bounding
/// radius of such shapes was a billion times too large, so searches ended early and distances were of wrong features.
///
/// All lengths are whole multiples of the least positive number, so the same scene in whole numbers gives the expected
/// results.
#[test]
fn multiples_of_the_least_number_are_whole_numbers() {
    let mut counts = [0; 2];
    for index in 0..pairs(600) {
        let [whole, tiny] = [1.0, f64::from_bits(1)].map(|least| Scene::of_multiples(index, 2048.0 * least));
        let [sweep, least_sweep] = [&whole, &tiny].map(Scene::sweep);
        let units = |length: f64| length / f64::from_bits(1);
        let is_compound = whole.a.part_count() > 1 || whole.b.part_count() > 1;

        // Products are rounded to half a unit. Two placed points are off by 2.9 units, a product with a normal by 1.
        // Two heights that choose the edge are off by 4 each. A child of a compound is off by 1.5 more.
        let gaps = [distance(sweep.start(), whole.placed()[1]), distance(least_sweep.start(), tiny.placed()[1])];
        let difference = (gaps[0].distance - units(gaps[1].distance)).abs();
        assert!(difference <= 16.0, "{index}: {gaps:?}");

        let impacts = [time_of_impact(sweep, whole.placed()[1]), time_of_impact(least_sweep, tiny.placed()[1])];
        // The points that decide an overlap at the start, and the children of compounds, are placed at multiples of the
        // unit.
        let is_rounded = is_compound || impacts.iter().flatten().any(|impact| impact.initial_depth.is_some());
        if is_rounded {
            // Both are 1.5 units off. The promised gap is 4 units, and a motion without a hit has no deeper overlap.
            let at = |time: f64| (sweep.at(time), whole.placed()[1]);
            let depth = |time: f64| collide(at(time).0, at(time).1).map_or(0.0, |found| found.depth);
            let (from, to) =
                (impacts[0].map_or(0.0, |impact| impact.time), impacts[1].map_or(1.0, |impact| impact.time));
            if let Some(least_impact) = impacts[1] {
                let gap = distance(at(to).0, at(to).1).distance;
                assert!(gap <= 7.0, "{index}: {gap} units apart, {impacts:?}");
                if least_impact.initial_depth.is_some() {
                    continue;
                }
            }
            if impacts[0].is_some() {
                let late =
                    (0..=16).map(|i| depth(from + (to - from).max(0.0) * f64::from(i) / 16.0)).fold(0.0, f64::max);
                assert!(late <= 7.0, "{index}: {late} units deep, {impacts:?}");
            }
        } else if let [Some(impact), Some(least_impact)] = impacts {
            assert!((impact.time - least_impact.time).abs() < 1e-5, "{index}: {impacts:?}");
            assert!((impact.normal - least_impact.normal).length() < 1e-3, "{index}: {impacts:?}");
        } else {
            assert_eq!(impacts, [None, None], "{index}");
            continue;
        }
        counts[usize::from(is_compound)] += 1;
    }
    assert!(counts.iter().all(|&count| count > 20), "convex and compound: {counts:?}");
}

/// A world looks for colliders in the box of a motion.
#[test]
fn a_world_finds_tiny_colliders_on_a_turning_motion() {
    let unit = 2.0_f64.powi(-600);
    let mut world = World::new();
    let wall = world.insert(Collider::new(Shape::rectangle(unit, 8.0 * unit).unwrap()).at([3.0 * unit, 0.0]).unwrap());
    let blade = Shape::rectangle(4.0 * unit, unit).unwrap();
    let motion = blade.at([0.0, 0.0]).unwrap().sweep([unit, 0.0]).unwrap().with_rotation(0.1).unwrap();
    let (handle, hit) = world.shape_cast(motion, u64::MAX).unwrap();
    assert_eq!(handle, wall);
    let expected = time_of_impact(motion, world.placed(wall).unwrap()).unwrap();
    assert_eq!(hit.time, expected.time);

    let moving = world.insert(Collider::new(blade.clone()));
    world.set_motion(moving, [8.0 * unit, 0.0], 0.1).unwrap();
    world.update();
    assert_eq!(world.motion_hits().map(|hit| (hit.mover, hit.other)).collect::<Vec<_>>(), [(moving, wall)]);
    assert!(world.pose(moving).unwrap().translation().x < 1.5 * unit);
}

/// A segment that touches two squares at their common side enters them between: their union overlaps it at once.
#[test]
fn a_tiny_segment_enters_at_a_seam() {
    for unit in POWERS.map(|power| 2.0_f64.powi(power)).into_iter().chain([1.0]) {
        let square = Shape::rectangle(2.0 * unit, 2.0 * unit).unwrap();
        let both = [-unit, unit].map(|x| (square.clone(), Pose::from_translation([x, 0.0]).unwrap()));
        let floor = Shape::compound(both).unwrap();
        let segment = Shape::segment([0.0, unit], [0.0, 3.0 * unit]).unwrap();
        let motion = segment.at([0.0, 0.0]).unwrap().sweep([0.0, -unit]).unwrap();
        let impact = time_of_impact(motion, floor.at([0.0, 0.0]).unwrap()).expect("a segment inside");
        assert!(impact.time < 1e-5, "unit {unit}: {impact:?}");
    }
}

/// The explanation listed the steps of a search that ends late, because squares of lengths underflow. Then it listed
/// those of a search with a tolerance of 0.
#[test]
fn the_steps_of_a_tiny_motion_are_those_of_a_large_one() {
    let mut count = 0;
    for index in (0..pairs(1_200)).step_by(3) {
        let steps = [1.0, 2.0_f64.powi(POWERS[(index / 3 % 7) as usize])].map(|unit| {
            let scene = Scene::new(index, unit);
            let [a, b] = scene.placed();
            let sweep = a.sweep(scene.translation).unwrap().with_rotation(0.3).unwrap();
            explain_time_of_impact(sweep, b).steps().iter().map(|step| step.time).collect::<Vec<_>>()
        });
        // A gap that is the tolerance, up to rounding, ends the search or leads to one more step of about this length.
        let [fewer, more] =
            if steps[0].len() <= steps[1].len() { [&steps[0], &steps[1]] } else { [&steps[1], &steps[0]] };
        let is_in = |times: &[f64], time: f64| times.iter().any(|other| (time - other).abs() < 1e-5);
        assert!(more.len() - fewer.len() <= 1, "{index}: {steps:?}");
        assert!(more.iter().all(|&time| is_in(fewer, time)), "{index}: {steps:?}");
        assert!(fewer.iter().all(|&time| is_in(more, time)), "{index}: {steps:?}");
        count += usize::from(steps[0].len() > 2);
    }
    assert!(count > 20, "{count} searches with several steps");
}
