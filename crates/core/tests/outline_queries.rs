//! Queries of polygons by their edges. Compares them with a loop over all pairs of convex parts, and with triangles of
//! an integer lattice.
//!
//! `CAROM_PAIRS` sets the number of pairs, `CAROM_SEED` selects them; a failure prints both outlines.

use std::collections::BTreeSet;

use carom::query::{DistanceCache, distance_cached};
use carom::{DVec2, Placed, Pose, Shape, collide, contains, distance, intersects, overlaps};

use crate::support::dice::{Dice, heading};
use crate::support::outlines::{self, Rings};
use crate::support::run::{pairs, seed};

fn shape(rings: &Rings) -> Option<Shape> {
    Shape::polygon_with_holes(&rings[0], &rings[1..]).ok()
}

fn lattice(dice: &mut Dice) -> Rings {
    loop {
        if let Some(rings) = outlines::lattice(dice) {
            return rings;
        }
    }
}

/// Two lattice outlines that often share vertices, edges, holes or the whole boundary.
fn lattice_pair(dice: &mut Dice) -> [Rings; 2] {
    let a = lattice(dice);
    let b = match dice.index(4) {
        // The whole boundary.
        0 => a.clone(),
        // A polygon that fills a hole exactly.
        1 if a.len() > 1 => vec![a[dice.count(1, a.len() - 1)].clone()],
        // A polygon without its holes.
        2 => vec![a[0].clone()],
        _ => lattice(dice),
    };
    let offset = DVec2::new(f64::from(2 * dice.whole(-4, 4)), f64::from(2 * dice.whole(-4, 4)));
    let offset = if dice.chance(0.6) { DVec2::ZERO } else { offset };
    let mut pair = [a, b.iter().map(|ring| ring.iter().map(|&p| p + offset).collect()).collect()];
    for rings in &mut pair {
        outlines::disguise(dice, rings);
    }
    pair
}

/// Returns a ring of a few vertices of another ring and some vertices of its own.
fn neighbor(dice: &mut Dice, ring: &[DVec2]) -> Vec<DVec2> {
    let (start, count) = (dice.index(ring.len()), dice.count(1, ring.len().min(12)));
    let mut shared: Vec<DVec2> = (0..count).map(|i| ring[(start + i) % ring.len()]).collect();
    if dice.chance(0.3) {
        // A vertex in the middle of an edge, rounded.
        shared[0] = (shared[0] + ring[(start + 1) % ring.len()]) * 0.5;
    }
    let middle = ring.iter().sum::<DVec2>() / ring.len() as f64;
    let factor = dice.one_of(&[0.0, 0.5, 2.0, -1.0]);
    shared.push(middle + (shared[0] - middle) * factor + dice.in_disk(0.3));
    if dice.chance(0.5) {
        shared.push(middle + (shared[count / 2] - middle) * factor + dice.in_disk(0.3));
    }
    shared
}

/// Two outlines of real numbers: combs, spirals, slivers and stars, and polygons with some of their vertices.
fn real_pair(dice: &mut Dice) -> [Rings; 2] {
    let n = dice.count(3, 40);
    let random = |dice: &mut Dice| match dice.index(6) {
        5 => outlines::regular(dice.one_of(&[8, 21, 22, 30])),
        0 => outlines::star(dice, n, 0.4),
        1 => outlines::star(dice, n, 0.001),
        2 => outlines::comb(dice, 1 + n / 4, 0.1),
        3 => outlines::spiral(dice, 2 + n / 2),
        _ => outlines::sliver(dice, 2 + n / 2),
    };
    let a = random(dice);
    let b = if dice.chance(0.6) { vec![neighbor(dice, &a[0])] } else { random(dice) };
    [a, b]
}

/// Returns a random pose. Five of six round no vertex.
fn pose(dice: &mut Dice) -> Pose {
    let at = dice.lattice(4);
    match dice.index(6) {
        0..=2 => Pose::IDENTITY,
        3 => Pose::from_degrees([0.0, 0.0], 90.0 * f64::from(dice.whole(0, 3))).unwrap(),
        4 => Pose::from_degrees(at * 0.5, 90.0 * f64::from(dice.whole(0, 3))).unwrap(),
        _ => Pose::new(at * 0.1, dice.angle()).unwrap(),
    }
}

