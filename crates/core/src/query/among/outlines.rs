//! What is worked out once of shapes that stay where they are: their corners in the world, rounded to a fine lattice, to answer from where that leaves no doubt.

use alloc::vec::Vec;

use glam::DVec2;

use crate::math::lanes::prelude::*;
use crate::math::lanes::{Kernel, Simd, f32x8, i16x8, widest};
use crate::math::ray::Ray;
use crate::math::vector::{U, norm1, sqrt};
use crate::shape::Placed;

/// Most edges of an outline.
const EDGES: usize = 8;

/// How many steps the farthest coordinate of a corner is from the middle.
const STEPS: f64 = 32_767.0;

/// Farther away than so many steps, products of coordinates could overflow.
const FAR: f32 = 1e12;

/// More than the relative rounding errors of all that is computed here.
const ROUNDING: f32 = 32.0 * f32::EPSILON;

/// Outlines of convex polygons of up to eight edges, by id: [`Among`](super::Among) answers most queries from them, without a look at the shapes, and decides as they would.
///
/// An id without an outline (shapes with a radius, with more edges, of many parts) is asked itself. 64 bytes an id; whoever moves or replaces a shape must
/// [`set`](Outlines::set) it anew.
///
/// ```
/// use carom::broad::{Bvh, Filter, Frame};
/// use carom::{Among, DVec2, Outlines, Ray, Shape};
///
/// let (crate_, frame) = (Shape::rectangle(1.0, 1.0)?, Frame::new(DVec2::ZERO));
/// let row: Vec<_> = (0..10).map(|i| crate_.at([f64::from(i) * 3.0, 0.0])).collect::<Result<_, _>>()?;
/// let bvh = Bvh::from_boxes((0..).zip(&row).map(|(id, one)| (id, frame.localize(&one.aabb()), Filter::default(), false)));
/// let mut outlines = Outlines::new();
/// for (id, &one) in (0..).zip(&row) {
///     outlines.set(id, one);
/// }
/// let all = Among::new(&bvh, frame, |id| Some(row[id as usize])).with_outlines(&outlines);
/// assert_eq!(all.ray_cast(Ray::new([10.0, 0.0], [8.0, 0.0])?).unwrap().1.point, DVec2::new(11.5, 0.0));
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Outlines {
    by_id: Vec<Outline>,
}

/// One cache line. The rounded corners are those of a convex polygon too, no point of which is farther than a step from the one that it stands for, nor the other way round.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Outline {
    /// The corners counter-clockwise, in steps from the middle; a polygon of fewer has its last one several times.
    x: [i16; EDGES],
    y: [i16; EDGES],
    middle: DVec2,
    /// How many steps are as long as 1; 0 where there is no outline.
    per_unit: f64,
    /// How many corners the shape has; 0 where some of them fall on one place of the lattice, so that it cannot tell which of them is meant.
    corners: u8,
    /// The edges, a bit each, that are turned to both of their neighbours by so much that the lattice shows it.
    sharp: u8,
}

const NO_OUTLINE: Outline = Outline { x: [0; EDGES], y: [0; EDGES], middle: DVec2::ZERO, per_unit: 0.0, corners: 0, sharp: 0 };

/// A point relative to an outline's middle, in steps.
#[derive(Clone, Copy)]
struct Local {
    x: f32,
    y: f32,
    /// A bound on the error of every distance that is computed from it, that of the rounded corners included.
    doubt: f32,
}

/// Between which numbers an exact one lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Between {
    pub(super) least: f64,
    /// Infinite where there may be no such number.
    pub(super) most: f64,
}

impl Between {
    /// Nothing is known.
    pub(super) const UNKNOWN: Self = Self { least: 0.0, most: f64::INFINITY };
}

/// What of a shape decides, by the numbers of its corners: so much is known beyond doubt that only the exact number is left to be worked out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Spot {
    /// The inside holds the point.
    Inside,
    /// The inside of an edge.
    Edge(u8),
    Corner(u8),
}

impl Outlines {
    /// Without outlines.
    pub fn new() -> Self {
        Self::default()
    }

    /// Works out the outline of a shape where it is, in place of what the id had.
    pub fn set(&mut self, id: u32, placed: Placed<'_>) {
        let id = id as usize;
        if id >= self.by_id.len() {
            self.by_id.resize(id + 1, NO_OUTLINE);
        }
        self.by_id[id] = Outline::of(placed).unwrap_or(NO_OUTLINE);
    }

    /// Forgets an outline: the shape is asked itself from then on.
    pub fn remove(&mut self, id: u32) {
        if let Some(outline) = self.by_id.get_mut(id as usize) {
            *outline = NO_OUTLINE;
        }
    }

