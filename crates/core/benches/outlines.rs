//! Benchmarks pair queries of outlines: `cargo bench -p carom -- outlines`.
//!
//! The pairs are those of a map whose boxes intersect. Most of them share a border. `CAROM_MAP=counties.geojson` reads
//! the polygons of a GeoJSON file instead of the built-in map. `nested` are star outlines inside each other.
use std::f64::consts::TAU;
use std::hint::black_box;

use carom::decompose::{FillRule, repair};
use carom::{DVec2, Pose, Shape, contains, distance, intersects, overlaps};
use divan::Bencher;
use divan::counter::ItemsCount;
use fastrand::Rng;
use serde_json::Value;

fn main() {
    divan::main();
}

/// The rings of a polygon; the outer ring is first.
type Rings = Vec<Vec<DVec2>>;

/// Number of counties along each side of the built-in map.
const SIDE: usize = 56;
/// Number of vertices between two corners of a county.
const STEPS: usize = 4;

#[derive(Clone, Copy, Debug)]
enum Query {
    Intersects,
    Overlaps,
    Contains,
    Distance,
    Point,
}

const QUERIES: [Query; 5] = [Query::Intersects, Query::Overlaps, Query::Contains, Query::Distance, Query::Point];

/// Returns the polygons of each feature of the map.
fn map() -> Vec<Vec<Rings>> {
    std::env::var("CAROM_MAP").map_or_else(|_| counties(), |path| geojson(&path))
}

/// Returns counties whose common borders have the same vertices.
fn counties() -> Vec<Vec<Rings>> {
    let mut rng = Rng::with_seed(1);
    let mut near =
        |x: f64, y: f64, spread: f64| DVec2::new(x, y) + DVec2::new(rng.f64() - 0.5, rng.f64() - 0.5) * spread;
    let corners: Vec<DVec2> =
        (0..=SIDE).flat_map(|y| (0..=SIDE).map(move |x| [x, y])).map(|[x, y]| near(x as f64, y as f64, 0.3)).collect();
    let corner = |x: usize, y: usize| corners[y * (SIDE + 1) + x];
    let mut border = |from: DVec2, to: DVec2| -> Vec<DVec2> {
        let step = |i: usize| from.lerp(to, i as f64 / STEPS as f64);
        (0..STEPS).map(|i| if i == 0 { from } else { near(step(i).x, step(i).y, 0.15) }).collect()
    };
    let across: Vec<Vec<DVec2>> = (0..=SIDE)
        .flat_map(|y| (0..SIDE).map(move |x| [x, y]))
        .map(|[x, y]| border(corner(x, y), corner(x + 1, y)))
        .collect();
    let up: Vec<Vec<DVec2>> = (0..SIDE)
        .flat_map(|y| (0..=SIDE).map(move |x| [x, y]))
        .map(|[x, y]| border(corner(x, y), corner(x, y + 1)))
        .collect();
    let county = |[x, y]: [usize; 2]| {
        let back = |border: &[DVec2], end: DVec2| {
            core::iter::once(end).chain(border[1..].iter().rev().copied()).collect::<Vec<_>>()
        };
        let (low, high) = (&across[y * SIDE + x], &across[(y + 1) * SIDE + x]);
        let (left, right) = (&up[y * (SIDE + 1) + x], &up[y * (SIDE + 1) + x + 1]);
        let sides = [low.clone(), right.clone(), back(high, corner(x + 1, y + 1)), back(left, corner(x, y + 1))];
        vec![vec![sides.concat()]]
    };
    (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| [x, y])).map(county).collect()
}

/// Returns the polygons of the features of a GeoJSON file.
fn geojson(path: &str) -> Vec<Vec<Rings>> {
    let text = std::fs::read_to_string(path).expect("a readable file");
    let value: Value = serde_json::from_str(&text).expect("JSON");
    let ring = |ring: &Value| {
        let points = ring.as_array().expect("a ring").iter();
        let mut points: Vec<DVec2> =
            points.map(|p| DVec2::new(p[0].as_f64().expect("x"), p[1].as_f64().expect("y"))).collect();
        points.pop();
        points
    };
    let polygon = |rings: &Value| rings.as_array().expect("rings").iter().map(ring).collect::<Rings>();
    let geometry = |geometry: &Value| match geometry["type"].as_str() {
        Some("Polygon") => Some(vec![polygon(&geometry["coordinates"])]),
        Some("MultiPolygon") => Some(geometry["coordinates"].as_array()?.iter().map(polygon).collect()),
        _ => None,
    };
    value["features"].as_array().expect("features").iter().filter_map(|f| geometry(&f["geometry"])).collect()
}

