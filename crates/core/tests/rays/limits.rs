//! Rays at the limits of numbers: denormal, huge, and neighbouring values.

use carom::{DVec2, Pose, Ray, Shape, intersects, ray_cast};

use super::{capsule, ray};
use crate::support::dice::Dice;
use crate::support::run;

/// Numbers where arithmetic breaks: denormal, huge, and next to each other (P22).
fn odd_number(dice: &mut Dice) -> f64 {
    const ODD: [f64; 10] = [0.0, -0.0, 5e-324, -2.2e-308, 1e-160, 1.0, -1.0, 1e30, -1e30, 5e29];
    match dice.index(3) {
        0 => dice.magnitude(1e-300, 1e30),
        _ => dice.one_of(&ODD),
    }
}

fn odd_shape(dice: &mut Dice) -> Option<Shape> {
    let point = |dice: &mut Dice| [odd_number(dice), odd_number(dice)];
    let (p, q, r) = (point(dice), point(dice), point(dice));
    let size = odd_number(dice).abs();
    let shape = match dice.index(6) {
        0 => Shape::circle(size),
        1 => Shape::capsule(p, q, if dice.chance(0.5) { size } else { 0.0 }),
        2 => Shape::rectangle(size, odd_number(dice).abs()),
        3 => Shape::polygon(&[p, q, r]),
        4 => Shape::chain(&[p, q, r]),
        _ => Shape::polygon(&[p, q, r, point(dice), point(dice)]),
    };
    let shape = shape.ok()?;
    if dice.chance(0.2) { shape.rounded(odd_number(dice).abs()).ok() } else { Some(shape) }
}

/// Every valid input has a result with finite numbers, and the decision stays exact.
#[test]
fn odd_numbers_are_answered_exactly() {
    let (mut count, mut hits) = (0, 0);
    for index in 0..run::pairs(4_000) {
        let mut dice = Dice::new(16, index);
        let Some(shape) = odd_shape(&mut dice) else { continue };
        let position = if dice.chance(0.6) { [0.0, 0.0] } else { [odd_number(&mut dice), odd_number(&mut dice)] };
        let Ok(pose) = Pose::from_degrees(position, f64::from(dice.whole(0, 12)) * 30.0) else { continue };
        let placed = shape.placed(pose);
        let points: Vec<DVec2> = placed.points().collect();
        let end = |dice: &mut Dice| {
            if dice.chance(0.5) {
                points[dice.index(points.len())].to_array()
            } else {
                [odd_number(dice), odd_number(dice)]
            }
        };
        let (from, to) = (DVec2::from(end(&mut dice)), DVec2::from(end(&mut dice)));
        let Ok(ray) = Ray::new(from, to - from) else { continue };
        let Ok(ray) = ray.with_radius(if dice.chance(0.3) { odd_number(&mut dice).abs() } else { 0.0 }) else {
            continue;
        };
        let story = format!("index {index}: {shape:?} at {pose:?}, {ray:?}");
        let meets = intersects(capsule(&ray).at([0.0, 0.0]).unwrap(), placed);
        for ray in [ray, ray.hollow()] {
            let hit = ray_cast(ray, placed);
            assert!(hit.is_some() == meets || (ray.is_hollow() && meets), "{story}: {hit:?}");
            if let Some(hit) = hit {
                assert!((0.0..=1.0).contains(&hit.time) && hit.point.is_finite(), "{story}: {hit:?}");
                assert!((hit.normal.length() - 1.0).abs() < 1e-14, "{story}: {hit:?}");
                hits += 1;
            }
        }
        if let Ok(nearest) = placed.closest_boundary_point(from) {
            assert!(
                nearest.point.is_finite()
                    && nearest.distance.is_finite()
                    && (nearest.normal.length() - 1.0).abs() < 1e-14,
                "{story}: {nearest:?}"
            );
            assert_eq!(nearest.distance <= 0.0, placed.contains_point(from).unwrap(), "{story}: {nearest:?}");
        }
        assert!(carom::contains(placed, placed) || shape.radius() > 0.0, "{story}");
        count += 1;
    }
    println!("{count} asked, {hits} hits");
    assert!(count > 1_000 && hits > 1_000);
}

