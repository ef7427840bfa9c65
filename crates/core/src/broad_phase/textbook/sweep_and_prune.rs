//! Sorted edges on both axes: where two of them change places, a pair begins or ends.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::ops::ControlFlow;

use crate::broad_phase::sparse_set::{Entry, SparseSet, ordered};
use crate::broad_phase::{Aabb32, BroadPhase, Filter, LocalRay, Stats};

/// Sweep and prune with a sorted list of edges for each axis (Baraff 1992; Cohen, Lin, Manocha and Ponamgi 1995). The pairs are kept; only edges that
/// change places are looked at.
///
/// ```text
/// for each axis
///     insertion sort of the edges by their new places; where two change places
///         a lower edge goes below an upper one: the pair begins, if the boxes meet
///         an upper edge goes below a lower one: the pair ends
/// ```
///
/// ```
/// use carom::broad_phase::{Aabb32, BroadPhase, Filter, SweepAndPrune};
///
/// let mut broad = SweepAndPrune::new();
/// for id in 0..3 {
///     let x = id as f32;
///     broad.insert(id, Aabb32 { min: [x, 0.0], max: [x + 1.0, 1.0] }, Filter::default(), true);
/// }
/// let mut pairs = Vec::new();
/// broad.pairs(&mut pairs);
/// pairs.sort_unstable();
/// assert_eq!(pairs, [[0, 1], [1, 2]]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct SweepAndPrune {
    store: SparseSet,
    axes: [Vec<Edge>; 2],
    /// Boxes that meet, whatever their filters say.
    meeting: BTreeSet<[u32; 2]>,
    stats: Stats,
}

/// A side of a box.
#[derive(Clone, Copy, Debug)]
struct Edge {
    at: f32,
    id: u32,
    upper: bool,
}

impl Edge {
    /// Boxes are closed: where edges lie on one another, lower ones come first.
    fn belongs_before(&self, other: &Self) -> bool {
        self.at < other.at || (self.at == other.at && !self.upper && other.upper)
    }
}

impl SweepAndPrune {
    /// Without boxes.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts the edges of an axis in order, beginning and ending pairs.
    fn sort(&mut self, axis: usize) {
        let edges = &mut self.axes[axis];
        for i in 1..edges.len() {
            let mut k = i;
            while k > 0 && edges[k].belongs_before(&edges[k - 1]) {
                let [before, edge] = [edges[k - 1], edges[k]];
                edges.swap(k - 1, k);
                k -= 1;
                self.stats.swaps += 1;
                let pair = ordered(before.id, edge.id);
                match (edge.upper, before.upper) {
                    (false, true) => {
                        self.stats.box_tests += 1;
                        // What was no box passes itself when it becomes one.
                        if before.id != edge.id && meet(&self.store, pair) {
                            self.meeting.insert(pair);
                        }
                    }
                    (true, false) => {
                        self.meeting.remove(&pair);
                    }
                    _ => {}
                }
            }
        }
    }
}

fn meet(store: &SparseSet, pair: [u32; 2]) -> bool {
    matches!(pair.map(|id| store.get(id)), [Some(a), Some(b)] if a.aabb.intersects(&b.aabb))
}

impl BroadPhase for SweepAndPrune {
    fn name(&self) -> &'static str {
        "sweep-swaps"
    }

    fn stats(&self) -> Stats {
        Stats { strategy: self.name(), ..self.stats }
    }

    fn insert(&mut self, id: u32, aabb: Aabb32, filter: Filter, moving: bool) {
        if self.store.get(id).is_none() {
            // Beyond all others, where it meets nothing; from there it moves to its place.
            for axis in &mut self.axes {
                axis.extend([false, true].map(|upper| Edge { at: f32::INFINITY, id, upper }));
            }
        }
        self.store.insert(Entry { id, aabb, filter, moving });
    }

    fn update(&mut self, id: u32, aabb: Aabb32) {
        self.store.update(id, aabb);
    }

    fn remove(&mut self, id: u32) {
        self.store.remove(id);
        for axis in &mut self.axes {
            axis.retain(|edge| edge.id != id);
        }
        self.meeting.retain(|pair| !pair.contains(&id));
    }

    fn pairs(&mut self, out: &mut Vec<[u32; 2]>) {
        self.stats = Stats::default();
        for axis in 0..2 {
            for edge in &mut self.axes[axis] {
                if let Some(entry) = self.store.get(edge.id) {
                    edge.at = if edge.upper { entry.aabb.max[axis] } else { entry.aabb.min[axis] };
                }
            }
            self.sort(axis);
        }
        let entry = |id| self.store.get(id);
        let allowed = |pair: &&[u32; 2]| matches!(pair.map(entry), [Some(a), Some(b)] if a.allows(b));
        out.extend(self.meeting.iter().filter(allowed));
    }

    fn query_aabb(&self, aabb: Aabb32, visit: &mut dyn FnMut(u32) -> ControlFlow<()>) {
        self.store.visit_box(aabb, visit);
    }

    fn query_ray(&self, ray: &LocalRay, visit: &mut dyn FnMut(u32) -> ControlFlow<()>) {
        self.store.visit_ray(ray, visit);
    }

    fn visit_by_distance(&self, point: [f64; 2], visit: &mut dyn FnMut(u32, f64) -> ControlFlow<()>) {
        self.store.visit_nearest(point, visit);
    }
}
