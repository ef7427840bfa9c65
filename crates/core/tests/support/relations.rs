//! Compares the predicates of a pair with the exact relation.

use carom::{Placed, collide, distance, intersects, overlaps};

use super::exact::{Difference, Outline, Relation};

/// Asserts that all predicates of a pair agree with the exact relation, in both orders. Returns the relation.
#[track_caller]
pub fn assert_exact(p: Placed<'_>, q: Placed<'_>, seen: &str) -> Relation {
    let relation = Difference::of(&Outline::of(p), &Outline::of(q)).relation();
    for (p, q) in [(p, q), (q, p)] {
        let seen = format!("{seen}, {relation:?}: {p:?} {q:?}");
        assert_eq!(intersects(p, q), relation != Relation::Apart, "{seen}");
        assert_eq!(overlaps(p, q), relation == Relation::Overlapping, "{seen}");
        assert_eq!(collide(p, q).is_some(), relation != Relation::Apart, "{seen}");
        assert_eq!(distance(p, q).distance == 0.0, relation != Relation::Apart, "{seen}");
    }
    relation
}
