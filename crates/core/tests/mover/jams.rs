//! Sliding over rows of flush tiles: no frame loses motion at a seam.

use carom::mover::Mover;
use carom::{Collider, DVec2, Pose, Shape, World};

use super::kit::{GRAVITY, land, shapes};

/// Frames per trial.
const FRAMES: usize = 900;

/// Ground along +x from the origin, with its top at y = 0.
fn ground(world: &mut World, kind: usize, level_pose: &Pose) {
    let mut insert = |shape: Shape, at: [f64; 2]| {
        let pose = Pose::new(level_pose.transform_point(at), level_pose.angle()).unwrap();
        world.insert(Collider::new(shape).pose(pose).fixed(true));
    };
    match kind {
        0 => (-2..60).for_each(|i| insert(Shape::rectangle(1.0, 1.0).unwrap(), [f64::from(i), -0.5])),
        1 => {
            let points: Vec<[f64; 2]> = (-2..60).map(|i| [f64::from(i), 0.0]).collect();
            insert(Shape::chain(&points).unwrap(), [0.0, 0.0]);
        }
        _ => (-2..30).for_each(|i| {
            let block = [[0.0, 0.0], [0.0, -1.0], [1.0, -0.6], [2.0, -1.0], [2.0, 0.0]];
            insert(Shape::polygon(&block).unwrap(), [2.0 * f64::from(i), 0.0]);
        }),
    }
}

/// The same as a platformer: a walk with gravity, up and down the rows. Each frame makes the whole motion,
/// and the mover never leaves the ground.
#[test]
fn no_walk_jams_at_a_seam() {
    for origin in [0.0, 1e4, 1e6] {
        for kind in 0..3 {
            for degrees in [-45.0, -23.0, 0.0, 10.0, 30.0, 45.0] {
                for (name, shape) in shapes() {
                    let level_pose = Pose::from_degrees([origin, -0.7 * origin], degrees).unwrap();
                    let (mut world, along) = (World::new(), level_pose.rotate_vector(DVec2::X));
                    ground(&mut world, kind, &level_pose);
                    let start = level_pose.transform_point(DVec2::new(0.3, 0.8));
                    let handle = world.insert(Collider::new(shape).at(start).unwrap());
                    let mut mover = Mover::new(handle).up([0.0, 1.0]).unwrap();
                    land(&mut world, &mut mover);
                    for frame in 0..FRAMES {
                        let moved = mover.move_by(&mut world, [0.05, -GRAVITY]).unwrap().translation;
                        assert!(
                            (moved.dot(along) - 0.05).abs() < 1e-6 && mover.is_grounded(),
                            "{name} on {kind} at {degrees}° and {origin}: {moved} in frame {frame}"
                        );
                    }
                }
            }
        }
    }
}

/// The trial of the issue: movers pressed to rows of tiles, chains and polygons at 0 – 45°, near and far
/// from the origin. Progress is the motion along the ground, frame by frame.
#[test]
fn no_frame_jams_at_a_seam() {
    for origin in [0.0, 1e4, 1e6] {
        for kind in 0..3 {
            for degrees in [0.0, 10.0, 23.0, 30.0, 45.0] {
                for (name, shape) in shapes() {
                    let level_pose = Pose::from_degrees([origin, -0.7 * origin], degrees).unwrap();
                    let (mut world, along) = (World::new(), level_pose.rotate_vector(DVec2::X));
                    ground(&mut world, kind, &level_pose);
                    let start = level_pose.transform_point(DVec2::new(0.3, 1.0));
                    let hero = world.insert(Collider::new(shape).at(start).unwrap());
                    // Pressed to the ground, which is a wall of a top-down mover.
                    let mut mover = Mover::new(hero);
                    let press = level_pose.rotate_vector(DVec2::new(0.05, -0.1));
                    for _ in 0..30 {
                        mover.move_by(&mut world, level_pose.rotate_vector(DVec2::new(0.0, -0.1))).unwrap();
                    }
                    for frame in 0..FRAMES {
                        let moved = mover.move_by(&mut world, press).unwrap().translation;
                        let progress = moved.dot(along);
                        assert!(
                            (progress - 0.05).abs() < 1e-6,
                            "{name} on {kind} at {degrees}° and {origin}: {progress} in frame {frame}"
                        );
                    }
                }
            }
        }
    }
}
