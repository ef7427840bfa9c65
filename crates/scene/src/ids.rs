//! Ids of imported objects, made unique.
use std::collections::HashMap;

/// The ids that have been given out.
#[derive(Debug, Default)]
pub(crate) struct Ids {
    /// The last number that each id was made unique with.
    given: HashMap<String, usize>,
}

impl Ids {
    /// The id itself the first time, `id#2` the second time, and so on.
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
