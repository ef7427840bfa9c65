//! Queries against many shapes of any magnitude, single, in batches and with packed shapes, return
//! the results of a loop over all shapes.

use crate::support::run::{pairs, seed};
use carom::broad_phase::{Bvh, Filter, LocalOrigin};
use carom::query::{QuantizedShapes, QueryPipeline};
use carom::{DVec2, Placed, Pose, Ray, Shape, distance, intersects, ray_cast};
use fastrand::Rng;

/// A number of any exponent within the range, or one of a few alike.
fn number(dice: &mut Rng) -> f64 {
    const EDGES: [f64; 10] = [0.0, 1.0, -1.0, 1e30, -1e30, 5e-324, -2.2e-308, 1.2e-256, 1e-154, 1e15];
    match dice.u8(..4) {
        0 => EDGES[dice.usize(..EDGES.len())],
        1 => f64::from(dice.i32(-4..5)),
        // Any exponent up to that of 1e30.
        2 => f64::from_bits(dice.u64(..) & !(0x7ff << 52) | dice.u64(..0x462) << 52),
        _ => dice.f64() * 10.0_f64.powi(dice.i32(-40..30)),
    }
}

fn point(dice: &mut Rng) -> DVec2 {
    DVec2::new(number(dice), number(dice))
}

fn any<T>(dice: &mut Rng, make: impl Fn(&mut Rng) -> Option<T>) -> T {
    loop {
        if let Some(made) = make(dice) {
            return made;
        }
    }
}

fn shape(dice: &mut Rng) -> Shape {
    any(dice, |dice| {
        match dice.u8(..5) {
            0 => Shape::circle(number(dice)),
            1 => Shape::segment(point(dice), point(dice)),
            2 | 3 => Shape::rectangle(number(dice), number(dice)),
            _ => Shape::polygon(&(0..dice.usize(3..8)).map(|_| point(dice)).collect::<Vec<_>>()),
        }
        .ok()
    })
}

fn pose(dice: &mut Rng) -> Pose {
    any(dice, |dice| {
        let position = if dice.bool() { DVec2::ZERO } else { point(dice) };
        if dice.bool() {
            Pose::from_translation(position)
        } else {
            Pose::from_degrees(position, f64::from(dice.i32(0..8)) * 45.0)
        }
        .ok()
    })
}

/// Places that matter: anywhere, corners and middles of edges.
fn position(dice: &mut Rng, placed: Placed<'_>) -> DVec2 {
    let points: Vec<DVec2> = placed.points().collect();
    let mut corner = || points[dice.usize(..points.len())];
    let (p, q) = (corner(), corner());
    match dice.u8(..4) {
        0 => point(dice),
        1 => p,
        2 => p * 0.5 + q * 0.5,
        _ => p + point(dice),
    }
}

/// A place, and a ray from there if it is a valid one.
fn query<'a>(dice: &mut Rng, any: impl Fn(&mut Rng) -> Placed<'a>) -> (DVec2, Option<Ray>) {
    let (p, q) = (any(dice), any(dice));
    let (from, to) = (position(dice, p), position(dice, q));
    let ray = Ray::new(from, to - from).ok();
    let ray = ray.and_then(|ray| if dice.u8(..4) == 0 { ray.with_radius(number(dice)).ok() } else { Some(ray) });
    (from, ray.map(|ray| if dice.u8(..4) == 0 { ray.hollow() } else { ray }))
}

/// The largest coordinate of a box.
fn extent(min: DVec2, max: DVec2) -> f64 {
    min.abs().max(max.abs()).max_element()
}

fn holding<'s, F: Fn(u32) -> Option<Placed<'s>>>(among: &QueryPipeline<'_, Bvh, F>, point: DVec2) -> Vec<u32> {
    let mut holding = Vec::new();
    let visit = |id| {
        holding.push(id);
        std::ops::ControlFlow::Continue(())
    };
    among.visit_containing_point(point, visit).unwrap();
    holding.sort_unstable();
    holding
}

/// Placed shapes of any kind, up to eleven.
fn scene(dice: &mut Rng) -> Vec<(Shape, Pose)> {
    (0..dice.usize(1..12)).map(|_| (shape(dice), pose(dice))).collect()
}

