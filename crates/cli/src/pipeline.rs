//! Computes contacts or pairs in rounds: scene → boxes → broad phase → candidates → narrow phase → rows.
use std::ops::ControlFlow;

use carom::broad_phase::{BroadPhase, LocalOrigin, Stats};
use carom::{Aabb, Placed};
use carom_scene::draw::Contact;
use carom_scene::{Scene, SceneCollider};
use rayon::prelude::*;

use crate::broad_phase::BroadPhaseArg;
use crate::layers::LayerSet;
use crate::progress::Progress;
use crate::stats::Stopwatch;

/// Candidates in a chunk. One thread takes a chunk at a time.
pub(crate) const CHUNK: usize = 1024;

/// Chunks per thread in a round. More than one, because the work of chunks differs.
const CHUNKS_PER_THREAD: usize = 4;

/// Options of `check`.
pub(crate) struct CheckOptions {
    pub(crate) broad: BroadPhaseArg,
    /// Largest distance of pairs that are reported.
    pub(crate) margin: f64,
    /// Reports only pairs with one collider on each of these layers.
    pub(crate) between: Option<[LayerSet; 2]>,
    /// Reports only pairs with at least this depth.
    pub(crate) min_depth: f64,
    /// Leaves out pairs with depth 0.
    pub(crate) overlaps: bool,
}

/// Receives the rows of a round, one list per chunk, and decides whether the search continues.
pub(crate) type EachRound<'e, R> = dyn FnMut(&[Vec<R>], &mut Stopwatch) -> ControlFlow<()> + 'e;

/// Candidates of a scene. Contacts or pairs are computed from them in rounds, so that they need not
/// all be in memory.
pub(crate) struct Search<'s> {
    scene: &'s Scene,
    placed: Vec<Placed<'s>>,
    question: &'s CheckOptions,
    /// Sorted by the file order of a, then of b. a is before b.
    pairs: Vec<[u32; 2]>,
    /// Broad phase that ran, and the reason.
    pub(crate) broad: Stats,
}

impl<'s> Search<'s> {
    /// Finds the candidates.
    pub(crate) fn new(
        scene: &'s Scene,
        question: &'s CheckOptions,
        watch: &mut Stopwatch,
        progress: &Progress,
    ) -> Self {
        let placed: Vec<Placed<'_>> = scene.colliders.iter().map(|c| c.shape.placed(c.pose)).collect();
        progress.stage("boxes");
        let growth = box_growth(question.margin);
        let boxes: Vec<Aabb> =
            watch.time("boxes", || placed.iter().map(|placed| placed.aabb().grown(growth)).collect());

        progress.stage("broad phase");
        let (pairs, broad) = watch.time("broad phase", || candidates(scene, &boxes, question.broad));
        Self { scene, placed, question, pairs, broad }
    }

    /// Returns the number of candidates: pairs whose boxes overlap if each grows by half the
    /// margin. Their filters allow contact, and at least one is not fixed.
    pub(crate) fn candidates(&self) -> usize {
        self.pairs.len()
    }

    /// Computes the rows of the candidates in rounds, in the order of the pairs, until `each` breaks.
    ///
    /// `row` returns the row of a candidate, or `None` if it is not reported. `each` receives the rows
    /// of a round, one list per chunk. Only these are in memory.
    pub(crate) fn rounds<R: Send>(
        &self,
        row: &(dyn Fn([u32; 2]) -> Option<R> + Sync),
        watch: &mut Stopwatch,
        progress: Option<&Progress>,
        each: &mut EachRound<'_, R>,
    ) {
        if let Some(progress) = progress {
            progress.counted("narrow phase", self.pairs.len());
        }
        let mut found: Vec<Vec<R>> = Vec::new();
        found.resize_with(CHUNKS_PER_THREAD * rayon::current_num_threads(), Vec::new);
        // The statistics list the stage even if there are no candidates.
        watch.time("narrow phase", || ());
        for round in self.pairs.chunks(CHUNK * found.len()) {
            found.truncate(round.len().div_ceil(CHUNK));
            watch.time("narrow phase", || {
                found.par_iter_mut().zip(round.par_chunks(CHUNK)).for_each(|(rows, chunk)| {
                    rows.clear();
                    rows.extend(chunk.iter().filter_map(|&pair| row(pair)));
                });
            });
            if let Some(progress) = progress {
                progress.advance(round.len());
            }
            if each(&found, watch).is_break() {
                return;
            }
        }
    }

    /// Returns all contacts, for tables and pictures.
    pub(crate) fn contacts(&self, watch: &mut Stopwatch, progress: &Progress) -> Vec<Contact> {
        self.all(&|pair| self.contact(pair), watch, progress)
    }

    /// Returns the rows of all candidates.
    pub(crate) fn all<R: Clone + Send>(
        &self,
        row: &(dyn Fn([u32; 2]) -> Option<R> + Sync),
        watch: &mut Stopwatch,
        progress: &Progress,
    ) -> Vec<R> {
        let mut all = Vec::new();
        self.rounds(row, watch, Some(progress), &mut |found, _| {
            all.extend(found.iter().flatten().cloned());
            ControlFlow::Continue(())
        });
        all
    }

