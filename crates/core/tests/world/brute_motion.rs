//! Motions by definition: the first impact of all pairs stops both, until there is none. All pairs
//! of stopped colliders are tested again.

use std::cell::Cell;
use std::collections::BTreeMap;

use carom::query::{Impact, ShapeHit};
use carom::world::MotionHit;
use carom::{Collider, DVec2, Handle, Manifold, Placed, Pose, Shape, Sweep, time_of_impact};

use super::brute::{Brute, Pair};

thread_local! {
    /// True after an update in which a motion slid over a seam. The model has no definition of the next impact of these
    /// parts.
    pub(super) static SLIDES: Cell<bool> = const { Cell::new(false) };
}

/// A pair that ran into each other, how, and whether one of them only notices.
pub(crate) type Hit = (Pair, Impact, bool);

/// A hit as the pair that it is, the lower handle first.
pub(crate) fn as_pair(found: MotionHit) -> Hit {
    let MotionHit { mover, other, hit, sensor } = found;
    let ShapeHit { time, point, normal, part, mover_part, .. } = hit;
    let impact = |normal, part_a, part_b| Impact { time, normal, point, initial_depth: None, part_a, part_b };
    if mover < other {
        ((mover, other), impact(-normal, mover_part, part), sensor)
    } else {
        ((other, mover), impact(normal, part, mover_part), sensor)
    }
}

/// A pair of which one moves.
struct SweptPair {
    pair: Pair,
    next: Option<Impact>,
    /// The time from which it was computed.
    from: f64,
    done: bool,
}

impl Brute {
    /// Moves the moving colliders to their impacts.
    pub(crate) fn make_motions(&mut self) -> Vec<Hit> {
        let motions = std::mem::take(&mut self.motions);
        let mut stops: BTreeMap<Handle, f64> = motions.keys().map(|&handle| (handle, 1.0)).collect();
        let mut swept = self.swept_pairs(&motions);
        for pair in &mut swept {
            self.find_impacts(pair, 0.0, &motions, &stops);
        }
        let mut hits = Vec::new();
        loop {
            let waiting = (0..swept.len()).filter(|&i| !swept[i].done && swept[i].next.is_some());
            let time = |i: usize| swept[i].next.unwrap().time;
            let Some(first) = waiting.min_by(|&i, &j| time(i).total_cmp(&time(j))) else {
                break;
            };
            let first = &mut swept[first];
            let (pair, impact) = (first.pair, first.next.unwrap());
            let sensor = self.colliders[&pair.0].sensor || self.colliders[&pair.1].sensor;
            if !self.hits_a_front(pair, &impact, &motions, &stops) {
                first.done = true;
                continue;
            }
            let exposed = if sensor { Some(impact) } else { self.exposed(pair, &impact, &motions, &stops) };
            let Some(impact) = exposed else {
                self.find_exposed(first, &motions, &stops);
                continue;
            };
            first.done = true;
            hits.push((pair, impact, sensor));
            let stopped: Vec<Handle> =
                [pair.0, pair.1].into_iter().filter(|h| stops.get(h).is_some_and(|&stop| stop > impact.time)).collect();
            if sensor {
                continue;
            }
            stops.extend(stopped.iter().map(|&h| (h, impact.time)));
            for other in swept.iter_mut().filter(|other| !other.done) {
                let of = [other.pair.0, other.pair.1];
                if of.iter().any(|h| stopped.contains(h)) {
                    // Two colliders at rest have no new impact.
                    if of.iter().any(|h| stops.get(h).is_some_and(|&stop| stop > impact.time)) {
                        self.find_impacts(other, impact.time, &motions, &stops);
                    } else {
                        other.done = true;
                    }
                }
            }
        }
        let ends: Vec<_> =
            motions.iter().map(|(&h, &motion)| (h, self.sweep(h, motion, 0.0).at(stops[&h]).pose())).collect();
        for (h, pose) in ends {
            self.colliders.get_mut(&h).unwrap().pose = pose;
        }
        hits.sort_by(|p, q| p.1.time.total_cmp(&q.1.time).then(p.0.cmp(&q.0)));
        hits
    }

