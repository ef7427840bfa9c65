//! Relations of areas are those of sets of triangles, which integers decide.
//!
//! The plane is cut into unit squares, and each square into two triangles by a diagonal. An area is a set of
//! triangles. Two areas share interior points exactly if they share a triangle. Else they touch along the
//! edges between a triangle of one and a triangle of the other, or at their common corners.

use std::collections::{BTreeMap, BTreeSet};

use carom::query::{OutlineRelation, PreparedOutline, outline_relation};
use carom::{ErrorKind, Mask, Pose, Shape};

use crate::support::run;

type Point = [i32; 2];

fn dice(seed: u64) -> fastrand::Rng {
    fastrand::Rng::with_seed(run::seed() ^ seed)
}

fn count(default: u64) -> u64 {
    run::pairs(default)
}

/// Column and row of a square. The lower triangle is below the diagonal from the lower left to the upper right corner.
type Triangle = (i32, i32, bool);

type Area = BTreeSet<Triangle>;

/// Returns the corners, counter-clockwise.
fn corners((x, y, is_lower): Triangle) -> [Point; 3] {
    if is_lower { [[x, y], [x + 1, y], [x + 1, y + 1]] } else { [[x, y], [x + 1, y + 1], [x, y + 1]] }
}

/// Returns the edges with the triangle on the left.
fn edges(triangle: Triangle) -> [[Point; 2]; 3] {
    let [a, b, c] = corners(triangle);
    [[a, b], [b, c], [c, a]]
}

fn neighbours((x, y, is_lower): Triangle) -> [Triangle; 3] {
    if is_lower {
        [(x, y, false), (x + 1, y, false), (x, y - 1, false)]
    } else {
        [(x, y, true), (x - 1, y, true), (x, y + 1, true)]
    }
}

/// Relation, length of the common border and area of the intersection.
struct Expected {
    relation: OutlineRelation,
    border: f64,
    area: f64,
}

/// Decides by counting triangles, edges and corners.
fn expected(a: &Area, b: &Area) -> Expected {
    let common = a.intersection(b).count();
    let all_edges = |area: &Area| area.iter().flat_map(|&triangle| edges(triangle)).collect::<BTreeSet<_>>();
    let (of_a, of_b) = (all_edges(a), all_edges(b));
    let shared = of_a.iter().filter(|[p, q]| of_b.contains(&[*q, *p]));
    let length = |[p, q]: &[Point; 2]| f64::from((p[0] - q[0]).pow(2) + (p[1] - q[1]).pow(2)).sqrt();
    let all_corners = |area: &Area| area.iter().flat_map(|&triangle| corners(triangle)).collect::<BTreeSet<_>>();
    let border: f64 = if common == 0 { shared.map(length).sum() } else { 0.0 };
    let relation = match (common, a.is_superset(b), a.is_subset(b)) {
        (0, ..) if border > 0.0 => OutlineRelation::TouchesAlongBorder,
        (0, ..) if !all_corners(a).is_disjoint(&all_corners(b)) => OutlineRelation::TouchesAtPoints,
        (0, ..) => OutlineRelation::Disjoint,
        (_, true, true) => OutlineRelation::Equals,
        (_, true, false) => OutlineRelation::Contains,
        (_, false, true) => OutlineRelation::Within,
        (_, false, false) => OutlineRelation::Overlaps,
    };
    Expected { relation, border, area: common as f64 / 2.0 }
}

/// Returns a connected area of about `size` triangles.
fn grown(dice: &mut fastrand::Rng, size: usize, start: Triangle) -> Area {
    let mut area = Area::from([start]);
    while area.len() < size {
        let from = *area.iter().nth(dice.usize(0..area.len())).unwrap();
        area.insert(neighbours(from)[dice.usize(0..3)]);
    }
    area
}

