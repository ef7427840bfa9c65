//! Suggests known names for an unknown one.

/// Suggests names that are similar to an unknown name, or all names.
pub(crate) fn known(wrong: &str, known: &[&str], none: &str) -> String {
    const SHOWN: usize = 5;
    const SIMILAR: f64 = 0.75;
    let mut near: Vec<(f64, &str)> = known
        .iter()
        .map(|name| (strsim::jaro_winkler(wrong, name), *name))
        .filter(|(similarity, _)| *similarity >= SIMILAR)
        .collect();
    near.sort_by(|(p, _), (q, _)| q.total_cmp(p));
    let quoted = |names: &[&str]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    if !near.is_empty() {
        let names: Vec<&str> = near.iter().take(SHOWN).map(|(_, name)| *name).collect();
        format!("did you mean {}?", quoted(&names))
    } else if known.is_empty() {
        none.to_owned()
    } else if known.len() > SHOWN {
        format!("there are {} and {} more", quoted(&known[..SHOWN]), known.len() - SHOWN)
    } else {
        format!("there {} {}", if known.len() == 1 { "is" } else { "are" }, quoted(known))
    }
}

#[cfg(test)]
mod tests {
    use super::known;

    #[test]
    fn near_names_come_first_and_long_lists_are_cut() {
        let names = ["ball", "block", "#2", "#3", "crate", "lamp"];
        assert_eq!(known("bal", &names, "none"), "did you mean `ball`?");
        assert_eq!(known("zzz", &names, "none"), "there are `ball`, `block`, `#2`, `#3`, `crate` and 1 more");
        assert_eq!(known("zzz", &names[..1], "none"), "there is `ball`");
        assert_eq!(known("zzz", &[], "none"), "none");
    }
}
