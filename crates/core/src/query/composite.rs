//! Answers pair queries of shapes with many parts from queries of pairs of parts.
//!
//! Input: two placed shapes. Output: the relation, the deepest manifold, all manifolds, or the
//! distance. The simple version tests every part against every part:
//!
//! ```text
//! for each part of a, for each part of b: query the pair
//! relation = the greatest; manifold = the deepest; distance = the least
//! ```
//!
//! It takes the product of the part counts. A [dual traversal](super::dual_traversal) of both BVHs
//! skips the pairs that cannot change the result.
//!
//! Some cases need no parts, or more than pairs of parts:
//!
//! - Polygons without a radius are compared by their edges ([`outline`]), except for manifolds.
//! - Unions can overlap although their parts only touch, such as a segment along a seam. [`thin`]
//!   decides these.
//! - One-sided chains push to their front (`one_sided.rs`). That depth can exceed the overlap of
//!   the boxes, so it does not limit the traversal.
//! - Two masks on one pixel grid are compared by words of 64 pixels, without parts.

use alloc::vec::Vec;
use core::ops::ControlFlow::{self, Break, Continue};

use glam::DVec2;

use super::dual_traversal::{PairVisitor, traverse};
use super::one_sided::push_to_front;
use super::ray::convex::circle_at;
use super::{Distance, convex_pair, fast_path, outline, thin};
use crate::error::Error;
use crate::math::sort::sort_cold;
use crate::math::vector::check_size;
use crate::pair_result::{Manifold, Margin, Relation};
use crate::shape::composite::{Composite, CompositeQueries};
use crate::shape::composite_parts::CompositeParts;
use crate::shape::composite_source::CompositeSource;
use crate::shape::grid_mask::GridMask;
use crate::shape::part::Part;
use crate::shape::{Placed, Shape};

/// The pair queries of composites, for the table that every composite points to.
pub(crate) struct Queries;

impl CompositeQueries for Queries {
    fn parts_of(&self, source: &CompositeSource) -> CompositeParts {
        match source {
            CompositeSource::Concave(concave) => concave.parts(),
            CompositeSource::Compound(compound) => CompositeParts::of_children(&compound.children),
            // The constructors of other composites store the parts.
            CompositeSource::Chain(_) | CompositeSource::Mask(_) => CompositeParts::new(Vec::new(), Vec::new()),
        }
    }

    fn rounded(&self, composite: &Composite, radius: f64) -> Result<Composite, Error> {
        let largest = composite.convexes().iter().map(|part| part.radius).fold(0.0, f64::max);
        check_size("radius", largest + radius)?;
        Ok(composite.rounded(radius))
    }

    fn relation(&self, a: Placed<'_>, b: Placed<'_>, enough: Relation) -> Relation {
        relation(a, b, enough)
    }

    fn contains_point(&self, placed: Placed<'_>, point: DVec2) -> bool {
        outline::contains_point(&placed, point).unwrap_or_else(|| {
            let (circle, pose) = circle_at(point, 0.0);
            relation(placed, Shape::from(circle).placed(pose), Relation::Touching) != Relation::Apart
        })
    }

    fn deepest(&self, a: Placed<'_>, b: Placed<'_>, margin: Margin) -> Option<Manifold> {
        deepest(a, b, margin)
    }

    fn manifolds(&self, a: Placed<'_>, b: Placed<'_>, margin: Margin, out: &mut Vec<Manifold>) {
        all(a, b, margin, out);
    }

    fn distance(&self, a: Placed<'_>, b: Placed<'_>) -> Distance {
        outline::distance(a, b).unwrap_or_else(|| distance(a, b, None))
    }
}

type Numbered<'a> = (u32, Part<'a>);