/// Returns the boundary as rings with the area on the left. Collinear vertices are left out if `is_short`.
fn rings(area: &Area, is_short: bool) -> Vec<Vec<Point>> {
    let all: BTreeSet<[Point; 2]> = area.iter().flat_map(|&triangle| edges(triangle)).collect();
    let mut next: BTreeMap<Point, Vec<Point>> = BTreeMap::new();
    for [p, q] in all.iter().filter(|[p, q]| !all.contains(&[*q, *p])) {
        next.entry(*p).or_default().push(*q);
    }
    let mut rings = Vec::new();
    while let Some((&start, ends)) = next.iter_mut().find(|(_, ends)| !ends.is_empty()) {
        let mut ring = vec![start, ends.pop().unwrap()];
        while ring.last() != ring.first() {
            let [p, q] = [ring[ring.len() - 2], ring[ring.len() - 1]];
            // At a corner where the area meets itself: the sharpest turn to the left stays at the same triangle.
            let ends = next.get_mut(&q).unwrap();
            let into = [q[0] - p[0], q[1] - p[1]].map(f64::from);
            let turn = |end: &Point| {
                let out = [end[0] - q[0], end[1] - q[1]].map(f64::from);
                (into[0] * out[1] - into[1] * out[0]).atan2(into[0] * out[0] + into[1] * out[1])
            };
            let best = (0..ends.len()).max_by(|&i, &j| turn(&ends[i]).total_cmp(&turn(&ends[j]))).unwrap();
            ring.push(ends.swap_remove(best));
        }
        ring.pop();
        if is_short {
            let n = ring.len();
            let is_corner = |&i: &usize| {
                let [p, q, r] = [ring[(i + n - 1) % n], ring[i], ring[(i + 1) % n]];
                (q[0] - p[0]) * (r[1] - q[1]) != (q[1] - p[1]) * (r[0] - q[0])
            };
            ring = (0..n).filter(is_corner).map(|i| ring[i]).collect();
        }
        rings.push(ring);
    }
    rings
}

fn twice_area(ring: &[Point]) -> i32 {
    let pairs = ring.iter().zip(ring.iter().cycle().skip(1));
    pairs.map(|(p, q)| p[0] * q[1] - p[1] * q[0]).sum()
}

/// Pose by quarter turns and integers, which moves no point by a rounding.
fn exact_pose(dice: &mut fastrand::Rng) -> (Pose, impl Fn(Point) -> Point + use<>) {
    let (quarters, x, y) = (dice.i32(0..4), dice.i32(-9..9), dice.i32(-9..9));
    let pose = Pose::from_degrees([f64::from(x), f64::from(y)], 90.0 * f64::from(quarters)).unwrap();
    let inverse = move |[px, py]: Point| (0..quarters).fold([px - x, py - y], |[x, y], _| [y, -x]);
    (pose, inverse)
}

fn floats(ring: &[Point], transform: &impl Fn(Point) -> Point) -> Vec<[f64; 2]> {
    ring.iter().map(|&p| transform(p).map(f64::from)).collect()
}

/// Returns a polygon with holes; `None` if the area meets itself at a corner in a way that a polygon cannot have.
fn polygon(area: &Area, is_short: bool, transform: &impl Fn(Point) -> Point) -> Option<Shape> {
    let (outer, holes): (Vec<_>, Vec<_>) = rings(area, is_short).into_iter().partition(|ring| twice_area(ring) > 0);
    let [outer] = &*outer else { return None };
    let holes: Vec<Vec<[f64; 2]>> = holes.iter().map(|hole| floats(hole, transform)).collect();
    Shape::polygon_with_holes(&floats(outer, transform), &holes).ok()
}

/// Returns a compound of all triangles. Some of them twice, because parts may overlap.
fn triangles(dice: &mut fastrand::Rng, area: &Area, transform: &impl Fn(Point) -> Point) -> Shape {
    let mut list: Vec<Triangle> = area.iter().copied().collect();
    list.extend(area.iter().filter(|_| dice.u8(0..4) == 0));
    let part = |triangle| (Shape::polygon(&floats(&corners(triangle), transform)).unwrap(), Pose::IDENTITY);
    Shape::compound(list.into_iter().map(part)).unwrap()
}

