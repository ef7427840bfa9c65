//! Broad phases of whole engines: fat boxes, and pairs that persist between steps.

use std::cell::Cell;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::rc::Rc;

use carom::broad_phase::Aabb32;
use rapier2d::geometry::{
    ActiveCollisionTypes, BroadPhaseBvh, BroadPhasePairEvent, ColliderBuilder, ColliderHandle, ColliderSet,
};
use rapier2d::prelude::{IntegrationParameters, RigidBodySet};

use super::pair_finder::{PairFinder, parry_box};
use super::world::World;
use crate::box2d::tree::Tree;

/// rapier: leaves with margins, pairs as events when they begin and end. `set_aabb` passes each
/// moved box, so rapier computes no boxes of shapes.
pub(super) fn rapier(world: &World) -> PairFinder {
    let (mut broad, params, bodies) = (BroadPhaseBvh::new(), IntegrationParameters::default(), RigidBodySet::new());
    let mut colliders = ColliderSet::new();
    let all = ActiveCollisionTypes::all();
    let handles: Vec<ColliderHandle> =
        world.boxes.iter().map(|_| colliders.insert(ColliderBuilder::ball(0.5).active_collision_types(all))).collect();
    let number = |handle: ColliderHandle| handle.into_raw_parts().0;
    for (&handle, aabb) in handles.iter().zip(&world.boxes) {
        broad.set_aabb(&params, handle, parry_box(aabb));
    }
    let (mut events, mut kept) = (Vec::new(), Kept::default());
    let run = move |world: &World, out: &mut Vec<[u32; 2]>| {
        for &id in &world.movers {
            broad.set_aabb(&params, handles[id as usize], parry_box(&world.boxes[id as usize]));
        }
        events.clear();
        broad.update(&params, &colliders, &bodies, &[], &[], &mut events);
        for event in &events {
            match event {
                BroadPhasePairEvent::AddPair(pair) => kept.insert([number(pair.collider1), number(pair.collider2)]),
                BroadPhasePairEvent::DeletePair(pair) => kept.remove([number(pair.collider1), number(pair.collider2)]),
            }
        }
        out.extend(kept.pairs.iter().filter(|&&[a, b]| intersect(&world.boxes, a, b)));
    };
    PairFinder { run: Box::new(run), native_bytes: Rc::default() }
}

/// The margin of Box2D's moving boxes of this size.
const MARGIN: f32 = 0.05;

/// Box2D: a proxy that leaves its fat box gets a new one. Those parts of the tree are rebuilt, and
/// changed proxies search for new pairs.
pub(super) fn box2d(world: &World) -> PairFinder {
    let mut fat: Vec<Aabb32> = world.boxes.iter().map(grown).collect();
    let mut tree = Tree::new(fat.iter().copied());
    tree.rebuild(true);
    let (mut changed, mut found, mut kept) = ((0..fat.len() as u32).collect::<Vec<_>>(), Vec::new(), Kept::default());
    let mut has_changed = vec![true; fat.len()];
    let native_bytes = Rc::new(Cell::new(0));
    let bytes = Rc::clone(&native_bytes);
    let run = move |world: &World, out: &mut Vec<[u32; 2]>| {
        for &id in &world.movers {
            let (aabb, fat) = (&world.boxes[id as usize], &mut fat[id as usize]);
            if !contains(fat, aabb) {
                *fat = grown(aabb);
                tree.enlarge(id, fat);
                changed.push(id);
                has_changed[id as usize] = true;
            }
        }
        tree.rebuild(false);
        kept.retain(|a, b| intersect(&fat, a, b));
        for &id in &changed {
            tree.query(&fat[id as usize], &mut found);
            for &other in &found {
                // If both changed, the lower one reports the pair.
                if other != id && !(has_changed[other as usize] && other < id) {
                    kept.insert([id, other]);
                }
            }
        }
        changed.drain(..).for_each(|id| has_changed[id as usize] = false);
        out.extend(kept.pairs.iter().filter(|&&[a, b]| intersect(&world.boxes, a, b)));
        bytes.set(tree.bytes());
    };
    PairFinder { run: Box::new(run), native_bytes }
}

fn intersect(boxes: &[Aabb32], a: u32, b: u32) -> bool {
    boxes[a as usize].intersects(&boxes[b as usize])
}

fn grown(b: &Aabb32) -> Aabb32 {
    Aabb32 { min: b.min.map(|x| x - MARGIN), max: b.max.map(|x| x + MARGIN) }
}

fn contains(outer: &Aabb32, inner: &Aabb32) -> bool {
    (0..2).all(|axis| outer.min[axis] <= inner.min[axis] && inner.max[axis] <= outer.max[axis])
}

/// Persistent pairs: a list, and the index of each in it.
#[derive(Default)]
struct Kept {
    pairs: Vec<[u32; 2]>,
    indices: HashMap<u64, u32, BuildHasherDefault<Mix>>,
}

impl Kept {
    fn insert(&mut self, pair: [u32; 2]) {
        if let std::collections::hash_map::Entry::Vacant(entry) = self.indices.entry(key(pair)) {
            entry.insert(self.pairs.len() as u32);
            self.pairs.push(pair);
        }
    }

    fn remove(&mut self, pair: [u32; 2]) {
        if let Some(index) = self.indices.remove(&key(pair)) {
            self.take(index as usize);
        }
    }

    fn retain(&mut self, keep: impl Fn(u32, u32) -> bool) {
        let mut index = 0;
        while let Some(&[a, b]) = self.pairs.get(index) {
            if keep(a, b) {
                index += 1;
            } else {
                self.indices.remove(&key([a, b]));
                self.take(index);
            }
        }
    }

    fn take(&mut self, index: usize) {
        self.pairs.swap_remove(index);
        if let Some(&moved) = self.pairs.get(index) {
            self.indices.insert(key(moved), index as u32);
        }
    }
}

fn key([a, b]: [u32; 2]) -> u64 {
    u64::from(a.min(b)) << 32 | u64::from(a.max(b))
}

/// Fast hash of one 64-bit number. The standard hash would be a handicap.
#[derive(Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are numbers of 64 bits");
    }

    fn write_u64(&mut self, x: u64) {
        let product = u128::from(x).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
        self.0 = (product >> 64) as u64 ^ product as u64;
    }
}
