//! Random jumps onto one-way platforms: a mover lands if its apex clears the platform, never falls
//! through, and never snaps up. `CAROM_JUMPS` sets the number of jumps.

use carom::mover::Mover;
use carom::{Collider, DVec2, Shape, World};

use super::kit::SKIN;
use super::rooms::convex;
use crate::support::dice::Dice;
use crate::support::run::from_environment;

/// A jump passes a platform from below and lands on it if its apex clears it; never falls through and
/// never snaps up.
#[test]
fn jumps_onto_platforms_land_or_fall_back() {
    let (mut landed, mut fell) = (0, 0);
    // Jump 6227 ended above a platform, nearer than the skin, and the next move lifted the mover onto it.
    for seed in 0..from_environment("CAROM_JUMPS").unwrap_or(7_000) {
        let mut dice = Dice::new(seed, 2);
        let dice = &mut dice;
        let mut world = World::new();
        world.insert(Collider::new(Shape::rectangle(60.0, 1.0).unwrap()).at([0.0, -0.5]).unwrap().fixed(true));
        let (thick, height) = (dice.magnitude(0.01, 0.6), dice.between(1.5, 3.0));
        let plank = Collider::new(Shape::rectangle(12.0, thick).unwrap()).at([0.0, height]).unwrap();
        let plank = world.insert(plank.fixed(true).one_way([0.0, 1.0]).unwrap());
        let shape = convex(dice, 0.8);
        let low = -shape.at([0.0, 0.0]).unwrap().aabb().min().y;
        let start = [dice.between(-2.0, 2.0), low + SKIN];
        let mut mover = Mover::new(world.insert(Collider::new(shape).at(start).unwrap())).up([0.0, 1.0]).unwrap();
        let gravity = dice.magnitude(0.005, 0.1);
        let mut speed = DVec2::new(dice.between(-0.01, 0.01), dice.between(0.2, 0.7));
        let (mut apex, top) = (0.0_f64, height + 0.5 * thick);
        let mut feet = SKIN;
        for _ in 0..4_000 {
            let moved = mover.move_by(&mut world, speed).unwrap().translation;
            assert!(moved.y <= speed.y.max(0.0) + 1e-9, "jump {seed}: snapped up by {moved}");
            feet = world.pose(mover.handle()).unwrap().translation().y - low;
            apex = apex.max(feet);
            speed.y -= gravity;
            if mover.is_grounded() {
                break;
            }
        }
        let on_plank = mover.ground().is_some_and(|ground| ground.handle == plank);
        assert_eq!(on_plank, (feet - top - SKIN).abs() < 1e-5, "jump {seed}: feet at {feet}, top {top}");
        // Between the skin and its tolerance either is right.
        if (apex - top - SKIN).abs() > 1e-5 {
            assert_eq!(on_plank, apex > top + SKIN, "jump {seed}: apex {apex}, top {top}");
        }
        landed += u32::from(on_plank);
        fell += u32::from(!on_plank);
    }
    assert!(landed > 30 && fell > 30, "{landed} landed, {fell} fell");
}
