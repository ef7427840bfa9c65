//! Swept separating axes: convex shapes that move without turning.
//!
//! The Minkowski difference of the hulls is a convex polygon whose edges are those of both, and the motion takes the origin through it along a segment. A
//! segment is clipped by a convex polygon with one division an edge (Cyrus and Beck, Generalized two- and three-dimensional clipping, 1978): the separation along
//! the edge's normal changes evenly, and where it passes 0 the segment goes in or out. It is in the polygon from the last way in to the first way out: eight edges
//! at a time, and one branch for whether there is such a time.
//!
//! What rounding may do is taken off every separation, so that the ways in are early and the ways out late, by no more than their edges allow: what is passed over
//! does not meet. That a hit is one is seen where it happens: the lowest corner lies over the edge between its ends. Radii move the edges outward and round the
//! corners off. Where the corner is not over the edge the careful way ([`advance`](super::advance)) looks.

use core::hint::select_unpredictable;

use glam::DVec2;

use super::Impact;
use crate::math::lanes::prelude::*;
use crate::math::lanes::{Kernel, Simd, f64x4, f64x8, widest};
use crate::math::vector::{length, norm1, sqrt};
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
    // No `map`: its closures are not always inlined.
    let [a, b] = [parts[0].convex, parts[1].convex];
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
        // No `map`: its closures are not inlined into kernels.
        let blocks = [self.blocks[0].as_ref(), self.blocks[1].as_ref()];
        let velocity = self.sweeps[1].translation() - self.sweeps[0].translation();
        let apart = b.pose.translation() - a.pose.translation();
        let (rounding, radius) = (Rounding::of(a, b, apart), a.convex.radius + b.convex.radius);
        let room = radius + rounding.doubt();

        let b_in_a = Relative::between(&a.pose, &b.pose);
        let a_in_b = Relative { cos: b_in_a.cos, sin: -b_in_a.sin, translation: -b.pose.unrotate(apart) };
        let closing = [a.pose.unrotate(-velocity), b.pose.unrotate(velocity)];
        let speed = norm1(velocity);
        // Where rounding is lost beside denormal numbers the gates tell better.
        let beside = pick(rounding.doubt() * speed > 1e-300, f64::INFINITY, room * speed);
        if passes_by(simd, blocks, closing, apart.perp_dot(velocity), beside) {
            return None;
        }
        let of_a = Gates::new(simd, blocks[0], blocks[1], b_in_a, closing[0], room);
        let of_b = Gates::new(simd, blocks[1], blocks[0], a_in_b, closing[1], room);
        // Of which shape the edge is cannot be foretold: no branches.
        let (time, lane) = greatest_of_two(of_a.last, of_b.last);
        let of_second = lane >= 8;
        let edge = lane % 8 + pick(of_second, of_a.first_edge(lane % 8), of_b.first_edge(lane % 8));
        let out = of_a.out.min(of_b.out).reduce_min();
        if time > out.min(self.end) {
            return None;
        }
        if time <= 0.0 {
            // Behind, or in contact.
            return if out < 0.0 { None } else { (self.otherwise)() };
        }
        let (own, other) = (pick(of_second, a, b), pick(of_second, b, a));
        let blocks = [pick(of_second, blocks[0], blocks[1]), pick(of_second, blocks[1], blocks[0])];
        let face = Face { parts: [own, other], blocks, edge };
        let seen = pick(of_second, &b_in_a, &a_in_b);
        let lowest = face.lowest(simd, seen);
        let moved = pick(of_second, closing[0], closing[1]) * -time;
        let Some((contact, normal)) = face.contact(lowest, seen, moved, &rounding, !of_second) else { return (self.otherwise)() };
        let point = own.pose.translation() + contact + pick(of_second, self.sweeps[0], self.sweeps[1]).translation() * time;
        let normal = normal * pick(of_second, 1.0, -1.0);
        Some(Impact { time, normal, point, initial_depth: None, part_a: 0, part_b: 0 })
    }
}

/// Seen along the way, do both lie beside each other? Then they do not meet, wherever on the way: most of what misses is seen by this alone.
///
/// Given how the second comes nearer, seen from the first and the first seen from the second, and how far their origins lie beside each other; that and `room` are times
/// the length of the way.
#[inline(always)]
fn passes_by<S: Simd>(simd: S, blocks: [&[Block]; 2], closing: [DVec2; 2], aside: f64, room: f64) -> bool {
    let (a, b) = (shadow(simd, blocks[0], closing[0].perp()), shadow(simd, blocks[1], -closing[1].perp()));
    (b[0] + aside - a[1] > room) | (a[0] - aside - b[1] > room)
}

