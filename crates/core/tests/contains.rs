//! Containment is exact. Compares with subtraction of all parts in integers, and cell by cell for
//! rounded shapes.

use carom::{DVec2, Mask, Placed, Pose, Shape, contains, intersects};
use dashu_int::IBig;

use crate::support::dice::Dice;
use crate::support::exact::{Difference, Outline, Relation};
use crate::support::{run, shapes};

/// A point with a common denominator: (x / w, y / w), w > 0.
#[derive(Clone)]
struct Point {
    x: IBig,
    y: IBig,
    w: IBig,
}

/// All points where a x + b y + c is not negative.
struct HalfPlane {
    a: IBig,
    b: IBig,
    c: IBig,
}

impl HalfPlane {
    /// To the left of the line through `p` along `edge`.
    fn left_of(p: &[IBig; 2], edge: &[IBig; 2]) -> Self {
        let (a, b) = (-&edge[1], edge[0].clone());
        let c = -(&a * &p[0] + &b * &p[1]);
        Self { a, b, c }
    }

    fn height(&self, p: &Point) -> IBig {
        &self.a * &p.x + &self.b * &p.y + &self.c * &p.w
    }

    /// Returns the part of a convex polygon on the side of `sign`.
    fn cut(&self, outline: &[Point], sign: i32) -> Vec<Point> {
        let height = |p: &Point| self.height(p) * IBig::from(sign);
        let mut kept = Vec::new();
        for (i, p) in outline.iter().enumerate() {
            let q = &outline[(i + 1) % outline.len()];
            let (here, there) = (height(p), height(q));
            if here >= IBig::ZERO {
                kept.push(p.clone());
            }
            if (here < IBig::ZERO) != (there < IBig::ZERO) && here != IBig::ZERO && there != IBig::ZERO {
                let (s, t) = if here > there { (here, -there) } else { (-here, there) };
                kept.push(Point { x: &p.x * &t + &q.x * &s, y: &p.y * &t + &q.y * &s, w: &p.w * &t + &q.w * &s });
            }
        }
        kept
    }
}

/// Integers in units of 2⁻⁶⁰. All coordinates of the tests are multiples of it.
fn whole(p: DVec2) -> [IBig; 2] {
    [p.x, p.y].map(|v| {
        let scaled = v * 2f64.powi(60);
        assert!(scaled.fract() == 0.0 && scaled.abs() < 1e36, "{v} is no multiple of 2^-60");
        IBig::from(scaled as i128)
    })
}

/// The sides of the hull of some points; of a segment its ends too.
fn sides(points: &[DVec2]) -> Vec<HalfPlane> {
    let points: Vec<[IBig; 2]> = points.iter().map(|&p| whole(p)).collect();
    let mut sides = Vec::new();
    for p in &points {
        for q in &points {
            let edge = [&q[0] - &p[0], &q[1] - &p[1]];
            let length = &edge[0] * &edge[0] + &edge[1] * &edge[1];
            if length == IBig::ZERO {
                continue;
            }
            for side in [
                HalfPlane::left_of(p, &edge),
                HalfPlane { a: edge[0].clone(), b: edge[1].clone(), c: -(&edge[0] * &p[0] + &edge[1] * &p[1]) },
            ] {
                if points.iter().all(|r| &side.a * &r[0] + &side.b * &r[1] + &side.c >= IBig::ZERO) {
                    sides.push(side);
                }
            }
        }
    }
    sides
}

/// The corners of the hull, in order; the tests write convex outlines.
fn outline(points: &[DVec2]) -> Vec<Point> {
    points.iter().map(|&p| whole(p)).map(|[x, y]| Point { x, y, w: IBig::from(1) }).collect()
}

/// Returns whether the polygon has area, or the line length.
fn is_something(outline: &[Point], line: bool) -> bool {
    let minus = |p: &Point, q: &Point| [&p.x * &q.w - &q.x * &p.w, &p.y * &q.w - &q.y * &p.w];
    let Some(first) = outline.first() else { return false };
    let vectors: Vec<[IBig; 2]> = outline.iter().map(|p| minus(p, first)).collect();
    let nonzero = |v: &&[IBig; 2]| v[0] != IBig::ZERO || v[1] != IBig::ZERO;
    let Some(along) = vectors.iter().find(nonzero) else { return false };
    line || vectors.iter().any(|v| &along[0] * &v[1] != &along[1] * &v[0])
}

