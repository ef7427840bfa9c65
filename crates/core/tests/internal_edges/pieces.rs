//! Compares a convex shape in pieces with the whole shape.

use carom::{DVec2, Placed, Pose, Shape, collide};

use super::scene::{below, movers, slide};
use crate::support;

/// Rectangles cut into rectangles, T-junctions and all, as separate colliders: their contacts are
/// those of the whole, at its corners too.
#[test]
fn pieces_of_a_rectangle_are_the_rectangle() {
    let (mut meetings, mut ghosts) = (0, 0);
    for seed in support::run::seed()..support::run::seed() + support::run::pairs(3_000) {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut pieces = vec![[DVec2::new(-3.0, -2.0), DVec2::new(3.0, 2.0)]];
        for _ in 0..rng.usize(1..12) {
            let (i, axis, part) = (rng.usize(0..pieces.len()), rng.usize(0..2), 0.3 + 0.4 * rng.f64());
            let [low, high] = pieces[i];
            if high[axis] - low[axis] > 1.0 {
                let (mut end, mut start) = (high, low);
                end[axis] = low[axis] + (high[axis] - low[axis]) * part;
                start[axis] = end[axis];
                pieces[i] = [low, end];
                pieces.push([start, high]);
            }
        }
        let outline = |[low, high]: [DVec2; 2]| {
            Shape::polygon(&[low, DVec2::new(high.x, low.y), high, DVec2::new(low.x, high.y)]).unwrap()
        };
        let (whole, parts) = (
            outline([DVec2::new(-3.0, -2.0), DVec2::new(3.0, 2.0)]),
            pieces.iter().map(|&p| outline(p)).collect::<Vec<_>>(),
        );
        let world = Pose::new([rng.f64() * 50.0, rng.f64() * 50.0], rng.f64() * 7.0).unwrap();
        let surface: Vec<Placed<'_>> = parts.iter().map(|p| p.placed(world)).collect();
        let size = 0.2 + 2.0 * rng.f64();
        let (name, shape, _) = movers(size).swap_remove(rng.usize(0..12));
        let angle = if rng.bool() { 0.0 } else { rng.f64() * 7.0 };
        let edge = [DVec2::new(3.0, 4.0 * rng.f64() - 2.0), DVec2::new(6.0 * rng.f64() - 3.0, 2.0)][rng.usize(0..2)];
        let toward = if edge.x == 3.0 { DVec2::X } else { DVec2::Y };
        let turn = toward.to_angle() - std::f64::consts::FRAC_PI_2;
        let at = edge + toward * (below(&shape, angle) - 0.2 * size * rng.f64() * rng.f64());
        let mover = shape.placed(Pose::new(world.transform_point(at), angle + turn + world.angle()).unwrap());
        let (Some(truth), contacts) = (collide(whole.placed(world), mover), slide(mover, &surface)) else { continue };
        meetings += 1;
        ghosts +=
            usize::from(surface.iter().filter_map(|&s| collide(s, mover)).any(|m| m.normal.dot(truth.normal) < 0.999));
        let deepest = contacts.iter().map(|m| m.depth).fold(f64::NEG_INFINITY, f64::max);
        assert!((deepest - truth.depth).abs() < 1e-9, "seed {seed}, {name}: {deepest} not {}", truth.depth);
        for m in &contacts {
            // Its deepest place is on the outline of the whole, which lies behind the normal there.
            let height = whole
                .placed(world)
                .points()
                .map(|p| m.normal.dot(p - m.points()[0].on_a))
                .fold(f64::NEG_INFINITY, f64::max);
            assert!(height < 1e-6 * size, "seed {seed}, {name}: the rectangle reaches {height} beyond {m:?}");
        }
    }
    assert!(meetings > 2_000 && ghosts * 30 > meetings, "{ghosts} of {meetings}");
}