    /// Returns all pairs of which one moves, that are allowed to collide, and whose swept boxes
    /// intersect.
    fn swept_pairs(&self, motions: &BTreeMap<Handle, (DVec2, f64)>) -> Vec<SweptPair> {
        let bounds = |handle: Handle| {
            motions.get(&handle).map_or(self.placed(handle).aabb(), |&motion| self.sweep(handle, motion, 0.0).aabb())
        };
        let mut pairs = Vec::new();
        for &a in self.colliders.keys() {
            for &b in self.colliders.range(a..).skip(1).map(|(b, _)| b) {
                let there = self.colliders[&a].enabled && self.colliders[&b].enabled;
                let moves = motions.contains_key(&a) || motions.contains_key(&b);
                if there && moves && self.may_meet(a, b) && bounds(a).intersects(&bounds(b)) {
                    pairs.push(SweptPair { pair: (a, b), next: None, from: 0.0, done: false });
                }
            }
        }
        pairs
    }

    /// Returns the rest of a motion after a time.
    pub(super) fn sweep(&self, handle: Handle, (translation, turning): (DVec2, f64), from: f64) -> Sweep<'_> {
        let shape = &self.colliders[&handle].shape;
        let part = |start: Pose, part: f64| {
            shape.placed(start).sweep(translation * part).unwrap().with_rotation(turning * part).unwrap()
        };
        let whole = part(self.colliders[&handle].pose, 1.0);
        if from == 0.0 { whole } else { part(whole.at(from).pose(), 1.0 - from) }
    }

    fn find_impacts(
        &self,
        swept: &mut SweptPair,
        from: f64,
        motions: &BTreeMap<Handle, (DVec2, f64)>,
        stops: &BTreeMap<Handle, f64>,
    ) {
        swept.from = from;
        let [a, b] = self.sweeps(swept, motions, stops);
        swept.next = time_of_impact(a, b);
        if let Some(depth) = swept.next.and_then(|impact| impact.initial_depth) {
            let sensor = self.colliders[&swept.pair.0].sensor || self.colliders[&swept.pair.1].sensor;
            if sensor || self.lets_pass(swept.pair, depth) {
                swept.done |= from == 0.0;
            } else {
                let counts = |impact: &Impact| impact.initial_depth.is_none() || self.faces_fronts(swept.pair, impact);
                swept.next = first_of_parts(&a, &b, &counts);
            }
        }
        swept.next = swept.next.map(|impact| Impact { initial_depth: None, ..in_update(&impact, from) });
    }

    /// Finds the next impact after one at an internal edge.
    fn find_exposed(
        &self,
        swept: &mut SweptPair,
        motions: &BTreeMap<Handle, (DVec2, f64)>,
        stops: &BTreeMap<Handle, f64>,
    ) {
        let ([a, b], pair, from) = (self.sweeps(swept, motions, stops), swept.pair, swept.from);
        let counts = |impact: &Impact| {
            (impact.initial_depth.is_none() || self.faces_fronts(pair, impact))
                && self.exposed(pair, &in_update(impact, from), motions, stops).is_some()
        };
        let next = first_of_parts(&a, &b, &counts);
        swept.next = next.map(|impact| Impact { initial_depth: None, ..in_update(&impact, from) });
    }

    /// Returns the motions of a pair for the rest of the time.
    fn sweeps(
        &self,
        swept: &SweptPair,
        motions: &BTreeMap<Handle, (DVec2, f64)>,
        stops: &BTreeMap<Handle, f64>,
    ) -> [Sweep<'_>; 2] {
        [swept.pair.0, swept.pair.1].map(|handle| match motions.get(&handle) {
            Some(&motion) if stops[&handle] > swept.from => self.sweep(handle, motion, swept.from),
            Some(&motion) => self.sweep(handle, motion, 0.0).at(stops[&handle]).into(),
            None => self.placed(handle).into(),
        })
    }

    /// Returns true if a one-way collider lets an overlapping one pass: the pair was no contact at the last update, and
    /// the overlap is deeper than the slop.
    fn lets_pass(&self, pair: Pair, depth: f64) -> bool {
        let is_one_way = [pair.0, pair.1].iter().any(|handle| self.colliders[handle].one_way.is_some());
        let was_solid = self.outcome.contacts.get(&pair).is_some_and(|(deepest, _)| deepest.depth >= 0.0);
        is_one_way && (self.passing.contains(&pair) || depth > self.slop(pair.0, pair.1) && !was_solid)
    }

    fn faces_fronts(&self, pair: Pair, impact: &Impact) -> bool {
        [(pair.0, impact.normal), (pair.1, -impact.normal)].into_iter().all(|(handle, normal)| {
            let Collider { one_way, pose, .. } = &self.colliders[&handle];
            one_way.is_none_or(|one_way| normal.dot(pose.rotate_vector(one_way.front())) >= 0.5)
        })
    }

    /// One-way colliders are hit within 60° of their front at that time, by colliders that they do
    /// not let pass.
    fn hits_a_front(
        &self,
        pair: Pair,
        impact: &Impact,
        motions: &BTreeMap<Handle, (DVec2, f64)>,
        stops: &BTreeMap<Handle, f64>,
    ) -> bool {
        let fronts = [(pair.0, impact.normal), (pair.1, -impact.normal)].into_iter().all(|(handle, normal)| {
            let pose = match motions.get(&handle) {
                Some(&motion) => self.sweep(handle, motion, 0.0).at(impact.time.min(stops[&handle])).pose(),
                None => self.colliders[&handle].pose,
            };
            self.colliders[&handle].one_way.is_none_or(|one_way| normal.dot(pose.rotate_vector(one_way.front())) >= 0.5)
        });
        fronts && !self.passing.contains(&pair)
    }
}