/// Returns whether the union of hulls contains a convex polygon with two or more vertices.
/// Subtracts each hull and keeps the remaining pieces.
fn union_contains(parts: &[Vec<DVec2>], b: &[DVec2]) -> bool {
    let line = b.len() == 2;
    let mut rest = vec![outline(b)];
    for part in parts {
        let sides = sides(part);
        if sides.is_empty() {
            continue; // a single point
        }
        let mut next = Vec::new();
        for mut piece in rest {
            for side in &sides {
                let beyond = side.cut(&piece, -1);
                if is_something(&beyond, line) && beyond.iter().any(|p| side.height(p) < IBig::ZERO) {
                    next.push(beyond);
                }
                piece = side.cut(&piece, 1);
            }
        }
        rest = next;
    }
    rest.is_empty()
}

/// The placed points of every part.
fn hulls(placed: Placed<'_>) -> Vec<Vec<DVec2>> {
    let whole = Shape::compound([(placed.shape().clone(), placed.pose())]).unwrap();
    whole.parts().map(|(shape, pose)| shape.placed(pose).points().collect()).collect()
}

/// Quarter turns on a grid, or any turn with coordinates cut to multiples of 2⁻⁴⁰.
fn pose(dice: &mut Dice, range: i32) -> Pose {
    Pose::from_degrees(dice.lattice(range) * 0.5, f64::from(dice.whole(0, 3)) * 90.0).unwrap()
}

fn grid_convex(dice: &mut Dice) -> Shape {
    match dice.index(6) {
        0 => Shape::segment(dice.lattice(4), dice.lattice(4)).unwrap(),
        1 | 2 => Shape::rectangle(f64::from(dice.whole(1, 4)), f64::from(dice.whole(1, 4))).unwrap(),
        3 => Shape::polygon(&[[-1.0, -1.0], [2.0, -1.0], [2.0, 2.0]]).unwrap(),
        4 => Shape::polygon(&[[0.0, -2.0], [2.0, 0.0], [0.0, 2.0], [-2.0, 0.0]]).unwrap(),
        _ => Shape::polygon(&[[0.0, 0.0], [3.0, 1.0], [4.0, 3.0], [1.0, 2.0]]).unwrap(),
    }
}

#[test]
fn unions_contain_sets_with_an_empty_remainder() {
    let (mut contained, mut across, mut outside) = (0, 0, 0);
    for index in 0..run::pairs(2_000) {
        let mut dice = Dice::new(21, index);
        let children: Vec<(Shape, Pose)> =
            (0..dice.count(1, 16)).map(|_| (grid_convex(&mut dice), pose(&mut dice, 4))).collect();
        let a = Shape::compound(children).unwrap();
        let b = grid_convex(&mut dice).scaled(0.5, 0.5).unwrap();
        // One in three is rotated freely, so that edges intersect at points that no f64 represents.
        let turn = if dice.chance(0.3) { dice.angle() } else { 0.0 };
        let (a, b) = (a.placed(Pose::new([0.25, 0.0], turn).unwrap()), b.placed(pose(&mut dice, 3)));
        let (parts, points) = (hulls(a), b.points().collect::<Vec<_>>());
        if parts.iter().flatten().chain(&points).any(|p| (*p * 2f64.powi(60)).fract() != DVec2::ZERO) {
            continue;
        }
        let expected = if points.len() < 2 { intersects(a, b) } else { union_contains(&parts, &points) };
        assert_eq!(contains(a, b), expected, "index {index}: {parts:?} and {points:?}");
        let alone = parts.iter().any(|part| points.len() > 1 && union_contains(std::slice::from_ref(part), &points));
        contained += u32::from(expected && alone);
        across += u32::from(expected && !alone);
        outside += u32::from(!expected);
    }
    println!("{contained} held by one part, {across} by several, {outside} not held");
    assert!(contained > 100 && across > 100 && outside > 100);
}

