//! Measures Box2D's mover with the loop of its sample `geometric_mover.cpp`. A ray finds the
//! ground, and a spring keeps the capsule above it, so it passes steps. Planes, plane solver and
//! cast move it.

use std::ffi::c_void;

use boxdd_sys::ffi::{
    b2BodyId, b2Capsule, b2Circle, b2ClipVector, b2CollisionPlane, b2CreateBody, b2CreateCircleShape,
    b2CreatePolygonShape, b2CreateWorld, b2DefaultBodyDef, b2DefaultQueryFilter, b2DefaultShapeDef, b2DefaultWorldDef,
    b2DestroyWorld, b2MakeBox, b2PlaneResult, b2QueryFilter, b2ShapeDef, b2ShapeId, b2SolvePlanes, b2Vec2,
    b2World_CastMover, b2World_CastRayClosest, b2World_CollideMover, b2World_RebuildStaticTree, b2WorldId,
};

use super::{polygon, vector};
use crate::input::Vec2;
use crate::movers::level::{HALF, Level, RADIUS, SECONDS, SLOPE, STEP};
use crate::movers::{Engine, Moved};
use crate::race::Library;
use crate::worlds::scene::Form;

/// Largest number of planes, of iterations, and the motion that ends them, as in the sample.
const PLANES: usize = 8;
const ITERATIONS: usize = 5;
const TOLERANCE: f32 = 0.01;
/// Frequency and damping of the spring, as in the sample.
const HERTZ: f32 = 5.0;
const DAMPING: f32 = 0.8;

/// Movers that are no shapes of the world.
pub(crate) struct Movers {
    world: b2WorldId,
    capsule: b2Capsule,
    filter: b2QueryFilter,
    states: Vec<State>,
    planes: Vec<b2CollisionPlane>,
}

struct State {
    position: b2Vec2,
    spring: f32,
    grounded: bool,
}

impl Movers {
    pub(crate) fn new(level: &Level) -> Self {
        // SAFETY: definitions by value; pointers to them are read during the calls only; ids are of this world.
        let (world, filter) = unsafe {
            let world = b2DefaultWorldDef();
            let world = b2CreateWorld(&raw const world);
            let def = b2DefaultShapeDef();
            for (form, at) in &level.pieces {
                let mut body = b2DefaultBodyDef();
                body.position = vector(at);
                let body = b2CreateBody(world, &raw const body);
                piece(body, &def, form);
            }
            b2World_RebuildStaticTree(world);
            (world, b2DefaultQueryFilter())
        };
        let center = |y: f64| b2Vec2 { x: 0.0, y: y as f32 };
        let capsule = b2Capsule { center1: center(-HALF), center2: center(HALF), radius: RADIUS as f32 };
        Self { world, capsule, filter, states: Vec::new(), planes: Vec::with_capacity(PLANES) }
    }
}

/// # Safety
/// The body must be there.
unsafe fn piece(body: b2BodyId, def: &b2ShapeDef, form: &Form) {
    // SAFETY: as said by the caller; Box2D copies the shapes.
    unsafe {
        match form {
            Form::Circle(radius) => {
                let circle = b2Circle { center: b2Vec2 { x: 0.0, y: 0.0 }, radius: *radius as f32 };
                b2CreateCircleShape(body, def, &raw const circle);
            }
            Form::Rectangle([x, y]) => {
                let rectangle = b2MakeBox(*x as f32, *y as f32);
                b2CreatePolygonShape(body, def, &raw const rectangle);
            }
            Form::Polygon(points) => {
                let polygon = polygon(points);
                b2CreatePolygonShape(body, def, &raw const polygon);
            }
        }
    }
}

impl Drop for Movers {
    fn drop(&mut self) {
        // SAFETY: the world is live, and not used after this.
        unsafe { b2DestroyWorld(self.world) }
    }
}

impl Engine for Movers {
    fn name(&self) -> (Library, &'static str) {
        (Library::Box2d, "Box2D mover")
    }

