//! Advances distant rotating polygons along one axis until they are near each other.
//!
//! Input: a relative motion of two polygons of up to eight vertices, and a time interval. Output: a
//! time until which they are certainly apart, with the edge and the vertex that are closest then.
//!
//! In the frame of a rotating polygon its edges are fixed and the vertices of the other polygon
//! move along curves. For every edge, the separation, its closing speed and its acceleration
//! estimate the duration of the separation. The edge with the longest duration gives the axis.
//! Along this axis a step is cheap: the heights of the other polygon's vertices, and a root. It
//! resembles the inner loop of Catto (Continuous collision, 2013), but the skipped interval is
//! proved to be free of contacts:
//!
//! ```text
//! guess when the separation along the axis ends, and evaluate it then
//! if all vertices have approached since the beginning, and are above the level now: they were so all the time
//! step as far as a bound from below stays above the level, until the lowest vertex is near
//! ```
//!
//! Both proofs use the derivatives of the separation, vertex by vertex:
//!
//! ```text
//! D, v: vector to the pivot of the other polygon, and its velocity
//! r: largest distance of a vertex of that polygon from the pivot
//! w: angular speed of that polygon relative to the frame
//! separation of an edge with normal n from vertex q, h later, in the frame that rotates with the edge at speed ω:
//!     n · (R(−ωh) (D + v h) + R(wh) q) − offset
//! closing speed now                −n · (v − ω ⊥D) − w n · ⊥q
//! its derivative now               ω² n · D + 2ω n · ⊥v + w² n · q
//! bound of the next derivative     J = |ω|³ (|D| + |v| h) + 3ω² |v| + |w|³ r
//! ```
//!
//! An estimate has an error of third order, and the following step too. So usually one of each
//! leads to the contact.

use alloc::vec::Vec;

use glam::DVec2;

use super::relative_motion::{RelativeMotion, RelativeRotation};
use super::separation_function::{Evaluation, SeparationFunction, THIRD};
use crate::math::simd::{Simd, SimdKernel, dispatch, f64x8};
use crate::math::vector::unscaled_length;
use crate::query::feature_pair::EdgeVertex;
use crate::query::pair::Relative;
use crate::query::support::{eight, greatest_of_two};
use crate::shape::convex::VertexBlock4;

/// Maximum number of steps along one axis. Later another axis may be better.
const STEPS: usize = 12;

/// Number of estimates. If another vertex arrives earlier, its time is a good second estimate, and
/// further ones rarely help.
const GUESSES: usize = 2;

/// A time until which the parts are certainly apart by more than a level.
#[derive(Clone, Copy)]
pub(super) struct SafeTime {
    /// Infinite if it lies beyond the interval. The start of the interval if the parts are near
    /// already, or if this kernel cannot decide.
    pub(super) time: f64,
    /// Shape with the separating edge at that time, the edge, and the vertex of the other shape
    /// that was lowest over it.
    pub(super) closest: Option<EdgeVertex>,
}

/// Advances along one axis from the start of a time interval. `limits` are the level that gaps must
/// exceed, and the gap below which parts are near.
pub(super) fn find_separation_root(
    motion: &RelativeMotion<'_>,
    window: [f64; 2],
    limits: [f64; 2],
    times: Option<&mut Vec<f64>>,
) -> SafeTime {
    match (motion.parts[0].convex.as_small_polygon(), motion.parts[1].convex.as_small_polygon()) {
        (Some(a), Some(b)) if motion.has_no_arms() => dispatch(SeparationRootFinder {
            motion,
            blocks: [a, b],
            window,
            limits,
            times,
            speed: unscaled_length(motion.velocity()),
        }),
        _ => SafeTime { time: window[0], closest: None },
    }
}

