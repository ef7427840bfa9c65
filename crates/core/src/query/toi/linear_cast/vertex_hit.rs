//! Computes the first contact of two rounded shapes with few vertices that translate, if a vertex is hit.
//!
//! Input: two convex shapes that do not touch at the start, at least one of them rounded. Output: the impact, none, or
//! undecided. The Minkowski difference of the hulls, grown by the radii, is the union of
//!
//! ```text
//! a circle about the difference of each two vertices        // first time: a quadratic equation
//! a strip along each edge of one shape at each vertex of the other
//! the Minkowski difference itself
//! ```
//!
//! The motion of the origin hits this set when it hits the first circle or strip. Each of them lies in the set, so the
//! first hit is never early. The hulls are certainly apart at the start, so their difference is not hit first.
//!
//! The radii are grown by the error bound. So a hit is early by this bound, and no contact is missed. Source: Ericson
//! 2005, 5.3.2 (a ray and a circle).

use glam::DVec2;

use super::{Inconclusive, MovingConvex, time_at_distance};
use crate::math::vector::{TINY_SQUARE, unscaled_length};
use crate::query::pair::ErrorBounds;
use crate::query::toi::Impact;
use crate::query::toi::vertex_edge::FirstContact;
use crate::shape::part::Part;

/// Largest product of both vertex counts.
const MAX_PAIRS: usize = 16;

/// Largest number of hull vertices of a shape.
const MAX_VERTICES: usize = 8;

