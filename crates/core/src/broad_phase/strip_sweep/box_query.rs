//! What is at a place: found in the lists, as long as the boxes are not far from where they were when these were put in order.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use super::{Aabb32, StripSweep, valid};
use crate::math::simd::{Simd, prelude::*};
use crate::math::vector::next_up32_if;

/// How far boxes have gone since the lists were put in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Displacement {
    /// By id: no coordinate of the box has gone farther by itself.
    gone: Vec<f32>,
    /// Nor farther than this when all boxes were moved together.
    together: f32,
    /// The farthest that any has gone, one way and the other.
    most: f32,
    /// No box is wider.
    widest: f32,
    /// Are there boxes in no list?
    unlisted: bool,
    /// Has any gone?
    noted: bool,
}

impl Displacement {
    /// Notes that a box has moved.
    #[inline(always)]
    pub(super) fn note(&mut self, id: usize, old: [f32; 4], new: [f32; 4]) {
        self.noted = true;
        // Whatever else is known of it: its list may stay the same.
        self.widest = self.widest.max(width(new));
        let way = |k: usize| (new[k] - old[k]).abs();
        let way = way(0).max(way(1)).max(way(2).max(way(3)));
        let Some(gone) = self.gone.get_mut(id).filter(|_| valid(old) & valid(new)) else { return self.lose() };
        *gone = far(*gone, way);
        let most = far(*gone, self.together);
        if !most.is_finite() {
            return self.lose();
        }
        self.most = self.most.max(most);
    }

    /// Notes that all boxes have moved.
    pub(super) fn note_all(&mut self, gone: &MaxDisplacement) {
        let MaxDisplacement { ways: [a, b, c, d], widest, lost } = *gone;
        let way = a.max(b).max(c.max(d));
        // Of those that stay in their lists this is all that is ever noted.
        self.widest = self.widest.max(next_up32_if(widest < f32::INFINITY, widest));
        (self.together, self.most) = (far(self.together, way), far(self.most, way));
        if lost || !self.most.is_finite() {
            self.lose();
        }
    }

    /// Notes a box that is in no list.
    pub(super) fn lose(&mut self) {
        self.most = f32::INFINITY;
    }

    /// All lists are made anew.
    pub(super) fn relist(&mut self) {
        (self.widest, self.unlisted) = (0.0, false);
    }

    /// A box is listed, or in no list though it is there.
    #[inline(always)]
    pub(super) fn list(&mut self, listed: bool, aabb: [f32; 4]) {
        self.unlisted |= !listed;
        self.widest = self.widest.max(width(aabb));
    }

    /// All lists are in order.
    pub(super) fn settle(&mut self, ids: usize) {
        if core::mem::take(&mut self.noted) || self.gone.len() != ids {
            self.gone.clear();
            self.gone.resize(ids, 0.0);
        }
        (self.together, self.most) = (0.0, 0.0);
    }

    /// Do the lists help to find what is at a place?
    fn is_small(&self) -> bool {
        // Beside a box of infinite width whatever was lost would seem near.
        !self.unlisted && self.most.is_finite() && self.most <= 4.0 * self.widest
    }
}

/// How far boxes that are moved together go, coordinate by coordinate, rounded to nearest.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MaxDisplacement {
    ways: [f32; 4],
    /// The widest that any of them is now.
    widest: f32,
    /// Was or is one of them no box?
    lost: bool,
}

impl MaxDisplacement {
    /// One that is still listed where it was: it was a box and is one, or it was none and is none.
    #[inline(always)]
    pub(super) fn note(&mut self, old: [f32; 4], new: [f32; 4]) {
        for (most, (old, new)) in self.ways.iter_mut().zip(old.into_iter().zip(new)) {
            let way = (new - old).abs();
            // Of what is no number nothing: `max` would ask once more.
            *most = if way > *most { way } else { *most };
        }
        let width = new[2] - new[0];
        self.widest = if width > self.widest { width } else { self.widest };
    }

