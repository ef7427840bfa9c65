//! Swept separating axes: convex shapes that move without turning.
//!
//! The Minkowski difference of the hulls is a convex polygon whose edges are those of both, and the motion takes the origin through it along a segment. A
//! segment is clipped by a convex polygon with one division an edge (Cyrus and Beck, Generalized two- and three-dimensional clipping, 1978): the separation along
//! the edge's normal changes evenly, and where it passes 0 the segment goes in or out. It is in the polygon from the last way in to the first way out.
//!
//! Radii move the edges outward and round the corners off. Where the origin passes an edge between its ends, that is the impact; else the careful way
//! ([`advance`](super::advance)) goes on from there.

use glam::DVec2;

use super::Impact;
use crate::math::lanes::prelude::*;
use crate::math::lanes::{Kernel, Simd, f64x4, widest};
use crate::math::vector::{length, sqrt};
use crate::query::pair::{Pair, Relative};
use crate::query::sat::{self, Face, better};
use crate::query::support::lowest;
use crate::shape::convex::Block;
use crate::shape::part::Part;

/// What the quick way says.
pub(super) enum Cast {
    Hit(Impact),
    Miss,
    /// The shapes are too close at the start or too far away for their size, or meet at a rounded corner.
    Unsure,
}

/// When the parts come into contact, moving straight on by `motions` while time goes from 0 to 1; impacts after `end` do not count.
#[inline(always)]
pub(super) fn cast(a: Part<'_>, b: Part<'_>, motions: [DVec2; 2], end: f64) -> Cast {
    let pair = Pair::new(a, b);
    if pair.doubt() > 5e-9 * rough_size(&a).max(rough_size(&b)) {
        return Cast::Unsure;
    }
    let velocity = motions[1] - motions[0];
    if let (Some(p), Some(q)) = (a.convex.as_point(), b.convex.as_point()) {
        return of_circles(&pair, [a.pose.apply(p), b.pose.apply(q)], motions, end);
    }
    if passes_by(&pair, velocity) {
        return Cast::Miss;
    }
    let (edges_a, edges_b) = (a.convex.edge_count(), b.convex.edge_count());
    // Two segments may lie on one line, where no edge says where they end.
    if edges_a.max(edges_b) <= 2 || sat::many_corners(edges_a, edges_b) {
        return Cast::Unsure;
    }
    let velocities = [a.pose.unrotate(velocity), b.pose.unrotate(-velocity)];
    let clip = if let (Some(p), Some(q)) = (a.convex.as_two_blocks(), b.convex.as_two_blocks()) {
        widest(Clip { blocks: [p, q], poses: pair.other_in, velocities, radius: pair.radius, doubt: pair.doubt(), end })
    } else {
        let (p, q) = (a.convex.blocks(), b.convex.blocks());
        let blocks = [p.as_slice(), q.as_slice()];
        widest(Clip { blocks, poses: pair.other_in, velocities, radius: pair.radius, doubt: pair.doubt(), end })
    };
    match clip {
        Clipped::In { of, face } => of_face(&pair, of, face, velocities[of], motions),
        Clipped::Out => Cast::Miss,
        Clipped::Close => Cast::Unsure,
    }
}

/// Does the line of the motion pass by the circles around both parts?
#[inline(always)]
fn passes_by(pair: &Pair<'_>, velocity: DVec2) -> bool {
    let [a, b] = &pair.parts;
    let aside = (b.pose.translation() - a.pose.translation()).perp_dot(velocity);
    let reach = a.convex.reach + b.convex.reach + pair.radius + pair.doubt();
    let (reach, speed) = (reach * reach, velocity.length_squared());
    // Neither underflows.
    (reach > 1e-280) & (speed > 1e-280) & (aside * aside > reach * speed * (1.0 + 1e-12))
}

/// No more than the diameter of a part, cheaply.
#[inline(always)]
fn rough_size(part: &Part<'_>) -> f64 {
    let convex = part.convex;
    let extent = if convex.edge_count() == 0 { 0.0 } else { (convex.corner(1) - convex.corner(0)).abs().max_element() };
    extent + 2.0 * convex.radius
}

/// Where the way enters the polygon.
enum Clipped {
    /// Through an edge of shape number `of`; its separation is the time.
    In { of: usize, face: Face },
    /// Not at all.
    Out,
    /// The shapes may meet at the start.
    Close,
}

struct Clip<'a, B: ?Sized> {
    blocks: [&'a B; 2],
    poses: [Relative; 2],
    /// Of the other shape, in the frame of each.
    velocities: [DVec2; 2],
    radius: f64,
    doubt: f64,
    end: f64,
}

impl<B: AsRef<[Block]> + ?Sized> Kernel for Clip<'_, B> {
    type Output = Clipped;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Clipped {
        let of_a = self.way(simd, 0);
        if of_a.is_out(self.doubt, self.end) {
            return Clipped::Out;
        }
        let of_b = self.way(simd, 1);
        let (first, farthest) = (of_a.enter.separation >= of_b.enter.separation, of_a.farthest.max(of_b.farthest));
        let enter = if first { of_a.enter } else { of_b.enter };
        if farthest <= self.doubt {
            return Clipped::Close;
        }
        if (Way { enter, exit: of_a.exit.min(of_b.exit), farthest }).is_out(self.doubt, self.end) {
            return Clipped::Out;
        }
        Clipped::In { of: usize::from(!first), face: enter }
    }
}

