//! Swept separating axes: convex shapes that move without turning.
//!
//! The Minkowski difference of the hulls is a convex polygon whose edges are those of both, and the motion takes the origin through it along a segment. A
//! segment is clipped by a convex polygon with one division an edge (Cyrus and Beck, Generalized two- and three-dimensional clipping, 1978): the separation along
//! the edge's normal changes evenly, and where it passes 0 the segment goes in or out. It is in the polygon from the last way in to the first way out.
//!
//! Whether it goes through at all the shadows say that both hulls throw along the way: they are quick to find, and most misses end there. Where it does, only the last
//! way in is looked for, eight edges at a time. What rounding may do is taken off every separation, so that each of the times is early, and the last of
//! them too, by no more than their edges allow.
//!
//! Radii move the edges outward and round the corners off. Where the origin passes an edge between its ends, that is the impact; else the careful way
//! ([`advance`](super::advance)) goes on from there.

use core::hint::select_unpredictable;

use glam::DVec2;

use super::Impact;
use crate::math::lanes::prelude::*;
use crate::math::lanes::{Kernel, Simd, f64x4, f64x8, widest};
use crate::math::pose::Pose;
use crate::math::vector::{length, sqrt};
use crate::query::pair::{Relative, Rounding};
use crate::query::sat;
use crate::shape::Sweep;
use crate::shape::convex::Block;
use crate::shape::part::Part;

/// When the parts come into contact, moving straight on with their sweeps; impacts after `end` do not count.
///
/// `otherwise` is asked where they are too close at the start or too far away for their size, or meet at a rounded corner.
#[inline(always)]
pub(super) fn cast(parts: [&Part<'_>; 2], sweeps: [&Sweep<'_>; 2], end: f64, otherwise: impl FnOnce() -> Option<Impact>) -> Option<Impact> {
    let [a, b] = parts.map(|part| part.convex);
    if let (Some(p), Some(q)) = (a.as_two_blocks(), b.as_two_blocks()) {
        return widest(Straight { blocks: [p, q], parts, sweeps, end, otherwise });
    }
    if let (Some(p), Some(q)) = (a.as_point(), b.as_point()) {
        return of_circles(parts, [p, q], sweeps, end, otherwise);
    }
    let (edges_a, edges_b) = (a.edge_count(), b.edge_count());
    // Two segments may lie on one line, where no edge says where they end.
    if edges_a.max(edges_b) <= 2 || sat::many_corners(edges_a, edges_b) {
        return otherwise();
    }
    let (p, q) = (a.blocks(), b.blocks());
    widest(Straight { blocks: [p.as_slice(), q.as_slice()], parts, sweeps, end, otherwise })
}

/// Two convex shapes, at least one of them a polygon.
struct Straight<'a, B: ?Sized, F> {
    blocks: [&'a B; 2],
    parts: [&'a Part<'a>; 2],
    sweeps: [&'a Sweep<'a>; 2],
    end: f64,
    otherwise: F,
}

