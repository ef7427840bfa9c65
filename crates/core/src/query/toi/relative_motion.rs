//! Describes two moving convex parts relative to the pivot of the first.
//!
//! Input: two parts and their sweeps. Output: the parts at any time, in a frame in which all
//! numbers are small while the parts are near each other. It also gives the tolerance, and the time
//! interval in which the bounding circles intersect.
//!
//! Poses in the world do not suffice. Far from the origin, or after a long motion, their rounding
//! exceeds the tolerance of the contact.
//!
//! A part moves with the pose of its shape: it rotates about the origin of that pose, its pivot,
//! which translates. Only the vector between the two pivots is long, and only there digits cancel.
//! So it is stored as [`DoubleDouble`]. If a part is tiny compared with its distance from the
//! pivot, the vector from the pivot to a vertex is long too. Then the frame is at that vertex, and
//! these vectors are double-double as well.
//!
//! ```text
//! offset(t) = apart + t · travel                                        (double-double)
//! pose of a = rotation by t · angle about its pivot, at the origin
//! pose of b = rotation by t · angle about its pivot, at offset(t)
//! window    = times at which |apart + t · velocity| ≤ sum of the pivot radii and of the radii, plus a tolerance
//! ```

use glam::DVec2;

use crate::math::big_int::power_of_two;
use crate::math::both::both;
use crate::math::double_double::DoubleDouble;
use crate::math::pose::Pose;
use crate::math::vector::{
    UNIT_ROUNDOFF, greater, length, norm1, rescaled, sqrt, times_power_of_two, vector_times_power_of_two,
};
use crate::query::pair::Pair;
use crate::shape::Sweep;
use crate::shape::convex::Convex;
use crate::shape::part::Part;

/// Products of four lengths of this size underflow nowhere, and those of smaller ones may.
const TINY: f64 = 1e-60;

/// The relative motion of two parts. Index 0 is the first part, 1 the second.
pub(super) struct RelativeMotion<'a> {
    /// Both parts at the start.
    pub(super) parts: [Part<'a>; 2],
    /// Vectors from the pivots to the origins of the parts.
    arms: PivotOffsets,
    /// Rotation angle of each part, in radians.
    pub(super) turning: [f64; 2],
    /// Upper bound of the distance of hull points from the pivot.
    pub(super) pivot_radii: [f64; 2],
    /// Sum of both radii and of the target gaps: the distance of the hulls at an impact.
    pub(super) radius: f64,
    /// Between a third of the larger diameter and the larger diameter. Computed by
    /// [`with_precise_frame`](Self::with_precise_frame).
    size: f64,
    /// Sum of the bounding radii of both hulls about the origins of their frames.
    span: f64,
    /// Vector from the pivot of a to that of b at the start.
    apart: [DoubleDouble; 2],
    /// Displacement of that vector.
    travel: [DoubleDouble; 2],
    /// Positions of the pivots at the start.
    pivots: [DVec2; 2],
    /// Displacements of the pivots.
    translations: [DVec2; 2],
    /// The largest coordinate, bounding radius or length of motion.
    largest: f64,
}

/// Vectors from the pivots to the origins of the parts at the start.
enum PivotOffsets {
    /// Vectors that `f64` represents well enough.
    Near([DVec2; 2]),
    /// Vectors of parts that are tiny compared with them.
    Far([Vector; 2]),
}

/// A double-double vector.
type Vector = [DoubleDouble; 2];

/// The parts at a time.
pub(super) struct PartsAtTime<'a> {
    /// The placed parts, in a frame near the pivots.
    pub(super) pair: Pair<'a>,
    /// The pivots in the frame of the pair.
    pub(super) pivots: [DVec2; 2],
    /// Vector from the pivot of a to that of b.
    pub(super) offset: DVec2,
}

/// Rotations of both parts at a time, and their relative pose.
pub(super) struct RelativeRotation {
    /// Rotations of both parts, without translation.
    pub(super) poses: [Pose; 2],
    /// Vector from the pivot of a to that of b.
    pub(super) offset: DVec2,
}

impl RelativeRotation {
    /// Computes the rotations at a time.
    #[inline(always)]
    pub(super) fn new(motion: &RelativeMotion<'_>, time: f64) -> Self {
        let poses = [motion.rotation(0, time, DVec2::ZERO), motion.rotation(1, time, DVec2::ZERO)];
        Self { poses, offset: motion.offset(time) }
    }
}

