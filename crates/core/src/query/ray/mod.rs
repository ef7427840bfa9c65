//! Casts rays and circles against a shape: the first hit, or the exit of a hollow ray that starts
//! inside.
//!
//! Input: a ray, possibly with a radius, and a placed shape. Output: time, point, normal, part and
//! feature. A ray with a radius is a point cast against the shape grown by the radius. Each kind of
//! shape has its own algorithm:
//!
//! ```text
//! circle, rectangle:   closed form with a floating-point filter   (closed_form.rs)
//! other convex shape:  interval of the ray in the part            (convex.rs)
//! composite:           earliest entry of its parts                (bvh_traversal.rs)
//! ```
//!
//! The earliest entry alone does not give the normal of a union. If several parts begin at the same
//! time, one can hide the side of another (`surface.rs`).

mod bvh_traversal;
mod closed_form;
pub(super) mod convex;
mod exit;
mod half_planes;
mod line_polygon;
mod prepared;
mod rounded_boundary;
mod surface;

use glam::DVec2;

use crate::math::ray::Ray;
use crate::math::vector::MIN_SUBNORMAL;
use crate::pair_result::Feature;
use crate::query::circles::Uncertain;
use crate::shape::Placed;
use crate::shape::part::Part;
use bvh_traversal::visit_parts;
use closed_form::FilteredHit;
use prepared::{BoundaryFeature, Crossing, PreparedRay, RayInterval};

/// The hit of a ray and a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// Fraction of the ray's translation, 0 ..= 1. For a solid ray it is 0 exactly if the ray
    /// starts in the shape, boundary included.
    pub time: f64,
    /// The contact point, on the shape's boundary. For a solid ray that starts in the shape: the
    /// ray's origin.
    pub point: DVec2,
    /// Unit vector against the ray: outward at an entry, inward at the exit of a hollow ray.
    /// Opposite to the ray if a solid ray starts in the shape. It is a normal of the whole shape's
    /// boundary, never of a hidden side of a part.
    pub normal: DVec2,
    /// Index of the part with the hit boundary. Tie: lowest index. 0 if the shape is convex.
    pub part: u32,
    /// The edge or vertex of that part, numbered as the input, as in a
    /// [`ContactId`](crate::query::ContactId). For an arc: its vertex. `None` if a solid ray starts
    /// in the shape, or if the ray has no length.
    pub feature: Option<Feature>,
}

/// Returns the first hit of a ray and a shape, or `None`.
///
/// *The hit* is exact, as [`intersects`](crate::intersects) decides. The set that counts is the
/// segment from [origin](Ray::origin) to [end](Ray::end), grown by the radius. A ray hits a shape
/// if both share a point. So a ray that grazes a vertex hits it from both sides. A circle cast hits
/// the same shapes as the capsule that it sweeps.
///
/// *A start inside*, boundary included, has one rule for all shapes. A solid ray hits at time 0,
/// with the normal opposite to the ray (−x if it has no length). A [hollow](Ray::hollow) ray hits
/// at its exit: the last time until which the whole ray lies in the shape. It has no hit if it ends
/// inside. For composites it is the exit of the union, never a seam between parts.
///
/// *The time* is rounded. The point of the ray at `time` is near the boundary. Its distance is at
/// most 1e-12 of the size of shape and ray, plus 8 ulp of their coordinates. The bound holds
/// for the distance only: the time of a ray almost parallel to a side can have a larger error.
///
/// ```
/// use carom::{DVec2, Ray, Shape, ray_cast};
/// use carom::query::Feature;
///
/// let block = Shape::rectangle(2.0, 2.0)?;
/// let hit = ray_cast(Ray::new([-5.0, 0.5], [8.0, 0.0])?, block.at([0.0, 0.0])?).unwrap();
/// assert_eq!((hit.time, hit.point, hit.normal), (0.5, DVec2::new(-1.0, 0.5), DVec2::NEG_X));
/// assert_eq!(hit.feature, Some(Feature::Edge(3))); // the left side
///
/// let ball = Ray::new([-5.0, 0.5], [8.0, 0.0])?.with_radius(0.5)?;
/// assert_eq!(ray_cast(ball, block.at([0.0, 0.0])?).unwrap().time, 0.4375);
/// # Ok::<(), carom::Error>(())
/// ```
#[inline]
#[must_use]
#[doc(alias = "raycast")]
pub fn ray_cast(ray: Ray, placed: Placed<'_>) -> Option<RayHit> {
    // A circle is as cheap as a call, so the other shapes have a separate function.
    if let Some((part, center)) = placed.as_point() {
        let prepared = PreparedRay::new(&ray);
        if let Ok(found) = decided(&ray, &prepared, &closed_form::of_circle(&prepared, &part, center)) {
            return found;
        }
    }
    of_others(ray, placed)
}

/// Returns the result of a closed form, if it is decided.
#[inline(always)]
fn decided(ray: &Ray, prepared: &PreparedRay, filtered: &FilteredHit) -> Result<Option<RayHit>, Uncertain> {
    match *filtered {
        FilteredHit::Passes => Ok(None),
        FilteredHit::Enters(time, normal, feature) => {
            Ok(Some(entering(prepared, 0, time.clamp(MIN_SUBNORMAL, 1.0), normal, Some(feature))))
        }
        FilteredHit::Inside if !ray.is_hollow() => Ok(Some(starting(prepared, 0))),
        FilteredHit::Inside | FilteredHit::Unsure => Err(Uncertain),
    }
}

