//! Combines the filters of all moving boxes, so that one test excludes all of them.
//!
//! Input: the filters of the moving boxes, by slot. Output: the layers and the masks of all of them,
//! and their group if it is the same. A union alone cannot lose a bit: one removed box would cost
//! searches forever. So the boxes of each bit are counted.

use alloc::vec::Vec;

use crate::broad_phase::Filter;

/// Filter of a slot without a moving box.
const NOTHING: Filter = Filter { layers: 0, mask: 0, group: 0 };

/// A set of bits, with the number of times that each was added.
#[derive(Clone, Debug)]
struct CountedBits {
    /// Bits with a count above 0.
    union: u64,
    /// Count of each bit.
    counts: [u32; 64],
}

impl CountedBits {
    /// Replaces bits that were added.
    fn replace(&mut self, old: u64, new: u64) {
        let mut changed = old ^ new;
        while changed != 0 {
            let (bit, count) = (changed & changed.wrapping_neg(), &mut self.counts[changed.trailing_zeros() as usize]);
            changed ^= bit;
            *count = if new & bit != 0 { *count + 1 } else { *count - 1 };
            self.union = if *count > 0 { self.union | bit } else { self.union & !bit };
        }
    }
}

/// The filters of all moving boxes, and their union.
#[derive(Clone, Debug)]
pub(super) struct MovingFilters {
    layers: CountedBits,
    masks: CountedBits,
    /// Number of boxes.
    count: u32,
    /// Group of the box that was inserted when there was none.
    group: u32,
    /// Number of boxes in this group.
    members: u32,
    /// By slot.
    filters: Vec<Filter>,
}

impl Default for MovingFilters {
    fn default() -> Self {
        let none = CountedBits { union: 0, counts: [0; 64] };
        Self { layers: none.clone(), masks: none, count: 0, group: 0, members: 0, filters: Vec::new() }
    }
}

impl MovingFilters {
    /// Returns a filter that collides with each filter that a moving box collides with.
    #[inline]
    pub(super) fn union(&self) -> Filter {
        let group = if self.members == self.count { self.group } else { 0 };
        Filter { layers: self.layers.union, mask: self.masks.union, group }
    }

    /// Adds a moving box, or replaces that of the slot.
    pub(super) fn insert(&mut self, slot: u32, filter: Filter) {
        let slot = slot as usize;
        if self.filters.len() <= slot {
            self.filters.resize(slot + 1, NOTHING);
        }
        let old = core::mem::replace(&mut self.filters[slot], filter);
        self.layers.replace(old.layers, filter.layers);
        self.masks.replace(old.mask, filter.mask);
        let is_in = |one: Filter, group: u32| u32::from(one != NOTHING && one.group == group);
        self.count -= u32::from(old != NOTHING);
        self.members -= is_in(old, self.group);
        if self.count == 0 {
            self.group = filter.group;
        }
        self.count += u32::from(filter != NOTHING);
        self.members += is_in(filter, self.group);
    }

    /// Removes the moving box of a slot, if there is one.
    pub(super) fn remove(&mut self, slot: u32) {
        if (slot as usize) < self.filters.len() {
            self.insert(slot, NOTHING);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the union with a search of the present filters, after each of many changes.
    #[test]
    fn the_union_collides_with_what_a_present_filter_collides_with() {
        let mut rng = fastrand::Rng::with_seed(4);
        let filter = |rng: &mut fastrand::Rng| Filter { layers: rng.u64(..8), mask: rng.u64(..8), group: rng.u32(..3) };
        let (mut all, mut present, mut counts, mut groups) = (MovingFilters::default(), [None; 3], [0; 2], 0);
        for _ in 0..20_000 {
            let slot = rng.usize(..present.len());
            present[slot] = rng.bool().then(|| filter(&mut rng));
            match present[slot] {
                Some(filter) => all.insert(slot as u32, filter),
                None => all.remove(slot as u32),
            }
            let layers = present.iter().flatten().fold(0, |all, one: &Filter| all | one.layers);
            let masks = present.iter().flatten().fold(0, |all, one: &Filter| all | one.mask);
            assert_eq!((all.union().layers, all.union().mask), (layers, masks));
            if let [Some(p), Some(q), Some(r)] = present
                && p.group == q.group
                && q.group == r.group
                && all.count == 3
            {
                groups += u32::from(all.union().group == p.group);
            }
            let other = filter(&mut rng);
            let any = present.iter().flatten().any(|one| one.should_collide(other));
            assert!(all.union().should_collide(other) || !any);
            counts[usize::from(any)] += 1;
        }
        assert!(counts.iter().all(|&count| count > 1_000) && groups > 100, "{counts:?}, {groups} common groups");
    }

    /// Movers of one group pass each other, so none needs a search.
    #[test]
    fn boxes_of_one_group_exclude_another_one_of_it() {
        let member = Filter { layers: 1, mask: 1, group: 7 };
        let mut all = MovingFilters::default();
        (0..5).for_each(|slot| all.insert(slot, member));
        assert!(!all.union().should_collide(member));
        all.insert(5, Filter { group: 0, ..member });
        assert!(all.union().should_collide(member));
        all.remove(5);
        assert!(!all.union().should_collide(member));
    }
}
