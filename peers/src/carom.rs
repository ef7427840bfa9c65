//! Measures carom: the calls of a user, on built shapes and poses.

use std::hint::black_box;
use std::rc::Rc;

use carom::batch::{Batch, Contacts};
use carom::{DVec2, Pose, Shape, collide, intersects, time_of_impact};

use crate::casts::Casts;
use crate::input::{Input, Pools, Record, Vec2};
use crate::narrow::Stream;
use crate::race::{Call, Contestant, Library, Question};

const INTERSECTS: Call = Call { library: Library::Carom, column: "carom bool", question: Question::Intersects };
const MANIFOLD: Call = Call { library: Library::Carom, column: "carom manifold", question: Question::Contact };

const BATCH: [Call; 2] =
    [batch("carom batch bool", Question::Intersects), batch("carom batch manifold", Question::Contact)];
const NARROW: [Call; 2] =
    [batch("128-bit batch bool", Question::Intersects), batch("128-bit batch manifold", Question::Contact)];

const fn batch(column: &'static str, question: Question) -> Call {
    Call { library: Library::CaromBatch, column, question }
}

/// Pairs per call that computes manifolds.
const CHUNK: usize = 4096;

const CAST: Call = Call { library: Library::Carom, column: "carom time_of_impact", question: Question::Contact };

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

/// Start poses of both, translation of b, rotations of both.
type Motion = (Record<Pose>, DVec2, [f64; 2]);

/// `time_of_impact`, for a row of casts.
pub(crate) fn casts(input: &Casts) -> Vec<Stream> {
    let pool: Rc<[Shape]> = input.outlines.iter().map(|o| Shape::polygon(o).expect(IN_RANGE)).collect();
    let casts: Rc<[Motion]> = input.all.iter().map(|c| (record(&c.start), c.translation.into(), c.turns)).collect();
    let spinning = input.spinning;
    let query = move |(r, translation, turns): &Motion| {
        let (a, b) = (pool[r.a as usize].placed(r.pose_a), pool[r.b as usize].placed(r.pose_b));
        let moving = b.sweep(*translation).expect(IN_RANGE);
        let found = if spinning {
            let turning = a.sweep([0.0, 0.0]).and_then(|a| a.with_rotation(turns[0])).expect(IN_RANGE);
            time_of_impact(turning, moving.with_rotation(turns[1]).expect(IN_RANGE))
        } else {
            time_of_impact(a, moving)
        };
        black_box(&found).is_some()
    };
    vec![CAST.over(&casts, query)]
}

fn entries(a: &Rc<[Shape]>, b: &Rc<[Shape]>, records: &Rc<[Record<Pose>]>) -> Vec<Stream> {
    let (pool_a, pool_b) = (Rc::clone(a), Rc::clone(b));
    let (other_a, other_b) = (Rc::clone(a), Rc::clone(b));
    let mut all = vec![
        INTERSECTS.over(records, move |r| {
            intersects(pool_a[r.a as usize].placed(r.pose_a), pool_b[r.b as usize].placed(r.pose_b))
        }),
        MANIFOLD.over(records, move |r| {
            let manifold = collide(other_a[r.a as usize].placed(r.pose_a), other_b[r.b as usize].placed(r.pose_b));
            black_box(&manifold).is_some()
        }),
    ];
    let (wide, pairs) = columns(a, b, records);
    let mut narrow = wide.clone();
    narrow.limit_simd_width(128);
    all.extend(in_batches(BATCH, wide, &pairs));
    all.extend(in_batches(NARROW, narrow, &pairs));
    all
}

/// All records as columns of a batch, and the pairs.
fn columns(a: &[Shape], b: &[Shape], records: &[Record<Pose>]) -> (Batch, Rc<[[u32; 2]]>) {
    let mut batch = Batch::new();
    // Shapes of one pool are stored once, as for the other libraries.
    let is_one = std::ptr::eq(a, b);
    let a: Vec<_> = a.iter().map(|shape| batch.add_shape(shape)).collect();
    let b: Vec<_> = if is_one { a.clone() } else { b.iter().map(|shape| batch.add_shape(shape)).collect() };
    let mut add = |shape, pose| batch.add_instance(shape, pose).expect("a shape that was added");
    let pairs = records.iter().map(|r| [add(a[r.a as usize], r.pose_a), add(b[r.b as usize], r.pose_b)]).collect();
    (batch, pairs)
}

/// `Batch::intersects` and `Batch::collide`.
fn in_batches([yes_no, manifold]: [Call; 2], batch: Batch, pairs: &Rc<[[u32; 2]]>) -> [Stream; 2] {
    let (batch, pairs) = (Rc::new(batch), Rc::clone(pairs));
    let (other_batch, other_pairs) = (Rc::clone(&batch), Rc::clone(&pairs));
    let mut contacts = Contacts::new();
    let yes_no = Contestant {
        call: yes_no,
        run: Box::new(move |answers: &mut Vec<bool>| batch.intersects(&pairs, answers).expect("pairs of the batch")),
    };
    let manifold = Contestant {
        call: manifold,
        run: Box::new(move |answers: &mut Vec<bool>| {
            answers.clear();
            answers.resize(other_pairs.len(), false);
            for (pairs, answers) in other_pairs.chunks(CHUNK).zip(answers.chunks_mut(CHUNK)) {
                other_batch.collide(pairs, &mut contacts).expect("pairs of the batch");
                black_box(&contacts).pair_indices().iter().for_each(|&pair| answers[pair as usize] = true);
            }
        }),
    };
    [yes_no, manifold]
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
