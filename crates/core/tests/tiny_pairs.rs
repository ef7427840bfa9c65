//! Thin polygons of the size of a rounding error, beside rounded shapes. Compares them with the exact relation.
//!
//! `CAROM_PAIRS` sets the number of pairs, `CAROM_SEED` selects them.

use carom::{DVec2, Pose, Shape};

use crate::support::dice::{Dice, heading};
use crate::support::exact::Relation;
use crate::support::relations::assert_exact;
use crate::support::run::{pairs, seed};

/// The rounding error of 1.
const UNIT: f64 = f64::EPSILON / 2.0;

/// The short edge that faces away from the circle was taken for the closest feature, with a depth above the error
/// bound.
#[test]
fn a_thin_triangle_that_points_at_a_circle() {
    let mut counts = [0; 2];
    for thin in [0.0001, 0.01, 1.0] {
        for gap in [8.0, 20.0, 40.0, 60.0, 66.0, 70.0, 72.0, 90.0] {
            for length in [1.0, 2.0, 8.0] {
                let (tip, base) = (1.0 - gap * UNIT, 1.0 - (gap + length) * UNIT);
                let corners = [[tip, 0.0], [base, thin * UNIT], [base, -thin * UNIT]];
                let triangle = Shape::convex_polygon(&corners).unwrap();
                for more in [-0.125, 0.0, 0.125] {
                    let circle = Shape::circle((gap + more) * UNIT).unwrap();
                    let (p, q) = (triangle.placed(Pose::IDENTITY), circle.at([1.0, 0.0]).unwrap());
                    let relation = assert_exact(p, q, &format!("{thin} {gap} {length} {more}"));
                    counts[0] += u32::from(relation == Relation::Apart);
                    counts[1] += u32::from(relation == Relation::Touching);
                }
            }
        }
    }
    assert!(counts.iter().all(|&count| count >= 24), "{counts:?}");
}

#[test]
fn relations_of_thin_polygons_that_point_at_a_shape_are_exact() {
    let mut counts = [0; 2];
    for index in 0..pairs(5_000) {
        let mut dice = Dice::new(seed(), index);
        // The rounding error comes from the position in the world, or from that in the frame of the polygon.
        let axis = dice.one_of(&[DVec2::X, DVec2::Y]);
        let toward = dice.direction();
        let at = dice.one_of(&[axis, toward]) * dice.one_of(&[0.0, 1.0, 1e3, 1e6, 1e12]);
        let in_frame = axis * dice.one_of(&[0.0, 1.0]);
        let unit = UNIT * (at.length() + in_frame.length()).max(1e-3);
        let along = if dice.chance(0.7) { axis } else { dice.direction() };
        let (length, thin) = (unit * dice.magnitude(0.1, 20.0), dice.magnitude(1e-5, 1.0));
        let corners: Vec<DVec2> = (0..dice.count(3, 5))
            .map(|_| in_frame - (along * dice.between(0.0, 1.0) + along.perp() * dice.between(-thin, thin)) * length)
            .chain([in_frame])
            .collect();
        // Rounding can leave no area.
        let Ok(polygon) = Shape::convex_polygon(&corners) else { continue };
        let gap = unit * dice.magnitude(0.5, 90.0);
        let end = if dice.chance(0.7) { DVec2::ZERO } else { heading(dice.angle()) * unit * dice.magnitude(0.1, 90.0) };
        let rounded = Shape::capsule([0.0, 0.0], end, gap * dice.between(0.9, 1.3)).unwrap();
        let (polygon, rounded) = (
            polygon.placed(Pose::from_translation(at).unwrap()),
            rounded.placed(Pose::from_translation(at + in_frame + along * gap).unwrap()),
        );
        let relation = assert_exact(polygon, rounded, &index.to_string());
        counts[usize::from(relation == Relation::Apart)] += 1;
    }
    assert!(counts.iter().all(|&count| count > pairs(5_000) / 50), "{counts:?}");
}