/// Returns random star outlines of 100 to 10 000 vertices, each inside the last one or not.
fn stars() -> Vec<Vec<Rings>> {
    let mut rng = Rng::with_seed(2);
    let star = |_| {
        let count = 100.0 * 100.0_f64.powf(rng.f64());
        let (size, center) = (2.0_f64.powf(-4.0 * rng.f64()), DVec2::new(rng.f64(), rng.f64()) * 2.0);
        let vertex =
            |i: usize| center + DVec2::from_angle(i as f64 / count.floor() * TAU) * size * (0.6 + 0.4 * rng.f64());
        vec![vec![(0..count as usize).map(vertex).collect()]]
    };
    (0..200).map(star).collect()
}

/// Returns the shape of a feature; `None` if its outline is invalid.
fn shape(polygons: &[Rings]) -> Option<Shape> {
    let mut shapes = polygons.iter().map(|rings| Shape::polygon_with_holes(&rings[0], &rings[1..]));
    if polygons.len() == 1 {
        return shapes.next()?.ok();
    }
    let children = shapes.collect::<Result<Vec<_>, _>>().ok()?;
    Shape::compound(children.into_iter().map(|child| (child, Pose::IDENTITY))).ok()
}

/// Returns the shapes of a map and the pairs whose boxes intersect.
fn prepared(map: &[Vec<Rings>]) -> (Vec<Shape>, Vec<[usize; 2]>) {
    let shapes: Vec<Shape> = map.iter().filter_map(|polygons| shape(polygons)).collect();
    let boxes: Vec<_> = shapes.iter().map(|shape| shape.placed(Pose::IDENTITY).aabb()).collect();
    let later = |i: usize| (i + 1..boxes.len()).map(move |j| [i, j]);
    let pairs = (0..boxes.len()).flat_map(later).filter(|&[i, j]| boxes[i].intersects(&boxes[j])).collect();
    (shapes, pairs)
}

/// Counts the pairs with a positive result.
fn count(shapes: &[Shape], pairs: &[[usize; 2]], query: Query) -> usize {
    let at = |i: usize| black_box(shapes[i].placed(Pose::IDENTITY));
    let answer = |&[i, j]: &[usize; 2]| match query {
        Query::Intersects => intersects(at(i), at(j)),
        Query::Overlaps => overlaps(at(i), at(j)),
        Query::Contains => contains(at(i), at(j)),
        Query::Distance => distance(at(i), at(j)).distance == 0.0,
        Query::Point => {
            at(i).contains_point(shapes[j].points().first().copied().unwrap_or_default()).expect("a point in range")
        }
    };
    pairs.iter().filter(|pair| answer(pair)).count()
}

fn run(bencher: Bencher<'_, '_>, map: &[Vec<Rings>], query: Query) {
    let (shapes, pairs) = prepared(map);
    let found = count(&shapes, &pairs, query);
    eprintln!("{query:?}: {found} of {} pairs of {} shapes", pairs.len(), shapes.len());
    bencher.counter(ItemsCount::new(pairs.len())).bench(|| count(&shapes, &pairs, query));
}

#[divan::bench(args = QUERIES)]
fn outlines_of_a_map(bencher: Bencher<'_, '_>, query: Query) {
    run(bencher, &map(), query);
}

#[divan::bench(args = QUERIES)]
fn outlines_nested(bencher: Bencher<'_, '_>, query: Query) {
    run(bencher, &stars(), query);
}

/// Creates all shapes of a map, then queries all pairs.
#[divan::bench(args = QUERIES)]
fn outlines_of_a_map_with_build(bencher: Bencher<'_, '_>, query: Query) {
    let map = map();
    let (_, pairs) = prepared(&map);
    bencher.counter(ItemsCount::new(pairs.len())).bench(|| {
        let shapes: Vec<Shape> = map.iter().filter_map(|polygons| shape(polygons)).collect();
        count(&shapes, &pairs, query)
    });
}

#[divan::bench]
fn outlines_of_a_map_build(bencher: Bencher<'_, '_>) {
    let map = map();
    bencher.bench(|| map.iter().filter_map(|polygons| shape(polygons)).collect::<Vec<_>>());
}

/// Repairs a star outline in which every tenth vertex is swapped with the next one: 2 to 3 crossings per 100 vertices.
#[divan::bench(args = [100, 1_000, 10_000])]
fn outlines_repair(bencher: Bencher<'_, '_>, count: usize) {
    let mut rng = Rng::with_seed(3);
    let vertex = |i: usize| DVec2::from_angle(i as f64 / count as f64 * TAU) * (0.9 + 0.1 * rng.f64());
    let mut ring: Vec<DVec2> = (0..count).map(vertex).collect();
    ring.chunks_exact_mut(10).for_each(|vertices| vertices.swap(4, 5));
    let rings = [ring];
    let repaired = |rings: &[Vec<DVec2>]| repair(rings, FillRule::EvenOdd).expect("points in range");
    eprintln!("{count} vertices: {:?}", repaired(&rings).changes);
    bencher.counter(ItemsCount::new(count)).bench(|| repaired(black_box(&rings)));
}