impl<'a> RelativeMotion<'a> {
    /// Computes the motion of two parts of two sweeps.
    #[inline(always)]
    pub(super) fn new(a: Part<'a>, b: Part<'a>, sweeps: [&Sweep<'_>; 2]) -> Self {
        // No `map`: its closures are not always inlined.
        let turning = [sweeps[0].angle(), sweeps[1].angle()];
        let (p, q) = (pivot(&a, sweeps[0]), pivot(&b, sweeps[1]));
        let arms = [a.pose.translation() - p, b.pose.translation() - q];
        let pivot_radii = [pivot_radius(&a, arms[0]), pivot_radius(&b, arms[1])];
        let (d, e) = (sweeps[0].translation(), sweeps[1].translation());
        let arcs = [pivot_radii[0] * turning[0].abs().max(1.0), pivot_radii[1] * turning[1].abs().max(1.0)];
        let positions = a.pose.translation().abs().max(b.pose.translation().abs()).max(p.abs()).max(q.abs());
        let largest = positions.max(d.abs()).max(e.abs()).max_element().max(arcs[0]).max(arcs[1]);
        Self {
            parts: [a, b],
            arms: PivotOffsets::Near(arms),
            turning,
            pivot_radii,
            size: 0.0,
            span: pivot_radii[0] + pivot_radii[1],
            radius: a.convex.radius + b.convex.radius + (sweeps[0].target_gap() + sweeps[1].target_gap()),
            apart: difference(q, p),
            travel: difference(e, d),
            pivots: [p, q],
            translations: [d, e],
            largest,
        }
    }

    /// Returns the vector from the pivot of a to that of b at a time.
    #[inline(always)]
    pub(super) fn offset(&self, time: f64) -> DVec2 {
        DVec2::new(self.apart[0].add_scaled(time, self.travel[0]), self.apart[1].add_scaled(time, self.travel[1]))
    }

    /// Returns the derivative of that vector.
    #[inline(always)]
    pub(super) fn velocity(&self) -> DVec2 {
        DVec2::new(self.travel[0].to_f64(), self.travel[1].to_f64())
    }

    /// Calls a function with this motion in a frame in which rounding errors stay far below the
    /// tolerance.
    #[inline(always)]
    pub(super) fn with_precise_frame<T>(&mut self, run: impl Fn(&RelativeMotion<'_>) -> T) -> T {
        self.size = size(&self.parts[0]).max(size(&self.parts[1]));
        if self.turning != [0.0; 2] {
            return if UNIT_ROUNDOFF * (self.span + self.radius) <= 1e-9 * self.size {
                run(self)
            } else {
                self.relative_to_vertices(run)
            };
        }
        let (a, b) = (self.is_coarse(0), self.is_coarse(1));
        if a | b { self.as_placed([a, b], run) } else { run(self) }
    }

    /// Returns true if placing the points of a part in the world rounds them by a relevant amount.
    #[inline(always)]
    fn is_coarse(&self, i: usize) -> bool {
        let Part { convex, pose } = &self.parts[i];
        UNIT_ROUNDOFF * (convex.bounding_radius + norm1(pose.translation())) > 5e-10 * self.size
    }

    /// Without rotation: replaces each such part by the hull of its points as placed at the start.
    #[cold]
    #[inline(never)]
    fn as_placed<T>(&self, coarse: [bool; 2], run: impl Fn(&RelativeMotion<'_>) -> T) -> T {
        let hulls = both([0, 1], |i| {
            coarse[i].then(|| Convex::hull_of_placed(self.parts[i].points(), self.parts[i].convex.radius))
        });
        run(&self.of_hulls(&hulls))
    }

    /// Returns the same motion with hulls in place of parts.
    #[inline(never)]
    fn of_hulls<'b>(&'b self, hulls: &'b [Option<(Convex, DVec2)>; 2]) -> RelativeMotion<'b> {
        let parts = both([0, 1], |i| match &hulls[i] {
            Some((convex, origin)) => Part { convex, pose: Pose::IDENTITY.rotated(0.0, *origin) },
            None => self.parts[i],
        });
        let (pivot_radii, [p, q]) =
            (both(parts, |part| part.convex.bounding_radius), both(parts, |part| part.pose.translation()));
        RelativeMotion {
            parts,
            pivot_radii,
            span: pivot_radii[0] + pivot_radii[1],
            apart: difference(q, p),
            pivots: [p, q],
            largest: largest_coordinate(self.translations.into_iter().chain([p, q]))
                .max(pivot_radii[0])
                .max(pivot_radii[1]),
            arms: PivotOffsets::Near([DVec2::ZERO; 2]),
            ..*self
        }
    }

    /// Calls a function with frames at the first vertices of the parts.
    #[cold]
    #[inline(never)]
    fn relative_to_vertices<T>(&self, run: impl Fn(&RelativeMotion<'_>) -> T) -> T {
        let relocated = both(self.parts, |part| part.convex.relative_to_first_vertex());
        run(&self.with_long_arms([&relocated[0], &relocated[1]]))
    }

    /// Returns the same motion with frames at other points of the parts. `relocated` has the parts
    /// relative to these points, and the points in the parts' frames.
    fn with_long_arms<'b>(&self, relocated: [&'b (Convex, DVec2); 2]) -> RelativeMotion<'b> {
        let arm = |i: usize| {
            let (pose, at) = (&self.parts[i].pose, relocated[i].1);
            let turned =
                rotated(both([pose.cos(), pose.sin()], DoubleDouble::from), both(at.to_array(), DoubleDouble::from));
            let apart = difference(pose.translation(), self.pivots[i]);
            both([0, 1], |axis| turned[axis].add(apart[axis]))
        };
        let arcs = both([0, 1], |i| self.pivot_radii[i] * self.turning[i].abs());
        let points = self.parts.iter().flat_map(Part::points).chain(self.pivots).chain(self.translations);
        RelativeMotion {
            parts: both([0, 1], |i| Part { convex: &relocated[i].0, pose: self.parts[i].pose }),
            arms: PivotOffsets::Far([arm(0), arm(1)]),
            span: relocated[0].0.bounding_radius + relocated[1].0.bounding_radius,
            largest: largest_coordinate(points).max(arcs[0]).max(arcs[1]),
            ..*self
        }
    }

    /// Returns the power of two that makes the largest length of a tiny motion about 1, or `None` if the motion is not
    /// tiny.
    #[inline(always)]
    pub(super) fn power_if_tiny(&self) -> Option<i32> {
        let largest = self.largest.max(self.radius);
        (largest < TINY && largest > 0.0).then(|| rescaled(DVec2::new(largest, 0.0)).1)
    }

    /// Calls a function with the motion and its parts, multiplied by a power of two.
    #[cold]
    #[inline(never)]
    pub(super) fn with_scale<R>(&self, power: i32, f: impl FnOnce(&mut RelativeMotion<'_>) -> R) -> R {
        let convexes = both([0, 1], |i| self.parts[i].convex.times_power_of_two(power));
        f(&mut self.times_power_of_two(power, &convexes))
    }

    /// Returns the motion multiplied by a power of two. `convexes` are the parts multiplied by it.
    fn times_power_of_two<'b>(&self, power: i32, convexes: &'b [Convex; 2]) -> RelativeMotion<'b> {
        let number = |x: f64| times_power_of_two(x, power);
        let vector = |v: DVec2| vector_times_power_of_two(v, power);
        let double = |d: DoubleDouble| {
            let half = power / 2;
            d.scaled(power_of_two(half)).scaled(power_of_two(power - half))
        };
        let parts = both([0, 1], |i| {
            let pose = &self.parts[i].pose;
            Part { convex: &convexes[i], pose: pose.with_valid_translation(vector(pose.translation())) }
        });
        let (arms, pivot_radii) = match &self.arms {
            PivotOffsets::Near(arms) => {
                let arms = both(*arms, vector);
                (PivotOffsets::Near(arms), [pivot_radius(&parts[0], arms[0]), pivot_radius(&parts[1], arms[1])])
            }
            PivotOffsets::Far(arms) => {
                (PivotOffsets::Far(both(*arms, |arm| both(arm, double))), both(self.pivot_radii, number))
            }
        };
        RelativeMotion {
            parts,
            arms,
            turning: self.turning,
            pivot_radii,
            radius: number(self.radius),
            size: 0.0,
            span: pivot_radii[0] + pivot_radii[1],
            apart: both(self.apart, double),
            travel: both(self.travel, double),
            pivots: both(self.pivots, vector),
            translations: both(self.translations, vector),
            largest: number(self.largest).max(pivot_radii[0]).max(pivot_radii[1]),
        }
    }