/// The answers of the convex parts: they intersect, overlap, their least distance.
fn by_parts(a: Placed<'_>, b: Placed<'_>) -> (bool, bool, f64) {
    let placed = |placed: Placed<'_>| placed.shape().parts().map(|(part, _)| part).collect::<Vec<_>>();
    let (of_a, of_b) = (placed(a), placed(b));
    let mut found = (false, false, f64::INFINITY);
    for p in &of_a {
        for q in &of_b {
            let (p, q) = (p.placed(a.pose()), q.placed(b.pose()));
            found.0 |= intersects(p, q);
            found.1 |= overlaps(p, q);
            found.2 = found.2.min(distance(p, q).distance);
        }
    }
    found
}

/// Returns true if the union of the convex parts of `a` contains all parts of `b`.
fn contains_by_parts(a: Placed<'_>, b: Placed<'_>) -> bool {
    // A rounded child keeps the compound away from edges. It lies far from all outlines.
    let far = (Shape::circle(1.0).unwrap(), Pose::from_translation([1e29, 0.0]).unwrap());
    let parts = a.shape().parts().map(|(part, _)| (part, Pose::IDENTITY)).chain([far]);
    let union = Shape::compound(parts).unwrap();
    b.shape().parts().all(|(part, _)| contains(union.placed(a.pose()), part.placed(b.pose())))
}

/// Compares all queries of a pair with those of the parts. Returns the answers.
fn check(a: Placed<'_>, b: Placed<'_>, name: &str) -> [bool; 3] {
    let (meet, overlap, gap) = by_parts(a, b);
    assert_eq!([intersects(a, b), intersects(b, a)], [meet; 2], "{name}: intersects");
    assert_eq!([overlaps(a, b), overlaps(b, a)], [overlap; 2], "{name}: overlaps");
    assert_eq!(collide(a, b).map(|m| m.depth > 0.0), meet.then_some(overlap), "{name}: collide");
    let (within, around) = (contains(a, b), contains(b, a));
    assert_eq!([within, around], [contains_by_parts(a, b), contains_by_parts(b, a)], "{name}: contains");
    let size = a.points().chain(b.points()).map(|p| p.abs().max_element()).fold(0.0, f64::max);
    for (p, q) in [(a, b), (b, a)] {
        let found = distance(p, q);
        assert_eq!(found.distance == 0.0, meet, "{name}: distance {found:?}");
        assert!((found.distance - gap).abs() <= 1e-14 * size + 1e-13 * gap, "{name}: {found:?} instead of {gap:?}");
        for (placed, point) in [(p, found.point_a), (q, found.point_b)] {
            let off = distance(placed, Shape::circle(0.0).unwrap().at(point).unwrap()).distance;
            assert!(off <= 1e-14 * size, "{name}: {point} is off by {off:e}");
        }
        let apart = found.point_a.distance(found.point_b);
        assert!((apart - found.distance).abs() <= 1e-14 * size, "{name}: {found:?} but {apart:?}");
        assert_eq!(distance_cached(p, q, &mut DistanceCache::default()), found, "{name}: cached");
    }
    [meet, overlap, within || around]
}

/// Compares points of both outlines and their neighborhood with the parts.
fn check_points(dice: &mut Dice, a: Placed<'_>, b: Placed<'_>, name: &str) {
    let points: Vec<DVec2> = a.points().chain(b.points()).collect();
    for _ in 0..6 {
        let (p, q) = (points[dice.index(points.len())], points[dice.index(points.len())]);
        let near = p + dice.in_disk(1e-3);
        let point = dice.one_of(&[p, (p + q) * 0.5, near, DVec2::new(p.x, q.y)]);
        let in_part = |(part, _): (Shape, Pose)| part.placed(a.pose()).contains_point(point).unwrap();
        assert_eq!(a.contains_point(point), Ok(a.shape().parts().any(in_part)), "{name}: {point:?}");
        let is_inside = a.signed_distance(point).unwrap() < 0.0;
        assert_eq!(overlaps(a, Shape::circle(0.0).unwrap().at(point).unwrap()), is_inside, "{name}: {point:?}");
    }
}