    /// [`note`](Self::note) of several, whole vectors at a time.
    #[inline(always)]
    pub(super) fn note_block<S: Simd, const N: usize>(&mut self, simd: S, old: &[[f32; 4]; N], new: &[[f32; 4]; N]) {
        let (lanes, old, new) = (S::f32s::LEN, old.as_flattened(), new.as_flattened());
        let (mut ways, mut widths) = (S::f32s::splat(simd, 0.0), S::f32s::splat(simd, 0.0));
        for from in (0..new.len() / lanes * lanes).step_by(lanes) {
            let here = S::f32s::from_slice(simd, &new[from..from + lanes]);
            let way = (here - S::f32s::from_slice(simd, &old[from..from + lanes])).abs();
            // Right sides come to where the left ones are.
            let width = here.slide_within_blocks::<2>(here) - here;
            // Of what is no number nothing.
            ways = way.simd_gt(ways).select(way, ways);
            widths = width.simd_gt(widths).select(width, widths);
        }
        let (mut all_ways, mut all_widths) = ([0.0; 16], [0.0; 16]);
        ways.store_slice(&mut all_ways[..lanes]);
        widths.store_slice(&mut all_widths[..lanes]);
        for i in (0..lanes).step_by(4) {
            let ways = [all_ways[i], all_ways[i + 1], all_ways[i + 2], all_ways[i + 3]];
            self.add(&Self { ways, widest: all_widths[i], lost: false });
        }
    }

    /// One that is to be listed elsewhere.
    pub(super) fn note_listed(&mut self, old: [f32; 4], new: [f32; 4]) {
        self.lost |= !(valid(old) & valid(new));
    }

    /// What several workers noted.
    #[inline(always)]
    pub(super) fn add(&mut self, other: &Self) {
        for k in 0..4 {
            self.ways[k] = self.ways[k].max(other.ways[k]);
        }
        (self.widest, self.lost) = (self.widest.max(other.widest), self.lost | other.lost);
    }
}

/// A sum of ways that is not too small: two roundings, each by less than a unit in the last place.
#[inline(always)]
fn far(gone: f32, way: f32) -> f32 {
    next_up32_if(true, next_up32_if(true, gone + way))
}

/// Of what is no box anything.
#[inline(always)]
fn width(b: [f32; 4]) -> f32 {
    let width = b[2] - b[0];
    next_up32_if(width < f32::INFINITY, width)
}

impl StripSweep {
    /// [`query_aabb`](super::BroadPhase::query_aabb); how many boxes were tried, `None` where it was all of them.
    pub(in crate::broad_phase) fn visit_listed(
        &self,
        query: Aabb32,
        visit: &mut (impl FnMut(u32) -> ControlFlow<()> + ?Sized),
    ) -> Option<usize> {
        let query = query.sanitized();
        if self.lists.is_empty() || !self.drift.is_small() {
            let _ = self.each().filter(|(_, b)| b.intersects(&query)).try_for_each(|(id, _)| visit(id));
            return None;
        }
        let query = self.stored(query);
        let [left, low, right, high] = query.map(f64::from);
        let (most, widest) = (f64::from(self.drift.most), f64::from(self.drift.widest));
        let strips = [self.cut.strip(below(low - most)), self.cut.strip(above(high + most))];
        // Lists are in order of where the boxes were: what stands before the first that begins here was to the left of here.
        let (begin, end) = (below(left - widest - 2.0 * most), above(right + 2.0 * most));
        let mut tried = 0;
        for strip in strips[0]..=strips[1] {
            for side in 0..=usize::from(self.split) {
                let list = &self.lists[usize::from(strip) + side * self.cut.count()];
                let first = list.partition_point(|&id| self.boxes[id as usize][0] < begin);
                for &id in &list[first..] {
                    let b = self.boxes[id as usize];
                    if b[0] > end {
                        break;
                    }
                    tried += 1;
                    let meets = (b[0] <= query[2]) & (query[0] <= b[2]) & (b[1] <= query[3]) & (query[1] <= b[3]);
                    // Told once, in the first strip that both are in.
                    if meets && strip == strips[0].max(self.listed[id as usize][0]) && visit(id).is_break() {
                        return Some(tried);
                    }
                }
            }
        }
        Some(tried)
    }
}

