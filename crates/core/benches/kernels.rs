//! Benchmarks single kernels in seconds: `cargo bench -p carom -- circles`.
//!
//! Each pair benchmark runs over 1 000 random pairs of which about half overlap. The poses fit in the cache, so the
//! time is that of the kernel. `cargo run --release -- bench` and `peers/` compare with other strategies and libraries.
use std::hint::black_box;
use std::ops::ControlFlow;

use carom::batch::{Batch, Contacts};
use carom::broad_phase::{Aabb32, BroadPhase, Bvh, LocalOrigin, StripSweep};
use carom::query::{QuantizedShapes, QueryPipeline};
use carom::{Aabb, Collider, Filter, Pose, Ray, Shape, World, collide, distance, intersects, ray_cast, time_of_impact};
use divan::Bencher;
use divan::counter::ItemsCount;
use fastrand::Rng;

fn main() {
    divan::main();
}

/// Number of pairs in one iteration of a pair benchmark.
const PAIRS: usize = 1_000;
/// Distance of the centres: about half of the random pairs overlap.
const SPREAD: f64 = 1.6;

fn circle(rng: &mut Rng) -> Shape {
    Shape::circle(0.5 + rng.f64()).expect("a positive radius")
}

fn rectangle(rng: &mut Rng) -> Shape {
    Shape::rectangle(1.0 + rng.f64(), 1.0 + rng.f64()).expect("positive sizes")
}

/// Returns a regular polygon with `count` vertices on a circle of radius 1.
fn polygon(count: u32) -> Shape {
    let points: Vec<[f64; 2]> = (0..count)
        .map(|i| f64::from(i) / f64::from(count) * std::f64::consts::TAU)
        .map(|angle| [angle.cos(), angle.sin()])
        .collect();
    Shape::convex_polygon(&points).expect("a convex polygon")
}

fn pose(rng: &mut Rng) -> Pose {
    let mut along = || (rng.f64() - 0.5) * 2.0 * SPREAD;
    let position = [along(), along()];
    Pose::new(position, rng.f64() * std::f64::consts::TAU).expect("a pose in range")
}

/// Runs `query` for pairs of shapes at random poses.
fn pairs(bencher: Bencher<'_, '_>, a: impl Fn(&mut Rng) -> Shape, b: impl Fn(&mut Rng) -> Shape, query: Query) {
    let mut rng = Rng::with_seed(1);
    let list: Vec<_> = (0..PAIRS).map(|_| (a(&mut rng), b(&mut rng), pose(&mut rng), pose(&mut rng))).collect();
    bencher.counter(ItemsCount::new(PAIRS)).bench(|| {
        for (a, b, p, q) in &list {
            let (a, b) = (black_box(a.placed(*p)), black_box(b.placed(*q)));
            match query {
                Query::Intersects => _ = black_box(intersects(a, b)),
                Query::Collide => _ = black_box(collide(a, b)),
                Query::Distance => _ = black_box(distance(a, b)),
                Query::TimeOfImpact => _ = black_box(time_of_impact(a.sweep([2.0, 1.0]).expect("in range"), b)),
            }
        }
    });
}

#[derive(Clone, Copy, Debug)]
enum Query {
    Intersects,
    Collide,
    Distance,
    TimeOfImpact,
}

const QUERIES: [Query; 4] = [Query::Intersects, Query::Collide, Query::Distance, Query::TimeOfImpact];

#[divan::bench(args = QUERIES)]
fn circles(bencher: Bencher<'_, '_>, query: Query) {
    pairs(bencher, circle, circle, query);
}

#[divan::bench(args = QUERIES)]
fn circle_rectangle(bencher: Bencher<'_, '_>, query: Query) {
    pairs(bencher, circle, rectangle, query);
}

#[divan::bench(args = QUERIES)]
fn rectangles(bencher: Bencher<'_, '_>, query: Query) {
    pairs(bencher, rectangle, rectangle, query);
}

#[divan::bench(args = QUERIES)]
fn small_polygons(bencher: Bencher<'_, '_>, query: Query) {
    pairs(bencher, |rng| polygon(rng.u32(3..=8)), |rng| polygon(rng.u32(3..=8)), query);
}

#[divan::bench(args = QUERIES)]
fn large_polygons(bencher: Bencher<'_, '_>, query: Query) {
    pairs(bencher, |_| polygon(64), |_| polygon(64), query);
}

#[divan::bench]
fn rays(bencher: Bencher<'_, '_>) {
    let mut rng = Rng::with_seed(2);
    let list: Vec<_> = (0..PAIRS).map(|_| (polygon(rng.u32(3..=8)), pose(&mut rng))).collect();
    let ray = Ray::new([-5.0, 0.1], [10.0, 0.3]).expect("a finite ray");
    bencher.counter(ItemsCount::new(PAIRS)).bench(|| {
        for (shape, pose) in &list {
            black_box(ray_cast(black_box(ray), shape.placed(*pose)));
        }
    });
}

