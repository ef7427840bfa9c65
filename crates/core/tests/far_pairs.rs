//! Capsules and thin polygons so far from the origin that rounding moves points by more than their size. Compares them
//! with the exact relation.
//!
//! `CAROM_PAIRS` sets the number of pairs, `CAROM_SEED` selects them.

use carom::{DVec2, Pose, Shape, collide, distance, intersects};

use crate::support::dice::Dice;
use crate::support::exact::Relation;
use crate::support::relations::assert_exact;
use crate::support::run::{pairs, seed};

#[test]
fn relations_far_from_the_origin_are_exact() {
    let mut counts = [0; 2];
    for index in 0..pairs(20_000) {
        let mut dice = Dice::new(seed(), index);
        let far = dice.magnitude(1e12, 1e15);
        let origin = DVec2::new(far, -far * dice.between(0.0, 1.0));
        let mut near = |size: f64| DVec2::new(dice.between(0.0, size), dice.between(0.0, size));
        let (corner, size, end, offset) = (origin + near(1.0), near(2.0), near(1.0), near(4.0));
        let corners = [corner, corner + size.with_y(0.0), corner + size, corner + size.with_x(0.0)];
        // Rounding can leave no area.
        let Ok(polygon) = Shape::polygon(&corners) else { continue };
        let capsule = Shape::capsule([0.0, 0.0], end, dice.one_of(&[0.0, 0.125, 0.5])).unwrap();
        let pose = Pose::new(origin + offset - 2.0, dice.angle()).unwrap();
        let (p, q) = (capsule.placed(pose), polygon.placed(Pose::IDENTITY));
        let relation = assert_exact(p, q, &index.to_string());
        counts[usize::from(relation == Relation::Apart)] += 1;
    }
    assert!(counts.iter().all(|&count| count > pairs(20_000) / 8), "{counts:?}");
}

/// The edge of a thin polygon that faces away from a capsule was taken for the closest one.
#[test]
fn a_capsule_beside_a_thin_polygon_far_from_the_origin() {
    let capsule = Shape::capsule([0.0, 0.0], [0.474_044_813_485_012_65, 0.261_525_932_401_074_2], 0.125).unwrap();
    let at = [100_000_000_000_001.25, -31_622_360_563_467.777];
    let pose = Pose::from_cos_sin(at, -0.036_347_177_708_024_224, -0.999_339_223_023_224_1).unwrap();
    let ([left, right], [low, high]) =
        ([100_000_000_000_001.61, 100_000_000_000_001.66], [-31_622_360_563_466.9, -31_622_360_563_466.2]);
    let thin = Shape::polygon(&[[left, low], [right, low], [right, high], [left, high]]).unwrap();
    let (p, q) = (capsule.placed(pose), thin.placed(Pose::IDENTITY));
    // The corner at the lower left is the closest point, that of the capsule is its end at `pose`.
    let gap = (DVec2::new(left, low) - pose.translation()).length() - 0.125;
    for (p, q) in [(p, q), (q, p)] {
        assert!(!intersects(p, q) && collide(p, q).is_none());
        assert!((distance(p, q).distance - gap).abs() < 0.1, "{:?} {gap}", distance(p, q));
    }
}
