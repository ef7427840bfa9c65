//! Swept separating axes: convex shapes that move without turning.
//!
//! The Minkowski difference of the hulls is a convex polygon whose edges are those of both, and the motion takes the origin through it along a segment. A
//! segment is clipped by a convex polygon with one division an edge (Cyrus and Beck, Generalized two- and three-dimensional clipping, 1978): the separation along
//! the edge's normal changes evenly, and where it passes 0 the segment goes in or out. Whether the line that it is part of passes by is seen at once, by the shadows
//! across the way; of one that does not, the last way in is where they meet: eight edges at a time.
//!
//! One cast after the other, most of the time goes by with waiting for numbers: which corner is lowest over an edge is kept for all edges while others are worked out, and
//! a quotient is only waited for where it is told.
//!
//! What rounding may do is taken off every separation, so that the ways in are early by no more than their edges allow: what is passed over does not meet. That a hit is one is seen where it happens: the lowest corner lies over the edge between its ends. Radii move the edges outward and round the
//! corners off. Where the corner is not over the edge the careful way ([`advance`](super::advance)) looks.

use core::hint::{black_box, select_unpredictable};

use glam::DVec2;

use super::Impact;
use crate::math::lanes::prelude::*;
use crate::math::lanes::{Kernel, Simd, f64x4, f64x8, i64x8, widest};
use crate::math::pose::Pose;
use crate::math::vector::{U, length, norm1, sqrt};
use crate::query::pair::{Relative, Rounding};
use crate::query::sat;
use crate::query::support::eight;
use crate::shape::Sweep;
use crate::shape::convex::{Block, Convex};
use crate::shape::part::Part;

/// One of the two that move: a convex shape, where it starts, and the sweep that says how far it goes.
#[derive(Clone, Copy)]
pub(super) struct Mover<'a> {
    pub(super) convex: &'a Convex,
    pub(super) pose: &'a Pose,
    pub(super) sweep: &'a Sweep<'a>,
}

impl<'a> Mover<'a> {
    /// A convex shape.
    #[inline(always)]
    pub(super) fn new(sweep: &'a Sweep<'a>) -> Option<Self> {
        sweep.as_convex().map(|(convex, pose)| Self { convex, pose, sweep })
    }

    /// A part of a shape.
    #[inline(always)]
    pub(super) fn of_part(part: &'a Part<'a>, sweep: &'a Sweep<'a>) -> Self {
        Self { convex: part.convex, pose: &part.pose, sweep }
    }

    #[inline(always)]
    pub(super) fn part(&self) -> Part<'a> {
        self.convex.placed(self.pose)
    }
}

/// When two shapes come into contact, moving straight on; impacts after `end` do not count.
///
/// `otherwise` is asked where they are too close at the start or too far away for their size, or meet at a rounded corner.
#[inline(always)]
pub(super) fn cast(a: Mover<'_>, b: Mover<'_>, end: f64, otherwise: impl FnOnce() -> Option<Impact>) -> Option<Impact> {
    if let (Some(p), Some(q)) = (a.convex.as_two_blocks(), b.convex.as_two_blocks()) {
        return widest(Straight::new([p, q], [a, b], end, otherwise));
    }
    of_others(a, b, end, otherwise)
}

/// Where not both are polygons of up to eight corners.
#[inline(never)]
fn of_others(a: Mover<'_>, b: Mover<'_>, end: f64, otherwise: impl FnOnce() -> Option<Impact>) -> Option<Impact> {
    if let (Some(p), Some(q)) = (a.convex.as_point(), b.convex.as_point()) {
        return of_circles([a, b], [p, q], end, otherwise);
    }
    let (edges_a, edges_b) = (a.convex.edge_count(), b.convex.edge_count());
    // Two segments may lie on one line, where no edge says where they end.
    if edges_a.max(edges_b) <= 2 || sat::many_corners(edges_a, edges_b) {
        return otherwise();
    }
    let (p, q) = (a.convex.blocks(), b.convex.blocks());
    widest(Straight::new([p.as_slice(), q.as_slice()], [a, b], end, otherwise))
}

