//! Casts that ignore internal edges: a row of flush tiles stops a motion as one long block does.

use carom::world::CastOptions;
use carom::{Collider, DVec2, Handle, Pose, Shape, Sweep, World, query::ShapeHit};

use crate::support::dice::Dice;
use crate::support::run::pairs;

/// Width of the floor; its top is y = 0.
const LONG: u32 = 12;

fn rectangle(size: [f64; 2], at: [f64; 2]) -> (Shape, Pose) {
    (Shape::rectangle(size[0], size[1]).unwrap(), Pose::from_translation(at).unwrap())
}

/// Inserts parts as separate colliders, or as one compound.
fn insert(world: &mut World, parts: Vec<(Shape, Pose)>, whole_pose: Pose, is_compound: bool) {
    if is_compound {
        world.insert(Collider::new(Shape::compound(parts).unwrap()).pose(whole_pose));
        return;
    }
    for (shape, pose) in parts {
        let at = whole_pose.transform_point(pose.translation());
        world.insert(Collider::new(shape).pose(Pose::new(at, whole_pose.angle()).unwrap()));
    }
}

fn cast(world: &World, sweep: Sweep<'_>, target: f64) -> Option<(Handle, ShapeHit)> {
    world.shape_cast_with(sweep, u64::MAX, CastOptions::new().target_distance(target).ignore_internal_edges())
}

/// The oracle is the same scene with one block in place of the tiles. The motion starts nearer than the
/// target distance, slides over many seams, and ends at a wall or behind it.
#[test]
fn rows_of_tiles_cast_as_one_block() {
    let (mut hits, mut misses) = (0, 0);
    for seed in 0..pairs(1_500) {
        let mut dice = Dice::new(seed, 20);
        let dice = &mut dice;
        let is_compound = dice.chance(0.5);
        let whole_pose = Pose::new(dice.in_disk(100.0), if dice.chance(0.3) { 0.0 } else { dice.angle() }).unwrap();
        let wall = rectangle([1.0, dice.between(0.1, 3.0)], [dice.between(6.0, 11.0), 0.0]);
        let mut tiles: Vec<_> = (0..LONG).map(|i| rectangle([1.0, 1.0], [f64::from(i), -0.5])).collect();
        tiles.push(wall.clone());
        let (mut row, mut block) = (World::new(), World::new());
        insert(&mut row, tiles, whole_pose, is_compound);
        let whole = rectangle([f64::from(LONG), 1.0], [0.5 * f64::from(LONG) - 0.5, -0.5]);
        insert(&mut block, vec![whole, wall], whole_pose, is_compound);
        let mover = match dice.index(3) {
            0 => Shape::rectangle(0.8, 0.8).unwrap(),
            1 => Shape::circle(0.4).unwrap(),
            _ => Shape::rectangle(0.6, 0.6).unwrap().rounded(0.1).unwrap(),
        };
        let target = if dice.chance(0.2) { 0.0 } else { dice.magnitude(1e-4, 0.1) };
        let gap = if target == 0.0 { dice.magnitude(1e-6, 1e-3) } else { target * dice.between(0.1, 0.9) };
        let from = whole_pose.transform_point([dice.between(0.0, 2.0), 0.4 + gap]);
        let motion = DVec2::new(dice.between(1.0, 12.0), if dice.chance(0.5) { 0.0 } else { dice.between(0.0, 2.0) });
        let mover = mover.placed(Pose::new(from, whole_pose.angle()).unwrap());
        let sweep = mover.sweep(whole_pose.rotate_vector(motion)).unwrap();
        let (seen, wanted) = (cast(&row, sweep, target), cast(&block, sweep, target));
        let at = format!("seed {seed}: {seen:?}, but {wanted:?} for one block");
        match (seen, wanted) {
            (Some((_, seen)), Some((_, wanted))) => {
                hits += 1;
                assert!((seen.time - wanted.time).abs() * motion.length() < 1e-5, "{at}");
                assert!(seen.normal.dot(wanted.normal) > 0.99, "{at}");
            }
            (None, None) => misses += 1,
            _ => panic!("{at}"),
        }
    }
    assert!(hits > 200 && misses > 200, "{hits} hits, {misses} misses");
}

/// A motion that turns slides over seams too, and a wall still stops it.
#[test]
fn turning_motions_slide_over_seams() {
    for is_compound in [false, true] {
        let tiles: Vec<_> = (0..LONG).map(|i| rectangle([1.0, 1.0], [f64::from(i), -0.5])).collect();
        let mut world = World::new();
        insert(&mut world, tiles, Pose::IDENTITY, is_compound);
        let mover = Shape::rectangle(0.8, 0.8).unwrap();
        let mover = mover.at([1.0, 0.405]).unwrap();
        // It rises faster than its corner turns down, so the row never comes nearer.
        let motion = |x: f64| mover.sweep([x, 0.08]).unwrap().with_rotation(-0.1).unwrap();
        let options = CastOptions::new().target_distance(0.01);
        // The target distance to a compound is the gap at the start, so no seam of it stops the motion.
        assert_eq!(world.shape_cast_with(motion(5.0), u64::MAX, options).is_some(), !is_compound);
        assert!(cast(&world, motion(5.0), 0.01).is_none(), "compound: {is_compound}");
        let wall = rectangle([1.0, 4.0], [8.0, 2.0]);
        let wall = world.insert(Collider::new(wall.0).pose(wall.1));
        let (handle, hit) = cast(&world, motion(7.0), 0.01).unwrap();
        let expected = 7.5 - 1.0 - 0.4 - 0.01;
        assert!(handle == wall && hit.normal == DVec2::NEG_X, "{hit:?}");
        assert!((7.0 * hit.time - expected).abs() < 0.05, "{hit:?}");
    }
}

/// A motion that turns into a floor of tiles is stopped by it.
#[test]
fn turning_into_a_floor_of_tiles_is_stopped() {
    for is_compound in [false, true] {
        let tiles: Vec<_> = (0..LONG).map(|i| rectangle([1.0, 1.0], [f64::from(i), -0.5])).collect();
        let (mut row, mut block) = (World::new(), World::new());
        insert(&mut row, tiles, Pose::IDENTITY, is_compound);
        insert(&mut block, vec![rectangle([12.0, 1.0], [5.5, -0.5])], Pose::IDENTITY, false);
        let mover = Shape::rectangle(0.8, 0.8).unwrap();
        for (height, turn) in [(0.45, 0.3), (0.5, -0.6), (0.42, 0.1)] {
            let sweep = mover.at([1.3, height]).unwrap().sweep([6.0, 0.0]).unwrap().with_rotation(turn).unwrap();
            let (_, seen) = cast(&row, sweep, 0.01).unwrap();
            let (_, wanted) = cast(&block, sweep, 0.01).unwrap();
            assert!((seen.time - wanted.time).abs() < 1e-4, "{seen:?}, but {wanted:?} for one block");
        }
    }
}
