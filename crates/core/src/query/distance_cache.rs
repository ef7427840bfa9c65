//! Computes the distance of a pair over many frames from the closest features of the last frame.
//!
//! Input: two placed shapes and the cache. Output: the distance, with the same bits as without the
//! cache. Source: the warm start of GJK and hill climbing (Cameron 1997).
//!
//! The separation of two hulls as a function of the direction is a minimum of cosines, one for each
//! pair of vertices. It is concave wherever it is positive. So a local maximum over the edge
//! normals is the global one. An edge is best if both neighbors separate less. The neighbors of an
//! edge and its opposite vertex are the edge's two neighbors and the two edges at that vertex.
//!
//! ```text
//! start at the edge and vertex of the last frame; repeat a fixed number of times
//!     descend to the lowest vertex before the edge
//!     if a neighbor separates more: continue from there
//!     if all certainly separate less: this is the result of the full search
//! otherwise run the full search
//! ```
//!
//! A certain result is the same for every search order. Numbers are computed from the features
//! alone. So the result has the same bits.

use super::closest_features::features_of_best;
use super::convex_pair::{distance_at, unlimited};
use super::feature_pair::{EdgeVertex, FeaturePair};
use super::pair::Pair;
use super::{Distance, composite, convex_pair, outline};
use crate::math::both::both;
use crate::shape::Placed;
use crate::shape::part::Part;

/// Limit of moves between features before the full search, for shapes with few vertices.
const MOVES: usize = 12;
/// Number of vertices of both shapes that allows one more move.
const VERTICES: usize = 8;

/// Cached features of the last [`distance_cached`] call for a pair. Store one per pair from frame to frame.
///
/// The cache is only the start of the search, and each result is verified. A stale, default or wrong cache costs time,
/// never correctness.
///
/// ```
/// use carom::{Shape, distance};
/// use carom::query::{DistanceCache, distance_cached};
///
/// let (rock, moon) = (Shape::ellipse(3.0, 2.0, 1e-3)?, Shape::ellipse(0.5, 0.5, 1e-3)?);
/// let mut cache = DistanceCache::default();
/// for frame in 0..60 {
///     let (sin, cos) = (f64::from(frame) * 0.02).sin_cos();
///     let (a, b) = (rock.at([0.0, 0.0])?, moon.at([5.0 * cos, 5.0 * sin])?);
///     assert_eq!(distance_cached(a, b, &mut cache), distance(a, b)); // to the bit
/// }
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DistanceCache {
    /// The closest parts of the last frame.
    parts: [u32; 2],
    /// The closest features of these parts.
    last: Option<EdgeVertex>,
}

/// Returns the [`distance`](super::distance), bit for bit, starting from the features of the last frame.
///
/// Measured speedup for separated convex shapes that turn little per frame: about 10 with 64 vertices, 4 with 16,
/// hardly 1.5 with 8. Circles, rectangles, intersecting pairs and fast rotations gain nothing. For composites, the
/// closest parts of the last frame are tested first, which skips some other parts: a speedup of up to 1.4, often none.
///
/// ```
/// use carom::query::{DistanceCache, distance_cached};
/// use carom::{Shape, distance};
///
/// let (coin, wall) = (Shape::ellipse(1.0, 0.5, 0.001)?, Shape::rectangle(1.0, 10.0)?);
/// let (mut cache, wall) = (DistanceCache::default(), wall.at([5.0, 0.0])?);
/// for x in [0.0, 0.5, 1.0] {
///     let coin = coin.at([x, 0.0])?;
///     assert_eq!(distance_cached(coin, wall, &mut cache), distance(coin, wall));
/// }
/// # Ok::<(), carom::Error>(())
/// ```
#[must_use]
pub fn distance_cached(a: Placed<'_>, b: Placed<'_>, cache: &mut DistanceCache) -> Distance {
    if let (Some(a), Some(b)) = (a.as_part(), b.as_part()) {
        return of_parts(a, b, &mut cache.last);
    }
    if let Some(found) = outline::distance(a, b) {
        *cache = DistanceCache::default();
        return found;
    }
    let [i, j] = cache.parts;
    let known =
        (cache.last.is_some() && (i as usize) < a.shape().part_count() && (j as usize) < b.shape().part_count())
            .then(|| Distance { part_a: i, part_b: j, ..of_parts(a.part(i), b.part(j), &mut cache.last) })
            // If several pairs intersect, the full search returns its own first one.
            .filter(|known| known.distance > 0.0);
    let found = composite::distance(a, b, known);
    let parts = [found.part_a, found.part_b];
    if found.distance == 0.0 {
        *cache = DistanceCache::default();
    } else if known.is_none() || parts != cache.parts {
        // Any features of the new pair are a valid start.
        *cache = DistanceCache { parts, last: Some(EdgeVertex { of: 0, edge: 0, vertex: 0 }) };
    }
    found
}

