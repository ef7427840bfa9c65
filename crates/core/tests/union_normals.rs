//! Casts onto flush parts: the normal is that of the union's boundary, never that of a vertex
//! between two parts.

use crate::support::run::pairs;
use carom::{DVec2, Mask, Pose, Shape, time_of_impact};

type Dice = fastrand::Rng;

/// A floor along y = 0 from x = -2 to 2, cut at whole numbers.
fn floor(kind: usize) -> Shape {
    match kind {
        0 => {
            let tile = Shape::rectangle(1.0, 1.0).unwrap();
            let at = |i: i32| Pose::from_translation([f64::from(i) - 1.5, -0.5]).unwrap();
            Shape::compound((0..4).map(|i| (tile.clone(), at(i)))).unwrap()
        }
        1 => Shape::chain(&[[2.0, 0.0], [1.0, 0.0], [0.0, 0.0], [-1.0, 0.0], [-2.0, 0.0]]).unwrap(),
        _ => {
            // A mask turned upside down has other parts than the tiles.
            let steps = Mask::from_rows(&["####", "##..", "#..."]).unwrap();
            let at = Pose::from_degrees([2.0, 0.0], 180.0).unwrap();
            Shape::compound([(Shape::mask(steps).unwrap(), at)]).unwrap()
        }
    }
}

fn mover(dice: &mut Dice) -> (Shape, f64) {
    match dice.u8(0..4) {
        0 => (Shape::circle(0.5).unwrap(), 0.0),
        1 => (Shape::rectangle(1.0, 1.0).unwrap().rounded(0.01).unwrap(), 0.3 + dice.f64()),
        2 => (Shape::polygon(&[[0.0, -0.7], [0.6, 0.4], [-0.5, 0.3]]).unwrap(), dice.f64() * 0.4 - 0.2),
        _ => (Shape::rectangle(1.0, 1.0).unwrap(), std::f64::consts::FRAC_PI_4 + (dice.f64() - 0.5)),
    }
}

#[test]
fn corners_that_hit_beside_a_seam_have_the_normal_of_the_boundary() {
    let rounds = pairs(4_000);
    let mut dice = Dice::with_seed(19);
    for round in 0..rounds {
        let kind = dice.usize(0..3);
        let (shape, angle) = mover(&mut dice);
        let turn = if dice.bool() { 0.0 } else { (dice.f64() - 0.5) * 10.0_f64.powi(-dice.i32(1..14)) };
        let beside = (dice.f64() - 0.5) * 10.0_f64.powi(-dice.i32(2..18)) * f64::from(dice.u8(0..2));
        let drift = (dice.f64() - 0.5) * 10.0_f64.powi(-dice.i32(0..16)) * f64::from(dice.u8(0..2));
        // The frame of it all.
        let frame = Pose::new([dice.f64() * 10.0, dice.f64() * 10.0], if dice.bool() { 0.0 } else { dice.f64() * 6.0 })
            .unwrap();
        let lowest = {
            let placed = shape.placed(Pose::new([0.0, 0.0], angle).unwrap());
            placed.points().reduce(|p, q| if q.y < p.y { q } else { p }).unwrap()
        };
        let high = 1.0 + dice.f64();
        let start = DVec2::new(beside - lowest.x, high - lowest.y);
        let displacement = DVec2::new(drift, -2.0 * high);
        let turned = frame.angle() + angle;
        let at = Pose::new(frame.transform_point(start), turned).unwrap();
        let sweep = shape.placed(at).sweep(frame.rotate_vector(displacement)).unwrap().with_rotation(turn).unwrap();
        let floor = floor(kind);
        let name =
            format!("round {round}: floor {kind}, {shape:?} at {start} by {displacement} and {turn}, in {frame:?}");
        let hit = time_of_impact(sweep, floor.placed(frame)).expect(&name);
        let position = frame.inverse_rotate_vector(hit.point - frame.translation());
        assert!(position.x.abs() < 1.5 && position.y.abs() < 1e-6, "{name}: {hit:?}");
        let down = frame.rotate_vector(DVec2::NEG_Y);
        assert!((hit.normal - down).length() < 1e-6, "{name}: {hit:?}, off by {}", (hit.normal - down).length());
        let back = time_of_impact(floor.placed(frame), sweep).expect(&name);
        assert!((back.normal + down).length() < 1e-6, "{name}, swapped: {back:?}");
    }
}
