//! A point against a shape: the sign of the distance is exact, the value is close, and seams are no
//! boundary (P3, P9).

use carom::{DVec2, Mask, Pose, Shape};

use crate::support::dice::{Dice, ulp};
use crate::support::exact::{Difference, Outline, Relation};
use crate::support::{run, shapes};

/// Random convex shapes: the sign against the oracle, the distance against the gap of exact
/// arithmetic.
#[test]
fn signed_distances_agree_with_exact_arithmetic() {
    let mut inside = 0;
    for index in 0..run::pairs(20_000) {
        let mut dice = Dice::new(31, index);
        let size = dice.magnitude(1e-3, 1e3);
        let shape = shapes::any(&mut dice, size).build().unwrap();
        let offset = dice.direction() * dice.magnitude(1e-2, 1e6);
        let placed = shape.placed(Pose::new(offset, dice.angle()).unwrap());
        let points: Vec<DVec2> = placed.points().collect();
        let point = if dice.chance(0.2) { points[dice.index(points.len())] } else { offset + dice.in_disk(size) };
        let story = format!("index {index}: {shape:?} at {:?}, {point:?}", placed.pose());

        let exact = Difference::of(&Outline::point(point), &Outline::of(placed));
        let nearest = placed.closest_boundary_point(point).unwrap();
        let sign = match exact.relation() {
            Relation::Apart => 1.0,
            Relation::Touching => 0.0,
            Relation::Overlapping => -1.0,
        };
        let found = if nearest.distance == 0.0 { 0.0 } else { nearest.distance.signum() };
        assert_eq!(found, sign, "{story}: {nearest:?}");
        let bound = 1e-12 * (size + shape.radius())
            + 4.0 * ulp(points.iter().fold(0.0, |m: f64, p| m.max(p.abs().max_element())));
        assert!((nearest.distance - exact.gap()).abs() <= bound, "{story}: {nearest:?}, not {}", exact.gap());
        let on_it = Difference::of(&Outline::point(nearest.point), &Outline::of(placed)).gap();
        assert!(on_it.abs() <= bound, "{story}: {nearest:?} is {on_it:e} off");
        assert!(
            (nearest.point + nearest.normal * nearest.distance - point).length() <= 2.0 * bound,
            "{story}: {nearest:?}"
        );
        inside += u32::from(sign < 0.0);
    }
    assert!(inside > 1_000, "{inside}");
}

/// Masks and tiles: against every side of a solid pixel that has an empty one beside it.
#[test]
fn inside_masks_and_tiles_the_nearest_side_of_an_empty_pixel_counts() {
    let tile = Shape::rectangle(1.0, 1.0).unwrap();
    let (mut inside, mut on) = (0, 0);
    for index in 0..run::pairs(2_000).div_ceil(40) {
        let mut dice = Dice::new(32, index);
        let (width, height) = (dice.whole(2, 12), dice.whole(2, 12));
        let solid: Vec<bool> = (0..width * height).map(|_| dice.chance(0.9)).collect();
        let is_solid = |x: i32, y: i32| x >= 0 && y >= 0 && x < width && y < height && solid[(y * width + x) as usize];
        let mask = Mask::from_fn(width as u32, height as u32, |x, y| is_solid(x as i32, y as i32)).unwrap();
        let cells: Vec<[i32; 2]> =
            (0..width * height).map(|i| [i % width, i / width]).filter(|&[x, y]| is_solid(x, y)).collect();
        if cells.is_empty() {
            continue;
        }
        let at = |[x, y]: [i32; 2]| Pose::from_translation([f64::from(x) + 0.5, f64::from(y) + 0.5]).unwrap();
        let tiles = Shape::compound(cells.iter().map(|&c| (tile.clone(), at(c))).collect::<Vec<_>>()).unwrap();
        let sides: Vec<[DVec2; 2]> = cells
            .iter()
            .flat_map(|&[x, y]| {
                let corner = |dx: i32, dy: i32| DVec2::new(f64::from(x + dx), f64::from(y + dy));
                [
                    ((-1, 0), [corner(0, 0), corner(0, 1)]),
                    ((1, 0), [corner(1, 0), corner(1, 1)]),
                    ((0, -1), [corner(0, 0), corner(1, 0)]),
                    ((0, 1), [corner(0, 1), corner(1, 1)]),
                ]
                .into_iter()
                .filter(move |((dx, dy), _)| !is_solid(x + dx, y + dy))
                .map(|(_, side)| side)
            })
            .collect();
        for k in 0..40 {
            let quarter = |dice: &mut Dice, most: i32| f64::from(dice.whole(-4, 4 * most + 4)) / 4.0;
            let point = DVec2::new(quarter(&mut dice, width), quarter(&mut dice, height));
            let distance = |side: &[DVec2; 2]| (point.clamp(side[0], side[1]) - point).length();
            let nearest = sides.iter().map(distance).fold(f64::INFINITY, f64::min);
            let covered = cells
                .iter()
                .any(|&[x, y]| (point - DVec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5)).abs().max_element() <= 0.5);
            let expected = if covered { -nearest } else { nearest };
            for shape in [&Shape::mask(mask.clone()).unwrap(), &tiles] {
                let found = shape.at([0.0, 0.0]).unwrap().closest_boundary_point(point).unwrap();
                let story = format!("mask {index}, point {k}: {cells:?}, {point:?}: {found:?}, not {expected}");
                assert!(
                    (found.distance - expected).abs() < 1e-14 && (found.distance == 0.0) == (expected == 0.0),
                    "{story}"
                );
                assert!((found.point + found.normal * found.distance - point).length() < 1e-14, "{story}");
            }
            inside += u32::from(expected < 0.0);
            on += u32::from(expected == 0.0);
        }
    }
    println!("{inside} inside, {on} on the boundary");
    assert!(inside > 200 && on > 50);
}