    /// Returns all shapes.
    pub(crate) fn all_placed(&self) -> &[Placed<'s>] {
        &self.placed
    }

    /// Returns the two shapes of a candidate, if the options do not leave it out.
    pub(crate) fn placed(&self, [a, b]: [u32; 2]) -> Option<[Placed<'s>; 2]> {
        let ([a, b], colliders) = ([a as usize, b as usize], &self.scene.colliders);
        let is_wanted = wanted(&colliders[a], &colliders[b], self.question.between.as_ref());
        is_wanted.then(|| [self.placed[a], self.placed[b]])
    }

    /// Returns the pair if its shapes intersect, or if they overlap with `--overlaps`. Computes no contact.
    pub(crate) fn meeting(&self, pair: [u32; 2]) -> Option<[u32; 2]> {
        let [a, b] = self.placed(pair)?;
        let meets = if self.question.overlaps { carom::overlaps(a, b) } else { carom::intersects(a, b) };
        meets.then_some(pair)
    }

    /// Returns the contact of a candidate.
    pub(crate) fn contact(&self, pair: [u32; 2]) -> Option<Contact> {
        let ([a, b], question) = (self.placed(pair)?, self.question);
        let deep = |depth: f64| depth >= question.min_depth && (depth > 0.0 || !question.overlaps);
        Contact::between(pair.map(|i| i as usize), a, b, question.margin).filter(|contact| deep(contact.manifold.depth))
    }
}

/// Returns the candidates in file order, and the broad phase that found them. Candidates are pairs
/// whose boxes overlap, whose filters allow contact, and that are not both fixed.
pub(crate) fn candidates(scene: &Scene, boxes: &[Aabb], broad: BroadPhaseArg) -> (Vec<[u32; 2]>, Stats) {
    let mut broad = broad.build();
    let mut pairs = Vec::new();
    insert(broad.as_mut(), scene, boxes);
    broad.pairs(&mut pairs);
    pairs.sort_unstable();
    pairs.retain(|&[a, b]| boxes[a as usize].intersects(&boxes[b as usize]));
    (pairs, broad.stats())
}

/// Returns the growth of each box, so that boxes at most `margin` apart overlap. This is half of
/// `margin`, rounded up.
fn box_growth(margin: f64) -> f64 {
    let half = margin * 0.5;
    half.max(margin - half)
}

fn insert(broad: &mut dyn BroadPhase, scene: &Scene, boxes: &[Aabb]) {
    let Some(all) = boxes.iter().copied().reduce(|a, b| a.union(&b)) else {
        return;
    };
    let frame = LocalOrigin::new(all.center());
    for (id, (aabb, collider)) in boxes.iter().zip(&scene.colliders).enumerate() {
        // `--move` moves fixed colliders too.
        let moves = !collider.fixed || collider.motion.is_some();
        broad.insert(id as u32, frame.to_local(aabb), collider.filter, moves);
    }
}

/// Returns whether one collider is in each of the two sets, if there are any.
pub(crate) fn wanted(a: &SceneCollider, b: &SceneCollider, between: Option<&[LayerSet; 2]>) -> bool {
    between.is_none_or(|[p, q]| (p.contains(a) && q.contains(b)) || (q.contains(a) && p.contains(b)))
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use carom_scene::{Format, Options};

    use super::{CHUNK, CHUNKS_PER_THREAD, CheckOptions, Search};
    use crate::broad_phase::BroadPhaseArg;
    use crate::progress::Progress;
    use crate::stats::Stopwatch;
    use crate::threads;

    /// A round holds no more contacts than its candidates, and rounds come in file order.
    #[test]
    fn rounds_are_bounded_and_in_file_order() {
        let circles = vec![r#"{"shape": {"circle": {"radius": 1}}}"#; 300].join(",");
        let text = format!(r#"{{"carom": 1, "colliders": [{circles}]}}"#);
        let options = Options { format: Some(Format::Scene), ..Options::default() };
        let scene =
            carom_scene::read("spot", text.as_bytes(), &options, &mut |_| unreachable!("no other file")).unwrap();
        let question = CheckOptions {
            broad: BroadPhaseArg::Auto,
            margin: 0.0,
            between: None,
            min_depth: f64::NEG_INFINITY,
            overlaps: false,
        };
        let expected: Vec<[usize; 2]> = (0..300).flat_map(|a| (a + 1..300).map(move |b| [a, b])).collect();
        for count in [1, 2, 3] {
            let (listed, largest) = threads::pool(count).unwrap().install(|| {
                let (mut watch, mut listed, mut largest) = (Stopwatch::new(), Vec::new(), 0);
                let search = Search::new(&scene, &question, &mut watch, &Progress::start());
                search.rounds(&|pair| search.contact(pair), &mut watch, None, &mut |found, _| {
                    largest = largest.max(found.iter().map(Vec::len).sum());
                    listed.extend(found.iter().flatten().map(|contact| [contact.a, contact.b]));
                    ControlFlow::Continue(())
                });
                (listed, largest)
            });
            assert!(listed == expected, "on {count} threads");
            assert_eq!(largest, CHUNK * CHUNKS_PER_THREAD * count, "on {count} threads");
        }
    }
}
