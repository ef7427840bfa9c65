//! W3, queries: what a ray meets first, what lies at a point, in a region and nearest to a point, among 100 000 static convex polygons.

use std::fmt::Write;
use std::hint::black_box;
use std::ops::ControlFlow::Continue;
use std::rc::Rc;

use carom::broad::{Box32, BroadPhase, Bvh, Filter, Frame};
use carom::{Among, DVec2, Placed, Pose, Ray, Shape};
use fastrand::Rng;
use parry2d::bounding_volume::Aabb as ParryAabb;
use parry2d::math::{Pose as ParryPose, Rotation, Vector};
use parry2d::partitioning::{Bvh as ParryBvh, BvhBuildStrategy};
use parry2d::query::{PointQuery, Ray as ParryRay, RayCast};
use parry2d::shape::{ConvexPolygon, Shape as _};
use rstar::{AABB, PointDistance, RTree, RTreeObject};
use serde_json::json;
use static_aabb2d_index::{StaticAABB2DIndex, StaticAABB2DIndexBuilder};

use crate::Page;
use crate::machine;
use crate::options::{Format, Options};
use crate::race::{Call, Contestant, Library, Outcome, Question, race};

const ABOUT: &str = "100 000 static convex polygons of 3 to 8 vertices, half of them boxes: ns per query of processor time, median of the interleaved rounds, queries in random \
order. Rays, points and nearest shapes are answered by the shapes themselves (carom: its exact f64 ones; the rest: parry's, in f32), regions and the build by boxes alone. \
Batches get and give arrays.";

/// Shapes that the queries are about.
const SHAPES: usize = 100_000;

/// Queries of a million on which f32 may differ: a step of theirs is 3e-5 where the shapes lie, and of two shapes that are met or as near within that either may be first.
const DIFFER_PER_MILLION: usize = 500;

const WRITES: &str = "a String takes every text";
const IN_RANGE: &str = "the race stays within the range of carom";

/// No shape.
const NONE: u32 = u32::MAX;

/// Each query's answer: the id found, or of several an order-free checksum.
type Answers = Vec<u32>;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Rays,
    Points,
    Regions,
    Nearest,
    Build,
}

const ROWS: [(&str, Kind); 5] = [
    ("ray, closest hit", Kind::Rays),
    ("point", Kind::Points),
    ("small region", Kind::Regions),
    ("nearest shape", Kind::Nearest),
    ("build, per shape", Kind::Build),
];

struct Row {
    name: &'static str,
    queries: usize,
    outcomes: Vec<Outcome<Answers>>,
}

/// Everything that is asked, and what of.
struct Input {
    shapes: Vec<Shape>,
    poses: Vec<Pose>,
    boxes: Vec<Box32>,
    theirs: Vec<(ConvexPolygon, ParryPose)>,
    rays: Vec<[Vec2; 2]>,
    points: Vec<Vec2>,
    regions: Vec<Box32>,
}

type Vec2 = [f64; 2];

/// Runs the rows that the options ask for.
pub(crate) fn run(options: &Options) -> Page {
    let chosen: Vec<_> = ROWS.iter().filter(|row| row.0.contains(&options.row)).collect();
    if chosen.is_empty() {
        return Page { text: None, failures: Vec::new() };
    }
    let input = Rc::new(Input::random(SHAPES, (options.records / 5).max(1), options.seed));
    let rows: Vec<Row> = chosen.iter().map(|&&(name, kind)| row(name, kind, &input, options.rounds)).collect();
    let failures = rows.iter().flat_map(failures).collect();
    let text = match options.format {
        Format::Markdown => markdown(&rows, options),
        Format::Json => json(&rows, options).to_string(),
    };
    Page { text: Some(text), failures }
}