/// Casts against other shapes, and against circles near the boundary.
#[inline(never)]
fn of_others(ray: Ray, placed: Placed<'_>) -> Option<RayHit> {
    let prepared = PreparedRay::new(&ray);
    let Some(part) = placed.as_part() else { return of_composite(&ray, &prepared, placed) };
    decided(&ray, &prepared, &closed_form::of_box(&prepared, part)).unwrap_or_else(|_| of_convex(&ray, &prepared, part))
}

/// Casts a thin solid ray that certainly starts outside of a convex polygon and enters through a
/// known edge.
#[inline]
pub(super) fn ray_cast_through(ray: Ray, placed: Placed<'_>, edge: usize) -> Option<RayHit> {
    let Some(part) = placed.as_part().filter(|part| part.convex.as_rectangle().is_none()) else {
        return ray_cast(ray, placed);
    };
    let prepared = PreparedRay::new(&ray);
    Some(hit(&prepared, (0, part), Some(enter_through(&prepared, part, BoundaryFeature::Edge(edge)))))
}

/// Does the same as [`ray_cast_through`] for an edge given by its ends, outward normal and input
/// number. `None` if undecided.
#[inline]
pub(super) fn ray_cast_through_side(ray: &Ray, ends: [DVec2; 2], normal: DVec2, id: u32) -> Option<RayHit> {
    let prepared = PreparedRay::new(ray);
    let (time, beyond) = prepared.time_through(ends, normal);
    let crossing = Crossing { time, normal, error: 0.0, feature: Some(Feature::Edge(id)) };
    let hit = || entering(&prepared, 0, crossing.time_within(MIN_SUBNORMAL, 1.0), normal, crossing.feature);
    beyond.is_none().then(hit)
}

/// Casts against a part.
pub(super) fn meets_part(ray: &Ray, part: Part<'_>) -> Option<RayHit> {
    of_convex(ray, &PreparedRay::new(ray), part)
}

#[inline(never)]
fn of_convex(ray: &Ray, prepared: &PreparedRay, part: Part<'_>) -> Option<RayHit> {
    let interval = prepared.through(part)?;
    if ray.is_hollow() && interval.starts_inside {
        return exit::convex(prepared, part, &interval);
    }
    Some(hit(prepared, (0, part), enter(prepared, part, &interval)))
}

#[inline(never)]
fn of_composite(ray: &Ray, prepared: &PreparedRay, placed: Placed<'_>) -> Option<RayHit> {
    let mut best: Option<(u32, Option<Crossing>)> = None;
    // The earliest possible entry of another part.
    let mut next_entry = f64::INFINITY;
    let time = |first: &Option<Crossing>| first.map_or(0.0, |crossing| crossing.time);
    let earliest = |first: Option<Crossing>| first.map_or(0.0, |crossing| crossing.time - crossing.error);
    visit_parts(prepared, placed, &mut |i, part| {
        if let Some(interval) = prepared.through(part) {
            let next = enter(prepared, part, &interval);
            if best
                .is_none_or(|(number, first)| time(&next) < time(&first) || (time(&next) == time(&first) && i < number))
            {
                next_entry = next_entry.min(best.map_or(f64::INFINITY, |(_, first)| earliest(first)));
                best = Some((i, next));
            } else {
                next_entry = next_entry.min(earliest(next));
            }
        }
        best.map_or(1.0, |(_, first)| time(&first))
    });
    let (part, first) = best?;
    let Some(crossing) = first else {
        return if ray.is_hollow() { exit::composite(prepared, placed) } else { Some(starting(prepared, part)) };
    };
    let is_shared =
        next_entry <= crossing.time + crossing.error || surface::is_at_end(prepared, placed.part(part), &crossing);
    let through = (part, crossing);
    let (part, crossing) = if is_shared {
        surface::on_boundary(prepared, placed, through, crossing.time, -prepared.direction())
    } else {
        through
    };
    Some(hit(prepared, (part, placed.part(part)), Some(crossing)))
}

/// Returns the entry of a ray into a part. `None` if it starts inside.
#[inline(always)]
fn enter(prepared: &PreparedRay, part: Part<'_>, interval: &RayInterval) -> Option<Crossing> {
    if interval.starts_inside {
        return None;
    }
    Some(enter_through(prepared, part, interval.enter))
}

#[inline(always)]
fn enter_through(prepared: &PreparedRay, part: Part<'_>, feature: BoundaryFeature) -> Crossing {
    let crossing = prepared.crossing(part, feature);
    Crossing { time: crossing.time_within(MIN_SUBNORMAL, 1.0), ..crossing }
}

/// Returns the hit of a solid ray.
#[inline(always)]
fn hit(prepared: &PreparedRay, (number, part): (u32, Part<'_>), enter: Option<Crossing>) -> RayHit {
    match enter {
        Some(crossing) => entering(prepared, number, crossing.time, crossing.normal, crossing.feature_of(part)),
        None => starting(prepared, number),
    }
}

/// The ray enters the shape.
#[inline(always)]
fn entering(prepared: &PreparedRay, part: u32, time: f64, normal: DVec2, feature: Option<Feature>) -> RayHit {
    // −0.0 becomes 0.
    RayHit { time, point: prepared.at(time) - normal * prepared.radius, normal: normal + DVec2::ZERO, part, feature }
}

/// The ray starts in the shape.
#[inline(always)]
fn starting(prepared: &PreparedRay, part: u32) -> RayHit {
    RayHit { time: 0.0, point: prepared.origin, normal: DVec2::ZERO - prepared.direction(), part, feature: None }
}
