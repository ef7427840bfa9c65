//! One-way colliders with convex shapes by definition: the manifold that stops a pair, if any.

use carom::world::OneWay;
use carom::{DVec2, Handle, Manifold, Pose, Sweep, time_of_impact};

use super::brute::{Brute, Pair};

fn faces(normal: DVec2, pose: Pose, one_way: OneWay) -> bool {
    normal.dot(pose.rotate_vector(one_way.front())) >= 0.5
}

impl Brute {
    /// Of the manifolds of a pair, of which one is one-way, those that stop it; none where it passes.
    pub(crate) fn decide(&self, pair: Pair, mut all: Vec<Manifold>) -> Vec<Manifold> {
        // Where both are, each way out leads to both fronts.
        let leads = |handle: Handle, normal| {
            let collider = &self.colliders[&handle];
            collider.one_way.is_none_or(|one_way| faces(normal, collider.pose, one_way))
        };
        let leads_to_both = |stop: &Manifold| leads(pair.0, stop.normal) && leads(pair.1, -stop.normal);
        if all.iter().all(|seen| seen.depth < 0.0) {
            // Apart, hence free: a gap before the front is a contact.
            all.retain(leads_to_both);
            return all;
        }
        all.retain(|seen| seen.depth >= 0.0);
        let passes = self.passing.contains(&pair);
        let lies_there = all[0].depth <= self.slop(pair.0, pair.1) && leads_to_both(&all[0]);
        let last = self.outcome.contacts.get(&pair).map(|(_, all)| all).filter(|all| all[0].depth >= 0.0);
        for (platform, other, flip) in [(pair.0, pair.1, false), (pair.1, pair.0, true)] {
            let turned = |manifold: &Manifold| if flip { manifold.flipped() } else { *manifold };
            let (Some(one_way), false) = (self.colliders[&platform].one_way, all.is_empty()) else { continue };
            let came = match last {
                Some(last) => last.iter().any(|last| faces(turned(last).normal, self.before[&platform], one_way)),
                None => self.came_from_the_front(platform, other, one_way, &turned(&all[0])),
            };
            let solid = !passes && (lies_there || came) || self.walked_there(platform, other, one_way);
            let stop = |seen: Manifold| {
                let natural = faces(seen.normal, self.colliders[&platform].pose, one_way);
                if natural { Some(seen) } else { self.brought_down(platform, other, one_way, &seen) }
            };
            all =
                all.iter().filter(|_| solid).filter_map(|seen| stop(turned(seen))).map(|stop| turned(&stop)).collect();
        }
        all.retain(leads_to_both);
        all
    }

    pub(super) fn slop(&self, a: Handle, b: Handle) -> f64 {
        [a, b]
            .map(|handle| self.placed(handle).aabb().size().max_element())
            .into_iter()
            .fold(f64::MAX, f64::min)
            .max(f64::MIN_POSITIVE)
            * 1e-6
    }

    /// From where it was at the last update, straight on and the short way round.
    fn motion(&self, handle: Handle) -> Sweep<'_> {
        let (before, now) = (self.before[&handle], self.colliders[&handle].pose);
        let start = self.colliders[&handle].shape.placed(before);
        let turn = before.inverse_rotate_vector(DVec2::new(now.cos(), now.sin()));
        let turning =
            if (before.cos(), before.sin()) == (now.cos(), now.sin()) { 0.0 } else { libm::atan2(turn.y, turn.x) };
        start.sweep(now.translation() - before.translation()).unwrap().with_rotation(turning).unwrap()
    }

    fn came_from_the_front(&self, platform: Handle, other: Handle, one_way: OneWay, now: &Manifold) -> bool {
        let slop = self.slop(platform, other);
        let (p, q) = (self.motion(platform), self.motion(other));
        match time_of_impact(p, q) {
            Some(impact) => {
                impact.initial_depth.is_none_or(|depth| depth <= slop)
                    && faces(impact.normal, p.at(impact.time).pose(), one_way)
            }
            None => now.depth <= slop && faces(now.normal, self.colliders[&platform].pose, one_way),
        }
    }

    /// From a floor that is neither higher nor lower than the platform's face.
    fn walked_there(&self, platform: Handle, other: Handle, one_way: OneWay) -> bool {
        let was = |handle: Handle| self.colliders[&handle].shape.placed(self.before[&handle]);
        let (p, q) = (was(platform), was(other));
        let up = self.before[&platform].rotate_vector(one_way.front());
        let (top, low) = (p.support_point(up).dot(up), q.support_point(-up).dot(up));
        let slop = self.slop(platform, other);
        !self.colliders[&other].fixed
            && self.outcome.contacts.iter().filter(|((a, b), _)| *a == other || *b == other).any(
                |((a, b), (_, all))| {
                    let is_sensor = [a, b].iter().any(|&&handle| {
                        let known = self.colliders.get(&handle).or_else(|| self.removed_collider(handle));
                        known.is_some_and(|collider| collider.sensor)
                    });
                    !is_sensor
                        && all.iter().filter(|last| last.depth >= 0.0).any(|last| {
                            let last = if *a == other { last.flipped() } else { *last };
                            last.normal.dot(up) >= 0.5
                                && last.points().iter().any(|point| {
                                    (top - point.on_a.dot(up)).abs() <= slop && low >= point.on_b.dot(up) - slop
                                })
                        })
                },
            )
    }

    /// From twice as far along the front as it lies below the face, down to where it first touches.
    fn brought_down(&self, platform: Handle, other: Handle, one_way: OneWay, seen: &Manifold) -> Option<Manifold> {
        let (p, q) = (self.placed(platform), self.placed(other));
        let up = p.pose().rotate_vector(one_way.front());
        let (top, low) = (p.support_point(up), q.support_point(-up));
        let height = (top - low).dot(up);
        let depth = if height <= self.slop(platform, other) {
            height.max(0.0)
        } else {
            let start = q.pose().with_translation(q.pose().translation() + up * (2.0 * height)).unwrap();
            let impact = time_of_impact(p, q.shape().placed(start).sweep(up * (-2.0 * height)).unwrap())?;
            if impact.initial_depth.is_some() || !faces(impact.normal, p.pose(), one_way) {
                return None;
            }
            (2.0 * height * (1.0 - impact.time)).min(height)
        };
        // Nobody can write the points.
        let mut stop = *seen;
        (stop.normal, stop.depth) = (up, depth);
        Some(stop)
    }
}