impl<B: AsRef<[Block]> + ?Sized, F: FnOnce() -> Option<Impact>> Kernel for Straight<'_, B, F> {
    type Output = Option<Impact>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Option<Impact> {
        let [a, b] = self.parts;
        let blocks = self.blocks.map(AsRef::as_ref);
        let velocity = self.sweeps[1].translation() - self.sweeps[0].translation();
        let apart = b.pose.translation() - a.pose.translation();
        let (rounding, radius) = (Rounding::of(a, b, apart), a.convex.radius + b.convex.radius);
        let doubt = rounding.doubt();

        let lane = Lane::new(simd, blocks, [&a.pose, &b.pose], apart, velocity);
        let speed = length(velocity);
        let overlap = lane.overlap + radius * speed;
        // Beyond that digits underflow.
        let limit = doubt * speed + 1e-300;
        if overlap < -limit {
            return None;
        }
        if overlap <= limit || limit > 5e-9 * (lane.width + radius * speed) {
            return (self.otherwise)();
        }

        let b_in_a = Relative::between(&a.pose, &b.pose);
        let a_in_b = Relative { cos: b_in_a.cos, sin: -b_in_a.sin, translation: -b.pose.unrotate(apart) };
        let of_a = Gates::new(simd, blocks[0], blocks[1], b_in_a, a.pose.unrotate(-velocity), radius + doubt);
        let of_b = Gates::new(simd, blocks[1], blocks[0], a_in_b, b.pose.unrotate(velocity), radius + doubt);
        // Of which shape the edge is cannot be foretold: no branches.
        let of_second = of_b.last.0 > of_a.last.0;
        let (time, edge) = (pick(of_second, of_a.last.0, of_b.last.0), pick(of_second, of_a.last.1, of_b.last.1));
        if time > self.end {
            return None;
        }
        if time <= 0.0 {
            // Behind, or in contact.
            return if of_a.behind.max(of_b.behind).reduce_max() > 0.0 { None } else { (self.otherwise)() };
        }
        let sign = pick(of_second, 1.0, -1.0);
        let (own, other) = (pick(of_second, a, b), pick(of_second, b, a));
        let blocks = [pick(of_second, blocks[0], blocks[1]), pick(of_second, blocks[1], blocks[0])];
        let face = Face { parts: [own, other], blocks, edge };
        let lowest = face.lowest(simd, pick(of_second, &b_in_a, &a_in_b));
        let found = face.contact(lowest, (apart + velocity * time) * sign, rounding.slack(), !of_second);
        let Some((contact, normal)) = found else { return (self.otherwise)() };
        let point = own.pose.translation() + contact + pick(of_second, self.sweeps[0], self.sweeps[1]).translation() * time;
        Some(Impact { time, normal: normal * sign, point, initial_depth: None, part_a: 0, part_b: 0 })
    }
}

/// One of two, without a branch.
#[inline(always)]
fn pick<T>(second: bool, p: T, q: T) -> T {
    select_unpredictable(second, q, p)
}

/// The shadows that two hulls throw along the way, times the speed.
struct Lane {
    /// By how much they overlap.
    overlap: f64,
    /// The wider one.
    width: f64,
}

impl Lane {
    #[inline(always)]
    fn new<S: Simd>(simd: S, blocks: [&[Block]; 2], [a, b]: [&Pose; 2], apart: DVec2, velocity: DVec2) -> Self {
        let across = velocity.perp();
        let shift = across.dot(apart);
        let [low_a, high_a] = shadow(simd, blocks[0], a.unrotate(across));
        let [low_b, high_b] = shadow(simd, blocks[1], b.unrotate(across));
        let overlap = ((high_a - low_b) - shift).min((high_b - low_a) + shift);
        Self { overlap, width: (high_a - low_a).max(high_b - low_b) }
    }
}

/// From where to where the corners reach along a direction.
#[inline(always)]
fn shadow<S: Simd>(simd: S, blocks: &[Block], direction: DVec2) -> [f64; 2] {
    let (mut low, mut high) = (f64x4::splat(simd, f64::INFINITY), f64x4::splat(simd, f64::NEG_INFINITY));
    for block in blocks {
        let height = heights(simd, block, direction);
        (low, high) = (low.min(height), high.max(height));
    }
    [low.reduce_min(), high.reduce_max()]
}

/// How far the corners of a block lie along a direction.
#[inline(always)]
fn heights<S: Simd>(simd: S, block: &Block, direction: DVec2) -> f64x4<S> {
    f64x4::from_slice(simd, &block.x) * direction.x + f64x4::from_slice(simd, &block.y) * direction.y
}

/// The greatest of eight values, and where it is; of several that are equal the first.
#[inline(always)]
fn greatest<S: Simd>(values: f64x8<S>) -> (f64, usize) {
    let greatest = values.reduce_max();
    let lane = values.simd_eq(f64x8::splat(values.simd, greatest)).to_bitmask().trailing_zeros();
    (greatest, lane as usize % 8)
}

