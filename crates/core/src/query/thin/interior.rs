//! Whether a point or segment meets the interior of a union of convex parts that it only touches. Exact.
//!
//! The parts that touch a segment do so along stretches that end at its own ends or at the feet of their corners. Between two neighbouring
//! ends the same parts touch everywhere. So it is enough to test each end and the middle between neighbours: a point is interior if the
//! sectors of the parts there leave no gap.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering::{Equal, Greater, Less};

use glam::DVec2;

use super::Member;
use crate::math::predicates::orientation;
use crate::math::surds::{Field, Intervals, Tower};
use crate::query::union::round::germ::hold;
use crate::query::union::round::outline::{Outline, Place};
use crate::query::union::round::plane::{Point, cross, dot, minus, times};

/// Decides whether the segment from `p` to `q` (a point if they are equal) meets the interior of the union of some parts.
///
/// It must overlap none of them.
pub(super) fn meets_interior([p, q]: [DVec2; 2], parts: &[&Member<'_>]) -> bool {
    let with_area: Vec<&Member<'_>> = parts.iter().copied().filter(|part| !part.is_flat()).collect();
    // One convex part has no seam.
    if with_area.len() < 2 || !surround(p, q, &with_area) {
        return false;
    }
    decide::<Intervals>([p, q], &with_area).or_else(|| decide::<Tower>([p, q], &with_area)).unwrap_or(false)
}

/// Returns true if the parts lie on both sides of the segment: a cheap necessary condition.
fn surround(p: DVec2, q: DVec2, parts: &[&Member<'_>]) -> bool {
    let has = |side| {
        let on_side = |part: &&Member<'_>| {
            let round = part.part.convex.radius > 0.0;
            part.hull.iter().map(|&corner| orientation(p, q, corner)).any(|found| found == side || (round && found == Equal))
        };
        parts.iter().any(on_side)
    };
    p == q || (has(Greater) && has(Less))
}

/// `None` if the number field does not suffice.
fn decide<F: Field>([p, q]: [DVec2; 2], parts: &[&Member<'_>]) -> Option<bool> {
    let f = F::new();
    let outlines: Vec<Outline<F>> = parts.iter().map(|part| Outline::new(&f, &part.hull, part.part.convex.radius, p)).collect();
    for point in places(&f, [p, q], parts)? {
        if is_interior(&f, &outlines, &point)? {
            return Some(true);
        }
    }
    Some(false)
}

/// The ends of all stretches along which parts touch, and the middles between neighbours, seen from `p`.
fn places<F: Field>(f: &F, [p, q]: [DVec2; 2], parts: &[&Member<'_>]) -> Option<Vec<Point<F>>> {
    let zero = F::number(0.0);
    let seen = |x: DVec2| minus(f, &[F::number(x.x), F::number(x.y)], &[F::number(p.x), F::number(p.y)]);
    if p == q {
        return Some(vec![Point { at: [zero.clone(), zero], scale: F::number(1.0) }]);
    }
    let way = seen(q);
    let whole = dot(f, &way, &way);
    // Fractions of the way, times the square of its length.
    let mut ends = vec![zero, whole.clone()];
    for part in parts {
        let radius = F::number(part.part.convex.radius);
        let reach = f.multiply(&f.multiply(&radius, &radius), &whole);
        for &corner in &part.hull {
            let corner = seen(corner);
            let height = cross(f, &way, &corner);
            let along = dot(f, &way, &corner);
            if f.sign(&f.subtract(&f.multiply(&height, &height), &reach))? == Equal
                && f.sign(&along)? == Greater
                && f.sign(&f.subtract(&whole, &along))? == Greater
            {
                insert(f, &mut ends, along)?;
            }
        }
    }
    let at = |fraction: &F::Number, scale: &F::Number| Point { at: times(f, &way, fraction), scale: f.multiply(&whole, scale) };
    let middles = ends.windows(2).map(|pair| at(&f.add(&pair[0], &pair[1]), &F::number(2.0)));
    let one = F::number(1.0);
    Some(ends.iter().map(|end| at(end, &one)).chain(middles).collect())
}

/// Inserts a number into an ascending list, unless it is there.
fn insert<F: Field>(f: &F, sorted: &mut Vec<F::Number>, number: F::Number) -> Option<()> {
    for i in (0..sorted.len()).rev() {
        match f.sign(&f.subtract(&number, &sorted[i]))? {
            Greater => {
                sorted.insert(i + 1, number);
                return Some(());
            }
            Equal => return Some(()),
            Less => {}
        }
    }
    sorted.insert(0, number);
    Some(())
}

/// Returns true if the outlines cover a neighbourhood of a point; `None` if the number field does not suffice.
fn is_interior<F: Field>(f: &F, outlines: &[Outline<F>], point: &Point<F>) -> Option<bool> {
    let mut sectors = Vec::new();
    for outline in outlines {
        match outline.place(f, point)? {
            Place::Inside => return Some(true),
            Place::Rim(sector) => sectors.push(sector),
            Place::Outside | Place::Along(_) => {}
        }
    }
    hold(f, &sectors, None)
}
