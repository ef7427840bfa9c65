//! Motions by definition: the first impact of all pairs stops both, until there is none. All pairs
//! of stopped colliders are tested again.

use std::collections::BTreeMap;

use carom::query::{Impact, ShapeHit};
use carom::world::MotionHit;
use carom::{DVec2, Handle, Pose, Shape, Sweep, time_of_impact};

use super::brute::{Brute, Pair};

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
            let waiting = swept.iter_mut().filter(|swept| !swept.done && swept.next.is_some());
            let Some(first) = waiting.min_by(|p, q| p.next.unwrap().time.total_cmp(&q.next.unwrap().time)) else {
                break;
            };
            first.done = true;
            let (pair, impact) = (first.pair, first.next.unwrap());
            if !self.hits_a_front(pair, &impact, &motions, &stops) {
                continue;
            }
            let sensor = self.colliders[&pair.0].sensor || self.colliders[&pair.1].sensor;
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
                    pairs.push(SweptPair { pair: (a, b), next: None, done: false });
                }
            }
        }
        pairs
    }

    /// Returns the rest of a motion after a time.
    fn sweep(&self, handle: Handle, (translation, turning): (DVec2, f64), from: f64) -> Sweep<'_> {
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
        let sweep = |handle: Handle| match motions.get(&handle) {
            Some(&motion) if stops[&handle] > from => self.sweep(handle, motion, from),
            Some(&motion) => self.sweep(handle, motion, 0.0).at(stops[&handle]).into(),
            None => self.placed(handle).into(),
        };
        let (a, b) = (sweep(swept.pair.0), sweep(swept.pair.1));
        swept.next = time_of_impact(a, b);
        if swept.next.is_some_and(|impact| impact.initial_depth.is_some()) {
            let of = [swept.pair.0, swept.pair.1].map(|handle| &self.colliders[&handle]);
            if of.iter().any(|collider| collider.sensor || collider.one_way.is_some()) {
                swept.done |= from == 0.0;
            } else {
                swept.next = after_overlap(&a, &b);
            }
        }
        swept.next =
            swept.next.map(|impact| Impact { time: from + impact.time * (1.0 - from), initial_depth: None, ..impact });
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

/// The impact of colliders that overlap at the start, from all pairs of parts. Parts that overlap there stop at time 0
/// if the motion increases the depth of a shallow overlap: the deepest pair, or else the first one. Parts apart count
/// if the overlap is a rounding error.
fn after_overlap(a: &Sweep<'_>, b: &Sweep<'_>) -> Option<Impact> {
    let (of_a, of_b) = (parts_alone(a.start().shape()), parts_alone(b.start().shape()));
    let deepest = time_of_impact(*a, *b).unwrap();
    let size = [a, b].map(|sweep| sweep.start().aabb().size().length()).into_iter().fold(0.0, f64::max);
    let is_rounding = deepest.initial_depth.unwrap() <= 1e-12 * size;
    let stops = |impact: &Impact| leads_deeper(impact.point, impact.normal, a, b) && is_shallow(impact, a, b);
    let turns = a.angle() != 0.0 || b.angle() != 0.0;
    let ends = carom::collide(a.start(), b.start()).unwrap();
    let tilts = ends.points().iter().any(|point| leads_deeper(point.position(), ends.normal, a, b));
    if stops(&deepest) || turns && tilts && is_shallow(&deepest, a, b) {
        return Some(deepest);
    }
    let mut first = None::<Impact>;
    for (part_a, p) in (0..).zip(&of_a) {
        for (part_b, q) in (0..).zip(&of_b) {
            let (p, q) = (along(p, a), along(q, b));
            let Some(impact) = time_of_impact(p, q).map(|impact| Impact { part_a, part_b, ..impact }) else { continue };
            let counts = if impact.initial_depth.is_some() { stops(&impact) } else { is_rounding };
            if counts && first.is_none_or(|first| impact.time < first.time) {
                first = Some(impact);
            }
        }
    }
    first
}

/// Each part as a shape of its own, with the origin of the whole.
fn parts_alone(shape: &Shape) -> Vec<Shape> {
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

/// No shape in motion overlaps the other one by more than half of its extent along the normal, and neither box contains
/// the other.
fn is_shallow(impact: &Impact, a: &Sweep<'_>, b: &Sweep<'_>) -> bool {
    let depth = impact.initial_depth.unwrap_or(0.0);
    let moves = |sweep: &&Sweep<'_>| sweep.translation() != DVec2::ZERO || sweep.angle() != 0.0;
    // The same expression as in the library: the centre of a circle can be exactly on a surface.
    let half = |sweep: &Sweep<'_>| {
        let support = |direction: DVec2| sweep.start().support_point(direction);
        0.5 * (support(impact.normal) - support(-impact.normal)).dot(impact.normal)
    };
    let boxes = [a, b].map(|sweep| sweep.start().aabb());
    let size = boxes.map(|aabb| aabb.size().length()).into_iter().fold(f64::INFINITY, f64::min);
    let holds =
        |p: usize, q: usize| boxes[p].min().cmple(boxes[q].min()).all() && boxes[q].max().cmple(boxes[p].max()).all();
    depth <= 1e-7 * size
        || !holds(0, 1) && !holds(1, 0) && [a, b].into_iter().filter(moves).all(|sweep| depth <= half(sweep))
}
