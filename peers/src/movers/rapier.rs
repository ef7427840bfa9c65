//! Measures rapier's character controller.

use rapier2d::control::{CharacterAutostep, CharacterLength, KinematicCharacterController};
use rapier2d::math::{Pose, Vector};
use rapier2d::prelude::*;

use super::level::{HALF, Level, RADIUS, SECONDS, SKIN, SLOPE, STEP};
use super::{Engine, Moved};
use crate::input::Vec2;
use crate::race::Library;
use crate::worlds::scene::Form;

/// Steps of the pipeline before the run: its tree is optimized a little in each.
const SETTLE: usize = 20;

/// Movers that are no colliders: the controller takes a shape and a pose.
pub(crate) struct Movers {
    broad_phase: BroadPhaseBvh,
    narrow_phase: NarrowPhase,
    bodies: RigidBodySet,
    colliders: ColliderSet,
    controller: KinematicCharacterController,
    capsule: SharedShape,
    poses: Vec<Pose>,
}

impl Movers {
    pub(crate) fn new(level: &Level) -> Self {
        let (mut broad_phase, mut narrow_phase) = (BroadPhaseBvh::default(), NarrowPhase::new());
        let (mut bodies, mut colliders) = (RigidBodySet::new(), ColliderSet::new());
        for (form, at) in &level.pieces {
            let shape = match form {
                Form::Circle(radius) => ColliderBuilder::ball(*radius as f32),
                Form::Rectangle([x, y]) => ColliderBuilder::cuboid(*x as f32, *y as f32),
                Form::Polygon(points) => {
                    ColliderBuilder::convex_polyline(points.iter().map(vector).collect()).expect("a polygon")
                }
            };
            colliders.insert(shape.translation(vector(at)));
        }
        let mut pipeline = CollisionPipeline::new();
        let mut islands = IslandManager::new();
        for _ in 0..SETTLE {
            let (broad, narrow) = (&mut broad_phase, &mut narrow_phase);
            pipeline.step(0.0, &mut islands, broad, narrow, &mut bodies, &mut colliders, &(), &());
        }
        let length = |length: f64| CharacterLength::Absolute(length as f32);
        let controller = KinematicCharacterController {
            offset: length(SKIN),
            autostep: Some(CharacterAutostep { max_height: length(STEP), ..CharacterAutostep::default() }),
            max_slope_climb_angle: SLOPE.to_radians() as f32,
            min_slope_slide_angle: SLOPE.to_radians() as f32,
            snap_to_ground: Some(length(STEP)),
            ..KinematicCharacterController::default()
        };
        let capsule = SharedShape::capsule_y(HALF as f32, RADIUS as f32);
        Self { broad_phase, narrow_phase, bodies, colliders, controller, capsule, poses: Vec::new() }
    }
}

impl Engine for Movers {
    fn name(&self) -> (Library, &'static str) {
        (Library::Rapier, "rapier `KinematicCharacterController`")
    }

    fn reset(&mut self, starts: &[Vec2]) {
        self.poses = starts.iter().map(|start| Pose::from_translation(vector(start))).collect();
    }

    fn move_by(&mut self, index: usize, translation: Vec2) -> Moved {
        let dispatcher = self.narrow_phase.query_dispatcher();
        let filter = QueryFilter::default();
        let queries = self.broad_phase.as_query_pipeline(dispatcher, &self.bodies, &self.colliders, filter);
        let pose = &mut self.poses[index];
        let (seconds, wanted) = (SECONDS as f32, vector(&translation));
        let moved = self.controller.move_shape(seconds, &queries, &*self.capsule, pose, wanted, |_| {});
        pose.translation += moved.translation;
        let [x, y] = [moved.translation.x, moved.translation.y];
        Moved { translation: [f64::from(x), f64::from(y)], grounded: moved.grounded }
    }
}

fn vector(v: &Vec2) -> Vector {
    Vector::new(v[0] as f32, v[1] as f32)
}
