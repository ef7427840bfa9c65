//! Contacts of two rectangles and of two small polygons, the usual case: one kernel from the poses to the manifold, compiled for what the shapes are and for the
//! widest instruction set. What is rare goes the common way.

use core::hint::select_unpredictable;

use glam::DVec2;

use super::closest::{Place, second_is_better};
use super::exact::Relation;
use super::face::Face;
use super::manifold::Manifold;
use super::pair::{Pair, Relative, Rounding, is_beyond, judged};
use super::support::{lowest_of_eight, lowest_of_rectangle};
use super::{clip, exact, sat};
use crate::math::lanes::{Kernel, Simd, widest};
use crate::math::pose::Pose;
use crate::shape::convex::Convex;
use crate::shape::convex::outline::{Outline, Rectangle, Small};

/// How two convex shapes meet, if they do, or come within the margin; of kinds that have no kernel here, `otherwise` says.
#[inline(always)]
pub(super) fn contact(
    convexes: [&Convex; 2],
    poses: [&Pose; 2],
    margin: f64,
    otherwise: impl FnOnce() -> Option<Manifold>,
) -> Option<Manifold> {
    let [p, q] = convexes;
    if let (Some(p), Some(q)) = (p.as_corners(), q.as_corners()) {
        return widest(Contact { convexes, outlines: [p, q], poses, margin });
    }
    if let (Some(p), Some(q)) = (p.as_small(), q.as_small()) {
        return widest(Contact { convexes, outlines: [p, q], poses, margin });
    }
    otherwise()
}

/// An outline of few corners.
trait Few: Outline {
    /// The best faces of two; `None` where one of them separates the hulls by more than `limit`.
    fn faces<S: Simd>(simd: S, outlines: [Self; 2], other_in: [Relative; 2], limit: f64) -> Option<[Face; 2]>;
    /// The corner that is lowest along a direction; of several the first.
    fn lowest<S: Simd>(self, simd: S, direction: DVec2) -> usize;
    /// Is it worth while to look at the circles around both first?
    const CIRCLES_FIRST: bool;
}

impl Few for Rectangle<'_> {
    #[inline(always)]
    fn faces<S: Simd>(_: S, [a, b]: [Self; 2], other_in: [Relative; 2], limit: f64) -> Option<[Face; 2]> {
        let faces = sat::of_rectangles(a.half(), b.half(), other_in);
        (faces[0].separation.max(faces[1].separation) <= limit).then_some(faces)
    }

    #[inline(always)]
    fn lowest<S: Simd>(self, _: S, direction: DVec2) -> usize {
        lowest_of_rectangle(direction)
    }

    /// Rectangles are answered before a second branch, of those that cannot be foretold, would pay.
    const CIRCLES_FIRST: bool = false;
}

impl Few for Small<'_> {
    #[inline(always)]
    fn faces<S: Simd>(simd: S, [a, b]: [Self; 2], other_in: [Relative; 2], limit: f64) -> Option<[Face; 2]> {
        sat::both_sides(simd, a.blocks, b.blocks, other_in, limit)
    }

    #[inline(always)]
    fn lowest<S: Simd>(self, simd: S, direction: DVec2) -> usize {
        lowest_of_eight(simd, self.blocks, direction)
    }

    const CIRCLES_FIRST: bool = true;
}

struct Contact<'a, O> {
    convexes: [&'a Convex; 2],
    outlines: [O; 2],
    poses: [&'a Pose; 2],
    margin: f64,
}

impl<O: Few> Kernel for Contact<'_, O> {
    type Output = Option<Manifold>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Option<Manifold> {
        let Self { convexes, outlines, poses, margin } = self;
        let ([a, b], [p, q]) = (convexes, poses);
        let apart = q.translation() - p.translation();
        let rounding = Rounding::between(convexes, poses, apart);
        let radius = a.radius + b.radius;
        let limit = radius + margin + rounding.doubt();
        if O::CIRCLES_FIRST && is_beyond(apart, a.reach + b.reach + limit) {
            return None;
        }
        let other_in = Relative::both(p, q);
        let faces = O::faces(simd, outlines, other_in, limit)?;
        let is_second = second_is_better(faces, rounding.ties());
        let of = usize::from(is_second);
        let (own, other) = (O::pick(is_second, outlines), O::pick(!is_second, outlines));
        let edge = select_unpredictable(is_second, faces[1].edge, faces[0].edge);
        let place = Place { of, edge, corner: other.lowest(simd, other_in[of].unrotate(own.normal(edge))) };
        // Mostly the corner that decides is over the edge.
        if !place.is_over_edge(&other_in[of], [own, other], rounding.slack()) {
            return beside(convexes, poses, faces, margin);
        }
        let (first, second) = (clip::Side::new(outlines[0], p, a), clip::Side::new(outlines[1], q, b));
        let sides = [clip::Side::pick(is_second, [first, second]), clip::Side::pick(!is_second, [first, second])];
        let frame = clip::Frame::new(simd, sides, place, &rounding);
        let line = frame.facing_line();
        let depth = radius - line.height();
        let depth = if depth.abs() > rounding.doubt() { depth } else { judged(depth, relation(convexes, poses)) };
        if depth < -margin {
            return None;
        }
        if frame.is_over(&line) { frame.manifold(&line, depth, margin) } else { clip::beside(&pair(convexes, poses), place, depth, margin) }
    }
}

