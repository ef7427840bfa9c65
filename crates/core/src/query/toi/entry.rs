//! Finds parts without area that touch a union at the start and then enter it, along a seam or
//! through a vertex.
//!
//! Input: two sweeps and the end of the time interval. Output: the impact at time 0, if a part
//! enters. No pair of parts shows it: the moving part slides along each part. The entry is found by
//! the depth that it reaches:
//!
//! ```text
//! time = the shortest motion that can lead deep enough
//! repeat, with times that grow by factors of at most 3/2
//!     in contact = parts of the union that the moving part still touches
//!     if fewer than two are left: no entry
//!     if they surround the moving part by more than the tolerance: it has entered
//! ```
//!
//! A test at the end of the motion alone does not suffice, because the part can pass through the
//! union. A part that leaves and returns is an impact of its pair, so sampling ends if fewer than
//! two parts are left.
//!
//! Parts surround the moving part if no translation by the smallest depth that counts leads out.
//! A cheap necessary condition comes first: a translation across or along the moving part
//! usually leads out. The full test visits all directions. The depth of the overlap changes by at
//! most the length of the translation, so each direction covers its neighbours, and few are needed.

use alloc::vec::Vec;
use core::f64::consts::TAU;
use core::ops::ControlFlow::Continue;

use glam::DVec2;

use super::Impact;
use super::relative_motion::RelativeMotion;
use crate::math::both::both;
use crate::math::lists::{filter_mapped, mapped};
use crate::math::pose::Pose;
use crate::math::sort::{sort_cold, sort_numbers};
use crate::math::vector::{length, unit};
use crate::pair_result::{ContactPoint, Manifold, Margin};
use crate::query::dual_traversal::visit_near;
use crate::query::fast_path;
use crate::query::ray::convex::circle_at;
use crate::shape::Sweep;
use crate::shape::convex::Convex;
use crate::shape::part::Part;

/// Distance from a contact at which a link is tested for coverage, in units of the contact tolerance.
const TEST_DISTANCE: f64 = 1e4;

/// Number of bisection steps.
const HALVINGS: usize = 48;

/// Returns the impact at time 0 of a part without area that enters the union of the other shape's
/// parts before `end`.
#[inline(never)]
pub(super) fn at_start(a: &Sweep<'_>, b: &Sweep<'_>, end: f64) -> Option<Impact> {
    let sweeps = [*a, *b];
    let may_enter =
        |thin: usize| sweeps[thin].start().has_thin_parts() && sweeps[1 - thin].start().shape().part_count() > 1;
    if !may_enter(0) && !may_enter(1) {
        return None;
    }
    let near = near_at_start(sweeps);
    for thin in [1, 0] {
        if !may_enter(thin) {
            continue;
        }
        let mut members = mapped(&near, |pair| pair.parts[thin]);
        members.sort_unstable();
        members.dedup();
        for member in members {
            if !sweeps[thin].start().part(member).convex.is_thin() {
                continue;
            }
            let pairs = filter_mapped(&near, |pair| (pair.parts[thin] == member).then_some(pair));
            let largest = |value: fn(&StartContact) -> f64| pairs.iter().fold(0.0, |max, pair| value(pair).max(max));
            let [contact, rounding] = [largest(|pair| pair.contact), largest(|pair| pair.rounding)];
            let parts = mapped(&pairs, |pair| pair.parts[1 - thin]);
            // A part that enters another by less than half of the tolerance slides along it.
            let depth = 0.5 * contact + rounding;
            let entry = ThinEntry { sweeps: [sweeps[1 - thin], sweeps[thin]], member, parts, contact, rounding, depth };
            let impact = if pairs.len() > 1 { entry.impact(thin, largest(|pair| pair.speed), end) } else { None };
            if impact.is_some() {
                return impact;
            }
        }
    }
    None
}

/// Two parts in contact at the start, at least one of which has no area.
#[derive(Clone)]
struct StartContact {
    /// Part indices of both shapes.
    parts: [u32; 2],
    /// Gaps that count as contact.
    contact: f64,
    /// Rounding error of these gaps.
    rounding: f64,
    /// Maximum relative speed of the points of one part in the frame of the other.
    speed: f64,
}

