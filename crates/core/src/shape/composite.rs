//! Stores composites, the union of many convex parts: concave polygons, chains, compounds and
//! masks.
//!
//! Input: convex parts, each with an optional pose. Output: the parts, and a static BVH over their
//! boxes. The BVH returns the candidates for a query.
//!
//! Each part is a convex shape of its own, whatever the composite was created from. So one
//! convex–convex kernel and one traversal serve all kinds. A loop over all parts of both shapes
//! takes n · m tests; the traversal visits only pairs whose boxes intersect.
//!
//! The exact set of a composite is the union of its placed parts. The pose of a part is composed
//! with the pose of the shape before any point is placed, so that every point is rounded once.

use alloc::vec::Vec;
use core::fmt;

use super::composite_source::CompositeSource;
use super::convex::Convex;
use super::part::Part;
use super::{Form, Placed};
use crate::broad_phase::static_bvh::StaticBvh;
use crate::math::aabb::Aabb;
use crate::math::pose::Pose;
use crate::math::vector::norm1;
use crate::pair_result::{Distance, Manifold, Margin, Relation};

/// The pair queries of composites: functions of the layer `query`.
///
/// The constructors of composites store a pointer to them. So a program that creates no composite links none of
/// their code. At least one of `a` and `b` is a composite.
pub(crate) trait CompositeQueries: Sync {
    /// Returns the relation, or any relation at least as strong as `enough`.
    fn relation(&self, a: Placed<'_>, b: Placed<'_>, enough: Relation) -> Relation;
    /// Returns the manifold of the deepest pair of parts.
    fn deepest(&self, a: Placed<'_>, b: Placed<'_>, margin: Margin) -> Option<Manifold>;
    /// Appends the manifolds of all pairs of parts.
    fn manifolds(&self, a: Placed<'_>, b: Placed<'_>, margin: Margin, out: &mut Vec<Manifold>);
    /// Returns the distance.
    fn distance(&self, a: Placed<'_>, b: Placed<'_>) -> Distance;
}

/// A pointer to [`CompositeQueries`]. All are equal.
#[derive(Clone, Copy)]
pub(crate) struct QueryTable(pub(crate) &'static dyn CompositeQueries);

impl PartialEq for QueryTable {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl fmt::Debug for QueryTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("QueryTable")
    }
}

/// Two convex shapes and their poses.
pub(crate) type ConvexPair<'a, 'p> = ([&'a Convex; 2], [&'p Pose; 2]);

/// Returns both shapes if they are convex, else the queries of a composite.
#[inline(always)]
pub(crate) fn convex_pair<'a, 'p>(
    a: &'p Placed<'a>,
    b: &'p Placed<'a>,
) -> Result<ConvexPair<'a, 'p>, &'static dyn CompositeQueries> {
    match (&a.shape().0, &b.shape().0) {
        (Form::Convex(p), Form::Convex(q)) => Ok(([p, q], [a.pose_ref(), b.pose_ref()])),
        (Form::Composite(composite), _) | (_, Form::Composite(composite)) => Err(composite.queries.0),
    }
}

/// Convex parts, a BVH over their boxes, and the data that they were created from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Composite {
    queries: QueryTable,
    pub(crate) source: CompositeSource,
    parts: Vec<Convex>,
    /// The pose of each part of a compound. Empty for other composites: then all parts lie in the
    /// shape's own frame.
    poses: Vec<Pose>,
    /// BVH over the boxes of the parts in the shape's own frame, radii included.
    tree: StaticBvh,
    /// The distance by which all parts were grown.
    pub(crate) radius: f64,
    /// Upper bound of `|x| + |y|` of all points relative to the origin, radii included.
    bounding_radius: f64,
    /// True if a part has a front and a back.
    one_sided: bool,
    /// True if a part is a point or a segment without a radius.
    has_thin_parts: bool,
}

impl Composite {
    /// Creates a composite of parts with a pose each; without poses, all parts lie in the shape's own frame.
    pub(crate) fn with_poses(
        queries: QueryTable,
        source: CompositeSource,
        parts: Vec<Convex>,
        poses: Vec<Pose>,
        radius: f64,
    ) -> Self {
        let one_sided = parts.iter().any(Convex::is_one_sided);
        let has_thin_parts = parts.iter().any(Convex::is_thin);
        let mut composite = Self {
            queries,
            source,
            parts,
            poses,
            tree: StaticBvh::new(&[]),
            radius,
            bounding_radius: 0.0,
            one_sided,
            has_thin_parts,
        };
        let boxes: Vec<Aabb> =
            (0..composite.parts.len()).map(|i| composite.part(i as u32, &Pose::IDENTITY).aabb()).collect();
        composite.bounding_radius = boxes.iter().map(|b| norm1(b.min().abs().max(b.max().abs()))).fold(0.0, f64::max);
        composite.tree = StaticBvh::new(&boxes);
        composite
    }

    /// Returns the convex parts, each in its own frame.
    pub(crate) fn convexes(&self) -> &[Convex] {
        &self.parts
    }

    /// Returns the number of parts.
    pub(crate) fn part_count(&self) -> usize {
        self.parts.len()
    }

    /// Returns part `i` of the shape at `pose`. The pose inside a compound is composed with `pose`
    /// first, so that every point is rounded once.
    #[inline]
    pub(crate) fn part(&self, i: u32, pose: &Pose) -> Part<'_> {
        let pose = self.poses.get(i as usize).map_or(*pose, |own| pose.compose(own));
        Part { convex: &self.parts[i as usize], pose }
    }

    /// Returns the BVH over the boxes of the parts.
    pub(crate) fn tree(&self) -> &StaticBvh {
        &self.tree
    }

    /// Returns an upper bound of the distance of all points from the origin.
    pub(crate) fn bounding_radius(&self) -> f64 {
        self.bounding_radius
    }

    /// Returns true if a part has a front and a back.
    pub(crate) fn is_one_sided(&self) -> bool {
        self.one_sided
    }

    /// Returns true if a part is a point or a segment without a radius.
    pub(crate) fn has_thin_parts(&self) -> bool {
        self.has_thin_parts
    }

    /// Returns the composite with all parts grown by `radius`.
    pub(crate) fn rounded(&self, radius: f64) -> Self {
        let mut parts = self.parts.clone();
        for part in &mut parts {
            part.radius += radius;
        }
        self.with_parts(parts, self.radius + radius)
    }

    /// Returns the composite with the same points and other radii.
    pub(crate) fn with_parts(&self, parts: Vec<Convex>, radius: f64) -> Self {
        Self::with_poses(self.queries, self.source.clone(), parts, self.poses.clone(), radius)
    }
}