/// Concave outlines turned and moved: minus the distance from the nearest of the outline's own edges, placed.
#[test]
fn inside_concave_outlines_the_outline_counts() {
    let hole = [[4.0, 4.0], [6.0, 4.5], [5.0, 6.0]];
    let outer = [[0.0, 0.0], [10.0, 0.0], [12.0, 7.0], [7.0, 6.5], [6.0, 11.0], [3.0, 7.0], [-2.0, 8.0], [1.0, 4.0]];
    let shape = Shape::polygon_with_holes(&outer, &[hole.to_vec()]).unwrap();
    let mut inside = 0;
    for index in 0..run::pairs(4_000) {
        let mut dice = Dice::new(33, index);
        let pose = Pose::new(dice.direction() * dice.magnitude(1.0, 1e5), dice.angle()).unwrap();
        let point = pose.transform_point(DVec2::new(dice.between(-2.0, 12.0), dice.between(0.0, 11.0)));
        let ring = |points: &[[f64; 2]]| points.iter().map(|&p| pose.transform_point(p)).collect::<Vec<_>>();
        let distance = |points: Vec<DVec2>| {
            let edges = points.iter().zip(points.iter().cycle().skip(1));
            let foot = |(&a, &b): (&DVec2, &DVec2)| {
                a + (b - a) * ((point - a).dot(b - a) / (b - a).dot(b - a)).clamp(0.0, 1.0)
            };
            edges.map(foot).map(|p| (p - point).length()).fold(f64::INFINITY, f64::min)
        };
        let placed = shape.placed(pose);
        let expected = distance(ring(&outer)).min(distance(ring(&hole)))
            * if placed.contains_point(point).unwrap() { -1.0 } else { 1.0 };
        let found = placed.signed_distance(point).unwrap();
        assert!((found - expected).abs() < 1e-12 * 30.0 + 4.0 * ulp(1e5), "index {index}: {found}, not {expected}");
        inside += u32::from(expected < 0.0);
    }
    assert!(inside > 500, "{inside}");
}

/// A chain consists of its boundary. Points out of range are refused.
#[test]
fn chains_have_no_inside_and_numbers_have_a_range() {
    let ring = Shape::closed_chain(&[[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]]).unwrap();
    assert_eq!(ring.at([0.0, 0.0]).unwrap().signed_distance([1.0, 2.0]).unwrap(), 1.0);
    assert_eq!(ring.at([0.0, 0.0]).unwrap().signed_distance([4.0, 4.0]).unwrap(), 0.0);
    let thick = ring.clone().rounded(0.5).unwrap();
    assert_eq!(thick.at([0.0, 0.0]).unwrap().signed_distance([0.25, 2.0]).unwrap(), -0.25);
    for bad in [f64::NAN, f64::INFINITY, 1.1e30] {
        assert!(ring.at([0.0, 0.0]).unwrap().closest_boundary_point([bad, 0.0]).is_err());
    }
    let edge = ring.at([1e30, -1e30]).unwrap().closest_boundary_point([-1e30, 1e30]).unwrap();
    assert!((edge.distance / 8e60_f64.sqrt() - 1.0).abs() < 1e-15 && edge.normal.is_finite());
}

/// A front decides the direction of contacts, not the boundary: one-sided chains are the same sets
/// of points.
#[test]
fn one_sided_chains_have_the_boundary_of_others() {
    let points = [[-2.0, 0.0], [0.0, 0.5], [0.5, -1.0], [2.0, 0.0]];
    for chain in [Shape::chain(&points), Shape::closed_chain(&points)] {
        for radius in [0.0, 0.5, 1.25] {
            let either = chain.clone().unwrap().rounded(radius).unwrap();
            let front = chain.clone().unwrap().one_sided().unwrap().rounded(radius).unwrap();
            let pose = Pose::new([3.0, -1.0], 0.5).unwrap();
            for i in 0..40 {
                for j in 0..40 {
                    let point = pose.translation() + DVec2::new(f64::from(i) - 20.0, f64::from(j) - 20.0) * 0.1875;
                    let [nearest, expected] =
                        [&front, &either].map(|shape| shape.placed(pose).closest_boundary_point(point).unwrap());
                    assert_eq!(nearest, expected, "{point} {radius}");
                    assert!(
                        (nearest.point.distance(point) - nearest.distance.abs()).abs() < 1e-12,
                        "{point} {radius}: {nearest:?}"
                    );
                }
            }
        }
    }
}