#[test]
fn queries_of_any_magnitude_agree_with_asking_every_shape() {
    let rounds = pairs(300);
    let seed = seed();
    let dot = Shape::circle(0.0).unwrap();
    let (mut dice, mut hits_found, mut equal) = (Rng::with_seed(seed), 0, 0);
    for round in 0..rounds {
        let shapes = scene(&mut dice);
        let placed = |id: u32| shapes[id as usize].0.placed(shapes[id as usize].1);
        let ids = || 0..shapes.len() as u32;
        let frame = LocalOrigin::new(if dice.bool() { DVec2::ZERO } else { placed(0).pose().translation() });
        let bvh = Bvh::from_boxes(ids().map(|id| (id, frame.to_local(&placed(id).aabb()), Filter::default(), false)));
        let mut by_id = QuantizedShapes::new();
        ids().for_each(|id| by_id.set(id, placed(id)));
        let packed = QuantizedShapes::packed(frame, ids().map(|id| (id, placed(id))));
        let largest = ids().map(|id| placed(id).aabb()).map(|aabb| extent(aabb.min(), aabb.max())).fold(0.0, f64::max);
        let (mut rays, mut points) = (Vec::new(), Vec::new());
        for _ in 0..8 {
            let (from, ray) = query(&mut dice, |dice| placed(dice.u32(..shapes.len() as u32)));
            if placed(0).shape().at(from).is_ok() {
                points.push(from);
            }
            rays.extend(ray);
        }
        for (kind, outlines) in [("none", None), ("by id", Some(&by_id)), ("packed", Some(&packed))] {
            let among = QueryPipeline::new(&bvh, frame, |id| Some(placed(id)));
            let among = if let Some(outlines) = outlines { among.with_outlines(outlines) } else { among };
            let mut hits = Vec::new();
            among.ray_cast_batch(&rays, &mut hits);
            for (ray, batch) in rays.iter().zip(hits) {
                let all = ids().filter_map(|id| Some((id, ray_cast(*ray, placed(id))?)));
                let expected = all.min_by(|(i, a), (j, b)| a.time.total_cmp(&b.time).then(i.cmp(j)));
                let found = among.ray_cast(*ray);
                let rounding = 2e-12 * largest.max(extent(ray.origin(), ray.end()));
                assert_eq!(batch, found, "round {round}, outlines {kind}, batch: {ray:?}, {shapes:?}");
                assert_eq!(found.is_some(), expected.is_some(), "round {round}, outlines {kind}: {ray:?}, {shapes:?}");
                if let (Some((id, hit)), Some((_, first))) = (found, expected) {
                    assert_eq!(
                        Some(hit),
                        ray_cast(*ray, placed(id)),
                        "round {round}, outlines {kind}: {ray:?}, {shapes:?}"
                    );
                    // Near shapes of extreme sizes, times differ only up to their rounding.
                    let apart = (hit.time - first.time) * (ray.end() - ray.origin()).length();
                    assert!(
                        apart <= rounding,
                        "round {round}, outlines {kind}: {found:?} and {expected:?}, {ray:?}, {shapes:?}"
                    );
                    equal += usize::from(found == expected);
                }
                hits_found += usize::from(expected.is_some());
            }
            for &at in &points {
                let rounding = 2e-12 * largest.max(at.abs().max_element());
                let dot = dot.at(at).unwrap();
                let near = ids().map(|id| (id, distance(placed(id), dot)));
                let expected = near.min_by(|(i, a), (j, b)| a.distance.total_cmp(&b.distance).then(i.cmp(j)));
                let (id, found) = among.nearest(at, f64::INFINITY).unwrap().expect("there are shapes");
                assert_eq!(found, distance(placed(id), dot), "round {round}, outlines {kind}: {at:?}, {shapes:?}");
                let apart = found.distance - expected.map_or(0.0, |(_, least)| least.distance);
                assert!(
                    apart <= rounding,
                    "round {round}, outlines {kind}: {id} {found:?} and {expected:?}, {at:?}, {shapes:?}"
                );
                let expected: Vec<u32> = ids().filter(|&id| intersects(placed(id), dot)).collect();
                assert_eq!(holding(&among, at), expected, "round {round}, outlines {kind}: {at:?}, {shapes:?}");
            }
        }
    }
    // Those that may go either way are few.
    assert!(
        hits_found as u64 > rounds && equal * 100 > hits_found * 99,
        "too few hits, or too few alike: {equal} of {hits_found}"
    );
}
