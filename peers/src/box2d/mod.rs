//! Box2D 3.2 through its C functions. The only folder with `unsafe`.
#![allow(unsafe_code)]

pub(crate) mod bodies;
pub(crate) mod mover;
pub(crate) mod tree;
pub(crate) mod world;

use std::hint::black_box;
use std::rc::Rc;

use boxdd_sys::ffi::{
    b2Circle, b2CollideCircles, b2CollidePolygonAndCircle, b2CollidePolygons, b2DistanceInput, b2Hull, b2LocalManifold,
    b2MakeBox, b2MakePolygon, b2Polygon, b2Rot, b2ShapeCast, b2ShapeCastPairInput, b2ShapeDistance, b2ShapeProxy,
    b2SimplexCache, b2Sweep, b2TOIInput, b2TOIState_b2_toiStateHit, b2TimeOfImpact, b2Transform, b2Vec2,
};

use crate::casts::Casts;
use crate::input::{Input, Pools, Pose, Record, Vec2};
use crate::narrow::Stream;
use crate::race::{Call, Library, Question};

/// Largest number of vertices of a Box2D polygon.
const MOST_VERTICES: usize = 8;

const GJK: Call = Call { library: Library::Box2d, column: "Box2D GJK", question: Question::Intersects };
const MANIFOLD: Call = Call { library: Library::Box2d, column: "Box2D manifold", question: Question::Contact };

const CAST: Call = Call { library: Library::Box2d, column: "Box2D shape cast", question: Question::Contact };
const IMPACT: Call = Call { library: Library::Box2d, column: "Box2D time of impact", question: Question::Contact };

type Records = Rc<[Record<b2Transform>]>;

/// Manifold, and GJK for two polygons, for one row. Empty if a polygon is too large.
pub(crate) fn contestants(input: &Input) -> Vec<Stream> {
    let records: Records = input.records.iter().map(record).collect();
    match &input.pools {
        Pools::Circles(radii) => vec![circles(circle_pool(radii), &records)],
        Pools::CirclesAndRectangles(radii, halves) => {
            vec![circle_and_rectangle(circle_pool(radii), rectangle_pool(halves), &records)]
        }
        Pools::Rectangles(halves) => polygons(&rectangle_pool(halves), &records),
        Pools::Polygons(outlines) => {
            if outlines.iter().any(|o| o.len() > MOST_VERTICES) {
                return Vec::new();
            }
            let pool: Rc<[b2Polygon]> = outlines.iter().map(|o| polygon(o)).collect();
            polygons(&pool, &records)
        }
    }
}

/// Time of impact, and the shape cast without rotation, for a row of casts.
pub(crate) fn casts(input: &Casts) -> Vec<Stream> {
    let proxies: Rc<[b2ShapeProxy]> = input.outlines.iter().map(|o| proxy(&polygon(o))).collect();
    let sweeps: Rc<[([u32; 2], [b2Sweep; 2])]> =
        input.all.iter().map(|c| ([c.start.a, c.start.b], sweeps(c))).collect();
    let other = Rc::clone(&proxies);
    let impact = IMPACT.over(&sweeps, move |&([a, b], [sweep_a, sweep_b])| {
        let (proxy_a, proxy_b) = (other[a as usize], other[b as usize]);
        let input = b2TOIInput { proxyA: proxy_a, proxyB: proxy_b, sweepA: sweep_a, sweepB: sweep_b, maxFraction: 1.0 };
        // SAFETY: reads proxies of 3 to 8 points, keeps no pointer.
        black_box(unsafe { b2TimeOfImpact(&raw const input) }).state == b2TOIState_b2_toiStateHit
    });
    if input.spinning {
        return vec![impact];
    }
    let casts: Rc<[(Record<b2Transform>, b2Vec2)]> =
        input.all.iter().map(|c| (record(&c.start), vector(&c.translation))).collect();
    let cast = CAST.over(&casts, move |(r, translation)| {
        let turned = r.pose_a.q;
        let translation = b2Vec2 {
            x: turned.c * translation.x + turned.s * translation.y,
            y: turned.c * translation.y - turned.s * translation.x,
        };
        let input = b2ShapeCastPairInput {
            proxyA: proxies[r.a as usize],
            proxyB: proxies[r.b as usize],
            transform: relative(r.pose_a, r.pose_b),
            translationB: translation,
            maxFraction: 1.0,
            canEncroach: false,
        };
        // SAFETY: reads proxies of 3 to 8 points, keeps no pointer.
        black_box(unsafe { b2ShapeCast(&raw const input) }).hit
    });
    vec![cast, impact]
}

/// Returns both motions from start to end.
fn sweeps(cast: &crate::casts::Cast) -> [b2Sweep; 2] {
    let Record { pose_a, pose_b, .. } = cast.start;
    let sweep = |start: Pose, translation: Vec2, turn: f64| {
        let (sin, cos) = turn.sin_cos();
        let turned = [start.cos * cos - start.sin * sin, start.sin * cos + start.cos * sin];
        b2Sweep {
            localCenter: b2Vec2 { x: 0.0, y: 0.0 },
            c1: vector(&start.translation),
            c2: vector(&[start.translation[0] + translation[0], start.translation[1] + translation[1]]),
            q1: transform(start).q,
            q2: b2Rot { c: turned[0] as f32, s: turned[1] as f32 },
        }
    };
    [sweep(pose_a, [0.0; 2], cast.turns[0]), sweep(pose_b, cast.translation, cast.turns[1])]
}