    fn get(&self, id: u32) -> Option<&Outline> {
        self.by_id.get(id as usize).filter(|outline| outline.per_unit > 0.0)
    }

    /// Does the shape hold a point? None where that is in doubt.
    #[inline]
    pub(super) fn holds(&self, id: u32, point: DVec2) -> Option<bool> {
        let outline = self.get(id)?;
        widest(Holds { outline, point: outline.local(point) })
    }

    /// When a solid ray without thickness meets the shape, and through which edge, as far as that is known; none where it does not.
    #[inline]
    pub(super) fn time(&self, id: u32, ray: &Ray) -> Option<(Between, Option<Spot>)> {
        const UNKNOWN: (Between, Option<Spot>) = (Between::UNKNOWN, None);
        let Some(outline) = self.get(id) else { return Some(UNKNOWN) };
        let (start, end) = (outline.local(ray.origin()), outline.local(ray.end()));
        if !(start.is_near() && end.is_near()) {
            return Some(UNKNOWN);
        }
        let way = (ray.end() - ray.origin()) * outline.per_unit;
        let (between, through) = widest(Passage { outline, start, way: [way.x as f32, way.y as f32], doubt: start.doubt + end.doubt })?;
        let sharp = outline.in_order(through) & u32::from(outline.sharp);
        Some((between, first_bit(sharp).map(Spot::Edge)))
    }

    /// How far a point is from the shape, and from what of it, as far as that is known.
    #[inline]
    pub(super) fn distance(&self, id: u32, point: DVec2) -> (Between, Option<Spot>) {
        let Some(outline) = self.get(id) else { return (Between::UNKNOWN, None) };
        let local = outline.local(point);
        if !local.is_near() {
            return (Between::UNKNOWN, None);
        }
        let Some(around) = widest(Around { outline, point: local }) else { return (Between { least: 0.0, most: 0.0 }, Some(Spot::Inside)) };
        let (distance, doubt, step) = (sqrt(f64::from(around.square)), f64::from(local.doubt), 1.0 / outline.per_unit);
        // What may be inside may be at no distance, however far the edges are.
        let least = if around.is_outside { (distance - doubt).max(0.0) } else { 0.0 };
        let edge = first_bit(outline.in_order(around.over)).map(Spot::Edge);
        let spot = edge.or_else(|| outline.corner_of(around.before, around.behind));
        (Between { least: least * step, most: (distance + doubt) * step }, spot)
    }
}

impl Local {
    #[inline(always)]
    fn is_near(self) -> bool {
        self.x.abs() + self.y.abs() < FAR
    }
}

impl Outline {
    fn of(placed: Placed<'_>) -> Option<Self> {
        let part = placed.as_part()?;
        let (count, radius) = (part.convex.edge_count(), part.convex.radius);
        if !(3..=EDGES).contains(&count) || radius > 0.0 {
            return None;
        }
        let middle = (0..count).map(|i| part.placed(i)).sum::<DVec2>() / count as f64;
        let reach = (0..count).map(|i| (part.placed(i) - middle).abs().max_element()).fold(0.0, f64::max);
        let mut outline = Self { middle, per_unit: STEPS / reach, ..NO_OUTLINE };
        let mut corner = 0;
        for lane in 0..EDGES {
            let steps = ((part.placed(corner) - middle) * outline.per_unit).round();
            (outline.x[lane], outline.y[lane]) = (steps.x as i16, steps.y as i16);
            if lane + 1 < count {
                corner = part.convex.next(corner);
            }
        }
        let place = |lane: usize| (outline.x[lane % EDGES], outline.y[lane % EDGES]);
        let edges = (0..EDGES).filter(|&lane| place(lane) != place(lane + 1)).count();
        if edges == count {
            outline.corners = count as u8;
            outline.sharp = outline.sharp_edges();
        }
        let of_a_size = (1e-25..1e25).contains(&outline.per_unit);
        (of_a_size && outline.is_convex()).then_some(outline)
    }

    /// The edges that surely turn at both ends, by more than a step at the end of the longer one: each end of an edge is off by half a step along both axes at most.
    fn sharp_edges(&self) -> u8 {
        let count = usize::from(self.corners);
        let place = |corner: usize| {
            let lane = if corner % count == count - 1 { EDGES - 1 } else { corner % count };
            [i64::from(self.x[lane]), i64::from(self.y[lane])]
        };
        let way = |edge: usize| {
            let ([x, y], [end_x, end_y]) = (place(edge), place(edge + 1));
            [end_x - x, end_y - y]
        };
        let turns = |edge: usize| {
            let ([x, y], [next_x, next_y]) = (way(edge), way(edge + 1));
            x * next_y - y * next_x > 4 * (x.abs() + y.abs() + next_x.abs() + next_y.abs() + 1)
        };
        (0..count).filter(|&edge| turns(edge) && turns(edge + count - 1)).fold(0, |edges, edge| edges | 1 << edge)
    }

