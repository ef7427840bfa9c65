//! Computes the time of impact of composites: the earliest impact of two parts.
//!
//! Input: two sweeps. Output: the impact with its parts; tie: lowest part indices. The simple
//! version:
//!
//! ```text
//! for each part of a, for each part of b: time of impact of the pair; keep the earliest
//! ```
//!
//! It takes the product of the part counts, and each pair with rotation takes several steps. Here
//! both BVHs are traversed together, the earliest pair first. Pairs that cannot touch before the
//! best impact so far are skipped:
//!
//! ```text
//! translation:  clip the motion by the sum of both boxes with slabs   (Kay and Kajiya 1986)
//! rotation:     advance the bounding circles of the boxes conservatively for a few steps   (Mirtich 1996)
//! ```
//!
//! The result is then corrected for two properties of unions: parts without area that enter along a
//! seam (`entry.rs`), and vertices between flush parts (`exposed.rs`).

use glam::DVec2;

use super::exposed::exposed;
use super::relative_motion;
use super::{Impact, entry};
use crate::math::aabb::Aabb;
use crate::math::both::both;
use crate::math::vector::{UNIT_ROUNDOFF, length, norm1};
use crate::pair_result::Margin;
use crate::query::composite;
use crate::query::dual_traversal::{Parts, rounding};
use crate::query::fast_path;
use crate::query::pair::Relative;
use crate::shape::Sweep;
use crate::shape::part::Part;

/// Maximum number of steps for a pair of bounding circles.
const STEPS: usize = 4;

/// Largest radius of a point or segment without a depth that counts, relative to the larger part.
const THIN: f64 = 1e-7;

/// Maximum number of target gaps of two parts that slide along each other. Depths end at the size of a part before.
const MAX_SLIDES: usize = 128;

/// Returns the first impact of two sweeps, at least one of a composite.
#[inline(never)]
pub(super) fn time_of_impact(a: &Sweep<'_>, b: &Sweep<'_>) -> Option<Impact> {
    if let Some(deepest) = composite::deepest(a.start(), b.start(), Margin::ZERO).filter(|deepest| deepest.depth > 0.0)
    {
        return Some(Impact::at_start(&deepest));
    }
    if a.is_still() && b.is_still() {
        return None;
    }
    let first = SweepTraversal::new(*a, *b, StartRule::Apart).first();
    let end = first.map_or(1.0, |impact| impact.time);
    let entry = if end > 0.0 { entry::at_start(a, b, end) } else { None };
    entry.or_else(|| first.map(|impact| exposed(impact, [a, b])))
}

/// Returns the first impact of two translations that lead deeper than `least`, a length, along the
/// impact's normal.
///
/// Parts that overlap at the start count at time 0 with their depth. A pair that is left out gets
/// no deeper than `least`, or than at the start. For translating convex sets, neither the gap nor
/// the exit distance along a normal changes faster than the motion along it.
pub(crate) fn first_approach(a: &Sweep<'_>, b: &Sweep<'_>, least: Least) -> Option<Impact> {
    let first = super::of_sweeps(a, b)?;
    first_that_counts(first, a, b, &|impact| least.allows(impact, a, b))
}

/// Returns the first impact of two parts that counts, from the first impact of the shapes.
///
/// Parts that overlap at the start have an impact at time 0, with their depth. Tie: the deepest parts if they count,
/// else the lowest part indices.
pub(crate) fn first_that_counts(
    first: Impact,
    a: &Sweep<'_>,
    b: &Sweep<'_>,
    counts: &dyn Fn(&Impact) -> bool,
) -> Option<Impact> {
    if counts(&first) {
        return Some(first);
    }
    if a.as_part().is_some() && b.as_part().is_some() {
        return None;
    }
    SweepTraversal::new(*a, *b, StartRule::Counts(counts)).first()
}

