//! Stores composites, the union of many convex parts: concave polygons, chains, compounds and
//! masks.
//!
//! Input: convex parts, each with an optional pose, or the data to compute them from. Output: the parts, and a static
//! BVH over their boxes. The BVH returns the candidates for a query. Polygons without a radius also have an
//! [`Outline`]: many queries need only that, and then the parts are never computed.
//!
//! Each part is a convex shape of its own, whatever the composite was created from. So one
//! convex–convex kernel and one traversal serve all kinds. A loop over all parts of both shapes
//! takes n · m tests; the traversal visits only pairs whose boxes intersect.
//!
//! The exact set of a composite is the union of its placed parts. The pose of a part is composed
//! with the pose of the shape before any point is placed, so that every point is rounded once.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

use glam::DVec2;
use once_cell::race::OnceBox;

use super::composite_parts::CompositeParts;
use super::composite_source::CompositeSource;
use super::convex::Convex;
use super::members::Members;
use super::outline::{INLINE_EDGES, Outline};
use super::part::Part;
use super::{Form, Placed, Shape};
use crate::broad_phase::static_bvh::StaticBvh;
use crate::error::Error;
use crate::math::pose::Pose;
use crate::pair_result::{Distance, Manifold, Margin, Relation};

/// The pair queries of composites: functions of the layer `query`.
///
/// The constructors of composites store a pointer to them. So a program that creates no composite links none of
/// their code. At least one of `a` and `b` is a composite.
pub(crate) trait CompositeQueries: Sync {
    /// Computes the parts of a polygon or a compound without a radius.
    fn parts_of(&self, source: &CompositeSource) -> CompositeParts;
    /// Returns a composite with all parts grown by `radius`, or an error if a part would be too large.
    fn rounded(&self, composite: &Composite, radius: f64) -> Result<Composite, Error>;
    /// Returns the relation, or any relation at least as strong as `enough`.
    fn relation(&self, a: Placed<'_>, b: Placed<'_>, enough: Relation) -> Relation;
    /// Returns true if a composite contains a point, which must be in range.
    fn contains_point(&self, placed: Placed<'_>, point: DVec2) -> bool;
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

/// The data that a composite was created from, the outline of a polygon, and the convex parts.
///
/// The parts of polygons and compounds are computed by the first query that needs them. If two threads compute them at
/// once, both get the same parts, and one copy is kept.
pub(crate) struct Composite {
    queries: QueryTable,
    pub(crate) source: CompositeSource,
    /// The boundary of a polygon without a radius.
    outline: Option<Outline>,
    /// True for a polygon with an outline, and for a compound of polygons that have one. A part of the compound must
    /// be concave: the convex parts of other compounds are as fast.
    has_outlines: bool,
    /// The distance by which all parts were grown.
    pub(crate) radius: f64,
    parts: OnceBox<CompositeParts>,
    /// The outlines of a compound that has outlines, computed by the first query.
    members: OnceBox<Option<Members>>,
}

impl Composite {
    /// Creates a composite. Without parts, the first query that needs them computes them.
    ///
    /// Only polygons and compounds without a radius can be created without parts. An outline must be that of the parts.
    pub(crate) fn new(
        queries: QueryTable,
        source: CompositeSource,
        radius: f64,
        outline: Option<Outline>,
        parts: Option<CompositeParts>,
    ) -> Self {
        let parts = parts.map_or_else(OnceBox::new, |parts| OnceBox::with_value(Box::new(parts)));
        let outline = if radius == 0.0 { outline } else { None };
        let has_outlines = match &source {
            CompositeSource::Compound(compound) if radius == 0.0 => {
                let is_polygon = |(child, _): &(Shape, Pose)| match &child.0 {
                    Form::Convex(convex) => convex.radius == 0.0 && convex.hull_vertex_count() >= 3,
                    Form::Composite(composite) => composite.has_outlines(),
                };
                compound.children.iter().all(is_polygon)
                    && compound.children.iter().any(|(child, _)| matches!(child.0, Form::Composite(_)))
            }
            _ => outline.is_some(),
        };
        Self { queries, source, outline, has_outlines, radius, parts, members: OnceBox::new() }
    }

    /// Returns the convex parts and their BVH. Computes them at the first call.
    #[inline]
    pub(crate) fn parts(&self) -> &CompositeParts {
        self.parts.get_or_init(|| Box::new(self.queries.0.parts_of(&self.source)))
    }

    /// Returns the pair queries of composites.
    pub(crate) fn queries(&self) -> &'static dyn CompositeQueries {
        self.queries.0
    }

    /// Returns the boundary of a polygon without a radius; `None` for other composites.
    #[inline]
    pub(crate) fn outline(&self) -> Option<&Outline> {
        self.outline.as_ref()
    }

    /// Returns true for a polygon with an outline, and for a compound of polygons that have one.
    #[inline]
    pub(crate) fn has_outlines(&self) -> bool {
        self.has_outlines
    }

    /// Returns the outlines of a compound of polygons; `None` for other composites, and if a pose of a child rounds a
    /// vertex. Collects them at the first call.
    pub(crate) fn members(&self) -> Option<&Members> {
        let children = self.children().filter(|_| self.has_outlines)?;
        self.members.get_or_init(|| Box::new(Members::new(children))).as_ref()
    }

    /// Returns the number of blocks of edges of all outlines; 0 without outlines.
    pub(crate) fn block_count(&self) -> usize {
        match &self.outline {
            Some(outline) => outline.blocks().len(),
            None => self.members().map_or(0, Members::block_count),
        }
    }

    /// Returns the children of a compound without a radius; `None` for other composites.
    pub(crate) fn children(&self) -> Option<&[(Shape, Pose)]> {
        match &self.source {
            CompositeSource::Compound(compound) if self.radius == 0.0 => Some(&compound.children),
            _ => None,
        }
    }

    /// Returns the convex parts, each in its own frame.
    pub(crate) fn convexes(&self) -> &[Convex] {
        &self.parts().convexes
    }

    /// Returns the number of parts.
    pub(crate) fn part_count(&self) -> usize {
        self.convexes().len()
    }

    /// Returns part `i` of the shape at `pose`. The pose inside a compound is composed with `pose`
    /// first, so that every point is rounded once.
    #[inline]
    pub(crate) fn part(&self, i: u32, pose: &Pose) -> Part<'_> {
        self.parts().part(i, pose)
    }

