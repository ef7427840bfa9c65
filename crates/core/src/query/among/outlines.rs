//! What is worked out once of shapes that stay where they are: their edges in the world, in single precision, to answer from where rounding leaves no doubt.

use alloc::vec::Vec;
use core::array::from_fn;

use glam::DVec2;

use crate::math::ray::Ray;
use crate::math::vector::{U, norm1, sqrt};
use crate::shape::Placed;

/// Most edges of an outline.
const EDGES: usize = 8;

/// More than the relative rounding errors of all that is computed here.
const ROUNDING: f32 = 32.0 * f32::EPSILON;

/// Outlines of convex polygons of up to eight edges, by id: [`Among`](super::Among) answers most queries from them, without a look at the shapes, and decides as they would.
///
/// An id without an outline (shapes with a radius, with more edges, of many parts) is asked itself. 192 bytes an id; whoever moves or replaces a shape must
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

/// The edges side by side; a polygon of fewer has its first one several times.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Outline {
    /// Unit, outward.
    normal_x: [f32; EDGES],
    normal_y: [f32; EDGES],
    /// Where the edges begin, counter-clockwise, relative to the middle.
    corner_x: [f32; EDGES],
    corner_y: [f32; EDGES],
    length: [f32; EDGES],
    middle: DVec2,
    /// How far the corners are from the middle; negative where there is no outline.
    reach: f32,
}

