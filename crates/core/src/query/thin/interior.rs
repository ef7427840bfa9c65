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
use crate::math::lists::mapped;
use crate::math::predicates::orientation;
use crate::math::sqrt_extension::{Field, Number};
use crate::query::union_boundary::round::curve_intersection::{HomogeneousPoint, cross, dot, minus, times};
use crate::query::union_boundary::round::rounded_polygon::{Location, RoundedPolygon};
use crate::query::union_boundary::round::tangent_cone::sectors_cover;

/// Returns true if the segment from `p` to `q` (a point if they are equal) intersects the interior of a union.
///
/// The parts have area. The segment must overlap none of them.
pub(super) fn meets_interior([p, q]: [DVec2; 2], parts: &[&TouchingPart<'_>]) -> bool {
    // A single convex part has no seam.
    if parts.len() < 2 || !surround(p, q, parts) {
        return false;
    }
    let decide = |f| decide(&f, [p, q], parts);
    decide(Field::intervals()).or_else(|| decide(Field::exact())).unwrap_or(false)
}

/// Returns true if the parts lie on both sides of the segment: a cheap necessary condition.
fn surround(p: DVec2, q: DVec2, parts: &[&TouchingPart<'_>]) -> bool {
    let has = |side| {
        let on_side = |part: &&TouchingPart<'_>| {
            let round = part.part.convex.radius > 0.0;
            part.hull.iter().any(|&vertex| {
                let found = orientation(p, q, vertex);
                found == side || (round && found == Equal)
            })
        };
        parts.iter().any(on_side)
    };
    p == q || (has(Greater) && has(Less))
}

/// Decides in a field. Returns `None` if the field is not exact enough.
fn decide(f: &Field, line: [DVec2; 2], parts: &[&TouchingPart<'_>]) -> Option<bool> {
    let outlines = mapped(parts, |part| RoundedPolygon::new(f, &part.hull, part.part.convex.radius, line[0]));
    for (point, here) in &test_points(f, line, parts)? {
        if here.len() > 1 && is_interior(f, &outlines, here, point)? {
            return Some(true);
        }
    }
    Some(false)
}

/// A point of the segment, relative to its start, and the indices of the parts that touch the segment there.
type TestPoint = (HomogeneousPoint, Vec<usize>);

/// Returns the ends of all intervals along which parts touch, and the middles between neighbors.
fn test_points(f: &Field, [p, q]: [DVec2; 2], parts: &[&TouchingPart<'_>]) -> Option<Vec<TestPoint>> {
    let zero = f.number(0.0);
    let relative = |x: DVec2| minus(f, &[f.number(x.x), f.number(x.y)], &[f.number(p.x), f.number(p.y)]);
    if p == q {
        return Some(vec![(
            HomogeneousPoint { at: [zero.clone(), zero], scale: f.number(1.0) },
            (0..parts.len()).collect(),
        )]);
    }
    let direction = relative(q);
    let whole = dot(f, &direction, &direction);
    // Fractions of the segment, times its squared length.
    let mut ends = vec![zero.clone(), whole.clone()];
    let mut intervals = Vec::new();
    for (i, part) in parts.iter().enumerate() {
        let radius = f.number(part.part.convex.radius);
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
        if let (Some(first), Some(last)) = (feet.first(), feet.last()) {
            intervals.push((i, [first.clone(), last.clone()]));
        } else {
            // This part touches an end of the segment.
            intervals.push((i, [zero.clone(), zero.clone()]));
            intervals.push((i, [whole.clone(), whole.clone()]));
        }
    }
    let at = |fraction: &Number, scale: &Number| {
        (HomogeneousPoint { at: times(f, &direction, fraction), scale: f.multiply(&whole, scale) }, Vec::new())
    };
    let (one, two) = (f.number(1.0), f.number(2.0));
    let mut points = mapped(&ends, |end| at(end, &one));
    for pair in ends.windows(2) {
        points.push(at(&f.add(&pair[0], &pair[1]), &two));
    }
    let (at_ends, between) = points.split_at_mut(ends.len());
    for (i, range) in &intervals {
        let [first, last] = both([find(f, &ends, &range[0])?, find(f, &ends, &range[1])?], |(Ok(k) | Err(k))| k);
        for (_, here) in at_ends[first..=last].iter_mut().chain(&mut between[first..last]) {
            here.push(*i);
        }
    }
    Some(points)
}

/// Returns the index of a number in an ascending list, or its insertion index as an error.
///
/// Returns `None` if the number field is not exact enough.
fn find(f: &Field, sorted: &[Number], number: &Number) -> Option<Result<usize, usize>> {
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
fn insert(f: &Field, sorted: &mut Vec<Number>, number: &Number) -> Option<()> {
    if let Err(index) = find(f, sorted, number)? {
        sorted.insert(index, number.clone());
    }
    Some(())
}

/// Returns true if the outlines near a point cover its neighborhood; `None` if the number field is not exact enough.
fn is_interior(f: &Field, outlines: &[RoundedPolygon], near: &[usize], point: &HomogeneousPoint) -> Option<bool> {
    let mut sectors = Vec::new();
    for &i in near {
        match outlines[i].locate(f, point)? {
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
            let test_points = test_points(&Field::intervals(), line, &members).unwrap();
            assert_eq!(test_points.len(), count as usize + 1);
            assert!(test_points.iter().all(|(_, here)| (2..=4).contains(&here.len())));
            assert!(meets_interior(line, &members));
        }
    }
}
