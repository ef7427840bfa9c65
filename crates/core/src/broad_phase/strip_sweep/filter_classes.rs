//! Maps filters to classes, so that two boxes are compared by one AND of two 32-bit masks.
//!
//! Input: the filters in use. Output: for each class a bit, and a mask of the classes with which it
//! may collide.
//!
//! The simple version calls `should_collide` for each pair of boxes that intersect. Its two 64-bit
//! masks and a group per box do not fit in the lanes of the sweep. There are few different filters,
//! so they are numbered:
//!
//! ```text
//! class = all objects with the same filter and the same `moving` flag
//! remove classes that collide with no other class
//! sort the classes by number of objects; give each of the first 32 its own bit
//! if there are more: classes that never collide with each other share a bit
//! for each bit: mask = all bits whose classes may collide with the classes of this bit
//! ```
//!
//! If classes share bits, the pairs found are tested again with the exact filters.

use alloc::vec::Vec;

use crate::broad_phase::Filter;
use crate::math::lists::mapped;
use crate::math::ordered_map::{Key, KeyMap};
use crate::math::sort::sort_cold;

/// Number of bits.
const BITS: usize = 32;
/// Maximum number of class pairs to test one by one. With more pairs, a conservative test is used.
const MAX_EXACT_PAIRS: usize = 256;

/// A filter and a `moving` flag. Together they decide which pairs may collide.
#[derive(Clone, Copy, Debug)]
struct Kind {
    filter: Filter,
    /// If false, the object is fixed.
    moving: bool,
}

impl Kind {
    /// Returns the filter and the flag as a key of a map.
    fn key(self) -> Key {
        [self.filter.layers, self.filter.mask, u64::from(self.filter.group) << 1 | u64::from(self.moving)]
    }

    /// Returns true if objects of the two kinds may collide.
    fn allows(self, other: Self) -> bool {
        (self.moving || other.moving) && self.filter.should_collide(other.filter)
    }
}

/// All objects with the same filter and the same `moving` flag.
#[derive(Clone, Copy, Debug)]
struct Class {
    /// The filter and the flag of all objects of the class.
    kind: Kind,
    /// Number of objects.
    objects: u32,
    /// If true, the current rules include this class.
    in_rules: bool,
}

/// Classes that share a bit, and their combined filters.
#[derive(Clone, Debug)]
struct ClassGroup {
    /// Indices of the classes.
    classes: Vec<usize>,
    /// The layers and masks of all classes, and their group if it is the same for all. It moves if
    /// any class moves.
    kind: Kind,
    /// If true, no class collides with itself or another class of this group of classes.
    never_collides: bool,
}

/// All filter classes in use.
#[derive(Clone, Debug, Default)]
pub(super) struct FilterClasses {
    /// By class index.
    classes: Vec<Class>,
    /// The index of each class.
    index_of: KeyMap,
    /// Indices of unused classes.
    free: Vec<u32>,
    /// By class: its bit, and the bits of the classes with which it may collide. Both are 0 if it
    /// collides with no class.
    pub(super) rules: Vec<[u32; 2]>,
    /// The bits of classes that never collide with each other. Pairs among them need no test.
    pub(super) passive_bits: u32,
    /// If true, classes share bits, and pairs must be tested again.
    pub(super) needs_recheck: bool,
    /// If true, every class collides with every class, itself included.
    pub(super) all_collide: bool,
    /// If true, the rules must be updated.
    stale: bool,
}

impl FilterClasses {
    /// Adds an object and returns its class index.
    pub(super) fn add_object(&mut self, filter: Filter, moving: bool) -> u32 {
        let next = self.free.last().copied().unwrap_or(self.classes.len() as u32);
        let kind = Kind { filter, moving };
        let key = kind.key();
        let number = self.index_of.get(&key).unwrap_or(next);
        if number == next {
            self.index_of.insert(key, next);
            let class = Class { kind, objects: 0, in_rules: false };
            match self.free.pop() {
                Some(free) => self.classes[free as usize] = class,
                None => self.classes.push(class),
            }
        }
        let class = &mut self.classes[number as usize];
        class.objects += 1;
        self.stale |= class.objects == 1;
        number
    }

    /// Removes an object from a class.
    pub(super) fn remove_object(&mut self, number: u32) {
        let class = &mut self.classes[number as usize];
        class.objects -= 1;
        if class.objects == 0 {
            self.index_of.remove(&class.kind.key());
            self.free.push(number);
            self.stale = true;
        }
    }

    /// Returns the filter and the `moving` flag of a class.
    pub(super) fn filter_of(&self, number: u32) -> (Filter, bool) {
        let Kind { filter, moving } = self.classes[number as usize].kind;
        (filter, moving)
    }

    /// Returns true if objects of the two classes may collide.
    pub(super) fn should_collide(&self, a: u32, b: u32) -> bool {
        self.classes[a as usize].kind.allows(self.classes[b as usize].kind)
    }

