//! The visibility polygon contains exactly the points that a ray from the eye reaches.

use carom::{Collider, DVec2, ErrorKind, Pose, Shape, World};

/// Returns whether the point is inside, by the triangle of the eye that contains its direction.
/// `None` if it is too near the boundary to decide.
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
fn a_region_is_the_set_that_rays_reach() {
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
            let position = (DVec2::new(rng.f64(), rng.f64()) - 0.5) * 16.0;
            world.insert(Collider::new(shape).pose(Pose::new(position, rng.f64() * 6.0).unwrap()));
        }
        let eye = DVec2::new(rng.f64() - 0.5, rng.f64() - 0.5);
        let region = world.visibility_polygon(eye, 8.0, 0.005, u64::MAX).unwrap();
        if !world.containing_point(eye, u64::MAX).unwrap().is_empty() {
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

/// Three rays go past every vertex. Rounding changed their order if the eye was near the vertex and
/// far from the origin.
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
            let position = home + (DVec2::new(rng.f64(), rng.f64()) - 0.5) * 6.0 * size;
            world.insert(
                Collider::new(shape[rng.usize(0..3)].clone()).pose(Pose::new(position, rng.f64() * 6.0).unwrap()),
            );
        }
        let region = world.visibility_polygon(home, 4.0 * size, 0.01 * size, u64::MAX).unwrap();
        if region.is_empty() {
            continue;
        }
        looked += 1;
        // Edges along one ray may lie on each other: light that just passes between two corners.
        let crosses = Shape::polygon(&region).is_err_and(|error| error.kind() == ErrorKind::SelfCrossing);
        assert!(!crosses, "round {round}: {region:?}");
    }
    assert!(looked > 100, "{looked}");
}

/// A circle arc or a segment that hides the area behind it.
enum Screen {
    Segment(DVec2, DVec2),
    Circle(DVec2, f64),
}

impl Screen {
    /// Returns the distance from the eye along a unit direction at which the obstacle is hit.
    fn reached(&self, eye: DVec2, direction: DVec2) -> f64 {
        match *self {
            Self::Segment(a, b) => {
                let (u, v) = (b - a, a - eye);
                let area = direction.perp_dot(u);
                let (t, s) = (v.perp_dot(u) / area, v.perp_dot(direction) / area);
                if t >= 0.0 && (0.0..=1.0).contains(&s) { t } else { f64::INFINITY }
            }
            Self::Circle(center, radius) => {
                let (along, off) = ((center - eye).dot(direction), (center - eye).perp_dot(direction).abs());
                if along > 0.0 && off <= radius { along - (radius * radius - off * off).sqrt() } else { f64::INFINITY }
            }
        }
    }
}

/// The screens of a rounded outline at a pose.
fn screens(outline: &[[f64; 2]], closed: bool, radius: f64, pose: Pose) -> Vec<Screen> {
    let points: Vec<DVec2> = outline.iter().map(|&p| pose.transform_point(p)).collect();
    let count = points.len() - usize::from(!closed && points.len() > 1);
    let mut all: Vec<Screen> = points.iter().filter(|_| radius > 0.0).map(|&p| Screen::Circle(p, radius)).collect();
    for i in 0..count {
        let (a, b) = (points[i], points[(i + 1) % points.len()]);
        let side = (b - a).normalize_or_zero().perp() * radius;
        all.extend([Screen::Segment(a + side, b + side), Screen::Segment(a - side, b - side)]);
    }
    all
}

/// The distance of a point to a region: 0 inside.
fn distance_to(region: &[DVec2], p: DVec2) -> f64 {
    let (mut odd, mut nearest) = (false, f64::INFINITY);
    for (i, &a) in region.iter().enumerate() {
        let b = region[(i + 1) % region.len()];
        let along = b - a;
        let t = ((p - a).dot(along) / along.length_squared().max(1e-300)).clamp(0.0, 1.0);
        nearest = nearest.min((a + along * t - p).length());
        odd ^= (a.y > p.y) != (b.y > p.y) && p.x < a.x + (b.x - a.x) * (p.y - a.y) / (b.y - a.y);
    }
    if odd { 0.0 } else { nearest }
}