const NO_OUTLINE: Outline = Outline {
    normal_x: [0.0; EDGES],
    normal_y: [0.0; EDGES],
    corner_x: [0.0; EDGES],
    corner_y: [0.0; EDGES],
    length: [0.0; EDGES],
    middle: DVec2::ZERO,
    reach: -1.0,
};

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
        self.by_id.get(id as usize).filter(|outline| outline.reach >= 0.0)
    }

    /// Does the shape hold a point? None where that is in doubt.
    pub(super) fn holds(&self, id: u32, point: DVec2) -> Option<bool> {
        let outline = self.get(id)?;
        let (x, y, doubt) = outline.relative(point);
        let height = outline.height(x, y);
        if height > doubt {
            return Some(false);
        }
        (height < -doubt).then_some(true)
    }

    /// When a solid ray without thickness meets the shape; none where it does not.
    pub(super) fn time(&self, id: u32, ray: &Ray) -> Option<Between> {
        let Some(outline) = self.get(id) else { return Some(Between::UNKNOWN) };
        let (start, end) = (outline.relative(ray.origin()), outline.relative(ray.end()));
        let doubt = start.2 + end.2;
        let way = ray.end() - ray.origin();
        outline.time((start.0, start.1), (way.x as f32, way.y as f32), doubt)
    }

    /// How far a point is from the shape.
    pub(super) fn distance(&self, id: u32, point: DVec2) -> Between {
        let Some(outline) = self.get(id) else { return Between::UNKNOWN };
        let (x, y, doubt) = outline.relative(point);
        if outline.height(x, y) < -doubt {
            return Between { least: 0.0, most: 0.0 };
        }
        // Of the squares no more than this is lost where they underflow.
        let (distance, doubt) = (f64::from(outline.distance(x, y)), f64::from(doubt) + 1e-18);
        if distance.is_finite() { Between { least: (distance - doubt).max(0.0), most: distance + doubt } } else { Between::UNKNOWN }
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
        let mut outline = Self { middle, ..NO_OUTLINE };
        for lane in 0..EDGES {
            let edge = if lane < count { lane } else { 0 };
            let (from, to) = (part.placed(edge) - middle, part.placed(part.convex.next(edge)) - middle);
            let normal = part.pose.rotate(part.convex.normal(edge));
            (outline.normal_x[lane], outline.normal_y[lane]) = (normal.x as f32, normal.y as f32);
            (outline.corner_x[lane], outline.corner_y[lane]) = (from.x as f32, from.y as f32);
            outline.length[lane] = DVec2::new(-normal.y, normal.x).dot(to - from) as f32;
            outline.reach = outline.reach.max(norm1(from) as f32);
        }
        outline.reach.is_finite().then_some(outline)
    }

    /// A point relative to the middle, and a bound on the error of every distance that is computed from it.
    fn relative(&self, point: DVec2) -> (f32, f32, f32) {
        let way = point - self.middle;
        let (x, y) = (way.x as f32, way.y as f32);
        let rounded = 32.0 * U * (norm1(point) + norm1(self.middle));
        (x, y, ROUNDING * (x.abs() + y.abs() + self.reach) + rounded as f32 * 1.001 + 1e-37)
    }

    /// How far each edge's line lies beyond a point.
    #[inline(always)]
    fn depths(&self, x: f32, y: f32) -> [f32; EDGES] {
        from_fn(|lane| self.normal_x[lane] * (self.corner_x[lane] - x) + self.normal_y[lane] * (self.corner_y[lane] - y))
    }

    /// How far a point is in front of the edge that it is farthest in front of; negative inside.
    #[inline(always)]
    fn height(&self, x: f32, y: f32) -> f32 {
        -least(self.depths(x, y))
    }

    /// The distance of a point from the nearest edge.
    #[inline(always)]
    fn distance(&self, x: f32, y: f32) -> f32 {
        let squared = from_fn(|lane| {
            let (normal_x, normal_y) = (self.normal_x[lane], self.normal_y[lane]);
            let (away_x, away_y) = (x - self.corner_x[lane], y - self.corner_y[lane]);
            let along = normal_x * away_y - normal_y * away_x;
            let along = if along > 0.0 { along } else { 0.0 };
            let along = if along < self.length[lane] { along } else { self.length[lane] };
            let (foot_x, foot_y) = (away_x + normal_y * along, away_y - normal_x * along);
            foot_x * foot_x + foot_y * foot_y
        });
        sqrt(f64::from(least(squared))) as f32
    }

    /// When a ray is in all half-planes: of edges moved outward by the doubt at the earliest, of such moved inward at the latest (Cyrus and Beck 1978).
    #[inline(always)]
    fn time(&self, start: (f32, f32), way: (f32, f32), doubt: f32) -> Option<Between> {
        let depths = self.depths(start.0, start.1);
        let speeds: [f32; EDGES] = from_fn(|lane| self.normal_x[lane] * way.0 + self.normal_y[lane] * way.1);
        // Through edges that the ray runs against it comes in, through the others it goes out; along one it is inside or outside for good.
        let enter = |room: f32| {
            let times = from_fn(|lane| if speeds[lane] < 0.0 { -(depths[lane] + room) / speeds[lane] } else { 0.0 });
            -least(times)
        };
        let leave = |room: f32| {
            least(from_fn(|lane| {
                let (depth, speed) = (depths[lane] + room, speeds[lane]);
                let along = if depth < 0.0 { -1.0 } else { 1.0 };
                let time = depth / if speed > 0.0 { speed } else { 1.0 };
                let time = if speed > 0.0 { time } else { along };
                if speed < 0.0 || time > 1.0 { 1.0 } else { time }
            }))
        };
        let (first, last) = (enter(doubt), leave(doubt));
        let (sure, sure_end) = (enter(-doubt), leave(-doubt));
        if first > last + ROUNDING {
            return None;
        }
        let most = if sure + ROUNDING < sure_end { f64::from(sure + ROUNDING) } else { f64::INFINITY };
        Some(Between { least: f64::from(first - ROUNDING), most })
    }
}

/// The least of eight numbers, none of them NaN; halved, not one after another, so that it is done side by side.
#[inline(always)]
fn least(numbers: [f32; EDGES]) -> f32 {
    let lower = |a: f32, b: f32| if b < a { b } else { a };
    let [a, b, c, d, e, f, g, h] = numbers;
    lower(lower(lower(a, e), lower(b, f)), lower(lower(c, g), lower(d, h)))
}
