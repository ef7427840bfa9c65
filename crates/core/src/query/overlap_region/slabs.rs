//! The intersection of two convex polygons in linear time, by slabs (Shamos and Hoey 1976).
//!
//! The lines x = const through all corners cut both polygons into slabs. In a slab each polygon lies between two straight sides, so the intersection lies between the higher of both
//! lower sides and the lower of both upper ones. Nothing is extrapolated: each corner lies between the ends of the sides that make it.

use alloc::vec::Vec;

use glam::DVec2;

use crate::decompose::hull::hull_of;
use crate::math::both::both;

/// A convex polygon as two chains of corners from left to right: the lower one and the upper one. No two corners of a chain have the same x.
struct Chains([Vec<DVec2>; 2]);

impl Chains {
    /// None if the points have no area.
    fn of(points: &[DVec2]) -> Option<Self> {
        let hull: Vec<DVec2> = hull_of(points).iter().map(|&i| points[i as usize]).collect();
        if hull.len() < 3 {
            return None;
        }
        let key = |&i: &usize| hull[i];
        let before = |p: DVec2, q: DVec2| p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y));
        let first = (0..hull.len()).min_by(|i, j| before(key(i), key(j)))?;
        let last = (0..hull.len()).max_by(|i, j| before(key(i), key(j)))?;
        let chain = |from: usize, to: usize| {
            let count = (to + hull.len() - from) % hull.len();
            (0..=count).map(|k| hull[(from + k) % hull.len()]).collect::<Vec<DVec2>>()
        };
        let (mut lower, mut upper) = (chain(first, last), chain(last, first));
        // Upright sides: the lower chain has the lower end of each, the upper chain the upper one.
        lower.dedup_by(|next, own| next.x == own.x);
        upper.dedup_by(|next, own| next.x == own.x);
        upper.reverse();
        Some(Self([lower, upper]))
    }

    /// From where to where it reaches along x.
    fn span(&self) -> [f64; 2] {
        let lower = &self.0[0];
        [lower[0].x, lower[lower.len() - 1].x]
    }
}

/// A chain that is read from left to right.
struct Reader<'a> {
    points: &'a [DVec2],
    at: usize,
}

impl Reader<'_> {
    /// Returns y at an x no less than the last one, and whether there is a corner.
    fn height(&mut self, x: f64) -> (f64, bool) {
        while self.at + 1 < self.points.len() && self.points[self.at + 1].x <= x {
            self.at += 1;
        }
        let p = self.points[self.at];
        if p.x == x || self.at + 1 == self.points.len() {
            return (p.y, true);
        }
        let q = self.points[self.at + 1];
        (p.y + (q.y - p.y) * ((x - p.x) / (q.x - p.x)), false)
    }
}

/// The sides of both polygons at one x: lower ones, upper ones.
struct Cut {
    x: f64,
    heights: [[f64; 2]; 2],
    is_corner: [[bool; 2]; 2],
}

/// The intersection at one x, and whether its lower and its upper boundary bend there.
#[derive(Clone, Copy)]
struct Mark {
    x: f64,
    ends: [f64; 2],
    bends: [bool; 2],
}

impl Mark {
    fn height(&self) -> f64 {
        self.ends[1] - self.ends[0]
    }
}

/// The intersection of two convex polygons, counter-clockwise; empty if rounding leaves nothing of it.
pub(super) fn intersection(a: &[DVec2], b: &[DVec2]) -> Vec<DVec2> {
    let (Some(a), Some(b)) = (Chains::of(a), Chains::of(b)) else { return Vec::new() };
    let [left, right] = [a.span()[0].max(b.span()[0]), a.span()[1].min(b.span()[1])];
    let mut xs: Vec<f64> = a.0.iter().chain(&b.0).flatten().map(|p| p.x).filter(|&x| left <= x && x <= right).collect();
    xs.sort_unstable_by(f64::total_cmp);
    xs.dedup();
    let mut readers = both([0, 1], |side| both([&a, &b], |chains| Reader { points: &chains.0[side], at: 0 }));
    let mut marks: Vec<Mark> = Vec::with_capacity(2 * xs.len());
    let mut before: Option<Cut> = None;
    for x in xs {
        let read = readers.each_mut().map(|side| side.each_mut().map(|reader| reader.height(x)));
        let cut = Cut {
            x,
            heights: both(read, |side| both(side, |(y, _)| y)),
            is_corner: both(read, |side| both(side, |(_, is_corner)| is_corner)),
        };
        if let Some(before) = &before {
            add_crossings(before, &cut, &mut marks);
        }
        marks.push(cut.mark());
        before = Some(cut);
    }
    if let [first, .., last] = &mut marks[..] {
        (first.bends, last.bends) = ([true; 2], [true; 2]);
    }
    outline(&marks)
}

impl Cut {
    fn mark(&self) -> Mark {
        let [[p, q], [r, s]] = self.heights;
        let bends = |side: usize, own: f64| (0..2).any(|k| self.heights[side][k] == own && self.is_corner[side][k]);
        let ends = [p.max(q), r.min(s)];
        Mark { x: self.x, ends, bends: [bends(0, ends[0]), bends(1, ends[1])] }
    }

    /// The mark at a fraction of the way to the next cut.
    fn toward(&self, next: &Self, t: f64, bends: [bool; 2]) -> Mark {
        let between = |p: f64, q: f64| p + (q - p) * t;
        let height = |side: usize, k: usize| between(self.heights[side][k], next.heights[side][k]);
        let ends = [height(0, 0).max(height(0, 1)), height(1, 0).min(height(1, 1))];
        Mark { x: between(self.x, next.x), ends, bends }
    }
}

/// Where the two lower sides of a slab cross, and the two upper ones.
fn add_crossings(before: &Cut, next: &Cut, marks: &mut Vec<Mark>) {
    let time = |side: usize| {
        let [here, there] = both([before, next], |cut| cut.heights[side][0] - cut.heights[side][1]);
        ((here < 0.0 && there > 0.0) || (here > 0.0 && there < 0.0)).then(|| here / (here - there))
    };
    let mut found: Vec<(f64, [bool; 2])> =
        [0, 1].into_iter().filter_map(|side| Some((time(side)?, [side == 0, side == 1]))).collect();
    found.sort_unstable_by(|s, t| s.0.total_cmp(&t.0));
    marks.extend(found.into_iter().map(|(t, bends)| before.toward(next, t, bends)));
}

/// The corners of what lies between the lower and the upper boundary, where the one is below the other.
fn outline(marks: &[Mark]) -> Vec<DVec2> {
    let (mut lower, mut upper): (Vec<DVec2>, Vec<DVec2>) = (Vec::new(), Vec::new());
    for (i, mark) in marks.iter().enumerate() {
        let height = mark.height();
        if let Some(before) = i.checked_sub(1).map(|i| &marks[i])
            && ((before.height() < 0.0 && height > 0.0) || (before.height() > 0.0 && height < 0.0))
        {
            let t = before.height() / (before.height() - height);
            lower.push(DVec2::new(
                before.x + (mark.x - before.x) * t,
                before.ends[0] + (mark.ends[0] - before.ends[0]) * t,
            ));
        }
        if height < 0.0 {
            continue;
        }
        if mark.bends[0] || height == 0.0 {
            lower.push(DVec2::new(mark.x, mark.ends[0]));
        }
        if mark.bends[1] && height > 0.0 {
            upper.push(DVec2::new(mark.x, mark.ends[1]));
        }
    }
    lower.extend(upper.into_iter().rev());
    lower.dedup();
    lower
}
