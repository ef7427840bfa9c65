//! Explains the result of a pair by the separating axis test: every axis with both projections.
//!
//! Input: two placed shapes. Output: all candidate axes, and the one that decides. Source:
//! Gottschalk 1996; Ericson 2005, 5.2.1. This is the simple version of [`sat`](crate::query::sat):
//!
//! ```text
//! for each edge normal of either shape: project both shapes onto it; overlap = end of a − start of b
//! the axis with the least overlap decides
//! ```
//!
//! Edge normals do not suffice for rounded shapes or two closest vertices. Then the line through
//! the closest features is added as an axis. Unions can overlap although their parts only touch.
//! Then their shortest translation is added.
//!
//! The deciding axis is that of the query, and its overlap has the exact sign of the query.

use alloc::vec::Vec;

use glam::DVec2;

use crate::pair_result::Margin;
use crate::query::composite;
use crate::query::convex_pair::unlimited;
use crate::query::feature_pair::{EdgeVertex, FeaturePair};
use crate::query::pair::Pair;
use crate::query::separation::separation;
use crate::shape::Placed;
use crate::shape::part::Part;

/// Every candidate axis of the separating axis test, and the deciding one.
///
/// ```
/// use carom::{Shape, explain_sat};
///
/// let square = Shape::rectangle(2.0, 2.0)?;
/// let why = explain_sat(square.at([0.0, 0.0])?, square.at([1.5, 0.5])?);
/// let axis = why.min_axis();
/// assert_eq!((axis.projection_a, axis.projection_b, axis.overlap), ([-1.0, 1.0], [0.5, 2.5], 0.5));
/// assert_eq!(why.depth(), Some(0.5));
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SatExplanation {
    /// All axes.
    axes: Vec<Axis>,
    /// Index of the axis with the least overlap.
    deciding: usize,
    /// Depth of the pair; negative if the shapes are apart.
    depth: f64,
    /// Parts of both shapes.
    parts: [u32; 2],
}

/// Source of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisSource {
    /// The normal of an edge of the first shape.
    EdgeOfA(u32),
    /// The normal of an edge of the second shape.
    EdgeOfB(u32),
    /// The line through the closest features of both: round shapes, or two vertices.
    Nearest,
    /// The minimum translation vector of two unions. Used if composites overlap although each two
    /// parts only touch.
    Union,
}

/// One axis of the test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    /// Unit vector. Along it the second shape lies after the first.
    pub normal: DVec2,
    /// Source of the axis.
    pub source: AxisSource,
    /// Projection of the first shape: lowest and highest coordinate along `normal`.
    pub projection_a: [f64; 2],
    /// Projection of the second shape.
    pub projection_b: [f64; 2],
    /// Distance that the second shape must move along `normal` until the projections only touch.
    /// Negative: the gap between them.
    pub overlap: f64,
    /// True for the axis of least overlap (largest gap).
    pub is_minimum: bool,
}

impl SatExplanation {
    /// Returns all axes: edges of the first shape, edges of the second shape, and the line through
    /// the closest features if no edge decides.
    #[must_use]
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// Returns the deciding axis.
    #[must_use]
    pub fn min_axis(&self) -> &Axis {
        &self.axes[self.deciding]
    }

    /// Returns the part indices of both shapes. For composites: the deepest or closest parts.
    #[must_use]
    pub fn parts(&self) -> [u32; 2] {
        self.parts
    }

    /// Returns true if the shapes share a point. Exact.
    #[must_use]
    pub fn intersects(&self) -> bool {
        self.depth >= 0.0
    }

    /// Returns true if the interiors overlap. Exact.
    #[must_use]
    pub fn overlaps(&self) -> bool {
        self.depth > 0.0
    }

    /// Returns the depth, or `None` if the shapes are apart.
    #[must_use]
    pub fn depth(&self) -> Option<f64> {
        (self.depth >= 0.0).then_some(self.depth)
    }

    /// Returns the distance; 0 if the shapes intersect.
    #[must_use]
    pub fn distance(&self) -> f64 {
        (-self.depth).max(0.0)
    }
}

/// Explains the result of [`collide`](crate::collide): every candidate axis with both projections,
/// and the deciding axis.
///
/// [`SatExplanation`] has an example.
#[must_use]
#[doc(alias = "separating_axis")]
pub fn explain_sat(a: Placed<'_>, b: Placed<'_>) -> SatExplanation {
    let deepest = match (a.as_part(), b.as_part()) {
        (Some(_), Some(_)) => None,
        _ => composite::deepest(a, b, Margin::rounded(f64::INFINITY)),
    };
    let parts = deepest.map_or([0, 0], |m| [m.part_a, m.part_b]);
    let (a, b) = (a.part(parts[0]), b.part(parts[1]));
    let pair = Pair::new(a, b);
    let features = unlimited(&pair);
    let found = separation(&pair, features);
    let mut depth = pair.exact_sign_depth(found.distance);

    let (first, second) = (a.convex, b.convex);
    let of_a =
        (0..first.edge_count()).map(|i| (a.pose.rotate_vector(first.normal(i)), AxisSource::EdgeOfA(first.edge_id(i))));
    let of_b = (0..second.edge_count())
        .map(|i| (-b.pose.rotate_vector(second.normal(i)), AxisSource::EdgeOfB(second.edge_id(i))));
    let mut axes: Vec<Axis> = of_a.chain(of_b).map(|(normal, source)| axis(a, b, normal, source)).collect();
    let mut deciding = match features {
        FeaturePair::EdgeVertex(EdgeVertex { of, edge, .. }) => of * first.edge_count() + edge,
        FeaturePair::Vertices(_) => {
            axes.push(axis(a, b, found.normal, AxisSource::Nearest));
            axes.len() - 1
        }
    };
    // Unions can overlap although their parts only touch. Then the MTV of the unions decides.
    if let Some(union) = deepest.filter(|deepest| depth == 0.0 && deepest.depth > 0.0) {
        axes.push(axis(a, b, union.normal, AxisSource::Union));
        (deciding, depth) = (axes.len() - 1, union.depth);
    }
    axes[deciding].is_minimum = true;
    axes[deciding].overlap = depth;
    SatExplanation { axes, deciding, depth, parts }
}

/// Projects both parts onto an axis.
fn axis(a: Part<'_>, b: Part<'_>, normal: DVec2, source: AxisSource) -> Axis {
    let projection = |part: Part<'_>| {
        let radius = part.convex.radius;
        let (low, high) = part
            .points()
            .map(|p| p.dot(normal))
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        [low - radius, high + radius]
    };
    let (projection_a, projection_b) = (projection(a), projection(b));
    Axis { normal, source, projection_a, projection_b, overlap: projection_a[1] - projection_b[0], is_minimum: false }
}