/// Two small polygons without offsets from their pivots.
struct SeparationRootFinder<'m, 'a> {
    /// The motion.
    motion: &'m RelativeMotion<'a>,
    /// Vertices of both polygons.
    blocks: [&'a [VertexBlock4; 2]; 2],
    /// The time interval.
    window: [f64; 2],
    /// The level, and the gap below which the parts are near.
    limits: [f64; 2],
    /// Gets the computed times, for explanations.
    times: Option<&'m mut Vec<f64>>,
    /// Velocities of the pivots.
    speed: f64,
}

impl SimdKernel for SeparationRootFinder<'_, '_> {
    type Output = SafeTime;

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) -> SafeTime {
        let ([start, end], level) = (self.window, self.limits[0]);
        let (mut time, mut now) = (start, RelativeRotation::new(self.motion, start));
        let (lasts, of, edge) = self.best(simd, &now, end - start);
        let (guess, mut guesses, mut vertex) = (start + lasts, 0, 0);
        if (guess > start) & (guess < end) {
            (time, now, guesses) = (guess, RelativeRotation::new(self.motion, guess), GUESSES);
        }
        for _ in 0..STEPS {
            let axis = self.axis(simd, &now, of, edge);
            if guesses > 0 {
                if !axis.was_above(simd, time - start, level) {
                    let sooner = time - axis.below_since(simd, level);
                    guesses = if (sooner > start) & (sooner < time) { guesses - 1 } else { 0 };
                    time = if guesses > 0 { sooner } else { start };
                    now = RelativeRotation::new(self.motion, time);
                    continue;
                }
                guesses = 0;
                self.record_time(start);
            }
            let Evaluation { lasts, is_last, lowest } = axis.step(simd, end - time, self.limits);
            vertex = lowest;
            let next = time + lasts;
            if next <= time {
                break;
            }
            self.record_time(time);
            if next >= end {
                return SafeTime { time: f64::INFINITY, closest: None };
            }
            // Rounded down.
            time = if next - time > lasts { next.next_down().max(time) } else { next };
            if is_last {
                break;
            }
            now = RelativeRotation::new(self.motion, time);
        }
        SafeTime { time, closest: (time > start).then_some(EdgeVertex { of, edge, vertex }) }
    }
}

/// The other polygon in the frame of one polygon.
struct OtherPolygon {
    /// Pose of the other polygon.
    other: Relative,
    /// Velocity of its pivot.
    velocity: DVec2,
    /// Angular speed of the own polygon.
    spin: f64,
    /// Angular speed of the other polygon relative to the own one.
    twist: f64,
    /// Bound of the third derivative now, and its growth per time.
    jerk: [f64; 2],
}

impl OtherPolygon {
    /// Computes the view of polygon `of`.
    #[inline(always)]
    fn new(motion: &RelativeMotion<'_>, now: &RelativeRotation, of: usize, speed: f64) -> Self {
        let (own, sign) = (&now.poses[of], [1.0, -1.0][of]);
        let (offset, velocity) =
            (own.inverse_rotate_vector(now.offset * sign), own.inverse_rotate_vector(motion.velocity() * sign));
        let spin = motion.turning[of];
        let (twist, fast) = (motion.turning[1 - of] - spin, spin.abs());
        // Lengths do not depend on the rotation.
        let of_other = twist.abs() * twist * twist * motion.pivot_radii[1 - of];
        let jerk =
            [fast * fast * (fast * unscaled_length(now.offset) + 3.0 * speed) + of_other, fast * fast * fast * speed];
        let other = Relative { translation: offset, ..Relative::between(own, &now.poses[1 - of]) };
        Self { other, velocity, spin, twist, jerk }
    }
}

impl SeparationRootFinder<'_, '_> {
    /// Returns the edge with the longest estimated duration, tie: lowest index. The result has the
    /// duration, the index of the polygon and that of the edge.
    #[inline(always)]
    fn best<S: Simd>(&self, simd: S, now: &RelativeRotation, longest: f64) -> (f64, usize, usize) {
        // No `map`: its closures are not inlined into kernels.
        let (of_a, of_b) = (self.lasting(simd, now, 0, longest), self.lasting(simd, now, 1, longest));
        let (lasts, first) = greatest_of_two(of_a, of_b);
        (lasts, first / 8, first % 8)
    }

