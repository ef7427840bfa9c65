//! Measures carom: the query pipeline with packed shapes.

use std::hint::black_box;
use std::ops::ControlFlow::Continue;
use std::rc::Rc;

use carom::broad_phase::{BroadPhase, Bvh, LocalOrigin};
use carom::query::{QuantizedShapes, QueryPipeline};
use carom::{DVec2, Ray};

use super::input::{Input, entries};
use super::{Answers, Contestant, IN_RANGE, Kind, Library, NEAR, NONE, Vec2, builder, contestant, one_by_one, sum};

#[expect(clippy::too_many_lines, reason = "an arm for each question")]
pub(super) fn contestants(kind: Kind, input: &Rc<Input>) -> Vec<Contestant<Answers>> {
    const ONE: (Library, &str) = (Library::Carom, "carom");
    const MANY: &str = "carom batch";
    let frame = LocalOrigin::new(DVec2::ZERO);
    let tree = Bvh::from_boxes(entries(&input.boxes));
    let (also, all) = (tree.clone(), Rc::clone(input));
    let outlines = QuantizedShapes::packed(frame, (0..input.boxes.len() as u32).map(|id| (id, input.placed(id))));
    let same = outlines.clone();
    let point = |p: Vec2| DVec2::from(p);
    match kind {
        Kind::Rays => {
            let rays: Vec<Ray> =
                input.rays.iter().map(|&[from, direction]| Ray::new(from, direction).expect(IN_RANGE)).collect();
            let mut hits = Vec::new();
            vec![
                one_by_one(
                    ONE,
                    input,
                    |input| &input.rays,
                    move |input, [from, direction]| {
                        let pipeline =
                            QueryPipeline::new(&tree, frame, |id| Some(input.placed(id))).with_outlines(&outlines);
                        black_box(pipeline.ray_cast(Ray::new(from, direction).expect(IN_RANGE)))
                            .map_or(NONE, |hit| hit.0)
                    },
                ),
                contestant(Library::Carom, MANY, move |answers| {
                    QueryPipeline::new(&also, frame, |id| Some(all.placed(id)))
                        .with_outlines(&same)
                        .ray_cast_batch(&rays, &mut hits);
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
                        let pipeline =
                            QueryPipeline::new(&tree, frame, |id| Some(input.placed(id))).with_outlines(&outlines);
                        let visit = |id| {
                            answer = answer.wrapping_add(sum(id));
                            Continue(())
                        };
                        pipeline.visit_containing_point(p, visit).expect(IN_RANGE);
                        answer
                    },
                ),
                contestant(Library::Carom, MANY, move |answers| {
                    answers.clear();
                    answers.resize(points.len(), 0);
                    let visit =
                        |number: u32, id| answers[number as usize] = answers[number as usize].wrapping_add(sum(id));
                    QueryPipeline::new(&also, frame, |id| Some(all.placed(id)))
                        .with_outlines(&same)
                        .visit_containing_points(&points, visit)
                        .expect(IN_RANGE);
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
                    tree.query_aabb(region, &mut |id| {
                        answer = answer.wrapping_add(sum(id));
                        Continue(())
                    });
                    answer
                },
            ),
            contestant(Library::Carom, MANY, move |answers| {
                answers.clear();
                answers.resize(all.regions.len(), 0);
                let mut visit =
                    |number: u32, id| answers[number as usize] = answers[number as usize].wrapping_add(sum(id));
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
                        let pipeline =
                            QueryPipeline::new(&tree, frame, |id| Some(input.placed(id))).with_outlines(&outlines);
                        black_box(pipeline.nearest(p, f64::INFINITY))
                            .expect(IN_RANGE)
                            .map_or(NONE, |(id, found)| if found.distance > 0.0 { id } else { NEAR })
                    },
                ),
                contestant(Library::Carom, MANY, move |answers| {
                    let pipeline = QueryPipeline::new(&also, frame, |id| Some(all.placed(id))).with_outlines(&same);
                    pipeline.nearest_batch(&points, f64::INFINITY, &mut found).expect(IN_RANGE);
                    answers.clear();
                    answers.extend(
                        found.iter().map(|found| {
                            found.map_or(NONE, |(id, found)| if found.distance > 0.0 { id } else { NEAR })
                        }),
                    );
                }),
            ]
        }
        Kind::Build => vec![builder(Library::Carom, ONE.1, move || {
            black_box(Bvh::from_boxes(entries(&all.boxes)));
        })],
    }
}
