//! Swept separating axes: convex shapes that move without turning.
//!
//! The Minkowski difference of the hulls is a convex polygon whose edges are those of both, and the motion takes the origin through it along a segment. A
//! segment is clipped by a convex polygon with one division an edge (Cyrus and Beck, Generalized two- and three-dimensional clipping, 1978): the separation along
//! the edge's normal changes evenly, and where it passes 0 the segment goes in or out. It is in the polygon from the last way in to the first way out.
//!
//! Radii move the edges outward and round the corners off. Where the origin passes an edge between its ends, that is the impact; else the careful way
//! ([`advance`](super::advance)) goes on from there.

use glam::DVec2;

use super::pair::{Pair, Relative};
use super::sat::{self, Face, better};
use super::support::lowest;
use super::toi::Impact;
use crate::math::lanes::prelude::*;
use crate::math::lanes::{Kernel, Simd, f64x4, widest};
use crate::math::vector::{length, sqrt};
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
        let mut ways = [Way::NONE; 2];
        for of in [0, 1] {
            let (edges, corners) = (self.blocks[of].as_ref(), self.blocks[1 - of].as_ref());
            for (i, block) in edges.iter().enumerate() {
                let separations = sat::of_block(simd, block, corners, self.poses[of]) - self.radius;
                ways[of].clip(simd, i, block, separations, self.velocities[of], self.doubt);
            }
            // Certainly apart, and out before in.
            let (apart, enter, exit) = (
                ways[0].farthest.max(ways[1].farthest),
                ways[0].enter.separation.max(ways[1].enter.separation),
                ways[0].exit.min(ways[1].exit),
            );
            if apart > self.doubt && (enter > self.end || enter >= exit) {
                return Clipped::Out;
            }
        }
        if ways[0].farthest.max(ways[1].farthest) <= self.doubt {
            return Clipped::Close;
        }
        let of = usize::from(ways[1].enter.separation > ways[0].enter.separation);
        Clipped::In { of, face: ways[of].enter }
    }
}

/// What the edges of one shape say of the way.
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
    const NONE: Self = Self { enter: Face::NONE, exit: f64::INFINITY, farthest: f64::NEG_INFINITY };

    #[inline(always)]
    fn clip<S: Simd>(&mut self, simd: S, i: usize, edges: &Block, separations: f64x4<S>, velocity: DVec2, doubt: f64) {
        let rates = f64x4::from_slice(simd, &edges.normal_x) * velocity.x + f64x4::from_slice(simd, &edges.normal_y) * velocity.y;
        let zero = f64x4::splat(simd, 0.0);
        let (never, always) = (f64x4::splat(simd, f64::INFINITY), f64x4::splat(simd, f64::NEG_INFINITY));
        let times = zero - separations / rates;
        let inward = rates.simd_lt(zero);
        self.enter = better(self.enter, i, &inward.select(times, always).into());
        // Beside an edge, or on it, and not moving toward it: never inside by more than the doubt.
        let outside = separations.simd_ge(f64x4::splat(simd, -doubt));
        let exits = outside.select(always, rates.simd_gt(zero).select(times, never));
        self.exit = self.exit.min(inward.select(never, exits).reduce_min());
        self.farthest = self.farthest.max(separations.reduce_max());
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