/// Returns the first contact before `end`.
#[inline(never)]
pub(in crate::query::toi) fn first_hit(
    [a, b]: [MovingConvex<'_>; 2],
    end: f64,
) -> Result<Option<Impact>, Inconclusive> {
    let counts = [a.convex.hull_vertex_count(), b.convex.hull_vertex_count()];
    let radii = [a.convex.radius, b.convex.radius];
    let radius = radii[0] + radii[1] + (a.sweep.target_gap() + b.sweep.target_gap());
    let parts = [a.part(), b.part()];
    let error_bound = ErrorBounds::of(&parts[0], &parts[1], b.pose.translation() - a.pose.translation()).separation();
    let is_small = counts[0] * counts[1] <= MAX_PAIRS && counts[0].max(counts[1]) <= MAX_VERTICES;
    if !is_small || error_bound > 1e-8 * radius {
        return Err(Inconclusive);
    }
    let limit = radius + error_bound;
    let velocity = b.sweep.translation() - a.sweep.translation();
    if velocity != DVec2::ZERO && limit * limit * velocity.length_squared() < TINY_SQUARE {
        // The products of the quadratic equation would underflow.
        return Err(Inconclusive);
    }
    let points = [placed(&parts[0]), placed(&parts[1])];
    let mut first = FirstContact { time: f64::INFINITY, normal: DVec2::ZERO, on_a: DVec2::ZERO };
    for &p in &points[0][..counts[0]] {
        for &q in &points[1][..counts[1]] {
            first.hit_circle(p, q - p, velocity, limit)?;
        }
    }
    let mut height = f64::NEG_INFINITY;
    for (of, sign) in [(0, 1.0), (1, -1.0)] {
        let (own, count) = (&parts[of], counts[of]);
        for edge in 0..own.convex.edge_count() {
            let normal = own.pose.rotate_vector(own.convex.normal(edge));
            let side = [points[of][edge], points[of][if edge + 1 < count { edge + 1 } else { 0 }]];
            let mut lowest = f64::INFINITY;
            for &vertex in &points[1 - of][..counts[1 - of]] {
                lowest = lowest.min(normal.dot(vertex - side[0]));
                let on_edge = first.hit_strip(side, vertex, normal, velocity * sign, limit)?;
                if let Some(on_edge) = on_edge {
                    // The hit point of a vertex of a moves with a.
                    (first.normal, first.on_a) = (normal * sign, if of == 0 { on_edge } else { vertex });
                }
            }
            height = height.max(lowest);
        }
    }
    if height <= error_bound {
        return Err(Inconclusive);
    }
    if first.time > end {
        return Ok(None);
    }
    let point = first.on_a + a.sweep.translation() * first.time + first.normal * radii[0];
    Ok(Some(Impact::later(first.time, first.normal, point)))
}

/// Returns the hull vertices in world coordinates.
fn placed(part: &Part<'_>) -> [DVec2; MAX_VERTICES] {
    let count = part.convex.hull_vertex_count().min(MAX_VERTICES);
    let mut points = [DVec2::ZERO; MAX_VERTICES];
    for (i, point) in points.iter_mut().enumerate().take(count) {
        *point = part.placed(i);
    }
    points
}

impl FirstContact {
    /// Adds the hit of the circle about `p` by a point at `apart` from it. Undecided if it is in the circle.
    #[inline(always)]
    fn hit_circle(&mut self, p: DVec2, apart: DVec2, velocity: DVec2, limit: f64) -> Result<(), Inconclusive> {
        let distance = unscaled_length(apart);
        if distance <= limit {
            return Err(Inconclusive);
        }
        if let Some(time) = time_at_distance(apart, velocity, limit, distance - limit)
            && time < self.time
        {
            let between = apart + velocity * time;
            *self = Self { time, normal: between / unscaled_length(between), on_a: p };
        }
        Ok(())
    }

    /// Adds the hit of a strip along an edge by a vertex. Returns the position of the vertex on the edge at that time,
    /// if it is the first hit. Undecided if the vertex is in the strip at the start.
    #[inline(always)]
    fn hit_strip(
        &mut self,
        [start, end]: [DVec2; 2],
        vertex: DVec2,
        normal: DVec2,
        velocity: DVec2,
        limit: f64,
    ) -> Result<Option<DVec2>, Inconclusive> {
        let tangent = DVec2::new(-normal.y, normal.x);
        let (at, length) = (vertex - start, tangent.dot(end - start));
        let (height, along, closing) = (normal.dot(at), tangent.dot(at), -normal.dot(velocity));
        if height <= limit {
            let is_inside = height > 0.0 && (0.0..=length).contains(&along);
            return if is_inside { Err(Inconclusive) } else { Ok(None) };
        }
        if closing <= 0.0 || (height - limit) >= self.time * closing {
            return Ok(None);
        }
        let time = (height - limit) / closing;
        let along = along + tangent.dot(velocity) * time;
        if !(0.0..=length).contains(&along) || time >= self.time {
            return Ok(None);
        }
        self.time = time;
        Ok(Some(start + tangent * along))
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;
    use crate::math::pose::Pose;
    use crate::query::distance;
    use crate::shape::Shape;

    fn shape(rng: &mut fastrand::Rng) -> Shape {
        let mut number = || 0.2 + rng.f64();
        let (x, y, radius) = (number(), number(), 0.5 * number());
        match rng.u8(0..3) {
            0 => Shape::capsule([0.0, -x], [0.0, y], radius),
            1 => Shape::rectangle(x, y),
            _ => Shape::polygon(&[[0.0, 0.0], [x, 0.0], [0.3 * x, y]]),
        }
        .unwrap()
    }

    /// Compares with the distance at the time of the hit, and at sampled times before it.
    #[test]
    fn hits_are_at_the_target_gap_and_none_is_missed() {
        let (mut rng, mut hits, mut misses) = (fastrand::Rng::with_seed(23), 0, 0);
        for i in 0..20_000 {
            let capsule = Shape::capsule([0.0, -0.4], [0.0, 0.4], 0.3).unwrap();
            let shapes = if rng.bool() { [capsule, shape(&mut rng)] } else { [shape(&mut rng), capsule] };
            let mut number = |size: f64| size * (rng.f64() - 0.5);
            let poses = [(); 2].map(|()| Pose::new([number(5.0), number(5.0)], number(9.0)).unwrap());
            let (motion, target) = (DVec2::new(number(8.0), number(8.0)), number(0.2).max(0.0));
            let [p, q] = [0, 1].map(|i| shapes[i].placed(poses[i]));
            let sweep = p.sweep(motion).unwrap().until_gap(target);
            let still = q.into();
            let (Some(a), Some(b)) = (MovingConvex::new(&sweep), MovingConvex::new(&still)) else { panic!("convex") };
            let gap = |time: f64| distance(sweep.at(time), q).distance - target;
            let at = format!("pair {i}: {shapes:?} at {poses:?} by {motion:?} until {target}");
            let Ok(hit) = first_hit([a, b], 1.0) else {
                assert!(gap(0.0) <= 1e-9, "undecided, {at}");
                continue;
            };
            let end = hit.map_or(1.0, |hit| hit.time);
            let nearest = (0..100).map(|step| gap(end * f64::from(step) / 100.0)).fold(f64::INFINITY, f64::min);
            assert!(nearest > -1e-12, "a gap of {nearest} before {end}, {at}");
            let Some(hit) = hit else {
                misses += 1;
                continue;
            };
            hits += 1;
            assert!((-1e-14..1e-12).contains(&gap(hit.time)), "a gap of {} at {end}, {at}", gap(hit.time));
            let nearest = distance(sweep.at(hit.time), q);
            let toward = nearest.point_b - nearest.point_a;
            if toward.length() > 1e-3 {
                assert!((hit.normal - toward.normalize()).length() < 1e-9, "{:?} for {toward:?}, {at}", hit.normal);
            }
            assert!((hit.point - nearest.point_a).length() < 1e-6, "{:?} for {:?}, {at}", hit.point, nearest.point_a);
        }
        assert!(hits > 2000 && misses > 2000, "{hits} hits and {misses} misses");
    }
}
