//! Measures rapier's collision pipeline and its whole step.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use rapier2d::math::{Pose, Rotation, Vector};
use rapier2d::prelude::*;

use super::engine::{Engine, SECONDS, Seen};
use super::scene::{Form, Scene};
use crate::race::Library;

/// Data of both pipelines.
#[derive(Default)]
struct Sets {
    islands: IslandManager,
    broad_phase: BroadPhaseBvh,
    narrow_phase: NarrowPhase,
    bodies: RigidBodySet,
    colliders: ColliderSet,
}

/// Colliders without bodies, moved by hand.
pub(crate) struct Crowd {
    pipeline: CollisionPipeline,
    sets: Sets,
    handles: Vec<ColliderHandle>,
    events: Events,
}

/// Counts begin and end events.
#[derive(Default)]
struct Events {
    begun: AtomicUsize,
    ended: AtomicUsize,
}

impl EventHandler for Events {
    fn handle_collision_event(
        &self,
        _: &RigidBodySet,
        _: &ColliderSet,
        event: CollisionEvent,
        _: Option<&ContactPair>,
    ) {
        if event.started() { &self.begun } else { &self.ended }.fetch_add(1, Relaxed);
    }

    fn handle_contact_force_event(&self, _: Real, _: &RigidBodySet, _: &ColliderSet, _: &ContactPair, _: Real) {}

    fn handle_soft_body_tear_event(&self, _: &SoftBodySet, _: &SoftBodyTearEvent) {}
}

impl Crowd {
    pub(crate) fn new(scene: &Scene) -> Self {
        let mut sets = Sets::default();
        let put = |(form, at)| {
            let collider = shape(form).position(pose(at)).active_events(ActiveEvents::COLLISION_EVENTS);
            sets.colliders.insert(collider.active_collision_types(ActiveCollisionTypes::all()))
        };
        let handles = scene.forms.iter().zip(&scene.poses).map(put).collect();
        Self { pipeline: CollisionPipeline::new(), sets, handles, events: Events::default() }
    }
}

impl Engine for Crowd {
    fn name(&self) -> (Library, &'static str) {
        (Library::Rapier, "rapier CollisionPipeline")
    }

    fn run(&mut self, scene: &Scene) {
        self.events = Events::default();
        let Sets { islands, broad_phase, narrow_phase, bodies, colliders } = &mut self.sets;
        for (&handle, at) in self.handles.iter().zip(&scene.poses) {
            colliders.get_mut(handle).expect("all are there").set_position(pose(at));
        }
        self.pipeline.step(0.0, islands, broad_phase, narrow_phase, bodies, colliders, &(), &self.events);
    }

    fn seen(&mut self) -> Seen {
        let contacts = self.sets.narrow_phase.contact_pairs().filter(|pair| pair.has_any_active_contact()).count();
        Seen { contacts, begun: self.events.begun.load(Relaxed), ended: self.events.ended.load(Relaxed) }
    }
}

/// Dynamic bodies in a box.
pub(crate) struct Gas {
    pipeline: PhysicsPipeline,
    parameters: IntegrationParameters,
    sets: Sets,
    joints: (ImpulseJointSet, MultibodyJointSet, SoftBodySet),
    ccd: CCDSolver,
}

impl Gas {
    pub(crate) fn new(scene: &Scene) -> Self {
        let mut sets = Sets::default();
        let elastic = |collider: ColliderBuilder| collider.restitution(1.0).friction(0.0);
        for (i, form) in scene.forms.iter().enumerate() {
            let body = RigidBodyBuilder::dynamic()
                .pose(pose(&scene.poses[i]))
                .linvel(vector(scene.velocities[i]))
                .can_sleep(false);
            let handle = sets.bodies.insert(body);
            let collider = elastic(shape(form)).active_events(ActiveEvents::COLLISION_EVENTS);
            sets.colliders.insert_with_parent(collider, handle, &mut sets.bodies);
        }
        let (side, half) = (scene.side as f32, 0.5 * scene.side as f32);
        for (center, size) in [
            ([half, -1.0], [side, 1.0]),
            ([half, side + 1.0], [side, 1.0]),
            ([-1.0, half], [1.0, side]),
            ([side + 1.0, half], [1.0, side]),
        ] {
            sets.colliders.insert(
                elastic(ColliderBuilder::cuboid(size[0], size[1])).translation(Vector::new(center[0], center[1])),
            );
        }
        let parameters =
            IntegrationParameters { dt: SECONDS as f32, num_solver_iterations: 4, ..IntegrationParameters::default() };
        Self { pipeline: PhysicsPipeline::new(), parameters, sets, joints: Default::default(), ccd: CCDSolver::new() }
    }
}

impl Engine for Gas {
    fn name(&self) -> (Library, &'static str) {
        (Library::Rapier, "rapier, 4 iterations")
    }

    fn run(&mut self, _: &Scene) {
        let Sets { islands, broad_phase, narrow_phase, bodies, colliders } = &mut self.sets;
        let (impulse, multibody, soft) = &mut self.joints;
        self.pipeline.step(
            Vector::ZERO,
            &self.parameters,
            islands,
            broad_phase,
            narrow_phase,
            bodies,
            colliders,
            impulse,
            multibody,
            soft,
            &mut self.ccd,
            &(),
            &(),
        );
    }

    fn energy(&mut self) -> f64 {
        // All have one mass.
        self.sets.bodies.iter().map(|(_, body)| f64::from(body.linvel().length_squared())).sum()
    }
}

fn shape(form: &Form) -> ColliderBuilder {
    match form {
        Form::Circle(radius) => ColliderBuilder::ball(*radius as f32),
        Form::Rectangle([x, y]) => ColliderBuilder::cuboid(*x as f32, *y as f32),
        Form::Polygon(points) => {
            ColliderBuilder::convex_polyline(points.iter().map(|&p| vector(p)).collect()).expect("a polygon")
        }
    }
}

fn pose(at: &crate::input::Pose) -> Pose {
    Pose::from_parts(vector(at.translation), Rotation::from_cos_sin_unchecked(at.cos as f32, at.sin as f32))
}

fn vector([x, y]: [f64; 2]) -> Vector {
    Vector::new(x as f32, y as f32)
}
