//! World by definition: every update tests all pairs, every query tests all colliders.

use std::collections::{BTreeMap, BTreeSet};

use carom::query::{collide_within, manifolds_within};
use carom::{Aabb, Collider, DVec2, Handle, Manifold, Placed, Pose};

use super::brute_motion::Hit;

pub(crate) type Pair = (Handle, Handle);

/// Result of an update.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Outcome {
    /// The deepest manifold, and all of them.
    pub contacts: BTreeMap<Pair, (Manifold, Vec<Manifold>)>,
    pub begun: Vec<Pair>,
    /// With the manifold of the last update.
    pub ended: Vec<(Pair, Manifold)>,
    pub collisions: Vec<Hit>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Brute {
    pub colliders: BTreeMap<Handle, Collider>,
    pub off: BTreeSet<Pair>,
    /// Motions of the next update: translation and turning.
    pub motions: BTreeMap<Handle, (DVec2, f64)>,
    /// Poses at the last update, or at the insertion if it came later.
    pub before: BTreeMap<Handle, Pose>,
    /// Pairs that intersect without a contact, because one of them is one-way.
    pub passing: BTreeSet<Pair>,
    /// The contact margin of colliders without one of their own.
    pub margin: f64,
    /// Colliders of the last update.
    pub known: BTreeSet<Handle>,
    /// Colliders of an update that were removed after it: those of the update before the last one, and of the last one.
    pub removed: [BTreeMap<Handle, Collider>; 2],
    pub outcome: Outcome,
}

impl Brute {
    pub(crate) fn update(&mut self, allow: impl Fn(Handle, Handle) -> bool) {
        let collisions = self.make_motions();
        self.removed.rotate_left(1);
        self.removed[1].clear();
        self.known = self.colliders.keys().copied().collect();
        let (mut contacts, mut passing) = (BTreeMap::new(), BTreeSet::new());
        // That boxes hold their shapes is a law of its own.
        let boxes: BTreeMap<Handle, Aabb> =
            self.colliders.keys().map(|&handle| (handle, self.placed(handle).aabb())).collect();
        for (&a, p) in &self.colliders {
            for &b in self.colliders.range(a..).skip(1).map(|(b, _)| b) {
                let margin = self.margin_of(a).max(self.margin_of(b));
                if !(p.enabled
                    && boxes[&a].grown(margin).intersects(&boxes[&b])
                    && self.colliders[&b].enabled
                    && self.may_meet(a, b)
                    && allow(a, b))
                {
                    continue;
                }
                let mut all = Vec::new();
                manifolds_within(self.placed(a), self.placed(b), margin, &mut all);
                let Some(mut deepest) = collide_within(self.placed(a), self.placed(b), margin) else { continue };
                if self.colliders[&a].one_way.is_some() || self.colliders[&b].one_way.is_some() {
                    all = self.decide((a, b), all);
                    let is_apart = deepest.depth < 0.0;
                    let deeper = |best: Manifold, next: Manifold| if next.depth > best.depth { next } else { best };
                    let Some(stop) = all.iter().copied().reduce(deeper) else {
                        if !is_apart {
                            passing.insert((a, b));
                        }
                        continue;
                    };
                    deepest = stop;
                }
                contacts.insert((a, b), (deepest, all));
            }
        }
        let before = std::mem::take(&mut self.outcome.contacts);
        let begun = contacts.keys().filter(|pair| !before.contains_key(pair)).copied().collect();
        let ended =
            before.iter().filter(|(pair, _)| !contacts.contains_key(pair)).map(|(pair, m)| (*pair, m.0)).collect();
        self.outcome = Outcome { contacts, begun, ended, collisions };
        self.passing = passing;
        self.before = self.colliders.iter().map(|(&handle, collider)| (handle, collider.pose)).collect();
    }

    fn margin_of(&self, handle: Handle) -> f64 {
        self.colliders[&handle].own_contact_margin().unwrap_or(self.margin)
    }

    /// Returns shapes, poses and margins of a pair, for messages.
    pub(crate) fn story(&self, (a, b): Pair) -> [(&Collider, f64); 2] {
        [a, b].map(|handle| (&self.colliders[&handle], self.margin_of(handle)))
    }

    pub(crate) fn placed(&self, handle: Handle) -> Placed<'_> {
        let collider = &self.colliders[&handle];
        collider.shape.placed(collider.pose)
    }

    /// Returns whether filters, disabled pairs and fixed flags allow contact.
    pub(crate) fn may_meet(&self, a: Handle, b: Handle) -> bool {
        let (p, q) = (&self.colliders[&a], &self.colliders[&b]);
        let off = self.off.contains(&(a, b)) || self.off.contains(&(b, a));
        !(off || p.fixed && q.fixed) && p.filter.should_collide(q.filter)
    }

    pub(crate) fn insert(&mut self, handle: Handle, collider: Collider) {
        self.before.insert(handle, collider.pose);
        assert!(self.colliders.insert(handle, collider).is_none(), "{handle:?} was given away before");
    }

    pub(crate) fn remove(&mut self, handle: Handle) -> Option<Collider> {
        self.off.retain(|&(a, b)| a != handle && b != handle);
        self.motions.remove(&handle);
        self.before.remove(&handle);
        let removed = self.colliders.remove(&handle);
        if self.known.contains(&handle) {
            self.removed[1].extend(removed.clone().map(|collider| (handle, collider)));
        }
        removed
    }

    /// Returns a removed collider that contacts and events may refer to.
    pub(crate) fn removed_collider(&self, handle: Handle) -> Option<&Collider> {
        self.removed.iter().find_map(|removed| removed.get(&handle))
    }
}
