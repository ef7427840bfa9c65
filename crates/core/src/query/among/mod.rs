//! Queries against many shapes: a broad phase finds the few that come into question, and they are asked themselves.

mod outlines;

use alloc::vec::Vec;
use core::hint::black_box;
use core::ops::ControlFlow::{self, Continue};

use glam::DVec2;

use super::{Distance, RayHit, distance, intersects, ray_cast};
use crate::broad::order::along_curve;
use crate::broad::{Box32, BroadPhase, Frame};
use crate::error::Error;
use crate::math::aabb::Aabb;
use crate::math::ray::Ray;
use crate::math::vector::{U, norm1};
use crate::shape::convex::Convex;
use crate::shape::{Placed, Shape};
use outlines::Between;
pub use outlines::Outlines;

/// Placed shapes, known by the ids of a broad phase that has their boxes.
///
/// The last argument gives the shape of an id, or `None` for one that is not to be found: that is the filter, and it is asked inside the traversal.
///
/// ```
/// use carom::broad::{Bvh, Filter, Frame};
/// use carom::{Among, DVec2, Ray, Shape};
///
/// let (ball, frame) = (Shape::circle(1.0)?, Frame::new(DVec2::ZERO));
/// let balls = [ball.at([0.0, 0.0])?, ball.at([5.0, 0.0])?, ball.at([5.5, 0.5])?];
/// let boxes = (0..).zip(&balls).map(|(id, ball)| (id, frame.localize(&ball.aabb()), Filter::default(), false));
/// let bvh = Bvh::from_boxes(boxes);
///
/// let all = Among::new(&bvh, frame, |id| Some(balls[id as usize]));
/// let (id, hit) = all.ray_cast(Ray::new([2.0, 0.0], [10.0, 0.0])?).unwrap();
/// assert_eq!((id, hit.time), (1, 0.2));
/// assert_eq!(all.nearest([2.0, 0.0], f64::INFINITY)?.unwrap().0, 0);
/// let but_the_first = Among::new(&bvh, frame, |id| (id != 0).then(|| balls[id as usize]));
/// assert_eq!(but_the_first.nearest([2.0, 0.0], f64::INFINITY)?.unwrap().0, 1);
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Among<'b, B: ?Sized, F> {
    broad: &'b B,
    frame: Frame,
    placed: F,
    outlines: Option<&'b Outlines>,
}

/// How many shapes wait to be asked before one of them is.
const WAITING: usize = 16;

/// The shapes that may have the least of something (a time, a distance), and who has it among those that were asked themselves.
struct Least<T> {
    waiting: [(u32, f64); WAITING],
    count: usize,
    /// The least is not more than this.
    most: f64,
    best: Option<(u32, f64, T)>,
}

impl<T> Least<T> {
    fn new(most: f64) -> Self {
        Self { waiting: [(0, 0.0); WAITING], count: 0, most, best: None }
    }

    /// Another one, whose number lies between two; `ask` tells the number itself, which is done at once where not even that there is one is known.
    #[inline(always)]
    fn add(&mut self, id: u32, Between { least, most }: Between, mut ask: impl FnMut(u32) -> Option<(f64, T)>) {
        if least > self.most {
            return;
        }
        if self.count == WAITING {
            self.ask_all(&mut ask);
        }
        self.waiting[self.count] = (id, least);
        self.count += 1;
        if most < f64::INFINITY {
            self.most = self.most.min(most);
        } else {
            self.ask_all(ask);
        }
    }

    /// Asks those that are still in question.
    fn ask_all(&mut self, mut ask: impl FnMut(u32) -> Option<(f64, T)>) {
        for &(id, least) in &self.waiting[..self.count] {
            if least <= self.most
                && let Some((number, found)) = ask(id)
                && number <= self.most
                && self.best.as_ref().is_none_or(|&(other, best, _)| (number, id) < (best, other))
            {
                self.most = number;
                self.best = Some((id, number, found));
            }
        }
        self.count = 0;
    }
}

impl<'b, 's, B: BroadPhase + ?Sized, F: Fn(u32) -> Option<Placed<'s>>> Among<'b, B, F> {
    /// The shapes whose boxes, relative to `frame`, a broad phase has.
    pub fn new(broad: &'b B, frame: Frame, placed: F) -> Self {
        Self { broad, frame, placed, outlines: None }
    }

    /// The same with outlines that spare most looks at the shapes. They must be those of the shapes as they are.
    #[must_use]
    pub fn with_outlines(self, outlines: &'b Outlines) -> Self {
        Self { outlines: Some(outlines), ..self }
    }

    /// What a ray meets first, as [`ray_cast`] says for each shape; of several at the same time the lowest id.
    pub fn ray_cast(&self, ray: Ray) -> Option<(u32, RayHit)> {
        let (mut first, mut seen) = (Least::new(1.0), 0);
        let ask = |id| (self.placed)(id).and_then(|placed| ray_cast(ray, placed)).map(|hit| (hit.time, hit));
        let outlines = self.outlines.filter(|_| ray.radius() == 0.0 && !ray.is_hollow());
        self.broad.search_ray(&self.frame.localize_ray(&ray), &mut |id| {
            if let Some(placed) = (self.placed)(id) {
                seen ^= placed.touch();
                if let Some(time) = outlines.map_or(Some(Between::UNKNOWN), |outlines| outlines.time(id, &ray)) {
                    first.add(id, time, ask);
                }
            }
            Continue(first.most)
        });
        first.ask_all(ask);
        black_box(seen);
        first.best.map(|(id, _, hit)| (id, hit))
    }