    /// Returns whether a class is listed at all, and whether it is in the lists of classes that
    /// never collide with each other.
    fn list_membership(&self, class: usize) -> [bool; 2] {
        self.rules.get(class).map_or([false; 2], |rule| [rule[0] != 0, rule[0] & self.passive_bits != 0])
    }

    /// Updates the rules. Returns true if a class must change lists.
    pub(super) fn update_rules(&mut self) -> bool {
        if !core::mem::take(&mut self.stale) {
            return false;
        }
        // Remember the lists of each class, to detect changes.
        let before: Vec<[bool; 2]> = mapped(0..self.classes.len(), |c| self.list_membership(c));
        let groups = self.assign_bits();
        // One mask per bit: the bits with which it may collide.
        let mask_of =
            |a: &ClassGroup| groups.iter().enumerate().map(|(bit, b)| u32::from(self.may_collide(a, b)) << bit).sum();
        let rows: Vec<u32> = mapped(groups.iter(), mask_of);
        self.rules.clear();
        self.rules.resize(self.classes.len(), [0; 2]);
        self.passive_bits = 0;
        for (bit, (group, &row)) in groups.iter().zip(&rows).enumerate() {
            for &class in &group.classes {
                self.rules[class] = if row == 0 { [0; 2] } else { [1 << bit, row] };
            }
            // The bit collides neither with itself nor with another passive bit.
            if row != 0 && row & (1 << bit | self.passive_bits) == 0 {
                self.passive_bits |= 1 << bit;
            }
        }
        self.needs_recheck = groups.iter().any(|group| group.classes.len() > 1);
        self.all_collide = !self.needs_recheck && rows.iter().all(|row| row.count_ones() as usize == groups.len());
        let changed = (0..self.classes.len()).any(|c| self.classes[c].in_rules && before[c] != self.list_membership(c));
        for class in &mut self.classes {
            class.in_rules = class.objects > 0;
        }
        changed
    }

    /// Assigns bits to the classes with objects.
    ///
    /// Classes with most objects come first, each with its own bit. If there are more than 32
    /// classes, classes that never collide with each other share a bit.
    fn assign_bits(&self) -> Vec<ClassGroup> {
        let mut order = self.collidable_classes();
        sort_cold(&mut order, |&c, &d| self.classes[d].objects.cmp(&self.classes[c].objects).then(c.cmp(&d)));
        let crowded = order.len() > BITS;
        let mut groups: Vec<ClassGroup> = Vec::new();
        for c in order {
            let kind = self.classes[c].kind;
            let single = ClassGroup { classes: [c].into(), kind, never_collides: !kind.allows(kind) };
            // With too many classes, classes that never collide with each other share a bit.
            let fits =
                |share: &ClassGroup| share.never_collides && single.never_collides && !self.may_collide(share, &single);
            let found = if crowded { groups.iter().position(fits) } else { None };
            match found {
                Some(share) => groups[share].add(&single),
                None if groups.len() < BITS => groups.push(single),
                None => {
                    // No bit is left: share the last one, and test its pairs again.
                    groups[BITS - 1].add(&single);
                    groups[BITS - 1].never_collides = false;
                }
            }
        }
        groups
    }

    /// Returns the classes that can collide with any other class.
    ///
    /// Repeatedly removes classes whose mask contains no layer of a remaining class, or whose
    /// layers are in no remaining mask.
    fn collidable_classes(&self) -> Vec<usize> {
        let mut left: Vec<usize> = (0..self.classes.len()).filter(|&c| self.classes[c].objects > 0).collect();
        loop {
            let filters = || left.iter().map(|&c| self.classes[c].kind.filter);
            let layers = filters().fold(0, |all, f| all | f.layers);
            let masks = filters().fold(0, |all, f| all | f.mask);
            let count = left.len();
            left.retain(|&c| {
                let Filter { layers: own_layers, mask, .. } = self.classes[c].kind.filter;
                own_layers & masks != 0 && mask & layers != 0
            });
            if left.len() == count {
                return left;
            }
        }
    }

    /// Returns true if classes of the two groups may collide. The test is conservative if there are
    /// more than `MAX_EXACT_PAIRS` pairs of classes.
    fn may_collide(&self, a: &ClassGroup, b: &ClassGroup) -> bool {
        if a.classes == b.classes {
            return !a.never_collides;
        }
        // Combined filters first: a cheap necessary condition.
        let pair = |&x: &usize| b.classes.iter().any(|&y| self.classes[x].kind.allows(self.classes[y].kind));
        a.kind.allows(b.kind) && (a.classes.len() * b.classes.len() > MAX_EXACT_PAIRS || a.classes.iter().any(pair))
    }
}

impl ClassGroup {
    /// Adds the classes of another group, and combines the filters.
    fn add(&mut self, other: &Self) {
        self.classes.extend(&other.classes);
        let (own, other) = (&mut self.kind, other.kind);
        own.filter.layers |= other.filter.layers;
        own.filter.mask |= other.filter.mask;
        own.filter.group = if own.filter.group == other.filter.group { own.filter.group } else { 0 };
        own.moving |= other.moving;
    }
}
