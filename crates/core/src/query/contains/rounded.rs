//! Decides exactly whether rounded parts together contain another rounded part.
//!
//! Input: hulls with radii. Output: a point of the inner set that the others leave uncovered, or
//! none.
//!
//! If an uncovered region exists, outlines of the parts and of the inner part bound it. It then
//! shows at a crossing of two outlines, or at any point of an outline without crossings. So the
//! test visits only these points:
//!
//! ```text
//! for each outline: test one of its points
//! for each two outlines, for each crossing of their curves: test it
//! test: the point is uncovered if the sectors of the parts around it leave a gap inside the inner part
//! ```
//!
//! Each outline fills a sector at the point. Sectors are compared by their directions, and equal
//! directions by curvature. Without the curvature, a disc and its tangent would cover the same
//! directions.
//!
//! The coordinates of the points contain square roots, with at most one root under another. The
//! exact sign needs products of degree 32, so interval arithmetic runs first as a filter (Yap
//! 1997).

use alloc::vec;
use alloc::vec::Vec;
use core::cell::OnceCell;
use core::cmp::Ordering::{Greater, Less};

use glam::DVec2;

use crate::math::aabb::Aabb;
use crate::math::both::both;
use crate::math::lists::{filter_mapped, mapped};
use crate::math::ring::edges;
use crate::math::sqrt_extension::Field;
use crate::math::vector::norm1;
use crate::query::union_boundary::round::curve_intersection::{HomogeneousPoint, crossings};
use crate::query::union_boundary::round::rounded_polygon::{Location, RoundedPolygon};
use crate::query::union_boundary::round::tangent_cone::{any, sectors_cover};

/// A hull and a radius.
pub(super) struct Rounded {
    /// Vertices, counter-clockwise.
    hull: Vec<DVec2>,
    /// The rounding radius.
    radius: f64,
    /// Bounding box of the set.
    bounds: Aabb,
}

impl Rounded {
    /// Creates a set from its hull and its radius.
    pub(super) fn new(hull: Vec<DVec2>, radius: f64) -> Self {
        let bounds = grown(&hull, radius);
        Self { hull, radius, bounds }
    }

    /// Returns the number of lines and circles of the outline.
    fn curve_count(&self) -> usize {
        edges(&self.hull).len() + if self.radius > 0.0 { self.hull.len() } else { 0 }
    }

    /// Returns the box of the piece of a curve that is on the outline.
    fn bounds_of_curve(&self, number: usize) -> Aabb {
        match edges(&self.hull).nth(number) {
            Some(edge) => grown(&edge, self.radius),
            None => grown(&[self.hull[number - edges(&self.hull).len()]], self.radius),
        }
    }
}

/// Returns the box of some points, enlarged on each side by a length and by the rounding error.
fn grown(points: &[DVec2], radius: f64) -> Aabb {
    let bounds = Aabb::of_points(points);
    let rounding = 8.0 * f64::EPSILON * (norm1(bounds.min()) + norm1(bounds.max()) + radius) + f64::MIN_POSITIVE;
    bounds.grown(radius + rounding)
}

/// Returns the intersection of two boxes, or `None` if it is empty.
fn common(p: Aabb, q: Aabb) -> Option<Aabb> {
    p.intersects(&q).then(|| p.common(&q))
}

/// Returns a point of a set outside the union of others, rounded. `None` if they contain the set.
pub(super) fn gap(others: &[Rounded], own: &Rounded) -> Option<DVec2> {
    let mut all = Vec::from([own]);
    all.append(&mut mapped(others, |other| other));
    let quick = outlines(&Field::intervals(), &all);
    let test = CoverTest { all: &all, quick, exact: OnceCell::new() };
    // The own outline first: most uncovered points are there.
    let mut gap = test.alone();
    for i in 0..all.len() {
        for j in i + 1..all.len() {
            if gap.is_some() {
                return gap;
            }
            gap = test.between(i, j);
        }
    }
    gap
}

/// Coordinates relative to a vertex of the first set.
fn outlines(f: &Field, all: &[&Rounded]) -> Vec<RoundedPolygon> {
    mapped(all, |set| RoundedPolygon::new(f, &set.hull, set.radius, all[0].hull[0]))
}