/// Returns the first impact of two parts that counts, also after a contact of the same parts that does not count.
///
/// The next contact of such parts is at half the target gap, and so on. Below the length `least_gap`, it is at an
/// overlap of this depth, then of four times this depth, and so on. If `least_gap` is 0, there is none. Parts that
/// slide along each other have none. Parts that overlap at the start have an impact at time 0 only.
pub(crate) fn first_after_slides(
    a: &Sweep<'_>,
    b: &Sweep<'_>,
    least_gap: f64,
    counts: &dyn Fn(&Impact) -> bool,
) -> Option<Impact> {
    SweepTraversal::new(*a, *b, StartRule::Slides { counts, least_gap }).first()
}

/// Returns true if a part without area enters the union of the other shape's parts at the start, along a seam or
/// through a vertex. Its contacts with single parts do not show it.
pub(crate) fn enters_at_start(a: &Sweep<'_>, b: &Sweep<'_>) -> bool {
    entry::at_start(a, b, 1.0).is_some()
}

/// Returns a normal if two parts in contact at a time are points or segments that pass through each other in the rest
/// of the motion, or end on each other. They never overlap by a depth that shows this.
///
/// `normal` is that of the contact. The result is the normal of the segment if the other part is a point, because the
/// contact of a point beside the end of a segment has another one.
pub(crate) fn passage_after(
    a: &Sweep<'_>,
    b: &Sweep<'_>,
    time: f64,
    [part_a, part_b]: [u32; 2],
    normal: DVec2,
) -> Option<DVec2> {
    let [a, b] = both([a, b], |sweep| sweep.after(time).until_gap(0.0));
    let parts = [a.start().part(part_a), b.start().part(part_b)];
    let size = parts.iter().map(|part| length(part.aabb().size())).fold(0.0, f64::max);
    let radius = parts[0].convex.radius + parts[1].convex.radius;
    let are_lines = parts.iter().all(|part| part.convex.hull_vertex_count() <= 2);
    if !are_lines || radius > THIN * size {
        return None;
    }
    super::of_parts((&parts[0], &a), (&parts[1], &b), 1.0)?;
    let has_point = parts.iter().any(|part| part.convex.edge_count() == 0);
    let segment = parts.iter().find(|part| has_point && part.convex.edge_count() > 0);
    let along = segment.map_or(normal, |part| part.pose.rotate_vector(part.convex.normal(0)));
    Some(if along.dot(normal) < 0.0 { -along } else { along })
}

/// Treatment of two parts that overlap at the start, or have a contact that does not count.
#[derive(Clone, Copy)]
enum StartRule<'a> {
    /// None overlap.
    Apart,
    /// They have an impact at time 0. Only impacts for which the function returns true count.
    Counts(&'a dyn Fn(&Impact) -> bool),
    /// As above, and parts get nearer to each other until an impact counts.
    Slides {
        /// Returns true if an impact counts.
        counts: &'a dyn Fn(&Impact) -> bool,
        /// The smallest target gap, and the smallest depth after it.
        least_gap: f64,
    },
}

/// Smallest motion into each other that counts as an approach. Lengths along the normal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Least {
    /// Motion along the normal, without the depth at the start: a bound of the rounding error.
    pub(crate) motion: f64,
    /// Motion along the normal, with the depth at the start.
    pub(crate) depth: f64,
}

impl Least {
    /// Returns true if an impact leads deep enough.
    fn allows(self, impact: &Impact, a: &Sweep<'_>, b: &Sweep<'_>) -> bool {
        let approach = (a.translation() - b.translation()).dot(impact.normal);
        approach > self.motion && approach + impact.initial_depth.unwrap_or(0.0) > self.depth
    }
}

