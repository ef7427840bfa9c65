//! Computes the regions of a path by its fill rule: polygons with holes.
//!
//! Input: rings that do not cross. Output: islands with their holes.
//!
//! ```text
//! sort the rings by descending area
//! for each ring: sum the windings of all rings around it
//!     filled inside but not outside: it is the exterior ring of an island
//!     filled outside but not inside: it is a hole of the innermost island around it
//! ```
//!
//! The winding number inside a ring is that around it plus its own sign. Both fill rules follow
//! from these numbers. Rings that cross have no such order; building the shape detects them, and
//! `--repair` handles them.

use carom::DVec2;

use crate::geometry::Rings;

/// Largest number of edge tests to sort the rings of a path. Only files made to waste time exceed
/// it.
const MOST_STEPS: usize = 1 << 30;

/// Regions of a path.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Regions {
    pub(super) islands: Vec<Rings>,
    /// Rings with filled area on both sides, and the island that must contain them. They do not
    /// change the area.
    pub(super) inside: Vec<(usize, Vec<DVec2>)>,
    /// True if the fill of overlapping islands differs from their union.
    pub(super) apart: bool,
}

/// Sorts rings that do not cross. Building the shapes detects crossings.
pub(super) fn regions(points: Vec<Vec<DVec2>>, even_odd: bool) -> Result<Regions, String> {
    let mut rings: Vec<BoxedRing> = points.into_iter().map(BoxedRing::new).collect();
    // Sorted by descending area, so that a ring follows all rings that contain it.
    rings.sort_by(|a, b| b.area.abs().total_cmp(&a.area.abs()));
    let mut steps = 0;
    let filled = |winding: i64| if even_odd { winding % 2 != 0 } else { winding != 0 };
    let mut regions = Regions { apart: even_odd, ..Regions::default() };
    let mut signs = [false; 2];
    // For each ring the island whose exterior ring it is.
    let mut islands: Vec<Option<usize>> = Vec::new();
    for i in 0..rings.len() {
        let (before, ring) = (&rings[..i], &rings[i]);
        steps += i + ring.points.len();
        let mut around = 0;
        let mut home = None;
        for (outer, island) in before.iter().zip(&islands) {
            if !outer.bounds_contain(ring) {
                continue;
            }
            steps += outer.points.len();
            if steps > MOST_STEPS {
                return Err("too many subpaths inside each other's boxes: cut the path into several".to_owned());
            }
            if outer.contains(ring) {
                around += outer.winding();
                home = island.or(home);
            }
        }
        let here = around + ring.winding();
        signs[usize::from(here < 0)] |= here != 0;
        islands.push(None);
        match (filled(around), filled(here), home) {
            (false, true, _) => {
                islands[i] = Some(regions.islands.len());
                regions.islands.push(Rings { outer: ring.points.clone(), holes: Vec::new() });
            }
            (true, false, Some(home)) => regions.islands[home].holes.push(ring.points.clone()),
            (true, true, Some(home)) => regions.inside.push((home, ring.points.clone())),
            // Not filled on both sides.
            _ => {}
        }
    }
    regions.apart |= signs == [true; 2];
    Ok(regions)
}

/// Ring with its bounding box and area.
struct BoxedRing {
    points: Vec<DVec2>,
    min: DVec2,
    max: DVec2,
    /// Twice the signed area. Positive if the ring turns from +x towards +y.
    area: f64,
}

impl BoxedRing {
    fn new(points: Vec<DVec2>) -> Self {
        let (min, max) = points.iter().fold((points[0], points[0]), |(min, max), &p| (min.min(p), max.max(p)));
        let edges = points.iter().zip(points.iter().cycle().skip(1));
        let area = edges.map(|(&p, &q)| (p - min).perp_dot(q - min)).sum();
        Self { points, min, max, area }
    }

    fn winding(&self) -> i64 {
        if self.area < 0.0 { -1 } else { 1 }
    }

    fn bounds_contain(&self, other: &Self) -> bool {
        self.min.cmple(other.min).all() && self.max.cmpge(other.max).all()
    }

    /// Returns whether the other ring is inside. Vertices on the boundary do not decide, so other
    /// vertices are tested, then the middles of edges.
    fn contains(&self, other: &Self) -> bool {
        const MOST: usize = 64;
        let corners = other.points.iter().copied();
        let middles = other.points.iter().zip(other.points.iter().cycle().skip(1)).map(|(&p, &q)| p.midpoint(q));
        corners.take(MOST).chain(middles.take(MOST)).find_map(|p| self.contains_point(p)).unwrap_or(false)
    }

