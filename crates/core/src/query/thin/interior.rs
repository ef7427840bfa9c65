//! Decides exactly whether a point or segment intersects the interior of a union of parts that it
//! only touches.
//!
//! Input: the ends of the segment, and the convex parts that touch it. Output: a truth value. A
//! test of each pair of parts shows nothing here: all pairs touch. A point is interior if the
//! sectors of the parts around it leave no gap.
//!
//! Each part touches the segment along an interval. The interval ends at an end of the segment or
//! at the foot of a hull vertex. Between two neighboring ends the set of touching parts is
//! constant. So finitely many points suffice:
//!
//! ```text
//! ends = both ends of the segment, and the feet of all vertices that touch it, sorted
//! for each end, and for the middle between each two neighbors
//!     interior if the sectors of the parts that touch there cover all directions
//! ```
//!
//! n parts need O(n log n) comparisons. Rounded parts give coordinates with square roots, so
//! numbers are compared by interval arithmetic and then exactly (Yap 1997).

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering::{Equal, Greater, Less};

use glam::DVec2;

use super::TouchingPart;
use crate::math::both::both;
use crate::math::predicates::orientation;
use crate::math::sqrt_extension::{Field, IntervalField, SqrtTower};
use crate::query::union_boundary::round::curve_intersection::{HomogeneousPoint, cross, dot, minus, times};
use crate::query::union_boundary::round::rounded_polygon::{Location, RoundedPolygon};
use crate::query::union_boundary::round::tangent_cone::sectors_cover;

