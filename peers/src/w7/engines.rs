//! Answers the questions with each Rust library, by its documented calls.

use std::time::{Duration, Instant};

use carom::{Placed, Pose, Shape, contains, distance, intersects, overlaps};
use geo::indexed::{IntervalTreeMultiPolygon, PreparedGeometry};
use geo::line_measures::{Distance, Euclidean};
use geo::relate::IntersectionMatrix;
use geo::{Contains, Coord, LineString, MultiPolygon, Polygon, Relate};
use i_overlay::float::relate::FloatRelate;
use parry2d::math::{Pose as ParryPose, Vector};
use parry2d::query::{self, PointQuery};
use parry2d::shape::TriMesh;

use super::input::Input;
use super::outlines::{Outlines, Point};
use super::{Question, Round};
use crate::race::{median, processor_time};

const ORIGIN: ParryPose = ParryPose::IDENTITY;

/// A library answers no more pairs after this time. Few reach it: geo's distances of countries with many islands.
const LIMIT: Duration = Duration::from_mins(1);

/// Largest number of repeats of a question.
const REPEATS: usize = 5;

/// Time after which a question is not repeated.
const REPEAT_TIME: Duration = Duration::from_secs(1);

/// Measures one question, for outlines that were just built and again. The median of the repeats counts: the first of
/// them can find the memory of the outlines outside the caches, if an index was made in between. Does not repeat
/// queries that reached the limit.
fn measure<T>(query_count: usize, build: impl FnOnce() -> T, answers: impl Fn(&T) -> Vec<f64>) -> Round {
    let start = processor_time();
    let built = build();
    let ready = processor_time();
    let mut found = answers(&built);
    let first = processor_time() - ready;
    let (mut repeats, begun) = (Vec::new(), Instant::now());
    while found.len() == query_count && repeats.len() < REPEATS && begun.elapsed() < REPEAT_TIME {
        let start = processor_time();
        found = answers(&built);
        repeats.push(processor_time() - start);
    }
    let again = if repeats.is_empty() { first } else { median(&repeats) };
    Round { build: ready - start, first, again, answers: found }
}

/// Computes the answers of all pairs, until the time limit.
fn pairs<T>(input: &Input, built: &[T], answer: impl Fn(&T, &T) -> f64) -> Vec<f64> {
    let (start, mut found) = (Instant::now(), Vec::with_capacity(input.pairs.len()));
    for block in input.pairs.chunks(16).take_while(|_| start.elapsed() < LIMIT) {
        found.extend(block.iter().map(|&[a, b]| answer(&built[a as usize], &built[b as usize])));
    }
    found
}

/// Asks about each point.
fn points<T>(input: &Input, built: &[T], answer: impl Fn(&T, Point) -> bool) -> Vec<f64> {
    input.points.iter().map(|&(owner, point)| truth(answer(&built[owner as usize], point))).collect()
}

fn truth(yes: bool) -> f64 {
    f64::from(u8::from(yes))
}

/// Builds an outline of carom: a polygon, or a compound of several.
pub(super) fn shape(outlines: &Outlines, outline: usize) -> Result<Shape, carom::Error> {
    let polygons = outlines.polygons(outline).map(|mut rings| {
        let outer = rings.next().expect("a polygon has a ring");
        let holes: Vec<Vec<Point>> = rings.map(<[Point]>::to_vec).collect();
        Shape::polygon_with_holes(outer, &holes)
    });
    let mut polygons: Vec<Shape> = polygons.collect::<Result<_, _>>()?;
    if polygons.len() == 1 {
        return Ok(polygons.remove(0));
    }
    Shape::compound(polygons.into_iter().map(|polygon| (polygon, Pose::IDENTITY)))
}

fn here(shape: &Shape) -> Placed<'_> {
    shape.placed(Pose::IDENTITY)
}

pub(super) fn carom(input: &Input, question: Question) -> Round {
    let build = || -> Vec<Shape> {
        let all = 0..input.outlines.len();
        all.map(|i| shape(&input.outlines, i).expect("carom accepts the outlines of the input")).collect()
    };
    measure(input.query_count(question), build, |built| match question {
        Question::Intersects => pairs(input, built, |a, b| truth(intersects(here(a), here(b)))),
        Question::Overlaps => pairs(input, built, |a, b| truth(overlaps(here(a), here(b)))),
        Question::Contains => pairs(input, built, |a, b| truth(contains(here(a), here(b)))),
        Question::Distance => pairs(input, built, |a, b| distance(here(a), here(b)).distance.max(0.0)),
        Question::Point => {
            points(input, built, |shape, point| here(shape).contains_point(point).expect("a finite point"))
        }
    })
}

