//! scene → boxes → broad phase → candidates → narrow phase → contacts.
use carom::broad::{BroadPhase, Filter, Frame, Stats};
use carom::{Aabb, Placed};
use carom_scene::Scene;
use carom_scene::draw::Contact;
use rayon::prelude::*;

use crate::broad::Broad;
use crate::progress::Progress;
use crate::stats::Stopwatch;

/// Pairs between two looks at the progress bar.
const CHUNK: usize = 1024;

/// What `check` is asked.
pub(crate) struct Question {
    pub(crate) broad: Broad,
    /// Pairs that are at most this far apart are reported too.
    pub(crate) margin: f64,
    /// Only pairs with one collider on each of these layers.
    pub(crate) between: Option<[u64; 2]>,
    /// Only pairs at least this deep.
    pub(crate) min_depth: f64,
    /// Touching is not enough.
    pub(crate) overlaps: bool,
}

pub(crate) struct Answer {
    /// In file order of a, then of b; a before b.
    pub(crate) contacts: Vec<Contact>,
    /// Pairs whose boxes (grown by half the margin) meet and whose layers, masks and groups allow them.
    pub(crate) candidates: usize,
    /// Which broad phase ran, and why.
    pub(crate) broad: Stats,
}

pub(crate) fn run(scene: &Scene, question: &Question, watch: &mut Stopwatch, progress: &Progress) -> Answer {
    let placed: Vec<Placed<'_>> = scene.colliders.iter().map(|c| c.shape.placed(c.pose)).collect();
    progress.stage("boxes");
    let reach = reach(question.margin);
    let boxes: Vec<Aabb> = watch.time("boxes", || placed.iter().map(|placed| placed.aabb().grown(reach)).collect());

    progress.stage("broad phase");
    let (pairs, broad) = watch.time("broad phase", || candidates(scene, &boxes, question.broad));

    progress.counted("narrow phase", pairs.len());
    let contacts = watch.time("narrow phase", || narrow(scene, &placed, &pairs, question, progress));
    Answer { contacts, candidates: pairs.len(), broad }
}

/// The pairs whose boxes meet and whose filters allow it, in file order, and which broad phase found them.
pub(crate) fn candidates(scene: &Scene, boxes: &[Aabb], broad: Broad) -> (Vec<[u32; 2]>, Stats) {
    let mut broad = broad.build();
    let mut pairs = Vec::new();
    insert(broad.as_mut(), scene, boxes);
    broad.pairs(&mut pairs);
    pairs.sort_unstable();
    pairs.retain(|&[a, b]| boxes[a as usize].intersects(&boxes[b as usize]));
    (pairs, broad.stats())
}

/// What each box grows by, so that boxes at most `margin` apart meet: half of it, rounded up where it
/// has no half.
fn reach(margin: f64) -> f64 {
    let half = margin * 0.5;
    half.max(margin - half)
}

fn insert(broad: &mut dyn BroadPhase, scene: &Scene, boxes: &[Aabb]) {
    let Some(all) = boxes.iter().copied().reduce(|a, b| a.union(&b)) else {
        return;
    };
    let frame = Frame::new(all.center());
    for (id, (aabb, collider)) in boxes.iter().zip(&scene.colliders).enumerate() {
        broad.insert(id as u32, frame.localize(aabb), collider.filter, true);
    }
}

fn narrow(scene: &Scene, placed: &[Placed<'_>], pairs: &[[u32; 2]], question: &Question, progress: &Progress) -> Vec<Contact> {
    let deep = |depth: f64| depth >= question.min_depth && (depth > 0.0 || !question.overlaps);
    let contact = |&[a, b]: &[u32; 2]| {
        let (a, b) = (a as usize, b as usize);
        if !wanted(scene.colliders[a].filter, scene.colliders[b].filter, question.between) {
            return None;
        }
        Contact::between([a, b], placed[a], placed[b], question.margin).filter(|contact| deep(contact.manifold.depth))
    };
    let chunks = pairs.par_chunks(CHUNK).map(|chunk| {
        let found: Vec<Contact> = chunk.iter().filter_map(contact).collect();
        progress.advance(chunk.len());
        found
    });
    // Collected in the order of the chunks, whoever looked at them.
    chunks.collect::<Vec<_>>().into_iter().flatten().collect()
}

pub(crate) fn wanted(a: Filter, b: Filter, between: Option<[u64; 2]>) -> bool {
    between.is_none_or(|[p, q]| (a.layers & p != 0 && b.layers & q != 0) || (a.layers & q != 0 && b.layers & p != 0))
}