    /// Returns the parts at a time, in a frame without rotation. Its origin is the pivot of a, or
    /// the origin of a if its pivot is far away.
    #[inline(always)]
    pub(super) fn at(&self, time: f64) -> PartsAtTime<'a> {
        let offset = self.offset(time);
        let [a, b] = &self.parts;
        let arms = match self.arms {
            PivotOffsets::Near(arms) => arms,
            PivotOffsets::Far(arms) => return self.at_long_arms(arms, time, offset),
        };
        let (p, q) = (self.placed(0, arms[0], time, DVec2::ZERO), self.placed(1, arms[1], time, offset));
        let pair = Pair::new(Part { pose: p, ..*a }, Part { pose: q, ..*b });
        PartsAtTime { pair, pivots: [DVec2::ZERO, offset], offset }
    }

    /// Returns the pose of a part at a time, with its pivot at a given position. No closure:
    /// closures are not always inlined, and results in memory cost latency.
    #[inline(always)]
    fn placed(&self, i: usize, arm: DVec2, time: f64, pivot: DVec2) -> Pose {
        let turned = self.rotation(i, time, pivot);
        if arm == DVec2::ZERO {
            return turned;
        }
        // The vector from the pivot rotates by the same angle. Its direction is not that of the
        // part.
        turned.rotated(0.0, Pose::IDENTITY.rotated(self.turning[i] * time, pivot).transform_point(arm))
    }

    /// Returns the rotation of a part at a time.
    #[inline(always)]
    pub(super) fn rotation(&self, i: usize, time: f64, origin: DVec2) -> Pose {
        let (pose, turning) = (&self.parts[i].pose, self.turning[i]);
        // A part without rotation keeps its bits.
        if turning == 0.0 { pose.rotated(0.0, origin) } else { pose.rotated_fast(turning * time, origin) }
    }

    /// Does the same as [`at`](Self::at) with double-double vectors.
    #[cold]
    fn at_long_arms(&self, arms: [Vector; 2], time: f64, offset: DVec2) -> PartsAtTime<'a> {
        let arms = both([0, 1], |i| self.arm(i, arms[i], time));
        let between = both([0, 1], |axis| {
            let sum = self.travel[axis].multiply(DoubleDouble::from(time)).add(self.apart[axis]);
            sum.add(arms[1][axis]).add(arms[0][axis].scaled(-1.0)).to_f64()
        });
        let (between, [to_a, to_b]) =
            (DVec2::from(between), both(arms, |arm| DVec2::from(both(arm, DoubleDouble::to_f64))));
        let pose = |i: usize, origin: DVec2| Part { pose: self.rotation(i, time, origin), ..self.parts[i] };
        PartsAtTime { pair: Pair::new(pose(0, DVec2::ZERO), pose(1, between)), pivots: [-to_a, between - to_b], offset }
    }

    /// Returns a long vector from a pivot to the origin of the part at a time.
    fn arm(&self, i: usize, arm: Vector, time: f64) -> Vector {
        rotated(DoubleDouble::product(self.turning[i], time).cos_sin(), arm)
    }

    /// Returns true if every part rotates about its own origin.
    pub(super) fn has_no_arms(&self) -> bool {
        matches!(self.arms, PivotOffsets::Near([DVec2::ZERO, DVec2::ZERO]))
    }

    /// Transforms a point from the frame of the pair to the world.
    pub(super) fn in_world(&self, point: DVec2, time: f64) -> DVec2 {
        let (p, d) = (self.pivots[0], self.translations[0]);
        let arm = match self.arms {
            PivotOffsets::Near(_) => return p + d * time + point,
            PivotOffsets::Far(arms) => self.arm(0, arms[0], time),
        };
        let start = difference(p, -point);
        let along = |axis: usize| DoubleDouble::product(d[axis], time).add(start[axis]).add(arm[axis]).to_f64();
        DVec2::new(along(0), along(1))
    }

    /// Returns the gaps that count as contact.
    pub(super) fn tolerance(&self) -> Tolerance {
        let size = self.size;
        // The ulp of the largest number is between this and twice this.
        let ulp = UNIT_ROUNDOFF * self.largest;
        // Without rotation every vertex is rotated as at the start, to the bit. Only sums are
        // rounded. Subnormal numbers are multiples of 5e-324.
        let roundings = if self.turning == [0.0; 2] { 2.0 } else { 16.0 };
        let noise = roundings * UNIT_ROUNDOFF * (self.span + self.radius) + 1e-322;
        let rounding = 1.5 * ulp + noise;
        Tolerance { aim: 5e-9 * size + rounding, contact: 6e-8 * size + 2.0 * rounding, rounding }
    }

    /// Returns the subinterval of 0..=`end` in which the bounding circles intersect, if there is
    /// one. Outside of it, the parts are apart by more than the tolerance.
    #[inline(always)]
    pub(super) fn window(&self, end: f64) -> Option<[f64; 2]> {
        let (apart, velocity) = (DVec2::new(self.apart[0].to_f64(), self.apart[1].to_f64()), self.velocity());
        let tolerance =
            2e-7 * (self.pivot_radii[0] + self.pivot_radii[1] + self.radius) + 8.0 * UNIT_ROUNDOFF * self.largest;
        let distance = self.pivot_radii[0]
            + self.pivot_radii[1]
            + self.radius
            + tolerance
            + 16.0 * UNIT_ROUNDOFF * (norm1(apart) + norm1(velocity))
            + 1e-300;
        // Roots of |apart + velocity · t|² = r², with r the sum of the bounding radii. Their
        // rounding error is far below the tolerance, which is part of r.
        let (square, closing, aside) = (velocity.length_squared(), -apart.dot(velocity), apart.perp_dot(velocity));
        let area = distance * distance * square;
        let inside = area - aside * aside;
        if (square < 1e-280) | (area < 1e-280) {
            // Squares underflow, or there is no motion.
            return (norm1(apart) <= 2.0 * (distance + norm1(velocity))).then_some([0.0, end]);
        }
        if inside < 0.0 {
            return None;
        }
        let half = sqrt(inside);
        let [from, to] = [(closing - half) / square, (closing + half) / square];
        let rounding = 8.0 * UNIT_ROUNDOFF * (from.abs() + to.abs());
        let window = [(from - rounding).max(0.0), (to + rounding).min(end)];
        (window[0] <= window[1]).then_some(window)
    }
}