    /// Returns the BVH over the boxes of the parts.
    pub(crate) fn tree(&self) -> &StaticBvh {
        &self.parts().tree
    }

    /// Returns an upper bound of the distance of all points from the origin.
    pub(crate) fn bounding_radius(&self) -> f64 {
        self.parts().bounding_radius
    }

    /// Returns true if a part has a front and a back.
    pub(crate) fn is_one_sided(&self) -> bool {
        self.parts().one_sided
    }

    /// Returns true if a part is a point or a segment without a radius.
    pub(crate) fn has_thin_parts(&self) -> bool {
        self.parts().has_thin_parts
    }

    /// Returns the composite with all parts grown by `radius`.
    pub(crate) fn rounded(&self, radius: f64) -> Self {
        let mut parts = self.convexes().to_vec();
        for part in &mut parts {
            part.radius += radius;
        }
        self.with_parts(parts, self.radius + radius)
    }

    /// Returns the composite with the same points and other radii.
    pub(crate) fn with_parts(&self, convexes: Vec<Convex>, radius: f64) -> Self {
        let CompositeParts { poses, first_parts, .. } = self.parts();
        let parts = CompositeParts { first_parts: first_parts.clone(), ..CompositeParts::new(convexes, poses.clone()) };
        // Computed again: `Clone` for outlines would be compiled for this rare case alone. With a radius there is none.
        let outline = match (&self.source, &self.outline) {
            (CompositeSource::Concave(rings), Some(outline)) if radius == 0.0 => {
                rings.outline(outline.touches_itself())
            }
            _ => None,
        };
        Self::new(self.queries, self.source.clone(), radius, outline, Some(parts))
    }
}

impl PartialEq for Composite {
    /// The source determines the parts, unless radii were added one by one.
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
            && self.radius == other.radius
            && (self.radius == 0.0 || self.parts() == other.parts())
    }
}

impl fmt::Debug for Composite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Composite").field("source", &self.source).field("radius", &self.radius).finish_non_exhaustive()
    }
}

impl Shape {
    /// Returns true for a polygon that is an [`Outline`] or small enough to become one, and for a compound of these.
    #[inline]
    pub(crate) fn has_outlines(&self) -> bool {
        match &self.0 {
            Form::Convex(convex) => convex.radius == 0.0 && (3..=INLINE_EDGES).contains(&convex.hull_vertex_count()),
            Form::Composite(composite) => composite.has_outlines(),
        }
    }
}