/// Returns the area as one of the kinds that hold it.
fn shape(dice: &mut fastrand::Rng, area: &Area, transform: &impl Fn(Point) -> Point) -> Shape {
    let kind = dice.u8(0..3);
    let polygon = if kind < 2 { polygon(area, kind == 0, transform) } else { None };
    polygon.unwrap_or_else(|| triangles(dice, area, transform))
}

fn check(shapes: [&Shape; 2], poses: [Pose; 2], expected: &Expected, tolerance: f64, name: &str) {
    let [a, b] = [0, 1].map(|i| PreparedOutline::new(shapes[i].placed(poses[i])).unwrap());
    let show = || format!("{name}: {:?} at {:?} and {:?} at {:?}", shapes[0], poses[0], shapes[1], poses[1]);
    assert_eq!(a.relation(&b), expected.relation, "{}", show());
    assert_eq!(b.relation(&a), expected.relation.inverse(), "{}", show());
    for (measured, exact) in [
        (a.pair(&b).border_length(), expected.border),
        (b.pair(&a).border_length(), expected.border),
        (a.pair(&b).intersection_area(), expected.area),
        (b.pair(&a).intersection_area(), expected.area),
    ] {
        assert!(
            (measured - exact).abs() <= tolerance && (measured > 0.0) == (exact > 0.0),
            "{measured}, not {exact}: {}",
            show()
        );
    }
}

/// Returns two areas that are often near each other, equal, or one in the other.
fn two_areas(dice: &mut fastrand::Rng) -> [Area; 2] {
    let start = |dice: &mut fastrand::Rng| (dice.i32(0..4), dice.i32(0..4), dice.bool());
    let (size, from) = (dice.usize(1..24), start(dice));
    let a = grown(dice, size, from);
    let mut b = match dice.u8(0..6) {
        0 => a.clone(),
        // A subset that is connected, or a superset.
        1 => {
            let mut rest = Area::from([*a.first().unwrap()]);
            for _ in 0..dice.usize(0..60) {
                let from = *rest.iter().nth(dice.usize(0..rest.len())).unwrap();
                rest.extend(Some(neighbours(from)[dice.usize(0..3)]).filter(|next| a.contains(next)));
            }
            rest
        }
        _ => {
            let (size, from) = (dice.usize(1..24), start(dice));
            grown(dice, size, from)
        }
    };
    if dice.bool() && a != b {
        // Without the common triangles, the areas only touch. The rest must be connected for a polygon.
        let rest: Area = b.difference(&a).copied().collect();
        if !rest.is_empty() {
            b = rest;
        }
    }
    if dice.bool() { [b, a] } else { [a, b] }
}

#[test]
fn relations_lengths_and_areas_are_those_of_sets_of_triangles() {
    let mut dice = dice(0x71e5);
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for i in 0..count(3_000) {
        let [a, b] = two_areas(&mut dice);
        let expected = expected(&a, &b);
        *seen.entry(expected.relation.name()).or_default() += 1;
        let ((pose_a, to_a), (pose_b, to_b)) = (exact_pose(&mut dice), exact_pose(&mut dice));
        let shapes = [shape(&mut dice, &a, &to_a), shape(&mut dice, &b, &to_b)];
        check([&shapes[0], &shapes[1]], [pose_a, pose_b], &expected, 1e-11, &format!("pair {i}"));
    }
    assert!(seen.len() == 7 && seen.values().all(|count| *count >= 50), "{seen:?}");
}

/// A pose that rounds moves each corner of the lattice to one point. The triangles stay a triangulation, so the
/// relation is that of the sets.
#[test]
fn a_common_pose_that_rounds_changes_no_relation_of_triangulated_areas() {
    let mut dice = dice(0x71e6);
    for i in 0..count(1_000) {
        let [a, b] = two_areas(&mut dice);
        let far = 10_f64.powi(dice.i32(0..6));
        let mut at = || (dice.f64() - 0.5) * far;
        let pose = Pose::new([at(), at()], at()).unwrap();
        let shapes = [&a, &b].map(|area| triangles(&mut dice, area, &|p| p));
        check([&shapes[0], &shapes[1]], [pose; 2], &expected(&a, &b), 1e-10 * far.max(1.0), &format!("pair {i}"));
    }
}

