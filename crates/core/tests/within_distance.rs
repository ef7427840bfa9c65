//! `within_distance`, `collide_within` and `manifolds_within` of points, segments, chains, polygons and compounds with
//! integer coordinates. Compares them with the distance in rational numbers, for limits at the distance and next to it.
//!
//! `CAROM_PAIRS` sets the number of pairs, `CAROM_SEED` selects them.

use carom::query::{collide_within, manifolds_within, within_distance};
use carom::{DVec2, Pose, Shape, distance};
use dashu_int::IBig;

use crate::support::dice::{Dice, ulps_off};
use crate::support::gaps::{draw, is_within, square};
use crate::support::integer::{in_units, lowest_bit};
use crate::support::run::{pairs, seed};

/// Powers of two by which the shapes are scaled. With some of them, squares of coordinates or of areas underflow.
const SCALES: [i32; 8] = [0, 0, 0, 90, -250, -262, -269, -500];

#[test]
fn it_is_exact() {
    let (mut exactly, mut corrected, mut manifolds) = (0, 0, Vec::new());
    for index in 0..pairs(20_000) {
        let mut dice = Dice::new(seed(), index);
        let a = draw(&mut dice, 0);
        let right = a.segments.iter().flatten().map(|p| p[0]).max().unwrap() as i32;
        let b = draw(&mut dice, right + 1);
        let square = square(&a, &b);
        let scale = 2.0_f64.powi(SCALES[dice.index(SCALES.len())]);
        let root = (square.0 as f64 / square.1 as f64).sqrt();
        let mut turned = |p: f64| ulps_off(p, dice.whole(-3, 3));
        let limits = [root, turned(root), root.round(), root.floor(), root.ceil(), 1e30, -root];
        let [shape_a, shape_b] = [&a, &b].map(|drawn| drawn.shape.scaled(scale, scale).unwrap());
        let [p, q] = [&shape_a, &shape_b].map(|shape| shape.placed(Pose::IDENTITY));
        let gap = distance(p, q).distance / scale;
        for limit in limits {
            let expected = limit >= 0.0 && is_within(square, limit);
            assert_eq!(
                within_distance(p, q, limit * scale),
                expected,
                "{index}: {square:?}, {limit} times {scale:e}\n{:?}\n{:?}",
                a.segments,
                b.segments
            );
            assert_eq!(within_distance(q, p, limit * scale), expected, "{index}, reversed");
            let found = collide_within(p, q, limit * scale);
            assert_eq!(found.is_some(), expected, "{index}: {square:?}, {limit} times {scale:e}, contact");
            assert!(found.is_none_or(|found| found.depth < 0.0 && found.depth >= -limit * scale), "{index}");
            manifolds.clear();
            manifolds_within(p, q, limit * scale, &mut manifolds);
            assert_eq!(!manifolds.is_empty(), expected, "{index}: {square:?}, {limit} times {scale:e}, all contacts");
            corrected += usize::from((gap <= limit) != expected);
            exactly += usize::from(limit == root && expected && !is_within(square, root.next_down()));
        }
    }
    // Distances that are floating-point numbers, and limits that the rounded distance decides wrongly.
    assert!(exactly > 1000 && corrected > 100, "{exactly}, {corrected}");
}

#[test]
fn limits_that_are_no_lengths() {
    let at = |x: f64| Shape::segment([x, 0.0], [x, 0.0]).unwrap();
    let [a, b] = [at(0.0), at(1.0)];
    let [p, q] = [&a, &b].map(|shape| shape.placed(Pose::IDENTITY));
    for (limit, expected) in [(0.0, false), (-1.0, false), (f64::NAN, false), (f64::INFINITY, true), (1.0, true)] {
        assert_eq!(within_distance(p, q, limit), expected, "{limit}");
    }
    assert!(within_distance(p, p, 0.0) && within_distance(p, p, -0.0) && !within_distance(p, p, -1e-300));
}

/// Returns true if two segments of placed points are within a limit. They must not cross.
fn are_within([a, b]: [[DVec2; 2]; 2], limit: f64) -> bool {
    let numbers = [a[0], a[1], b[0], b[1]].into_iter().flat_map(|p| p.to_array()).chain([limit]);
    let unit = numbers.filter_map(lowest_bit).min().unwrap();
    let integer = |p: DVec2| p.to_array().map(|x| in_units(x, unit));
    let ([a, b], limit) = ([a, b].map(|segment| segment.map(integer)), in_units(limit, unit));
    let minus = |u: &[IBig; 2], v: &[IBig; 2]| [&u[0] - &v[0], &u[1] - &v[1]];
    let dot = |u: &[IBig; 2], v: &[IBig; 2]| &u[0] * &v[0] + &u[1] * &v[1];
    let from_segment = |point: &[IBig; 2], [p, q]: &[[IBig; 2]; 2]| {
        let (along, offset, rest) = (minus(q, p), minus(point, p), minus(point, q));
        let (part, whole) = (dot(&along, &offset), dot(&along, &along));
        if part <= IBig::ZERO {
            dot(&offset, &offset) <= &limit * &limit
        } else if part >= whole {
            dot(&rest, &rest) <= &limit * &limit
        } else {
            let area = &along[0] * &offset[1] - &along[1] * &offset[0];
            &area * &area <= &limit * &limit * whole
        }
    };
    a.iter().any(|p| from_segment(p, &b)) || b.iter().any(|p| from_segment(p, &a))
}

/// The pose of a child moves points from far away to the other shape, so it rounds them by more than their size tells.
#[test]
fn it_is_exact_for_children_far_from_their_origin() {
    for index in 0..pairs(2_000) {
        let mut dice = Dice::new(seed(), index);
        let far = f64::from(dice.whole(1, 9)) * 10_f64.powi(dice.whole(0, 7));
        let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(|p| DVec2::from_array(p) + far);
        let square = Shape::convex_polygon(&corners).unwrap();
        let angle = f64::from(dice.whole(-30, 30)) / 10.0;
        let middle = Pose::new([0.0, 0.0], angle).unwrap().transform_point(DVec2::splat(far));
        let pose = Pose::new(-middle, angle).unwrap();
        let compound = Shape::compound([(square, pose)]).unwrap();
        let [width, height] = [dice.whole(0, 9), dice.whole(-9, 9)].map(f64::from);
        let segment = [DVec2::new(5.0, height), DVec2::new(5.0 + width, -height)];
        let line = Shape::segment(segment[0], segment[1]).unwrap();
        let [p, q] = [&compound, &line].map(|shape| shape.placed(Pose::IDENTITY));
        let placed = corners.map(|corner| pose.transform_point(corner));
        let gap = distance(p, q).distance;
        for limit in [gap, gap.next_down(), gap.next_up(), gap - 1e-11, gap + 1e-11, gap - 1e-10, gap + 1e-10, 3.0] {
            let expected = (0..4).any(|i| are_within([[placed[i], placed[(i + 1) % 4]], segment], limit));
            assert_eq!(within_distance(p, q, limit), expected, "{index}: {far}, {angle}, {segment:?}, {limit}");
        }
    }
}