/// Runs a batch query for pairs of shapes at random poses.
fn batch(bencher: Bencher<'_, '_>, query: Query, a: impl Fn(&mut Rng) -> Shape, b: impl Fn(&mut Rng) -> Shape) {
    let mut rng = Rng::with_seed(5);
    let mut batch = Batch::new();
    let mut add = |shape: Shape, rng: &mut Rng| {
        let shape = batch.add_shape(&shape);
        batch.add_instance(shape, pose(rng)).expect("a known shape")
    };
    let list: Vec<[u32; 2]> = (0..PAIRS).map(|_| [add(a(&mut rng), &mut rng), add(b(&mut rng), &mut rng)]).collect();
    let (mut answers, mut contacts) = (Vec::new(), Contacts::new());
    bencher.counter(ItemsCount::new(PAIRS)).bench_local(|| match query {
        Query::Intersects => batch.intersects(black_box(&list), &mut answers).expect("known instances"),
        _ => batch.collide(black_box(&list), &mut contacts).expect("known instances"),
    });
}

const BATCH_QUERIES: [Query; 2] = [Query::Intersects, Query::Collide];

#[divan::bench(args = BATCH_QUERIES)]
fn batch_circles(bencher: Bencher<'_, '_>, query: Query) {
    batch(bencher, query, circle, circle);
}

#[divan::bench(args = BATCH_QUERIES)]
fn batch_circle_rectangle(bencher: Bencher<'_, '_>, query: Query) {
    batch(bencher, query, circle, rectangle);
}

#[divan::bench(args = BATCH_QUERIES)]
fn batch_rectangles(bencher: Bencher<'_, '_>, query: Query) {
    batch(bencher, query, rectangle, rectangle);
}

#[divan::bench(args = BATCH_QUERIES)]
fn batch_small_polygons(bencher: Bencher<'_, '_>, query: Query) {
    batch(bencher, query, |rng| polygon(rng.u32(3..=8)), |rng| polygon(rng.u32(3..=8)));
}

/// Queries 10 000 polygons: the closest hit of a ray, the shapes at a point, and the closest shape.
#[divan::bench(args = ["ray", "point", "nearest"])]
fn pipeline(bencher: Bencher<'_, '_>, query: &str) {
    let mut rng = Rng::with_seed(6);
    let side = 2.0 * (BOXES as f64).sqrt();
    let shapes: Vec<Shape> = (3..=8).map(polygon).collect();
    let position = |rng: &mut Rng| [rng.f64() * side, rng.f64() * side];
    let placed: Vec<_> =
        (0..BOXES).map(|i| shapes[i % shapes.len()].at(position(&mut rng)).expect("a position in range")).collect();
    let frame = LocalOrigin::new([0.0, 0.0]);
    let boxes = (0..).zip(&placed).map(|(id, shape)| (id, frame.to_local(&shape.aabb()), Filter::default(), false));
    let (bvh, outlines) = (Bvh::from_boxes(boxes), QuantizedShapes::packed(frame, (0..).zip(placed.iter().copied())));
    let pipeline = QueryPipeline::new(&bvh, frame, |id| Some(placed[id as usize])).with_outlines(&outlines);
    let points: Vec<[f64; 2]> = (0..PAIRS).map(|_| position(&mut rng)).collect();
    bencher.counter(ItemsCount::new(PAIRS)).bench_local(|| {
        for &[x, y] in &points {
            match query {
                "ray" => {
                    let ray = Ray::new([x, y], [y - 0.5 * side, 0.5 * side - x]).expect("a finite ray");
                    _ = black_box(pipeline.ray_cast(ray));
                }
                "point" => {
                    let visit = |id| {
                        black_box(id);
                        ControlFlow::Continue(())
                    };
                    pipeline.visit_containing_point([x, y], visit).expect("a finite point");
                }
                _ => _ = black_box(pipeline.nearest([x, y], f64::INFINITY)),
            }
        }
    });
}

/// Number of boxes, and of colliders, in one step.
const BOXES: usize = 10_000;

/// Moves all boxes by a small step and lists the overlapping pairs.
fn boxes(bencher: Bencher<'_, '_>, mut broad_phase: impl BroadPhase) {
    let mut rng = Rng::with_seed(3);
    let side = (BOXES as f64).sqrt();
    let mut centers: Vec<[f64; 2]> = (0..BOXES).map(|_| [rng.f64() * side, rng.f64() * side]).collect();
    let origin = LocalOrigin::new([0.0, 0.0]);
    let aabb = |[x, y]: [f64; 2]| -> Aabb32 {
        origin.to_local(&Aabb::new([x - 0.3, y - 0.3], [x + 0.3, y + 0.3]).expect("a valid box"))
    };
    for (id, &center) in centers.iter().enumerate() {
        broad_phase.insert(id as u32, aabb(center), Filter::default(), true);
    }
    let mut found = Vec::new();
    bencher.counter(ItemsCount::new(BOXES)).bench_local(|| {
        for (id, center) in centers.iter_mut().enumerate() {
            *center = center.map(|x| x + (rng.f64() - 0.5) * 0.05);
            broad_phase.update(id as u32, aabb(*center));
        }
        broad_phase.pairs(&mut found);
        black_box(found.len())
    });
}

