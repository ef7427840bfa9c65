//! A call that changes nothing is not computed again. These tests compare it with computed calls.

use carom::mover::{Mover, MoverSurface};
use carom::{Collider, DVec2, Handle, Shape, World};

use super::kit::{GRAVITY, block, hero, position};
use super::rooms::convex;
use crate::support::dice::Dice;

/// Frames of a scene.
const FRAMES: u32 = 240;

/// A level with a wall, a slope and a corner below it, a hero, and a plank. The test moves the plank and the wall.
#[derive(Clone)]
struct Scene {
    world: World,
    mover: Mover,
    plank: Handle,
    wall: Handle,
}

impl Scene {
    fn new(shape: Shape) -> Self {
        let mut world = World::new();
        let blocks = [
            ([10.0, 1.0], [-4.5, -0.5], 0.0),
            ([10.0, 1.0], [5.5, -0.5], 0.0),
            ([1.0, 3.0], [2.5, 1.5], 0.0),
            ([4.0, 1.0], [-4.0, 0.2], -60.0),
        ];
        let [.., wall, _] = blocks.map(|(size, at, degrees)| block(&mut world, size, at, degrees));
        let plank = world.insert(Collider::new(Shape::rectangle(0.6, 0.2).unwrap()).at([0.0, 30.0]).unwrap());
        let mover = hero(&mut world, shape, [0.0, 1.0]);
        Self { world, mover, plank, wall }
    }

    /// Moves, and returns all results.
    fn call(&mut self, wanted: DVec2) -> (String, Vec<MoverSurface>) {
        let made = self.mover.move_by(&mut self.world, wanted).unwrap();
        (format!("{made:?} {:?}", self.mover.ground()), self.mover.surfaces().to_vec())
    }
}

/// The second mover has another setting in each call, so each of its results is computed.
#[test]
fn a_repeated_call_has_the_result_of_a_computed_one() {
    let mut repeated = 0;
    for seed in 0..30 {
        let dice = &mut Dice::new(seed, 9);
        let mut scene = Scene::new(convex(dice, 0.9));
        let (mut other, mut side, mut last) = (scene.clone(), 0.0, None);
        for frame in 0..FRAMES {
            if frame % 30 == 0 {
                side = dice.one_of(&[-0.1, -0.1, 0.0, 0.1, 0.1]);
            }
            if frame % 40 >= 37 {
                let from = position(&scene.world, &scene.mover);
                let to = if dice.chance(0.5) {
                    from + dice.direction() * dice.between(0.5, 2.0)
                } else {
                    [0.0, 30.0].into()
                };
                scene.world.set_position(scene.plank, to).unwrap();
                other.world.set_position(other.plank, to).unwrap();
            }
            if frame % 25 == 24 {
                let to = [2.5 + dice.between(-0.4, 0.1), 1.5];
                scene.world.set_position(scene.wall, to).unwrap();
                other.world.set_position(other.wall, to).unwrap();
            }
            if frame % 35 == 34 {
                scene.mover.drop_through();
                other.mover.drop_through();
            }
            let wanted = DVec2::new(side, -GRAVITY);
            other.mover = other.mover.max_push(1.0 + 1e-9 * f64::from(frame % 2)).unwrap();
            let (found, expected) = (scene.call(wanted), other.call(wanted));
            assert_eq!(found, expected, "scene {seed} frame {frame}");
            let now = Some((wanted, position(&scene.world, &scene.mover)));
            repeated += u32::from(now == last);
            last = now;
        }
    }
    assert!(repeated > 1_000, "{repeated} calls changed nothing");
}
