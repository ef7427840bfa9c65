//! Points in contact with a union at the start that enter it along a seam. Each part alone sees them slide along its edge.
//!
//! Such a point is found by the depth that it reaches: at some time the parts that it touched at the start surround it, far beyond the
//! tolerance. Times are halved from the end on, so that one of them is early enough.

use alloc::vec::Vec;
use core::ops::ControlFlow::{self, Continue};

use glam::DVec2;

use super::Impact;
use super::motion::Motion;
use crate::math::vector::length_and_direction;
use crate::query::quick;
use crate::query::ray::passage::circle_at;
use crate::query::walk::{Search, search};
use crate::shape::part::Part;
use crate::shape::{Placed, Sweep};

/// How many times are tested.
const TIMES: i32 = 30;

/// Directions in which parts must surround the point.
const DIRECTIONS: i32 = 16;

/// The impact at time 0 of a point, or of an end of a segment or link, that enters the union of the other shape's parts before `end`.
pub(super) fn at_start(a: &Sweep<'_>, b: &Sweep<'_>, end: f64) -> Option<Impact> {
    let sweeps = [*a, *b];
    let may_enter = |thin: usize| sweeps[thin].start().has_thin_parts() && sweeps[1 - thin].start().shape().part_count() > 1;
    if !may_enter(0) && !may_enter(1) {
        return None;
    }
    let near = near_at_start(sweeps);
    [1, 0].into_iter().filter(|&thin| may_enter(thin)).find_map(|thin| {
        let mut members: Vec<u32> = near.iter().map(|pair| pair.parts[thin]).collect();
        members.sort_unstable();
        members.dedup();
        members.into_iter().find_map(|member| {
            let pairs = near.iter().filter(|pair| pair.parts[thin] == member);
            let tolerance = pairs.clone().map(|pair| pair.tolerance).fold(0.0, f64::max);
            let parts: Vec<u32> = pairs.map(|pair| pair.parts[1 - thin]).filter(|&i| has_area(sweeps[1 - thin].start().part(i))).collect();
            let entry = Entry { thin: sweeps[thin], union: sweeps[1 - thin], member, parts, tolerance };
            if entry.is_thin() && entry.parts.len() > 1 { entry.impact(thin, end) } else { None }
        })
    })
}

/// Two parts in contact at the start.
struct Near {
    parts: [u32; 2],
    tolerance: f64,
}

fn near_at_start(sweeps: [Sweep<'_>; 2]) -> Vec<Near> {
    struct InContact<'a> {
        sweeps: [Sweep<'a>; 2],
        reach: f64,
        found: Vec<Near>,
    }
    impl Search for InContact<'_> {
        fn floor(&self) -> f64 {
            -self.reach
        }

        fn look(&mut self, (i, a): (u32, Part<'_>), (j, b): (u32, Part<'_>)) -> ControlFlow<()> {
            if has_area(a) && has_area(b) {
                return Continue(());
            }
            let tolerance = Motion::new(a, b, [&self.sweeps[0], &self.sweeps[1]]).precisely(|motion| motion.tolerance().contact);
            if quick::contact_of_parts(a, b, tolerance).is_some() {
                self.found.push(Near { parts: [i, j], tolerance });
            }
            Continue(())
        }
    }
    let [a, b] = sweeps.map(|sweep| sweep.start());
    let size = [a, b].map(|placed| placed.aabb().size().max_element()).into_iter().fold(0.0, f64::max);
    let mut near = InContact { sweeps, reach: 1e-7 * size, found: Vec::new() };
    search(a, b, &mut near);
    near.found.sort_unstable_by_key(|pair| pair.parts);
    near.found
}

fn has_area(part: Part<'_>) -> bool {
    !part.convex.is_thin()
}

/// A part without area, and the parts of the other shape that it touches at the start.
struct Entry<'a> {
    thin: Sweep<'a>,
    union: Sweep<'a>,
    member: u32,
    parts: Vec<u32>,
    tolerance: f64,
}

impl Entry<'_> {
    fn is_thin(&self) -> bool {
        !has_area(self.thin.start().part(self.member))
    }

    fn impact(&self, thin: usize, end: f64) -> Option<Impact> {
        let corners = 0..self.thin.start().part(self.member).convex.corner_count();
        corners.into_iter().find_map(|corner| {
            let way = self.way_in(corner, end)?;
            let numbers = [self.parts[0], self.member];
            Some(Impact {
                time: 0.0,
                normal: if thin == 1 { -way } else { way },
                point: self.thin.start().part(self.member).placed(corner),
                initial_depth: None,
                part_a: numbers[1 - thin],
                part_b: numbers[thin],
            })
        })
    }

    /// The direction in which a corner enters the union; none if it does not.
    fn way_in(&self, corner: usize, end: f64) -> Option<DVec2> {
        let start = self.corner_in_union(corner, self.thin.start(), self.union.start());
        (0..TIMES).rev().find_map(|halvings| {
            let time = end / f64::from(1 << halvings);
            let (thin, union) = (self.thin.at(time), self.union.at(time));
            let (way, direction) = length_and_direction(self.corner_in_union(corner, thin, union) - start, DVec2::X);
            let radius = way / 16.0;
            let is_inside = radius > 2.0 * self.tolerance && self.surround(union, thin.part(self.member).placed(corner), radius);
            is_inside.then(|| self.union.start().pose().rotate(direction))
        })
    }

    /// A corner of the thin part, in the frame of the other shape.
    fn corner_in_union(&self, corner: usize, thin: Placed<'_>, union: Placed<'_>) -> DVec2 {
        union.pose().unrotate(thin.part(self.member).placed(corner) - union.pose().translation())
    }

    /// Returns true if the parts surround a point, within the tolerance.
    fn surround(&self, union: Placed<'_>, point: DVec2, radius: f64) -> bool {
        let holds = |place: DVec2| {
            let (point, pose) = circle_at(place, 0.0);
            let point = Part { convex: &point, pose };
            self.parts.iter().any(|&i| quick::contact_of_parts(union.part(i), point, self.tolerance).is_some())
        };
        (0..DIRECTIONS).all(|k| {
            let angle = core::f64::consts::TAU * f64::from(k) / f64::from(DIRECTIONS);
            holds(point + DVec2::new(libm::cos(angle), libm::sin(angle)) * radius)
        })
    }
}