/// Tiles with holes: a shape across a seam is contained, a shape that reaches into a hole is not.
#[test]
fn masks_contain_the_tiles_that_they_cover() {
    let tile = Shape::rectangle(1.0, 1.0).unwrap();
    let (mut yes, mut no) = (0, 0);
    for index in 0..run::pairs(200) {
        let mut dice = Dice::new(22, index);
        let cells: Vec<[i32; 2]> = (0..36).map(|i| [i % 6, i / 6]).filter(|_| dice.chance(0.9)).collect();
        if cells.is_empty() {
            continue;
        }
        let at = |[x, y]: [i32; 2]| Pose::from_translation([f64::from(x) + 0.5, f64::from(y) + 0.5]).unwrap();
        let a = Shape::compound(cells.iter().map(|&c| (tile.clone(), at(c))).collect::<Vec<_>>()).unwrap();
        // The same set in other parts: rows of pixels instead of tiles.
        let mask = Mask::from_fn(6, 6, |x, y| cells.contains(&[x as i32, y as i32])).unwrap();
        let mask = Shape::mask(mask).unwrap();
        let (a, mask) = (a.at([0.0, 0.0]).unwrap(), mask.at([0.0, 0.0]).unwrap());
        let empty: Vec<DVec2> = (-3..9)
            .flat_map(|x| (-3..9).map(move |y| [x, y]))
            .filter(|cell| !cells.contains(cell))
            .map(|[x, y]| DVec2::new(f64::from(x), f64::from(y)))
            .collect();
        for _ in 0..20 {
            let eighth = |dice: &mut Dice, low, high| f64::from(dice.whole(low, high)) / 8.0;
            let (x, y) = (eighth(&mut dice, 0, 48), eighth(&mut dice, 0, 48));
            let (width, radius) = (eighth(&mut dice, 0, 12), eighth(&mut dice, 0, 10));
            // A horizontal capsule: its exact distance from each empty cell.
            let b = Shape::capsule([x, y], [x + width, y], radius).unwrap();
            let clear = |cell: &DVec2| {
                let across = (cell.x - (x + width)).max(x - (cell.x + 1.0));
                let up = (cell.y - y).max(y - (cell.y + 1.0));
                let (dx, dy) = (across.max(0.0), up.max(0.0));
                // A line along the side of a cell does not look into it; one through its inside does.
                if radius > 0.0 {
                    dx * dx + dy * dy >= radius * radius
                } else {
                    dx > 0.0 || dy > 0.0 || up == 0.0 || across == 0.0
                }
            };
            let mut expected = empty.iter().all(clear);
            if radius == 0.0 {
                // Along a line between two empty cells there is nothing either.
                let covered = |px: f64| {
                    cells.iter().any(|&[cx, cy]| {
                        let (cx, cy) = (f64::from(cx), f64::from(cy));
                        cx <= px && px <= cx + 1.0 && cy <= y && y <= cy + 1.0
                    })
                };
                expected = (0..=200).all(|k| covered(x + width * f64::from(k) / 200.0)) && covered(x + width);
            }
            for a in [a, mask] {
                assert_eq!(contains(a, b.at([0.0, 0.0]).unwrap()), expected, "index {index}: {cells:?} and {b:?}");
            }
            if expected { yes += 1 } else { no += 1 }
        }
    }
    println!("{yes} held, {no} not");
    assert!(yes > 500 && no > 500, "{yes} {no}");
}

/// Rotated and translated concave polygons. Their parts share vertices, so a shape across a seam is
/// contained. A shape outside of the boundary is not.
#[test]
fn concave_polygons_contain_sets_with_an_empty_remainder() {
    let (mut yes, mut no) = (0, 0);
    for index in 0..run::pairs(600) {
        let mut dice = Dice::new(25, index);
        let count = dice.count(5, 14);
        let star: Vec<DVec2> = (0..count)
            .map(|i| DVec2::from_angle(i as f64 * std::f64::consts::TAU / count as f64) * dice.between(2.0, 5.0))
            .collect();
        let a =
            Shape::polygon_with_holes(&star, &[vec![DVec2::new(0.3, 0.0), DVec2::new(0.5, 0.1), DVec2::new(0.2, 0.6)]])
                .unwrap();
        let pose = Pose::new(dice.direction() * dice.magnitude(1.0, 100.0), dice.angle()).unwrap();
        let a = a.placed(pose);
        // Outlines between vertices, placed as the vertices are, and anything else.
        let size = dice.between(0.1, 2.0);
        let b = if dice.chance(0.3) {
            let corner = |dice: &mut Dice| star[dice.index(count)];
            Shape::segment(corner(&mut dice), corner(&mut dice)).unwrap()
        } else {
            grid_convex(&mut dice).scaled(size / 4.0, size / 4.0).unwrap()
        };
        let own = Pose::new(dice.in_disk(2.5), dice.angle()).unwrap();
        let b = if b.kind() == carom::ShapeKind::Segment {
            b.placed(pose)
        } else {
            b.placed(Pose::new(pose.transform_point(own.translation()), own.angle()).unwrap())
        };
        // In integers of 2^-60: removes smaller digits, of which these numbers have few.
        let (parts, points) = (hulls(a), b.points().collect::<Vec<_>>());
        if points.len() < 2
            || parts.iter().flatten().chain(&points).any(|p| (*p * 2f64.powi(60)).fract() != DVec2::ZERO)
        {
            continue;
        }
        let expected = union_contains(&parts, &points);
        assert_eq!(contains(a, b), expected, "index {index}: {parts:?} and {points:?}");
        if expected { yes += 1 } else { no += 1 }
    }
    println!("{yes} held, {no} not");
    assert!(yes > 50 && no > 50, "{yes} {no}");
}

