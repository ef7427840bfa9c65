//! Rules for rays that start inside, have length zero, or graze.

use carom::{DVec2, Pose, Ray, RayHit, Shape, ray_cast};

use super::ray;
use crate::support::dice::Dice;
use crate::support::{run, shapes};

/// The rules on page one, in numbers.
#[test]
fn the_rules_of_starting_inside_and_of_length_zero() {
    let square = Shape::rectangle(2.0, 2.0).unwrap();
    let square = square.at([0.0, 0.0]).unwrap();
    // Other tests cover features.
    let ray_cast = |ray, placed| ray_cast(ray, placed).map(|hit| RayHit { feature: None, ..hit });
    let cast = |from: [f64; 2], translation: [f64; 2]| {
        (ray_cast(ray(from, translation), square), ray_cast(ray(from, translation).hollow(), square))
    };
    let hit =
        |time, point: [f64; 2], normal| Some(RayHit { time, point: point.into(), normal, part: 0, feature: None });
    let (back, left, right) = (DVec2::NEG_X, DVec2::NEG_X, DVec2::X);
    // From inside, from the boundary inward and outward, along an edge.
    assert_eq!(cast([0.0, 0.0], [4.0, 0.0]), (hit(0.0, [0.0, 0.0], back), hit(0.25, [1.0, 0.0], left)));
    assert_eq!(cast([-1.0, 0.0], [4.0, 0.0]), (hit(0.0, [-1.0, 0.0], back), hit(0.5, [1.0, 0.0], left)));
    assert_eq!(cast([1.0, 0.0], [4.0, 0.0]), (hit(0.0, [1.0, 0.0], back), hit(0.0, [1.0, 0.0], left)));
    assert_eq!(cast([-3.0, 1.0], [8.0, 0.0]), (hit(0.25, [-1.0, 1.0], left), hit(0.25, [-1.0, 1.0], left)));
    // Ends inside, ends on the boundary.
    assert_eq!(cast([0.0, 0.0], [0.5, 0.0]).1, None);
    assert_eq!(cast([0.0, 0.0], [1.0, 0.0]).1, hit(1.0, [1.0, 0.0], left));
    // Without length.
    assert_eq!(cast([0.0, 0.0], [0.0, 0.0]), (hit(0.0, [0.0, 0.0], back), None));
    assert_eq!(cast([1.0, 0.0], [0.0, 0.0]), (hit(0.0, [1.0, 0.0], back), hit(0.0, [1.0, 0.0], back)));
    assert_eq!(cast([1.0f64.next_up(), 0.0], [0.0, 0.0]), (None, None));
    // A line has no inside: a hollow ray leaves it where it starts.
    let wall = Shape::segment([0.0, -1.0], [0.0, 1.0]).unwrap();
    let wall = wall.at([0.0, 0.0]).unwrap();
    assert_eq!(ray_cast(ray([0.0, 0.0], [2.0, 0.0]).hollow(), wall), hit(0.0, [0.0, 0.0], left));
    assert_eq!(ray_cast(ray([4.0, 0.5], [-8.0, 0.0]), wall), hit(0.5, [0.0, 0.5], right));
    assert_eq!(ray_cast(ray([0.0, 3.0], [0.0, -4.0]), wall), hit(0.5, [0.0, 1.0], DVec2::Y));
    // Beyond the range.
    assert!(Ray::new([1e30, 0.0], [1e30, 0.0]).is_err() && ray([0.0, 0.0], [1.0, 0.0]).with_radius(-1.0).is_err());
}

/// A graze of a vertex is the same from both sides and in both directions. A circle cast has the
/// hits of its capsule (P8).
#[test]
fn grazes_are_decided_alike_from_both_sides() {
    for index in 0..run::pairs(4_000) {
        let mut dice = Dice::new(17, index);
        let shape = shapes::any(&mut dice, 1.0).build().unwrap();
        let placed = shape.placed(Pose::new(dice.in_disk(10.0), dice.angle()).unwrap());
        let points: Vec<DVec2> = placed.points().collect();
        let (vertex, translation) = (points[dice.index(points.len())], dice.direction());
        let (from, to) = (vertex - translation, vertex + translation);
        let there = ray(from, to - from);
        let back = ray(there.end(), from - there.end());
        if back.end() == there.origin() {
            assert_eq!(
                ray_cast(there, placed).is_some(),
                ray_cast(back, placed).is_some(),
                "index {index}: {shape:?}, {there:?}"
            );
        }
    }
}