/// Two convex shapes, at least one of them a polygon.
///
/// Pointer by pointer, no arrays or structures: as a whole they are copied, which has to wait where they were just written in pieces.
struct Straight<'a, B: ?Sized, F> {
    p: &'a B,
    q: &'a B,
    convex_a: &'a Convex,
    convex_b: &'a Convex,
    pose_a: &'a Pose,
    pose_b: &'a Pose,
    sweep_a: &'a Sweep<'a>,
    sweep_b: &'a Sweep<'a>,
    end: f64,
    otherwise: F,
}

impl<'a, B: ?Sized, F> Straight<'a, B, F> {
    #[inline(always)]
    fn new([p, q]: [&'a B; 2], [a, b]: [Mover<'a>; 2], end: f64, otherwise: F) -> Self {
        Self {
            p,
            q,
            convex_a: a.convex,
            convex_b: b.convex,
            pose_a: a.pose,
            pose_b: b.pose,
            sweep_a: a.sweep,
            sweep_b: b.sweep,
            end,
            otherwise,
        }
    }
}

impl<B: AsRef<[Block]> + ?Sized, F: FnOnce() -> Option<Impact>> Kernel for Straight<'_, B, F> {
    type Output = Option<Impact>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Option<Impact> {
        let a = Mover { convex: self.convex_a, pose: self.pose_a, sweep: self.sweep_a };
        let b = Mover { convex: self.convex_b, pose: self.pose_b, sweep: self.sweep_b };
        // No `map`: its closures are not inlined into kernels.
        let blocks = [self.p.as_ref(), self.q.as_ref()];
        let velocity = b.sweep.translation() - a.sweep.translation();
        let apart = b.pose.translation() - a.pose.translation();
        let radius = a.convex.radius + b.convex.radius;
        let far = norm1(a.pose.translation()) + norm1(b.pose.translation());
        let (sizes, far_apart) = (a.convex.reach + b.convex.reach + radius, norm1(apart));
        let speed = norm1(velocity);
        let closing = [a.pose.unrotate(-velocity), b.pose.unrotate(velocity)];
        // Rounding's doubt times the speed, in the order in which it is known soonest: the branch is waited for. Where rounding is lost beside denormal numbers the gates
        // tell better.
        let doubt = (sizes + far_apart) * (speed * (64.0 * U)) + (far * (speed * (3.0 * U)) + 1e-290);
        if passes_by(simd, blocks, closing, apart.perp_dot(velocity), doubt + radius * speed) {
            return None;
        }
        let rounding = Rounding::new(sizes, far_apart, far);
        let doubt = rounding.doubt();
        let room = radius + doubt;
        let b_in_a = Relative::between(a.pose, b.pose);
        let a_in_b = Relative { cos: b_in_a.cos, sin: -b_in_a.sin, translation: -b.pose.unrotate(apart) };
        // Read again: numbers taken out of vectors that are at hand would cost more.
        let blocks = [black_box(self.p).as_ref(), black_box(self.q).as_ref()];
        let of_a = Gates::new(simd, blocks[0], blocks[1], b_in_a, closing[0], room);
        let of_b = Gates::new(simd, blocks[1], blocks[0], a_in_b, closing[1], room);
        // Of which shape the edge is cannot be foretold: no branches.
        let (latest, lane) = greatest_of_two(of_a.last, of_b.last);
        if latest <= 0.0 {
            // Behind, or in contact.
            return if of_a.outside.max(of_b.outside).reduce_max() > 0.0 { None } else { (self.otherwise)() };
        }
        let time = of_two(of_a.separations, of_b.separations, lane) / of_two(of_a.rates, of_b.rates, lane);
        if time > self.end {
            return None;
        }
        let of_second = lane >= 8;
        let edge = lane % 8 + pick(of_second, of_a.first_edge(lane % 8), of_b.first_edge(lane % 8));
        let (own, other) = (pick(of_second, blocks[0], blocks[1]), pick(of_second, blocks[1], blocks[0]));
        let lowest: i64 = of_two(of_a.lowest, of_b.lowest, lane);
        let (sin, translation) = (pick(of_second, b_in_a.sin, a_in_b.sin), pick(of_second, b_in_a.translation, a_in_b.translation));
        let pose = Relative { sin, translation, ..b_in_a };
        let face = Face { own, other, edge, pose, moved: pick(of_second, closing[0], closing[1]) * -time };
        let radius = a.convex.radius;
        // Points are on the surface of a, wherever the edge is.
        let on_a = |height: f64| pick(of_second, radius, height - radius);
        let Some(contact) = face.contact(lowest as usize, pick(of_second, b.convex, a.convex), &rounding, on_a) else {
            return (self.otherwise)();
        };
        let (pose, sweep) = (pick(of_second, a.pose, b.pose), pick(of_second, a.sweep, b.sweep));
        let point = pose.translation() + pose.rotate(contact) + sweep.translation() * time;
        let normal = pose.rotate(face.normal()) * pick(of_second, 1.0, -1.0);
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
    // The greatest of all four at once: of how far b reaches down and a up, and the other way round.
    let [down_b, down_a, up_a, up_b]: [f64; 4] = halved(halved(-b[0], a[1]), halved(-a[0], b[1])).into();
    ((down_b - aside) + up_a < -room) | ((down_a + aside) + up_b < -room)
}