#[divan::bench]
fn boxes_strips(bencher: Bencher<'_, '_>) {
    boxes(bencher, StripSweep::new());
}

#[divan::bench]
fn boxes_bvh(bencher: Bencher<'_, '_>) {
    boxes(bencher, Bvh::new());
}

/// Strips after a search of pairs, and a query without an index.
fn strips(bencher: Bencher<'_, '_>, query: fn(&StripSweep, [f64; 2]) -> u32) {
    let mut rng = Rng::with_seed(6);
    let (side, origin, mut strips) = ((BOXES as f64).sqrt(), LocalOrigin::new([0.0, 0.0]), StripSweep::new());
    for id in 0..BOXES as u32 {
        let [x, y] = [rng.f64() * side, rng.f64() * side];
        let aabb = Aabb::new([x - 0.3, y - 0.3], [x + 0.3, y + 0.3]).expect("a valid box");
        strips.insert(id, origin.to_local(&aabb), Filter::default(), true);
    }
    strips.pairs(&mut Vec::new());
    bencher.bench_local(|| black_box(query(&strips, [rng.f64() * side, rng.f64() * side])));
}

/// Finds the eight boxes nearest to a point.
#[divan::bench]
fn strips_nearest(bencher: Bencher<'_, '_>) {
    strips(bencher, |strips, point| {
        let mut count = 0;
        strips.visit_by_distance(point, &mut |_, _| {
            count += 1;
            if count == 8 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        count
    });
}

/// Finds the boxes that a ray hits.
#[divan::bench]
fn strips_ray(bencher: Bencher<'_, '_>) {
    strips(bencher, |strips, [x, y]| {
        let ray = Ray::new([x, y], [3.0, 4.0]).expect("a finite ray");
        let mut count = 0;
        strips.query_ray(&LocalOrigin::new([0.0, 0.0]).localize_ray(&ray), &mut |_| {
            count += 1;
            ControlFlow::Continue(())
        });
        count
    });
}

/// Moves all circles of a world by a small step and updates the contacts and events.
#[divan::bench]
fn world_update(bencher: Bencher<'_, '_>) {
    let mut rng = Rng::with_seed(4);
    let mut world = World::new();
    let side = (BOXES as f64).sqrt();
    let handles: Vec<_> = (0..BOXES)
        .map(|_| {
            let collider = Collider::new(Shape::circle(0.4).expect("a positive radius"));
            world.insert(collider.at([rng.f64() * side, rng.f64() * side]).expect("a position in range"))
        })
        .collect();
    bencher.counter(ItemsCount::new(BOXES)).bench_local(|| {
        for &handle in &handles {
            let position = world.pose(handle).expect("a collider").translation();
            let mut step = || (rng.f64() - 0.5) * 0.05;
            let target = [position.x + step(), position.y + step()];
            world.set_position(handle, target).expect("a position in range");
        }
        world.update();
        black_box(world.candidate_count())
    });
}

/// Number of colliders in motion, among four times as many at rest.
const MOVERS: usize = 1_000;

/// Moves circles and rectangles by motions. About half of them are stopped. No colliders are flush.
#[divan::bench]
fn world_motions(bencher: Bencher<'_, '_>) {
    let mut rng = Rng::with_seed(5);
    let (mut world, side) = (World::new(), 2.0 * (MOVERS as f64 * 5.0).sqrt());
    let handles: Vec<_> = (0..5 * MOVERS)
        .map(|i| {
            let shape = [Shape::circle(0.3), Shape::rectangle(0.5, 0.3)][i % 2].clone().expect("a positive size");
            let pose = Pose::new([rng.f64() * side, rng.f64() * side], rng.f64() * 6.0).expect("a position in range");
            (world.insert(Collider::new(shape).pose(pose).fixed(i >= MOVERS)), pose)
        })
        .collect();
    let movers = &handles[..MOVERS];
    bencher.counter(ItemsCount::new(MOVERS)).bench_local(|| {
        for &(handle, pose) in movers {
            let mut step = || (rng.f64() - 0.5) * 8.0;
            let translation = [step(), step()];
            world.set_pose(handle, pose).expect("a pose in range");
            world.set_motion(handle, translation, 0.0).expect("a motion in range");
        }
        world.update();
        black_box(world.motion_hits().len())
    });
}