    /// Returns the maximum estimated duration of the separations of one polygon's edges, by the
    /// lowest vertices now. Negative if no edge separates.
    #[inline(always)]
    fn lasting<S: Simd>(&self, simd: S, now: &RelativeRotation, of: usize, longest: f64) -> f64x8<S> {
        let OtherPolygon { other, velocity, spin, twist, jerk } = OtherPolygon::new(self.motion, now, of, self.speed);
        let (edges, vertices) = (self.blocks[of], self.blocks[1 - of]);
        let (normal_x, normal_y) =
            (eight(simd, &edges[0].normal_x, &edges[1].normal_x), eight(simd, &edges[0].normal_y, &edges[1].normal_y));
        let x = normal_x * other.cos + normal_y * other.sin;
        let y = normal_y * other.cos - normal_x * other.sin;
        let (mut least, mut rate) = (f64x8::splat(simd, f64::INFINITY), f64x8::splat(simd, 0.0));
        for block in vertices {
            for i in 0..4 {
                let height = x * block.x[i] + y * block.y[i];
                rate = height.simd_lt(least).select(y * block.x[i] - x * block.y[i], rate);
                least = least.min(height);
            }
        }
        let along = normal_x * other.translation.x + normal_y * other.translation.y;
        let excess =
            least + along - eight(simd, &edges[0].offset, &edges[1].offset) - (self.motion.radius + self.limits[0]);
        let (back, swing) = (velocity - other.translation.perp() * spin, velocity.perp() * (2.0 * spin));
        let closing = -(normal_x * back.x + normal_y * back.y + rate * twist);
        let curve = along * (spin * spin) + normal_x * swing.x + normal_y * swing.y;
        lasting(simd, [excess, closing, curve + least * (twist * twist)], jerk, longest)
    }

    /// Returns the separation function of an edge normal.
    #[inline(always)]
    fn axis<S: Simd>(&self, simd: S, now: &RelativeRotation, of: usize, edge: usize) -> SeparationFunction<S> {
        let OtherPolygon { other, velocity, spin, twist, jerk } = OtherPolygon::new(self.motion, now, of, self.speed);
        let (own, vertices) = (&self.blocks[of][edge / 4], self.blocks[1 - of]);
        let normal = DVec2::new(own.normal_x[edge % 4], own.normal_y[edge % 4]);
        let direction = other.unrotate(normal);
        let (x, y) = (eight(simd, &vertices[0].x, &vertices[1].x), eight(simd, &vertices[0].y, &vertices[1].y));
        let heights = x * direction.x + y * direction.y;
        let along = normal.dot(other.translation);
        let drift = normal.dot(velocity - other.translation.perp() * spin);
        let closing = (y * direction.x - x * direction.y) * twist - drift;
        let curve = along * (spin * spin) + 2.0 * spin * normal.dot(velocity.perp());
        let bend = heights * (twist * twist) + curve;
        SeparationFunction { heights, closing, bend, beyond: along - own.offset[edge % 4] - self.motion.radius, jerk }
    }

    /// Records a time for explanations.
    #[inline(always)]
    fn record_time(&mut self, time: f64) {
        if let Some(times) = &mut self.times {
            times.push(time);
        }
    }
}

/// Estimates the durations of eight separations with the given heights above the level, closing
/// speeds and accelerations. Negative if not above the level. One Newton step from the linear
/// solution: the estimate only ranks edges.
#[inline(always)]
fn lasting<S: Simd>(simd: S, [excess, closing, curve]: [f64x8<S>; 3], jerk: [f64; 2], longest: f64) -> f64x8<S> {
    let (zero, end) = (f64x8::splat(simd, 0.0), f64x8::splat(simd, longest));
    let straight = closing.simd_gt(zero).select((excess / closing).min(end), end);
    let bend = curve + (straight * jerk[1] + jerk[0]) * (straight * THIRD);
    let speed = closing + bend * straight;
    let bent = (excess + bend * straight * straight * 0.5) / speed;
    excess.simd_gt(zero).select(speed.simd_gt(zero).select(bent.min(end), end), f64x8::splat(simd, -1.0))
}

#[cfg(test)]
mod tests {
    use core::f64::consts::TAU;

    use fastrand::Rng;

    use super::*;
    use crate::shape::{Shape, Sweep};

    /// Evaluates an axis at a time for an interval before and an interval after.
    struct Probe<'m, 'a> {
        approach: SeparationRootFinder<'m, 'a>,
        time: f64,
        edge: (usize, usize),
        past: f64,
    }

    impl SimdKernel for Probe<'_, '_> {
        type Output = (bool, Evaluation);

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> (bool, Evaluation) {
            let Probe { approach, time, edge: (of, edge), past } = self;
            let axis = approach.axis(simd, &RelativeRotation::new(approach.motion, time), of, edge);
            (axis.was_above(simd, past, approach.limits[0]), axis.step(simd, approach.window[1], approach.limits))
        }
    }