/// A mask is the union of its pixels.
#[test]
fn masks_are_areas() {
    let mut dice = dice(0x71e7);
    for i in 0..300 {
        let random = |dice: &mut fastrand::Rng| {
            let pixels: Vec<u8> = (0..20).map(|_| if dice.u8(0..3) == 0 { 255 } else { 0 }).chain([255]).collect();
            let shape = Shape::mask(Mask::from_alpha(7, 3, &pixels, 128).unwrap()).unwrap();
            // Row 0 lies at y from 0 to 1.
            let squares = (0..21).filter(|&k| pixels[k] > 0).map(|k| (k % 7, k / 7));
            let area: Area =
                squares.flat_map(|(x, y)| [(x as i32, y as i32, true), (x as i32, y as i32, false)]).collect();
            (shape, area)
        };
        let ((p, of_p), (q, of_q)) = (random(&mut dice), random(&mut dice));
        let (x, y) = (dice.i32(-7..8), dice.i32(-3..4));
        let moved: Area = of_q.iter().map(|&(column, row, is_lower)| (column + x, row + y, is_lower)).collect();
        let pose = Pose::from_translation([f64::from(x), f64::from(y)]).unwrap();
        check([&p, &q], [Pose::IDENTITY, pose], &expected(&of_p, &moved), 1e-12, &format!("masks {i}"));
    }
}

/// Cases of the relate tests of JTS (`TestRelateAA`), with the DE-9IM matrices that they state.
#[test]
fn documented_relations_of_jts() {
    let square = |x: f64, y: f64, side: f64| [[x, y], [x + side, y], [x + side, y + side], [x, y + side]];
    let relation =
        |a: &Shape, b: &Shape| outline_relation(a.at([0.0, 0.0]).unwrap(), b.at([0.0, 0.0]).unwrap()).unwrap();
    let with_hole = |outer: &[[f64; 2]], hole: &[[f64; 2]]| Shape::polygon_with_holes(outer, &[hole.to_vec()]).unwrap();
    let base = Shape::polygon(&square(20.0, 20.0, 80.0)).unwrap();
    let cases = [
        // FF2FF1212: apart.
        (Shape::polygon(&square(200.0, 20.0, 80.0)), OutlineRelation::Disjoint),
        // FF2F01212: a common corner; a corner on an edge.
        (Shape::polygon(&square(100.0, 100.0, 50.0)), OutlineRelation::TouchesAtPoints),
        (Shape::polygon(&[[100.0, 60.0], [180.0, 20.0], [180.0, 100.0]]), OutlineRelation::TouchesAtPoints),
        // FF2F11212: a common edge; parts of edges.
        (Shape::polygon(&square(100.0, 20.0, 80.0)), OutlineRelation::TouchesAlongBorder),
        (Shape::polygon(&square(100.0, 60.0, 80.0)), OutlineRelation::TouchesAlongBorder),
        // 212101212: crossing boundaries.
        (Shape::polygon(&square(60.0, 60.0, 80.0)), OutlineRelation::Overlaps),
        // 212FF1FF2 and 212F11FF2: contained, without and with a common edge.
        (Shape::polygon(&square(40.0, 40.0, 20.0)), OutlineRelation::Contains),
        (Shape::polygon(&square(20.0, 40.0, 20.0)), OutlineRelation::Contains),
        // 2FF1FF212: within.
        (Shape::polygon(&square(0.0, 0.0, 200.0)), OutlineRelation::Within),
        // 2FFF1FFF2: equal, with another first vertex, other direction and more vertices.
        (
            Shape::polygon(&[[100.0, 100.0], [100.0, 20.0], [60.0, 20.0], [20.0, 20.0], [20.0, 100.0]]),
            OutlineRelation::Equals,
        ),
    ];
    for (other, expected) in cases {
        let other = other.unwrap();
        assert_eq!(relation(&base, &other), expected, "{other:?}");
        assert_eq!(relation(&other, &base), expected.inverse(), "{other:?}");
    }
    // FF2F11212: a polygon that fills the hole of another one, or a part of it.
    let frame = with_hole(&square(0.0, 0.0, 120.0), &square(20.0, 20.0, 80.0));
    assert_eq!(relation(&frame, &base), OutlineRelation::TouchesAlongBorder);
    assert_eq!(relation(&frame, &Shape::polygon(&square(40.0, 40.0, 20.0)).unwrap()), OutlineRelation::Disjoint);
    let diamond = Shape::polygon(&[[60.0, 20.0], [100.0, 60.0], [60.0, 100.0], [20.0, 60.0]]).unwrap();
    assert_eq!(relation(&frame, &diamond), OutlineRelation::TouchesAtPoints);
    // 212111212: equal outer rings, and a hole in one of them.
    let solid = Shape::polygon(&square(0.0, 0.0, 120.0)).unwrap();
    assert_eq!(relation(&solid, &frame), OutlineRelation::Contains);
}

