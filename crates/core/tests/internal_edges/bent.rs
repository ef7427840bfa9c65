//! Chains with bends, whose true normals are known.

use carom::{DVec2, Manifold, Pose, Shape, overlaps};

use super::scene::{below, movers, slide, summary};
use crate::support;

/// The points of a gentle arc; it bulges up for a positive sagitta.
fn arc(points: i32, bulge: f64) -> Vec<DVec2> {
    (-points..=points).map(|i| f64::from(i) / 10.0).map(|x| DVec2::new(x, -bulge * x * x)).collect()
}

/// Returns true if the normal is one of the polyline at its point, seen from above (or below). Of a
/// convex corner all between those of both sides, of a concave one theirs.
fn is_of_polyline(points: &[DVec2], m: &Manifold, side: f64) -> bool {
    let normal = |i: usize| (points[i + 1] - points[i]).normalize().perp() * side;
    let on = m.points()[0].on_a;
    let same = |n: DVec2| (n - m.normal).length() < 1e-4;
    (0..points.len() - 1).any(|i| {
        let (p, q) = (points[i], points[i + 1]);
        let along = (on - p).dot(q - p) / (q - p).length_squared();
        let is_on = normal(i).dot(on - p).abs() < 1e-9 && (-1e-9..=1.0 + 1e-9).contains(&along);
        let at_corner = i > 0 && (on - p).length() < 1e-9 && {
            let (before, after) = (normal(i - 1), normal(i));
            let convex = before.perp_dot(after) * side < 0.0;
            convex && m.normal.perp_dot(before) * side >= -1e-9 && after.perp_dot(m.normal) * side >= -1e-9
        };
        (is_on && same(normal(i))) || at_corner
    })
}

/// Chains that bend gently, from both sides: every normal is one of the polyline there, and circles
/// are as deep as they are.
#[test]
fn bent_chains_are_smooth_from_both_sides() {
    let mut failures = Vec::new();
    let (mut positions, steps) = (0, support::run::pairs(50) as i32);
    for bulge in [0.05, -0.05, 0.002, -0.002] {
        let points = arc(100, bulge);
        let chain = Shape::chain(&points).unwrap();
        let chain = chain.at([0.0, 0.0]).unwrap();
        for side in [1.0, -1.0] {
            for (name, shape, angle) in movers(0.3).into_iter().chain(movers(0.06)) {
                for step in 0..steps {
                    for depth in [1e-7, 1e-4, 0.01, 0.06] {
                        // From below the scene is seen upside down.
                        let x = 2.0 + f64::from(step % 500) * 0.0137;
                        let (slope, turn) = (-2.0 * bulge * x, if side > 0.0 { 0.0 } else { std::f64::consts::PI });
                        let turn = turn + slope.atan() + angle;
                        let out = DVec2::new(-slope, 1.0).normalize() * side;
                        let depth = depth * shape.aabb_size();
                        let at = DVec2::new(x, -bulge * x * x) + out * (below(&shape, angle) - depth);
                        let mover = shape.placed(Pose::new(at, turn).unwrap());
                        if !overlaps(chain, mover) {
                            continue;
                        }
                        positions += 1;
                        let contacts = slide(mover, &[chain]);
                        let deepest = contacts.iter().map(|m| m.depth).fold(f64::NEG_INFINITY, f64::max);
                        let is_round = name == "circle";
                        let distance = points.windows(2).map(|w| {
                            let t = ((at - w[0]).dot(w[1] - w[0]) / (w[1] - w[0]).length_squared()).clamp(0.0, 1.0);
                            (at - w[0].lerp(w[1], t)).length()
                        });
                        let truth = shape.radius() - distance.fold(f64::INFINITY, f64::min);
                        let right = contacts.iter().all(|m| is_of_polyline(&points, m, side)) && !contacts.is_empty();
                        if !right || (is_round && (deepest - truth).abs() > 1e-12) {
                            failures.push(format!(
                                "{name}, bulge {bulge}, side {side}, x {x}, depth {depth:e} ({truth}): {contacts:?}"
                            ));
                        }
                    }
                }
            }
        }
    }
    assert!(failures.is_empty(), "{} of {positions}, such as\n{}", failures.len(), summary(&failures));
    assert!(positions > 20_000, "{positions}");
}

trait Size {
    fn aabb_size(&self) -> f64;
}

impl Size for Shape {
    fn aabb_size(&self) -> f64 {
        self.placed(Pose::IDENTITY).aabb().size().max_element()
    }
}
