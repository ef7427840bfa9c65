//! P20: a mover that starts inside colliders reaches free space within two calls, if a straight way leads
//! there. `CAROM_ROOMS` sets the number of starts.

use carom::mover::Mover;
use carom::{Collider, DVec2, Placed, Pose, World, distance};

use super::kit::{SKIN, smallest_gap};
use super::rooms::{composite, convex};
use crate::support::dice::Dice;
use crate::support::run::from_environment;

/// Largest distance to free space.
const LIMIT: f64 = 5.0;

/// Returns true if a straight way leads to free space, by steps in many directions. It keeps the skin
/// to all colliders that do not intersect the mover at the start.
fn has_way_out(world: &World, mover: &Mover) -> bool {
    let own = world.placed(mover.handle()).unwrap();
    let others = world.colliders().filter(|(handle, _)| *handle != mover.handle());
    let (inside, outside): (Vec<Placed<'_>>, Vec<Placed<'_>>) =
        others.map(|(_, other)| other.placed()).partition(|other| distance(*other, own).distance == 0.0);
    let is_out = |angle: f64| {
        let positions = (1..500).map(|i| own.pose().translation() + DVec2::from_angle(angle) * 0.01 * f64::from(i));
        let mut moved = positions.map(|at| own.shape().placed(own.pose().with_translation(at).unwrap()));
        moved
            .find_map(|here| {
                let is_blocked = outside.iter().any(|other| distance(*other, here).distance < 1.1 * SKIN);
                let is_free = inside.iter().all(|other| distance(*other, here).distance > 2.0 * SKIN);
                (is_blocked || is_free).then_some(!is_blocked)
            })
            .unwrap_or(false)
    };
    (0..32).any(|i| is_out(std::f64::consts::TAU / 32.0 * f64::from(i)))
}

/// Puts a mover into the middle of one to three colliders, each about as large as itself or larger.
#[test]
fn movers_that_start_inside_reach_free_space() {
    let starts = from_environment("CAROM_ROOMS").unwrap_or(400);
    let (mut inside, mut enclosed) = (0, 0);
    for seed in 0..starts {
        let mut dice = Dice::new(seed, 5);
        let (dice, mut world) = (&mut dice, World::new());
        for _ in 0..dice.count(1, 3) {
            let at = DVec2::new(dice.between(-0.6, 0.6), dice.between(-0.6, 0.6));
            let size = dice.between(0.8, 2.0);
            let shape = if dice.chance(0.5) { composite(dice, size) } else { convex(dice, size) };
            world.insert(Collider::new(shape).pose(Pose::new(at, dice.angle()).unwrap()).fixed(true));
        }
        let pose = Pose::new([0.0, 0.0], dice.angle()).unwrap();
        let handle = world.insert(Collider::new(convex(dice, 0.9)).pose(pose));
        let mut mover = Mover::new(handle).skin(SKIN).unwrap().max_push(LIMIT).unwrap();
        inside += u64::from(smallest_gap(&world, &mover) == 0.0);
        let missing = (0..2).map(|_| mover.move_by(&mut world, [0.0, 0.0]).unwrap().missing_gap);
        let missing = missing.fold(f64::INFINITY, f64::min);
        let is_free = smallest_gap(&world, &mover) >= SKIN - 2e-6;
        assert_eq!(is_free, missing == 0.0, "start {seed}: missing {missing}");
        if !is_free {
            enclosed += 1;
            world.set_pose(handle, pose).unwrap();
            assert!(!has_way_out(&world, &mover), "start {seed}");
        }
    }
    println!("{inside} of {starts} inside, {enclosed} enclosed");
    assert!(inside > starts * 3 / 4 && enclosed * 100 < starts, "{inside} {enclosed}");
}