/// The traversal of two moving shapes, with the best impact so far.
struct SweepTraversal<'a> {
    /// The parts of the first shape.
    a: Parts<'a>,
    /// The parts of the second shape.
    b: Parts<'a>,
    /// Both sweeps.
    sweeps: (Sweep<'a>, Sweep<'a>),
    /// Pose of the second shape in the frame of the first, at the start.
    b_in_a: Relative,
    /// Displacement of b in the frame of a.
    velocity: DVec2,
    /// True if a shape rotates.
    turning: bool,
    /// Target gap, and the error bound of the positions of boxes.
    slack: f64,
    rule: StartRule<'a>,
    /// The earliest impact so far.
    best: Option<Impact>,
}

impl<'a> SweepTraversal<'a> {
    /// Prepares two sweeps, with the error bound of box positions.
    fn new(a: Sweep<'a>, b: Sweep<'a>, rule: StartRule<'a>) -> Self {
        let (p, q) = (a.start().pose(), b.start().pose());
        let travel = b.translation() - a.translation();
        let (of_a, of_b) = (Parts::new(a.start()), Parts::new(b.start()));
        let apart = q.translation() - p.translation();
        let far = norm1(p.translation()) + norm1(q.translation());
        let near = of_a.bounding_radius() + of_b.bounding_radius() + norm1(apart) + norm1(travel);
        let slack = rounding(near, far) + (a.target_gap() + b.target_gap());
        Self {
            a: of_a,
            b: of_b,
            b_in_a: Relative::between(&p, &q),
            velocity: p.inverse_rotate_vector(travel),
            turning: a.angle() != 0.0 || b.angle() != 0.0,
            sweeps: (a, b),
            slack,
            rule,
            best: None,
        }
    }

    /// Returns the earliest impact of all pairs of parts.
    fn first(mut self) -> Option<Impact> {
        self.descend(0, 0);
        self.best
    }

    /// Returns the time after which nothing matters.
    fn end(&self) -> f64 {
        self.best.map_or(1.0, |best| best.time)
    }

    /// Visits the pairs below two nodes.
    fn descend(&mut self, i: u32, j: u32) {
        match self.a.split(&self.b, i, j) {
            Ok((a, b)) => self.visit_parts(a, b),
            Err(pairs) => self.earliest_first(pairs),
        }
    }

    /// Visits two pairs of nodes, the earlier one first.
    fn earliest_first(&mut self, pairs: [(u32, u32); 2]) {
        let times = both(pairs, |(i, j)| self.earliest(self.a.bounds(i), self.b.bounds(j)));
        let first = usize::from(times[1] < times[0]);
        for k in [first, 1 - first] {
            if times[k] <= self.end() {
                self.descend(pairs[k].0, pairs[k].1);
            }
        }
    }

    /// Computes the impact of two parts.
    fn visit_parts(&mut self, i: u32, j: u32) {
        let (a, b) = &self.sweeps;
        let (p, q) = (a.start().part(i), b.start().part(j));
        let numbered = |impact: Impact| Impact { part_a: i, part_b: j, ..impact };
        let overlap = || {
            let overlap = fast_path::contact_of_parts(p, q, Margin::ZERO).filter(|overlap| overlap.depth > 0.0);
            overlap.map(|overlap| numbered(Impact::at_start(&overlap)))
        };
        let after_start = |a: &Sweep<'_>| super::of_parts((&p, a), (&q, b), self.end()).map(numbered);
        let found = match self.rule {
            StartRule::Apart => after_start(a),
            StartRule::Counts(counts) => overlap().or_else(|| after_start(a)).filter(counts),
            StartRule::Slides { counts, least_gap } => match overlap() {
                Some(overlap) => Some(overlap).filter(counts),
                None => gaps_of_slides(a.target_gap(), least_depth([&p, &q], least_gap))
                    .map_while(|gap| after_start(&a.until_gap(gap)))
                    .find(counts),
            },
        };
        let key = |impact: &Impact| (impact.time, impact.part_a, impact.part_b);
        if let Some(next) = found
            && self.best.is_none_or(|best| key(&next) < key(&best))
        {
            self.best = Some(next);
        }
    }

