//! Words the last line of the tables of `check`.
use carom_scene::draw::Contact;

use crate::number_format::count;

/// Returns the last line of the table of contacts.
pub(super) fn summary(shapes: usize, contacts: &[Contact]) -> String {
    let (near, intersecting): (Vec<&Contact>, Vec<&Contact>) =
        contacts.iter().partition(|contact| contact.manifold.depth < 0.0);
    let touching = intersecting.iter().filter(|contact| contact.manifold.depth == 0.0).count();
    let meet = match intersecting.len() {
        0 => "no pair intersects".to_owned(),
        1 => "1 pair intersects".to_owned(),
        pairs => format!("{pairs} pairs intersect"),
    };
    let mut parts = vec![meet];
    if touching > 0 {
        parts.push(format!("{touching} only touching"));
    }
    if !near.is_empty() {
        parts.push(count(near.len(), "near miss"));
    }
    format!("{}: {}", count(shapes, "shape"), parts.join(", "))
}

/// Returns the last line of the other tables.
pub(super) fn tally(shapes: usize, found: usize, what: &str) -> String {
    let found = match (found, what) {
        (0, "hit") => "nothing is hit".to_owned(),
        (0, "pair") => "no pair intersects".to_owned(),
        (0, _) => "no shape contains another".to_owned(),
        (n, "hit") => count(n, "hit"),
        (1, "pair") => "1 pair intersects".to_owned(),
        (n, "pair") => format!("{n} pairs intersect"),
        (n, _) => count(n, "contained pair"),
    };
    format!("{}: {found}", count(shapes, "shape"))
}
