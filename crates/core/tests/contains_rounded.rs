//! Containment in unions of rounded parts is exact. Compares with the shape before it was cut, and
//! with sample points.

use carom::explain::explain_contains;
use carom::{DVec2, Placed, Pose, Shape, contains};

use crate::support::dice::Dice;
use crate::support::run;

fn at(shape: &Shape) -> Placed<'_> {
    shape.placed(Pose::IDENTITY)
}

fn circle(x: f64, y: f64, radius: f64) -> (Shape, Pose) {
    (Shape::circle(radius).unwrap(), Pose::from_translation([x, y]).unwrap())
}

fn eighth(dice: &mut Dice, low: i32, high: i32) -> f64 {
    f64::from(dice.whole(low, high)) / 8.0
}

/// A convex shape on a grid of eighths, with a radius.
fn any(dice: &mut Dice, range: i32) -> Shape {
    loop {
        let mut corner = || DVec2::new(eighth(dice, -range, range), eighth(dice, -range, range));
        let (p, q, r) = (corner(), corner(), corner());
        let shape = match dice.index(4) {
            0 => Shape::capsule(p, q, 0.0),
            1 => Shape::polygon(&[p, DVec2::new(q.x, p.y), q, DVec2::new(p.x, q.y)]),
            2 => Shape::polygon(&[p, q, r]),
            _ => Shape::segment(p, p),
        };
        if let Ok(shape) = shape {
            return shape.rounded(eighth(dice, 0, range / 2)).unwrap();
        }
    }
}

/// A rounded polygon cut into rounded triangles, and a rounded line cut into shorter ones, keep
/// their set of points. So they contain the shapes that the whole contains. Another kernel with its
/// own tests decides for the whole. A shape that touches the boundary from inside is contained, a
/// shape 2⁻⁴⁰ beyond it is not.
#[test]
fn pieces_of_a_rounded_shape_contain_the_same_sets() {
    let (mut together, mut no) = (0, 0);
    for index in 0..run::pairs(1_000) {
        let mut dice = Dice::new(41, index);
        let radius = eighth(&mut dice, 1, 16);
        let (whole, pieces) = if dice.chance(0.3) {
            let step = DVec2::new(eighth(&mut dice, -6, 6), eighth(&mut dice, 1, 6));
            let count = dice.count(2, 5);
            let piece = |i: usize| Shape::segment(step * i as f64, step * (i + 1) as f64).unwrap();
            (Shape::segment([0.0, 0.0], step * count as f64).unwrap(), (0..count).map(piece).collect::<Vec<_>>())
        } else {
            let octagon = [
                [-2.0, -1.0],
                [-1.0, -2.0],
                [1.0, -2.0],
                [2.0, -1.0],
                [2.0, 1.0],
                [1.0, 2.0],
                [-1.0, 2.0],
                [-2.0, 1.0],
            ];
            let mut points: Vec<[f64; 2]> = octagon.into_iter().filter(|_| dice.chance(0.7)).collect();
            if points.len() < 4 {
                points = octagon.to_vec();
            }
            let fan = (1..points.len() - 1).map(|i| Shape::polygon(&[points[0], points[i], points[i + 1]]).unwrap());
            (Shape::polygon(&points).unwrap(), fan.collect())
        };
        let whole = whole.rounded(radius).unwrap();
        let a = Shape::compound(
            pieces.iter().map(|piece| (piece.clone().rounded(radius).unwrap(), Pose::IDENTITY)).collect::<Vec<_>>(),
        )
        .unwrap();
        let b = any(&mut dice, 16);
        for nudge in [0.0, 2f64.powi(-40), -(2f64.powi(-40))] {
            let turn = f64::from(dice.whole(0, 3)) * 90.0;
            let pose = Pose::from_degrees([eighth(&mut dice, -8, 8) + nudge, eighth(&mut dice, -8, 8)], turn).unwrap();
            let expected = contains(at(&whole), b.placed(pose));
            let why = explain_contains(at(&a), b.placed(pose));
            assert_eq!(
                (contains(at(&a), b.placed(pose)), why.contains()),
                (expected, expected),
                "index {index}: {whole:?}, {b:?} at {pose:?}"
            );
            together += u32::from(expected && why.parts() == [carom::query::Containment::InUnion]);
            no += u32::from(!expected);
        }
    }
    println!("{together} held together, {no} not");
    assert!(together > 200 && no > 500, "{together} {no}");
}