/// The greater of two, each with its number; the first where they are equal.
#[inline(always)]
fn greater(p: (f64, usize), q: (f64, usize)) -> (f64, usize) {
    let second = q.0 > p.0;
    (pick(second, p.0, q.0), pick(second, p.1, q.1))
}

/// Two blocks, or one twice.
#[inline(always)]
fn both(blocks: &[Block]) -> [&Block; 2] {
    [&blocks[0], blocks.get(1).unwrap_or(&blocks[0])]
}

/// What two blocks have of something.
#[inline(always)]
fn eight<S: Simd>(simd: S, blocks: [&Block; 2], of: impl Fn(&Block) -> &[f64; 4]) -> f64x8<S> {
    f64x4::from_slice(simd, of(blocks[0])).combine(f64x4::from_slice(simd, of(blocks[1])))
}

/// What the edges of one shape say.
struct Gates<S: Simd> {
    /// When the way goes in through the line of an edge for the last time, and the edge.
    last: (f64, usize),
    /// The greatest separations at the start of edges that do not come nearer.
    behind: f64x8<S>,
}

impl<S: Simd> Gates<S> {
    /// The edges of one shape and the corners of the other, which comes nearer by `closing` in the frame of the edges, until there is no more than `room` between them.
    #[inline(always)]
    fn new(simd: S, edges: &[Block], corners: &[Block], pose: Relative, closing: DVec2, room: f64) -> Self {
        let (times, behind) = Self::of(simd, both(edges), corners, pose, closing, room);
        let (mut gates, mut i) = (Self { last: greatest(times), behind }, 2);
        while i < edges.len() {
            let (times, behind) = Self::of(simd, both(&edges[i..]), corners, pose, closing, room);
            let (time, edge) = greatest(times);
            gates = Self { last: greater(gates.last, (time, 4 * i + edge)), behind: gates.behind.max(behind) };
            i += 2;
        }
        gates
    }

    /// When the way goes in through the lines of eight edges that come nearer, and the separations of those that do not.
    #[inline(always)]
    fn of(simd: S, edges: [&Block; 2], corners: &[Block], pose: Relative, closing: DVec2, room: f64) -> (f64x8<S>, f64x8<S>) {
        let (normal_x, normal_y) = (eight(simd, edges, |b| &b.normal_x), eight(simd, edges, |b| &b.normal_y));
        let x = normal_x * pose.cos + normal_y * pose.sin;
        let y = normal_y * pose.cos - normal_x * pose.sin;
        let mut least = f64x8::splat(simd, f64::INFINITY);
        for block in corners {
            // Not one after the other: each would wait for the one before it.
            let (p, q) = (x * block.x[0] + y * block.y[0], x * block.x[1] + y * block.y[1]);
            let (r, s) = (x * block.x[2] + y * block.y[2], x * block.x[3] + y * block.y[3]);
            least = least.min(p.min(q).min(r.min(s)));
        }
        let moved = normal_x * pose.translation.x + normal_y * pose.translation.y - eight(simd, edges, |b| &b.offset);
        let separations = least + moved - room;
        let (rates, never) = (normal_x * closing.x + normal_y * closing.y, f64x8::splat(simd, f64::NEG_INFINITY));
        let nearer = rates.simd_gt(f64x8::splat(simd, 0.0));
        (nearer.select(separations / rates, never), nearer.select(never, separations))
    }
}

/// An edge of the first shape, through which the way goes in.
struct Face<'a> {
    parts: [&'a Part<'a>; 2],
    blocks: [&'a [Block]; 2],
    edge: usize,
}

