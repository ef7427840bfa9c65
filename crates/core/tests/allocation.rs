//! Pair queries of convex shapes with up to 16 vertices do not allocate, including exact decisions.
//! Neither do those of masks, and tests of points in polygons.

use carom::query::collide_within;
use carom::{DVec2, Mask, Placed, Pose, Shape, collide, distance, intersects, overlaps, time_of_impact};

fn regular(n: u32) -> Shape {
    let points: Vec<DVec2> =
        (0..n).map(|i| DVec2::from_angle(f64::from(i) * std::f64::consts::TAU / f64::from(n))).collect();
    Shape::polygon(&points).unwrap()
}

fn run_all_queries(a: Placed<'_>, b: Placed<'_>) -> usize {
    let count = usize::from(intersects(a, b)) + usize::from(overlaps(a, b)) + usize::from(collide(a, b).is_some());
    let moving = a.sweep([1.0, 0.25]).unwrap();
    let count = count
        + usize::from(time_of_impact(moving, b).is_some())
        + usize::from(time_of_impact(moving.with_rotation(1.0).unwrap(), b).is_some());
    count + usize::from(collide_within(a, b, 0.5).is_some()) + usize::from(distance(a, b).distance > 0.0)
}

#[test]
fn pair_queries_allocate_nothing() {
    let shapes = [
        Shape::circle(1.0).unwrap(),
        Shape::circle(0.0).unwrap(),
        Shape::segment([-1.0, 0.0], [1.0, 0.0]).unwrap(),
        Shape::capsule([-1.0, 0.0], [1.0, 0.0], 0.5).unwrap(),
        Shape::rectangle(2.0, 2.0).unwrap(),
        Shape::rectangle(2.0, 2.0).unwrap().rounded(0.25).unwrap(),
        regular(3),
        regular(16).rounded(0.125).unwrap(),
        regular(16),
        // So small that squares underflow.
        Shape::rectangle(1e-200, 1e-200).unwrap(),
    ];
    let mut hits = 0;
    let seen = allocation_counter::measure(|| {
        for (a, b) in shapes.iter().flat_map(|a| shapes.iter().map(move |b| (a, b))) {
            // Concentric, overlapping, touching along an edge (the exact path), apart, turned.
            for (x, degrees) in [(0.0, 0.0), (0.5, 10.0), (2.0, 0.0), (1.0, 90.0), (3.5, 45.0)] {
                let pose = Pose::from_degrees([x, 0.0], degrees).unwrap();
                hits += run_all_queries(a.placed(Pose::IDENTITY), b.placed(pose));
            }
        }
    });
    assert!(hits > 500);
    assert_eq!(seen.count_total, 0);
}

#[test]
fn pairs_of_masks_allocate_nothing() {
    let masks = [1, 64, 100].map(|n| Mask::from_fn(n, n, |x, y| (x + 3 * y) % 7 < 4).unwrap());
    let mut hits = 0;
    let seen = allocation_counter::measure(|| {
        for (a, b) in masks.iter().flat_map(|a| masks.iter().map(move |b| (a, b))) {
            // Deep in each other, in a corner, one word apart, beside each other, far away.
            for offset in [[0, 0], [-1, 0], [40, -3], [64, 1], [100, 0], [i64::MAX, i64::MIN]] {
                hits += usize::from(a.overlaps_at(b, offset)) + usize::from(a.intersects_at(b, offset));
                hits += usize::from(a.overlap_area(b, offset) > 0) + usize::from(a.overlap(b, offset).is_some());
            }
        }
    });
    assert!(hits > 50);
    assert_eq!(seen.count_total, 0);
}

#[test]
fn points_in_polygons_allocate_nothing() {
    let star: Vec<DVec2> = (0..400)
        .map(|i| DVec2::from_angle(f64::from(i) * std::f64::consts::TAU / 400.0) * if i % 2 == 0 { 1.0 } else { 2.0 })
        .collect();
    let star = Shape::polygon(&star).unwrap();
    let far = Pose::from_translation([4.0, 0.0]).unwrap();
    let compound = Shape::compound([(star.clone(), Pose::IDENTITY), (regular(16), far)]).unwrap();
    // The first query of a compound collects its outlines, and that of a large polygon creates its grid of cells.
    for shape in [&star, &compound] {
        assert!(shape.placed(Pose::IDENTITY).contains_point([0.0, 0.0]).unwrap());
    }
    let shapes = [regular(3), regular(16), regular(32), Shape::rectangle(2.0, 2.0).unwrap(), star, compound];
    let mut inside = 0;
    let seen = allocation_counter::measure(|| {
        for shape in &shapes {
            for point in (0..400).map(|i| DVec2::new(f64::from(i % 20), f64::from(i / 20)) * 0.25 - 2.0) {
                inside += usize::from(shape.placed(Pose::IDENTITY).contains_point(point).unwrap());
            }
        }
    });
    assert!(inside > 300);
    assert_eq!(seen.count_total, 0);
}