    /// Returns whether the point is inside. `None` on the boundary, or if it is too near to decide.
    fn contains_point(&self, p: DVec2) -> Option<bool> {
        let mut inside = false;
        let mut q = self.points[self.points.len() - 1];
        for &r in &self.points {
            if (q.y > p.y) == (r.y > p.y) {
                if q.y == p.y && r.y == p.y && q.x.min(r.x) <= p.x && p.x <= q.x.max(r.x) {
                    return None;
                }
                q = r;
                continue;
            }
            let (left, right) = ((r.x - p.x) * (q.y - p.y), (q.x - p.x) * (r.y - p.y));
            // Each product has an error of at most 3 roundings, the difference of one more.
            if (left - right).abs() <= 4.0 * f64::EPSILON * (left.abs() + right.abs()) {
                return None;
            }
            inside ^= (left > right) == (q.y > r.y);
            q = r;
        }
        Some(inside)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(min: f64, max: f64) -> Vec<DVec2> {
        [(min, min), (max, min), (max, max), (min, max)].map(DVec2::from).to_vec()
    }

    fn reversed(mut points: Vec<DVec2>) -> Vec<DVec2> {
        points.reverse();
        points
    }

    /// Returns the lower left corner of each island and of its holes.
    fn found(rings: Vec<Vec<DVec2>>, even_odd: bool) -> (Vec<(f64, Vec<f64>)>, usize, bool) {
        let regions = regions(rings, even_odd).unwrap();
        let low = |ring: &Vec<DVec2>| ring.iter().map(|p| p.x).fold(f64::INFINITY, f64::min);
        let islands =
            regions.islands.iter().map(|island| (low(&island.outer), island.holes.iter().map(low).collect())).collect();
        (islands, regions.inside.len(), regions.apart)
    }

    #[test]
    fn the_rules_fill_as_the_specification_says() {
        let nested = || vec![square(2.0, 8.0), square(0.0, 10.0), square(4.0, 6.0)];
        // Even-odd: solid, hole, solid, for all directions.
        assert_eq!(found(nested(), true), (vec![(0.0, vec![2.0]), (4.0, vec![])], 0, true));
        // Nonzero with one direction: inner rings do not change the area.
        assert_eq!(found(nested(), false), (vec![(0.0, vec![])], 2, false));
        // The middle ring has the opposite direction of the outer one, so it is a hole. The
        // innermost is filled.
        let turned = vec![square(0.0, 10.0), reversed(square(2.0, 8.0)), square(4.0, 6.0)];
        assert_eq!(found(turned, false), (vec![(0.0, vec![2.0]), (4.0, vec![])], 0, false));
        // Two inner rings with the opposite direction: the innermost has winding number −1, which
        // is filled too.
        let twice = vec![square(0.0, 10.0), reversed(square(2.0, 8.0)), reversed(square(4.0, 6.0))];
        assert_eq!(found(twice, false), (vec![(0.0, vec![2.0]), (4.0, vec![])], 0, true));
        let beside = vec![square(0.0, 1.0), square(5.0, 9.0), square(6.0, 7.0)];
        assert_eq!(found(beside, true), (vec![(5.0, vec![6.0]), (0.0, vec![])], 0, true));
    }

    #[test]
    fn corners_on_an_outline_do_not_mislead() {
        // The inner diamond touches the square at the middles of its sides.
        let diamond = [(5.0, 0.0), (10.0, 5.0), (5.0, 10.0), (0.0, 5.0)].map(DVec2::from).to_vec();
        assert_eq!(found(vec![square(0.0, 10.0), diamond], true), (vec![(0.0, vec![0.0])], 0, true));
        // The square in the bay of an L is in its box and shares two sides with it, but is outside.
        let l = [(0.0, 0.0), (9.0, 0.0), (9.0, 3.0), (3.0, 3.0), (3.0, 9.0), (0.0, 9.0)].map(DVec2::from).to_vec();
        assert_eq!(found(vec![l, square(3.0, 6.0)], true), (vec![(0.0, vec![]), (3.0, vec![])], 0, true));
    }
}
