//! Collects the parts of a file that were not read.
//!
//! A file can repeat an unread part a million times. So each kind is stored once, with its count
//! and the line of the first. Both lists are sorted, so the output does not depend on the order in
//! the file.

use std::collections::{BTreeMap, BTreeSet};

/// Parts of a file that were not read, each kind once.
#[derive(Debug, Default)]
pub(crate) struct Unread {
    /// Warnings: how often, and the line of the first in an XML file.
    named: BTreeMap<String, (usize, Option<usize>)>,
    /// Parent and name.
    ignored: BTreeSet<(&'static str, &'static str)>,
}

impl Unread {
    /// Adds a warning. `line` is called for the first of its kind only.
    pub(crate) fn name(&mut self, says: &str, line: impl FnOnce() -> Option<usize>) {
        if says.is_empty() {
            return;
        }
        if let Some((count, _)) = self.named.get_mut(says) {
            *count += 1;
        } else {
            self.named.insert(says.to_owned(), (1, line()));
        }
    }

    /// Adds a part that no collider depends on.
    pub(crate) fn ignore(&mut self, parent: &'static str, name: &'static str) {
        self.ignored.insert((parent, name));
    }

    /// Returns the values of [`Scene::warnings`](crate::Scene::warnings) and
    /// [`Scene::ignored`](crate::Scene::ignored).
    pub(crate) fn into_texts(self) -> (Vec<String>, Vec<String>) {
        let named = self.named.into_iter().map(|(says, (count, line))| {
            let line = line.map(|line| format!("line {line}"));
            let times = (count > 1).then(|| format!("{count} times"));
            let location: Vec<String> = line.into_iter().chain(times).collect();
            if location.is_empty() { says } else { format!("{says} ({})", location.join(", ")) }
        });
        (named.collect(), self.ignored.into_iter().map(|(parent, name)| format!("{parent} {name}")).collect())
    }
}