/// All outlines. The inner set is first.
struct CoverTest<'a> {
    /// The inner set, then the sets that may cover it.
    all: &'a [&'a Rounded],
    /// The outlines in interval arithmetic.
    quick: Vec<RoundedPolygon>,
    /// The outlines in exact numbers, built if interval arithmetic fails once.
    exact: OnceCell<Vec<RoundedPolygon>>,
}

/// A point to test.
#[derive(Clone, Copy)]
enum TestPoint {
    /// Any point of an outline.
    Of(usize),
    /// A crossing of two outlines: for each, its index and the index of its curve.
    Crossing([usize; 2], [usize; 2]),
}

impl CoverTest<'_> {
    /// Visits one point of each outline.
    fn alone(&self) -> Option<DVec2> {
        (0..self.all.len()).find_map(|i| self.find_gap(TestPoint::Of(i), self.all[i].bounds))
    }

    /// Visits the crossings of two outlines.
    fn between(&self, i: usize, j: usize) -> Option<DVec2> {
        let both = common(self.all[i].bounds, self.all[j].bounds).and_then(|both| common(both, self.all[0].bounds))?;
        for p in 0..self.all[i].curve_count() {
            let Some(area) = common(self.all[i].bounds_of_curve(p), both) else { continue };
            for q in 0..self.all[j].curve_count() {
                let Some(area) = common(self.all[j].bounds_of_curve(q), area) else { continue };
                let gap = self.find_gap(TestPoint::Crossing([i, p], [j, q]), area);
                if gap.is_some() {
                    return gap;
                }
            }
        }
        None
    }

    /// Returns a point inside a box that the other sets leave uncovered, if one exists.
    fn find_gap(&self, point: TestPoint, area: Aabb) -> Option<DVec2> {
        let near = filter_mapped(0..self.all.len(), |i| self.all[i].bounds.intersects(&area).then_some(i));
        // A point far from the first set is not in it.
        if near.first() != Some(&0) {
            return None;
        }
        let region = TestRegion { point, area, origin: self.all[0].hull[0], near };
        let exact = |_| region.at(Field::exact(), self.exact.get_or_init(|| outlines(&Field::exact(), self.all)));
        let open = region.at(Field::intervals(), &self.quick).or_else(exact).ok()?? + region.origin;
        Some(if open.is_nan() { area.center() } else { open.clamp(area.min(), area.max()) })
    }
}

/// The numbers are not exact enough to decide.
#[derive(Debug)]
struct Unsure;

/// The sets and curves near the tested points.
struct TestRegion {
    /// The points to test.
    point: TestPoint,
    /// The box of the search. Lines and circles also cross outside the outlines. Sets are not known
    /// there, and such crossings do not matter.
    area: Aabb,
    /// Origin of the coordinates.
    origin: DVec2,
    /// The sets that extend into the box.
    near: Vec<usize>,
}

impl TestRegion {
    /// Returns an uncovered point, relative to the origin; `None` if all points are covered.
    fn at(&self, mut f: Field, outlines: &[RoundedPolygon]) -> Result<Option<DVec2>, Unsure> {
        let points = match self.point {
            TestPoint::Of(i) => vec![outlines[i].outline_point(&mut f)],
            TestPoint::Crossing([i, p], [j, q]) => {
                let (p, q) = (outlines[i].curve(&f, p), outlines[j].curve(&f, q));
                crossings(&mut f, &p, &q).ok_or(Unsure)?
            }
        };
        for point in &points {
            if self.is_open(&f, outlines, point).ok_or(Unsure)? {
                return Ok(Some(DVec2::from(both([0, 1], |axis| {
                    f.approximate(&point.at[axis]) / f.approximate(&point.scale)
                }))));
            }
        }
        Ok(None)
    }

    /// Returns true if a point is in the area and uncovered; `None` if the numbers cannot decide.
    fn is_open(&self, f: &Field, outlines: &[RoundedPolygon], point: &HomogeneousPoint) -> Option<bool> {
        Some(self.is_in_area(f, point)? && !is_covered(f, outlines, &self.near, point)?)
    }