    /// Is no corner to the right of an edge? Where the steps are too long for the shortest edges one may be.
    fn is_convex(&self) -> bool {
        let corner = |lane: usize| [i64::from(self.x[lane % EDGES]), i64::from(self.y[lane % EDGES])];
        (0..EDGES).all(|edge| {
            let ([x, y], [end_x, end_y]) = (corner(edge), corner(edge + 1));
            let left = |other: usize| (end_x - x) * (corner(other)[1] - y) >= (end_y - y) * (corner(other)[0] - x);
            (0..EDGES).all(left)
        })
    }

    #[inline(always)]
    fn local(&self, point: DVec2) -> Local {
        let way = (point - self.middle) * self.per_unit;
        let (x, y) = (way.x as f32, way.y as f32);
        let rounded = 32.0 * U * (norm1(point) + norm1(self.middle)) * self.per_unit;
        Local { x, y, doubt: ROUNDING * (x.abs() + y.abs() + 2.0 * STEPS as f32) + rounded as f32 * 1.001 + 1.0 }
    }

    /// The corner that lies behind one edge and before the next, from the lanes of all edges that a point is before or behind.
    #[inline(always)]
    fn corner_of(&self, before: u32, behind: u32) -> Option<Spot> {
        let (before, behind) = (self.in_order(before), self.in_order(behind));
        let next = (behind << 1) | (behind >> (self.corners.wrapping_sub(1) % 32));
        first_bit(before & next).map(Spot::Corner)
    }

    /// Lanes as the numbers of edges: that of the last edge is the last lane, however many are between that are none.
    #[inline(always)]
    fn in_order(&self, lanes: u32) -> u32 {
        if self.corners == 0 {
            return 0;
        }
        let last = self.corners - 1;
        (lanes & ((1 << last) - 1)) | (lanes >> (EDGES - 1)) << last
    }

    /// All edges.
    #[inline(always)]
    fn edges<S: Simd>(&self, simd: S) -> Edges<S> {
        let (x, y) = (i16x8::from_slice(simd, &self.x), i16x8::from_slice(simd, &self.y));
        let (from_x, from_y) = (widened(simd, x), widened(simd, y));
        let (way_x, way_y) = (widened(simd, x.slide::<1>(x)) - from_x, widened(simd, y.slide::<1>(y)) - from_y);
        Edges { from_x, from_y, way_x, way_y }
    }
}

#[inline(always)]
fn first_bit(set: u32) -> Option<u8> {
    (set != 0).then_some(set.trailing_zeros() as u8)
}

#[inline(always)]
fn widened<S: Simd>(simd: S, whole: i16x8<S>) -> f32x8<S> {
    let (low, high) = simd.widen_i16x8(whole);
    simd.combine_f32x4(simd.cvt_f32_i32x4(low), simd.cvt_f32_i32x4(high))
}

/// The edges side by side: where they begin, and the way to where they end, both without rounding.
struct Edges<S: Simd> {
    from_x: f32x8<S>,
    from_y: f32x8<S>,
    way_x: f32x8<S>,
    way_y: f32x8<S>,
}

impl<S: Simd> Edges<S> {
    /// At least the lengths, and at most half as much again; 0 of those that are no edges.
    #[inline(always)]
    fn lengths(&self) -> f32x8<S> {
        self.way_x.abs() + self.way_y.abs()
    }

    /// How far a way leads to the left of each edge, times its length.
    #[inline(always)]
    fn to_left(&self, x: f32x8<S>, y: f32x8<S>) -> f32x8<S> {
        self.way_x * y - self.way_y * x
    }

    /// How far a point is to the left of each edge's line, times the edge's length.
    #[inline(always)]
    fn depths(&self, simd: S, point: Local) -> f32x8<S> {
        self.to_left(splat(simd, point.x) - self.from_x, splat(simd, point.y) - self.from_y)
    }
}

#[inline(always)]
fn splat<S: Simd>(simd: S, x: f32) -> f32x8<S> {
    f32x8::splat(simd, x)
}

/// The least of eight numbers, none of them NaN.
#[inline(always)]
fn least<S: Simd>(numbers: f32x8<S>) -> f32 {
    let (low, high) = numbers.split();
    low.min(high).reduce_min()
}

