//! `Shape::polygon` accepts every simple polygon. `Shape::convex_polygon` refuses exactly the
//! concave ones. Expected results are computed in integers.

use carom::{Error, ErrorKind, Shape, ShapeKind};

type Point = [i64; 2];

fn cross([ax, ay]: Point, [bx, by]: Point, [cx, cy]: Point) -> i64 {
    (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
}

fn edges(ring: &[Point]) -> impl Iterator<Item = [Point; 2]> + '_ {
    (0..ring.len()).map(|i| [ring[i], ring[(i + 1) % ring.len()]])
}

/// Returns twice the signed area.
fn twice_area(ring: &[Point]) -> i64 {
    edges(ring).map(|[p, q]| cross([0, 0], p, q)).sum()
}

/// Returns true if no two edges share a point, other than neighbours their common end.
fn is_simple(ring: &[Point]) -> bool {
    let on = |[a, b]: [Point; 2], p: Point| {
        cross(a, b, p) == 0 && (0..2).all(|k| (a[k].min(b[k])..=a[k].max(b[k])).contains(&p[k]))
    };
    let (n, all) = (ring.len(), edges(ring).collect::<Vec<_>>());
    let meet = |i: usize, j: usize| {
        let ([a, b], [c, d]) = (all[i], all[j]);
        let crossing = cross(a, b, c).signum() * cross(a, b, d).signum() < 0
            && cross(c, d, a).signum() * cross(c, d, b).signum() < 0;
        let touching =
            [on(all[i], c), on(all[i], d), on(all[j], a), on(all[j], b)].into_iter().filter(|&on| on).count();
        let neighbours = (i + 1) % n == j || (j + 1) % n == i;
        crossing || touching > if neighbours { 2 } else { 0 }
    };
    all.iter().all(|[a, b]| a != b) && (0..n).all(|i| (i + 1..n).all(|j| !meet(i, j)))
}

/// Even-odd rule for a point that is on no edge, by a ray along +x; the boundary counts as inside.
fn contains(ring: &[Point], p: Point) -> bool {
    let mut inside = false;
    for [a, b] in edges(ring) {
        let side = cross(a, b, p);
        if side == 0 && (0..2).all(|k| (a[k].min(b[k])..=a[k].max(b[k])).contains(&p[k])) {
            return true;
        }
        if (a[1] > p[1]) != (b[1] > p[1]) && (side > 0) == (b[1] > a[1]) {
            inside = !inside;
        }
    }
    inside
}

/// Returns true if a point is a convex combination of others without being a corner of their hull.
fn is_inside_hull(ring: &[Point], p: Point) -> bool {
    let strictly_left = |a: Point, b: Point| ring.iter().all(|&q| cross(a, b, q) >= 0) && cross(a, b, p) > 0;
    let hull: Vec<[Point; 2]> = ring
        .iter()
        .flat_map(|&a| ring.iter().map(move |&b| [a, b]))
        .filter(|&[a, b]| a != b && ring.iter().all(|&q| cross(a, b, q) >= 0))
        .collect();
    hull.iter().all(|&[a, b]| strictly_left(a, b))
}

