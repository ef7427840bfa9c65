//! Results of pair queries: relation, manifold and distance; and the margin of a contact. Plain data without
//! algorithms.
//!
//! They lie below the shapes, because a composite names its queries by a table of functions
//! ([`CompositeQueries`](crate::shape::composite::CompositeQueries)).

mod distance;
mod manifold;
mod margin;
mod relation;

pub use distance::Distance;
pub use manifold::{ContactId, ContactPoint, Feature, Manifold};
pub(crate) use margin::Margin;
pub(crate) use relation::Relation;
