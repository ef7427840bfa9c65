//! Answers box queries from the sorted lists of the last pair search.
//!
//! Input: a query box. Output: the ids of all boxes that intersect it now.
//!
//! The simple version scans all boxes:
//!
//! ```text
//! for each box: report it if it intersects the query
//! ```
//!
//! The lists are sorted by the positions at the last pair search, and boxes may have moved since.
//! Therefore the search range is enlarged by a bound of the displacement:
//!
//! ```text
//! d = upper bound of the displacement of any box since the lists were sorted
//! if d is unknown or larger than 4 times the widest box: test all boxes
//! for each strip that the query touches, enlarged by d
//!     binary search for the first box that may intersect the query: min x >= left - widest - 2 d
//!     test boxes from there on, until min x > right + 2 d
//!     report an intersecting box only in the first strip of the query that lists it
//! ```
//!
//! Updates record the bound per coordinate: one number for bulk updates, and one per id for single
//! updates. Every sum is rounded up.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use super::{Aabb32, StripSweep, valid};
use crate::math::simd::{Simd, f32s};
use crate::math::vector::next_up32_if;

/// An upper bound of the displacement of boxes since the lists were sorted.
#[derive(Clone, Debug, Default)]
pub(super) struct Displacement {
    /// By id: upper bound of the displacement by single updates, per coordinate.
    individual: Vec<f32>,
    /// Upper bound of the displacement by bulk updates, per coordinate.
    bulk: f32,
    /// Upper bound of the total displacement of any box, in either direction.
    max: f32,
    /// Upper bound of the width of any box.
    max_width: f32,
    /// If true, some boxes are in no list.
    has_unlisted: bool,
    /// If true, `individual` may have nonzero entries.
    has_individual: bool,
}

impl Displacement {
    /// Records the move of a single box.
    #[inline(always)]
    pub(super) fn record(&mut self, id: usize, old: [f32; 4], new: [f32; 4]) {
        self.has_individual = true;
        // The width is recorded in every case: the box may remain in its list.
        self.max_width = self.max_width.max(width(new));
        let displacement = |k: usize| (new[k] - old[k]).abs();
        let displacement = displacement(0).max(displacement(1)).max(displacement(2).max(displacement(3)));
        let Some(bound) = self.individual.get_mut(id).filter(|_| valid(old) & valid(new)) else {
            return self.invalidate();
        };
        *bound = add_rounded_up(*bound, displacement);
        let total = add_rounded_up(*bound, self.bulk);
        if !total.is_finite() {
            return self.invalidate();
        }
        self.max = self.max.max(total);
    }

    /// Records a bulk update.
    pub(super) fn record_bulk(&mut self, bulk: &MaxDisplacement) {
        let MaxDisplacement { per_side: [a, b, c, d], max_width: widest, has_invalid: lost } = *bulk;
        let displacement = a.max(b).max(c.max(d));
        // For boxes that stay in their lists, no other record of the width is made.
        self.max_width = self.max_width.max(next_up32_if(widest < f32::INFINITY, widest));
        (self.bulk, self.max) = (add_rounded_up(self.bulk, displacement), add_rounded_up(self.max, displacement));
        if lost || !self.max.is_finite() {
            self.invalidate();
        }
    }

    /// Invalidates the bound, for a box that is in no list.
    pub(super) fn invalidate(&mut self) {
        self.max = f32::INFINITY;
    }

    /// Resets the widths before all lists are rebuilt.
    pub(super) fn reset_widths(&mut self) {
        (self.max_width, self.has_unlisted) = (0.0, false);
    }

    /// Records that an id was listed, or that it is in use but in no list.
    #[inline(always)]
    pub(super) fn record_listed(&mut self, listed: bool, aabb: [f32; 4]) {
        self.has_unlisted |= !listed;
        self.max_width = self.max_width.max(width(aabb));
    }

    /// Resets the displacements after all lists were sorted.
    pub(super) fn reset(&mut self, ids: usize) {
        if core::mem::take(&mut self.has_individual) || self.individual.len() != ids {
            self.individual.clear();
            self.individual.resize(ids, 0.0);
        }
        (self.bulk, self.max) = (0.0, 0.0);
    }

    /// Returns true if a box query can use the lists.
    fn allows_list_query(&self) -> bool {
        // With a box of infinite width, any finite displacement would pass the comparison alone.
        !self.has_unlisted && self.max.is_finite() && self.max <= 4.0 * self.max_width
    }
}

/// Largest displacement in a bulk update, per coordinate, rounded to nearest.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MaxDisplacement {
    /// For each side: min x, min y, max x, max y.
    per_side: [f32; 4],
    /// The largest width of a moved box.
    max_width: f32,
    /// If true, a box that changed strips was or is invalid.
    has_invalid: bool,
}

