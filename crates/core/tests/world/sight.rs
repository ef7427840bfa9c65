//! The visible region holds what a ray from the eye reaches, and nothing else.

use carom::{Collider, DVec2, ErrorKind, Pose, Shape, World};

/// Is the point inside, by the triangle of the eye that its direction falls into? `None` where it is too near the border to tell.
fn inside(eye: DVec2, region: &[DVec2], p: DVec2) -> Option<bool> {
    let (mut found, mut near) = (false, false);
    for (i, &a) in region.iter().enumerate() {
        let b = region[(i + 1) % region.len()];
        let along = b - a;
        let t = ((p - a).dot(along) / along.length_squared().max(1e-300)).clamp(0.0, 1.0);
        near |= (a + along * t - p).length() < 0.02;
        let sides = [(a - eye).perp_dot(p - eye), (p - eye).perp_dot(b - eye), (b - a).perp_dot(p - a)];
        found |= sides.iter().all(|&side| side >= 0.0);
    }
    (!near).then_some(found && !near)
}

#[test]
fn a_region_is_what_rays_reach() {
    let mut rng = fastrand::Rng::with_seed(0x51_9ed);
    let (mut seen, mut hidden) = (0, 0);
    for round in 0..40 {
        let mut world = World::new();
        for _ in 0..12 {
            let shape = match rng.u8(0..3) {
                0 => Shape::circle(0.3 + rng.f64()).unwrap(),
                1 => Shape::rectangle(0.5, 2.0).unwrap().rounded(0.1 * f64::from(rng.u8(0..2))).unwrap(),
                _ => Shape::chain(&[[-1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]).unwrap(),
            };
            let place = (DVec2::new(rng.f64(), rng.f64()) - 0.5) * 16.0;
            world.insert(Collider::new(shape).pose(Pose::new(place, rng.f64() * 6.0).unwrap()));
        }
        let eye = DVec2::new(rng.f64() - 0.5, rng.f64() - 0.5);
        let region = world.visible_region(eye, 8.0, 0.005, u64::MAX).unwrap();
        if !world.at_point(eye, u64::MAX).unwrap().is_empty() {
            assert!(region.is_empty());
            continue;
        }
        for _ in 0..300 {
            let p = (DVec2::new(rng.f64(), rng.f64()) - 0.5) * 15.0;
            let ray = carom::Ray::new(eye, p - eye).unwrap();
            let free = (p - eye).length() < 7.97 && !world.ray_cast_any(ray, u64::MAX);
            if (p - eye).length() > 7.9 && (p - eye).length() < 8.1 {
                continue;
            }
            if let Some(inside) = inside(eye, &region, p) {
                assert_eq!(inside, free, "round {round}: {p} from {eye}");
                (seen, hidden) = (seen + usize::from(free), hidden + usize::from(!free));
            }
        }
    }
    assert!(seen > 1000 && hidden > 1000, "{seen} {hidden}");
}

/// Three rays go past every corner, so close to each other that rounding changed their order where the eye is near it and far from the origin.
#[test]
fn a_region_never_crosses_itself() {
    let mut rng = fastrand::Rng::with_seed(0x51_9ee);
    let mut looked = 0;
    for round in 0..300 {
        let home = DVec2::new(1.0, -0.7) * [0.0, 1e3, 1e6, 1e8][round % 4];
        let size = [1.0, 0.01][round / 4 % 2];
        let mut world = World::new();
        for _ in 0..8 {
            let shape = [
                Shape::circle(0.3 * size).unwrap(),
                Shape::rectangle(0.5 * size, size).unwrap(),
                Shape::chain(&[[-size, 0.0], [0.0, size], [size, 0.0]]).unwrap(),
            ];
            let place = home + (DVec2::new(rng.f64(), rng.f64()) - 0.5) * 6.0 * size;
            world.insert(Collider::new(shape[rng.usize(0..3)].clone()).pose(Pose::new(place, rng.f64() * 6.0).unwrap()));
        }
        let region = world.visible_region(home, 4.0 * size, 0.01 * size, u64::MAX).unwrap();
        if region.is_empty() {
            continue;
        }
        looked += 1;
        // Edges along one ray may lie on each other: light that just passes between two corners.
        let crosses = Shape::concave(&region, &[]).is_err_and(|error| error.kind() == ErrorKind::SelfCrossing);
        assert!(!crosses, "round {round}: {region:?}");
    }
    assert!(looked > 100, "{looked}");
}
