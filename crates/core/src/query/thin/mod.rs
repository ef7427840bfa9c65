//! Decides overlaps of unions whose pairs of parts only touch, and computes their depth.
//!
//! Input: two placed shapes, at least one a composite, with no two parts that overlap. Output: a
//! truth value, or the deepest manifold. Examples: a point on an inner seam, a segment along one,
//! chains that cross at a vertex.
//!
//! Pairs of parts do not suffice: each pair only touches, but the unions overlap. Two parts with
//! area that only touch have disjoint interiors. So one part must have no area (a point, a segment,
//! a link of a chain). The code runs only if such a part touches. The exact rules:
//!
//! - A part without area overlaps the other shape if it intersects the interior of that shape's
//!   union ([`interior`]).
//! - Parts without area of both shapes overlap if they cross: their branches alternate
//!   ([`crossing`]).
//!
//! The depth is the length of the shortest translation out of the union ([`escape`]).
//!
//! ```text
//! contacts = the pairs of parts that touch
//! for each part without area: it overlaps if it intersects the interior of the parts that it touches   (interior.rs)
//! for each crossing of segments of both shapes: these segments overlap                                  (crossing.rs)
//! depth = the longest of the shortest translations that move these parts out                            (escape.rs)
//! ```

mod crossing;
mod escape;
mod interior;

use alloc::vec::Vec;
use core::ops::ControlFlow::{self, Continue};

use glam::DVec2;

use super::dual_traversal::{PairVisitor, traverse};
use super::fast_path;
use super::one_sided::push_to_front;
use super::union_boundary::sub_segment::placed_hull;
use crate::math::both::both;
use crate::math::lists::{filter_mapped, mapped};
use crate::math::predicates::are_collinear;
use crate::math::sort::{sort_cold, sort_pairs};
use crate::math::vector::MIN_SUBNORMAL;
use crate::pair_result::{ContactId, ContactPoint, Feature, Manifold, Margin, Relation};
use crate::shape::Placed;
use crate::shape::part::Part;
use crossing::{Link, ShapeSegments};

/// Returns true if a placed part has no area: its radius is 0 and its placed points are collinear.
pub(super) fn is_flat(part: Part<'_>) -> bool {
    part.convex.radius == 0.0 && are_collinear(part.points())
}

/// Returns true if two shapes overlap. No pair of their parts may overlap.
#[cold]
pub(super) fn overlap(a: Placed<'_>, b: Placed<'_>) -> bool {
    !TouchingParts::of(a, b).passages().is_empty()
}

/// Returns the deepest manifold of two shapes; `None` if they do not overlap. No pair of their parts may overlap.
///
/// If `pushes` is true, one-sided links push to their front instead.
#[cold]
pub(super) fn deepest(a: Placed<'_>, b: Placed<'_>, pushes: bool) -> Option<Manifold> {
    let contacts = TouchingParts::of(a, b);
    let mut best = None;
    for passage in &contacts.passages() {
        let front = if pushes { contacts.push_to_front(passage) } else { None };
        best = deeper(best, front.unwrap_or_else(|| escape::manifold(&contacts, passage, [a, b])));
    }
    best
}

/// Returns the deeper of two manifolds. Tie: the first.
fn deeper(best: Option<Manifold>, next: Manifold) -> Option<Manifold> {
    if best.is_none_or(|best| next.depth > best.depth) { Some(next) } else { best }
}

/// A part that touches the other shape.
struct TouchingPart<'a> {
    /// Index of the part in its shape.
    number: u32,
    /// The placed part.
    part: Part<'a>,
    /// Hull of the placed points, without the radius.
    hull: Vec<DVec2>,
}

impl<'a> TouchingPart<'a> {
    /// Computes the hull of a part.
    fn new(number: u32, part: Part<'a>) -> Self {
        Self { number, part, hull: placed_hull(part) }
    }

    /// Returns true if the part has no area.
    fn is_flat(&self) -> bool {
        self.part.convex.radius == 0.0 && self.hull.len() < 3
    }

    /// Returns this part if it has area.
    fn with_area(&self) -> Option<&Self> {
        (!self.is_flat()).then_some(self)
    }

    /// Returns the ends of the part if it has no area.
    fn line(&self) -> Option<Link> {
        (self.is_flat() && !self.hull.is_empty()).then(|| [self.hull[0], self.hull[self.hull.len() - 1]])
    }
}

/// The parts of two shapes that touch a part of the other one.
struct TouchingParts<'a> {
    /// The parts of both shapes.
    sides: [Vec<TouchingPart<'a>>; 2],
    /// Pairs of indices of parts that touch: sorted by the first side, and by the second side.
    pairs: [Vec<[usize; 2]>; 2],
}

/// Parts of one shape that overlap the union of the other shape's parts.
struct Passage {
    /// The shape of the parts, 0 or 1.
    side: usize,
    /// Indices of the parts in their side.
    members: Vec<usize>,
}

impl<'a> TouchingParts<'a> {
    /// Finds the parts that touch, with a dual traversal.
    fn of(a: Placed<'a>, b: Placed<'a>) -> Self {
        struct Touching(Vec<[u32; 2]>);
        impl PairVisitor for Touching {
            fn visit(&mut self, (i, a): (u32, Part<'_>), (j, b): (u32, Part<'_>)) -> ControlFlow<()> {
                if fast_path::relation_of_parts(a, b) == Relation::Touching {
                    self.0.push([i, j]);
                }
                Continue(())
            }
        }
        let mut touching = Touching(Vec::new());
        traverse(a, b, &mut touching);
        sort_pairs(&mut touching.0);
        Self::of_pairs(&touching.0, &|side, number| [a, b][side].part(number))
    }

