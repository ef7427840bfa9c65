//! Measures Box2D: a world of static bodies. It has no query for the nearest shape.

use std::hint::black_box;
use std::rc::Rc;

use carom::broad_phase::Aabb32;

use super::input::Input;
use super::{Answers, Contestant, Kind, Library, NONE, builder, one_by_one, sum};
use crate::box2d::world::World;

fn world_of(input: &Input) -> World {
    World::new(input.outlines.iter().cloned())
}

pub(super) fn contestants(kind: Kind, input: &Rc<Input>) -> Vec<Contestant<Answers>> {
    const BOX2D: (Library, &str) = (Library::Box2d, "Box2D");
    vec![match kind {
        Kind::Rays => {
            let world = world_of(input);
            one_by_one(
                BOX2D,
                input,
                |input| &input.rays,
                move |_, [from, direction]| world.cast_ray(from, direction).unwrap_or(NONE),
            )
        }
        Kind::Points => {
            let world = world_of(input);
            let query = move |_: &Input, p| {
                let mut answer = 0_u32;
                world.visit_containing_point(p, |id| answer = answer.wrapping_add(sum(id)));
                answer
            };
            one_by_one(BOX2D, input, |input| &input.points, query)
        }
        Kind::Regions => {
            let (world, boxes) = (world_of(input), input.boxes.clone());
            let query = move |_: &Input, region: Aabb32| {
                let mut answer = 0_u32;
                // Its boxes have margins.
                world.query_aabb(&region, |id| {
                    if boxes[id as usize].intersects(&region) {
                        answer = answer.wrapping_add(sum(id));
                    }
                });
                answer
            };
            one_by_one(BOX2D, input, |input| &input.regions, query)
        }
        Kind::Nearest => return Vec::new(),
        Kind::Build => {
            let input = Rc::clone(input);
            builder(BOX2D.0, BOX2D.1, move || {
                black_box(world_of(&input));
            })
        }
    }]
}