/// Triangles with integer vertices: circles of radius 5 that intersect in lattice points, and
/// shapes that touch these points.
#[test]
fn a_point_at_a_crossing_of_circles_is_contained() {
    let two = Shape::compound([circle(-3.0, 0.0, 5.0), circle(3.0, 0.0, 5.0)]).unwrap();
    let up = |height: f64| Shape::polygon(&[[-2.0, 0.0], [2.0, 0.0], [2.0, height], [-2.0, height]]).unwrap();
    assert!(contains(at(&two), at(&up(4.0))));
    assert!(!contains(at(&two), at(&up(4.0f64.next_up()))));
    let line = |height: f64| Shape::segment([-2.0, height], [2.0, height]).unwrap();
    assert!(contains(at(&two), at(&line(4.0))));
    assert!(!contains(at(&two), at(&line(4.0f64.next_up()))));
    // A corner that touches there from below, one that is rounded, and a circle, whose top is there.
    let roof = |height: f64| Shape::polygon(&[[-3.0, 0.0], [3.0, 0.0], [0.0, height]]).unwrap();
    assert!(contains(at(&two), at(&roof(4.0))) && !contains(at(&two), at(&roof(4.0f64.next_up()))));
    let round = |radius: f64| Shape::capsule([-1.0, 0.0], [1.0, 0.0], radius).unwrap();
    assert!(contains(at(&two), at(&round(4.0))) && !contains(at(&two), at(&round(4.0f64.next_up()))));
    // The hole between three circles is closed if they intersect in one point.
    let three = |radius: f64| {
        Shape::compound([circle(3.0, 4.0, 5.0), circle(-3.0, 4.0, 5.0), circle(0.0, -5.0, radius)]).unwrap()
    };
    let small = Shape::rectangle(0.5, 0.5).unwrap();
    assert!(contains(at(&three(5.0)), at(&small)));
    assert!(!contains(at(&three(5.0f64.next_down())), at(&small)));
    let hole = explain_contains(at(&three(5.0f64.next_down())), at(&small)).outside().unwrap();
    assert!(hole.length() < 1e-6, "{hole}");
    // All the same at the ends of the range.
    for size in [1e-300, 1e-150, 1e29] {
        let scaled = |shape: &Shape| shape.scaled(size, size).unwrap();
        let (two, fits, sticks_out) = (scaled(&two), scaled(&up(4.0)), scaled(&up(4.0f64.next_up())));
        let seven = Shape::compound([circle(0.0, 0.0, 7.0 * size)]).unwrap();
        assert!(contains(at(&seven), at(&fits)), "{size}");
        assert!(!contains(at(&two), at(&sticks_out)) || size < 1e-299, "{size}");
    }
}

