//! Measures for the laws: sizes, tolerances and positions of points, computed without the library.

use carom::query::Feature;
use carom::{DVec2, Pose};

use super::dice::ulp;
use super::exact::{Difference, Outline};
use super::recipe::{Body, Pair};

/// The units of a law: `size` is the larger diameter of the two, radius included; `ulp` that of the
/// largest of size, all placed coordinates and translations.
#[derive(Clone, Copy, Debug)]
pub struct Yardstick {
    pub size: f64,
    pub ulp: f64,
}

impl Yardstick {
    pub fn of(pair: &Pair) -> Self {
        let outlines = [pair.a.outline(), pair.b.outline()];
        let size = outlines.iter().map(diameter).fold(0.0, f64::max);
        let poses = [pair.a.pose, pair.b.pose].map(|p| p.translation());
        let points = outlines.iter().flat_map(|o| &o.points).chain(&poses);
        let largest = points.map(|p| p.abs().max_element()).fold(size, f64::max);
        Self { size, ulp: ulp(largest) }
    }

    /// Tolerance for values that a motion may change: 1e-12 × size + 16 ulp.
    pub fn moved(&self) -> f64 {
        1e-12 * self.size + 16.0 * self.ulp
    }

    /// For where a witness point may lie: 1e-12 × size + 4 ulp.
    pub fn witness(&self) -> f64 {
        1e-12 * self.size + 4.0 * self.ulp
    }

    /// The coarser of two.
    pub fn or(self, o: Self) -> Self {
        Self { size: self.size.max(o.size), ulp: self.ulp.max(o.ulp) }
    }
}

/// The largest distance of two points, radius included.
pub fn diameter(outline: &Outline) -> f64 {
    let points = &outline.points;
    let across = points.iter().flat_map(|p| points.iter().map(move |q| p.distance(*q)));
    across.fold(0.0, f64::max) + 2.0 * outline.radius
}

/// Returns the distance of a point from a shape; negative inside. Exact except for the last rounding.
pub fn outside(outline: &Outline, p: DVec2) -> f64 {
    Difference::of(outline, &Outline::point(p)).gap()
}

/// The gap between two shapes, or minus the depth of their overlap.
pub fn gap(a: &Outline, b: &Outline) -> f64 {
    Difference::of(a, b).gap()
}

/// From where to where the shape reaches along `n`, as seen from `origin`.
pub fn projection(outline: &Outline, n: DVec2, origin: DVec2) -> [f64; 2] {
    let heights = || outline.points.iter().map(|p| (p - origin).dot(n));
    let (low, high) = (heights().fold(f64::INFINITY, f64::min), heights().fold(f64::NEG_INFINITY, f64::max));
    [low - outline.radius, high + outline.radius]
}

/// The distance from a point to a vertex or edge of a placed shape; infinite where there is no such feature.
pub fn to_feature(outline: &Outline, feature: Feature, p: DVec2) -> f64 {
    let points = &outline.points;
    let corner = |i: usize| points.get(i).copied();
    let core = match feature {
        Feature::Vertex(i) => corner(i as usize).map(|v| vec![v]),
        Feature::Edge(i) => corner(i as usize).map(|v| vec![v, points[(i as usize + 1) % points.len()]]),
    };
    core.map_or(f64::INFINITY, |points| outside(&Outline { points, radius: 0.0 }, p).max(0.0))
}

/// Returns true if an input vertex is repeated or (nearly) collinear with its neighbours. Then an
/// edge of the shape may cover several edges of the input.
pub fn has_redundant_points(body: &Body) -> bool {
    let points = body.shape.points();
    let n = points.len();
    n > 2
        && (0..n).any(|i| {
            let (before, after) = (points[i] - points[(i + n - 1) % n], points[(i + 1) % n] - points[i]);
            before.perp_dot(after).abs() <= 1e-9 * before.length() * after.length()
        })
}

/// The same pair, turned about the world's origin and then shifted.
pub fn moved_rigidly(pair: &Pair, turn: f64, shift: DVec2) -> Pair {
    let (c, s) = (libm::cos(turn), libm::sin(turn));
    let moved = |body: &Body| {
        let t = body.pose.translation();
        let position = DVec2::new(c * t.x - s * t.y, s * t.x + c * t.y) + shift;
        let angle = libm::atan2(body.pose.sin(), body.pose.cos()) + turn;
        Body { pose: Pose::new(position, angle).expect("a motion within range"), ..body.clone() }
    };
    Pair { a: moved(&pair.a), b: moved(&pair.b) }
}

/// The same pair in a mirror, x to −x: every placed point is mirrored to the last bit.
pub fn mirrored(pair: &Pair) -> Pair {
    let mirrored = |body: &Body| {
        let t = body.pose.translation();
        let pose = Pose::from_cos_sin([-t.x, t.y], body.pose.cos(), -body.pose.sin()).expect("a pose, mirrored");
        Body { shape: body.shape.scaled(-1.0, 1.0).expect("equal factors"), pose, recipe: body.recipe.clone() }
    };
    Pair { a: mirrored(&pair.a), b: mirrored(&pair.b) }
}