    fn polygon(rng: &mut Rng) -> Shape {
        let (count, radius) = (rng.usize(3..=8), 0.5 + rng.f64());
        let step = TAU / count as f64;
        let vertex = |i: usize, bent: f64| libm::sincos(step * (i as f64 + 0.6 * bent));
        let points: Vec<[f64; 2]> =
            (0..count).map(|i| vertex(i, rng.f64())).map(|(y, x)| [radius * x, 0.8 * radius * y]).collect();
        Shape::polygon(&points).unwrap()
    }

    /// Returns the height of the lowest vertex of one polygon over the line of an edge of the
    /// other, computed from the vertices.
    fn separation(sweeps: [&Sweep<'_>; 2], (of, edge): (usize, usize), time: f64) -> f64 {
        let [own, other] = [of, 1 - of].map(|i| sweeps[i].as_part().unwrap());
        let [p, q] = [of, 1 - of].map(|i| sweeps[i].at(time).pose());
        let normal = p.rotate_vector(own.convex.normal(edge));
        let height = |i: usize| {
            normal.dot(q.transform_point(other.convex.hull_vertex(i)) - p.transform_point(own.convex.hull_vertex(edge)))
        };
        (0..other.convex.hull_vertex_count()).map(height).fold(f64::INFINITY, f64::min)
    }

    fn between(rng: &mut Rng, low: f64, high: f64) -> f64 {
        low + (high - low) * rng.f64()
    }

    /// Proved separations hold, predicted ones too, and predicted approaches happen: at 64 times of
    /// each interval.
    #[test]
    fn an_axis_bounds_the_separation_before_and_after() {
        const ROUNDING: f64 = 1e-12;
        let (mut past, mut steps, mut last) = (0, 0, 0);
        for seed in 0..4_000 {
            let mut rng = Rng::with_seed(seed);
            let rng = &mut rng;
            let (a, b) = (polygon(rng), polygon(rng));
            let spin = [0.5, 2.0, 10.0, 40.0][rng.usize(..4)];
            let mut swept = |shape| {
                let [position, translation] =
                    [2.0, 8.0].map(|size| [between(rng, -size, size), between(rng, -size, size)]);
                Shape::at(shape, position)
                    .unwrap()
                    .sweep(translation)
                    .unwrap()
                    .with_rotation(between(rng, -spin, spin))
                    .unwrap()
            };
            let (p, q) = (swept(&a), swept(&b));
            let (part, other) = (p.as_part().unwrap(), q.as_part().unwrap());
            let motion = RelativeMotion::new(part, other, [&p, &q]);
            let of = rng.usize(..2);
            let edge = (of, rng.usize(..[part, other][of].convex.edge_count()));
            let time = between(rng, 0.1, 0.9);
            let tell = |time: f64| separation([&p, &q], edge, time);
            let mut tiny = || libm::exp(between(rng, -16.0, 0.5));
            let (while_before, while_after) = (tiny().min(time), tiny().min(1.0 - time));
            let level = tell(time) - tiny() * [1.0, 1.0, 1e-6, -1.0][seed as usize % 4];
            let limits = [level, level + 0.1 * tiny()];
            let blocks = [part, other].map(|part| part.convex.as_small_polygon().unwrap());
            let (window, speed) = ([time, while_after], unscaled_length(motion.velocity()));
            let approach = SeparationRootFinder { motion: &motion, blocks, window, limits, times: None, speed };
            let (was_above, Evaluation { lasts, is_last, .. }) =
                dispatch(Probe { approach, time, edge, past: while_before });
            for part in (0..=64).map(|i| f64::from(i) / 64.0) {
                let (before, after) = (tell(time - while_before * part), tell(time + lasts * part));
                assert!(!was_above || before >= level - ROUNDING, "seed {seed}: {before} of {level} before");
                assert!(after >= level.min(tell(time)) - ROUNDING, "seed {seed}: {after} of {level} after");
            }
            past += usize::from(was_above);
            steps += usize::from(lasts > 0.0 && lasts < while_after);
            if is_last && lasts > 0.0 && lasts < while_after {
                last += 1;
                assert!(tell(time + lasts) <= limits[1] + ROUNDING, "seed {seed}: not near");
            }
        }
        assert!(past > 300 && steps > 300 && last > 100, "{past} were above, {steps} steps, {last} of them the last");
    }
}
