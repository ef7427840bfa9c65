//! Motions along flush neighbours by definition: the contacts with all colliders near a mover decide whether an impact
//! stops it.

use std::collections::BTreeMap;

use carom::internal_edges::{INTERNAL_EDGE_TOLERANCE, SurfaceContact, fix_internal_edges};
use carom::query::{Impact, manifolds_within};
use carom::{DVec2, Handle, Manifold, Placed, Sweep};

use super::brute::{Brute, Pair};
use super::brute_motion::{is_shallow_at, parts_alone};

impl Brute {
    /// Returns an impact with the normal of the surface, if the surface stops every moving collider of the pair.
    pub(super) fn exposed(
        &self,
        pair: Pair,
        impact: &Impact,
        motions: &BTreeMap<Handle, (DVec2, f64)>,
        stops: &BTreeMap<Handle, f64>,
    ) -> Option<Impact> {
        let time = impact.time;
        let is_moving = |handle: Handle| stops.get(&handle).is_some_and(|&stop| stop > time || stop == 1.0);
        let sweep = |handle: Handle| -> Sweep<'_> {
            match motions.get(&handle) {
                Some(&motion) if is_moving(handle) => self.sweep(handle, motion, 0.0),
                Some(&motion) => self.sweep(handle, motion, 0.0).at(stops[&handle]).into(),
                None => self.placed(handle).into(),
            }
        };
        let mut exposed = *impact;
        for (mover, other, parts) in
            [(pair.0, pair.1, [impact.part_a, impact.part_b]), (pair.1, pair.0, [impact.part_b, impact.part_a])]
        {
            if !is_moving(mover) {
                continue;
            }
            let motion = sweep(mover);
            let (at, own) = (motion.at(time), sweep(other).at(time));
            let margin = gap_at_hit(&motion, [(at, parts[0]), (own, parts[1])]);
            let near: Vec<Handle> = self
                .colliders
                .keys()
                .filter(|&&handle| handle != mover && handle != other)
                .filter(|&&handle| {
                    let collider = &self.colliders[&handle];
                    let may_meet = self.may_meet(mover.min(handle), mover.max(handle));
                    let is_near = sweep(handle).at(time).aabb().intersects(&at.aabb().grown(margin));
                    collider.enabled && !collider.sensor && may_meet && is_near
                })
                .copied()
                .collect();
            if near.is_empty() && at.shape().part_count() == 1 && own.shape().part_count() == 1 {
                continue;
            }
            let (mut contacts, mut surface) = (Vec::new(), Vec::new());
            let mut add = |placed, manifolds: Vec<Manifold>| {
                contacts.extend(manifolds.into_iter().map(|m| SurfaceContact { surface: surface.len(), manifold: m }));
                surface.push(placed);
            };
            let manifolds = |placed| {
                let mut found = Vec::new();
                manifolds_within(placed, at, margin, &mut found);
                found
            };
            let of_own = manifolds(own);
            if of_own.is_empty() {
                continue;
            }
            add(own, of_own);
            for handle in near {
                let neighbour = sweep(handle).at(time);
                let mut found = manifolds(neighbour);
                let deepest = found.iter().copied().max_by(|p, q| p.depth.total_cmp(&q.depth));
                let moves = [true, is_moving(handle) && motions[&handle] != (DVec2::ZERO, 0.0)];
                let is_deep = deepest.is_some_and(|m| !is_shallow_at([at, neighbour], moves, m.depth, m.normal));
                if is_deep || self.passing.contains(&(mover.min(handle), mover.max(handle))) {
                    continue;
                }
                let one_way = self.colliders[&handle].one_way;
                found.retain(|m| {
                    one_way.is_none_or(|front| m.normal.dot(neighbour.pose().rotate_vector(front.front())) >= 0.5)
                });
                add(neighbour, found);
            }
            fix_internal_edges(at, &surface, INTERNAL_EDGE_TOLERANCE, &mut contacts);
            contacts.retain(|contact| contact.surface == 0);
            let normal = if mover == pair.0 { -impact.normal } else { impact.normal };
            let speeds = contacts.iter().map(|contact| closing(&motion, &sweep(other), time, &contact.manifold));
            let fastest = speeds.zip(&contacts).max_by(|(p, _), (q, _)| p.total_cmp(q));
            let (_, fastest) = fastest.filter(|(speed, _)| *speed > 0.0)?;
            if !contacts.iter().any(|contact| contact.manifold.normal.dot(normal) >= 0.999) {
                let found = if mover == pair.0 { fastest.manifold.flipped() } else { fastest.manifold };
                let (part_a, part_b, point) = (found.part_a, found.part_b, found.points()[0].on_a);
                exposed = Impact { normal: found.normal, point, part_a, part_b, ..*impact };
            }
        }
        Some(exposed)
    }
}

/// The largest gap at an impact.
fn gap_at_hit(motion: &Sweep<'_>, parts: [(Placed<'_>, u32); 2]) -> f64 {
    let norm1 = |v: DVec2| v.x.abs() + v.y.abs();
    let sizes = parts.map(|(placed, part)| {
        let alone = &parts_alone(placed.shape())[part as usize];
        alone.placed(placed.pose()).aabb().size().length()
    });
    let far: f64 = parts.iter().map(|(placed, _)| norm1(placed.pose().translation())).sum();
    1e-7 * sizes[0].max(sizes[1]) + 16.0 * f64::EPSILON * (far + norm1(motion.translation()))
}

/// The largest speed with which a point of a contact comes closer; 0 below 1e-9 of the largest speed of all points.
fn closing(motion: &Sweep<'_>, other: &Sweep<'_>, time: f64, manifold: &Manifold) -> f64 {
    let velocity = |sweep: &Sweep<'_>, point: DVec2| {
        sweep.translation() + (point - sweep.at(time).pose().translation()).perp() * sweep.angle()
    };
    let of_point = |point: &carom::query::ContactPoint| {
        -manifold.normal.dot(velocity(motion, point.on_b) - velocity(other, point.on_a))
    };
    let speed = manifold.points().iter().map(of_point).fold(f64::NEG_INFINITY, f64::max);
    let largest = |sweep: &Sweep<'_>| {
        let placed = sweep.at(time);
        let pivot = placed.pose().translation();
        let radius = (placed.aabb().max() - pivot).length().max((placed.aabb().min() - pivot).length());
        sweep.translation().length() + sweep.angle().abs() * radius
    };
    if speed > 1e-9 * (largest(motion) + largest(other)) { speed } else { 0.0 }
}