fn multi_polygon(outlines: &Outlines, outline: usize) -> MultiPolygon {
    let ring = |points: &[Point]| LineString::from(points.to_vec());
    let polygons = outlines.polygons(outline).map(|mut rings| {
        let outer = ring(rings.next().expect("a polygon has a ring"));
        Polygon::new(outer, rings.map(ring).collect())
    });
    MultiPolygon(polygons.collect())
}

/// geo prepares outlines for `relate` and for points. `distance` takes the plain outlines.
pub(super) fn geo(input: &Input, question: Question) -> Round {
    let all = || (0..input.outlines.len()).map(|i| multi_polygon(&input.outlines, i));
    let relate = |answer: fn(&IntersectionMatrix) -> bool| {
        let build = || all().map(PreparedGeometry::from).collect::<Vec<_>>();
        measure(input.query_count(question), build, |built| pairs(input, built, |a, b| truth(answer(&a.relate(b)))))
    };
    match question {
        Question::Intersects => relate(IntersectionMatrix::is_intersects),
        Question::Overlaps => relate(|matrix| matrix.is_intersects() && !matrix.is_touches()),
        Question::Contains => relate(IntersectionMatrix::is_contains),
        Question::Distance => measure(
            input.query_count(question),
            || all().collect::<Vec<_>>(),
            |built| pairs(input, built, |a, b| Euclidean.distance(a, b)),
        ),
        Question::Point => {
            let build = || all().map(|outline| IntervalTreeMultiPolygon::new(&outline)).collect::<Vec<_>>();
            measure(input.query_count(question), build, |built| {
                points(input, built, |tree, [x, y]| tree.contains(&Coord { x, y }))
            })
        }
    }
}

/// `i_overlay` keeps nothing between calls.
pub(super) fn i_overlay(input: &Input, question: Question) -> Option<Round> {
    type Contours = Vec<Vec<Point>>;
    let answer: fn(&Contours, &Contours) -> bool = match question {
        Question::Intersects => |a, b| a.intersects(b),
        Question::Overlaps => |a, b| a.interiors_intersect(b),
        Question::Contains => |a, b| a.covers(b),
        Question::Distance | Question::Point => return None,
    };
    let contours = |i| input.outlines.polygons(i).flatten().map(<[Point]>::to_vec).collect::<Contours>();
    let build = || (0..input.outlines.len()).map(contours).collect::<Vec<_>>();
    Some(measure(input.query_count(question), build, |built| pairs(input, built, |a, b| truth(answer(a, b)))))
}

/// parry has meshes of triangles in f32. earcutr makes the triangles, because parry's own triangulation knows no holes
/// and takes quadratic time. A mesh that parry refuses gives no answer.
pub(super) fn parry(input: &Input, question: Question) -> Option<Round> {
    let build = || (0..input.outlines.len()).map(|i| mesh(&input.outlines, i)).collect::<Vec<_>>();
    let both = |answer: fn(&TriMesh, &TriMesh) -> Option<f64>| {
        measure(input.query_count(question), build, |built| {
            pairs(input, built, |a, b| a.as_ref().zip(b.as_ref()).and_then(|(a, b)| answer(a, b)).unwrap_or(f64::NAN))
        })
    };
    Some(match question {
        Question::Intersects => {
            both(|a, b| Some(truth(query::intersection_test(&ORIGIN, a, &ORIGIN, b).ok()?.intersecting)))
        }
        Question::Distance => both(|a, b| Some(f64::from(query::distance(&ORIGIN, a, &ORIGIN, b).ok()?.distance))),
        Question::Point => measure(input.query_count(question), build, |built| {
            let inside = |mesh: &TriMesh, point| mesh.contains_local_point(vector(point));
            points(input, built, |mesh, point| mesh.as_ref().is_some_and(|mesh| inside(mesh, point)))
        }),
        Question::Overlaps | Question::Contains => return None,
    })
}

fn mesh(outlines: &Outlines, outline: usize) -> Option<TriMesh> {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for polygon in outlines.polygons(outline) {
        let (mut flat, mut holes) = (Vec::new(), Vec::new());
        for (i, ring) in polygon.enumerate() {
            if i > 0 {
                holes.push(flat.len() / 2);
            }
            flat.extend_from_slice(ring.as_flattened());
        }
        let start = vertices.len() as u32;
        let found = earcutr::earcut(&flat, &holes, 2).ok()?;
        triangles.extend(found.chunks_exact(3).map(|t| [0, 1, 2].map(|i| start + t[i] as u32)));
        vertices.extend(flat.chunks_exact(2).map(|p| vector([p[0], p[1]])));
    }
    TriMesh::new(vertices, triangles).ok()
}

fn vector([x, y]: Point) -> Vector {
    Vector::new(x as f32, y as f32)
}
