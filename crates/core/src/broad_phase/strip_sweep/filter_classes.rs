//! Filters as classes: who may meet whom, in one AND of two words.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::broad_phase::Filter;

/// Classes have a bit of their own while there are enough.
const BITS: usize = 32;
/// Up to so many pairs of classes are looked at one by one.
const FEW: usize = 256;

type Name = (u64, u64, u32, bool);

fn name(filter: Filter, moving: bool) -> Name {
    (filter.layers, filter.mask, filter.group, moving)
}

/// Objects with one filter that move, or do not.
#[derive(Clone, Copy, Debug)]
struct Class {
    filter: Filter,
    moving: bool,
    objects: u32,
    /// Do the rules count it in?
    known: bool,
}

impl Class {
    fn allows(&self, other: &Self) -> bool {
        (self.moving || other.moving) && self.filter.should_collide(other.filter)
    }
}

/// Classes that share a bit, and what is true of all of them together.
#[derive(Clone, Debug, Default)]
struct ClassGroup {
    classes: Vec<usize>,
    layers: u64,
    masks: u64,
    moving: bool,
    /// The group of all of them; 0 where they differ.
    group: u32,
    /// Does no class meet another or itself?
    apart: bool,
}

/// All filters in use.
#[derive(Clone, Debug, Default)]
pub(super) struct FilterClasses {
    /// By number.
    all: Vec<Class>,
    numbers: BTreeMap<Name, u32>,
    /// Numbers of classes without objects.
    free: Vec<u32>,
    /// Of each class its bit and the bits of those it may meet; 0 where it meets nobody.
    pub(super) rules: Vec<[u32; 2]>,
    /// The bits of classes that never meet one another: their pairs need not even be tried.
    pub(super) aside: u32,
    /// Must pairs be looked at again?
    pub(super) mixed: bool,
    /// Does every class meet every other and itself?
    pub(super) plain: bool,
    stale: bool,
}

impl FilterClasses {
    /// The class of a filter, with one object more.
    pub(super) fn join(&mut self, filter: Filter, moving: bool) -> u32 {
        let next = self.free.last().copied().unwrap_or(self.all.len() as u32);
        let number = *self.numbers.entry(name(filter, moving)).or_insert(next);
        if number == next {
            let class = Class { filter, moving, objects: 0, known: false };
            match self.free.pop() {
                Some(free) => self.all[free as usize] = class,
                None => self.all.push(class),
            }
        }
        let class = &mut self.all[number as usize];
        class.objects += 1;
        self.stale |= class.objects == 1;
        number
    }

    /// One object fewer.
    pub(super) fn leave(&mut self, number: u32) {
        let class = &mut self.all[number as usize];
        class.objects -= 1;
        if class.objects == 0 {
            self.numbers.remove(&name(class.filter, class.moving));
            self.free.push(number);
            self.stale = true;
        }
    }

    /// What a class is made of.
    pub(super) fn of(&self, number: u32) -> (Filter, bool) {
        let Class { filter, moving, .. } = self.all[number as usize];
        (filter, moving)
    }

    /// May objects of two classes meet?
    pub(super) fn allow(&self, a: u32, b: u32) -> bool {
        self.all[a as usize].allows(&self.all[b as usize])
    }

    /// Which list a class is in: none, that of those that may meet each other, or that of those that never do.
    fn side(&self, class: usize) -> [bool; 2] {
        self.rules.get(class).map_or([false; 2], |rule| [rule[0] != 0, rule[0] & self.aside != 0])
    }

    /// Brings the rules up to date; has a class to change lists?
    pub(super) fn refresh(&mut self) -> bool {
        if !core::mem::take(&mut self.stale) {
            return false;
        }
        let before: Vec<[bool; 2]> = (0..self.all.len()).map(|c| self.side(c)).collect();
        let shares = self.shares();
        let meets = |a: &ClassGroup| shares.iter().enumerate().map(|(bit, b)| u32::from(self.meet(a, b)) << bit).sum();
        let rows: Vec<u32> = shares.iter().map(meets).collect();
        self.rules.clear();
        self.rules.resize(self.all.len(), [0; 2]);
        self.aside = 0;
        for (bit, (share, &row)) in shares.iter().zip(&rows).enumerate() {
            for &class in &share.classes {
                self.rules[class] = if row == 0 { [0; 2] } else { [1 << bit, row] };
            }
            if row != 0 && row & (1 << bit | self.aside) == 0 {
                self.aside |= 1 << bit;
            }
        }
        self.mixed = shares.iter().any(|share| share.classes.len() > 1);
        self.plain = !self.mixed && rows.iter().all(|row| row.count_ones() as usize == shares.len());
        let changed = (0..self.all.len()).any(|c| self.all[c].known && before[c] != self.side(c));
        for class in &mut self.all {
            class.known = class.objects > 0;
        }
        changed
    }

    /// The classes with objects, those with most objects first, each in a bit of its own; where they are too many, those that never meet share one.
    fn shares(&self) -> Vec<ClassGroup> {
        let mut order = self.sociable();
        order.sort_by_key(|&c| (core::cmp::Reverse(self.all[c].objects), c));
        let crowded = order.len() > BITS;
        let mut shares: Vec<ClassGroup> = Vec::new();
        for c in order {
            let class = self.all[c];
            let Filter { layers, mask, group } = class.filter;
            let alone = ClassGroup {
                classes: [c].into(),
                layers,
                masks: mask,
                moving: class.moving,
                group,
                apart: !class.allows(&class),
            };
            let fits = |share: &ClassGroup| share.apart && alone.apart && !self.meet(share, &alone);
            let found = if crowded { shares.iter().position(fits) } else { None };
            match found {
                Some(share) => shares[share].add(&alone),
                None if shares.len() < BITS => shares.push(alone),
                None => {
                    shares[BITS - 1].add(&alone);
                    shares[BITS - 1].apart = false;
                }
            }
        }
        shares
    }

    /// Classes with objects whose masks have a layer of somebody, and the other way round; and so on without the others.
    fn sociable(&self) -> Vec<usize> {
        let mut left: Vec<usize> = (0..self.all.len()).filter(|&c| self.all[c].objects > 0).collect();
        loop {
            let filters = || left.iter().map(|&c| self.all[c].filter);
            let layers = filters().fold(0, |all, f| all | f.layers);
            let masks = filters().fold(0, |all, f| all | f.mask);
            let count = left.len();
            left.retain(|&c| self.all[c].filter.layers & masks != 0 && self.all[c].filter.mask & layers != 0);
            if left.len() == count {
                return left;
            }
        }
    }

    /// May classes of two shares, or of one, meet? In doubt yes.
    fn meet(&self, a: &ClassGroup, b: &ClassGroup) -> bool {
        if a.classes == b.classes {
            return !a.apart;
        }
        let perhaps = a.masks & b.layers != 0
            && b.masks & a.layers != 0
            && (a.moving || b.moving)
            && (a.group == 0 || a.group != b.group);
        let pair = |&x: &usize| b.classes.iter().any(|&y| self.all[x].allows(&self.all[y]));
        perhaps && (a.classes.len() * b.classes.len() > FEW || a.classes.iter().any(pair))
    }
}

impl ClassGroup {
    fn add(&mut self, other: &Self) {
        self.classes.extend(&other.classes);
        self.layers |= other.layers;
        self.masks |= other.masks;
        self.moving |= other.moving;
        self.group = if self.group == other.group { self.group } else { 0 };
    }
}
