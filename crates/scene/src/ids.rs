//! Makes the ids of imported objects unique.
//!
//! Names in files may repeat, but results name colliders by id. The second object of a name gets
//! `#2`, and so on. The last number of each name is stored, so a million equal names take linear
//! time.

use std::collections::HashMap;

/// Ids that are in use.
#[derive(Debug, Default)]
pub(crate) struct Ids {
    /// Last suffix number of each id.
    given: HashMap<String, usize>,
}

impl Ids {
    /// Returns the id for its first use, `id#2` for the second, and so on.
    pub(crate) fn unique(&mut self, id: String) -> String {
        let Some(&last) = self.given.get(&id) else {
            self.given.insert(id.clone(), 1);
            return id;
        };
        let mut last = last;
        let unique = loop {
            last += 1;
            let wanted = format!("{id}#{last}");
            if !self.given.contains_key(&wanted) {
                break wanted;
            }
        };
        self.given.insert(id, last);
        self.given.insert(unique.clone(), 1);
        unique
    }
}
