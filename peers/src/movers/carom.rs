//! Measures carom's mover.

use carom::mover::Mover;
use carom::{Collider, Handle, Shape, World};

use super::level::{HALF, Level, RADIUS, SKIN, SLOPE, STEP};
use super::{Engine, Moved};
use crate::input::Vec2;
use crate::race::Library;
use crate::worlds::scene::Form;

const IN_RANGE: &str = "the race stays within the range of carom";

/// Movers that are colliders of the level's world, and pass each other.
pub(crate) struct Movers {
    world: World,
    handles: Vec<Handle>,
    all: Vec<Mover>,
}

impl Movers {
    pub(crate) fn new(level: &Level, count: usize) -> Self {
        let mut world = World::new();
        for (form, at) in &level.pieces {
            let shape = match form {
                Form::Circle(radius) => Shape::circle(*radius),
                Form::Rectangle([x, y]) => Shape::rectangle(2.0 * x, 2.0 * y),
                Form::Polygon(points) => Shape::polygon(points),
            };
            world.insert(Collider::new(shape.expect(IN_RANGE)).at(*at).expect(IN_RANGE).fixed(true));
        }
        let capsule = Shape::capsule([0.0, -HALF], [0.0, HALF], RADIUS).expect(IN_RANGE);
        let handles = (0..count).map(|_| world.insert(Collider::new(capsule.clone()).group(1))).collect();
        world.update();
        Self { world, handles, all: Vec::new() }
    }
}

impl Engine for Movers {
    fn name(&self) -> (Library, &'static str) {
        (Library::Carom, "carom `Mover`")
    }

    fn reset(&mut self, starts: &[Vec2]) {
        let set = |handle: Handle| {
            let mover = Mover::new(handle).skin(SKIN)?.up([0.0, 1.0])?;
            mover.max_slope(SLOPE.to_radians())?.step_height(STEP)?.snap_distance(STEP)
        };
        self.all = self.handles.iter().map(|&handle| set(handle).expect(IN_RANGE)).collect();
        for (&handle, &start) in self.handles.iter().zip(starts) {
            self.world.set_position(handle, start).expect(IN_RANGE);
        }
        self.world.update();
    }

    fn move_by(&mut self, index: usize, translation: Vec2) -> Moved {
        let mover = &mut self.all[index];
        let moved = mover.move_by(&mut self.world, translation).expect(IN_RANGE);
        Moved { translation: moved.translation.to_array(), grounded: mover.is_grounded() }
    }
}
