//! Combines the filters of all moving boxes, so that one test excludes all of them.
//!
//! Input: the filters of the moving boxes, by slot. Output: a filter that collides with another one
//! if a moving box may. The simple version keeps a union and never removes a bit. Then one removed
//! box with all bits costs a search per query forever.
//!
//! ```text
//! class = all moving boxes with the same filter
//! insert: add the filter to the union
//! remove: if the class is empty, compute the union of all classes again
//! ```
//!
//! With many classes, the union is computed again only after a sixteenth of them became empty.

use alloc::vec::Vec;

use crate::broad_phase::Filter;
use crate::math::ordered_map::KeyMap;

/// The union of no filters.
const NOTHING: Filter = Filter { layers: 0, mask: 0, group: 0 };

/// The class of a slot without a moving box.
const NONE: u32 = u32::MAX;

/// The filters of all moving boxes, and their union.
#[derive(Clone, Debug)]
pub(super) struct MovingFilters {
    /// By class: the filter, and the number of boxes.
    classes: Vec<(Filter, u32)>,
    /// The class of each filter.
    class_of: KeyMap,
    /// Classes without boxes.
    free: Vec<u32>,
    /// By slot: the class.
    of_slot: Vec<u32>,
    /// Number of classes that became empty since the union was computed.
    emptied: usize,
    /// Layers and masks of all boxes, and their common group, or 0 if they differ.
    union: Filter,
}

impl Default for MovingFilters {
    fn default() -> Self {
        let (classes, class_of, free, of_slot) = (Vec::new(), KeyMap::new(), Vec::new(), Vec::new());
        Self { classes, class_of, free, of_slot, emptied: 0, union: NOTHING }
    }
}

fn key(filter: Filter) -> [u64; 3] {
    [filter.layers, filter.mask, filter.group.into()]
}

fn union(all: Filter, one: Filter) -> Filter {
    let Filter { layers, mask, group } = all;
    let group = if layers | mask == 0 || group == one.group { one.group } else { 0 };
    Filter { layers: layers | one.layers, mask: mask | one.mask, group }
}

impl MovingFilters {
    /// Returns a filter that collides with each filter that a moving box collides with.
    #[inline]
    pub(super) fn union(&self) -> Filter {
        self.union
    }

    /// Adds a moving box, or replaces that of the slot.
    pub(super) fn insert(&mut self, slot: u32, filter: Filter) {
        let i = slot as usize;
        if self.of_slot.len() <= i {
            self.of_slot.resize(i + 1, NONE);
        }
        let last = self.of_slot[i];
        if last != NONE && self.classes[last as usize].0 == filter {
            return;
        }
        let class = self.class(filter);
        self.classes[class as usize].1 += 1;
        self.union = union(self.union, filter);
        self.remove(slot);
        self.of_slot[i] = class;
    }

    /// Removes the moving box of a slot, if there is one.
    pub(super) fn remove(&mut self, slot: u32) {
        let Some(class) = self.of_slot.get_mut(slot as usize) else { return };
        let class = core::mem::replace(class, NONE);
        let Some((filter, count)) = self.classes.get_mut(class as usize) else { return };
        *count -= 1;
        if *count > 0 {
            return;
        }
        self.class_of.remove(&key(*filter));
        self.free.push(class);
        self.emptied += 1;
        if self.emptied * 16 >= self.class_of.len() {
            let used = self.classes.iter().filter(|(_, count)| *count > 0);
            self.union = used.map(|&(filter, _)| filter).fold(NOTHING, union);
            self.emptied = 0;
        }
    }

    /// Returns the class of a filter.
    fn class(&mut self, filter: Filter) -> u32 {
        let next = self.free.last().copied().unwrap_or(self.classes.len() as u32);
        let class = *self.class_of.entry(key(filter)).or_insert(next);
        if class == next {
            match self.free.pop() {
                Some(free) => self.classes[free as usize] = (filter, 0),
                None => self.classes.push((filter, 0)),
            }
        }
        class
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the union with that of the present filters, after each of many changes.
    #[test]
    fn the_union_is_that_of_the_present_filters() {
        let mut rng = fastrand::Rng::with_seed(4);
        let (mut all, mut present) = (MovingFilters::default(), [None; 12]);
        for _ in 0..20_000 {
            let slot = rng.usize(..present.len());
            if rng.bool() {
                let filter = Filter { layers: 1 << rng.u32(..4), mask: rng.u64(..4), group: rng.u32(..3) };
                all.insert(slot as u32, filter);
                present[slot] = Some(filter);
            } else {
                all.remove(slot as u32);
                present[slot] = None;
            }
            // At most twelve classes: each removal counts at once.
            assert_eq!(all.union(), present.iter().flatten().copied().fold(NOTHING, union));
        }
    }

    /// With many classes the union is exact from time to time, and always contains all filters.
    #[test]
    fn many_classes() {
        let mut all = MovingFilters::default();
        (0..1000).for_each(|slot| all.insert(slot, Filter { layers: 1, mask: 1, group: slot + 1 }));
        all.insert(1000, Filter { layers: 2, mask: 2, group: 0 });
        all.remove(1000);
        assert_eq!(all.union().mask, 3);
        (0..70).for_each(|slot| all.remove(slot));
        assert_eq!(all.union().mask, 1);
    }
}