impl Face<'_> {
    /// The corner of the other shape, whose pose in the frame of this one is given, that is lowest over the edge.
    #[inline(always)]
    fn lowest<S: Simd>(&self, simd: S, pose: &Relative) -> usize {
        let down = -pose.unrotate(self.normal());
        let heights = |pair: [&Block; 2]| eight(simd, pair, |b| &b.x) * down.x + eight(simd, pair, |b| &b.y) * down.y;
        let (mut lowest, mut i) = (greatest(heights(both(self.blocks[1]))), 2);
        while i < self.blocks[1].len() {
            let (height, corner) = greatest(heights(both(&self.blocks[1][i..])));
            lowest = greater(lowest, (height, 4 * i + corner));
            i += 2;
        }
        lowest.1
    }

    /// Unit, outward, in the frame of the shape.
    #[inline(always)]
    fn normal(&self) -> DVec2 {
        let block = &self.blocks[0][self.edge / 4];
        DVec2::new(block.normal_x[self.edge % 4], block.normal_y[self.edge % 4])
    }

    /// Where the lowest corner of the other shape, which is that far `apart` by then, meets the surface of the first one, seen from the origin of the shape
    /// of the edge, and the normal; none where that is beside the edge.
    #[inline(always)]
    fn contact(&self, lowest: usize, apart: DVec2, slack: f64, is_first: bool) -> Option<(DVec2, DVec2)> {
        let [own, other] = self.parts;
        let normal = own.pose.rotate(self.normal());
        let tangent = DVec2::new(-normal.y, normal.x);
        let start = own.pose.rotate(corner(self.blocks[0], self.edge));
        let end = own.pose.rotate(corner(self.blocks[0], own.convex.next(self.edge)));
        let seen = |i: usize| other.pose.rotate(corner(self.blocks[1], i)) + (apart - start);
        let (at, length) = (seen(lowest), tangent.dot(end - start));
        let along = tangent.dot(at);
        if along < -slack || along > length + slack {
            // Of edges that lie on each other any corner may be the lowest; the other end must be as low, and lie beyond this end of the edge.
            let behind = along > length;
            let next = seen(if behind { other.convex.next(lowest) } else { other.convex.previous(lowest) });
            let beyond = if behind { tangent.dot(next) > length } else { tangent.dot(next) < 0.0 };
            if beyond || normal.dot(next - at) > slack {
                return None;
            }
        }
        // On the surface of a, wherever the edge is.
        let height = pick(is_first, normal.dot(at) - other.convex.radius, own.convex.radius);
        Some((start + tangent * along.min(length).max(0.0) + normal * height, normal))
    }
}

#[inline(always)]
fn corner(blocks: &[Block], i: usize) -> DVec2 {
    DVec2::new(blocks[i / 4].x[i % 4], blocks[i / 4].y[i % 4])
}

/// Two circles: the ray of one centre against the circle of both radii about the other.
#[inline(always)]
fn of_circles(
    [a, b]: [&Part<'_>; 2],
    [p, q]: [DVec2; 2],
    sweeps: [&Sweep<'_>; 2],
    end: f64,
    otherwise: impl FnOnce() -> Option<Impact>,
) -> Option<Impact> {
    let (p, q) = (a.pose.apply(p), b.pose.apply(q));
    let (apart, velocity) = (q - p, sweeps[1].translation() - sweeps[0].translation());
    let (radius, larger) = (a.convex.radius + b.convex.radius, a.convex.radius.max(b.convex.radius));
    let doubt = Rounding::of(a, b, b.pose.translation() - a.pose.translation()).doubt();
    let distance = length(apart) - radius;
    if distance <= doubt || doubt > 1e-8 * larger {
        return otherwise();
    }
    let (speed, toward) = (velocity.length_squared(), -apart.dot(velocity));
    let (aside, reach) = (apart.perp_dot(velocity), radius + doubt);
    let inside = reach * reach * speed - aside * aside;
    if toward <= 0.0 || inside <= 0.0 {
        return None;
    }
    // The smaller root in the form that does not cancel.
    let time = (distance - doubt).max(0.0) * (length(apart) + reach) / (toward + sqrt(inside));
    if time > end {
        return None;
    }
    let between = apart + velocity * time;
    let normal = between / length(between);
    let point = p + sweeps[0].translation() * time + normal * a.convex.radius;
    Some(Impact { time, normal, point, initial_depth: None, part_a: 0, part_b: 0 })
}
