//! Defines the result of the exact predicates: apart, touching or overlapping.

/// Relation of two closed sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Relation {
    /// The sets have no common point.
    Apart,
    /// Only boundary points are shared: the origin is on the boundary of the Minkowski difference.
    Touching,
    /// The origin lies in the interior of the Minkowski difference.
    Overlapping,
}
