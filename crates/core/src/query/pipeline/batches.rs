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
use super::best_candidates::{BestCandidates, Candidate};
use super::interval::{ClosestFeature, NONE};
use super::packed_bvh::WIDTH;
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
        let order = self.neighbours(rays.iter().map(Ray::origin));
        let collect = |ray: &Ray, first: &mut BestCandidates<RayHit>| self.first_along(ray, first, false);
        self.in_groups(rays, &order, 1.0, hits, collect, |ray, candidate: &Candidate| self.cast_at(ray, candidate));
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
        let tree = self.packed();
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
        let order = self.neighbours(points.iter().copied());
        let collect = |&point: &DVec2, near: &mut BestCandidates<Distance>| self.near_to(point, within, near, false);
        let compute = |&point: &DVec2, candidate: &Candidate| self.distance_within(point, within, candidate);
        self.in_groups(points, &order, within, found, collect, compute);
        Ok(())
    }

    /// Computes queries in a given order, in groups: collects the candidates of all queries of a group, prefetches
    /// their data, then computes them exactly.
    #[inline(always)]
    fn in_groups<Q: Copy, T: Copy>(
        &self,
        queries: &[Q],
        order: &[u32],
        most: f64,
        results: &mut Vec<Option<(u32, T)>>,
        collect: impl Fn(&Q, &mut BestCandidates<T>),
        compute: impl Fn(&Q, &Candidate) -> Option<(f64, T)>,
    ) {
        results.resize(queries.len(), None);
        let mut group = Vec::with_capacity(TOGETHER);
        let mut found: Vec<_> = (0..TOGETHER).map(|_| BestCandidates::new(most)).collect();
        let mut ahead = order.iter().skip(TOGETHER);
        for numbers in order.chunks(TOGETHER) {
            gather(queries, numbers, &mut group);
            for (query, first) in group.iter().zip(&mut found) {
                prefetch_next(&mut ahead, queries, results);
                first.reset(most);
                collect(query, first);
            }
            self.prefetch(&found[..group.len()]);
            for ((&number, query), first) in numbers.iter().zip(&group).zip(&found) {
                results[number as usize] = first.decide(|candidate| compute(query, candidate));
            }
        }
    }

    /// Returns the indices of positions in an order in which neighbours are adjacent.
    fn neighbours(&self, positions: impl ExactSizeIterator<Item = DVec2> + Clone) -> Vec<u32> {
        morton_order(positions.map(|position| self.frame.to_local_point(position).map(|x| x as f32)))
    }

    /// Prefetches the shapes of the next exact computations. All of them take little longer than
    /// one.
    fn prefetch<T: Copy>(&self, found: &[BestCandidates<T>]) {
        let (packed, mut seen) = (self.packed(), 0);
        let open = found.iter().flat_map(BestCandidates::open);
        for candidate in open.filter(|candidate| candidate.feature != Some(ClosestFeature::Inside)) {
            if let Some(packed) = packed.filter(|_| candidate.index != NONE) {
                packed.exact_data.prefetch(packed.exact_data_of(candidate.index as usize), candidate.feature);
            } else if let Some(placed) = (self.placed)(candidate.id) {
                seen ^= placed.preload() ^ placed.preload_vertices();
            }
        }
        black_box(seen);
    }
}