    /// [`ray_cast`](Among::ray_cast) of many rays: what each meets, in their order. Neighbours are asked one after another, so that what they need is at hand: faster than one by one
    /// from about a thousand rays in random order on.
    pub fn ray_casts(&self, rays: &[Ray], hits: &mut Vec<Option<(u32, RayHit)>>) {
        hits.clear();
        hits.resize(rays.len(), None);
        for number in self.neighbours(rays.iter().map(Ray::origin)) {
            hits[number as usize] = self.ray_cast(rays[number as usize]);
        }
    }

    /// Every shape that each of many points lies in or on: calls `visit` with the number of a point and the id of a shape, in any order. Exact.
    ///
    /// # Errors
    /// A coordinate that is not finite or above 1e30 in magnitude; then nothing is visited.
    pub fn visit_all_holding(&self, points: &[DVec2], mut visit: impl FnMut(u32, u32)) -> Result<(), Error> {
        let boxes: Result<Vec<Box32>, Error> = points.iter().map(|&p| Ok(self.frame.localize(&Aabb::new(p, p)?))).collect();
        let shape = Shape::from(Convex::point(DVec2::ZERO, 0.0));
        self.broad.visit_boxes(&boxes?, &mut |number, id| {
            if self.holds(id, points[number as usize], &shape) {
                visit(number, id);
            }
        });
        Ok(())
    }

    /// [`nearest`](Among::nearest) of many points: what each has, in their order.
    ///
    /// # Errors
    /// A coordinate that is not finite or above 1e30 in magnitude.
    pub fn nearest_of_all(&self, points: &[DVec2], within: f64, found: &mut Vec<Option<(u32, Distance)>>) -> Result<(), Error> {
        found.clear();
        found.resize(points.len(), None);
        for number in self.neighbours(points.iter().copied()) {
            found[number as usize] = self.nearest(points[number as usize], within)?;
        }
        Ok(())
    }

    /// Is a shape there, and does it hold a point? `shape` is a point at its origin.
    fn holds(&self, id: u32, point: DVec2, shape: &Shape) -> bool {
        let Some(placed) = (self.placed)(id) else { return false };
        let known = self.outlines.and_then(|outlines| outlines.holds(id, point));
        known.unwrap_or_else(|| shape.at(point).is_ok_and(|point| intersects(placed, point)))
    }

    /// The numbers of places, neighbours one after another.
    fn neighbours(&self, places: impl ExactSizeIterator<Item = DVec2> + Clone) -> Vec<u32> {
        along_curve(places.map(|place| self.frame.localize_point(place).map(|x| x as f32)))
    }

    /// Every shape that a point lies in or on, in any order, until `visit` breaks. Exact.
    ///
    /// # Errors
    /// A coordinate that is not finite or above 1e30 in magnitude.
    pub fn visit_holding(&self, point: impl Into<DVec2>, mut visit: impl FnMut(u32) -> ControlFlow<()>) -> Result<(), Error> {
        let (point, shape) = (point.into(), Shape::from(Convex::point(DVec2::ZERO, 0.0)));
        let local = self.frame.localize(&Aabb::new(point, point)?);
        self.broad.visit_box(local, &mut |id| if self.holds(id, point, &shape) { visit(id) } else { Continue(()) });
        Ok(())
    }

    /// Every shape that shares a point with another one, in any order, until `visit` breaks. Exact.
    pub fn visit_meeting(&self, other: Placed<'_>, mut visit: impl FnMut(u32) -> ControlFlow<()>) {
        self.broad.visit_box(self.frame.localize(&other.aabb()), &mut |id| {
            if (self.placed)(id).is_some_and(|placed| intersects(placed, other)) { visit(id) } else { Continue(()) }
        });
    }

    /// The shape that is nearest to a point, at most `within` away, and where: `point_a` is the shape's; of several as near the lowest id.
    ///
    /// # Errors
    /// A coordinate that is not finite or above 1e30 in magnitude.
    pub fn nearest(&self, point: impl Into<DVec2>, within: f64) -> Result<Option<(u32, Distance)>, Error> {
        let point = point.into();
        let shape = Shape::from(Convex::point(DVec2::ZERO, 0.0));
        let asked = shape.at(point)?;
        let local = self.frame.localize_point(point);
        // What rounding may add to the distance of a box, or of a shape.
        let slack = 32.0 * U * (norm1(point) + norm1(local.into()));
        let (mut first, mut seen) = (Least::new(within), 0);
        let ask = |id| (self.placed)(id).map(|placed| distance(placed, asked)).map(|found| (found.distance, found));
        self.broad.search_near(local, within + slack, &mut |id| {
            if let Some(placed) = (self.placed)(id) {
                seen ^= placed.touch();
                first.add(id, self.outlines.map_or(Between::UNKNOWN, |outlines| outlines.distance(id, point)), ask);
            }
            Continue(first.most + slack)
        });
        first.ask_all(ask);
        black_box(seen);
        Ok(first.best.map(|(id, _, found)| (id, found)))
    }
}