/// Convex shapes with radii: against the definition by support points, on a grid of eighths.
#[test]
fn convex_shapes_contain_by_the_difference_of_their_radii() {
    let (mut yes, mut no) = (0, 0);
    for index in 0..run::pairs(20_000) {
        let mut dice = Dice::new(23, index);
        let rounded = |dice: &mut Dice, shape: Shape| shape.rounded(f64::from(dice.whole(0, 12)) / 8.0).unwrap();
        let a = grid_convex(&mut dice).scaled(2.0, 2.0).unwrap();
        let (a, b) = (rounded(&mut dice, a), grid_convex(&mut dice).scaled(0.25, 0.25).unwrap());
        let b = rounded(&mut dice, b);
        let (a, b) = (a.placed(pose(&mut dice, 2)), b.placed(pose(&mut dice, 4)));
        let (of_a, of_b) = (Outline::of(a), Outline::of(b));
        let spare = of_a.radius - of_b.radius;
        let expected = if spare >= 0.0 {
            let grown = Outline { radius: spare, ..of_a.clone() };
            of_b.points.iter().all(|&p| Difference::of(&Outline::point(p), &grown).relation() != Relation::Apart)
        } else {
            // Each point of b, in eighths squared: height over an edge = area / length.
            let sides = sides(&of_a.points);
            let hull_has_area = is_something(&outline(&of_a.points), false);
            let margin = IBig::from((-spare * 2f64.powi(60)) as i128);
            hull_has_area
                && of_b.points.iter().all(|&p| {
                    let [x, y] = whole(p);
                    sides.iter().all(|side| {
                        let height = &side.a * &x + &side.b * &y + &side.c;
                        height >= IBig::ZERO
                            && &height * &height >= &margin * &margin * (&side.a * &side.a + &side.b * &side.b)
                    })
                })
        };
        assert_eq!(contains(a, b), expected, "index {index}: {a:?} and {b:?}");
        if expected { yes += 1 } else { no += 1 }
    }
    println!("{yes} held, {no} not");
    assert!(yes > 1_000 && no > 1_000);
}

/// Random shapes: a contained shape has no point outside, another one has such a point.
#[test]
fn common_shapes_contain_each_other_by_their_points() {
    let mut yes = 0;
    for index in 0..run::pairs(20_000) {
        let mut dice = Dice::new(24, index);
        let size = dice.magnitude(1e-3, 1e3);
        let a = shapes::any(&mut dice, size).build().unwrap();
        let small = size * dice.magnitude(0.05, 0.7);
        let b = shapes::any(&mut dice, small).build().unwrap();
        let offset = dice.direction() * dice.magnitude(1e-2, 1e6);
        let a = a.placed(Pose::new(offset, dice.angle()).unwrap());
        let b = b.placed(Pose::new(offset + dice.in_disk(0.6 * size), dice.angle()).unwrap());
        let (of_a, of_b) = (Outline::of(a), Outline::of(b));
        let expected = if of_b.radius == 0.0 {
            of_b.points.iter().all(|&p| Difference::of(&Outline::point(p), &of_a).relation() != Relation::Apart)
        } else {
            // Not a definition, but it can fail: rim points of b, a hair inside it, against a.
            let circle_points = |p: &DVec2| {
                (0..16)
                    .map(|k| {
                        *p + DVec2::from_angle(f64::from(k) * std::f64::consts::FRAC_PI_8) * of_b.radius * (1.0 - 1e-9)
                    })
                    .collect::<Vec<_>>()
            };
            let inside = of_b.points.iter().flat_map(circle_points).all(|p| a.contains_point(p).unwrap());
            if !inside {
                assert!(!contains(a, b), "index {index}: {a:?} and {b:?}");
            }
            continue;
        };
        assert_eq!(contains(a, b), expected, "index {index}: {a:?} and {b:?}");
        yes += u32::from(expected);
    }
    assert!(yes > 1_000, "{yes}");
}

/// Seen from afar and at both ends of the range.
#[test]
fn a_shape_contains_itself() {
    for size in [5e-324_f64, 1e-200, 1.0, 1e30] {
        let square = Shape::polygon(&[[0.0, 0.0], [size, 0.0], [size, size], [0.0, size]]).unwrap();
        let compound = Shape::compound([(square.clone(), Pose::IDENTITY), (square.clone(), Pose::IDENTITY)]).unwrap();
        for (shape, other) in [(&square, &square), (&compound, &square), (&compound, &compound), (&square, &compound)] {
            assert!(contains(shape.placed(Pose::IDENTITY), other.placed(Pose::IDENTITY)), "{size}");
        }
        let up = Pose::from_translation([0.0, size.next_up() - size]).unwrap();
        assert!(!contains(square.placed(Pose::IDENTITY), square.placed(up)), "{size}");
    }
}