/// Converts a time of the rest of an update to one of the whole update.
fn in_update(impact: &Impact, from: f64) -> Impact {
    Impact { time: from + impact.time * (1.0 - from), ..*impact }
}

/// The first impact that counts, from all pairs of parts. Parts that overlap at the start stop at time 0 if the motion
/// increases the depth of a shallow overlap: the deepest pair, or else the first one. The other parts count if the
/// deepest overlap is shallow.
fn first_of_parts(a: &Sweep<'_>, b: &Sweep<'_>, counts: &dyn Fn(&Impact) -> bool) -> Option<Impact> {
    let (of_a, of_b) = (parts_alone(a.start().shape()), parts_alone(b.start().shape()));
    let turns = a.angle() != 0.0 || b.angle() != 0.0;
    let stops =
        |impact: &Impact| leads_deeper(impact.point, impact.normal, a, b) && is_shallow(impact, a, b) && counts(impact);
    let deepest = time_of_impact(*a, *b).filter(|impact| impact.initial_depth.is_some());
    if let Some(deepest) = deepest {
        if stops(&deepest) {
            return Some(deepest);
        }
        if turns && is_shallow(&deepest, a, b) {
            // A point of another contact can go down.
            let mut all = Vec::new();
            let size =
                [a, b].map(|sweep| sweep.start().aabb().size().length()).into_iter().fold(f64::INFINITY, f64::min);
            carom::query::manifolds_within(a.start(), b.start(), 1e-7 * size, &mut all);
            all.retain(|contact| contact.depth > 0.0);
            let (this, others): (Vec<Manifold>, Vec<_>) =
                all.into_iter().partition(|m| (m.part_a, m.part_b) == (deepest.part_a, deepest.part_b));
            for m in this.into_iter().chain(others) {
                let points = m.points().iter().map(|point| (point.depth, point.position()));
                let (_, point) = points.reduce(|p, q| if q.0 > p.0 { q } else { p }).unwrap();
                let (part_a, part_b, initial_depth) = (m.part_a, m.part_b, Some(m.depth));
                let impact = Impact { normal: m.normal, point, initial_depth, part_a, part_b, ..deepest };
                let tilts = m.points().iter().any(|point| leads_deeper(point.position(), m.normal, a, b));
                if tilts && is_shallow(&impact, a, b) && counts(&impact) {
                    return Some(impact);
                }
            }
        }
    }
    let leaves = deepest.is_some_and(|deepest| !is_shallow(&deepest, a, b));
    let mut first = None::<Impact>;
    for (part_a, p) in (0..).zip(&of_a) {
        for (part_b, q) in (0..).zip(&of_b) {
            let (p, q) = (along(p, a), along(q, b));
            let Some(impact) = time_of_impact(p, q).map(|impact| Impact { part_a, part_b, ..impact }) else { continue };
            let counts = if impact.initial_depth.is_some() { stops(&impact) } else { !leaves && counts(&impact) };
            if !counts && !leaves && impact.initial_depth.is_none() {
                SLIDES.set(true);
            }
            if counts && first.is_none_or(|first| impact.time < first.time) {
                first = Some(impact);
            }
        }
    }
    first
}

