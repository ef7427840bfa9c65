//! Pushes shapes out through the front of one-sided links, even if the back is closer.
//!
//! Input: two overlapping parts and their manifold. Output: the same manifold, or the one through
//! the front. The depth along the front normal is that of the last point to leave:
//!
//! ```text
//! lowest = vertex of the other part that is lowest over the line of the link
//! if lowest projects onto the link: it leaves last; clip as for any edge and vertex
//! else: the point straight below the nearer end leaves last; a ray from below finds it
//! ```
//!
//! The lowest vertex alone does not suffice. If it lies beside the link, its depth below the line
//! exceeds the overlap with the link itself. The push would be too long.

use glam::DVec2;

use super::clip;
use super::feature_pair::{EdgeVertex, FeaturePair};
use super::pair::Pair;
use super::ray::meets_part;
use super::separation::at_features;
use crate::math::ray::Ray;
use crate::math::vector::length;
use crate::pair_result::{Manifold, Margin};
use crate::shape::part::Part;

/// Returns the manifold of overlapping parts. If it would push to the back of one of them, returns
/// the manifold through its front.
pub(super) fn push_to_front(a: Part<'_>, b: Part<'_>, margin: Margin, found: Manifold) -> Manifold {
    for (of, part, outward) in [(0, a, found.normal), (1, b, -found.normal)] {
        if !part.convex.is_one_sided()
            || found.depth <= 0.0
            || part.pose.rotate_vector(part.convex.normal(0)).dot(outward) >= 0.0
        {
            continue;
        }
        let pair = Pair::new(a, b);
        let lowest = EdgeVertex::lowest(&pair, of, 0);
        let features = FeaturePair::EdgeVertex(lowest);
        let front = at_features(&pair, features);
        let depth = (pair.radius - front.distance).max(found.depth);
        let through = match end_before(&pair, of, lowest.vertex) {
            Some(end) => out_at_end(&pair, of, end, front.normal, depth),
            None => clip::manifold(&pair, features, &front, depth, margin),
        };
        return through.unwrap_or(found);
    }
    found
}

/// Returns the end of the link beyond which the deciding vertex of the other part projects. Returns
/// `None` if the vertex projects onto the link or a neighbor nearer to the link is as low.
fn end_before(pair: &Pair<'_>, of: usize, vertex: usize) -> Option<usize> {
    let (link, other, tolerance) = (pair.parts[of].convex, pair.parts[1 - of].convex, pair.rounding.position() * 3.0);
    let (start, normal, tangent) = (link.hull_vertex(0), link.normal(0), link.tangent(0));
    let side = tangent.dot(link.hull_vertex(1) - start);
    let relative = |vertex: usize| pair.other_in[of].apply(other.hull_vertex(vertex)) - start;
    let along = |point: DVec2| tangent.dot(point);
    let point = relative(vertex);
    let (end, neighbor) = if along(point) < -tolerance {
        (0, other.previous(vertex))
    } else if along(point) > side + tolerance {
        (1, other.next(vertex))
    } else {
        return None;
    };
    let near = relative(neighbor);
    let is_beside = if end == 0 { along(near) >= -tolerance } else { along(near) <= side + tolerance };
    let is_flat = normal.dot(near - point) <= tolerance;
    (!(is_flat && is_beside)).then_some(end)
}

/// Returns the manifold if an end of the link leaves last: straight before it, at most `most` deep.
/// Returns `None` if the parts graze there and rounding makes the ray miss.
fn out_at_end(pair: &Pair<'_>, of: usize, end: usize, normal: DVec2, most: f64) -> Option<Manifold> {
    let (link, other) = (pair.parts[of], pair.parts[1 - of]);
    let (end_point, to_front) = (link.placed(end), normal * [1.0, -1.0][of]);
    // The ray starts below all of the other part.
    let displacement = to_front * (most * 1.0625 + pair.rounding.position());
    let ray =
        Ray::new(end_point - displacement, displacement).and_then(|ray| ray.with_radius(link.convex.radius)).ok()?;
    let hit = meets_part(&ray, other)?;
    let depth = (1.0 - hit.time) * length(displacement);
    let surfaces = [hit.point + to_front * depth, hit.point];
    Some(Manifold::at(of, normal, depth, surfaces, [link.vertex(end), hit.feature?]))
}