/// An edge may be shorter than the spacing of numbers at its position. Then it is a vertex: its
/// strip has no width, and must not count as an endless one.
#[test]
fn edges_whose_ends_round_to_one_point_are_vertices() {
    let crumbs = [
        Shape::rectangle(1e-17, 1e-17).unwrap(),
        Shape::polygon(&[[0.0, 0.0], [1e-17, 0.0], [0.0, 1e-17]]).unwrap(),
        Shape::segment([0.0, 0.0], [1e-17, 3e-18]).unwrap(),
        Shape::chain(&[[0.0, 0.0], [1e-17, 0.0], [0.0, 1e-17]]).unwrap(),
    ];
    for crumb in &crumbs {
        let placed = crumb.at([1.0, 1.0]).unwrap();
        assert!(placed.points().all(|p| p == DVec2::ONE));
        // A circle of radius 1 that passes half a unit above: its centre is at 1 − √(3/4) when it
        // comes there, not at 0.
        let cast = ray([-4.0, 1.5], [8.0, 0.0]).with_radius(1.0).unwrap();
        let hit = ray_cast(cast, placed).unwrap();
        assert!((hit.time - (5.0 - 0.75_f64.sqrt()) / 8.0).abs() < 1e-15, "{crumb:?}: {hit:?}");
        assert!(hit.point.distance(DVec2::ONE) < 1e-14, "{crumb:?}: {hit:?}");
        // From inside it leaves at 1 + √(3/4).
        let leaving = ray([1.0, 1.5], [8.0, 0.0]).with_radius(1.0).unwrap().hollow();
        let hit = ray_cast(leaving, placed).unwrap();
        assert!((hit.time - 0.75_f64.sqrt() / 8.0).abs() < 1e-15, "{crumb:?}: {hit:?}");
    }
}

/// Shapes so small that their squares underflow are met when larger ones are: all lengths are the
/// same powers of two smaller.
#[test]
fn rays_hit_tiny_round_shapes_if_they_hit_large_ones() {
    let mut hits = 0;
    for power in [-400, -500, -600, -700, -800, -900] {
        let scale = 2.0_f64.powi(power);
        let shapes = |scale: f64| {
            [
                Shape::circle(scale).unwrap(),
                Shape::capsule([-scale, 0.0], [scale, 0.5 * scale], 0.5 * scale).unwrap(),
                Shape::rectangle(scale, scale).unwrap().rounded(0.5 * scale).unwrap(),
                Shape::polygon(&[[-scale, 0.0], [scale, -scale], [0.0, scale]]).unwrap().rounded(0.25 * scale).unwrap(),
            ]
        };
        for (large, tiny) in shapes(1.0).iter().zip(&shapes(scale)) {
            for y in [0.0, 0.25, 0.5, 0.75, 0.875] {
                for (from, radius) in
                    [([-4.0, y], 0.0), ([-4.0, y], 0.5), ([-4.0, y + 0.25], 0.25), ([0.0, 0.0], 0.125)]
                {
                    let cast = |shape: &Shape, scale: f64| {
                        let ray = ray(DVec2::from(from) * scale, DVec2::new(8.0, 0.25) * scale)
                            .with_radius(radius * scale)
                            .unwrap();
                        [ray, ray.hollow()].map(|ray| ray_cast(ray, shape.at([0.0, 0.0]).unwrap()))
                    };
                    for (hit, expected) in cast(tiny, scale).iter().zip(cast(large, 1.0)) {
                        let (Some(hit), Some(expected)) = (hit, expected) else {
                            assert!(
                                hit.is_none() && expected.is_none(),
                                "2^{power} {tiny:?} {from:?} {radius}: {hit:?} {expected:?}"
                            );
                            continue;
                        };
                        hits += 1;
                        assert!(
                            (hit.time - expected.time).abs() < 1e-12,
                            "2^{power} {tiny:?} {from:?} {radius}: {hit:?}, {expected:?}"
                        );
                        assert!(
                            hit.normal.distance(expected.normal) < 1e-6,
                            "2^{power} {tiny:?} {from:?} {radius}: {hit:?}, {expected:?}"
                        );
                    }
                }
            }
        }
    }
    assert!(hits > 500, "{hits}");
}

/// Hollow rays and others through shapes below 1e-297 are as sharp as through large ones: a fixed
/// allowance for underflow was larger than the shapes.
#[test]
fn rays_leave_the_tiniest_shapes_as_they_leave_large_ones() {
    let mut hits = 0;
    for power in [-970, -985, -995, -1005, -1012] {
        let scale = 2.0_f64.powi(power);
        let ring = |scale: f64| (0..40).map(|i| DVec2::from_angle(f64::from(i) * 0.157) * scale).collect::<Vec<_>>();
        let shapes = |scale: f64| {
            let at = |points: &[[f64; 2]]| points.iter().map(|&p| DVec2::from(p) * scale).collect::<Vec<_>>();
            [
                Shape::rectangle(2.0 * scale, 2.0 * scale).unwrap(),
                Shape::polygon(&at(&[[-1.0, -1.0], [2.0, 0.0], [0.0, 1.5]])).unwrap(),
                Shape::polygon(&ring(scale)).unwrap(),
                Shape::polygon(&at(&[[-2.0, -1.0], [2.0, -1.0], [2.0, 2.0], [0.0, 0.5], [-2.0, 2.0]])).unwrap(),
                Shape::segment([-scale, -scale], [scale, scale]).unwrap(),
                Shape::circle(scale).unwrap(),
                Shape::capsule([-scale, 0.0], [scale, 0.5 * scale], 0.5 * scale).unwrap(),
            ]
        };
        for (large, tiny) in shapes(1.0).iter().zip(&shapes(scale)) {
            for (from, translation) in [
                ([0.0, 0.0], [8.0, 0.25]),
                ([0.125, 0.25], [-3.0, 5.0]),
                ([-4.0, 0.5], [8.0, -0.25]),
                ([0.5, 4.0], [-0.25, -8.0]),
            ] {
                let cast = |shape: &Shape, scale: f64| {
                    let ray = ray(DVec2::from(from) * scale, DVec2::from(translation) * scale);
                    [ray, ray.hollow()].map(|ray| ray_cast(ray, shape.at([0.0, 0.0]).unwrap()))
                };
                for (hit, expected) in cast(tiny, scale).iter().zip(cast(large, 1.0)) {
                    let (Some(hit), Some(expected)) = (hit, expected) else {
                        assert!(
                            hit.is_none() && expected.is_none(),
                            "2^{power} {tiny:?} {from:?}: {hit:?} {expected:?}"
                        );
                        continue;
                    };
                    hits += 1;
                    assert!(
                        (hit.time - expected.time).abs() < 1e-12,
                        "2^{power} {tiny:?} {from:?}: {hit:?}, {expected:?}"
                    );
                    assert!(
                        hit.normal.distance(expected.normal) < 1e-9,
                        "2^{power} {tiny:?} {from:?}: {hit:?}, {expected:?}"
                    );
                }
            }
        }
    }
    assert!(hits > 150, "{hits}");
}