/// The greater of each two lanes of two vectors, by turns.
#[inline(always)]
fn halved<S: Simd>(p: f64x4<S>, q: f64x4<S>) -> f64x4<S> {
    p.zip_low(q).max(p.zip_high(q))
}

/// The least and the greatest height of a shape's corners along a direction, of every fourth corner.
#[inline(always)]
fn shadow<S: Simd>(simd: S, blocks: &[Block], along: DVec2) -> [f64x4<S>; 2] {
    let first = heights(simd, &blocks[0], along);
    let (mut least, mut greatest) = (first, first);
    for block in &blocks[1..] {
        let heights = heights(simd, block, along);
        (least, greatest) = (least.min(heights), greatest.max(heights));
    }
    [least, greatest]
}

/// The heights of four corners along a direction.
#[inline(always)]
fn heights<S: Simd>(simd: S, block: &Block, along: DVec2) -> f64x4<S> {
    f64x4::from_slice(simd, &block.x) * along.x + f64x4::from_slice(simd, &block.y) * along.y
}

/// One of two, without a branch.
#[inline(always)]
fn pick<T>(second: bool, p: T, q: T) -> T {
    select_unpredictable(second, q, p)
}

/// The greatest of twice eight values, and where it is, the second eight after the first; of several that are equal the first.
#[inline(always)]
fn greatest_of_two<S: Simd>(p: f64x8<S>, q: f64x8<S>) -> (f64, usize) {
    let greatest = p.max(q).reduce_max();
    let all = f64x8::splat(p.simd, greatest);
    let lanes = p.simd_eq(all).to_bitmask() | q.simd_eq(all).to_bitmask() << 8;
    (greatest, lanes.trailing_zeros() as usize % 16)
}

/// Two blocks, or one twice.
#[inline(always)]
fn both(blocks: &[Block]) -> [&Block; 2] {
    [&blocks[0], blocks.get(1).unwrap_or(&blocks[0])]
}

/// What the edges of one shape say, of every eighth edge.
struct Gates<S: Simd> {
    /// When the way goes in through lines of edges for the last time, but for a rounding error.
    last: f64x8<S>,
    /// The same as a quotient: how far it is from those edges at the start, and how much nearer it comes.
    separations: f64x8<S>,
    rates: f64x8<S>,
    /// The corners of the other shape that are lowest over those edges; of several the first.
    lowest: i64x8<S>,
    /// The number of the first of the eight edges that these are of; 0 where there are no more.
    first: Option<[f64; 8]>,
    /// How far it is outside from the start, before edges which it does not come nearer to; negative where it is not.
    outside: f64x8<S>,
}

