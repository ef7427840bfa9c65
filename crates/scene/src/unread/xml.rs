//! Finds the parts of an XML file that are not read.
//!
//! Input: a parsed document, and the list of parts of its format. Output: entries in [`Unread`].
//!
//! The search visits all elements below the root with an explicit stack, because documents may be
//! nested deeply. Attributes of other namespaces belong to editors and are ignored.

use roxmltree::Node;

use super::{Entry, Found, Unread, entry};

/// Looks up all elements and attributes below `root`, which has the entry `parent`. `has_lines`:
/// warnings name the line.
pub(crate) fn search(all: &'static [Entry], parent: &str, root: Node<'_, '_>, has_lines: bool, unread: &mut Unread) {
    let mut search = XmlSearch { all, has_lines, unread };
    // Documents may be nested deeply, so the stack is explicit.
    let mut open: Vec<(Node<'_, '_>, &'static Entry)> =
        entry(all, parent).map(|entry| (root, entry)).into_iter().collect();
    while let Some((node, entry)) = open.pop() {
        for attribute in node.attributes() {
            if attribute.namespace().is_some() {
                search.unread.ignore("attributes of other namespaces,", "such as those of editors");
            } else {
                search.part(entry, node, attribute.name(), Some(attribute.value()));
            }
        }
        for child in node.children().filter(Node::is_element) {
            open.extend(search.part(entry, child, child.tag_name().name(), None).map(|entry| (child, entry)));
        }
    }
}

/// Looks up the elements and attributes of a file in the list of parts that are read.
struct XmlSearch<'u> {
    all: &'static [Entry],
    has_lines: bool,
    unread: &'u mut Unread,
}

impl XmlSearch<'_> {
    /// Looks up an element, or an attribute with its value. Returns the entry of its own parts, if
    /// they are to be looked up.
    fn part(
        &mut self,
        entry: &'static Entry,
        node: Node<'_, '_>,
        name: &str,
        value: Option<&str>,
    ) -> Option<&'static Entry> {
        let has_lines = self.has_lines;
        let line = || has_lines.then(|| node.document().text_pos_at(node.range().start).row as usize);
        match entry.find(self.all, name) {
            Found::Read(child) => return child,
            Found::Named(named) => {
                if value.is_none_or(|value| !value.is_empty() && value != named.unless) {
                    self.unread.name(named.says, line);
                }
            }
            Found::Ignored(name) => self.unread.ignore(entry.parent, name),
            Found::Unknown => {
                let part = if value.is_some() { format!("attribute {name}") } else { format!("element <{name}>") };
                self.unread.name(&format!("the {part} of <{}> is unknown and not read", entry.parent), line);
            }
        }
        None
    }
}
