//! Motions of points, tiny circles and segments at the vertices of chains.
//!
//! They never overlap a link by a depth that counts, so the passage through the link decides.

use carom::world::CastOptions;
use carom::{Collider, DVec2, Shape, World};

use super::motion_overlap::moved;

/// Shapes that are thin relative to a link of length 5, and their lowest point below the origin.
fn thin_shapes() -> [(Shape, f64); 4] {
    [
        (Shape::circle(0.0).unwrap(), 0.0),
        (Shape::circle(1e-7).unwrap(), 1e-7),
        (Shape::circle(1e-5).unwrap(), 1e-5),
        (Shape::segment([-0.5, 0.0], [0.0, 0.0]).unwrap(), 0.0),
    ]
}

/// A world with a chain along the x axis to the origin, and from there to a point.
fn bend(end: [f64; 2]) -> World {
    let mut world = World::new();
    world.insert(Collider::new(Shape::chain(&[[-5.0, 0.0], [0.0, 0.0], end]).unwrap()).fixed(true));
    world
}

/// Each concave bend of a chain stops what slides toward it, and its normal is that of the second link.
///
/// Regression: the contact with the second link counted as one with an internal edge, and a point never overlaps a link
/// by the depth that was tested next. So a point left through the corner of a room.
#[test]
fn a_concave_bend_stops_thin_bodies() {
    for end in [[0.0, 5.0], [3.0, 5.0], [-3.0, 5.0], [5.0, 2.0], [5.0, 0.5], [5.0, 0.01]] {
        let link = DVec2::from(end);
        let normal = link.perp() / link.length();
        for (shape, lowest) in thin_shapes() {
            for lift in [1e-9, 2.5e-8, 1e-3] {
                let (mut world, start) = (bend(end), DVec2::new(-2.0, lowest + lift));
                let motion = shape.at(start).unwrap().sweep([4.0, 0.0]).unwrap();
                let cast = world.shape_cast_with(motion, u64::MAX, CastOptions::new().ignore_internal_edges());
                let body = world.insert(Collider::new(shape.clone()).at(start).unwrap());
                let at = moved(&mut world, body, [4.0, 0.0], 0.0);
                // The distance of the centre, or of the front end, from the line of the second link.
                let distance = normal.dot(at);
                assert!(distance > 0.0 && distance - lowest < 1e-6, "{end:?} {shape:?} {lift:e}: {distance:e}");
                let found: Vec<DVec2> = world.motion_hits().map(|hit| hit.hit.normal).collect();
                assert_eq!(found.len(), 1, "{end:?} {shape:?} {lift:e}");
                let (_, hit) = cast.unwrap();
                for found in [found[0], hit.normal] {
                    assert!((found - normal).length() < 0.05, "{end:?} {shape:?} {lift:e}: {found}, not {normal}");
                }
            }
        }
    }
}

/// A straight chain and a convex bend stop nothing that slides along them.
#[test]
fn a_convex_bend_lets_thin_bodies_pass() {
    for end in [[5.0, 0.0], [5.0, -0.01], [5.0, -2.0], [0.0, -5.0]] {
        for (shape, lowest) in thin_shapes() {
            for lift in [1e-9, 2.5e-8, 1e-3] {
                let (mut world, start) = (bend(end), DVec2::new(-2.0, lowest + lift));
                let body = world.insert(Collider::new(shape.clone()).at(start).unwrap());
                let at = moved(&mut world, body, [4.0, 0.0], 0.0);
                assert_eq!(at, start + DVec2::new(4.0, 0.0), "{end:?} {shape:?} {lift:e}");
            }
        }
    }
}

/// A point that slides along the links of a room never leaves it.
#[test]
fn a_room_of_links_keeps_a_point() {
    let mut rng = fastrand::Rng::with_seed(0x9017);
    for round in 0..100 {
        let corners: Vec<DVec2> = (0..[3, 5, 64][round % 3])
            .map(|i| DVec2::from_angle(f64::from(i) / [3.0, 5.0, 64.0][round % 3] * std::f64::consts::TAU) * 10.0)
            .collect();
        let inside = |p: DVec2| {
            (0..corners.len()).all(|i| {
                let (from, to) = (corners[i], corners[(i + 1) % corners.len()]);
                (to - from).perp_dot(p - from) > 0.0
            })
        };
        let mut world = World::new();
        world.insert(Collider::new(Shape::closed_chain(&corners).unwrap()).fixed(true));
        let body = world.insert(Collider::new(Shape::circle(0.0).unwrap()).at([0.5, 0.25]).unwrap());
        let mut motion = DVec2::ZERO;
        for step in 0..200 {
            if rng.u8(0..10) == 0 {
                motion = DVec2::new(rng.f64() - 0.5, rng.f64() - 0.5) * 10_f64.powf(rng.f64() * 4.0 - 2.0);
            }
            let end = moved(&mut world, body, motion.to_array(), 0.0);
            assert!(inside(end), "round {round}, step {step}: {end}");
            for hit in world.motion_hits() {
                motion -= hit.hit.normal * motion.dot(hit.hit.normal).min(0.0);
            }
        }
    }
}

/// A one-way chain stops a body at its slope, also after a seam before it.
#[test]
fn a_one_way_chain_stops_behind_a_seam() {
    for lift in [0.0, 1e-9, -1e-9] {
        let mut world = World::new();
        let chain = Shape::chain(&[[0.0, 0.0], [5.0, 0.0], [10.0, 0.0], [14.0, 3.0], [18.0, 3.0]]).unwrap();
        world.insert(Collider::new(chain).fixed(true).one_way([0.0, 1.0]).unwrap());
        let body = world.insert(Collider::new(Shape::rectangle(1.0, 1.0).unwrap()).at([1.0, 0.5 + lift]).unwrap());
        world.update();
        let end = moved(&mut world, body, [20.0, 0.0], 0.0);
        assert!((end.x - 9.5).abs() < 1e-6, "{lift:e}: {end}");
    }
}
