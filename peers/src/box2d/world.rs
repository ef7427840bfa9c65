//! World of Box2D with static polygons, for queries.

use std::ffi::c_void;

use boxdd_sys::ffi::{
    b2CreateBody, b2CreatePolygonShape, b2CreateWorld, b2DefaultBodyDef, b2DefaultQueryFilter, b2DefaultShapeDef,
    b2DefaultWorldDef, b2DestroyWorld, b2Shape_TestPoint, b2ShapeId, b2Vec2, b2World_CastRayClosest,
    b2World_OverlapAABB, b2WorldId,
};
use carom::broad_phase::Aabb32;

use super::tree::native;
use super::{polygon, transform, vector};
use crate::input::{Pose, Vec2};

/// Static polygons, each a body of its own.
pub(crate) struct World {
    world: b2WorldId,
    /// The shape's number by its index in Box2D.
    numbers: Vec<u32>,
}

impl World {
    pub(crate) fn new(polygons: impl Iterator<Item = (Vec<Vec2>, Pose)>) -> Self {
        // SAFETY: definitions by value; pointers to them are read during the calls only, and the ids are of this world.
        let (world, ids) = unsafe {
            let (world, shape) = (b2DefaultWorldDef(), b2DefaultShapeDef());
            let world = b2CreateWorld(&raw const world);
            let ids: Vec<b2ShapeId> = polygons
                .map(|(outline, pose)| {
                    let mut body = b2DefaultBodyDef();
                    (body.position, body.rotation) = (transform(pose).p, transform(pose).q);
                    let body = b2CreateBody(world, &raw const body);
                    let polygon = polygon(&outline);
                    b2CreatePolygonShape(body, &raw const shape, &raw const polygon)
                })
                .collect();
            (world, ids)
        };
        let mut numbers = vec![u32::MAX; ids.iter().map(|id| index(*id) + 1).max().unwrap_or(0)];
        for (number, id) in (0..).zip(&ids) {
            numbers[index(*id)] = number;
        }
        Self { world, numbers }
    }

    fn number(&self, id: b2ShapeId) -> u32 {
        self.numbers[index(id)]
    }

    /// Returns the first hit of a ray.
    pub(crate) fn cast_ray(&self, origin: Vec2, direction: Vec2) -> Option<u32> {
        // SAFETY: the world is live; all arguments go by value.
        let hit =
            unsafe { b2World_CastRayClosest(self.world, vector(&origin), vector(&direction), b2DefaultQueryFilter()) };
        std::hint::black_box(hit).hit.then(|| self.number(hit.shapeId))
    }

    /// Calls `visit` for shapes whose fat boxes intersect a box.
    pub(crate) fn query_aabb(&self, aabb: &Aabb32, mut visit: impl FnMut(u32)) {
        let mut visit: &mut dyn FnMut(b2ShapeId) = &mut |id| visit(self.number(id));
        self.overlap(aabb, &raw mut visit);
    }

    /// Calls `visit` for shapes that contain a point.
    pub(crate) fn visit_containing_point(&self, point: Vec2, mut visit: impl FnMut(u32)) {
        let at = vector(&point);
        let mut visit: &mut dyn FnMut(b2ShapeId) = &mut |id| {
            // SAFETY: the shape is one of this live world.
            if unsafe { b2Shape_TestPoint(id, at) } {
                visit(self.number(id));
            }
        };
        self.overlap(&Aabb32 { min: [at.x, at.y], max: [at.x, at.y] }, &raw mut visit);
    }

    fn overlap(&self, aabb: &Aabb32, visit: *mut &mut dyn FnMut(b2ShapeId)) {
        // SAFETY: the world is live; `each` gets the pointer to the closure back, during this call only.
        unsafe {
            b2World_OverlapAABB(
                self.world,
                b2Vec2 { x: 0.0, y: 0.0 },
                native(aabb),
                b2DefaultQueryFilter(),
                Some(each),
                visit.cast(),
            );
        }
    }
}

/// Index of a shape in Box2D, from 1.
fn index(id: b2ShapeId) -> usize {
    id.index1.unsigned_abs() as usize
}

impl Drop for World {
    fn drop(&mut self) {
        // SAFETY: the world is live, and not used after this.
        unsafe { b2DestroyWorld(self.world) }
    }
}

/// SAFETY of the caller: `context` is the closure that [`World::overlap`] was given.
unsafe extern "C" fn each(id: b2ShapeId, context: *mut c_void) -> bool {
    // SAFETY: as the caller says.
    let visit = unsafe { &mut *context.cast::<&mut dyn FnMut(b2ShapeId)>() };
    visit(id);
    true
}