impl MaxDisplacement {
    /// Records a box that stays in its strips. The old and new box are both valid or both invalid.
    #[inline(always)]
    pub(super) fn record(&mut self, old: [f32; 4], new: [f32; 4]) {
        for (max, (old, new)) in self.per_side.iter_mut().zip(old.into_iter().zip(new)) {
            let displacement = (new - old).abs();
            // Ignores NaN. `f32::max` would need an additional comparison.
            *max = if displacement > *max { displacement } else { *max };
        }
        let width = new[2] - new[0];
        self.max_width = if width > self.max_width { width } else { self.max_width };
    }

    /// Records a block of boxes with SIMD; same result as `record` for each box.
    #[inline(always)]
    pub(super) fn record_block<S: Simd, const N: usize>(&mut self, simd: S, old: &[[f32; 4]; N], new: &[[f32; 4]; N]) {
        let (lanes, old, new) = (f32s::<S>::LEN, old.as_flattened(), new.as_flattened());
        let (mut maxima, mut widths) = (f32s::splat(simd, 0.0), f32s::splat(simd, 0.0));
        for from in (0..new.len() / lanes * lanes).step_by(lanes) {
            let here = f32s::from_slice(simd, &new[from..from + lanes]);
            let displacement = (here - f32s::from_slice(simd, &old[from..from + lanes])).abs();
            // Aligns the right sides with the left sides.
            let width = here.swap_pairs() - here;
            // Ignores NaN.
            maxima = displacement.simd_gt(maxima).select(displacement, maxima);
            widths = width.simd_gt(widths).select(width, widths);
        }
        // Reduce the lanes; each group of four lanes is one box.
        let (mut all_maxima, mut all_widths) = ([0.0; 16], [0.0; 16]);
        maxima.store_slice(&mut all_maxima[..lanes]);
        widths.store_slice(&mut all_widths[..lanes]);
        for i in (0..lanes).step_by(4) {
            let maxima = [all_maxima[i], all_maxima[i + 1], all_maxima[i + 2], all_maxima[i + 3]];
            self.merge(&Self { per_side: maxima, max_width: all_widths[i], has_invalid: false });
        }
    }

    /// Records a box that changes strips.
    pub(super) fn record_relisted(&mut self, old: [f32; 4], new: [f32; 4]) {
        self.has_invalid |= !(valid(old) & valid(new));
    }

    /// Merges the record of another worker.
    #[inline(always)]
    pub(super) fn merge(&mut self, other: &Self) {
        for k in 0..4 {
            self.per_side[k] = self.per_side[k].max(other.per_side[k]);
        }
        (self.max_width, self.has_invalid) =
            (self.max_width.max(other.max_width), self.has_invalid | other.has_invalid);
    }
}

/// Adds two displacements and rounds up. `displacement` and the sum are each rounded by less than 1
/// ulp, so two steps up suffice.
#[inline(always)]
fn add_rounded_up(total: f32, displacement: f32) -> f32 {
    next_up32_if(true, next_up32_if(true, total + displacement))
}

/// Returns the width of a box, rounded up. The result for an invalid box is unspecified.
#[inline(always)]
fn width(b: [f32; 4]) -> f32 {
    let width = b[2] - b[0];
    next_up32_if(width < f32::INFINITY, width)
}

impl StripSweep {
    /// Returns true if box queries can use the lists.
    pub(in crate::broad_phase) fn has_sorted_lists(&self) -> bool {
        !self.lists.is_empty() && self.displacement.allows_list_query()
    }

    /// Visits the boxes that intersect `query` by a linear scan.
    pub(super) fn scan_boxes(&self, query: Aabb32, visit: &mut dyn FnMut(u32) -> ControlFlow<()>) {
        let query = query.sanitized();
        let _ = self.iter_boxes().filter(|(_, b)| b.intersects(&query)).try_for_each(|(id, _)| visit(id));
    }

    /// Visits the boxes that intersect `query`, and returns the number of boxes tested. Requires
    /// [`has_sorted_lists`](Self::has_sorted_lists).
    pub(in crate::broad_phase) fn query_lists(
        &self,
        query: Aabb32,
        visit: &mut (impl FnMut(u32) -> ControlFlow<()> + ?Sized),
    ) -> usize {
        debug_assert!(self.has_sorted_lists());
        // Strips and x range of the query, enlarged by the displacement bound.
        let query = self.to_stored(query);
        let [left, low, right, high] = query.map(f64::from);
        let (most, widest) = (f64::from(self.displacement.max), f64::from(self.displacement.max_width));
        let strips = [self.layout.strip(round_below(low - most)), self.layout.strip(round_above(high + most))];
        // The list is sorted by old min x. Before index `first`, some box has min x < `begin` now,
        // so all earlier boxes had min x < `begin` + `max` then. They all end to the left of the
        // query.
        let (begin, end) = (round_below(left - widest - 2.0 * most), round_above(right + 2.0 * most));
        let mut tried = 0;
        for strip in strips[0]..=strips[1] {
            for side in 0..=usize::from(self.split) {
                let list = &self.lists[usize::from(strip) + side * self.layout.count()];
                // Binary search for the begin, then scan to the end.
                let first = list.partition_point(|&id| self.boxes[id as usize][0] < begin);
                for &id in &list[first..] {
                    let b = self.boxes[id as usize];
                    if b[0] > end {
                        break;
                    }
                    tried += 1;
                    let intersects = (b[0] <= query[2]) & (query[0] <= b[2]) & (b[1] <= query[3]) & (query[1] <= b[3]);
                    // Report a box only once, in the first strip of the query that lists it.
                    if intersects && strip == strips[0].max(self.listed_strips[id as usize][0]) && visit(id).is_break()
                    {
                        return tried;
                    }
                }
            }
        }
        tried
    }
}