/// A difference of one ulp is a difference: rounding closes no gap and opens none.
#[test]
fn one_ulp_decides() {
    let left = Shape::polygon(&[[0.1, 0.1], [0.3, 0.1], [0.3, 0.3], [0.1, 0.3]]).unwrap();
    let right = |x: f64| Shape::polygon(&[[x, 0.15], [0.7, 0.15], [0.7, 0.2], [x, 0.2]]).unwrap();
    let relation = |x: f64| {
        let right = right(x);
        outline_relation(left.at([0.0, 0.0]).unwrap(), right.at([0.0, 0.0]).unwrap()).unwrap()
    };
    assert_eq!(relation(0.3), OutlineRelation::TouchesAlongBorder);
    assert_eq!(relation(0.3_f64.next_up()), OutlineRelation::Disjoint);
    assert_eq!(relation(0.3_f64.next_down()), OutlineRelation::Overlaps);
    // The middle of this edge with decimal coordinates lies exactly on it; its neighbour does not.
    let slope = Shape::polygon(&[[0.1, 0.1], [0.3, 0.3], [0.1, 0.3]]).unwrap();
    let below = |y: f64| {
        let below = Shape::polygon(&[[0.1, 0.1], [0.5, 0.1], [0.2, y]]).unwrap();
        outline_relation(slope.at([0.0, 0.0]).unwrap(), below.at([0.0, 0.0]).unwrap()).unwrap()
    };
    assert_eq!(below(0.2), OutlineRelation::TouchesAlongBorder);
    assert_eq!(below(0.2_f64.next_down()), OutlineRelation::TouchesAtPoints);
    assert_eq!(below(0.2_f64.next_up()), OutlineRelation::Overlaps);
}

#[test]
fn lengths_and_areas_are_not_zero_if_the_relation_says_so() {
    let tiny = f64::from_bits(1);
    let square = |x: f64| Shape::polygon(&[[x, 0.0], [x + tiny, 0.0], [x + tiny, tiny], [x, tiny]]).unwrap();
    let (shapes, origin) = ([square(0.0), square(tiny)], [0.0, 0.0]);
    let [a, b] = [0, 1].map(|i| PreparedOutline::new(shapes[i].at(origin).unwrap()).unwrap());
    assert_eq!((a.relation(&b), a.pair(&b).border_length()), (OutlineRelation::TouchesAlongBorder, tiny));
    assert_eq!((a.relation(&a), a.pair(&a).intersection_area()), (OutlineRelation::Equals, tiny));
}

