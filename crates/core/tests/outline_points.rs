//! Points in polygons. Compares every answer with an exact count of crossings in integers.
//!
//! The points are vertices, points of edges, points at the height of a vertex, and their neighbors of an ulp.

use carom::{DVec2, Placed, Pose, Shape, overlaps};
use dashu_int::{IBig, Sign};

use crate::support::dice::{Dice, ulps_off};
use crate::support::exact::{Difference, Outline, Relation};
use crate::support::integer::{in_units, lowest_bit};
use crate::support::outlines::{self, Rings};
use crate::support::run::{pairs, seed};

/// Returns the rings at a pose, placed by the operations of the definition.
fn placed_rings(rings: &Rings, pose: &Pose) -> Rings {
    let (c, s, t) = (pose.cos(), pose.sin(), pose.translation());
    let place = |p: &DVec2| DVec2::new((c * p.x - s * p.y) + t.x, (s * p.x + c * p.y) + t.y);
    rings.iter().map(|ring| ring.iter().map(place).collect()).collect()
}

/// Locates a point by the number of edges that a ray to the right crosses, in integers.
fn locate(rings: &Rings, point: DVec2) -> Relation {
    let all = rings.iter().flatten().chain([&point]);
    let unit = all.flat_map(|p| [p.x, p.y]).filter_map(lowest_bit).min().unwrap_or(0);
    let whole = |p: DVec2| [in_units(p.x, unit), in_units(p.y, unit)];
    let [x, y] = whole(point);
    let mut is_inside = false;
    for ring in rings {
        let ring: Vec<[IBig; 2]> = ring.iter().map(|&p| whole(p)).collect();
        for (i, [bx, by]) in ring.iter().enumerate() {
            let [ax, ay] = &ring[(i + ring.len() - 1) % ring.len()];
            let side = (bx - ax) * (&y - ay) - (by - ay) * (&x - ax);
            let in_box = *ax.min(bx) <= x && x <= *ax.max(bx) && *ay.min(by) <= y && y <= *ay.max(by);
            if side == IBig::ZERO && in_box {
                return Relation::Touching;
            }
            if (*ay > y) != (*by > y) && (side.sign() == Sign::Positive) == (by > ay) {
                is_inside = !is_inside;
            }
        }
    }
    if is_inside { Relation::Overlapping } else { Relation::Apart }
}

/// Returns points where an error is likely.
fn points(dice: &mut Dice, rings: &Rings) -> Vec<DVec2> {
    let vertices: Vec<DVec2> = rings.iter().flatten().copied().collect();
    let of_edge = |dice: &mut Dice| {
        let ring = &rings[dice.index(rings.len())];
        let i = dice.index(ring.len());
        (ring[i], ring[(i + 1) % ring.len()])
    };
    let near =
        |dice: &mut Dice, p: DVec2| DVec2::new(ulps_off(p.x, dice.whole(-1, 1)), ulps_off(p.y, dice.whole(-1, 1)));
    let mut found = Vec::new();
    for _ in 0..4 {
        let (p, q) = (vertices[dice.index(vertices.len())], vertices[dice.index(vertices.len())]);
        let (from, to) = of_edge(dice);
        let on_edge = from.lerp(to, dice.one_of(&[0.5, 0.25, 0.1]));
        let middle = p.lerp(q, dice.between(0.0, 1.0));
        // At the height of a vertex, and beside it.
        let level = DVec2::new(middle.x, p.y);
        let (beside, close) = (near(dice, level), near(dice, on_edge));
        found.extend([p, near(dice, p), on_edge, close, level, beside, DVec2::new(p.x, q.y), middle]);
    }
    found
}

fn shape(rings: &Rings) -> Option<Shape> {
    Shape::polygon_with_holes(&rings[0], &rings[1..]).ok()
}

/// Returns the rings of a valid polygon: of a lattice, or of real numbers.
fn polygon(dice: &mut Dice) -> (Rings, Shape) {
    loop {
        let n = dice.one_of(&[3, 4, 8, 12, 21, 22, 40, 150]);
        let mut rings = match dice.index(8) {
            0..=2 => outlines::lattice(dice).unwrap_or_else(|| outlines::regular(n)),
            3 => outlines::regular(n),
            4 => outlines::star(dice, n, 0.4),
            5 => outlines::star(dice, n, 0.001),
            6 => outlines::comb(dice, 1 + n / 4, 0.1),
            _ => outlines::spiral(dice, 2 + n / 2),
        };
        outlines::disguise(dice, &mut rings);
        if let Some(shape) = shape(&rings) {
            return (rings, shape);
        }
    }
}

/// Returns a pose that rounds no vertex of a lattice, and no vertex at all without its translation.
fn quarter_turn(dice: &mut Dice, at: DVec2) -> Pose {
    Pose::from_degrees(at, 90.0 * f64::from(dice.whole(0, 3))).unwrap()
}

