//! Measures worlds of Box2D with moving bodies: whole steps, or the part that finds contacts.

use boxdd_sys::ffi::{
    b2Body_GetLinearVelocity, b2Body_SetTransform, b2BodyId, b2BodyType_b2_dynamicBody, b2Circle, b2CreateBody,
    b2CreateCircleShape, b2CreatePolygonShape, b2CreateSegmentShape, b2CreateWorld, b2DefaultBodyDef,
    b2DefaultShapeDef, b2DefaultWorldDef, b2DestroyWorld, b2MakeBox, b2Segment, b2ShapeDef, b2Vec2,
    b2World_GetContactEvents, b2World_GetProfile, b2World_Step, b2WorldId,
};

use super::{polygon, transform, vector};
use crate::race::Library;
use crate::worlds::engine::{Engine, SECONDS, Seen};
use crate::worlds::scene::{Form, Scene};

struct World {
    id: b2WorldId,
    bodies: Vec<b2BodyId>,
}

impl Drop for World {
    fn drop(&mut self) {
        // SAFETY: the world is there until here, and nothing names it or its bodies after.
        unsafe { b2DestroyWorld(self.id) }
    }
}

impl World {
    /// Dynamic bodies without gravity, friction and sleep, of full restitution, which report their contacts.
    fn new(scene: &Scene, velocities: bool) -> Self {
        // SAFETY: the definitions are Box2D's defaults with other numbers, and live through the
        // calls. Shapes are circles, boxes and convex polygons of at most 8 vertices. The ids are
        // those of the new world.
        unsafe {
            let mut def = b2DefaultWorldDef();
            def.gravity = b2Vec2 { x: 0.0, y: 0.0 };
            def.restitutionThreshold = 0.0;
            def.enableSleep = false;
            let id = b2CreateWorld(&raw const def);
            let mut elastic = b2DefaultShapeDef();
            elastic.material.friction = 0.0;
            elastic.material.restitution = 1.0;
            elastic.enableContactEvents = true;
            let put = |i: usize| {
                let mut def = b2DefaultBodyDef();
                let at = transform(scene.poses[i]);
                def.type_ = b2BodyType_b2_dynamicBody;
                (def.position, def.rotation) = (at.p, at.q);
                if velocities {
                    def.linearVelocity = vector(&scene.velocities[i]);
                }
                let body = b2CreateBody(id, &raw const def);
                shape(body, &elastic, &scene.forms[i]);
                body
            };
            let bodies = (0..scene.forms.len()).map(put).collect();
            if velocities {
                walls(id, &elastic, scene.side as f32);
            }
            Self { id, bodies }
        }
    }
}

/// # Safety
/// The body must be there.
unsafe fn shape(body: b2BodyId, def: &b2ShapeDef, form: &Form) {
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

/// # Safety
/// The world must be there.
unsafe fn walls(world: b2WorldId, def: &b2ShapeDef, side: f32) {
    let corners = [[0.0, 0.0], [side, 0.0], [side, side], [0.0, side]].map(|[x, y]| b2Vec2 { x, y });
    // SAFETY: as said by the caller.
    unsafe {
        let fixed = b2DefaultBodyDef();
        let body = b2CreateBody(world, &raw const fixed);
        for i in 0..4 {
            let segment = b2Segment { point1: corners[i], point2: corners[(i + 1) % 4] };
            b2CreateSegmentShape(body, def, &raw const segment);
        }
    }
}

/// Bodies moved by hand: one sub-step, whose motion is discarded.
pub(crate) struct Crowd {
    world: World,
    seen: Seen,
    /// True if only the part that finds contacts counts.
    part: bool,
    share: f64,
}

impl Crowd {
    pub(crate) fn new(scene: &Scene, part: bool) -> Self {
        Self { world: World::new(scene, false), seen: Seen::default(), part, share: 1.0 }
    }
}

impl Engine for Crowd {
    fn name(&self) -> (Library, &'static str) {
        (Library::Box2d, if self.part { "Box2D, pairs and contacts" } else { "Box2D, whole step" })
    }

    fn run(&mut self, scene: &Scene) {
        for (&body, &pose) in self.world.bodies.iter().zip(&scene.poses) {
            let at = transform(pose);
            // SAFETY: the body is there.
            unsafe { b2Body_SetTransform(body, at.p, at.q) };
        }
        // SAFETY: the world is there; events are only counted.
        let (events, profile) = unsafe {
            b2World_Step(self.world.id, SECONDS as f32, 1);
            (b2World_GetContactEvents(self.world.id), b2World_GetProfile(self.world.id))
        };
        self.share = if self.part { f64::from((profile.pairs + profile.collide) / profile.step) } else { 1.0 };
        let count = |n: i32| usize::try_from(n).expect("a count");
        self.seen.begun = count(events.beginCount);
        self.seen.ended = count(events.endCount);
        self.seen.contacts = (self.seen.contacts + self.seen.begun).saturating_sub(self.seen.ended);
    }

    fn share(&self) -> f64 {
        self.share
    }

    fn seen(&mut self) -> Seen {
        self.seen
    }
}

/// Balls in a box.
pub(crate) struct Gas(World);

impl Gas {
    pub(crate) fn new(scene: &Scene) -> Self {
        Self(World::new(scene, true))
    }
}

impl Engine for Gas {
    fn name(&self) -> (Library, &'static str) {
        (Library::Box2d, "Box2D, 4 sub-steps")
    }

    fn run(&mut self, _: &Scene) {
        // SAFETY: the world is there.
        unsafe { b2World_Step(self.0.id, SECONDS as f32, 4) }
    }

    fn energy(&mut self) -> f64 {
        // SAFETY: the bodies are there. All have one mass.
        let velocity = |&body: &b2BodyId| unsafe { b2Body_GetLinearVelocity(body) };
        self.0.bodies.iter().map(velocity).map(|v| f64::from(v.x * v.x + v.y * v.y)).sum()
    }
}
