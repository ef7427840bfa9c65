//! Answers many queries at once, in an order in which neighbours follow each other.
//!
//! Input: rays or points. Output: the results of the single queries, in input order. The simple
//! version is a loop:
//!
//! ```text
//! for each query: traverse the BVH; compute the candidates exactly
//! ```
//!
//! It waits for memory twice per query: for the nodes, and for the exact data of the candidates.
//! The batch hides both:
//!
//! ```text
//! order = the queries in Morton order (Morton 1966), so that neighbours visit the same nodes
//! for each 16 queries of the order
//!     for each: prefetch a later query; traverse the BVH and store the candidates
//!     prefetch the exact data of all candidates
//!     for each: compute its candidates exactly
//! ```
//!
//! Points need no second phase: a quantized polygon decides most of them at once. Eight points
//! share a traversal by their common box.

use alloc::vec::Vec;
use core::hint::black_box;

use glam::DVec2;

use super::QueryPipeline;
use super::best_candidates::BestCandidates;
use super::interval::{ClosestFeature, NONE};
use super::packed_bvh::WIDTH;
use super::quantized_shapes::QuantizedShapes;
use super::traversal::PipelinePointsQuery;
use crate::broad_phase::morton::morton_order;
use crate::broad_phase::{Aabb32, BroadPhase};
use crate::error::Error;
use crate::math::aabb::Aabb;
use crate::math::point::IntoPoint;
use crate::math::prefetch::prefetch;
use crate::math::ray::Ray;
use crate::math::simd::dispatch;
use crate::math::vector::check_point;
use crate::query::{Distance, RayHit};
use crate::shape::Placed;

/// Number of queries of a batch that are traversed before their candidates are computed exactly.
const TOGETHER: usize = 16;

/// Returns the queries with these indices.
fn gather<T: Copy>(all: &[T], numbers: &[u32], group: &mut Vec<T>) {
    group.clear();
    group.extend(numbers.iter().map(|&number| all[number as usize]));
}

/// Prefetches a query of the near future and its result or other data. One at a time: a burst would
/// stall.
#[inline(always)]
fn prefetch_next<'n, T, U>(mut ahead: impl Iterator<Item = &'n u32>, queries: &[T], answers: &[U]) {
    if let Some(&number) = ahead.next() {
        prefetch(queries, number as usize);
        prefetch(answers, number as usize);
    }
}