/// Finds the pairs of parts in contact at the start.
fn near_at_start(sweeps: [Sweep<'_>; 2]) -> Vec<StartContact> {
    let [a, b] = both(sweeps, |sweep| sweep.start());
    let size = a.aabb().size().max_element().max(b.aabb().size().max_element());
    let mut found = Vec::new();
    visit_near(a, b, 1e-7 * size, &mut |(i, a), (j, b)| {
        if !a.convex.is_thin() && !b.convex.is_thin() {
            return Continue(());
        }
        let mut motion = RelativeMotion::new(a, b, [&sweeps[0], &sweeps[1]]);
        let speed = length(motion.velocity())
            + motion.turning[0].abs() * motion.pivot_radii[0]
            + motion.turning[1].abs() * motion.pivot_radii[1];
        let [contact, rounding] = motion.with_precise_frame(|motion| {
            let tolerance = motion.tolerance();
            [tolerance.contact, tolerance.rounding]
        });
        if contact_within(a, b, contact).is_some() {
            found.push(StartContact { parts: [i, j], contact, rounding, speed });
        }
        Continue(())
    });
    sort_cold(&mut found, |p, q| p.parts.cmp(&q.parts));
    found
}

/// Returns the contact of two parts whose rounded distance is at most `max_gap`.
fn contact_within(a: Part<'_>, b: Part<'_>, max_gap: f64) -> Option<Manifold> {
    fast_path::contact_of_parts(a, b, Margin::rounded(max_gap))
}

/// A part without area, and the parts of the other shape that it touches at the start.
struct ThinEntry<'a> {
    /// Sweeps of the union and of the part without area.
    sweeps: [Sweep<'a>; 2],
    /// Index of the part without area.
    member: u32,
    /// Indices of the parts of the union.
    parts: Vec<u32>,
    /// Gaps that count as contact.
    contact: f64,
    /// Rounding error of these gaps.
    rounding: f64,
    /// Smallest depth that counts as an overlap.
    depth: f64,
}

impl ThinEntry<'_> {
    /// Returns the impact if the part enters the union before `end`.
    fn impact(&self, thin: usize, speed: f64, end: f64) -> Option<Impact> {
        let mut time = end;
        while time * speed > self.depth {
            time *= 0.5;
        }
        while time < end {
            time *= 2.0;
            for time in [0.75 * time, time] {
                let Overlap { fraction, part } = match self.overlap(time) {
                    UnionState::Left => return None,
                    UnionState::Free => continue,
                    UnionState::Inside(overlap) => overlap,
                };
                let displacement = self.local_point(fraction, time) - self.local_point(fraction, 0.0);
                let direction = self.sweeps[0].start().pose().rotate_vector(unit(displacement).unwrap_or(DVec2::X));
                let numbers = [part, self.member];
                let [still, moving] = self.parts_at(part, 0.0);
                let contact = contact_within(still, moving, self.contact);
                let point = contact.as_ref().and_then(|contact| contact.points().first().map(ContactPoint::position));
                return Some(Impact {
                    time: 0.0,
                    normal: if thin == 1 { -direction } else { direction },
                    point: point.unwrap_or(moving.placed(0)),
                    initial_depth: None,
                    part_a: numbers[1 - thin],
                    part_b: numbers[thin],
                });
            }
        }
        None
    }

    /// Returns a part of the union and the part without area at a time.
    fn parts_at(&self, part: u32, time: f64) -> [Part<'_>; 2] {
        [self.sweeps[0].at(time).part(part), self.sweeps[1].at(time).part(self.member)]
    }

    /// Returns a point of the part without area at a time, in the frame of the union.
    fn local_point(&self, fraction: f64, time: f64) -> DVec2 {
        let pose = self.sweeps[0].at(time).pose();
        pose.inverse_rotate_vector(along(self.sweeps[1].at(time).part(self.member), fraction) - pose.translation())
    }

    /// Returns the state of the part at a time.
    fn overlap(&self, time: f64) -> UnionState {
        let (union, moving) = (self.sweeps[0].at(time), self.sweeps[1].at(time).part(self.member));
        let touching = filter_mapped(&self.parts, |&number| {
            let part = union.part(number);
            Some((number, part, contact_within(part, moving, self.contact)?))
        });
        if touching.len() < 2 {
            return UnionState::Left;
        }
        // A cheap necessary condition: no short translation leads out.
        if !self.surround(&mapped(&touching, |&(_, part, _)| part), moving) {
            return UnionState::Free;
        }
        let (mut links, mut areas) = (Vec::new(), Vec::new());
        for &(number, part, ref contact) in &touching {
            let of_kind = if part.convex.is_thin() { &mut links } else { &mut areas };
            of_kind.push(self.contact_interval(number, part, moving, contact));
        }
        self.in_areas(&areas, moving)
            .or_else(|| self.across_links(links, &areas, moving))
            .map_or(UnionState::Free, UnionState::Inside)
    }

    /// Finds a point that parts with area surround. Its depth is concave between neighbouring
    /// interval ends, so a few points find at least three quarters of the maximum.
    fn in_areas(&self, areas: &[ContactInterval<'_>], moving: Part<'_>) -> Option<Overlap> {
        let mut ends = mapped(areas, |interval| interval.range).into_flattened();
        sort_numbers(&mut ends);
        for i in 0..ends.len() {
            let before = ends[i.max(1) - 1];
            let steps: &[f64] = if i == 0 { &[1.0] } else { &[0.25, 0.5, 0.75, 1.0] };
            for k in steps {
                let fraction = before + (ends[i] - before) * k;
                let is_here = |at: &ContactInterval<'_>| at.range[0] <= fraction && fraction <= at.range[1];
                let here = filter_mapped(areas, |interval| is_here(interval).then_some(interval));
                let (point, pose) = circle_at(along(moving, fraction), 0.0);
                let parts = mapped(&here, |interval| interval.part);
                if parts.len() > 1 && self.surround(&parts, Part { convex: &point, pose }) {
                    return Some(Overlap { fraction, part: here[0].number });
                }
            }
        }
        None
    }

    /// Finds connected links that the moving part crosses outside of the parts with area.
    fn across_links(
        &self,
        mut links: Vec<ContactInterval<'_>>,
        areas: &[ContactInterval<'_>],
        moving: Part<'_>,
    ) -> Option<Overlap> {
        sort_cold(&mut links, |p, q| p.range[0].total_cmp(&q.range[0]));
        let long = length(moving.placed(moving.convex.hull_vertex_count() - 1) - moving.placed(0));
        let mut rest = &links[..];
        while let [first, ..] = rest {
            let (mut segments, mut count, mut reached) = (Vec::new(), 0, first.range[1]);
            for link in rest {
                if (link.range[0] - reached) * long > self.contact {
                    break;
                }
                reached = reached.max(link.range[1]);
                count += 1;
                segments.extend(self.uncovered(link, areas, moving));
            }
            let parts = mapped(&segments, |(convex, pose)| Part { convex, pose: *pose });
            if parts.len() > 1 && self.surround(&parts, moving) {
                return Some(Overlap { fraction: first.range[0], part: first.number });
            }
            rest = &rest[count..];
        }
        None
    }

    /// Returns a link without its branches into parts with area, which add nothing to the union.
    /// The branches start at the point of contact. Returns `None` if no branch is left.
    fn uncovered(
        &self,
        link: &ContactInterval<'_>,
        areas: &[ContactInterval<'_>],
        moving: Part<'_>,
    ) -> Option<(Convex, Pose)> {
        let ends = both([0, 1], |end| along(link.part, f64::from(end)));
        let at = along(moving, 0.5 * (link.range[0] + link.range[1]));
        let is_uncovered = |end: DVec2| {
            let far = length(end - at);
            let (point, pose) = circle_at(at + (end - at) * (TEST_DISTANCE * self.contact / far).min(1.0), 0.0);
            let point = Part { convex: &point, pose };
            far > self.contact && !areas.iter().any(|area| contact_within(area.part, point, self.contact).is_some())
        };
        match both(ends, is_uncovered) {
            [true, true] => Some((link.part.convex.clone(), link.part.pose)),
            [false, false] => None,
            [first, _] => {
                let pose = link.part.pose;
                let [from, to] =
                    both([at, ends[usize::from(!first)]], |p| pose.inverse_rotate_vector(p - pose.translation()));
                Some((Convex::segment(from, to, link.part.convex.radius), pose))
            }
        }
    }

    /// Returns the interval of the moving part that is in contact with another part.
    fn contact_interval<'p>(
        &self,
        number: u32,
        part: Part<'p>,
        moving: Part<'_>,
        contact: &Manifold,
    ) -> ContactInterval<'p> {
        let is_near = |fraction: f64| {
            let (point, pose) = circle_at(along(moving, fraction), 0.0);
            contact_within(part, Part { convex: &point, pose }, self.contact).is_some()
        };
        let (from, to) = (along(moving, 0.0), along(moving, 1.0));
        let (vector, seen) = (to - from, contact.points().first().map_or(from, |point| point.on_b) - from);
        let long = length(vector);
        let at = if long > 0.0 { (seen.dot(vector / long) / long).clamp(0.0, 1.0) } else { 0.0 };
        let end = |end: f64| {
            let (mut near, mut far) = (at, end);
            for _ in 0..HALVINGS {
                if is_near(far) {
                    return far;
                }
                let middle = 0.5 * (near + far);
                *(if is_near(middle) { &mut near } else { &mut far }) = middle;
            }
            near
        };
        ContactInterval { number, part, range: [end(0.0), end(1.0)] }
    }

    /// Returns true if a part intersects some of the others after each translation by the depth. No
    /// depth changes by more than the translation, so a direction with spare depth covers its
    /// neighbours.
    fn surround(&self, others: &[Part<'_>], moving: Part<'_>) -> bool {
        let depth = |direction: DVec2| {
            let translation = moving.pose.translation() + direction * self.depth;
            let moved = Part { pose: moving.pose.with_translation(translation).unwrap_or(moving.pose), ..moving };
            let depths = others.iter().filter_map(|&other| Some(contact_within(other, moved, self.rounding)?.depth));
            depths.reduce(f64::max)
        };
        let across = unit(along(moving, 1.0) - along(moving, 0.0)).unwrap_or(DVec2::X).perp();
        // Usually one of these leads out.
        if [across, -across, across.perp(), -across.perp()].into_iter().any(|direction| depth(direction).is_none()) {
            return false;
        }
        let mut angle = 0.0;
        while angle < TAU {
            let Some(depth) = depth(DVec2::new(libm::cos(angle), libm::sin(angle))) else { return false };
            angle += (depth + self.rounding).max(0.25 * self.rounding) / self.depth;
        }
        true
    }
}

/// Returns a point between the ends of a part without area.
fn along(part: Part<'_>, fraction: f64) -> DVec2 {
    let (from, to) = (part.placed(0), part.placed(part.convex.hull_vertex_count() - 1));
    from + (to - from) * fraction
}

/// State of the parts at a time.
enum UnionState {
    /// Fewer than two parts are still in contact.
    Left,
    /// In contact, but not inside.
    Free,
    /// Inside the union.
    Inside(Overlap),
}

/// A point where a part without area overlaps a union, and a part of the union there.
struct Overlap {
    /// Position on the part without area, 0 to 1.
    fraction: f64,
    /// Index of the part of the union.
    part: u32,
}

/// A part of the union, and the interval of the part without area that touches it, as fractions of
/// that part.
#[derive(Clone)]
struct ContactInterval<'a> {
    /// Index of the part of the union.
    number: u32,
    /// The part of the union.
    part: Part<'a>,
    /// Both ends of the interval, 0 to 1.
    range: [f64; 2],
}