/// Returns true if the segment from `p` to `q` (a point if they are equal) intersects the interior of a union.
///
/// The segment must overlap none of the parts.
pub(super) fn meets_interior([p, q]: [DVec2; 2], parts: &[&TouchingPart<'_>]) -> bool {
    let with_area: Vec<&TouchingPart<'_>> = parts.iter().copied().filter(|part| !part.is_flat()).collect();
    // A single convex part has no seam.
    if with_area.len() < 2 || !surround(p, q, &with_area) {
        return false;
    }
    decide::<IntervalField>([p, q], &with_area).or_else(|| decide::<SqrtTower>([p, q], &with_area)).unwrap_or(false)
}

/// Returns true if the parts lie on both sides of the segment: a cheap necessary condition.
fn surround(p: DVec2, q: DVec2, parts: &[&TouchingPart<'_>]) -> bool {
    let has = |side| {
        let on_side = |part: &&TouchingPart<'_>| {
            let round = part.part.convex.radius > 0.0;
            part.hull
                .iter()
                .map(|&vertex| orientation(p, q, vertex))
                .any(|found| found == side || (round && found == Equal))
        };
        parts.iter().any(on_side)
    };
    p == q || (has(Greater) && has(Less))
}

/// Decides with one number field. Returns `None` if the field is not exact enough.
fn decide<F: Field>(line: [DVec2; 2], parts: &[&TouchingPart<'_>]) -> Option<bool> {
    let f = F::new();
    let outlines: Vec<RoundedPolygon<F>> =
        parts.iter().map(|part| RoundedPolygon::new(&f, &part.hull, part.part.convex.radius, line[0])).collect();
    for (point, here) in test_points(&f, line, parts)? {
        if here.len() > 1 && is_interior(&f, here.iter().map(|&i| &outlines[i]), &point)? {
            return Some(true);
        }
    }
    Some(false)
}

/// A point of the segment, relative to its start, and the indices of the parts that touch the segment there.
type TestPoint<F> = (HomogeneousPoint<F>, Vec<usize>);

/// Returns the ends of all intervals along which parts touch, and the middles between neighbors.
fn test_points<F: Field>(f: &F, [p, q]: [DVec2; 2], parts: &[&TouchingPart<'_>]) -> Option<Vec<TestPoint<F>>> {
    let zero = F::number(0.0);
    let relative = |x: DVec2| minus(f, &[F::number(x.x), F::number(x.y)], &[F::number(p.x), F::number(p.y)]);
    if p == q {
        return Some(vec![(
            HomogeneousPoint { at: [zero.clone(), zero], scale: F::number(1.0) },
            (0..parts.len()).collect(),
        )]);
    }
    let direction = relative(q);
    let whole = dot(f, &direction, &direction);
    // Fractions of the segment, times its squared length.
    let mut ends = vec![zero.clone(), whole.clone()];
    let mut intervals = Vec::new();
    for (i, part) in parts.iter().enumerate() {
        let radius = F::number(part.part.convex.radius);
        let limit = f.multiply(&f.multiply(&radius, &radius), &whole);
        let mut feet = Vec::new();
        for &vertex in &part.hull {
            let vertex = relative(vertex);
            let height = cross(f, &direction, &vertex);
            if f.sign(&f.subtract(&f.multiply(&height, &height), &limit))? == Equal {
                let along = dot(f, &direction, &vertex);
                let clamped = if f.sign(&along)? != Greater {
                    zero.clone()
                } else if f.sign(&f.subtract(&whole, &along))? != Greater {
                    whole.clone()
                } else {
                    along
                };
                insert(f, &mut ends, &clamped)?;
                insert(f, &mut feet, &clamped)?;
            }
        }
        match (feet.first(), feet.last()) {
            (Some(first), Some(last)) => intervals.push((i, [first.clone(), last.clone()])),
            // This part touches an end of the segment.
            _ => intervals.extend(both([&zero, &whole], |end| (i, [end.clone(), end.clone()]))),
        }
    }
    let (mut at_ends, mut between) = (vec![Vec::new(); ends.len()], vec![Vec::new(); ends.len() - 1]);
    for (i, range) in intervals {
        let [first, last] = both([find(f, &ends, &range[0])?, find(f, &ends, &range[1])?], |(Ok(k) | Err(k))| k);
        at_ends[first..=last].iter_mut().for_each(|here| here.push(i));
        between[first..last].iter_mut().for_each(|here| here.push(i));
    }
    let at = |fraction: &F::Number, scale: &F::Number| HomogeneousPoint {
        at: times(f, &direction, fraction),
        scale: f.multiply(&whole, scale),
    };
    let (one, two) = (F::number(1.0), F::number(2.0));
    let middles = ends.windows(2).map(|pair| at(&f.add(&pair[0], &pair[1]), &two)).zip(between);
    Some(ends.iter().map(|end| at(end, &one)).zip(at_ends).chain(middles).collect())
}

/// Returns the index of a number in an ascending list, or its insertion index as an error.
///
/// Returns `None` if the number field is not exact enough.
fn find<F: Field>(f: &F, sorted: &[F::Number], number: &F::Number) -> Option<Result<usize, usize>> {
    let (mut low, mut high) = (0, sorted.len());
    while low < high {
        let middle = low.midpoint(high);
        match f.sign(&f.subtract(number, &sorted[middle]))? {
            Greater => low = middle + 1,
            Equal => return Some(Ok(middle)),
            Less => high = middle,
        }
    }
    Some(Err(low))
}

/// Inserts a number into an ascending list, unless it is there.
fn insert<F: Field>(f: &F, sorted: &mut Vec<F::Number>, number: &F::Number) -> Option<()> {
    if let Err(index) = find(f, sorted, number)? {
        sorted.insert(index, number.clone());
    }
    Some(())
}

/// Returns true if the outlines cover a neighborhood of a point; `None` if the number field is not exact enough.
fn is_interior<'o, F: Field + 'o>(
    f: &F,
    outlines: impl Iterator<Item = &'o RoundedPolygon<F>>,
    point: &HomogeneousPoint<F>,
) -> Option<bool> {
    let mut sectors = Vec::new();
    for outline in outlines {
        match outline.locate(f, point)? {
            Location::Inside => return Some(true),
            Location::Boundary(sector) => sectors.push(sector),
            Location::Outside | Location::Along(_) => {}
        }
    }
    sectors_cover(f, &sectors, None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::pose::Pose;
    use crate::shape::Shape;

    /// Along a row of tiles, each point is tested only against the tiles beside it.
    #[test]
    fn points_are_tested_against_nearby_parts() {
        let tile = Shape::rectangle(1.0, 1.0).unwrap();
        for count in [10, 100, 400] {
            let at = |i: i32| Pose::from_translation([f64::from(i / 2) + 0.5, f64::from(i % 2) - 0.5]).unwrap();
            let tiles = Shape::compound((0..count).map(|i| (tile.clone(), at(i)))).unwrap();
            let placed = tiles.at([0.0, 0.0]).unwrap();
            let members: Vec<TouchingPart<'_>> =
                (0..).take(placed.shape().part_count()).map(|i| TouchingPart::new(i, placed.part(i))).collect();
            let members: Vec<&TouchingPart<'_>> = members.iter().collect();
            let line = [DVec2::ZERO, DVec2::new(f64::from(count / 2), 0.0)];
            let test_points = test_points(&IntervalField::new(), line, &members).unwrap();
            assert_eq!(test_points.len(), count as usize + 1);
            assert!(test_points.iter().all(|(_, here)| (2..=4).contains(&here.len())));
            assert!(meets_interior(line, &members));
        }
    }
}