/// Circles that touch in one point leave it open to both sides. Circles with a smaller curvature
/// than the contained shape do not.
#[test]
fn equal_tangents_are_ordered_by_curvature() {
    // Above the origin the big ones; below it two that only touch the axis there.
    let sides = |radius: f64| [circle(0.0, radius, radius), circle(0.0, -radius, radius)];
    let ball = Shape::circle(1.0).unwrap();
    let with = |more: &[(Shape, Pose)]| {
        Shape::compound(sides(4.0).into_iter().chain(more.iter().cloned()).collect::<Vec<_>>()).unwrap()
    };
    assert!(!contains(at(&with(&[])), at(&ball)));
    // Two more circles at the sides close the rest except for an empty set.
    assert!(contains(at(&with(&[circle(4.0, 0.0, 4.0), circle(-4.0, 0.0, 4.0)])), at(&ball)));
    // One side is left open.
    let half = with(&[circle(4.0, 0.0, 4.0)]);
    assert!(!contains(at(&half), at(&ball)));
    assert!(contains(at(&half), ball.at([1.0, 0.0]).unwrap()));
    // The half plane below the line, and a circle that touches it from above. A curve with larger
    // curvature fits between them.
    let plate = (Shape::rectangle(20.0, 2.0).unwrap(), Pose::from_translation([0.0, -1.0]).unwrap());
    let with_plate = |radius: f64| Shape::compound([plate.clone(), circle(0.0, radius, radius)]).unwrap();
    let drop = |radius: f64| Shape::compound([circle(0.0, radius, radius), circle(0.0, -0.5, 0.5)]).unwrap();
    assert!(contains(at(&with_plate(3.0)), at(&drop(2.0))));
    let peg = Shape::capsule([0.0, 2.0], [0.0, -0.5], 0.5).unwrap();
    assert!(!contains(at(&with_plate(3.0)), at(&peg)));
}

/// Children of any kind and radius: a contained shape has no point outside. Otherwise there is a
/// point outside near the reported position.
#[test]
fn round_parts_contain_exactly_their_points() {
    let (mut contained, mut outside, mut hidden) = (0, 0, 0);
    for index in 0..run::pairs(1_000) {
        let mut dice = Dice::new(43, index);
        let turn = if dice.chance(0.5) { 0.0 } else { dice.angle() };
        let children: Vec<(Shape, Pose)> =
            (0..dice.count(2, 6)).map(|_| (any(&mut dice, 16), Pose::IDENTITY)).collect();
        let a = Shape::compound(children).unwrap();
        let a = a.placed(Pose::new([0.25, 0.0], turn).unwrap());
        let b = any(&mut dice, 8);
        let b = b.at([eighth(&mut dice, -8, 8), 0.0]).unwrap();
        let why = explain_contains(a, b);
        assert_eq!(why.contains(), contains(a, b));
        let near = |center: DVec2, radius: f64, count: u32| {
            (0..count).map(move |k| {
                center + DVec2::from_angle(f64::from(k) * std::f64::consts::TAU / f64::from(count)) * radius
            })
        };
        if let Some(position) = why.outside() {
            // Lines and circles of the boundaries intersect elsewhere too. A point outside of both
            // shapes is no valid position.
            let [in_b, in_a] = [b, a].map(|shape| -shape.signed_distance(position).unwrap());
            assert!(in_b > -1e-11 && in_a < 1e-11, "index {index}: {position} is {in_b:e} deep in b, {in_a:e} in a");
            let is_out = |p: DVec2| !a.contains_point(p).unwrap();
            let on_rings = [1e-9, 1e-6, 1e-3]
                .iter()
                .any(|&radius| near(position, radius, 720).any(|p| b.contains_point(p).unwrap() && is_out(p)));
            // The area between the position and a vertex is in b, however thin it is.
            let on_paths =
                [0.0, 1e-9, 1e-6, 1e-3].iter().any(|&t| b.points().any(|corner| is_out(position.lerp(corner, t))));
            let found = on_rings || on_paths;
            (outside, hidden) = (outside + 1, hidden + u32::from(!found));
        } else {
            contained += 1;
            let corners: Vec<DVec2> = b.points().collect();
            let middle = corners.iter().sum::<DVec2>() / corners.len() as f64;
            let inner = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
                .into_iter()
                .flat_map(|t| corners.iter().map(move |c| middle.lerp(*c, t)));
            for p in inner.flat_map(|p| [0.5, 1.0].into_iter().flat_map(move |r| near(p, r * b.shape().radius(), 16))) {
                assert!(a.signed_distance(p).unwrap() < 1e-12, "index {index}: {p}");
            }
        }
    }
    // At touching curves the open area is narrower than the distance of the sample points.
    println!("{contained} held, {outside} not, {hidden} of them too narrow to be seen");
    assert!(contained > 100 && outside > 300 && hidden * 50 < outside, "{contained} {outside} {hidden}");
}