fn row(name: &'static str, kind: Kind, input: &Rc<Input>, rounds: usize) -> Row {
    let contestants = [carom(kind, input), parry(kind, input), static_index(kind, input), rstar(kind, input)];
    let queries = match kind {
        Kind::Build => input.boxes.len(),
        _ => input.points.len(),
    };
    Row { name, queries, outcomes: race(contestants.into_iter().flatten().collect(), rounds) }
}

impl Input {
    fn random(shapes: usize, queries: usize, seed: u64) -> Self {
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
            input.boxes.push(Frame::new(DVec2::ZERO).localize(&shape.placed(pose).aabb()));
            let corners = points.iter().map(|&p| vector(p)).collect();
            let polygon = ConvexPolygon::from_convex_polyline(corners).expect("a convex outline");
            input.theirs.push((polygon, ParryPose::from_parts(vector(at), Rotation::from_cos_sin_unchecked(cos as f32, sin as f32))));
            input.shapes.push(shape);
            input.poses.push(pose);
        }
        let place = |rng: &mut Rng| [0, 1].map(|_| single(rng.f64() * side));
        let tree = Bvh::from_boxes(entries(&input.boxes));
        let among = Among::new(&tree, Frame::new(DVec2::ZERO), |id| Some(input.placed(id)));
        let mut rays = Vec::new();
        while rays.len() < queries {
            let (from, angle) = (place(&mut rng), rng.f64() * std::f64::consts::TAU);
            let length = 0.5 * 400.0_f64.powf(rng.f64());
            let mut outside = true;
            among
                .visit_holding(from, |_| {
                    outside = false;
                    Continue(())
                })
                .expect(IN_RANGE);
            if outside {
                rays.push([from, [single(angle.cos() * length), single(angle.sin() * length)]]);
            }
        }
        input.rays = rays;
        input.points = (0..queries).map(|_| place(&mut rng)).collect();
        let region = |rng: &mut Rng| {
            let min = place(rng).map(|x| x as f32);
            Box32 { min, max: min.map(|x| x + 0.5 + 3.5 * rng.f32()) }
        };
        input.regions = (0..queries).map(|_| region(&mut rng)).collect();
        input
    }

    fn empty() -> Self {
        Self { shapes: vec![], poses: vec![], boxes: vec![], theirs: vec![], rays: vec![], points: vec![], regions: vec![] }
    }

    fn placed(&self, id: u32) -> Placed<'_> {
        self.shapes[id as usize].placed(self.poses[id as usize])
    }

    fn parry_boxes(&self) -> Vec<ParryAabb> {
        self.theirs.iter().map(|(polygon, pose)| polygon.compute_aabb(pose)).collect()
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

fn vector(v: Vec2) -> Vector {
    Vector::new(v[0] as f32, v[1] as f32)
}

fn entries(boxes: &[Box32]) -> impl Iterator<Item = (u32, Box32, Filter, bool)> {
    (0..).zip(boxes).map(|(id, &aabb)| (id, aabb, Filter::default(), false))
}

/// What an id adds to a checksum.
fn sum(id: u32) -> u32 {
    (id + 1).wrapping_mul(0x9E37_79B9)
}

fn contestant(library: Library, column: &'static str, run: impl FnMut(&mut Answers) + 'static) -> Contestant<Answers> {
    Contestant { call: Call { library, column, question: Question::How }, run: Box::new(run) }
}

/// A contestant that answers one query after another.
fn one_by_one<Q: Copy + 'static>(
    (library, column): (Library, &'static str),
    input: &Rc<Input>,
    queries: fn(&Input) -> &[Q],
    mut ask: impl FnMut(&Input, Q) -> u32 + 'static,
) -> Contestant<Answers> {
    let input = Rc::clone(input);
    contestant(library, column, move |answers| {
        answers.clear();
        answers.extend(queries(&input).iter().map(|&query| ask(&input, query)));
    })
}

fn builder(library: Library, column: &'static str, build: impl Fn() + 'static) -> Contestant<Answers> {
    contestant(library, column, move |answers| {
        answers.clear();
        build();
    })
}

fn carom(kind: Kind, input: &Rc<Input>) -> Vec<Contestant<Answers>> {
    const ONE: (Library, &str) = (Library::Carom, "carom");
    const MANY: &str = "carom batch";
    let frame = Frame::new(DVec2::ZERO);
    let tree = Bvh::from_boxes(entries(&input.boxes));
    let (also, all) = (tree.clone(), Rc::clone(input));
    let point = |p: Vec2| DVec2::from(p);
    match kind {
        Kind::Rays => {
            let rays: Vec<Ray> = input.rays.iter().map(|&[from, way]| Ray::new(from, way).expect(IN_RANGE)).collect();
            let mut hits = Vec::new();
            vec![
                one_by_one(
                    ONE,
                    input,
                    |input| &input.rays,
                    move |input, [from, way]| {
                        let among = Among::new(&tree, frame, |id| Some(input.placed(id)));
                        black_box(among.ray_cast(Ray::new(from, way).expect(IN_RANGE))).map_or(NONE, |hit| hit.0)
                    },
                ),
                contestant(Library::Carom, MANY, move |answers| {
                    Among::new(&also, frame, |id| Some(all.placed(id))).ray_casts(&rays, &mut hits);
                    answers.clear();
                    answers.extend(hits.iter().map(|hit| hit.map_or(NONE, |hit| hit.0)));
                }),
            ]
        }
        Kind::Points => {
            let points: Vec<DVec2> = input.points.iter().map(|&p| point(p)).collect();
            vec![
                one_by_one(
                    ONE,
                    input,
                    |input| &input.points,
                    move |input, p| {
                        let mut answer = 0_u32;
                        let among = Among::new(&tree, frame, |id| Some(input.placed(id)));
                        let visit = |id| {
                            answer = answer.wrapping_add(sum(id));
                            Continue(())
                        };
                        among.visit_holding(p, visit).expect(IN_RANGE);
                        answer
                    },
                ),
                contestant(Library::Carom, MANY, move |answers| {
                    answers.clear();
                    answers.resize(points.len(), 0);
                    let visit = |number: u32, id| answers[number as usize] = answers[number as usize].wrapping_add(sum(id));
                    Among::new(&also, frame, |id| Some(all.placed(id))).visit_all_holding(&points, visit).expect(IN_RANGE);
                }),
            ]
        }
        Kind::Regions => vec![
            one_by_one(
                ONE,
                input,
                |input| &input.regions,
                move |_, region| {
                    let mut answer = 0_u32;
                    tree.visit_box(region, &mut |id| {
                        answer = answer.wrapping_add(sum(id));
                        Continue(())
                    });
                    answer
                },
            ),
            contestant(Library::Carom, MANY, move |answers| {
                answers.clear();
                answers.resize(all.regions.len(), 0);
                let mut visit = |number: u32, id| answers[number as usize] = answers[number as usize].wrapping_add(sum(id));
                also.visit_boxes(&all.regions, &mut visit);
            }),
        ],
        Kind::Nearest => {
            let points: Vec<DVec2> = input.points.iter().map(|&p| point(p)).collect();
            let mut found = Vec::new();
            vec![
                one_by_one(
                    ONE,
                    input,
                    |input| &input.points,
                    move |input, p| {
                        let among = Among::new(&tree, frame, |id| Some(input.placed(id)));
                        black_box(among.nearest(p, f64::INFINITY)).expect(IN_RANGE).map_or(NONE, |found| found.0)
                    },
                ),
                contestant(Library::Carom, MANY, move |answers| {
                    let among = Among::new(&also, frame, |id| Some(all.placed(id)));
                    among.nearest_of_all(&points, f64::INFINITY, &mut found).expect(IN_RANGE);
                    answers.clear();
                    answers.extend(found.iter().map(|found| found.map_or(NONE, |found| found.0)));
                }),
            ]
        }
        Kind::Build => vec![builder(Library::Carom, ONE.1, move || {
            black_box(Bvh::from_boxes(entries(&all.boxes)));
        })],
    }
}

fn parry(kind: Kind, input: &Rc<Input>) -> Vec<Contestant<Answers>> {
    const PARRY: (Library, &str) = (Library::Parry, "parry");
    let boxes = input.parry_boxes();
    let tree = ParryBvh::from_leaves(BvhBuildStrategy::Binned, &boxes);
    vec![match kind {
        Kind::Rays => one_by_one(
            PARRY,
            input,
            |input| &input.rays,
            move |input, [from, way]| {
                let ray = ParryRay::new(vector(from), vector(way));
                let hit = tree.cast_ray(&ray, 1.0, |id, most| {
                    let (polygon, pose) = &input.theirs[id as usize];
                    polygon.cast_ray_and_get_normal(pose, &ray, most, true).map(|hit| hit.time_of_impact)
                });
                black_box(hit).map_or(NONE, |hit| hit.0)
            },
        ),
        Kind::Points => one_by_one(
            PARRY,
            input,
            |input| &input.points,
            move |input, p| {
                let point = vector(p);
                let holds = |&id: &u32| input.theirs[id as usize].0.contains_point(&input.theirs[id as usize].1, point);
                tree.intersect_aabb(&ParryAabb::new(point, point)).filter(holds).fold(0, |all, id| all.wrapping_add(sum(id)))
            },
        ),
        Kind::Regions => one_by_one(
            PARRY,
            input,
            |input| &input.regions,
            move |_, region| {
                let [min, max] = [region.min, region.max].map(|p| Vector::new(p[0], p[1]));
                tree.intersect_aabb(&ParryAabb::new(min, max)).fold(0, |all, id| all.wrapping_add(sum(id)))
            },
        ),
        Kind::Nearest => one_by_one(
            PARRY,
            input,
            |input| &input.points,
            move |input, p| {
                let found = tree.project_point(vector(p), f32::MAX, |id, _| {
                    let (polygon, pose) = &input.theirs[id as usize];
                    Some(polygon.project_point(pose, vector(p), true))
                });
                black_box(found).map_or(NONE, |found| found.0)
            },
        ),
        Kind::Build => builder(PARRY.0, PARRY.1, move || {
            black_box(ParryBvh::from_leaves(BvhBuildStrategy::Binned, &boxes));
        }),
    }]
}

fn index_of(boxes: &[ParryAabb]) -> StaticAABB2DIndex<f32> {
    let mut builder = StaticAABB2DIndexBuilder::new(boxes.len());
    for aabb in boxes {
        builder.add(aabb.mins.x, aabb.mins.y, aabb.maxs.x, aabb.maxs.y);
    }
    builder.build().expect("as many boxes as were announced")
}

fn static_index(kind: Kind, input: &Rc<Input>) -> Vec<Contestant<Answers>> {
    const INDEX: (Library, &str) = (Library::StaticIndex, "static_aabb2d_index");
    let boxes = input.parry_boxes();
    let index = index_of(&boxes);
    let mut stack = Vec::new();
    vec![match kind {
        // It has no rays.
        Kind::Rays => return Vec::new(),
        Kind::Points => one_by_one(
            INDEX,
            input,
            |input| &input.points,
            move |input, p| {
                let (point, mut answer) = (vector(p), 0_u32);
                let mut visit = |id: usize| {
                    if input.theirs[id].0.contains_point(&input.theirs[id].1, point) {
                        answer = answer.wrapping_add(sum(id as u32));
                    }
                };
                index.visit_query_with_stack(point.x, point.y, point.x, point.y, &mut visit, &mut stack);
                answer
            },
        ),
        Kind::Regions => one_by_one(
            INDEX,
            input,
            |input| &input.regions,
            move |_, Box32 { min, max }| {
                let mut answer = 0_u32;
                let mut visit = |id: usize| answer = answer.wrapping_add(sum(id as u32));
                index.visit_query_with_stack(min[0], min[1], max[0], max[1], &mut visit, &mut stack);
                answer
            },
        ),
        Kind::Nearest => one_by_one(
            INDEX,
            input,
            |input| &input.points,
            move |input, p| {
                let (point, mut best) = (vector(p), (f32::INFINITY, NONE));
                // Boxes come nearest first, with the squares of their distances.
                let mut visit = |id: usize, squared: f32| {
                    if squared > best.0 * best.0 {
                        return Err(());
                    }
                    let distance = input.theirs[id].0.distance_to_point(&input.theirs[id].1, point, true);
                    if distance < best.0 {
                        best = (distance, id as u32);
                    }
                    Ok(())
                };
                let _ = index.visit_neighbors(point.x, point.y, &mut visit);
                best.1
            },
        ),
        Kind::Build => builder(INDEX.0, INDEX.1, move || {
            black_box(index_of(&boxes));
        }),
    }]
}

/// A box with an id, as rstar keeps it.
struct Entry(AABB<[f32; 2]>, u32);

impl RTreeObject for Entry {
    type Envelope = AABB<[f32; 2]>;

    fn envelope(&self) -> Self::Envelope {
        self.0
    }
}

impl PointDistance for Entry {
    fn distance_2(&self, point: &[f32; 2]) -> f32 {
        rstar::Envelope::distance_2(&self.0, point)
    }
}

fn rstar_of(boxes: &[ParryAabb]) -> RTree<Entry> {
    let entry = |(id, aabb): (u32, &ParryAabb)| Entry(AABB::from_corners([aabb.mins.x, aabb.mins.y], [aabb.maxs.x, aabb.maxs.y]), id);
    RTree::bulk_load((0..).zip(boxes).map(entry).collect())
}

fn rstar(kind: Kind, input: &Rc<Input>) -> Vec<Contestant<Answers>> {
    const RSTAR: (Library, &str) = (Library::Rstar, "rstar");
    let boxes = input.parry_boxes();
    let tree = rstar_of(&boxes);
    vec![match kind {
        // It has no rays.
        Kind::Rays => return Vec::new(),
        Kind::Points => one_by_one(
            RSTAR,
            input,
            |input| &input.points,
            move |input, p| {
                let point = vector(p);
                let found = tree.locate_in_envelope_intersecting(AABB::from_point([point.x, point.y])).map(|entry| entry.1);
                let holds = |&id: &u32| input.theirs[id as usize].0.contains_point(&input.theirs[id as usize].1, point);
                found.filter(holds).fold(0, |all, id| all.wrapping_add(sum(id)))
            },
        ),
        Kind::Regions => one_by_one(
            RSTAR,
            input,
            |input| &input.regions,
            move |_, region| {
                let found = tree.locate_in_envelope_intersecting(AABB::from_corners(region.min, region.max));
                found.fold(0, |all, entry| all.wrapping_add(sum(entry.1)))
            },
        ),
        Kind::Nearest => one_by_one(
            RSTAR,
            input,
            |input| &input.points,
            move |input, p| {
                let (point, mut best) = (vector(p), (f32::INFINITY, NONE));
                for (Entry(_, id), squared) in tree.nearest_neighbor_iter_with_distance_2([point.x, point.y]) {
                    if squared > best.0 * best.0 {
                        break;
                    }
                    let (polygon, pose) = &input.theirs[*id as usize];
                    let distance = polygon.distance_to_point(pose, point, true);
                    if distance < best.0 {
                        best = (distance, *id);
                    }
                }
                best.1
            },
        ),
        Kind::Build => builder(RSTAR.0, RSTAR.1, move || {
            black_box(rstar_of(&boxes));
        }),
    }]
}

/// Queries on which a contestant differs from the first one, which is exact.
fn differing(row: &Row, outcome: &Outcome<Answers>) -> usize {
    row.outcomes[0].answers.iter().zip(&outcome.answers).filter(|(a, b)| a != b).count()
}

fn failures(row: &Row) -> Vec<String> {
    let allowed =
        |o: &Outcome<Answers>| if o.call.library == Library::Carom { 0 } else { 2 + row.queries * DIFFER_PER_MILLION / 1_000_000 };
    let wrong = row.outcomes.iter().filter(|o| differing(row, o) > allowed(o) || o.answers.len() != row.outcomes[0].answers.len());
    wrong.map(|o| format!("{}, {}: {} of {} answers differ", row.name, o.call.column, differing(row, o), row.queries)).collect()
}

impl Row {
    fn nanoseconds(&self, outcome: &Outcome<Answers>) -> f64 {
        outcome.median() / self.queries as f64
    }

    /// The fastest other library's time over that of a call of ours.
    fn ratio(&self, column: &str) -> Option<f64> {
        let ours = self.outcomes.iter().find(|o| o.call.column == column)?;
        let others = self.outcomes.iter().filter(|o| o.call.library != Library::Carom);
        Some(others.map(|o| self.nanoseconds(o)).fold(f64::INFINITY, f64::min) / self.nanoseconds(ours))
    }
}

const COLUMNS: [&str; 5] = ["parry", "static_aabb2d_index", "rstar", "carom", "carom batch"];

fn markdown(rows: &[Row], options: &Options) -> String {
    let mut text = format!(
        "## W3 queries among many\n\n{ABOUT}\n\n{}; lanes {}; {} rounds, seed {}.\n\n",
        machine::processor(),
        machine::lanes().join(" "),
        options.rounds,
        options.seed
    );
    let rules = "--:|".repeat(COLUMNS.len());
    writeln!(text, "| ns per query | {} | best other ÷ carom | best other ÷ batch |\n|---|{rules}--:|--:|", COLUMNS.join(" | "))
        .expect(WRITES);
    for row in rows {
        let cell = |column: &&str| {
            let outcome = row.outcomes.iter().find(|o| o.call.column == *column);
            outcome.map_or("–".to_owned(), |o| format!("{:.0} ({})", row.nanoseconds(o), differing(row, o)))
        };
        let cells: Vec<String> = COLUMNS.iter().map(cell).collect();
        let ratios = ["carom", "carom batch"].map(|column| row.ratio(column).map_or("–".to_owned(), |r| format!("{r:.2}")));
        writeln!(text, "| {} | {} | {} |", row.name, cells.join(" | "), ratios.join(" | ")).expect(WRITES);
    }
    text + "\nIn brackets: answers of the last round that differ from carom's.\n"
}

fn json(rows: &[Row], options: &Options) -> serde_json::Value {
    let row = |row: &Row| {
        let call = |o: &Outcome<Answers>| {
            json!({
                "library": o.call.library.to_string(), "call": o.call.column, "ns_median": row.nanoseconds(o),
                "ns_quickest": o.quickest() / row.queries as f64, "differing": differing(row, o),
            })
        };
        json!({
            "query": row.name, "queries": row.queries, "best_other_to_carom": row.ratio("carom"), "best_other_to_batch": row.ratio("carom batch"),
            "calls": row.outcomes.iter().map(call).collect::<Vec<_>>(),
        })
    };
    json!({
        "workload": "W3 queries among many", "about": ABOUT, "processor": machine::processor(), "lanes": machine::lanes(),
        "rounds": options.rounds, "seed": options.seed, "rows": rows.iter().map(row).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_answers_alike() {
        let input = Rc::new(Input::random(5_000, 5_000, 3));
        for (name, kind) in ROWS {
            let row = row(name, kind, &input, 1);
            assert_eq!(failures(&row), Vec::<String>::new());
        }
    }
}