/// Coordinates of maps are large compared with their fields. Crossings that are rounded there would change the areas:
/// near 2⁴⁹, by up to 2⁻⁴ per coordinate.
#[test]
fn areas_far_from_the_origin_keep_their_digits() {
    for far in [0.0, 1e9, (1_u64 << 49) as f64, -((1_u64 << 49) as f64)] {
        let at = |points: [[f64; 2]; 3]| points.map(|[x, y]| [x + far, y - far]);
        let a = Shape::polygon(&at([[0.0, 0.0], [3.0, 1.0], [1.0, 2.0]])).unwrap();
        let b = Shape::polygon(&at([[0.0, 2.0], [1.0, 0.0], [2.0, 2.0]])).unwrap();
        let far_piece = Shape::polygon(&at([[50.0, 0.0], [51.0, 0.0], [50.0, 1.0]])).unwrap();
        let several = Shape::compound([(b.clone(), Pose::IDENTITY), (far_piece, Pose::IDENTITY)]).unwrap();
        for b in [b, several] {
            let [a, b] = [&a, &b].map(|shape| PreparedOutline::new(shape.placed(Pose::IDENTITY)).unwrap());
            // By rational arithmetic: the triangles have the areas 5/2 and 2, and they share 87/70.
            for area in [a.pair(&b).intersection_area(), b.pair(&a).intersection_area()] {
                assert!((area - 87.0 / 70.0).abs() <= 1e-15, "{area} at {far}");
            }
        }
    }
}

/// The pieces of a multipolygon are compared only with their neighbours: all pairs would be 200 million.
#[test]
fn areas_of_multipolygons_with_many_members() {
    let part = |i: i32| {
        let [x, y] = [i % 141, i / 141].map(f64::from);
        // Each second member covers half of the one before it.
        let [x, y] = if i % 2 == 0 { [x, y] } else { [x - 0.5, y] };
        Shape::polygon(&[[x, y], [x + 1.0, y], [x + 1.0, y + 0.75], [x, y + 0.75]]).unwrap()
    };
    let islands = Shape::compound((0..141 * 141).map(|i| (part(i), Pose::IDENTITY))).unwrap();
    let sea = Shape::rectangle(400.0, 400.0).unwrap();
    let [islands, sea] = [&islands, &sea].map(|shape| PreparedOutline::new(shape.placed(Pose::IDENTITY)).unwrap());
    assert_eq!(sea.pair(&islands).intersection_area(), 11209.5);
}

/// Each edge of a covered polygon is compared with the members near it: a search of all members would take minutes.
#[test]
fn a_multipolygon_of_many_members_covers_a_polygon() {
    const SIDE: u32 = 300;
    let square = |i: u32| {
        let [x, y] = [i % SIDE, i / SIDE].map(f64::from);
        (Shape::polygon(&[[x, y], [x + 1.0, y], [x + 1.0, y + 1.0], [x, y + 1.0]]).unwrap(), Pose::IDENTITY)
    };
    let most = f64::from(SIDE);
    let without = |hole: Option<u32>| Shape::compound((0..SIDE * SIDE).filter(|&i| Some(i) != hole).map(square));
    let polygon = Shape::polygon(&[[0.0, 0.0], [most, 0.0], [most, most], [most / 2.0, most * 0.9], [0.0, most]]);
    let shapes = [without(None), without(Some(SIDE * SIDE / 2 + SIDE / 2)), polygon].map(Result::unwrap);
    let [all, holed, polygon] =
        shapes.each_ref().map(|shape| PreparedOutline::new(shape.placed(Pose::IDENTITY)).unwrap());
    assert_eq!(all.relation(&polygon), OutlineRelation::Contains);
    assert_eq!(holed.relation(&polygon), OutlineRelation::Overlaps);
}

#[test]
fn shapes_with_a_radius_or_without_area_are_refused() {
    let square = || Shape::rectangle(1.0, 1.0).unwrap();
    let refused = [
        Shape::circle(1.0).unwrap(),
        Shape::circle(0.0).unwrap(),
        Shape::segment([0.0, 0.0], [1.0, 0.0]).unwrap(),
        Shape::chain(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]).unwrap(),
        square().rounded(0.1).unwrap(),
        Shape::compound([(square(), Pose::IDENTITY), (Shape::circle(0.0).unwrap(), Pose::IDENTITY)]).unwrap(),
    ];
    for shape in refused {
        let error = PreparedOutline::new(shape.at([0.0, 0.0]).unwrap()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotAnArea, "{shape:?}");
        assert!(error.to_string().contains("use a polygon"), "{error}");
    }
}
