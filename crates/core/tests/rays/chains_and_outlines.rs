//! Rays against polygons with integer vertices, edge by edge.

use carom::{DVec2, Placed, Shape, ray_cast};

use super::whole::{
    Fraction, Whole, cross, crossings_are_odd, dot, edges, float, meets_edge, minus, point_in, point_on_edge,
    whole_outline, whole_ray,
};
use super::{expect_sane, ray};
use crate::support::dice::Dice;
use crate::support::{run, shapes};

/// A ray against an outline and, where it has an inside, the crossing number of the ray's start.
fn expect_first(
    shape: Placed<'_>,
    outline: &[Whole],
    closed: bool,
    solid: bool,
    [o, e]: [Whole; 2],
    story: &str,
) -> bool {
    let count = if closed { outline.len() } else { outline.len() - 1 };
    let times = edges(outline)
        .take(count)
        .filter_map(|[a, b]| if o == e { point_on_edge(o, a, b) } else { meets_edge(o, e, a, b) });
    let first = times.min_by(|s, t| s.compare(*t));
    let starts_inside = first.is_some_and(|f| f.0 == 0) || (solid && crossings_are_odd(o, outline));
    let expected = if starts_inside { Some(0.0) } else { first.map(Fraction::value) };
    let hit = ray_cast(ray(float(o), float(minus(e, o))), shape);
    match (hit, expected) {
        (None, None) => {}
        (Some(hit), Some(time)) => {
            // Tolerance of a time: the rounding error of a height over the edge, divided by the
            // rate at which the ray loses height.
            let translation = float(minus(e, o));
            let largest = outline.iter().chain([&o, &e]).flatten().fold(1, |m, v| m.max(v.abs())) as f64;
            let bound = 1e-13 + 8e-15 * largest / hit.normal.dot(translation).abs();
            assert!(
                (hit.time - time).abs() < bound && (hit.time == 0.0) == (time == 0.0),
                "{story}: {hit:?}, not {time}"
            );
            expect_sane(&ray(float(o), float(minus(e, o))), &hit, story);
        }
        _ => panic!("{story}: {hit:?}, not {expected:?}"),
    }
    expected.is_some()
}

/// Chains of whole points, crossing themselves, one of them of ten thousand: against every edge in whole numbers.
#[test]
fn rays_hit_chains_as_every_edge_says() {
    let (rays, mut hits) = (run::pairs(20_000), 0);
    let mut dice = Dice::new(12, 0);
    for index in 0..rays.div_ceil(100) {
        let count = if index == 0 { 10_000 } else { dice.count(3, if index % 10 == 0 { 400 } else { 12 }) };
        let outline: Vec<Whole> = (0..count).map(|i| [i as i64 - 10, i64::from(dice.whole(-20, 20))]).collect();
        let points: Vec<DVec2> = outline.iter().map(|&p| float(p)).collect();
        let closed = dice.chance(0.5);
        let chain = if closed { Shape::closed_chain(&points) } else { Shape::chain(&points) }.unwrap();
        for k in 0..100 {
            let at = whole_ray(&mut dice, &outline, 25);
            let story = format!("chain {index}, ray {k}: {outline:?}, {at:?}");
            hits += u32::from(expect_first(chain.at([0.0, 0.0]).unwrap(), &outline, closed, false, at, &story));
        }
    }
    println!("{hits} of {rays} hit");
    assert!(u64::from(hits) > rays / 4);
}

/// Convex polygons with up to a thousand whole corners, small ones and such that not all edges are looked at.
#[test]
fn rays_hit_convex_polygons_as_crossing_numbers_say() {
    let (rays, mut hits) = (run::pairs(20_000), 0);
    for index in 0..rays.div_ceil(100) {
        let mut dice = Dice::new(13, index);
        let directions = if index % 10 == 0 { dice.count(16, 300) } else { dice.count(2, 8) };
        let points = shapes::lattice_ring(&mut dice, directions);
        let outline: Vec<Whole> = points.iter().map(|p| [p.x as i64, p.y as i64]).collect();
        let polygon = Shape::polygon(&points).unwrap();
        let range = points.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max) as i32;
        for k in 0..100 {
            let at = whole_ray(&mut dice, &outline, range + 5);
            let story = format!("polygon {index}, ray {k}: {outline:?}, {at:?}");
            hits += u32::from(expect_first(polygon.at([0.0, 0.0]).unwrap(), &outline, true, true, at, &story));
        }
    }
    println!("{hits} of {rays} hit");
    assert!(u64::from(hits) > rays / 4);
}

