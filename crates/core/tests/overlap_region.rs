//! Compares the overlap region with closed forms and with a count of sample points.

use carom::decompose::convex_hull;
use carom::query::overlap_region;
use carom::{DVec2, Placed, Pose, Shape, overlaps};

use crate::support::dice::{Dice, ulp};
use crate::support::exact::Outline;
use crate::support::{measure, run, shapes};

#[test]
fn boxes_and_discs_have_the_areas_of_the_books() {
    let square = Shape::rectangle(2.0, 2.0).unwrap();
    let far = [3e6, -7e6];
    let region = overlap_region(square.at(far).unwrap(), square.at([far[0] + 0.5, far[1] - 1.25]).unwrap(), 0.1);
    assert_eq!((region.area(), region.centroid()), (1.5 * 0.75, Some(DVec2::new(far[0] + 0.25, far[1] - 0.625))));

    // The lens of two unit circles at distance d: 2 acos(d/2) − d/2 √(4 − d²).
    let disc = Shape::circle(1.0).unwrap();
    for d in [0.1, 0.5, 1.0, 1.5, 1.9_f64] {
        let lens = 2.0 * (d / 2.0).acos() - d / 2.0 * (4.0 - d * d).sqrt();
        let region = overlap_region(disc.at([0.0, 0.0]).unwrap(), disc.at([d, 0.0]).unwrap(), 1e-6);
        // Inscribed: no more than the lens, and less by no more than its rim (below 2π) times the deviation.
        assert!(region.area() <= lens && region.area() > lens - 7e-6, "{d}: {} instead of {lens}", region.area());
        assert!((region.centroid().unwrap() - DVec2::new(d / 2.0, 0.0)).length() < 1e-5);
    }
    // A disc in the middle of a rounded box: all of it.
    let block = Shape::rectangle(2.0, 2.0).unwrap().rounded(1.0).unwrap();
    let region = overlap_region(block.at([5.0, 5.0]).unwrap(), disc.at([6.0, 6.0]).unwrap(), 1e-6);
    assert!((region.area() - std::f64::consts::PI).abs() < 7e-6);
}

#[test]
fn touching_shapes_have_no_overlap_region() {
    let square = Shape::rectangle(2.0, 2.0).unwrap();
    let line = Shape::segment([-3.0, 0.0], [3.0, 0.0]).unwrap();
    for (a, b) in [
        (square.at([0.0, 0.0]).unwrap(), square.at([2.0, 0.0]).unwrap()),
        (square.at([0.0, 0.0]).unwrap(), square.at([5.0, 0.0]).unwrap()),
        (square.at([0.0, 0.0]).unwrap(), line.at([0.0, 0.0]).unwrap()),
        (line.at([0.0, 0.0]).unwrap(), square.at([0.0, 0.0]).unwrap()),
    ] {
        let region = overlap_region(a, b, 0.0);
        assert_eq!((region.area(), region.centroid(), region.pieces().count()), (0.0, None, 0));
        assert!(region.area().is_sign_positive());
    }
}

#[test]
fn pieces_of_composites_cover_the_intersection() {
    let comb = Shape::compound(
        (0..5).map(|i| (Shape::rectangle(0.5, 3.0).unwrap(), Pose::from_translation([f64::from(i), 0.0]).unwrap())),
    )
    .unwrap();
    let bean = Shape::compound([
        (Shape::capsule([-1.0, 0.0], [1.0, 0.0], 0.5).unwrap(), Pose::IDENTITY),
        (Shape::polygon(&[[0.0, 1.0], [2.0, 1.0], [1.0, 2.5]]).unwrap(), Pose::IDENTITY),
    ])
    .unwrap();
    let mut rng = fastrand::Rng::with_seed(11);
    for _ in 0..20 {
        let a = comb.placed(Pose::new([rng.f64(), rng.f64()], rng.f64() * 7.0).unwrap());
        let b = bean.placed(Pose::new([1.0 + rng.f64(), rng.f64()], rng.f64() * 7.0).unwrap());
        let region = overlap_region(a, b, 1e-4);
        assert_eq!(region.area() > 0.0, overlaps(a, b));
        let inside = |shape: Placed<'_>, p: DVec2| shape.contains_point(p).unwrap();
        let (mut contained, side) = (0, 300);
        let (low, size) = (a.aabb().min(), a.aabb().size());
        for i in 0..side * side {
            let p = low + size * DVec2::new(f64::from(i % side) + 0.5, f64::from(i / side) + 0.5) / f64::from(side);
            contained += u32::from(inside(a, p) && inside(b, p));
        }
        let sampled = f64::from(contained) / f64::from(side * side) * size.x * size.y;
        assert!((region.area() - sampled).abs() < 0.02, "{} instead of about {sampled}", region.area());
        for piece in region.pieces() {
            let middle = piece.iter().sum::<DVec2>() / piece.len() as f64;
            assert!(inside(a, middle) && inside(b, middle));
        }
    }
}

/// Clips a convex polygon to another one, edge by edge (Sutherland and Hodgman 1974).
fn clipped(polygon: &[DVec2], by: &[DVec2]) -> Vec<DVec2> {
    let mut kept = polygon.to_vec();
    for (k, &from) in by.iter().enumerate() {
        let along = by[(k + 1) % by.len()] - from;
        let polygon = std::mem::take(&mut kept);
        for (i, &p) in polygon.iter().enumerate() {
            let q = polygon[(i + 1) % polygon.len()];
            let (here, there) = (along.perp_dot(p - from), along.perp_dot(q - from));
            if here >= 0.0 {
                kept.push(p);
            }
            if (here < 0.0 && there > 0.0) || (here > 0.0 && there < 0.0) {
                kept.push(p + (q - p) * (here / (here - there)));
            }
        }
    }
    kept
}

