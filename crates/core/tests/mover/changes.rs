//! A mover keeps contacts from call to call. These tests change the world between two calls: the mover must
//! see each change at once.

use std::f64::consts::FRAC_PI_4;

use carom::mover::Mover;
use carom::world::OneWay;
use carom::{Collider, DVec2, Filter, Handle, Pose, Shape, World};

use super::kit::{GRAVITY, block, hero, land, position};

/// A mover that stands on a floor, after a call that moved nothing.
struct Standing {
    world: World,
    floor: Handle,
    mover: Mover,
}

impl Standing {
    fn new() -> Self {
        let mut world = World::new();
        let floor = block(&mut world, [20.0, 1.0], [0.0, -0.5], 0.0);
        let mut mover = hero(&mut world, Shape::rectangle(0.8, 0.8).unwrap(), [0.3, 0.5]).skin(0.01).unwrap();
        land(&mut world, &mut mover);
        let mut standing = Self { world, floor, mover };
        assert_eq!(standing.call(), DVec2::ZERO);
        standing
    }

    /// Moves by gravity alone.
    fn call(&mut self) -> DVec2 {
        self.mover.move_by(&mut self.world, [0.0, -GRAVITY]).unwrap().translation
    }
}

#[test]
fn movers_fall_as_soon_as_the_floor_stops_to_count() {
    type Change = fn(&mut Standing);
    let changes: [(&str, Change); 9] = [
        ("removed", |s| drop(s.world.remove(s.floor))),
        ("disabled", |s| s.world.set_enabled(s.floor, false).unwrap()),
        ("sensor", |s| s.world.set_sensor(s.floor, true).unwrap()),
        ("filtered", |s| s.world.set_filter(s.floor, Filter { mask: 0, ..Filter::default() }).unwrap()),
        ("pair", |s| s.world.set_pair_enabled(s.mover.handle(), s.floor, false).unwrap()),
        ("thinner", |s| s.world.set_shape(s.floor, Shape::rectangle(20.0, 0.2).unwrap()).unwrap()),
        ("one-way from below", |s| s.world.set_one_way(s.floor, Some(OneWay::new([0.0, -1.0]).unwrap())).unwrap()),
        ("other world", |s| {
            s.world = s.world.clone();
            s.world.set_shape(s.floor, Shape::rectangle(20.0, 0.2).unwrap()).unwrap();
        }),
        ("restored", |s| {
            let mut other = s.world.clone();
            other.set_shape(s.floor, Shape::rectangle(20.0, 0.2).unwrap()).unwrap();
            s.world.restore(&other.to_bytes()).unwrap();
        }),
    ];
    for (name, change) in changes {
        let mut standing = Standing::new();
        change(&mut standing);
        let made = standing.call();
        assert!((made - DVec2::new(0.0, -GRAVITY)).length() < 1e-9, "{name}: {made}");
        assert!(!standing.mover.is_grounded(), "{name}");
    }
}

/// Box 0.8 wide on a floor at y = 0, with its centre at 0.41.
#[test]
fn movers_follow_changed_colliders() {
    type Change = fn(&mut Standing);
    let diagonal = 0.4 * 2.0_f64.sqrt();
    let changes: [(&str, Change, DVec2); 6] = [
        // The floor carries the mover.
        ("lower floor", |s| s.world.set_position(s.floor, [0.0, -0.9]).unwrap(), [0.0, -0.4].into()),
        (
            "lower floor, set with others",
            |s| s.world.set_poses(&[s.floor], &[Pose::from_translation([0.0, -0.9]).unwrap()]).unwrap(),
            [0.0, -0.4].into(),
        ),
        (
            "taller",
            |s| s.world.set_shape(s.mover.handle(), Shape::rectangle(0.8, 1.0).unwrap()).unwrap(),
            [0.0, 0.1].into(),
        ),
        (
            "turned",
            |s| s.world.set_pose(s.mover.handle(), Pose::new([0.3, 0.41], FRAC_PI_4).unwrap()).unwrap(),
            [0.0, diagonal - 0.4].into(),
        ),
        (
            "higher floor",
            |s| s.world.set_shape(s.floor, Shape::rectangle(20.0, 1.2).unwrap()).unwrap(),
            [0.0, 0.1].into(),
        ),
        (
            "new block",
            |s| {
                s.world.insert(Collider::new(Shape::rectangle(1.0, 1.0).unwrap()).at([-0.55, 0.6]).unwrap());
            },
            [0.06, 0.0].into(),
        ),
    ];
    for (name, change, expected) in changes {
        let mut standing = Standing::new();
        let start = position(&standing.world, &standing.mover);
        assert!((start - DVec2::new(0.3, 0.41)).length() < 1e-5, "{start}");
        change(&mut standing);
        let made = standing.call();
        assert!((made - expected).length() < 1e-5, "{name}: {made} of {expected}");
    }
}