    /// Returns a time before which the contents of two boxes do not touch. Infinite if they never
    /// touch.
    fn earliest(&self, a: Aabb, b: Aabb) -> f64 {
        if self.turning { self.of_circles(a, b) } else { self.of_boxes(a, b) }
    }

    /// Clips a ray by a box with slabs (Kay and Kajiya 1986).
    fn of_boxes(&self, a: Aabb, b: Aabb) -> f64 {
        let half = (a.size() + self.b_in_a.extent(b.size())) * 0.5 + self.slack;
        let apart = self.b_in_a.apply(b.center()) - a.center();
        let (mut enter, mut exit) = (0.0_f64, 1.0_f64);
        for (at, half, speed) in [(apart.x, half.x, self.velocity.x), (apart.y, half.y, self.velocity.y)] {
            if speed == 0.0 {
                if at.abs() > half {
                    return f64::INFINITY;
                }
                continue;
            }
            let [from, to] = [(-half - at) / speed, (half - at) / speed];
            enter = enter.max(from.min(to));
            exit = exit.min(from.max(to));
        }
        if enter <= exit { enter * (1.0 - 8.0 * UNIT_ROUNDOFF) } else { f64::INFINITY }
    }

    /// Advances the bounding circles of two boxes, which rotate about the pivots of their shapes.
    fn of_circles(&self, a: Aabb, b: Aabb) -> f64 {
        let sweeps = [self.sweeps.0, self.sweeps.1];
        let around = |bounds: Aabb| length(bounds.size() * 0.5);
        let radius = (around(a) + around(b)) * (1.0 + 8.0 * UNIT_ROUNDOFF) + self.slack;
        let travel = sweeps[1].translation() - sweeps[0].translation();
        let apart = sweeps[1].start().pose().translation() - sweeps[0].start().pose().translation();
        let centers = [a.center(), b.center()];
        let bend: f64 = both([0, 1], |i| sweeps[i].angle() * sweeps[i].angle() * length(centers[i])).iter().sum();
        let mut time = 0.0;
        for _ in 0..STEPS {
            let arms = both([0, 1], |i| {
                sweeps[i].start().pose().rotated(sweeps[i].angle() * time, DVec2::ZERO).rotate_vector(centers[i])
            });
            let between = apart + travel * time + arms[1] - arms[0];
            let distance = length(between);
            let gap = distance - radius;
            // Products of tiny numbers underflow.
            if gap <= self.slack || distance < 1e-140 {
                break;
            }
            let velocity = travel + (arms[1] * sweeps[1].angle() - arms[0] * sweeps[0].angle()).perp();
            time += relative_motion::until(gap, -between.dot(velocity) / distance, bend);
            if time > 1.0 {
                return f64::INFINITY;
            }
        }
        time * (1.0 - 8.0 * UNIT_ROUNDOFF)
    }
}

/// Returns the smallest depth that shows that two parts overlap, at most `least`. That of two lines with a radius is
/// half the sum of their radii.
fn least_depth(parts: [&Part<'_>; 2], least: f64) -> f64 {
    let radius = parts[0].convex.radius + parts[1].convex.radius;
    let are_lines = parts.iter().all(|part| part.convex.hull_vertex_count() <= 2);
    if are_lines && radius > 0.0 { least.min(0.5 * radius) } else { least }
}

/// Returns a target gap, its half, and so on, down to `least`, then depths from `least` on as negative gaps. If `least`
/// is 0, returns only the target gap.
fn gaps_of_slides(target_gap: f64, least: f64) -> impl Iterator<Item = f64> {
    let next = move |&gap: &f64| {
        let next = if gap > least {
            0.5 * gap
        } else if gap >= 0.0 {
            -least
        } else {
            4.0 * gap
        };
        (least > 0.0).then_some(next)
    };
    core::iter::successors(Some(target_gap), next).take(MAX_SLIDES)
}