#[inline(always)]
fn pair<'a>([a, b]: [&'a Convex; 2], [p, q]: [&Pose; 2]) -> Pair<'a> {
    Pair::new(a.placed(p), b.placed(q))
}

/// The manifold where the corner that decides is beside the edge.
#[inline(never)]
fn beside(convexes: [&Convex; 2], poses: [&Pose; 2], faces: [Face; 2], margin: f64) -> Option<Manifold> {
    clip::at_faces(&pair(convexes, poses), faces, margin)
}

#[cold]
#[inline(never)]
fn relation([a, b]: [&Convex; 2], [p, q]: [&Pose; 2]) -> Relation {
    exact::relation(a.placed(p), b.placed(q))
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::query::closest::faces;
    use crate::shape::Shape;

    /// Places anyhow, and on a grid of quarters and half turns, where edges are parallel and corners meet.
    fn pose(rng: &mut fastrand::Rng) -> Pose {
        if rng.bool() {
            return Pose::new([3.0 * rng.f64(), 3.0 * rng.f64()], 7.0 * rng.f64()).unwrap();
        }
        Pose::from_degrees([0.25 * f64::from(rng.i32(0..12)), 0.25 * f64::from(rng.i32(0..12))], 90.0 * f64::from(rng.i32(0..4))).unwrap()
    }

    fn shape(rng: &mut fastrand::Rng, rectangle: bool) -> Shape {
        let radius = if rng.u8(0..4) == 0 { 0.125 } else { 0.0 };
        if rectangle {
            let size = [0.5, 1.0, 1.0 + rng.f64()].map(|side| side * if rng.bool() { 1.0 } else { 2.0 });
            return Shape::rectangle(size[rng.usize(0..3)], size[rng.usize(0..3)]).unwrap().rounded(radius).unwrap();
        }
        let (count, grid) = (rng.usize(3..9), rng.bool());
        let mut points: Vec<[f64; 2]> = (0..count)
            .map(|i| core::f64::consts::TAU * (i as f64 + 0.6 * rng.f64()) / count as f64)
            .map(|angle| [libm::cos(angle), libm::sin(angle)].map(|x| if grid { libm::round(4.0 * x) / 4.0 } else { x }))
            .collect();
        if rng.bool() {
            points.reverse();
        }
        let polygon = Shape::polygon(&points).or_else(|_| Shape::polygon(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]));
        polygon.and_then(|polygon| polygon.rounded(radius)).unwrap()
    }

    #[test]
    fn what_is_quick_says_what_the_common_way_says() {
        let (seed, mut met, mut beside) = (27, [0; 2], 0);
        let mut rng = fastrand::Rng::with_seed(seed);
        for i in 0..60_000 {
            let kind = i % 2;
            let shapes = [(); 2].map(|()| shape(&mut rng, kind == 0));
            let (poses, margin) = ([(); 2].map(|()| pose(&mut rng)), [0.0, 0.25][rng.usize(0..2)]);
            let [a, b] = [0, 1].map(|i| shapes[i].placed(poses[i]));
            let (Some((p, pose_p)), Some((q, pose_q))) = (a.as_convex(), b.as_convex()) else { panic!("convex shapes at seed {seed}") };
            let pair = Pair::new(p.placed(pose_p), q.placed(pose_q));
            let common = faces(&pair, pair.radius + margin + pair.doubt()).and_then(|faces| clip::at_faces(&pair, faces, margin));
            let quick = contact([p, q], [pose_p, pose_q], margin, || panic!("a kind with a kernel at seed {seed}"));
            assert_eq!(quick, common, "seed {seed}, pair {i}: {shapes:?} at {poses:?}");
            met[kind] += usize::from(quick.is_some());
            beside += usize::from(quick.is_some_and(|found| found.points().len() == 1));
        }
        assert!(met[0] > 5000 && met[1] > 5000 && beside > 1000, "{met:?} meet, {beside} in one point");
    }
}