/// Does an outline hold a point? None where that is in doubt, as it is wherever something overflows.
struct Holds<'a> {
    outline: &'a Outline,
    point: Local,
}

impl Kernel for Holds<'_> {
    type Output = Option<bool>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Option<bool> {
        let edges = self.outline.edges(simd);
        let (depths, room) = (edges.depths(simd, self.point), edges.lengths() * splat(simd, self.point.doubt));
        if depths.simd_lt(-room).any_true() {
            return Some(false);
        }
        // What is no edge is in nobody's way.
        let inside = depths.simd_gt(room) | room.simd_eq(splat(simd, 0.0));
        inside.all_true().then_some(true)
    }
}

/// How a point lies that may not be inside.
struct Situation {
    is_outside: bool,
    /// The square of the distance from the nearest edge.
    square: f32,
    /// The edges, by lanes, that the point is surely in front of between both ends: one at most, to which it is nearest.
    over: u32,
    /// Those whose beginning or end it surely lies beyond.
    before: u32,
    behind: u32,
}

/// How a point lies to an outline; none where it is surely inside.
struct Around<'a> {
    outline: &'a Outline,
    point: Local,
}

impl Kernel for Around<'_> {
    type Output = Option<Situation>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Option<Situation> {
        let edges = self.outline.edges(simd);
        let (zero, one, doubt) = (splat(simd, 0.0), splat(simd, 1.0), splat(simd, self.point.doubt));
        let (away_x, away_y) = (splat(simd, self.point.x) - edges.from_x, splat(simd, self.point.y) - edges.from_y);
        let (depths, lengths) = (edges.to_left(away_x, away_y), edges.lengths());
        let room = lengths * doubt;
        let outside = depths.simd_lt(-room);
        let is_outside = outside.any_true();
        // What is no edge is in nobody's way.
        if !is_outside && (depths.simd_gt(room) | room.simd_eq(zero)).all_true() {
            return None;
        }
        let (way_x, way_y) = (edges.way_x, edges.way_y);
        let (along, squares) = (away_x * way_x + away_y * way_y, way_x * way_x + way_y * way_y);
        // Squares of whole numbers: where they are less than 1 there is no edge, but its corner.
        let part = (along / squares.max(one)).max(zero).min(one);
        let (foot_x, foot_y) = (away_x - way_x * part, away_y - way_y * part);
        // Both ends may be off by the doubt, and so may the point: that turns and moves the edge.
        let margin = (away_x.abs() + away_y.abs() + lengths + lengths + one) * (doubt + doubt);
        let rest = along - squares;
        let over = outside & along.simd_gt(margin) & rest.simd_lt(-margin);
        Some(Situation {
            is_outside,
            square: least(foot_x * foot_x + foot_y * foot_y),
            over: over.to_bitmask() as u32,
            before: along.simd_lt(-margin).to_bitmask() as u32,
            behind: rest.simd_gt(margin).to_bitmask() as u32,
        })
    }
}

/// When a ray is in all half-planes: of edges moved outward by the doubt at the earliest, of such moved inward at the latest (Cyrus and Beck 1978).
struct Passage<'a> {
    outline: &'a Outline,
    start: Local,
    way: [f32; 2],
    doubt: f32,
}

