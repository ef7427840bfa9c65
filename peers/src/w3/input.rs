//! Generates shapes and queries from a seed, exact in f32.

use std::ops::ControlFlow::Continue;

use carom::broad_phase::{Aabb32, Bvh, Filter, LocalOrigin};
use carom::query::QueryPipeline;
use carom::{DVec2, Placed, Pose, Shape};
use fastrand::Rng;
use parry2d::bounding_volume::Aabb as ParryAabb;
use parry2d::math::{Pose as ParryPose, Rotation};
use parry2d::shape::{ConvexPolygon, Shape as _};

use super::{IN_RANGE, Vec2, vector};
use crate::input::Pose as RawPose;

/// All queries and shapes.
pub(super) struct Input {
    pub(super) shapes: Vec<Shape>,
    pub(super) poses: Vec<Pose>,
    pub(super) boxes: Vec<Aabb32>,
    /// The same, as numbers.
    pub(super) outlines: Vec<(Vec<Vec2>, RawPose)>,
    pub(super) parry: Vec<(ConvexPolygon, ParryPose)>,
    pub(super) rays: Vec<[Vec2; 2]>,
    pub(super) points: Vec<Vec2>,
    pub(super) regions: Vec<Aabb32>,
}

impl Input {
    pub(super) fn random(shapes: usize, queries: usize, seed: u64) -> Self {
        let mut rng = Rng::with_seed(seed);
        let side = (2.0 * shapes as f64).sqrt();
        let single = |x: f64| f64::from(x as f32);
        let mut input = Self::empty();
        for i in 0..shapes {
            let points: Vec<Vec2> = outline(i % 2 == 0, &mut rng).into_iter().map(|p| p.map(single)).collect();
            let at = [0, 1].map(|_| single(rng.f64() * side));
            let (sin, cos) = (rng.f64() * std::f64::consts::TAU).sin_cos();
            let shape = Shape::polygon(&points).expect("a convex outline");
            let pose = Pose::from_cos_sin(at, cos, sin).expect(IN_RANGE);
            input.boxes.push(LocalOrigin::new(DVec2::ZERO).to_local(&shape.placed(pose).aabb()));
            let corners = points.iter().map(|&p| vector(p)).collect();
            let polygon = ConvexPolygon::from_convex_polyline(corners).expect("a convex outline");
            input.parry.push((
                polygon,
                ParryPose::from_parts(vector(at), Rotation::from_cos_sin_unchecked(cos as f32, sin as f32)),
            ));
            input.outlines.push((points, RawPose { translation: at, cos, sin }));
            input.shapes.push(shape);
            input.poses.push(pose);
        }
        let position = |rng: &mut Rng| [0, 1].map(|_| single(rng.f64() * side));
        let tree = Bvh::from_boxes(entries(&input.boxes));
        let pipeline = QueryPipeline::new(&tree, LocalOrigin::new(DVec2::ZERO), |id| Some(input.placed(id)));
        let mut rays = Vec::new();
        while rays.len() < queries {
            let (from, angle) = (position(&mut rng), rng.f64() * std::f64::consts::TAU);
            let length = 0.5 * 400.0_f64.powf(rng.f64());
            let mut outside = true;
            pipeline
                .visit_containing_point(from, |_| {
                    outside = false;
                    Continue(())
                })
                .expect(IN_RANGE);
            if outside {
                rays.push([from, [single(angle.cos() * length), single(angle.sin() * length)]]);
            }
        }
        input.rays = rays;
        input.points = (0..queries).map(|_| position(&mut rng)).collect();
        let region = |rng: &mut Rng| {
            let min = position(rng).map(|x| x as f32);
            Aabb32 { min, max: min.map(|x| x + 0.5 + 3.5 * rng.f32()) }
        };
        input.regions = (0..queries).map(|_| region(&mut rng)).collect();
        input
    }

    fn empty() -> Self {
        Self {
            shapes: vec![],
            poses: vec![],
            boxes: vec![],
            outlines: vec![],
            parry: vec![],
            rays: vec![],
            points: vec![],
            regions: vec![],
        }
    }

    pub(super) fn placed(&self, id: u32) -> Placed<'_> {
        self.shapes[id as usize].placed(self.poses[id as usize])
    }

    pub(super) fn parry_boxes(&self) -> Vec<ParryAabb> {
        self.parry.iter().map(|(polygon, pose)| polygon.compute_aabb(pose)).collect()
    }
}

/// A box with half sides of 0.2 to 0.7, or a polygon of 3 to 8 vertices and a radius of 0.3 to 0.8.
fn outline(is_box: bool, rng: &mut Rng) -> Vec<Vec2> {
    if is_box {
        let [x, y] = [0, 1].map(|_| 0.2 + 0.5 * rng.f64());
        return vec![[-x, -y], [x, -y], [x, y], [-x, y]];
    }
    let (count, radius) = (rng.usize(3..=8), 0.3 + 0.5 * rng.f64());
    let step = std::f64::consts::TAU / count as f64;
    let corner = |i: usize, rng: &mut Rng| {
        let (sin, cos) = (step * (i as f64 + 0.7 * (rng.f64() - 0.5))).sin_cos();
        [radius * cos, radius * sin]
    };
    (0..count).map(|i| corner(i, rng)).collect()
}

pub(super) fn entries(boxes: &[Aabb32]) -> impl Iterator<Item = (u32, Aabb32, Filter, bool)> {
    (0..).zip(boxes).map(|(id, &aabb)| (id, aabb, Filter::default(), false))
}