fn area(polygon: &[DVec2]) -> f64 {
    (1..polygon.len().max(2) - 1).map(|i| (polygon[i] - polygon[0]).perp_dot(polygon[i + 1] - polygon[0]) / 2.0).sum()
}

/// No vertex of a piece is outside of either shape by more than rounding. The pieces of polygons
/// equal those of clipping edge by edge.
#[test]
fn corners_of_a_piece_lie_in_both_shapes() {
    let (mut pieces, mut compared) = (0, 0);
    for index in 0..run::pairs(3_000) {
        let mut dice = Dice::new(41, index);
        let size = dice.magnitude(1e-2, 1e3);
        let recipes = [shapes::any(&mut dice, size), shapes::any(&mut dice, size)];
        let [a, b] = recipes.each_ref().map(|recipe| recipe.build().unwrap());
        let far = if dice.chance(0.5) { DVec2::ZERO } else { dice.in_disk(1e4) };
        let turned = |dice: &mut Dice| if dice.chance(0.3) { 0.0 } else { dice.angle() };
        let p = a.placed(Pose::new(far, turned(&mut dice)).unwrap());
        let q = b.placed(Pose::new(far + dice.in_disk(size), turned(&mut dice)).unwrap());
        let outlines = [p, q].map(Outline::of);
        let largest =
            outlines.iter().flat_map(|outline| &outline.points).fold(size, |most, p| most.max(p.abs().max_element()));
        let bound = 16.0 * ulp(largest + outlines[0].radius + outlines[1].radius);
        let region = overlap_region(p, q, size * 1e-3);
        for corner in region.pieces().flatten() {
            let off = outlines.each_ref().map(|outline| measure::outside(outline, *corner));
            assert!(
                off.iter().all(|&off| off <= bound),
                "index {index}: {recipes:?}: {corner} is {off:?} outside, more than {bound:e}"
            );
        }
        pieces += region.pieces().count();
        let has_area = |shape: &Shape| shape.radius() == 0.0 && shape.mass_properties().area > 0.0;
        if has_area(&a) && has_area(&b) {
            let points = |placed: Placed<'_>| {
                let all: Vec<DVec2> = placed.points().collect();
                convex_hull(&all).unwrap().iter().map(|&i| all[i as usize]).collect::<Vec<_>>()
            };
            let expected = area(&clipped(&points(p), &points(q)));
            assert!(
                (region.area() - expected).abs() <= 1e-9 * size * size + 64.0 * ulp(largest) * size,
                "index {index}: {recipes:?}"
            );
            compared += 1;
        }
    }
    assert!(pieces > 500 && compared > 300, "{pieces} {compared}");
}

/// Discs of radius 1 000 in 4 096 corners each were clipped edge by edge: slow, with corners 1.3e-7 outside.
#[test]
fn large_discs_without_a_deviation_have_sharp_corners() {
    let disc = Shape::circle(1e3).unwrap();
    for d in [1e-3, 0.5, 10.0, 1e3, 1_999.0] {
        let (a, b) = (disc.at([0.0, 0.0]).unwrap(), disc.at([d, 0.25 * d]).unwrap());
        let region = overlap_region(a, b, 0.0);
        for corner in region.pieces().flatten() {
            let off = [corner.length(), corner.distance(DVec2::new(d, 0.25 * d))].map(|away| away - 1e3);
            assert!(off.iter().all(|&off| off < 2e-12), "{d}: {corner} is {off:?} outside");
        }
        let apart = d * 1.0625_f64.sqrt() / 1e3;
        let lens = if apart < 2.0 {
            (2.0 * (apart / 2.0).acos() - apart / 2.0 * (4.0 - apart * apart).sqrt()) * 1e6
        } else {
            0.0
        };
        // Inscribed: less by no more than the rim times the height of a chord.
        assert!(
            region.area() <= lens + 1e-6 && region.area() > lens - 7e3 * 3e-4,
            "{d}: {} instead of {lens}",
            region.area()
        );
    }
}

/// Two lower edges may cross at the x of a vertex that neither of them has. The crossing was no corner of the piece,
/// which lost half of its area.
#[test]
fn edges_that_cross_at_the_x_of_another_vertex_keep_their_corner() {
    let a = Shape::polygon(&[[1.0, 1.0], [3.0, 3.0], [3.0, 4.0], [1.0, 2.0]]).unwrap();
    let b = Shape::polygon(&[[2.0, 3.0], [1.0, 2.0], [3.0, 2.0], [5.0, 3.0]]).unwrap();
    // Where both overlap, 2 <= y <= 3 and y - 1 <= x <= y: an area of 1.
    for (a, b) in [(&a, &b), (&b, &a)] {
        let region = overlap_region(a.at([0.0, 0.0]).unwrap(), b.at([0.0, 0.0]).unwrap(), 0.0);
        assert_eq!(region.area(), 1.0);
        assert_eq!(region.pieces().map(<[_]>::len).collect::<Vec<_>>(), [4]);
    }
}