    fn reset(&mut self, starts: &[Vec2]) {
        let state = |start: &Vec2| State { position: vector(start), spring: 0.0, grounded: false };
        self.states = starts.iter().map(state).collect();
    }

    fn move_by(&mut self, index: usize, translation: Vec2) -> Moved {
        let (mover, planes) = (&mut self.states[index], &mut self.planes);
        let (start, seconds) = (mover.position, SECONDS as f32);
        // The ray from the lower centre reaches past the rest length, so that the spring can be stretched.
        let rest = (RADIUS + STEP) as f32;
        let length = if mover.grounded { 2.0 * rest } else { rest };
        let (from, down) = (add(start, self.capsule.center1, 1.0), b2Vec2 { x: 0.0, y: -length });
        // SAFETY: the world is live; all arguments go by value.
        let hit = unsafe { b2World_CastRayClosest(self.world, from, down, self.filter) };
        let mut wanted = vector(&translation);
        mover.grounded = wanted.y <= 0.0 && hit.hit && f64::from(hit.normal.y) > SLOPE.to_radians().cos();
        if mover.grounded {
            mover.spring = spring(hit.fraction * length - rest, mover.spring, seconds);
            wanted.y = mover.spring * seconds;
        } else {
            mover.spring = 0.0;
        }
        let target = add(start, wanted, 1.0);
        for _ in 0..ITERATIONS {
            planes.clear();
            let left = add(target, mover.position, -1.0);
            // SAFETY: the world is live; `collect` gets the pointer to `planes` back during this call only.
            let solved = unsafe {
                let (capsule, context) = (&raw const self.capsule, std::ptr::from_mut(planes).cast());
                b2World_CollideMover(self.world, mover.position, capsule, self.filter, Some(collect), context);
                b2SolvePlanes(left, planes.as_mut_ptr(), count(planes))
            };
            // SAFETY: the world is live; the capsule is read during the call only.
            let fraction = unsafe {
                b2World_CastMover(self.world, mover.position, &raw const self.capsule, solved.translation, self.filter)
            };
            let before = mover.position;
            mover.position = add(before, solved.translation, fraction);
            let made = add(mover.position, before, -1.0);
            if made.x * made.x + made.y * made.y < TOLERANCE * TOLERANCE {
                break;
            }
        }
        // SAFETY: reads the live planes, keeps no pointer.
        let clipped = unsafe { b2ClipVector(wanted, planes.as_ptr(), count(planes)) };
        std::hint::black_box(clipped);
        let made = add(mover.position, start, -1.0);
        Moved { translation: [f64::from(made.x), f64::from(made.y)], grounded: mover.grounded }
    }
}

/// SAFETY of the caller: `context` is the list of planes that [`Movers::move_by`] gives.
unsafe extern "C" fn collect(_shape: b2ShapeId, result: *const b2PlaneResult, context: *mut c_void) -> bool {
    // SAFETY: as the caller says; Box2D gives a live result.
    let (planes, result) = unsafe { (&mut *context.cast::<Vec<b2CollisionPlane>>(), &*result) };
    if planes.len() < PLANES {
        planes.push(b2CollisionPlane { plane: result.plane, pushLimit: f32::MAX, push: 0.0, clipVelocity: true });
    }
    true
}

fn count(planes: &[b2CollisionPlane]) -> i32 {
    i32::try_from(planes.len()).expect("at most 8")
}

/// Velocity of a damped spring after a step of implicit integration: Box2D's own formula, which its headers inline.
fn spring(position: f32, velocity: f32, seconds: f32) -> f32 {
    let omega = std::f32::consts::TAU * HERTZ;
    let step = omega * seconds;
    (velocity - omega * step * position) / (1.0 + 2.0 * DAMPING * step + step * step)
}

fn add(a: b2Vec2, b: b2Vec2, factor: f32) -> b2Vec2 {
    b2Vec2 { x: a.x + factor * b.x, y: a.y + factor * b.y }
}