/// Returns the pivot of a part. A part without rotation uses its own origin.
#[inline(always)]
fn pivot(part: &Part<'_>, sweep: &Sweep<'_>) -> DVec2 {
    if sweep.angle() == 0.0 { part.pose.translation() } else { sweep.start().pose().translation() }
}

/// Returns the maximum distance of the points of a part from its pivot.
#[inline(always)]
fn pivot_radius(part: &Part<'_>, arm: DVec2) -> f64 {
    part.convex.bounding_radius + if arm == DVec2::ZERO { 0.0 } else { length(arm) * (1.0 + 4.0 * UNIT_ROUNDOFF) }
}

/// Returns `p − q` without rounding.
#[inline(always)]
fn difference(p: DVec2, q: DVec2) -> Vector {
    [DoubleDouble::difference(p.x, q.x), DoubleDouble::difference(p.y, q.y)]
}

/// Returns the largest magnitude of a coordinate.
fn largest_coordinate(vectors: impl Iterator<Item = DVec2>) -> f64 {
    vectors.fold(0.0, |largest, v| largest.max(v.abs().max_element()))
}

/// Rotates a vector by an angle given by cosine and sine.
fn rotated([cos, sin]: Vector, [x, y]: Vector) -> Vector {
    [cos.multiply(x).add(sin.multiply(y).scaled(-1.0)), sin.multiply(x).add(cos.multiply(y))]
}