impl<'s, B: BroadPhase + ?Sized, F: Fn(u32) -> Option<Placed<'s>>> QueryPipeline<'_, B, F> {
    /// Computes [`ray_cast`](QueryPipeline::ray_cast) for many rays. Results are in input order.
    /// Neighbouring rays run one after another, so their data stay in the cache. Faster than single
    /// calls from about a thousand rays in random order on.
    pub fn ray_cast_batch(&self, rays: &[Ray], hits: &mut Vec<Option<(u32, RayHit)>>) {
        hits.resize(rays.len(), None);
        let mut group = Vec::with_capacity(TOGETHER);
        let mut found: Vec<_> = (0..TOGETHER).map(|_| BestCandidates::new(1.0)).collect();
        let order = self.neighbours(rays.iter().map(Ray::origin));
        let mut ahead = order.iter().skip(TOGETHER);
        for numbers in order.chunks(TOGETHER) {
            gather(rays, numbers, &mut group);
            for (ray, first) in group.iter().zip(&mut found) {
                prefetch_next(&mut ahead, rays, hits);
                first.reset(1.0);
                self.first_along(ray, first, false);
            }
            self.prefetch(&found[..group.len()]);
            for ((&number, ray), first) in numbers.iter().zip(&group).zip(&mut found) {
                hits[number as usize] = first.decide(|shape, feature| self.cast_at(ray, shape, feature));
            }
        }
    }

    /// Visits every shape that contains each of many points, boundary included. Calls `visit` with
    /// the index of the point and the id of the shape, in any order. Exact.
    ///
    /// # Errors
    /// A coordinate that is not finite or above 1e30 in magnitude. Then nothing is visited.
    pub fn visit_containing_points<P: IntoPoint>(
        &self,
        points: &[P],
        mut visit: impl FnMut(u32, u32),
    ) -> Result<(), Error> {
        let points = &*P::into_points(points);
        let tree = self.outlines.and_then(QuantizedShapes::tree);
        let frame = tree.map_or(self.frame, |packed| packed.frame);
        let boxes =
            points.iter().map(|&p| Ok(frame.to_local(&Aabb::new(p, p)?))).collect::<Result<Vec<Aabb32>, Error>>()?;
        if let Some(packed) = tree {
            let (mut group, mut around) = (Vec::with_capacity(WIDTH), Vec::with_capacity(WIDTH));
            let order = self.neighbours(points.iter().copied());
            let mut ahead = order.iter().skip(TOGETHER);
            for numbers in order.chunks(WIDTH) {
                for _ in numbers {
                    prefetch_next(&mut ahead, points, &boxes);
                }
                gather(points, numbers, &mut group);
                gather(&boxes, numbers, &mut around);
                let visit = |query: usize, id, known| {
                    if self.contains_if_known(id, group[query], known) {
                        visit(numbers[query], id);
                    }
                };
                dispatch(PipelinePointsQuery { packed, points: &group, boxes: &around, visit });
            }
            return Ok(());
        }
        self.broad.visit_boxes(&boxes, &mut |number, id| {
            if self.contains(id, points[number as usize]) {
                visit(number, id);
            }
        });
        Ok(())
    }

    /// Computes [`nearest`](QueryPipeline::nearest) for many points. Results are in input order.
    ///
    /// # Errors
    /// A coordinate that is not finite or above 1e30 in magnitude. Then `found` is unchanged.
    pub fn nearest_batch<P: IntoPoint>(
        &self,
        points: &[P],
        within: f64,
        found: &mut Vec<Option<(u32, Distance)>>,
    ) -> Result<(), Error> {
        let points = &*P::into_points(points);
        points.iter().try_for_each(|&point| check_point("point", point).map(|_| ()))?;
        found.resize(points.len(), None);
        let mut group = Vec::with_capacity(TOGETHER);
        let mut near: Vec<_> = (0..TOGETHER).map(|_| BestCandidates::new(within)).collect();
        let order = self.neighbours(points.iter().copied());
        let mut ahead = order.iter().skip(TOGETHER);
        for numbers in order.chunks(TOGETHER) {
            gather(points, numbers, &mut group);
            for (&point, near) in group.iter().zip(&mut near) {
                prefetch_next(&mut ahead, points, found);
                near.reset(within);
                self.near_to(point, within, near, false)?;
            }
            self.prefetch(&near[..group.len()]);
            for ((&number, &point), near) in numbers.iter().zip(&group).zip(&mut near) {
                found[number as usize] =
                    near.decide(|shape, feature| self.distance_within(point, within, shape, feature));
            }
        }
        Ok(())
    }

    /// Returns the indices of positions in an order in which neighbours are adjacent.
    fn neighbours(&self, positions: impl ExactSizeIterator<Item = DVec2> + Clone) -> Vec<u32> {
        morton_order(positions.map(|position| self.frame.to_local_point(position).map(|x| x as f32)))
    }

    /// Prefetches the shapes of the next exact computations. All of them take little longer than
    /// one.
    fn prefetch<T: Copy>(&self, found: &[BestCandidates<T>]) {
        let packed = self.outlines.and_then(QuantizedShapes::tree);
        let mut seen = 0;
        for (shape, feature) in
            found.iter().flat_map(BestCandidates::open).filter(|&(_, feature)| feature != Some(ClosestFeature::Inside))
        {
            if let Some(packed) = packed.filter(|_| shape.index != NONE) {
                packed.prefetch_exact_data(shape.index, feature);
            } else if let Some(placed) = (self.placed)(shape.id) {
                seen ^= placed.preload() ^ placed.preload_vertices();
            }
        }
        black_box(seen);
    }
}