/// Returns the relation of two unions of parts, or a relation that is at least `enough`.
///
/// It is the relation of the closest parts. If these only touch and one has no area, [`thin`] tests the unions.
#[inline(never)]
fn relation(a: Placed<'_>, b: Placed<'_>, enough: Relation) -> Relation {
    if let (Some(p), Some(q)) = (a.as_grid_mask(), b.as_grid_mask())
        && p.scale == q.scale
    {
        return of_pixels(p, q, enough);
    }
    if let Some(relation) = outline::relation(a, b, enough) {
        return relation;
    }
    let mut closest = Closest { found: Relation::Apart, enough, is_flat: false };
    traverse(a, b, &mut closest);
    if closest.found == Relation::Touching && closest.is_flat && enough == Relation::Overlapping && thin::overlap(a, b)
    {
        return Relation::Overlapping;
    }
    closest.found
}

/// Returns the relation of two masks on the same grid, by comparing words of pixels.
fn of_pixels(a: GridMask<'_>, b: GridMask<'_>, enough: Relation) -> Relation {
    let offset = [b.corner[0] - a.corner[0], b.corner[1] - a.corner[1]];
    if a.mask.overlaps_at(b.mask, offset) {
        Relation::Overlapping
    } else if enough == Relation::Touching && a.mask.intersects_at(b.mask, offset) {
        Relation::Touching
    } else {
        Relation::Apart
    }
}

/// Finds the greatest relation of any two parts.
struct Closest {
    /// The greatest relation so far.
    found: Relation,
    /// The relation that ends the search.
    enough: Relation,
    /// True if a part without area touches a part of the other shape.
    is_flat: bool,
}

impl PairVisitor for Closest {
    fn visit(&mut self, (_, a): Numbered<'_>, (_, b): Numbered<'_>) -> ControlFlow<()> {
        let next = fast_path::relation_of_parts(a, b);
        self.is_flat |= next == Relation::Touching
            && self.enough == Relation::Overlapping
            && (thin::is_flat(a) || thin::is_flat(b));
        self.found = self.found.max(next);
        if self.found >= self.enough { Break(()) } else { Continue(()) }
    }
}

/// Returns the manifold of the deepest pair of parts. Tie: lowest part indices.
#[inline(never)]
pub(super) fn deepest(a: Placed<'_>, b: Placed<'_>, margin: Margin) -> Option<Manifold> {
    let pushes =
        [a, b].iter().any(|placed| placed.shape().as_composite().is_some_and(|composite| composite.is_one_sided()));
    deepest_of(a, b, margin, pushes)
}

/// Computes [`deepest`] for the plain point sets: no contact is pushed to the front of a one-sided chain.
pub(super) fn deepest_of_sets(a: Placed<'_>, b: Placed<'_>, margin: Margin) -> Option<Manifold> {
    deepest_of(a, b, margin, false)
}

/// Returns the deepest manifold; `pushes` is false if one-sided links count as two-sided.
fn deepest_of(a: Placed<'_>, b: Placed<'_>, margin: Margin, pushes: bool) -> Option<Manifold> {
    let mut deepest = Deepest { margin, pushes, best: None, is_flat: false };
    traverse(a, b, &mut deepest);
    if deepest.is_flat && deepest.best.is_some_and(|best| best.depth == 0.0) {
        return thin::deepest(a, b, pushes).or(deepest.best);
    }
    deepest.best
}

/// Finds the deepest manifold of any two parts.
struct Deepest {
    /// Largest gap.
    margin: Margin,
    /// If true, parts are pushed to their fronts. Such a push can be longer than the overlap of their boxes.
    pushes: bool,
    /// The deepest manifold so far.
    best: Option<Manifold>,
    /// True if a part without area touches a part of the other shape.
    is_flat: bool,
}

impl PairVisitor for Deepest {
    fn min_depth(&self) -> f64 {
        let floor = self.best.map_or(-self.margin.length(), |best| best.depth);
        if self.pushes { floor.min(0.0) } else { floor }
    }

    fn visit(&mut self, a: Numbered<'_>, b: Numbered<'_>) -> ControlFlow<()> {
        let limit = (-self.min_depth()).max(0.0);
        // Parts that are farther apart than the best ones need no manifold.
        if limit < self.margin.length() && fast_path::contact_of_parts(a.1, b.1, Margin::rounded(limit)).is_none() {
            return Continue(());
        }
        // Always the same margin: the manifold of a pair must not depend on the pairs before it.
        if let Some(next) = contact(a, b, self.margin, self.pushes) {
            self.is_flat |= next.depth == 0.0 && (thin::is_flat(a.1) || thin::is_flat(b.1));
            let precedes =
                |best: Manifold| next.depth > best.depth || (next.depth == best.depth && parts(&next) < parts(&best));
            if self.best.is_none_or(precedes) {
                self.best = Some(next);
            }
        }
        Continue(())
    }
}