/// Returns a duration for which a gap certainly lasts. The gap closes at a speed that grows by at
/// most `bend`, which may be negative. It is the first root of gap − closing · h − bend · h² / 2.
/// It is slightly earlier if the gap closes at first and there is no root. It is infinite if the
/// gap never closes.
#[inline(always)]
pub(super) fn until(gap: f64, closing: f64, bend: f64) -> f64 {
    let square = closing * closing + 2.0 * bend * gap;
    // Squares of tiny numbers underflow.
    let root = if square > 1e-280 {
        sqrt(square)
    } else {
        closing.abs().max(sqrt(2.0 * bend) * sqrt(gap)) * core::f64::consts::SQRT_2
    };
    // Both roots in the form without cancellation.
    if closing > 0.0 {
        2.0 * gap / (closing + root)
    } else if bend > 0.0 {
        (root - closing) / bend
    } else {
        f64::INFINITY
    }
}

/// Gaps that count as contact, and the gap to aim at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tolerance {
    /// The smallest gap of a result, up to smaller rounding errors.
    pub(super) aim: f64,
    /// A gap of at most this size is a contact.
    pub(super) contact: f64,
    /// Upper bound of the rounding error of gaps.
    pub(super) rounding: f64,
}

/// Returns a length between a third of the diameter of a part and its diameter.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub(super) fn size(part: &Part<'_>) -> f64 {
    let blocks = part.convex.blocks();
    let (x, y) = (blocks.as_slice()[0].x[0], blocks.as_slice()[0].y[0]);
    // Computed lane by lane, so that no number depends on the previous one.
    let mut extents = [0.0; 4];
    for block in blocks.as_slice() {
        for (i, extent) in extents.iter_mut().enumerate() {
            *extent = greater(greater((block.x[i] - x).abs(), (block.y[i] - y).abs()), *extent);
        }
    }
    greater(greater(extents[0], extents[1]), greater(extents[2], extents[3])) + 2.0 * part.convex.radius
}