#[test]
fn edges_give_the_answers_of_all_pairs_of_parts() {
    let (count, mut counts) = (pairs(10_000), [0_u64; 4]);
    for index in 0..count {
        let mut dice = Dice::new(seed(), index);
        let dice = &mut dice;
        let is_real = dice.chance(0.4);
        let mut rings = if is_real { real_pair(dice) } else { lattice_pair(dice) };
        if !is_real && dice.chance(0.3) {
            // The same exact motion of both, to huge and tiny coordinates.
            let again = Dice::new(seed(), index);
            let mut both: Rings = rings.concat();
            outlines::move_exactly(&mut { again }, &mut both);
            let (a, b) = both.split_at(rings[0].len());
            rings = [a.to_vec(), b.to_vec()];
        }
        let [Some(p), Some(q)] = [&rings[0], &rings[1]].map(shape) else { continue };
        let common = pose(dice);
        let poses = if dice.chance(0.7) { [common; 2] } else { [common, pose(dice)] };
        let (a, b) = (p.placed(poses[0]), q.placed(poses[1]));
        let name = format!("seed {}, pair {index}: {rings:?} at {poses:?}", seed());
        let answers = check(a, b, &name);
        check_points(dice, a, b, &name);
        counts[0] += 1;
        answers.iter().zip(&mut counts[1..]).for_each(|(&answer, count)| *count += u64::from(answer));
    }
    println!("outlines: {} pairs, {} intersect, {} overlap, {} contain", counts[0], counts[1], counts[2], counts[3]);
    let [all, meet, overlap, within] = counts;
    assert!(all * 10 > count * 8 && meet * 2 > all && meet - overlap > all / 20 && within > all / 20, "{counts:?}");
}

/// The triangles of the lattice inside an outline: each square of side 2 has four, around its center.
fn triangles(rings: &Rings) -> BTreeSet<[i64; 3]> {
    let is_inside = |x: i64, y: i64| {
        let winding = rings.iter().flat_map(|ring| (0..ring.len()).map(move |i| [ring[i], ring[(i + 1) % ring.len()]]));
        let crossings = winding.filter(|edge| {
            // Coordinates times 6, as those of the triangles' centroids.
            let [[ax, ay], [bx, by]] = edge.map(|p| [p.x as i64 * 6, p.y as i64 * 6]);
            (ay > y) != (by > y) && ((bx - ax) * (y - ay) > (by - ay) * (x - ax)) != (by > ay)
        });
        crossings.count() % 2 == 1
    };
    let mut found = BTreeSet::new();
    for (x, y) in (-12..24).flat_map(|x| (-12..24).map(move |y| (2 * x + 1, 2 * y + 1))) {
        for (k, [dx, dy]) in [[0, -4], [4, 0], [0, 4], [-4, 0]].into_iter().enumerate() {
            if is_inside(6 * x + dx, 6 * y + dy) {
                found.insert([x, y, k as i64]);
            }
        }
    }
    found
}

/// The corners of triangles.
fn corners(triangles: &BTreeSet<[i64; 3]>) -> BTreeSet<[i64; 2]> {
    let around = [[-1, -1], [1, -1], [1, 1], [-1, 1]];
    let of = |&[x, y, k]: &[i64; 3]| {
        let corner = |k: usize| [x + around[k % 4][0], y + around[k % 4][1]];
        [[x, y], corner(k as usize), corner(k as usize + 1)]
    };
    triangles.iter().flat_map(of).collect()
}

#[test]
fn edges_give_the_answers_of_lattice_triangles() {
    let mut counts = [0; 4];
    for index in 0..pairs(3_000) {
        let mut dice = Dice::new(seed() ^ 0x1a77, index);
        let rings = lattice_pair(&mut dice);
        let [Some(p), Some(q)] = [&rings[0], &rings[1]].map(shape) else { panic!("{rings:?} is refused") };
        let (of_p, of_q) = (triangles(&rings[0]), triangles(&rings[1]));
        let expected = [
            !corners(&of_p).is_disjoint(&corners(&of_q)),
            !of_p.is_disjoint(&of_q),
            of_q.is_subset(&of_p),
            of_p.is_subset(&of_q),
        ];
        let (a, b) = (p.placed(Pose::IDENTITY), q.placed(Pose::IDENTITY));
        let found = [intersects(a, b), overlaps(a, b), contains(a, b), contains(b, a)];
        assert_eq!(found, expected, "seed {}, pair {index}: {rings:?}", seed());
        expected.iter().zip(&mut counts).for_each(|(&answer, count)| *count += u64::from(answer));
    }
    println!("lattice outlines: {counts:?}");
    assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
}