/// Rounds to a smaller `f32`.
fn round_below(x: f64) -> f32 {
    (x as f32).next_down()
}

/// Rounds to a greater `f32`.
fn round_above(x: f64) -> f32 {
    (x as f32).next_up()
}

#[cfg(test)]
mod tests {
    use core::ops::ControlFlow::Continue;

    use super::*;
    use crate::broad_phase::{BroadPhase, Filter};
    use crate::math::simd::{SimdKernel, dispatch};

    /// Law: `record_block` records the same as `record` for each box, and both ignore NaN.
    #[test]
    fn many_at_a_time_go_as_far_as_each_goes() {
        struct Block<'a>(&'a [[f32; 4]; 32], &'a [[f32; 4]; 32]);
        impl SimdKernel for Block<'_> {
            type Output = MaxDisplacement;
            fn run<S: Simd>(self, simd: S) -> MaxDisplacement {
                let mut displacement = MaxDisplacement::default();
                displacement.record_block(simd, self.0, self.1);
                displacement
            }
        }
        let (seed, mut rng) = (6, fastrand::Rng::with_seed(6));
        for _ in 0..1_000 {
            let mut side = || match rng.u32(..400) {
                0 => f32::NAN,
                1 => f32::INFINITY,
                _ => (rng.f32() - 0.5) * 100.0_f32.powi(rng.i32(-3..3)),
            };
            let [old, new] = [0, 1].map(|_| [0; 32].map(|_| [0; 4].map(|_| side())));
            let mut each = MaxDisplacement::default();
            for (old, new) in old.into_iter().zip(new) {
                each.record(old, new);
            }
            let block = dispatch(Block(&old, &new));
            assert_eq!(
                (block.per_side, block.max_width),
                (each.per_side, each.max_width),
                "seed {seed}: {old:?} {new:?}"
            );
        }
    }

    /// Law: a box query reports every intersecting box exactly once, for any moves since the lists
    /// were sorted.
    #[test]
    fn no_box_is_missed_or_reported_twice() {
        let seed = 11;
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut listed = 0;
        // A square world, a tall world, and a wide world, which is transposed or not.
        for size in [[40.0, 40.0], [2.0, 900.0], [900.0, 2.0]] {
            let mut broad = StripSweep::new();
            let mut boxes = [None; 400];
            let around = |rng: &mut fastrand::Rng| {
                let (x, y, w) =
                    (rng.f32() * size[0], rng.f32() * size[1], if rng.u8(..) == 0 { 30.0 } else { rng.f32() });
                Aabb32 { min: [x, y], max: [x + w, y + rng.f32()] }
            };
            for step in 0..3000 {
                let id = rng.usize(..400);
                match rng.u32(..100) {
                    0 => broad.pairs(&mut Vec::new()),
                    1 if step < 600 || rng.u8(..) < 20 => {
                        let aabb = around(&mut rng);
                        broad.insert(id as u32, aabb, Filter::default(), rng.bool());
                        boxes[id] = Some(aabb);
                    }
                    2 => {
                        broad.remove(id as u32);
                        boxes[id] = None;
                    }
                    3..60 => {
                        if let Some(aabb) = &mut boxes[id] {
                            let delta = [rng.f32() - 0.5, rng.f32() - 0.5]
                                .map(|delta| delta * if rng.u8(..) == 0 { 50.0 } else { 0.2 });
                            for (side, delta) in delta.into_iter().enumerate() {
                                aabb.min[side] += delta;
                                aabb.max[side] = aabb.min[side].max(aabb.max[side] + delta);
                            }
                            broad.update(id as u32, *aabb);
                        }
                    }
                    _ => {
                        let query = around(&mut rng);
                        let mut found = Vec::new();
                        broad.query_aabb(query, &mut |id| {
                            found.push(id);
                            Continue(())
                        });
                        listed += usize::from(broad.has_sorted_lists());
                        found.sort_unstable();
                        let hits =
                            |(_, aabb): &(u32, &Option<Aabb32>)| aabb.is_some_and(|aabb| aabb.intersects(&query));
                        let expected: Vec<u32> = (0..).zip(&boxes).filter(hits).map(|(id, _)| id).collect();
                        assert_eq!(found, expected, "seed {seed}, step {step}, {size:?}");
                    }
                }
            }
        }
        assert!(listed > 1000, "{listed} queries used the lists");
    }
}