/// Rounded to single precision, and less.
fn below(x: f64) -> f32 {
    (x as f32).next_down()
}

fn above(x: f64) -> f32 {
    (x as f32).next_up()
}

#[cfg(test)]
mod tests {
    use core::ops::ControlFlow::Continue;

    use super::*;
    use crate::broad_phase::{BroadPhase, Filter};
    use crate::math::simd::{SimdKernel, dispatch};

    /// Law: whole vectors note what boxes note one by one; what is no number is noted by neither.
    #[test]
    fn many_at_a_time_go_as_far_as_each_goes() {
        struct Block<'a>(&'a [[f32; 4]; 32], &'a [[f32; 4]; 32]);
        impl SimdKernel for Block<'_> {
            type Output = MaxDisplacement;
            fn run<S: Simd>(self, simd: S) -> MaxDisplacement {
                let mut gone = MaxDisplacement::default();
                gone.note_block(simd, self.0, self.1);
                gone
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
                each.note(old, new);
            }
            let block = dispatch(Block(&old, &new));
            assert_eq!((block.ways, block.widest), (each.ways, each.widest), "seed {seed}: {old:?} {new:?}");
        }
    }

    /// Law: what is at a place is told, and told once, wherever boxes went since the lists were put in order.
    #[test]
    fn nothing_at_a_place_is_missed_or_told_twice() {
        let seed = 11;
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut listed = 0;
        // Wide and low worlds, and high ones, whose strips stand side by side.
        for size in [[40.0, 40.0], [2.0, 900.0], [900.0, 2.0]] {
            let mut grid = StripSweep::new();
            let mut boxes = [None; 400];
            let around = |rng: &mut fastrand::Rng| {
                let (x, y, w) =
                    (rng.f32() * size[0], rng.f32() * size[1], if rng.u8(..) == 0 { 30.0 } else { rng.f32() });
                Aabb32 { min: [x, y], max: [x + w, y + rng.f32()] }
            };
            for step in 0..3000 {
                let id = rng.usize(..400);
                match rng.u32(..100) {
                    0 => grid.pairs(&mut Vec::new()),
                    1 if step < 600 || rng.u8(..) < 20 => {
                        let aabb = around(&mut rng);
                        grid.insert(id as u32, aabb, Filter::default(), rng.bool());
                        boxes[id] = Some(aabb);
                    }
                    2 => {
                        grid.remove(id as u32);
                        boxes[id] = None;
                    }
                    3..60 => {
                        if let Some(aabb) = &mut boxes[id] {
                            let way = [rng.f32() - 0.5, rng.f32() - 0.5]
                                .map(|way| way * if rng.u8(..) == 0 { 50.0 } else { 0.2 });
                            for (side, way) in way.into_iter().enumerate() {
                                aabb.min[side] += way;
                                aabb.max[side] = aabb.min[side].max(aabb.max[side] + way);
                            }
                            grid.update(id as u32, *aabb);
                        }
                    }
                    _ => {
                        let query = around(&mut rng);
                        let mut told = Vec::new();
                        let tried = grid.visit_listed(query, &mut |id| {
                            told.push(id);
                            Continue(())
                        });
                        listed += usize::from(tried.is_some());
                        told.sort_unstable();
                        let meets =
                            |(_, aabb): &(u32, &Option<Aabb32>)| aabb.is_some_and(|aabb| aabb.intersects(&query));
                        let expected: Vec<u32> = (0..).zip(&boxes).filter(meets).map(|(id, _)| id).collect();
                        assert_eq!(told, expected, "seed {seed}, step {step}, {size:?}");
                    }
                }
            }
        }
        assert!(listed > 1000, "{listed} questions were answered from lists");
    }
}