#[test]
fn a_compound_of_polygons_is_the_union_of_its_outlines() {
    let mut contained = 0;
    for index in 0..pairs(1_000) {
        let mut dice = Dice::new(seed() ^ 0xc0, index);
        let [Some(p), Some(q)] = lattice_pair(&mut dice).map(|rings| shape(&rings)) else { continue };
        let Some(r) = shape(&lattice(&mut dice)) else { continue };
        let poses = [pose(&mut dice), pose(&mut dice), pose(&mut dice)];
        let nested = Shape::compound([(q.clone(), poses[0])]).unwrap();
        let both = Shape::compound([(p, Pose::IDENTITY), (nested, poses[1])]).unwrap();
        let (a, b) = (both.placed(poses[2]), r.placed(Pose::IDENTITY));
        let name = format!("seed {}, pair {index}", seed());
        let (mut meet, mut overlap, mut gap) = (false, false, f64::INFINITY);
        for (part, own) in both.parts() {
            // One pose that is rounded as that of a part of a compound is.
            let part = Shape::compound([(part, own)]).unwrap();
            for (other, _) in r.parts() {
                let (part, other) = (part.placed(poses[2]), other.placed(Pose::IDENTITY));
                meet |= intersects(part, other);
                overlap |= overlaps(part, other);
                gap = gap.min(distance(part, other).distance);
            }
        }
        assert_eq!((intersects(a, b), overlaps(a, b)), (meet, overlap), "{name}");
        // A rounded child keeps the union away from edges. It lies far from all outlines.
        let far = (Shape::circle(1.0).unwrap(), Pose::from_translation([1e29, 0.0]).unwrap());
        let union = Shape::compound(both.parts().chain([far])).unwrap();
        let is_in = |part: &Shape| contains(union.placed(poses[2]), part.placed(Pose::IDENTITY));
        let within = r.parts().all(|(part, _)| is_in(&part));
        assert_eq!(contains(a, b), within, "{name}: contains");
        contained += u32::from(within);
        let found = distance(a, b);
        assert!(found.distance == gap || (found.distance - gap).abs() <= 1e-12, "{name}: {found:?} {gap}");
        let child = both.child_of(found.part_a).unwrap().0;
        let (shape, own) = &both.children()[child];
        let near = Shape::compound([(shape.clone(), *own)]).unwrap();
        assert!((distance(near.placed(poses[2]), b).distance - gap).abs() <= 1e-12, "{name}: child {child}");
    }
    assert!(contained > 20, "{contained} pairs contain");
}

/// A star of up to 600 vertices with even coordinates, with or without a hole.
fn large_star(dice: &mut Dice) -> Rings {
    let n = dice.count(20, 600);
    let center = dice.in_disk(1000.0);
    let ring = |dice: &mut Dice, nearest: f64, farthest: f64| -> Vec<DVec2> {
        let vertex = |i: usize| {
            let angle = std::f64::consts::TAU * i as f64 / n as f64;
            center + heading(angle) * (nearest + (farthest - nearest) * dice.between(0.0, 1.0))
        };
        (0..n).map(vertex).map(|p| (p * 0.5).round() * 2.0).collect()
    };
    let (nearest, farthest) = dice.one_of(&[(500.0, 2000.0), (1900.0, 2000.0), (3000.0, 100_000.0)]);
    let mut rings = vec![ring(dice, nearest, farthest)];
    if dice.chance(0.5) {
        rings.push(ring(dice, 0.2 * nearest, 0.9 * nearest));
    }
    rings
}

/// Returns true if rings of integers contain a point of integers. Exact.
fn is_in_rings(rings: &Rings, point: DVec2) -> bool {
    let whole = |p: DVec2| [p.x as i64, p.y as i64];
    let [x, y] = whole(point);
    let edges = rings.iter().flat_map(|ring| (0..ring.len()).map(move |i| [ring[i], ring[(i + 1) % ring.len()]]));
    let (mut is_inside, mut is_on) = (false, false);
    for edge in edges {
        let [[ax, ay], [bx, by]] = edge.map(whole);
        let side = (bx - ax) * (y - ay) - (by - ay) * (x - ax);
        is_on |= side == 0 && (ax.min(bx)..=ax.max(bx)).contains(&x) && (ay.min(by)..=ay.max(by)).contains(&y);
        is_inside ^= (ay > y) != (by > y) && (side > 0) == (by > ay);
    }
    is_inside || is_on
}