/// Each part as a shape of its own, with the origin of the whole.
pub(super) fn parts_alone(shape: &Shape) -> Vec<Shape> {
    if shape.part_count() == 1 {
        return vec![shape.clone()];
    }
    shape.parts().map(|part| Shape::compound([part]).unwrap()).collect()
}

/// A shape with the motion of another one.
fn along<'a>(shape: &'a Shape, sweep: &Sweep<'_>) -> Sweep<'a> {
    let start = shape.placed(sweep.start().pose());
    start.sweep(sweep.translation()).unwrap().with_rotation(sweep.angle()).unwrap()
}

/// A point of contact of a moves into b at the start.
fn leads_deeper(point: DVec2, normal: DVec2, a: &Sweep<'_>, b: &Sweep<'_>) -> bool {
    let norm1 = |v: DVec2| v.x.abs() + v.y.abs();
    let (mut approach, mut terms) = (0.0, 0.0);
    for (sweep, sign) in [(a, 1.0), (b, -1.0)] {
        let origin = sweep.start().pose().translation();
        let motion = sweep.translation() + (point - origin).perp() * sweep.angle();
        approach += sign * motion.dot(normal);
        let lengths = norm1(point - origin) + norm1(point) + norm1(origin);
        terms += norm1(sweep.translation()) + sweep.angle().abs() * lengths;
    }
    approach > 1e-12 * terms
}

fn is_shallow(impact: &Impact, a: &Sweep<'_>, b: &Sweep<'_>) -> bool {
    let moves = [a, b].map(|sweep| sweep.translation() != DVec2::ZERO || sweep.angle() != 0.0);
    is_shallow_at([a.start(), b.start()], moves, impact.initial_depth.unwrap_or(0.0), impact.normal)
}

/// No shape in motion overlaps the other one by more than half of its extent along the normal, and neither contains
/// the box of the other with its centre.
pub(super) fn is_shallow_at(pair: [Placed<'_>; 2], moves: [bool; 2], depth: f64, normal: DVec2) -> bool {
    // The same expression as in the library: the centre of a circle can be exactly on a surface.
    let half = |placed: Placed<'_>| 0.5 * (placed.support_point(normal) - placed.support_point(-normal)).dot(normal);
    let boxes = pair.map(|placed| placed.aabb());
    let size = boxes.map(|aabb| aabb.size().length()).into_iter().fold(f64::INFINITY, f64::min);
    let holds = |p: usize, q: usize| {
        boxes[p].min().cmple(boxes[q].min()).all()
            && boxes[q].max().cmple(boxes[p].max()).all()
            && pair[p].contains_point(boxes[q].center()).unwrap()
    };
    depth <= 1e-7 * size || !holds(0, 1) && !holds(1, 0) && (0..2).filter(|&i| moves[i]).all(|i| depth <= half(pair[i]))
}
