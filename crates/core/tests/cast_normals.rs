//! The normal of every cast is that of the surface hit, against the motion. The normal of every
//! pair points from the first to the second.

use carom::internal_edges::surface_contacts;
use carom::query::ShapeHit;
use carom::{Collider, DVec2, Error, Pose, Ray, Shape, World, collide, distance, ray_cast, time_of_impact};

fn targets() -> Vec<Shape> {
    vec![
        Shape::circle(1.0).unwrap(),
        Shape::rectangle(2.0, 1.0).unwrap(),
        Shape::capsule([-1.0, 0.0], [1.0, 0.5], 0.25).unwrap(),
        Shape::polygon(&[[0.0, -1.0], [1.0, 0.0], [0.0, 1.0]]).unwrap(),
        Shape::polygon(&[[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [0.0, 0.0], [-1.0, 1.0]]).unwrap(),
        Shape::closed_chain(&[[-1.0, -1.0], [1.0, -1.0], [0.0, 1.0]]).unwrap(),
    ]
}

/// A random start outside all targets, and a translation through the middle of them.
fn translation(rng: &mut fastrand::Rng) -> (DVec2, DVec2) {
    let from = DVec2::from_angle(rng.f64() * std::f64::consts::TAU) * (4.0 + rng.f64());
    (from, (DVec2::new(rng.f64() - 0.5, rng.f64() - 0.5) - from) * 2.0)
}

/// A moving circle is a thick ray, and a collider with a motion is a cast. All three return the
/// same surface.
#[test]
fn casts_have_the_normal_of_the_surface_that_was_hit() -> Result<(), Error> {
    let mut rng = fastrand::Rng::with_seed(5);
    let mut hits = 0;
    for round in 0..400 {
        let target = targets()[round % 6].clone();
        let pose = Pose::from_degrees([0.0, 0.0], rng.f64() * 360.0)?;
        let (from, translation) = translation(&mut rng);
        let ball = Shape::circle(0.25)?;
        let Some(thick) = ray_cast(Ray::new(from, translation)?.with_radius(0.25)?, target.placed(pose)) else {
            continue;
        };
        if thick.normal.dot(translation) > -0.1 * translation.length() {
            continue; // a graze: the time is rounded, and the normal changes fast
        }
        hits += 1;

        let mut world = World::new();
        let collider = Collider::new(target.clone()).pose(pose);
        let is_first = round % 2 == 0;
        let early = is_first.then(|| world.insert(collider.clone()));
        let mover = world.insert(Collider::new(ball.clone()).at(from)?);
        let other = early.unwrap_or_else(|| world.insert(collider));
        let (found, cast) = world
            .shape_cast(ball.at(from)?.sweep(translation)?, carom::world::QueryFilter::ALL.exclude_collider(mover))
            .unwrap();
        world.set_motion(mover, translation, 0.0)?;
        world.update();
        let moved = world.motion_hits().next().unwrap();

        assert_eq!((found, moved.mover, moved.other), (other, mover, other));
        for ShapeHit { time, point, normal, initial_depth, .. } in [cast, moved.hit] {
            assert!(
                normal.is_normalized() && normal.dot(translation) < 0.0 && initial_depth.is_none(),
                "{normal} {translation}"
            );
            assert!(
                (normal - thick.normal).length() < 1e-4,
                "{target:?} {from} {translation}: {normal} {}",
                thick.normal
            );
            assert!((point - thick.point).length() < 1e-5 && (time - thick.time).abs() < 1e-6);
        }
        let impact = time_of_impact(ball.at(from)?.sweep(translation)?, target.placed(pose)).unwrap();
        assert_eq!(impact.normal, -cast.normal, "of a pair it leads from a to b");
    }
    assert!(hits > 300, "{hits}");
    Ok(())
}

/// The normal of a cast that starts inside, times the depth, moves the shape out; so does that of a surface contact.
#[test]
fn casts_that_start_inside_lead_out() -> Result<(), Error> {
    let mut rng = fastrand::Rng::with_seed(6);
    let ball = Shape::circle(0.5)?;
    for round in 0..200 {
        let target = targets()[round % 4].clone();
        let mut world = World::new();
        world.insert(Collider::new(target.clone()));
        let inside = ball.at([rng.f64() * 0.5, rng.f64() * 0.5 - 0.25])?;
        let (_, hit) = world.shape_cast(inside.sweep([1, 0])?, u64::MAX).unwrap();
        let depth = hit.initial_depth.unwrap();
        let out = ball.at(inside.pose().translation() + hit.normal * (depth + 1e-9))?;
        assert!(distance(out, target.at([0, 0])?).distance > 0.0, "{target:?} {hit:?}");

        let mut contacts = Vec::new();
        surface_contacts(inside, &[target.at([0, 0])?], 0.0, &mut contacts);
        let pair = collide(target.at([0, 0])?, inside).unwrap();
        assert_eq!(contacts[0].manifold.normal, pair.normal, "from the surface to the mover");
        assert!((pair.normal - hit.normal).length() < 1e-9 || (pair.depth - depth).abs() < 1e-9);
    }
    Ok(())
}

/// Of two in motion the lower handle is the mover; one that has stopped before was hit.
#[test]
fn of_two_movers_the_lower_handle_hits_the_other() -> Result<(), Error> {
    let mut world = World::new();
    let ball = Shape::circle(0.5)?;
    let left = world.insert(Collider::new(ball.clone()).at([0, 0])?);
    let right = world.insert(Collider::new(ball.clone()).at([5, 0])?);
    let wall = world.insert(Collider::new(Shape::rectangle(1.0, 1.0)?).at([0, 2])?);
    world.set_motion(left, [4, 0], 0.0)?;
    world.set_motion(right, [-4, 0], 0.0)?;
    world.update();
    let hit = world.motion_hits().next().unwrap();
    assert_eq!((hit.mover, hit.other, hit.hit.normal), (left, right, DVec2::NEG_X));

    world.set_pose(left, Pose::from_translation([0, 0])?)?;
    world.set_pose(right, Pose::from_translation([5, 1])?)?;
    world.set_motion(left, [0, 9], 0.0)?; // stops at the wall at once
    world.set_motion(right, [-9, 0], 0.0)?;
    world.update();
    let hits: Vec<_> = world.motion_hits().map(|hit| (hit.mover, hit.other)).collect();
    assert_eq!(hits, [(left, wall), (right, left)]);
    Ok(())
}