/// Every point that a ray from the eye reaches lies within the deviation of the region. Outlines
/// cross each other and the range.
#[test]
fn a_region_reaches_as_far_as_sight_does() {
    let mut rng = fastrand::Rng::with_seed(0x51_9ef);
    let mut looked = 0;
    for round in 0..60 {
        let (mut world, mut all) = (World::new(), Vec::new());
        for _ in 0..rng.usize(1..16) {
            let pose = Pose::new((DVec2::new(rng.f64(), rng.f64()) - 0.5) * 16.0, rng.f64() * 6.0).unwrap();
            let radius = [0.0, 0.3][rng.usize(0..2)];
            let long = 1.0 + 20.0 * rng.f64() * rng.f64();
            let (shape, screens) = match rng.u8(0..3) {
                0 => {
                    let points = [[-long, 0.0], [0.0, 1.0], [long, 0.0]];
                    (Shape::chain(&points).unwrap(), screens(&points, false, radius, pose))
                }
                1 => {
                    let points = [[-0.5, -long], [0.5, -long], [0.5, long], [-0.5, long]];
                    (Shape::polygon(&points).unwrap(), screens(&points, true, radius, pose))
                }
                _ => (Shape::circle(0.5).unwrap(), screens(&[[0.0, 0.0]], true, 0.5 + radius, pose)),
            };
            world.insert(Collider::new(if radius > 0.0 { shape.rounded(radius).unwrap() } else { shape }).pose(pose));
            all.extend(screens);
        }
        let eye = DVec2::new(rng.f64() - 0.5, rng.f64() - 0.5);
        let deviation = [0.1, 0.01, 0.001][round % 3];
        let region = world.visibility_polygon(eye, 10.0, deviation, u64::MAX).unwrap();
        if region.is_empty() {
            continue;
        }
        looked += 1;
        for k in 0..2_000 {
            let direction = DVec2::from_angle(f64::from(k) * std::f64::consts::TAU / 2_000.0);
            let reached = all.iter().map(|screen| screen.reached(eye, direction)).fold(10.0, f64::min);
            let off = distance_to(&region, eye + direction * reached);
            assert!(
                off <= deviation + 1e-7,
                "round {round}: {off} outside at {k}, {reached} away, deviation {deviation}"
            );
        }
    }
    assert!(looked > 30, "{looked}");
}

/// Regression: a wall longer than the range was visible only up to the last vertex of the arc
/// before it.
#[test]
fn a_wall_is_visible_up_to_the_end_of_the_range() {
    let mut world = World::new();
    world.insert(Collider::new(Shape::segment([5.0, -50.0], [5.0, 50.0]).unwrap()));
    let region = world.visibility_polygon([0.0, 0.0], 10.0, 0.1, u64::MAX).unwrap();
    for y in [-75.0_f64.sqrt(), 75.0_f64.sqrt()] {
        assert!(region.iter().any(|p| p.distance(DVec2::new(5.0, y)) < 1e-9), "{region:?}");
    }
}

/// Two walls that cross hide each other from the crossing on, which is a corner of neither.
#[test]
fn a_region_has_the_corners_at_which_walls_cross() {
    let mut world = World::new();
    world.insert(Collider::new(Shape::segment([5.0, -20.0], [3.0, 20.0]).unwrap()));
    world.insert(Collider::new(Shape::segment([3.0, -18.0], [5.0, 22.0]).unwrap()));
    let region = world.visibility_polygon([0.0, 0.0], 10.0, 1.0, u64::MAX).unwrap();
    assert!(region.iter().any(|p| p.distance(DVec2::new(3.95, 1.0)) < 1e-9), "{region:?}");
}
