//! Measures parry2d: pools of concrete shapes, poses of its type, its documented calls.

use std::hint::black_box;
use std::rc::Rc;

use parry2d::math::{Pose, Rotation, Vector};
use parry2d::query::{
    ContactManifold, DefaultQueryDispatcher, NonlinearRigidMotion, PersistentQueryDispatcher, ShapeCastOptions,
    cast_shapes, cast_shapes_nonlinear, contact, intersection_test,
};
use parry2d::shape::{Ball, ConvexPolygon, Cuboid, Shape};

use crate::casts::Casts;
use crate::input::{Input, Pools, Record, Vec2};
use crate::narrow::Stream;
use crate::race::{Call, Library, Question};

const INTERSECTS: Call = Call { library: Library::Parry, column: "parry bool", question: Question::Intersects };
const CONTACT: Call = Call { library: Library::Parry, column: "parry contact", question: Question::Contact };
const MANIFOLD: Call = Call { library: Library::Parry, column: "parry manifold", question: Question::Contact };

const CAST: Call = Call { library: Library::Parry, column: "parry cast", question: Question::Contact };

const SUPPORTED: &str = "parry answers every pair of convex shapes";

/// The three calls of parry, for one row.
pub(crate) fn contestants(input: &Input) -> Vec<Stream> {
    let records: Rc<[Record<Pose>]> = input.records.iter().map(record).collect();
    match &input.pools {
        Pools::Circles(radii) => {
            let pool = balls(radii);
            entries(&pool, &pool, &records)
        }
        Pools::CirclesAndRectangles(radii, halves) => entries(&balls(radii), &cuboids(halves), &records),
        Pools::Rectangles(halves) => {
            let pool = cuboids(halves);
            entries(&pool, &pool, &records)
        }
        Pools::Polygons(outlines) => {
            let pool: Rc<[ConvexPolygon]> = outlines.iter().map(|o| polygon(o)).collect();
            entries(&pool, &pool, &records)
        }
    }
}

/// `cast_shapes`, or `cast_shapes_nonlinear` if the shapes rotate, for a row of casts.
pub(crate) fn casts(input: &Casts) -> Vec<Stream> {
    type Cast = (Record<Pose>, Vector, [f32; 2]);
    let pool: Rc<[ConvexPolygon]> = input.outlines.iter().map(|o| polygon(o)).collect();
    let turns = |turns: [f64; 2]| turns.map(|x| x as f32);
    let casts: Rc<[Cast]> =
        input.all.iter().map(|c| (record(&c.start), vector(&c.translation), turns(c.turns))).collect();
    let options = ShapeCastOptions::with_max_time_of_impact(1.0);
    let spinning = input.spinning;
    let query = move |(r, translation, turns): &Cast| {
        let (a, b) = (&pool[r.a as usize], &pool[r.b as usize]);
        let found = if spinning {
            let first = NonlinearRigidMotion::new(r.pose_a, Vector::ZERO, Vector::ZERO, turns[0]);
            let second = NonlinearRigidMotion::new(r.pose_b, Vector::ZERO, *translation, turns[1]);
            cast_shapes_nonlinear(&first, a, &second, b, 0.0, 1.0, true)
        } else {
            cast_shapes(&r.pose_a, Vector::ZERO, a, &r.pose_b, *translation, b, options)
        };
        black_box(&found.expect(SUPPORTED)).is_some()
    };
    vec![CAST.over(&casts, query)]
}

fn entries<A: Shape, B: Shape>(a: &Rc<[A]>, b: &Rc<[B]>, records: &Rc<[Record<Pose>]>) -> Vec<Stream> {
    let pools = || (Rc::clone(a), Rc::clone(b));
    let (bool_a, bool_b) = pools();
    let (contact_a, contact_b) = pools();
    let (manifold_a, manifold_b) = pools();
    vec![
        INTERSECTS.over(records, move |r| {
            let (a, b) = (&bool_a[r.a as usize], &bool_b[r.b as usize]);
            intersection_test(&r.pose_a, a, &r.pose_b, b).expect(SUPPORTED).intersecting
        }),
        CONTACT.over(records, move |r| {
            let (a, b) = (&contact_a[r.a as usize], &contact_b[r.b as usize]);
            let found = contact(&r.pose_a, a, &r.pose_b, b, 0.0).expect(SUPPORTED);
            black_box(found).is_some_and(|c| c.dist <= 0.0)
        }),
        MANIFOLD.over(records, move |r| {
            let (a, b) = (&manifold_a[r.a as usize], &manifold_b[r.b as usize]);
            manifold_meets(&r.pose_a.inv_mul(&r.pose_b), a, b)
        }),
    ]
}

/// The call for one pair of convex shapes. It is faster than `contact_manifolds`, which first tests
/// for composite shapes. A new manifold each time, because no two records have the same pair.
fn manifold_meets(pose: &Pose, a: &dyn Shape, b: &dyn Shape) -> bool {
    let mut manifold = ContactManifold::<(), ()>::new();
    DefaultQueryDispatcher.contact_manifold_convex_convex(pose, a, b, None, None, 0.0, &mut manifold).expect(SUPPORTED);
    black_box(&manifold).points.iter().any(|p| p.dist <= 0.0)
}

fn record(record: &Record<crate::input::Pose>) -> Record<Pose> {
    Record { a: record.a, b: record.b, pose_a: pose(record.pose_a), pose_b: pose(record.pose_b) }
}

fn pose(pose: crate::input::Pose) -> Pose {
    Pose::from_parts(vector(&pose.translation), Rotation::from_cos_sin_unchecked(pose.cos as f32, pose.sin as f32))
}

fn balls(radii: &[f64]) -> Rc<[Ball]> {
    radii.iter().map(|&r| Ball::new(r as f32)).collect()
}

fn cuboids(halves: &[Vec2]) -> Rc<[Cuboid]> {
    halves.iter().map(|h| Cuboid::new(vector(h))).collect()
}

/// Unmodified: no vertex may be dropped, because all libraries get the same numbers.
fn polygon(outline: &[Vec2]) -> ConvexPolygon {
    let points = outline.iter().map(vector).collect();
    ConvexPolygon::from_convex_polyline_unmodified(points).expect("the pools hold no polygon without area")
}

fn vector(v: &Vec2) -> Vector {
    Vector::new(v[0] as f32, v[1] as f32)
}