    /// Returns true if a point is in the box of the search; `None` if the numbers cannot decide.
    fn is_in_area(&self, f: &Field, point: &HomogeneousPoint) -> Option<bool> {
        for axis in 0..2 {
            let origin = f.number(self.origin[axis]);
            let above = |end: f64| {
                f.sign(&f.subtract(&point.at[axis], &f.multiply(&f.subtract(&f.number(end), &origin), &point.scale)))
            };
            if above(self.area.min()[axis])? == Less || above(self.area.max()[axis])? == Greater {
                return Some(false);
            }
        }
        Some(true)
    }
}

/// Returns true if the other sets contain the neighborhood of a point inside the first set. `None`
/// if the number type cannot decide.
fn is_covered(f: &Field, outlines: &[RoundedPolygon], near: &[usize], point: &HomogeneousPoint) -> Option<bool> {
    let own = outlines[0].locate(f, point)?;
    if let Location::Outside = own {
        return Some(true);
    }
    let (mut sectors, mut directions) = (Vec::new(), Vec::new());
    for &i in &near[1..] {
        match outlines[i].locate(f, point)? {
            Location::Outside => {}
            Location::Inside => return Some(true),
            Location::Boundary(sector) => sectors.push(sector),
            Location::Along(along) => directions.extend(along),
        }
    }
    match own {
        Location::Outside => Some(true),
        Location::Inside => sectors_cover(f, &sectors, None),
        Location::Boundary(own) => sectors_cover(f, &sectors, Some(&own)),
        Location::Along(own) => {
            for direction in &own {
                let in_sectors = any(sectors.iter().map(|sector| direction.is_in(f, sector)))?;
                if !in_sectors && !any(directions.iter().map(|other| direction.equals(f, other)))? {
                    return Some(false);
                }
            }
            Some(true)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares filter and exact test at every point of random sets on a lattice, which has many
    /// coincidences.
    #[test]
    fn intervals_say_nothing_that_towers_do_not() {
        let mut rng = fastrand::Rng::with_seed(4);
        let (mut sure, mut all) = (0, 0);
        for round in 0..60 {
            let mut set = || {
                let mut at = |extent: i32| {
                    DVec2::new(f64::from(rng.i32(-extent..=extent)), f64::from(rng.i32(-extent..=extent)))
                };
                let (p, d) = (at(4), at(2));
                let e = if d.x == 0.0 && d.y == 0.0 { DVec2::X } else { d };
                let hull = match round % 3 {
                    0 => vec![p],
                    1 => vec![p, p + e],
                    _ => vec![p, p + e, p + e + e.perp(), p + e.perp()],
                };
                Rounded::new(hull, f64::from(rng.i32(1..6)))
            };
            let sets = [set(), set(), set()];
            let all_sets: Vec<&Rounded> = sets.iter().collect();
            let (quick, exact) = (outlines(&Field::intervals(), &all_sets), outlines(&Field::exact(), &all_sets));
            let curves = |i: usize| (0..sets[i].curve_count()).map(move |curve| [i, curve]);
            for (p, q) in [(0, 1), (0, 2), (1, 2)]
                .iter()
                .flat_map(|&(i, j)| curves(i).flat_map(move |p| curves(j).map(move |q| (p, q))))
            {
                let (area, near) = (Aabb::at(DVec2::ZERO).grown(100.0), vec![0, 1, 2]);
                let region = TestRegion { point: TestPoint::Crossing(p, q), area, origin: sets[0].hull[0], near };
                let truth = region.at(Field::exact(), &exact).expect("a tower always tells");
                all += 1;
                if let Ok(open) = region.at(Field::intervals(), &quick) {
                    sure += 1;
                    assert_eq!(open.is_some(), truth.is_some(), "{round}: {p:?} {q:?}");
                    assert!(open.zip(truth).is_none_or(|(p, q)| (p - q).length() < 1e-6), "{open:?} {truth:?}");
                }
            }
        }
        assert!(2 * sure > all && sure < all, "{sure} of {all}");
    }
}
