//! A world by definition: every pair is asked at every update, every collider at every query.

use std::collections::{BTreeMap, BTreeSet};

use carom::{Collider, Handle, Manifold, collide};

/// What an update leaves behind.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Outcome {
    pub contacts: BTreeMap<(Handle, Handle), Manifold>,
    pub begun: Vec<(Handle, Handle)>,
    /// With the manifold of the last update.
    pub ended: Vec<((Handle, Handle), Manifold)>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Brute {
    pub colliders: BTreeMap<Handle, Collider>,
    pub off: BTreeSet<(Handle, Handle)>,
    pub outcome: Outcome,
}

impl Brute {
    pub(crate) fn update(&mut self, allow: impl Fn(Handle, Handle) -> bool) {
        let mut contacts = BTreeMap::new();
        for (&a, p) in &self.colliders {
            for (&b, q) in self.colliders.range(a..).skip(1) {
                let off = self.off.contains(&(a, b)) || self.off.contains(&(b, a));
                if !(p.enabled && q.enabled) || (p.fixed && q.fixed) || off || !p.filter.allows(q.filter) || !allow(a, b) {
                    continue;
                }
                if let Some(manifold) = collide(p.shape.placed(p.pose), q.shape.placed(q.pose)) {
                    contacts.insert((a, b), manifold);
                }
            }
        }
        let before = std::mem::take(&mut self.outcome.contacts);
        let begun = contacts.keys().filter(|pair| !before.contains_key(pair)).copied().collect();
        let ended = before.iter().filter(|(pair, _)| !contacts.contains_key(pair)).map(|(pair, m)| (*pair, *m)).collect();
        self.outcome = Outcome { contacts, begun, ended };
    }

    pub(crate) fn remove(&mut self, handle: Handle) -> Option<Collider> {
        self.off.retain(|&(a, b)| a != handle && b != handle);
        self.colliders.remove(&handle)
    }
}
