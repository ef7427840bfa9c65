//! The overlap region against closed forms and a count of sample points.

use carom::{DVec2, Placed, Pose, Shape, overlap_region, overlaps};

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
fn what_only_touches_has_no_region() {
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
    }
}

#[test]
fn pieces_of_composites_cover_what_both_hold() {
    let comb = Shape::compound((0..5).map(|i| (Shape::rectangle(0.5, 3.0).unwrap(), Pose::from_translation([f64::from(i), 0.0]).unwrap())))
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
        let (mut held, side) = (0, 300);
        let (low, size) = (a.aabb().min(), a.aabb().size());
        for i in 0..side * side {
            let p = low + size * DVec2::new(f64::from(i % side) + 0.5, f64::from(i / side) + 0.5) / f64::from(side);
            held += u32::from(inside(a, p) && inside(b, p));
        }
        let sampled = f64::from(held) / f64::from(side * side) * size.x * size.y;
        assert!((region.area() - sampled).abs() < 0.02, "{} instead of about {sampled}", region.area());
        for piece in region.pieces() {
            let middle = piece.iter().sum::<DVec2>() / piece.len() as f64;
            assert!(inside(a, middle) && inside(b, middle));
        }
    }
}