/// Compares both queries of a point.
fn check(placed: Placed<'_>, point: DVec2, expected: Relation, name: &str) {
    assert_eq!(placed.contains_point(point), Ok(expected != Relation::Apart), "{name}: {point:?} is {expected:?}");
    let dot = Shape::circle(0.0).unwrap();
    let is_inside = overlaps(placed, dot.at(point).unwrap());
    assert_eq!(is_inside, expected == Relation::Overlapping, "{name}: {point:?} is {expected:?}");
}

#[test]
fn points_are_located_as_by_counting_crossings() {
    let (mut counts, count) = ([0_u64; 3], pairs(2_000));
    for index in 0..count {
        let mut dice = Dice::new(seed() ^ 0x901, index);
        let (rings, shape) = polygon(&mut dice);
        let pose = if dice.chance(0.5) { Pose::IDENTITY } else { quarter_turn(&mut dice, DVec2::ZERO) };
        let rings = placed_rings(&rings, &pose);
        let name = format!("seed {}, polygon {index}: {rings:?}", seed());
        for point in points(&mut dice, &rings) {
            let expected = locate(&rings, point);
            check(shape.placed(pose), point, expected, &name);
            counts[expected as usize] += 1;
        }
    }
    println!("points apart, touching, inside: {counts:?}");
    assert!(counts.iter().all(|&found| found > 4 * count), "{counts:?}");
}

#[test]
fn points_are_located_in_moved_polygons() {
    for index in 0..pairs(500) {
        let mut dice = Dice::new(seed() ^ 0x902, index);
        let (rings, shape) = polygon(&mut dice);
        let at = dice.lattice(9) * dice.one_of(&[0.5, 0.1]);
        let pose = if dice.chance(0.3) { quarter_turn(&mut dice, at) } else { Pose::new(at, dice.angle()).unwrap() };
        let placed = shape.placed(pose);
        // If the pose rounds, the set is the union of the placed parts.
        let parts = Outline::of_parts(placed);
        let name = format!("seed {}, polygon {index}: {rings:?} at {pose:?}", seed());
        for point in points(&mut dice, &placed_rings(&rings, &pose)) {
            let dot = Outline::point(point);
            let is_in = parts.iter().any(|part| Difference::of(part, &dot).relation() != Relation::Apart);
            assert_eq!(placed.contains_point(point), Ok(is_in), "{name}: {point:?}");
        }
    }
}

#[test]
fn points_are_located_in_compounds_of_polygons() {
    let mut counts = [0_u64; 2];
    for index in 0..pairs(500) {
        let mut dice = Dice::new(seed() ^ 0x903, index);
        let count = dice.count(2, 12);
        let (mut children, mut members) = (Vec::new(), Vec::new());
        for _ in 0..count {
            let (rings, shape) = polygon(&mut dice);
            let is_lattice = rings.iter().flatten().all(|p| p.x.fract() == 0.0 && p.y.fract() == 0.0);
            let at = if is_lattice { dice.lattice(6) } else { DVec2::ZERO };
            let pose = quarter_turn(&mut dice, at);
            members.push(placed_rings(&rings, &pose));
            children.push((shape, pose));
        }
        let whole = Shape::compound(children).unwrap();
        let pose = quarter_turn(&mut dice, DVec2::ZERO);
        let members: Vec<Rings> = members.iter().map(|rings| placed_rings(rings, &pose)).collect();
        let name = format!("seed {}, compound {index}: {members:?}", seed());
        let near = dice.index(members.len());
        for point in points(&mut dice, &members[near]) {
            let is_in = members.iter().any(|rings| locate(rings, point) != Relation::Apart);
            assert_eq!(whole.placed(pose).contains_point(point), Ok(is_in), "{name}: {point:?}");
            counts[usize::from(is_in)] += 1;
        }
    }
    println!("points outside and in compounds: {counts:?}");
    assert!(counts.iter().all(|&found| found > 1_000), "{counts:?}");
}

#[test]
fn points_are_located_beside_a_distant_vertex() {
    let mut dice = Dice::new(seed() ^ 0x904, 0);
    let small: Vec<DVec2> = (0..1_000).map(|i| DVec2::from_angle(f64::from(i) * 0.006)).collect();
    let mut spike = small.clone();
    spike.push(DVec2::new(1e6, -1e6));
    let far: Vec<DVec2> = [[1e6, 1e6], [1e6 + 1.0, 1e6], [1e6, 1e6 + 1.0]].map(DVec2::from).to_vec();
    let member = |ring: &Vec<DVec2>| (Shape::polygon(ring).unwrap(), Pose::IDENTITY);
    let shapes = [member(&spike).0, Shape::compound([&small, &far].map(member)).unwrap()];
    let rings = [vec![spike], vec![small, far]];
    let mut counts = [0; 3];
    for (shape, rings) in shapes.iter().zip(&rings) {
        for _ in 0..8 {
            for point in points(&mut dice, rings) {
                let expected = locate(rings, point);
                check(shape.placed(Pose::IDENTITY), point, expected, "a distant vertex");
                counts[expected as usize] += 1;
            }
        }
    }
    assert!(counts.iter().all(|&found| found > 20), "{counts:?}");
}