    /// Returns the contacts of two lists of parts; `None` if two of these parts overlap.
    fn of_parts(parts: [&[Part<'a>]; 2]) -> Option<Self> {
        let mut touching = Vec::new();
        for (i, &p) in (0..).zip(parts[0]) {
            for (j, &q) in (0..).zip(parts[1]) {
                match fast_path::relation_of_parts(p, q) {
                    Relation::Overlapping => return None,
                    Relation::Touching => touching.push([i, j]),
                    Relation::Apart => {}
                }
            }
        }
        Some(Self::of_pairs(&touching, &|side, number| parts[side][number as usize]))
    }

    /// Builds the contacts from the part numbers of touching pairs.
    fn of_pairs(pairs: &[[u32; 2]], part: &dyn Fn(usize, u32) -> Part<'a>) -> Self {
        let numbers = both([0, 1], |side| {
            let mut numbers = mapped(pairs, |pair| pair[side]);
            numbers.sort_unstable();
            numbers.dedup();
            numbers
        });
        let index = |side: usize, number: u32| numbers[side].binary_search(&number).unwrap_or(0);
        let sides = both([0, 1], |side| mapped(&numbers[side], |&i| TouchingPart::new(i, part(side, i))));
        let pairs = mapped(pairs, |&[i, j]| [index(0, i), index(1, j)]);
        let pairs = both([0, 1], |side| {
            let mut sorted = pairs.clone();
            sort_cold(&mut sorted, |p, q| [p[side], p[1 - side]].cmp(&[q[side], q[1 - side]]));
            sorted
        });
        Self { sides, pairs }
    }

    /// Returns the parts without area that overlap the other shape.
    fn passages(&self) -> Vec<Passage> {
        let mut passages = Vec::new();
        for side in [1, 0] {
            for (i, member) in self.sides[side].iter().enumerate() {
                if let Some(line) = member.line()
                    && interior::meets_interior(line, &self.areas_touched_by(side, i))
                {
                    passages.push(Passage { side, members: [i].into() });
                }
            }
        }
        passages.append(&mut self.crossings());
        passages
    }

    /// Returns the pairs in which a part touches parts of the other side.
    fn pairs_of(&self, side: usize, index: usize) -> &[[usize; 2]] {
        let pairs = &self.pairs[side];
        let [first, end] = both([index, index + 1], |bound| pairs.partition_point(|pair| pair[side] < bound));
        &pairs[first..end]
    }

    /// Returns the pairs in which the parts of a passage touch parts of the other side.
    fn pairs_in(&self, passage: &Passage) -> Vec<[usize; 2]> {
        let mut pairs = Vec::new();
        for &member in &passage.members {
            pairs.extend_from_slice(self.pairs_of(passage.side, member));
        }
        pairs
    }

    /// Returns the parts with area of the other side that a part touches.
    fn areas_touched_by(&self, side: usize, index: usize) -> Vec<&TouchingPart<'a>> {
        filter_mapped(self.pairs_of(side, index), |pair| self.sides[1 - side][pair[1 - side]].with_area())
    }

    /// Returns the deepest push through the front of a one-sided link of a passage; `None` if there is no such link.
    fn push_to_front(&self, passage: &Passage) -> Option<Manifold> {
        let mut pairs = self.pairs_in(passage);
        sort_cold(&mut pairs, Ord::cmp);
        let mut best = None;
        for [i, j] in pairs {
            let (a, b) = (&self.sides[0][i], &self.sides[1][j]);
            let to_front =
                |part: Part<'_>| part.convex.is_one_sided().then(|| part.pose.rotate_vector(part.convex.normal(0)));
            // The normal points backward, as if the contact had been found on the back side.
            let backward = to_front(a.part).map(|front| -front).or_else(|| to_front(b.part));
            let Some(backward) = backward else { continue };
            let at = a.part.placed(0);
            let id = ContactId { a: Feature::Vertex(0), b: Feature::Vertex(0) };
            let found =
                Manifold::one(backward, MIN_SUBNORMAL, ContactPoint { on_a: at, on_b: at, depth: MIN_SUBNORMAL, id });
            let pushed = push_to_front(a.part, b.part, Margin::ZERO, found);
            best = deeper(best, pushed.of_parts([a.number, b.number]));
        }
        best
    }

    /// Returns the links that cross links of the other shape.
    ///
    /// The links of both shapes are returned, unless a single link crosses several: then only the single one.
    fn crossings(&self) -> Vec<Passage> {
        let numbers = both([0, 1], |side| {
            let line = |i: usize| self.sides[side][i].line().filter(|[p, q]| p != q);
            filter_mapped(0..self.sides[side].len(), |i| line(i).map(|_| i))
        });
        let mut passages = Vec::new();
        if numbers.contains(&Vec::new()) {
            return passages;
        }
        let [a, b] = both([0, 1], |side| filter_mapped(&numbers[side], |&i| self.sides[side][i].line()));
        let areas = both([0, 1], |side| filter_mapped(&self.sides[side], TouchingPart::with_area));
        let sides = [ShapeSegments::new(&a, &areas[0]), ShapeSegments::new(&b, &areas[1])];
        for [of_a, of_b] in &crossing::crossings([&sides[0], &sides[1]]) {
            let fewest = of_a.len().min(of_b.len());
            for (side, of) in [(1, of_b), (0, of_a)] {
                if fewest > 1 || of.len() == 1 {
                    passages.push(Passage { side, members: mapped(of, |&i| numbers[side][i]) });
                }
            }
        }
        passages
    }
}
