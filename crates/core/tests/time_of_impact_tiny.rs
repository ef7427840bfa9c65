//! Motions of tiny shapes: the time of impact does not depend on the unit of length.
//!
//! A multiplication by a power of two is exact, so the same motion of shapes of size 1 gives the expected times.

use carom::explain::explain_time_of_impact;
use carom::{Collider, DVec2, Placed, Pose, Shape, World, distance, overlaps, time_of_impact};

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
        let mut dice = Dice::new(31, index);
        let mut number = || dice.between(-4.0, 4.0);
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
            let [a, b] = scene.placed();
            let sweep = a.sweep(scene.translation).unwrap().with_rotation(scene.angle).unwrap();
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

/// At sizes of 2 000 times the least positive number, the search took a million steps and ended apart.
#[test]
fn the_least_numbers_end_at_a_contact() {
    let least = f64::from_bits(1); // 2⁻¹⁰⁷⁴
    let mut count = 0;
    for index in 0..pairs(300) {
        let scene = Scene::new(index, 2048.0 * least);
        let [a, b] = scene.placed();
        let sweep = a.sweep(scene.translation).unwrap().with_rotation(scene.angle).unwrap();
        let Some(impact) = time_of_impact(sweep, b) else { continue };
        let gap = distance(sweep.at(impact.time), b).distance;
        assert!(gap <= 16.0 * least, "{index}: {} units apart at {}", gap / least, impact.time);
        count += 1;
    }
    assert!(count > 50, "{count}");
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

/// The explanation listed the steps of a search that ends late, because squares of lengths underflow.
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
        assert_eq!(steps[0].len(), steps[1].len(), "{index}: {steps:?}");
        assert!(steps[0].iter().zip(&steps[1]).all(|(large, tiny)| (large - tiny).abs() < 1e-5), "{index}: {steps:?}");
        count += usize::from(steps[0].len() > 2);
    }
    assert!(count > 20, "{count} searches with several steps");
}