/// Returns the distance of two parts and its closest features.
fn of_parts(a: Part<'_>, b: Part<'_>, last: &mut Option<EdgeVertex>) -> Distance {
    if [a, b].iter().all(|part| part.convex.edge_count() == 0 || part.convex.as_rectangle().is_some()) {
        // Closed forms are as fast.
        return convex_pair::distance(a, b);
    }
    let pair = Pair::new(a, b);
    if let Some(best) = last.filter(|last| exist(&pair, *last)).and_then(|last| hill_climb(&pair, last)) {
        *last = Some(best);
        return distance_at(&pair, features_of_best(&pair, best));
    }
    let features = unlimited(&pair);
    let found = distance_at(&pair, features);
    // The cache cannot follow overlapping hulls.
    *last = (found.distance > 0.0).then(|| start_at(&pair, features));
    found
}

/// Returns true if both shapes have these features.
fn exist(pair: &Pair<'_>, EdgeVertex { of, edge, vertex }: EdgeVertex) -> bool {
    edge < pair.parts[of].convex.edge_count() && vertex < pair.parts[1 - of].convex.hull_vertex_count()
}

/// Returns a start near the closest features.
fn start_at(pair: &Pair<'_>, features: FeaturePair) -> EdgeVertex {
    match features {
        FeaturePair::EdgeVertex(features) => features,
        FeaturePair::Vertices([a, b]) if pair.parts[0].convex.edge_count() > 0 => {
            EdgeVertex { of: 0, edge: a, vertex: b }
        }
        FeaturePair::Vertices([a, b]) => EdgeVertex { of: 1, edge: b, vertex: a },
    }
}

/// Moves from a start to the best features. Returns `None` if they are too many moves away or
/// uncertain.
fn hill_climb(pair: &Pair<'_>, mut features: EdgeVertex) -> Option<EdgeVertex> {
    // Computed separations are within the error bound of the exact ones. This also holds in the
    // full search, where ties count too.
    let certain = 8.0 * pair.rounding.separation();
    for _ in 0..MOVES + (pair.parts[0].convex.hull_vertex_count() + pair.parts[1].convex.hull_vertex_count()) / VERTICES
    {
        let around = Around::new(pair, features);
        if around.lower.0 < -certain {
            features.vertex = around.lower.1;
        } else if around.separation <= certain || around.lower.0 <= certain {
            return None;
        } else if around.better.0 < around.separation - certain {
            return Some(features);
        } else if around.better.0 <= around.separation + certain {
            return None;
        } else {
            features = around.better.1;
        }
    }
    None
}

/// An edge, its opposite vertex and their neighbors.
struct Around {
    /// Distance of the vertex in front of the edge.
    separation: f64,
    /// The lower neighbor of the vertex and its height above the vertex.
    lower: (f64, usize),
    /// The best neighbor edge and an upper bound of its separation.
    better: (f64, EdgeVertex),
}

impl Around {
    /// Evaluates the neighbours of an edge and its vertex.
    #[inline(always)]
    fn new(pair: &Pair<'_>, features: EdgeVertex) -> Self {
        let EdgeVertex { of, edge, vertex } = features;
        let (own, other) = (pair.parts[of].convex, pair.parts[1 - of].convex);
        let [other_in_own, own_in_other] = [pair.other_in[of], pair.other_in[1 - of]];
        let (before, after) = (own.previous(edge), own.next(edge));
        let (p, start, end) = (other.hull_vertex(vertex), own.hull_vertex(edge), own.hull_vertex(after));
        let q = other_in_own.apply(p);
        let separation = own.normal(edge).dot(q - start);
        let (of_before, of_after) = (own.normal(before).dot(q - start), own.normal(after).dot(q - end));
        let mut better = if of_after > of_before {
            (of_after, EdgeVertex { edge: after, ..features })
        } else {
            (of_before, EdgeVertex { edge: before, ..features })
        };
        let mut lower = (f64::INFINITY, vertex);
        if other.edge_count() > 0 {
            let (last, next) = (other.previous(vertex), other.next(vertex));
            let direction = other_in_own.unrotate(own.normal(edge));
            for beside in [last, next] {
                let rise = direction.dot(other.hull_vertex(beside) - p);
                if rise < lower.0 {
                    lower = (rise, beside);
                }
            }
            let ends = [(own_in_other.apply(start) - p, edge), (own_in_other.apply(end) - p, after)];
            for side in [last, vertex] {
                let normal = other.normal(side);
                let [from, to] = both(ends, |(v, number)| (normal.dot(v), number));
                let (height, number) = if to.0 < from.0 { to } else { from };
                if height > better.0 {
                    better = (height, EdgeVertex { of: 1 - of, edge: side, vertex: number });
                }
            }
        }
        Self { separation, lower, better }
    }
}