#[test]
fn every_simple_outline_is_taken_as_it_is() -> Result<(), Error> {
    let mut rng = fastrand::Rng::with_seed(11);
    let [mut convex, mut concave, mut refused] = [0; 3];
    while convex < 300 || concave < 300 || refused < 300 {
        let count = rng.usize(3..=7);
        let ring: Vec<Point> = (0..count).map(|_| [rng.i64(-4..=4), rng.i64(-4..=4)]).collect();
        let points: Vec<[f64; 2]> = ring.iter().map(|p| p.map(|x| x as f64)).collect();
        let (polygon, strict) = (Shape::polygon(&points), Shape::convex_polygon(&points));
        assert_eq!(polygon, Shape::polygon_with_holes(&points, &[]), "{ring:?}");
        if !is_simple(&ring) {
            // Repeated and collinear vertices, and outlines that touch themselves, are taken as well.
            refused += usize::from(strict.is_err());
            continue;
        }
        let turns: Vec<i64> =
            (0..count).map(|i| cross(ring[i], ring[(i + 1) % count], ring[(i + 2) % count]).signum()).collect();
        let is_convex = !(turns.contains(&1) && turns.contains(&-1));
        let shape = polygon.unwrap_or_else(|e| panic!("{ring:?}: {e}"));
        assert_eq!(shape.kind() == ShapeKind::ConvexPolygon, is_convex, "{ring:?}");
        assert_eq!(shape.rings().map(<[_]>::len).collect::<Vec<_>>(), [count], "{ring:?}");
        let (area, expected) = (shape.mass_properties().area, twice_area(&ring).abs() as f64 / 2.0);
        assert!((area - expected).abs() <= 1e-14 * expected, "{ring:?}: {area}");
        let placed = shape.at([0, 0])?;
        for p in (-4..=4).flat_map(|x| (-4..=4).map(move |y| [x, y])) {
            assert_eq!(placed.contains_point(p.map(|x| x as f64))?, contains(&ring, p), "{ring:?} at {p:?}");
        }
        match strict {
            Ok(strict) => assert!(is_convex && strict == shape, "{ring:?}"),
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Concave, "{ring:?}: {error}");
                let dent = error.vertex().unwrap_or_else(|| panic!("{ring:?}: {error}"));
                assert!(!is_convex && is_inside_hull(&ring, ring[dent]), "{ring:?}: {error}");
            }
        }
        *(if is_convex { &mut convex } else { &mut concave }) += 1;
    }
    Ok(())
}

/// A comb of 40 000 vertices: no pair-by-pair search ends in time.
#[test]
fn long_concave_outlines_are_taken_and_refused_by_sweeping() -> Result<(), Error> {
    let teeth = 20_000_u32;
    let mut comb: Vec<[f64; 2]> =
        (0..teeth).flat_map(|i| [[f64::from(2 * i), 0.0], [f64::from(2 * i + 1), 5.0]]).collect();
    comb.push([f64::from(2 * teeth), 0.0]);
    comb.extend([[f64::from(2 * teeth), 9.0], [0.0, 9.0]]);
    assert_eq!(Shape::polygon(&comb)?.kind(), ShapeKind::Polygon);
    assert_eq!(Shape::convex_polygon(&comb).unwrap_err().kind(), ErrorKind::Concave);
    comb[1][1] = 10.0;
    assert_eq!(Shape::polygon(&comb).unwrap_err().kind(), ErrorKind::SelfCrossing);
    Ok(())
}

/// Stars of which each edge turns left around the mean of the vertices: once in valid ones, twice in others.
#[test]
fn rings_around_a_point_are_taken_if_they_turn_once() {
    for count in [101, 1_001] {
        for turns in [1.0, 2.0] {
            let vertex = |i: u32| {
                let angle = turns * std::f64::consts::TAU * f64::from(i) / f64::from(count);
                let radius = 1.0 + 0.5 * f64::from(i % 2);
                [radius * angle.cos(), radius * angle.sin()]
            };
            let ring: Vec<[f64; 2]> = (0..count).map(vertex).collect();
            for ring in [ring.clone(), ring.into_iter().rev().collect()] {
                let polygon = Shape::polygon(&ring).map_err(|error| error.kind());
                let expected = if turns == 1.0 { Ok(ShapeKind::Polygon) } else { Err(ErrorKind::SelfCrossing) };
                assert_eq!(polygon.map(|polygon| polygon.kind()), expected, "{count} vertices, {turns} turns");
            }
        }
    }
}

/// A comb along a diagonal: the boxes of nearly all teeth meet, so a test of pairs of edges would take quadratic time.
#[test]
fn combs_along_a_diagonal_are_taken_unless_two_teeth_cross() {
    let comb = |bent: Option<i64>| -> Vec<[f64; 2]> {
        let tooth = |k: i64| {
            let shift = if bent == Some(k) { 8 } else { 0 };
            [[4 * k, -4 * k], [4 * k + 2002 + shift, 1998 - 4 * k - shift]]
        };
        let teeth = (0..10_000).flat_map(tooth).chain([[40_000, -40_000], [-5, -40_005]]);
        teeth.map(|p| p.map(|x| x as f64)).collect()
    };
    assert_eq!(Shape::polygon(&comb(None)).map(|polygon| polygon.kind()), Ok(ShapeKind::Polygon));
    for bent in [0, 5_000, 9_990] {
        assert_eq!(Shape::polygon(&comb(Some(bent))).unwrap_err().kind(), ErrorKind::SelfCrossing, "tooth {bent}");
    }
}
