//! carom: the calls a user writes, on built shapes and built poses.

use std::hint::black_box;
use std::rc::Rc;

use carom::{Pose, Shape, collide, intersects};

use crate::input::{Input, Pools, Record, Vec2};
use crate::narrow::Stream;
use crate::race::{Call, Library, Question};

const WHETHER: Call = Call { library: Library::Carom, column: "carom bool", question: Question::Whether };
const MANIFOLD: Call = Call { library: Library::Carom, column: "carom manifold", question: Question::How };

const IN_RANGE: &str = "the race stays within the range of carom";

/// `intersects` and `collide`, for one row.
pub(crate) fn contestants(input: &Input) -> Vec<Stream> {
    let records: Rc<[Record<Pose>]> = input.records.iter().map(record).collect();
    match &input.pools {
        Pools::Circles(radii) => {
            let pool = circles(radii);
            entries(&pool, &pool, &records)
        }
        Pools::CirclesAndRectangles(radii, halves) => entries(&circles(radii), &rectangles(halves), &records),
        Pools::Rectangles(halves) => {
            let pool = rectangles(halves);
            entries(&pool, &pool, &records)
        }
        Pools::Polygons(outlines) => {
            let pool: Rc<[Shape]> = outlines.iter().map(|o| Shape::polygon(o).expect(IN_RANGE)).collect();
            entries(&pool, &pool, &records)
        }
    }
}

fn entries(a: &Rc<[Shape]>, b: &Rc<[Shape]>, records: &Rc<[Record<Pose>]>) -> Vec<Stream> {
    let (pool_a, pool_b) = (Rc::clone(a), Rc::clone(b));
    let (other_a, other_b) = (Rc::clone(a), Rc::clone(b));
    vec![
        WHETHER.over(records, move |r| intersects(pool_a[r.a as usize].placed(r.pose_a), pool_b[r.b as usize].placed(r.pose_b))),
        MANIFOLD.over(records, move |r| {
            let manifold = collide(other_a[r.a as usize].placed(r.pose_a), other_b[r.b as usize].placed(r.pose_b));
            black_box(&manifold).is_some()
        }),
    ]
}

fn record(record: &Record<crate::input::Pose>) -> Record<Pose> {
    Record { a: record.a, b: record.b, pose_a: pose(record.pose_a), pose_b: pose(record.pose_b) }
}

fn pose(pose: crate::input::Pose) -> Pose {
    Pose::from_cos_sin(pose.translation, pose.cos, pose.sin).expect(IN_RANGE)
}

fn circles(radii: &[f64]) -> Rc<[Shape]> {
    radii.iter().map(|&radius| Shape::circle(radius).expect(IN_RANGE)).collect()
}

fn rectangles(halves: &[Vec2]) -> Rc<[Shape]> {
    halves.iter().map(|h| Shape::rectangle(2.0 * h[0], 2.0 * h[1]).expect(IN_RANGE)).collect()
}
