//! Finds the contact of least depth along an exposed normal of two parts.
//!
//! Input: the parts of a ghost contact. Output: the manifold, if there is one. This is the
//! separating axis test with exposed axes only:
//!
//! ```text
//! for each edge of either part, except backs of one-sided links
//!     depth = overlap along its normal
//!     if depth < best and both unions expose the normal at the points of the contact: best = this contact
//! ```
//!
//! The exposure is tested last, because it takes a query of the whole surface.
//!
//! A contact of a face can have points that are clipped ends. Then the mover only passes over the
//! end of the face and does not stand on it. `supports` tells both cases apart.

use glam::DVec2;

use super::Surface;
use super::part_pair::PartPair;
use crate::math::both::both;
use crate::pair_result::{ContactPoint, Feature, Manifold, Margin};
use crate::query::clip;
use crate::query::feature_pair::{EdgeVertex, FeaturePair};
use crate::query::pair::Pair;
use crate::query::separation::at_features;

/// A contact of two parts along an exposed normal.
#[derive(Clone, Copy)]
pub(super) struct OpenDirection {
    /// The contact along the open direction.
    pub(super) manifold: Manifold,
    /// The same contact for the whole mover, not only for the piece over the face.
    pub(super) whole: Manifold,
    /// True if the mover stands on the face. False if it only passes over an end of the face and
    /// its deepest point is elsewhere.
    pub(super) supports: bool,
}

/// Returns the contact along the exposed face normal of either part with the least overlap. This is
/// the separating axis test with exposed axes only.
pub(super) fn shortest(meeting: &PartPair<'_>, surface: &Surface<'_>, margin: f64) -> Option<OpenDirection> {
    let pair = Pair::new(meeting.ground.part, meeting.mover.part);
    let mut best: Option<(f64, OpenDirection)> = None;
    for of in [0, 1] {
        for edge in 0..pair.parts[of].convex.edge_count() {
            let features = FeaturePair::EdgeVertex(EdgeVertex::lowest(&pair, of, edge));
            let found = at_features(&pair, features);
            let depth = pair.radius - found.distance;
            if best.is_some_and(|(least, _)| least <= depth) || leads_to_a_back(&pair, found.normal) {
                continue;
            }
            // The margin accepts every depth.
            let all = Margin::rounded(margin.max(-depth));
            let Some(manifold) = clip::manifold(&pair, features, &found, depth, all) else { continue };
            let exit = at_its_points(&meeting.numbered(manifold), of, meeting.tolerance);
            if meeting.is_open(&exit.manifold, surface) {
                best = Some((depth, exit));
            }
        }
    }
    best.map(|(_, exit)| exit)
}

/// Returns true if the normal points to the back of a one-sided part.
fn leads_to_a_back(pair: &Pair<'_>, normal: DVec2) -> bool {
    [normal, -normal].iter().zip(&pair.parts).any(|(outward, part)| {
        part.convex.is_one_sided() && part.pose.rotate_vector(part.convex.normal(0)).dot(*outward) < 0.0
    })
}

/// Returns the contact with the depth of its points. Points can be clipped ends.
fn at_its_points(found: &Manifold, of: usize, tolerance: f64) -> OpenDirection {
    let depth_at = |p: &ContactPoint| found.normal.dot(p.on_a - p.on_b);
    let points = found.points();
    if points.iter().any(|p| (p.on_a - p.on_b - found.normal * depth_at(p)).abs().max_element() > tolerance) {
        // The mover is beside the face.
        return OpenDirection { manifold: *found, whole: *found, supports: false };
    }
    let [mut first, mut second] =
        both([points[0], points[points.len() - 1]], |p| ContactPoint { depth: depth_at(&p), ..p });
    if second.depth > first.depth {
        (first, second) = (second, first);
    }
    let parallel = points.len() == 2 && first.depth - second.depth <= tolerance;
    // True for a vertex of the mover over a face, and for the farthest vertex of the surface part
    // before a face of the mover. False for a clipped end.
    let is_vertex = |p: &ContactPoint| {
        matches!(if of == 0 { p.id.b } else { p.id.a }, Feature::Vertex(_))
            && is_edge(if of == 0 { p.id.a } else { p.id.b })
    };
    let supports = parallel || is_vertex(&first) || (of == 0 && is_vertex(&second));
    OpenDirection { manifold: found.with_points(first.depth, [first, second]), whole: *found, supports }
}

/// Returns true for an edge.
fn is_edge(feature: Feature) -> bool {
    matches!(feature, Feature::Edge(_))
}