/// Regression: the square of a length of 1e-160 has no digits left. A closed form for circles used
/// it as exact, and the circle cast missed.
#[test]
fn a_circle_cast_of_a_tiny_length_does_not_underflow() {
    let point = Shape::circle(2.717_700_188_113_468_6e-207).unwrap();
    let cast = ray([-1e30, 1e-160], [0.0, -9.998_448_250_031_168e-161]).with_radius(1e30).unwrap();
    let placed = point.at([0.0, 0.0]).unwrap();
    assert!(intersects(capsule(&cast).at([0.0, 0.0]).unwrap(), placed) && ray_cast(cast, placed).is_some());
}

/// Returns the distance of a point from the segments between neighbouring vertices.
fn distance_from_edges(point: DVec2, vertices: &[DVec2]) -> f64 {
    let edges = vertices.iter().zip(vertices.iter().cycle().skip(1));
    let distance = |(&a, &b): (&DVec2, &DVec2)| {
        let (along, away) = (b - a, point - a);
        let part = if a == b { 0.0 } else { (away.dot(along) / along.length_squared()).clamp(0.0, 1.0) };
        (away - along * part).length()
    };
    edges.map(distance).fold(f64::INFINITY, f64::min)
}

/// Regression: rounding turns the edges of a tiny shape far from the origin. The strips of a wide
/// ray used the directions from before, so the disc stopped too early.
#[test]
fn a_wide_ray_ends_at_the_placed_points_of_a_tiny_shape() {
    let (mut hits, mut turned) = (0, 0);
    for index in 0..run::pairs(4_000) {
        let mut dice = Dice::new(16, index);
        let size = dice.magnitude(1e-9, 1e-5).abs();
        let vertices: Vec<[f64; 2]> = (0..dice.whole(2, 7))
            .map(|i| (f64::from(i) + 0.8 * dice.between(0.0, 1.0)).sin_cos())
            .map(|(sin, cos)| [size * cos, size * sin])
            .collect();
        let shape =
            if vertices.len() == 2 { Shape::segment(vertices[0], vertices[1]) } else { Shape::polygon(&vertices) };
        let Ok(shape) = shape else { continue };
        let position = DVec2::new(dice.between(-1e6, 1e6), dice.between(-1e6, 1e6));
        let placed = shape.placed(Pose::from_degrees(position, dice.between(0.0, 360.0)).unwrap());
        // Straight at the middle of an edge.
        let points: Vec<DVec2> = placed.points().collect();
        let edge = dice.index(points.len());
        let (a, b) = (points[edge], points[(edge + 1) % points.len()]);
        let Some(along) = (b - a).try_normalize() else { continue };
        let (direction, from) = (along.perp(), a.midpoint(b) - along.perp() * 5.0);
        let cast = ray(from, direction * 10.0).with_radius(1.0).unwrap();
        let hit = ray_cast(cast, placed).unwrap();
        let center = cast.origin() + (cast.end() - cast.origin()) * hit.time;
        let gap = distance_from_edges(center, &points) - 1.0;
        // The documented error: 1e-12 of the size, and 8 ulp of the coordinates.
        let allowed = 1e-11 + 8.0 * f64::EPSILON * position.abs().max_element().max(from.abs().max_element());
        assert!(
            gap.abs() <= allowed,
            "index {index}: {gap:e} above {allowed:e}: {shape:?} at {position}, {cast:?}, {hit:?}"
        );
        hits += 1;
        turned += usize::from(size < 1e-8);
    }
    assert!(hits > 2_000 && turned > 500, "{hits} hits, {turned} of tiny shapes");
}