impl<S: Simd> Gates<S> {
    /// The edges of one shape and the corners of the other, which comes nearer by `closing` in the frame of the edges, until there is no more than `room` between them.
    #[inline(always)]
    fn new(simd: S, edges: &[Block], corners: &[Block], pose: Relative, closing: DVec2, room: f64) -> Self {
        let mut all = Self::of(simd, both(edges), corners, pose, closing, room);
        if edges.len() <= 2 {
            return all;
        }
        let (mut first, mut i) = (f64x8::splat(simd, 0.0), 2);
        while i < edges.len() {
            let next = Self::of(simd, both(&edges[i..]), corners, pose, closing, room);
            let later = next.last.simd_gt(all.last);
            first = later.select(f64x8::splat(simd, 4.0 * i as f64), first);
            (all.last, all.lowest) = (later.select(next.last, all.last), later.select(next.lowest, all.lowest));
            (all.separations, all.rates) = (later.select(next.separations, all.separations), later.select(next.rates, all.rates));
            all.outside = all.outside.max(next.outside);
            i += 2;
        }
        Self { first: Some(first.into()), ..all }
    }

    /// The number of the first of the eight edges of which the one in a lane is.
    #[inline(always)]
    fn first_edge(&self, lane: usize) -> usize {
        self.first.map_or(0, |first| first[lane] as usize)
    }

    /// When the way goes in through the lines of eight edges that come nearer, and how far it is before those that do not.
    #[inline(always)]
    fn of(simd: S, edges: [&Block; 2], corners: &[Block], pose: Relative, closing: DVec2, room: f64) -> Self {
        let (normal_x, normal_y) =
            (eight(simd, &edges[0].normal_x, &edges[1].normal_x), eight(simd, &edges[0].normal_y, &edges[1].normal_y));
        let (never, zero) = (f64x8::splat(simd, f64::NEG_INFINITY), f64x8::splat(simd, 0.0));
        // Divided by before it is known what: which edge it is that counts need not wait for a quotient. What comes nearer more slowly does not do so by what counts.
        let rates = normal_x * closing.x + normal_y * closing.y;
        let (nearer, per_length) = (rates.simd_gt(f64x8::splat(simd, 1e-300)), f64x8::splat(simd, 1.0) / rates);
        let x = normal_x * pose.cos + normal_y * pose.sin;
        let y = normal_y * pose.cos - normal_x * pose.sin;
        let mut low = Low::of_four(x, y, &corners[0], 0);
        for (block, number) in corners[1..].iter().zip(1..) {
            low = low.lower(Low::of_four(x, y, block, 4 * number));
        }
        let moved = normal_x * pose.translation.x + normal_y * pose.translation.y - eight(simd, &edges[0].offset, &edges[1].offset);
        let separations = low.height + moved - room;
        let outside = rates.simd_le(zero).select(separations, never);
        let last = nearer.select(separations * per_length, never);
        Self { last, separations, rates, lowest: low.corner, first: None, outside }
    }
}

/// The lowest of some corners, along each of eight directions.
#[derive(Clone, Copy)]
struct Low<S: Simd> {
    height: f64x8<S>,
    corner: i64x8<S>,
}

impl<S: Simd> Low<S> {
    #[inline(always)]
    fn of(x: f64x8<S>, y: f64x8<S>, block: &Block, lane: usize, number: i64) -> Self {
        Self { height: x * block.x[lane] + y * block.y[lane], corner: i64x8::splat(x.simd, number + lane as i64) }
    }

    /// Not one after the other: each would wait for the one before it.
    #[inline(always)]
    fn of_four(x: f64x8<S>, y: f64x8<S>, block: &Block, number: i64) -> Self {
        let (p, q) = (Self::of(x, y, block, 0, number), Self::of(x, y, block, 1, number));
        let (r, s) = (Self::of(x, y, block, 2, number), Self::of(x, y, block, 3, number));
        p.lower(q).lower(r.lower(s))
    }

    /// The lower of two; the first where they are equal.
    #[inline(always)]
    fn lower(self, other: Self) -> Self {
        let corner = other.height.simd_lt(self.height).select(other.corner, self.corner);
        Self { height: self.height.min(other.height), corner }
    }
}

/// What is in a lane of two vectors.
#[inline(always)]
fn of_two<T: Copy>(p: impl Into<[T; 8]>, q: impl Into<[T; 8]>, lane: usize) -> T {
    let values = [p.into(), q.into()];
    values[lane / 8 % 2][lane % 8]
}