impl Kernel for Passage<'_> {
    /// With the edge, by its lane, where the ray surely comes in from outside between both ends of one.
    type Output = Option<(Between, u32)>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Option<(Between, u32)> {
        let Self { outline, start, way, doubt } = self;
        let (zero, one, edges) = (splat(simd, 0.0), splat(simd, 1.0), outline.edges(simd));
        let room = edges.lengths() * splat(simd, doubt);
        let depths = edges.depths(simd, start);
        let speeds = edges.to_left(splat(simd, way[0]), splat(simd, way[1]));
        // Through edges to whose left it leads it comes in, through the others it goes out; one that it comes nearer to or away from by less than the doubt it is inside or
        // outside of for good.
        let (coming, going) = (speeds.simd_gt(room), speeds.simd_lt(-room));
        let inverse = one / (coming | going).select(speeds, one);
        let (times, wide) = (-depths * inverse, (room * inverse).abs());
        let inside = |sure: bool| {
            let still = if sure { depths - (room + room) } else { depths + (room + room) };
            still.simd_ge(zero).select(one, -one)
        };
        let enter = |times: f32x8<S>| -least(coming.select(-times, zero));
        let leave = |times: f32x8<S>, still: f32x8<S>| least(going.select(times, coming.select(one, still)).min(one));
        let (first, last) = (enter(times - wide), leave(times + wide, inside(false)));
        if first > last + ROUNDING {
            return None;
        }
        let (sure, sure_end) = (enter(times + wide), leave(times - wide, inside(true)));
        let (least, meets) = (f64::from(first - ROUNDING), sure + ROUNDING < sure_end);
        if !meets {
            return Some((Between { least, most: f64::INFINITY }, 0));
        }
        // It starts outside, gets inside, and has the beginning of the edge to its left and the end to its right. Both are but a step off, however short the edge is.
        let (way_x, way_y) = (splat(simd, way[0]), splat(simd, way[1]));
        let (away_x, away_y) = (edges.from_x - splat(simd, start.x), edges.from_y - splat(simd, start.y));
        let beginning = way_x * away_y - way_y * away_x;
        let margin = (way_x.abs() + way_y.abs()) * splat(simd, doubt + doubt);
        let between = coming & beginning.simd_gt(margin) & (beginning - speeds).simd_lt(-margin);
        let through = if first > ROUNDING { between.to_bitmask() as u32 } else { 0 };
        Some((Between { least, most: f64::from(sure + ROUNDING) }, through))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::pose::Pose;
    use crate::query::{distance, intersects, ray_cast};
    use crate::shape::Shape;

    /// A polygon of 3 to 8 corners on a circle, turned, about anywhere.
    fn polygon(rng: &mut fastrand::Rng) -> (Shape, Pose) {
        let (count, size) = (rng.usize(3..=8), 10.0_f64.powi(rng.i32(-3..4)));
        let corner = |i: usize, rng: &mut fastrand::Rng| {
            let (sin, cos) = ((i as f64 + 0.8 * rng.f64()) * core::f64::consts::TAU / count as f64).sin_cos();
            [size * cos, size * sin]
        };
        let points: Vec<[f64; 2]> = (0..count).map(|i| corner(i, rng)).collect();
        let (sin, cos) = (rng.f64() * 7.0).sin_cos();
        let pose = Pose::from_cos_sin([rng.f64() * 1e3, rng.f64() * 1e3], cos, sin).unwrap();
        (Shape::polygon(&points).unwrap(), pose)
    }

    /// Law: what outlines say is what the shapes say; points within some steps of the boundary are where it would come out.
    #[test]
    fn outlines_never_contradict_the_shapes() {
        // Any seed does.
        let mut rng = fastrand::Rng::with_seed(11);
        let (mut outlines, point_shape) = (Outlines::new(), Shape::circle(0.0).unwrap());
        let (mut known, mut held) = (0, 0);
        for _ in 0..4_000 {
            let (shape, pose) = polygon(&mut rng);
            let placed = shape.placed(pose);
            outlines.set(0, placed);
            let Some(step) = outlines.get(0).map(|outline| 1.0 / outline.per_unit) else { continue };
            let edge: Vec<DVec2> = placed.points().collect();
            let i = rng.usize(..edge.len());
            let on_boundary = edge[i].lerp(edge[(i + 1) % edge.len()], rng.f64());
            let away = DVec2::new(rng.f64() - 0.5, rng.f64() - 0.5) * step * [4.0, 16.0, 1e3, 1e5][rng.usize(..4)];
            let point = on_boundary + away;
            let there = point_shape.at(point).unwrap();
            if let Some(inside) = outlines.holds(0, point) {
                assert_eq!(inside, intersects(placed, there), "{shape:?} {point}");
                (known, held) = (known + 1, held + usize::from(inside));
            }
            let ((Between { least, most }, _), exact) = (outlines.distance(0, point), distance(placed, there).distance);
            assert!(least <= exact && exact <= most, "{least} {exact} {most}: {shape:?} {point}");
            let ray = Ray::new(point + DVec2::new(rng.f64() - 0.5, rng.f64() - 0.5) * step * 1e5, -away).unwrap();
            let ray = if rng.bool() { ray } else { Ray::new(ray.origin(), (point - ray.origin()) * (2.0 * rng.f64())).unwrap() };
            match (outlines.time(0, &ray), ray_cast(ray, placed)) {
                (None, hit) => assert_eq!(hit, None, "{shape:?} {ray:?}"),
                (Some((between, _)), Some(hit)) => assert!(between.least <= hit.time && hit.time <= between.most, "{between:?} {hit:?}"),
                (Some((between, _)), None) => assert_eq!(between.most, f64::INFINITY, "{shape:?} {ray:?}"),
            }
        }
        assert!(known > 2_000 && held > 500, "{known} of the points were decided, {held} inside");
    }
}
