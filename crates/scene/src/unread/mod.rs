//! Finds the parts of a file that are not read.
//!
//! Each format has a list of its parts (elements, attributes, keys, chunks), and each part one of
//! three [`Treatment`]s. A reader looks up every part of a file in this list, so no part is lost in
//! silence. `json.rs` and `xml.rs` search a whole file, and `summary.rs` collects the results.
pub(crate) mod json;
mod summary;
pub(crate) mod xml;

pub(crate) use summary::Unread;

/// Treatment of a part of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Treatment {
    /// Decides shapes, poses, ids or layers.
    Read,
    /// Could change a collider, but is not read. Listed in
    /// [`Scene::warnings`](crate::Scene::warnings) if a file has it with an effective value.
    Named,
    /// Appearance, bookkeeping or other data that no collider depends on. Listed in
    /// [`Scene::ignored`](crate::Scene::ignored) if a file has it.
    Ignored,
}

/// Part of a format: an element, an attribute, a key or a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Element or object that contains the part.
    pub parent: &'static str,
    /// Name of the part in the file.
    pub name: &'static str,
    /// Treatment of the part.
    pub treatment: Treatment,
}

/// Parts with the same parent.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) parent: &'static str,
    /// `tile>tileset tile` is a child `tile`, whose own parts are in the entry `tileset tile`.
    pub(crate) read: &'static [&'static str],
    pub(crate) named: &'static [Named],
    pub(crate) ignored: &'static [&'static str],
}

/// Part that is named.
#[derive(Debug)]
pub(crate) struct Named {
    pub(crate) name: &'static str,
    /// Value without effect. An empty value, an empty list and an empty object have none either.
    pub(crate) unless: &'static str,
    /// Warning. Empty if the reader itself names the part.
    pub(crate) says: &'static str,
}

/// Result of the search for a part.
pub(crate) enum Found {
    /// With the entry of its own parts, if it has one.
    Read(Option<&'static Entry>),
    Named(&'static Named),
    Ignored(&'static str),
    Unknown,
}

impl Entry {
    /// Returns the parts of the entry.
    pub(crate) fn parts(&self) -> impl Iterator<Item = Part> {
        let part = |name, treatment| Part { parent: self.parent, name, treatment };
        let read = self.read.iter().map(move |item| part(item.split('>').next().unwrap_or(item), Treatment::Read));
        let named = self.named.iter().map(move |named| part(named.name, Treatment::Named));
        read.chain(named).chain(self.ignored.iter().map(move |name| part(name, Treatment::Ignored)))
    }

    /// Searches a part in this entry, and its child entry in `all`.
    pub(crate) fn find(&self, all: &'static [Entry], name: &str) -> Found {
        for item in self.read {
            let (own, child) = item.split_once('>').map_or((*item, None), |(own, child)| (own, Some(child)));
            if own == name {
                return Found::Read(child.and_then(|child| entry(all, child)));
            }
        }
        if let Some(named) = self.named.iter().find(|named| named.name == name) {
            return Found::Named(named);
        }
        self.ignored.iter().find(|ignored| **ignored == name).map_or(Found::Unknown, |ignored| Found::Ignored(ignored))
    }
}

/// Returns the entry of a parent.
pub(crate) fn entry(all: &'static [Entry], parent: &str) -> Option<&'static Entry> {
    all.iter().find(|entry| entry.parent == parent)
}