/// Appends the manifold of every pair of parts whose distance is at most the margin, sorted by part indices.
fn all(a: Placed<'_>, b: Placed<'_>, margin: Margin, out: &mut Vec<Manifold>) {
    let start = out.len();
    let mut all = All { margin, out, is_flat: false };
    traverse(a, b, &mut all);
    let is_flat = all.is_flat;
    let found = &mut out[start..];
    sort_cold(found, |p, q| parts(p).cmp(&parts(q)));
    if is_flat && found.iter().all(|one| one.depth <= 0.0) {
        // The unions overlap through this pair of parts.
        let Some(deepest) = thin::deepest(a, b, true) else { return };
        if let Some(pair) = found.iter_mut().find(|one| parts(one) == parts(&deepest)) {
            *pair = deepest;
        }
    }
}

/// Collects the manifolds of all pairs of parts.
struct All<'a> {
    margin: Margin,
    /// Gets the manifolds.
    out: &'a mut Vec<Manifold>,
    /// True if a part without area touches a part of the other shape.
    is_flat: bool,
}

impl PairVisitor for All<'_> {
    fn min_depth(&self) -> f64 {
        -self.margin.length()
    }

    fn visit(&mut self, a: Numbered<'_>, b: Numbered<'_>) -> ControlFlow<()> {
        let found = contact(a, b, self.margin, true);
        self.is_flat |= found.is_some_and(|one| one.depth == 0.0) && (thin::is_flat(a.1) || thin::is_flat(b.1));
        self.out.extend(found);
        Continue(())
    }
}

/// Returns the least distance of any two parts. Tie: lowest part indices.
///
/// `known` is an optional distance of a pair of parts, above 0. It only reduces the number of tested pairs.
pub(super) fn distance(a: Placed<'_>, b: Placed<'_>, known: Option<Distance>) -> Distance {
    let mut nearest = ClosestParts { best: known, known: known.map(|d| (d.part_a, d.part_b)) };
    traverse(a, b, &mut nearest);
    // Each shape has a part, and no pair is skipped before the first one is tested.
    nearest.best.unwrap_or_else(|| convex_pair::distance(a.part(0), b.part(0)))
}

/// Finds the two parts with the least distance.
struct ClosestParts {
    /// The least distance so far.
    best: Option<Distance>,
    /// Part indices of the known pair, which is not tested again.
    known: Option<(u32, u32)>,
}

impl PairVisitor for ClosestParts {
    fn min_depth(&self) -> f64 {
        self.best.map_or(f64::NEG_INFINITY, |best| -best.distance)
    }

    fn visit(&mut self, (i, a): Numbered<'_>, (j, b): Numbered<'_>) -> ControlFlow<()> {
        if self.known == Some((i, j)) {
            return Continue(());
        }
        let next = Distance { part_a: i, part_b: j, ..convex_pair::distance(a, b) };
        let key = |d: &Distance| (d.part_a, d.part_b);
        if self.best.is_none_or(|best| {
            next.distance < best.distance || (next.distance == best.distance && key(&next) < key(&best))
        }) {
            self.best = Some(next);
        }
        if next.distance == 0.0 { Break(()) } else { Continue(()) }
    }
}

/// Returns the part indices, as the order of ties.
fn parts(manifold: &Manifold) -> (u32, u32) {
    (manifold.part_a, manifold.part_b)
}

/// Returns the manifold of two parts, with their indices.
fn contact((i, a): Numbered<'_>, (j, b): Numbered<'_>, margin: Margin, pushes: bool) -> Option<Manifold> {
    let mut found = fast_path::contact_of_parts(a, b, margin)?;
    if pushes {
        found = push_to_front(a, b, margin, found);
    }
    (found.part_a, found.part_b) = (i, j);
    Some(found)
}