/// The least and the greatest height of a shape's corners along a direction.
#[inline(always)]
fn shadow<S: Simd>(simd: S, blocks: &[Block], along: DVec2) -> [f64; 2] {
    let (mut least, mut greatest) = (f64x4::splat(simd, f64::INFINITY), f64x4::splat(simd, f64::NEG_INFINITY));
    for block in blocks {
        let heights = f64x4::from_slice(simd, &block.x) * along.x + f64x4::from_slice(simd, &block.y) * along.y;
        (least, greatest) = (least.min(heights), greatest.max(heights));
    }
    [least.reduce_min(), greatest.reduce_max()]
}

/// One of two, without a branch.
#[inline(always)]
fn pick<T>(second: bool, p: T, q: T) -> T {
    select_unpredictable(second, q, p)
}

/// The greatest of eight values, and where it is; of several that are equal the first.
#[inline(always)]
fn greatest<S: Simd>(values: f64x8<S>) -> (f64, usize) {
    let greatest = values.reduce_max();
    let lane = values.simd_eq(f64x8::splat(values.simd, greatest)).to_bitmask().trailing_zeros();
    (greatest, lane as usize % 8)
}

/// The greatest of twice eight values, and where it is, the second eight after the first; of several that are equal the first.
#[inline(always)]
fn greatest_of_two<S: Simd>(p: f64x8<S>, q: f64x8<S>) -> (f64, usize) {
    let greatest = p.max(q).reduce_max();
    let all = f64x8::splat(p.simd, greatest);
    let lanes = p.simd_eq(all).to_bitmask() | q.simd_eq(all).to_bitmask() << 8;
    (greatest, lanes.trailing_zeros() as usize % 16)
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
    /// When the way goes in through lines of edges for the last time, of every eighth edge.
    last: f64x8<S>,
    /// The number of the first of the eight edges that these are of; 0 where there are no more.
    first: Option<[f64; 8]>,
    /// When it goes out through lines of edges; before 0 where it is outside from the start and does not come nearer.
    out: f64x8<S>,
}

impl<S: Simd> Gates<S> {
    /// The edges of one shape and the corners of the other, which comes nearer by `closing` in the frame of the edges, until there is no more than `room` between them.
    #[inline(always)]
    fn new(simd: S, edges: &[Block], corners: &[Block], pose: Relative, closing: DVec2, room: f64) -> Self {
        let (mut last, mut out) = Self::of(simd, both(edges), corners, pose, closing, room);
        if edges.len() <= 2 {
            return Self { last, first: None, out };
        }
        let (mut first, mut i) = (f64x8::splat(simd, 0.0), 2);
        while i < edges.len() {
            let (times, next_out) = Self::of(simd, both(&edges[i..]), corners, pose, closing, room);
            let later = times.simd_gt(last);
            first = later.select(f64x8::splat(simd, 4.0 * i as f64), first);
            (last, out) = (later.select(times, last), out.min(next_out));
            i += 2;
        }
        Self { last, first: Some(first.into()), out }
    }

    /// The number of the first of the eight edges of which the one in a lane is.
    #[inline(always)]
    fn first_edge(&self, lane: usize) -> usize {
        self.first.map_or(0, |first| first[lane] as usize)
    }

    /// When the way goes in through the lines of eight edges that come nearer, and out through those that do not.
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
        let (separations, rates) = (least + moved - room, normal_x * closing.x + normal_y * closing.y);
        let (never, always) = (f64x8::splat(simd, f64::NEG_INFINITY), f64x8::splat(simd, f64::INFINITY));
        // What does not come nearer goes away, however slowly.
        let nearer = rates.simd_gt(f64x8::splat(simd, 0.0));
        let times = separations / nearer.select(rates, rates.min(f64x8::splat(simd, -1e-300)));
        (nearer.select(times, never), nearer.select(always, times))
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

    /// Where the lowest corner of the other shape, whose pose in the frame of this one is given and which has `moved` since, meets the surface of the first
    /// one, seen from the origin of the shape of the edge, and the normal; none where that is beside the edge, or the edge is too short for its place to be told.
    #[inline(always)]
    fn contact(&self, lowest: usize, pose: &Relative, moved: DVec2, rounding: &Rounding, is_first: bool) -> Option<(DVec2, DVec2)> {
        let [own, other] = self.parts;
        let normal = self.normal();
        let tangent = DVec2::new(-normal.y, normal.x);
        let start = corner(self.blocks[0], self.edge);
        let seen = |i: usize| pose.apply(corner(self.blocks[1], i)) + (moved - start);
        let (at, length) = (seen(lowest), tangent.dot(corner(self.blocks[0], own.convex.next(self.edge)) - start));
        let (along, slack) = (tangent.dot(at), rounding.slack());
        if rounding.doubt() > 5e-9 * length {
            return None;
        }
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
        let contact = start + tangent * along.min(length).max(0.0) + normal * height;
        Some((own.pose.rotate(contact), own.pose.rotate(normal)))
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