impl<B: AsRef<[Block]> + ?Sized> Clip<'_, B> {
    /// What the edges of shape number `of` say.
    #[inline(always)]
    fn way<S: Simd>(&self, simd: S, of: usize) -> Way {
        let (edges, corners, velocity) = (self.blocks[of].as_ref(), self.blocks[1 - of].as_ref(), self.velocities[of]);
        let (zero, beside) = (f64x4::splat(simd, 0.0), f64x4::splat(simd, -self.doubt));
        let (never, always) = (f64x4::splat(simd, f64::INFINITY), f64x4::splat(simd, f64::NEG_INFINITY));
        let (mut enter, mut exit, mut farthest) = (Face::NONE, never, always);
        for (i, block) in edges.iter().enumerate() {
            let separations = sat::of_block(simd, block, corners, self.poses[of]) - self.radius;
            let rates = f64x4::from_slice(simd, &block.normal_x) * velocity.x + f64x4::from_slice(simd, &block.normal_y) * velocity.y;
            let times = zero - separations / rates;
            let inward = rates.simd_lt(zero);
            enter = better(enter, i, &inward.select(times, always).into());
            // Beside an edge, or on it, and not moving toward it: never inside by more than the doubt.
            let exits = separations.simd_ge(beside).select(always, rates.simd_gt(zero).select(times, never));
            exit = exit.min(inward.select(never, exits));
            farthest = farthest.max(separations);
        }
        Way { enter, exit: exit.reduce_min(), farthest: farthest.reduce_max() }
    }
}

/// What edges say of the way.
#[derive(Clone, Copy)]
struct Way {
    /// The edge that lets it in last, and when.
    enter: Face,
    /// When the first edge lets it out.
    exit: f64,
    /// The greatest separation at the start.
    farthest: f64,
}

impl Way {
    /// Certainly apart at the start, and out before in.
    #[inline(always)]
    fn is_out(&self, doubt: f64, end: f64) -> bool {
        (self.farthest > doubt) & ((self.enter.separation > end) | (self.enter.separation >= self.exit))
    }
}

/// The impact through an edge, where the contact lies between its ends.
#[inline(always)]
fn of_face(pair: &Pair<'_>, of: usize, face: Face, velocity: DVec2, motions: [DVec2; 2]) -> Cast {
    let (own, other) = (&pair.parts[of], &pair.parts[1 - of]);
    let edge = own.convex.edge(face.edge);
    let closing = -edge.normal.dot(velocity);
    // Never late, whatever was rounded.
    let time = (face.separation - pair.doubt() / closing).max(0.0);
    let lowest = lowest(other.convex, pair.other_in[of].unrotate(edge.normal));
    let seen = |corner: usize| pair.other_in[of].apply(other.convex.corner(corner)) + velocity * time - edge.ends[0];
    let (corner, tangent) = (seen(lowest), edge.tangent());
    let (along, length) = (tangent.dot(corner), tangent.dot(edge.ends[1] - edge.ends[0]));
    if along < -pair.slack() || along > length + pair.slack() {
        // Of edges that lie on each other any corner may be the lowest; the other end must be as low, and lie beyond this end of the edge.
        let behind = along > length;
        let next = seen(if behind { other.convex.next(lowest) } else { other.convex.previous(lowest) });
        let beyond = if behind { tangent.dot(next) > length } else { tangent.dot(next) < 0.0 };
        if beyond || edge.normal.dot(next - corner) > pair.slack() {
            return Cast::Unsure;
        }
    }
    let foot = edge.ends[0] + tangent * along.clamp(0.0, length.max(0.0));
    // On the surface of a, wherever the edge is.
    let height = if of == 0 { own.convex.radius } else { edge.normal.dot(corner) - other.convex.radius };
    let point = own.pose.apply(foot + edge.normal * height) + motions[of] * time;
    let normal = own.pose.rotate(edge.normal) * [1.0, -1.0][of];
    Cast::Hit(Impact { time, normal, point, initial_depth: None, part_a: 0, part_b: 0 })
}

/// Two circles: the ray of one centre against the circle of both radii about the other.
#[inline(always)]
fn of_circles(pair: &Pair<'_>, [p, q]: [DVec2; 2], motions: [DVec2; 2], end: f64) -> Cast {
    let (apart, velocity) = (q - p, motions[1] - motions[0]);
    let distance = length(apart) - pair.radius;
    if distance <= pair.doubt() {
        return Cast::Unsure;
    }
    let (speed, toward) = (velocity.length_squared(), -apart.dot(velocity));
    let (aside, reach) = (apart.perp_dot(velocity), pair.radius + pair.doubt());
    let inside = reach * reach * speed - aside * aside;
    if toward <= 0.0 || inside <= 0.0 {
        return Cast::Miss;
    }
    // The smaller root in the form that does not cancel.
    let time = (distance - pair.doubt()).max(0.0) * (length(apart) + reach) / (toward + sqrt(inside));
    if time > end {
        return Cast::Miss;
    }
    let between = apart + velocity * time;
    let normal = between / length(between);
    let point = p + motions[0] * time + normal * pair.parts[0].convex.radius;
    Cast::Hit(Impact { time, normal, point, initial_depth: None, part_a: 0, part_b: 0 })
}