#[test]
fn points_of_large_polygons_are_located_by_all_edges() {
    let mut counts = [0_u32; 2];
    for index in 0..pairs(300) {
        let mut dice = Dice::new(seed() ^ 0x9017, index);
        let dice = &mut dice;
        let all: Vec<Rings> = (0..dice.count(1, 4)).map(|_| large_star(dice)).collect();
        // Rounding can make a ring cross itself.
        let Some(shapes) = all.iter().map(shape).collect::<Option<Vec<_>>>() else { continue };
        let union = match &*shapes {
            [one] => one.clone(),
            _ => Shape::compound(shapes.into_iter().map(|shape| (shape, Pose::IDENTITY))).unwrap(),
        };
        let here = union.placed(Pose::IDENTITY);
        let moved = Pose::from_degrees([1.0e6, -7.0], 90.0 * f64::from(dice.whole(0, 3))).unwrap();
        let vertices: Vec<DVec2> = all.iter().flatten().flatten().copied().collect();
        let (min, max) = vertices.iter().fold((vertices[0], vertices[0]), |(min, max), &p| (min.min(p), max.max(p)));
        for _ in 0..200 {
            let k = dice.index(vertices.len());
            let (p, q) = (vertices[k], vertices[(k + 1) % vertices.len()]);
            let random = (min + (max - min) * DVec2::new(dice.between(0.0, 1.0), dice.between(0.0, 1.0))).round();
            let near = p + dice.lattice(3);
            let point = dice.one_of(&[p, (p + q) * 0.5, near, random, random, DVec2::new(random.x, p.y)]);
            let expected = all.iter().any(|rings| is_in_rings(rings, point));
            let name = format!("seed {}, polygons {index}: {point}", seed());
            assert_eq!(here.contains_point(point), Ok(expected), "{name}");
            assert_eq!(union.placed(moved).contains_point(moved.transform_point(point)), Ok(expected), "{name}, moved");
            counts[usize::from(expected)] += 1;
        }
    }
    println!("points of large polygons: {counts:?}");
    assert!(counts.iter().all(|&count| count > 1000), "{counts:?}");
}

/// Shapes stay shareable between threads, and threads agree about parts that are computed at once.
#[test]
fn threads_that_compute_parts_at_once_agree() {
    fn is_shareable<T: Send + Sync>() {}
    is_shareable::<Shape>();
    for index in 0..20 {
        let rings = outlines::star(&mut Dice::new(7, index), 200, 0.3);
        let shape = shape(&rings).unwrap();
        let count = |shape: &Shape| shape.parts().map(|(part, _)| part).collect::<Vec<_>>();
        let found = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| count(&shape))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
        });
        let outline = carom::decompose::PolygonWithHoles::new(&rings[0], &rings[1..]).unwrap();
        let expected = count(&Shape::from_outline(&outline).unwrap());
        assert!(found.iter().all(|parts| *parts == expected));
    }
}

/// The area between a tip and an edge has a square that underflows, although neither the distance nor the edge does.
#[test]
fn distances_of_tiny_polygons_keep_their_digits() {
    let notched = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.5, 0.5], [0.0, 1.0]];
    let arrow = [[0.3, -2.4], [0.7, -3.4], [0.3, -3.0], [-0.1, -3.4]];
    for power in [0, -258, -262, -265, -269, -300, -400, -450] {
        let scale = 2.0_f64.powi(power);
        let [a, b] = [&notched[..], &arrow].map(|ring| {
            let scaled: Vec<[f64; 2]> = ring.iter().map(|point| point.map(|x| x * scale)).collect();
            Shape::polygon(&scaled).unwrap()
        });
        let gap = distance(a.placed(Pose::IDENTITY), b.placed(Pose::IDENTITY)).distance / scale;
        assert!((gap - 2.4).abs() < 1e-14, "2^{power}: {gap}");
    }
}