/// An edge of one shape, through which the way goes in, and the other shape at that time.
#[derive(Clone, Copy)]
struct Face<'a> {
    own: &'a [Block],
    other: &'a [Block],
    edge: usize,
    /// Of the other one at the start, in the frame of the edge.
    pose: Relative,
    /// How far that has moved since.
    moved: DVec2,
}

impl Face<'_> {
    #[inline(always)]
    fn start(&self) -> DVec2 {
        corner(self.own, self.edge)
    }

    /// Unit, outward, in the frame of the shape.
    #[inline(always)]
    fn normal(&self) -> DVec2 {
        let block = &self.own[self.edge / 4];
        DVec2::new(block.normal_x[self.edge % 4], block.normal_y[self.edge % 4])
    }

    #[inline(always)]
    fn tangent(&self) -> DVec2 {
        let normal = self.normal();
        DVec2::new(-normal.y, normal.x)
    }

    /// Where a corner of the other shape is, seen from where the edge starts.
    #[inline(always)]
    fn seen(&self, i: usize) -> DVec2 {
        self.pose.apply(corner(self.other, i)) + (self.moved - self.start())
    }

    /// Where a corner of the other shape is along the edge and over it, and how long the edge is.
    #[inline(always)]
    fn meeting(&self, lowest: usize) -> (DVec2, f64) {
        // Blocks are filled up with the first corner.
        let next = if self.edge + 1 < 4 * self.own.len() { self.edge + 1 } else { 0 };
        let (at, tangent) = (self.seen(lowest), self.tangent());
        (DVec2::new(tangent.dot(at), self.normal().dot(at)), tangent.dot(corner(self.own, next) - self.start()))
    }

    /// Where the lowest corner of the other shape meets the surface of the first one, at a height over the edge that is told by that of the corner, in the frame of the
    /// edge; none where that is beside the edge, or the edge is too short for its place to be told.
    #[inline(always)]
    fn contact(&self, lowest: usize, other: &Convex, rounding: &Rounding, on_a: impl Fn(f64) -> f64) -> Option<DVec2> {
        let ((at, length), slack) = (self.meeting(lowest), rounding.slack());
        let is_short = rounding.doubt() > 5e-9 * length;
        // Three that hardly ever happen: one branch.
        if (is_short | (at.x < -slack) | (at.x > length + slack)) && (is_short || !self.reaches_over(lowest, other, slack)) {
            return None;
        }
        let along = if length < at.x { length } else { at.x };
        Some(self.start() + self.tangent() * (if along > 0.0 { along } else { 0.0 }) + self.normal() * on_a(at.y))
    }

    /// Of edges that lie on each other any corner may be the lowest; where it is beside the edge, the other end must be as low, and lie beyond this end of the edge.
    #[cold]
    #[inline(never)]
    fn reaches_over(self, lowest: usize, other: &Convex, slack: f64) -> bool {
        let ((at, length), tangent) = (self.meeting(lowest), self.tangent());
        let behind = at.x > length;
        let next = self.seen(if behind { other.next(lowest) } else { other.previous(lowest) });
        let beyond = if behind { tangent.dot(next) > length } else { tangent.dot(next) < 0.0 };
        !beyond && self.normal().dot(next - self.seen(lowest)) <= slack
    }
}

#[inline(always)]
fn corner(blocks: &[Block], i: usize) -> DVec2 {
    DVec2::new(blocks[i / 4].x[i % 4], blocks[i / 4].y[i % 4])
}

/// Two circles: the ray of one centre against the circle of both radii about the other.
#[inline(always)]
fn of_circles([a, b]: [Mover<'_>; 2], [p, q]: [DVec2; 2], end: f64, otherwise: impl FnOnce() -> Option<Impact>) -> Option<Impact> {
    let (p, q) = (a.pose.apply(p), b.pose.apply(q));
    let (apart, velocity) = (q - p, b.sweep.translation() - a.sweep.translation());
    let (radius, larger) = (a.convex.radius + b.convex.radius, a.convex.radius.max(b.convex.radius));
    let doubt = Rounding::of(&a.part(), &b.part(), b.pose.translation() - a.pose.translation()).doubt();
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
    let point = p + a.sweep.translation() * time + normal * a.convex.radius;
    Some(Impact { time, normal, point, initial_depth: None, part_a: 0, part_b: 0 })
}