/// Checks concave outlines against all edges (P7, P9): the first hit, the crossing number of the
/// start, and the exit of a hollow ray.
#[test]
fn rays_hit_concave_outlines_as_crossing_numbers_say() {
    let (rays, mut hits, mut left) = (run::pairs(20_000), 0, 0);
    for index in 0..rays.div_ceil(100) {
        let mut dice = Dice::new(15, index);
        let count = if index % 20 == 0 { 1_000 } else { dice.count(4, 24) };
        let outline = whole_outline(&mut dice, count);
        let points: Vec<DVec2> = outline.iter().map(|&p| float(p)).collect();
        let Ok(shape) = Shape::polygon(&points) else { continue };
        let range = outline.iter().flatten().map(|v| v.abs()).max().unwrap() as i32;
        for k in 0..100 {
            let [o, e] = whole_ray(&mut dice, &outline, range + 3);
            let story = format!("outline {index}, ray {k}: {outline:?}, {o:?} to {e:?}");
            let placed = shape.at([0.0, 0.0]).unwrap();
            hits += u32::from(expect_first(placed, &outline, true, true, [o, e], &story));
            left += u32::from(expect_leave(placed, &outline, [o, e], &story));
        }
    }
    println!("{hits} of {rays} hit, {left} leave");
    assert!(u64::from(hits) > rays / 4 && u64::from(left) > rays / 20);
}

/// Computes the time at which a ray from inside reaches the outside. Between two crossings of the
/// outline the ray is wholly inside or wholly outside, so one test of the middle suffices.
fn expect_leave(shape: Placed<'_>, outline: &[Whole], [o, e]: [Whole; 2], story: &str) -> bool {
    let on_edge = |p: Whole| edges(outline).any(|[a, b]| point_on_edge(p, a, b).is_some());
    if o == e || !(on_edge(o) || crossings_are_odd(o, outline)) {
        return false;
    }
    let mut times: Vec<Fraction> = edges(outline)
        .flat_map(|[a, b]| {
            // Along an edge both its ends count.
            let translation = minus(e, o);
            let along = |p: Whole| Fraction::new(dot(minus(p, o), translation), dot(translation, translation));
            let flush = cross(minus(b, a), translation) == 0 && cross(minus(a, o), translation) == 0;
            let ends = [a, b].map(along).into_iter().filter(move |f| flush && 0 <= f.0 && f.0 <= f.1);
            ends.chain(meets_edge(o, e, a, b).filter(|_| !flush))
        })
        .chain([Fraction(0, 1), Fraction(1, 1)])
        .collect();
    times.sort_by(|s, t| s.compare(*t));
    times.dedup_by(|s, t| s.compare(*t).is_eq());
    // The middle of two times, as a point with a denominator: the outline grows by that factor instead.
    let is_in = |s: Fraction, t: Fraction| {
        let (n, d) = (
            i128::from(s.0) * i128::from(t.1) + i128::from(t.0) * i128::from(s.1),
            2 * i128::from(s.1) * i128::from(t.1),
        );
        let p = [0, 1].map(|k| i128::from(o[k]) * d + i128::from(e[k] - o[k]) * n);
        point_in(p, d, outline)
    };
    let gap = times.windows(2).find(|pair| !is_in(pair[0], pair[1])).map(|pair| pair[0]);
    let expected = gap.or_else(|| on_edge(e).then_some(Fraction(1, 1)));
    let ray = ray(float(o), float(minus(e, o))).hollow();
    match (ray_cast(ray, shape), expected) {
        (None, None) => {}
        (Some(hit), Some(time)) => {
            let largest = outline.iter().chain([&o, &e]).flatten().fold(1, |m, v| m.max(v.abs())) as f64;
            let bound = 1e-13 + 8e-15 * largest / hit.normal.dot(float(minus(e, o))).abs();
            assert!((hit.time - time.value()).abs() < bound, "{story}: leaves at {hit:?}, not {time:?}");
            expect_sane(&ray, &hit, story);
        }
        (hit, _) => panic!("{story}: leaves at {hit:?}, not {expected:?}"),
    }
    expected.is_some()
}