fn circles(pool: Rc<[b2Circle]>, records: &Records) -> Stream {
    MANIFOLD.over(records, move |r| {
        let (a, b) = (&pool[r.a as usize], &pool[r.b as usize]);
        let pose = relative(r.pose_a, r.pose_b);
        // SAFETY: reads two live circles, keeps no pointer.
        intersects(unsafe { b2CollideCircles(a, b, pose) })
    })
}

/// Box2D takes the polygon first.
fn circle_and_rectangle(circles: Rc<[b2Circle]>, rectangles: Rc<[b2Polygon]>, records: &Records) -> Stream {
    MANIFOLD.over(records, move |r| {
        let (circle, rectangle) = (&circles[r.a as usize], &rectangles[r.b as usize]);
        let pose = relative(r.pose_b, r.pose_a);
        // SAFETY: reads a live polygon of at most 8 vertices and a live circle, keeps no pointer.
        intersects(unsafe { b2CollidePolygonAndCircle(rectangle, circle, pose) })
    })
}

fn polygons(pool: &Rc<[b2Polygon]>, records: &Records) -> Vec<Stream> {
    let proxies: Rc<[b2ShapeProxy]> = pool.iter().map(proxy).collect();
    let pool = Rc::clone(pool);
    vec![
        GJK.over(records, move |r| {
            let input = b2DistanceInput {
                proxyA: proxies[r.a as usize],
                proxyB: proxies[r.b as usize],
                transform: relative(r.pose_a, r.pose_b),
                useRadii: false,
            };
            distance(&input) == 0.0
        }),
        MANIFOLD.over(records, move |r| {
            let (a, b) = (&pool[r.a as usize], &pool[r.b as usize]);
            let pose = relative(r.pose_a, r.pose_b);
            // SAFETY: reads two live polygons of at most 8 vertices, keeps no pointer.
            intersects(unsafe { b2CollidePolygons(a, b, pose) })
        }),
    ]
}

/// GJK from an empty cache: no two records show the same pair.
fn distance(input: &b2DistanceInput) -> f32 {
    let mut cache = b2SimplexCache { count: 0, indexA: [0; 3], indexB: [0; 3] };
    // SAFETY: the proxies hold 1 to 8 points, and the cache is empty. A null array of simplexes
    // with capacity 0 is the documented way to request no trace. No pointer is kept.
    unsafe { b2ShapeDistance(input, &raw mut cache, std::ptr::null_mut(), 0) }.distance
}

/// Box2D also reports points within a speculative margin. Only pairs that intersect count.
fn intersects(manifold: b2LocalManifold) -> bool {
    let manifold = black_box(manifold);
    let count = usize::try_from(manifold.pointCount).expect("Box2D reports 0, 1 or 2 points");
    manifold.points[..count].iter().any(|p| p.separation <= 0.0)
}

/// Pose of b in the frame of a: Box2D's own formula, which its headers inline.
fn relative(a: b2Transform, b: b2Transform) -> b2Transform {
    let d = [b.p.x - a.p.x, b.p.y - a.p.y];
    b2Transform {
        p: b2Vec2 { x: a.q.c * d[0] + a.q.s * d[1], y: a.q.c * d[1] - a.q.s * d[0] },
        q: b2Rot { c: a.q.c * b.q.c + a.q.s * b.q.s, s: a.q.c * b.q.s - a.q.s * b.q.c },
    }
}

fn record(record: &Record<Pose>) -> Record<b2Transform> {
    Record { a: record.a, b: record.b, pose_a: transform(record.pose_a), pose_b: transform(record.pose_b) }
}

fn transform(pose: Pose) -> b2Transform {
    b2Transform { p: vector(&pose.translation), q: b2Rot { c: pose.cos as f32, s: pose.sin as f32 } }
}

fn circle_pool(radii: &[f64]) -> Rc<[b2Circle]> {
    radii.iter().map(|&radius| b2Circle { center: b2Vec2 { x: 0.0, y: 0.0 }, radius: radius as f32 }).collect()
}

fn rectangle_pool(halves: &[Vec2]) -> Rc<[b2Polygon]> {
    halves
        .iter()
        // SAFETY: takes two positive numbers, returns a value.
        .map(|h| unsafe { b2MakeBox(h[0] as f32, h[1] as f32) })
        .collect()
}

/// Straight from the vertices: Box2D's hull would weld or drop some, and everybody gets the same numbers.
fn polygon(outline: &[Vec2]) -> b2Polygon {
    let mut hull = b2Hull {
        points: [b2Vec2 { x: 0.0, y: 0.0 }; MOST_VERTICES],
        count: i32::try_from(outline.len()).expect("at most 8"),
    };
    for (to, from) in hull.points.iter_mut().zip(outline) {
        *to = vector(from);
    }
    // SAFETY: reads a live hull of 3 to 8 points (`contestants` leaves larger ones out), which are
    // convex and counter-clockwise; keeps no pointer.
    unsafe { b2MakePolygon(&raw const hull, 0.0) }
}

fn proxy(polygon: &b2Polygon) -> b2ShapeProxy {
    b2ShapeProxy { points: polygon.vertices, count: polygon.count, radius: polygon.radius }
}

fn vector(v: &Vec2) -> b2Vec2 {
    b2Vec2 { x: v[0] as f32, y: v[1] as f32 }
}
