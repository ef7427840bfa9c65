//! Defines the results of contact queries: feature ids, contact points and manifolds.
//!
//! A manifold has one or two points: two convex shapes touch at a point or along a segment. Feature
//! ids name the edges and vertices of a point. A solver finds the same point in the next frame by
//! its id.

use glam::DVec2;

use crate::math::both::both;

/// A vertex or an edge of a shape, as an index into the shape's input.
///
/// Edge i of a polygon runs from vertex i to the next one. The two edges of a segment or capsule are its two sides.
/// The only feature of a circle is vertex 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Feature {
    /// A vertex.
    Vertex(u32),
    /// An edge.
    Edge(u32),
}

impl Feature {
    /// Returns the feature as a number: twice the index, plus 1 for an edge.
    #[inline(always)]
    pub(crate) fn code(self) -> u64 {
        match self {
            Self::Vertex(i) => u64::from(i) << 1,
            Self::Edge(i) => u64::from(i) << 1 | 1,
        }
    }

    /// Returns the feature of a [`code`](Self::code).
    #[inline(always)]
    pub(crate) fn from_code(code: u64) -> Self {
        let i = (code >> 1) as u32;
        if code & 1 == 0 { Self::Vertex(i) } else { Self::Edge(i) }
    }
}

/// The features of both shapes at a contact point. Identifies the same contact point in the next frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct ContactId {
    /// The feature of the first shape.
    pub a: Feature,
    /// The feature of the second shape.
    pub b: Feature,
}

/// One point of a contact.
///
/// `on_a` and `on_b` lie on the surfaces of the two shapes (of the two parts, for composites). If a
/// rounded side lies at an angle over an edge, the second point is on that side. It is not on the
/// disc around the vertex behind it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPoint {
    /// Point on the surface of the first shape.
    pub on_a: DVec2,
    /// Point on the surface of the second shape: `on_a - normal * depth`, up to rounding.
    pub on_b: DVec2,
    /// Penetration depth at this point along the normal. Negative for a gap within the margin.
    pub depth: f64,
    /// Feature id: constant while the same features touch.
    pub id: ContactId,
}

impl ContactPoint {
    /// Returns the midpoint of `on_a` and `on_b`.
    #[must_use]
    pub fn position(&self) -> DVec2 {
        self.on_a + (self.on_b - self.on_a) * 0.5
    }
}

/// The contact of two shapes: normal, depth and one or two points.
///
/// ```
/// use carom::{DVec2, Shape, collide};
///
/// let floor = Shape::rectangle(10.0, 2.0)?;
/// let crate_ = Shape::rectangle(1.0, 1.0)?;
/// let manifold = collide(floor.at([0.0, 0.0])?, crate_.at([2.0, 1.25])?).unwrap();
/// assert_eq!(manifold.normal, DVec2::Y); // from the first shape to the second
/// assert_eq!(manifold.depth, 0.25);
/// assert_eq!(manifold.mtv(), DVec2::new(0.0, 0.25)); // moves the second shape out of the first
/// assert_eq!(manifold.points().len(), 2);
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Manifold {
    /// Unit vector from the first shape to the second.
    pub normal: DVec2,
    /// Distance that the second shape must move along `normal` until both only touch.
    ///
    /// It is 0 if they touch, negative for a gap within the margin.
    pub depth: f64,
    /// Index of the first shape's part in this contact; 0 if the shape is convex.
    pub part_a: u32,
    /// Index of the second shape's part in this contact; 0 if the shape is convex.
    pub part_b: u32,
    points: [ContactPoint; 2],
    count: u8,
}

impl Manifold {
    #[inline(always)]
    pub(crate) fn one(normal: DVec2, depth: f64, point: ContactPoint) -> Self {
        Self { normal, depth, part_a: 0, part_b: 0, points: [point; 2], count: 1 }
    }

    /// Builds a manifold of one point, from the points on the surfaces and the features. Both are in the order of the
    /// pair if `of` is 0, else reversed.
    #[inline(always)]
    pub(crate) fn at(of: usize, normal: DVec2, depth: f64, surfaces: [DVec2; 2], features: [Feature; 2]) -> Self {
        let ([p, q], [e, f]) = (surfaces, features);
        let ([on_a, on_b], [a, b]) = if of == 0 { ([p, q], [e, f]) } else { ([q, p], [f, e]) };
        Self::one(normal, depth, ContactPoint { on_a, on_b, depth, id: ContactId { a, b } })
    }

    /// Builds a manifold of `count` points.
    ///
    /// If `count` is 1, `points[1]` must be a copy of `points[0]`, so that equal contacts are equal.
    #[inline(always)]
    pub(crate) fn of(normal: DVec2, depth: f64, points: [ContactPoint; 2], count: u8) -> Self {
        Self { normal, depth, part_a: 0, part_b: 0, points, count }
    }

    /// Rebuilds a stored manifold. If `count` is 1, `points[1]` is a copy of `points[0]`.
    pub(crate) fn from_stored(
        normal: DVec2,
        depth: f64,
        [part_a, part_b]: [u32; 2],
        points: [ContactPoint; 2],
        count: u8,
    ) -> Self {
        Self { normal, depth, part_a, part_b, points, count: count.clamp(1, 2) }
    }

    /// Returns the same contact with the given part indices.
    pub(crate) fn of_parts(self, [part_a, part_b]: [u32; 2]) -> Self {
        Self { part_a, part_b, ..self }
    }

    /// Returns the same contact with other depths and the same point count.
    pub(crate) fn with_points(&self, depth: f64, points: [ContactPoint; 2]) -> Self {
        Self { depth, points, ..*self }
    }

    /// Returns true if there is a gap, within the margin.
    #[inline]
    pub(crate) fn is_gap(&self) -> bool {
        self.depth < 0.0
    }

    /// Returns the minimum translation vector. Moving the second shape by it ends the overlap.
    #[inline]
    #[must_use]
    pub fn mtv(&self) -> DVec2 {
        self.normal * self.depth
    }

    /// Returns one or two contact points. The deepest point has the manifold's depth.
    #[inline]
    #[must_use]
    pub fn points(&self) -> &[ContactPoint] {
        &self.points[..usize::from(self.count)]
    }

    /// Returns the same contact with the shapes in the other order.
    #[must_use]
    pub fn flipped(&self) -> Self {
        let flip = |p: ContactPoint| ContactPoint {
            on_a: p.on_b,
            on_b: p.on_a,
            depth: p.depth,
            id: ContactId { a: p.id.b, b: p.id.a },
        };
        let points = both(self.points, flip);
        Self { normal: -self.normal, part_a: self.part_b, part_b: self.part_a, points, ..*self }
    }
}
