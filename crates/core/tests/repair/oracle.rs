//! Decides by the definition whether a point is inside rings: the exact winding number, in integers.

use carom::DVec2;
use carom::decompose::{FillRule, PolygonWithHoles};
use dashu_int::IBig;

use crate::support::integer::{in_units, lowest_bit};

/// Returns the winding number of rings around a point that is not on them.
fn winding(rings: &[Vec<DVec2>], q: DVec2) -> i64 {
    rings.iter().map(|ring| (0..ring.len()).map(|i| turn(ring[i], ring[(i + 1) % ring.len()], q)).sum::<i64>()).sum()
}

/// Returns 1 for an edge that crosses the ray from `q` to the right upward, −1 for downward, else 0.
fn turn(a: DVec2, b: DVec2, q: DVec2) -> i64 {
    if (a.y <= q.y) == (b.y <= q.y) {
        return 0;
    }
    let all = [a.x, a.y, b.x, b.y, q.x, q.y];
    let Some(unit) = all.into_iter().filter_map(lowest_bit).min() else { return 0 };
    let [ax, ay, bx, by, qx, qy] = all.map(|v| in_units(v, unit));
    let side = (bx - &ax) * (qy - &ay) - (by - ay) * (qx - ax);
    let upward = b.y > a.y;
    match (upward, side > IBig::ZERO) {
        (true, true) => 1,
        (false, false) => -1,
        _ => 0,
    }
}

/// Returns true if the rings enclose a point by the rule.
pub(super) fn encloses(rings: &[Vec<DVec2>], rule: FillRule, q: DVec2) -> bool {
    let winding = winding(rings, q);
    match rule {
        FillRule::NonZero => winding != 0,
        FillRule::EvenOdd => winding % 2 != 0,
    }
}

/// Returns the rings of a polygon: the outer ring, then the holes.
pub(super) fn rings_of(polygon: &PolygonWithHoles) -> Vec<Vec<DVec2>> {
    polygon.rings().map(|ring| polygon.points()[ring].to_vec()).collect()
}

/// Returns the number of edges within a distance of a point, up to rounding.
pub(super) fn edges_within(rings: &[Vec<DVec2>], q: DVec2, reach: f64) -> usize {
    let distance = |a: DVec2, b: DVec2| {
        // In units of the longer side, so that squares of tiny and huge numbers are in range.
        let size = (b - a).abs().max_element().max(f64::MIN_POSITIVE);
        let (along, to) = ((b - a) / size, (q - a) / size);
        let t = (to.dot(along) / along.dot(along).max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
        (q - (a + (b - a) * t)).length()
    };
    let edges =
        |ring: &Vec<DVec2>| (0..ring.len()).filter(|&i| distance(ring[i], ring[(i + 1) % ring.len()]) <= reach).count();
    rings.iter().map(edges).sum()
}
