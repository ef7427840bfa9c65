//! Counts the elements that the uses of a drawing repeat, before anything is drawn.
//!
//! A `use` repeats its target, which may contain uses. So the number of copies can grow
//! exponentially with the size of the file. [`Uses::new`] counts them in linear time.
//!
//! The graph has an edge from each element to those that it shows. Tarjan's algorithm (1972) finds
//! its strongly connected components, each after all components that are reachable from it. A use
//! whose target is in its own component would show itself and is refused. Without these edges the
//! graph is acyclic. The copies of an element are the sum over the elements that it shows.
use std::collections::{HashMap, HashSet};

use roxmltree::{Document, Node, NodeId};

use super::style::Style;

/// Namespace of SVG.
pub(super) const SVG: &str = "http://www.w3.org/2000/svg";
/// Namespace of `xlink:href`, the reference of a `<use>` before SVG 2.
const XLINK: &str = "http://www.w3.org/1999/xlink";

/// Number of copies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Copies {
    pub(super) elements: u128,
    /// Bytes of the file for these elements, and bytes of the prefixes of their ids.
    pub(super) bytes: u128,
}

impl Copies {
    fn plus(self, other: Self) -> Self {
        Self { elements: self.elements.saturating_add(other.elements), bytes: self.bytes.saturating_add(other.bytes) }
    }
}

/// Uses of a document.
pub(super) struct Uses<'d, 'input> {
    document: &'d Document<'input>,
    ids: HashMap<&'d str, NodeId>,
    /// Uses that would show themselves.
    cyclic: HashSet<NodeId>,
    /// Total that all uses repeat.
    pub(super) copies: Copies,
    /// Use that repeats most.
    pub(super) largest: Option<NodeId>,
}

impl<'d, 'input> Uses<'d, 'input> {
    /// Counts the copies of all uses below the root. If several elements have the same id, the
    /// first is used.
    pub(super) fn new(document: &'d Document<'input>) -> Self {
        let (mut ids, mut any) = (HashMap::new(), false);
        for node in document.descendants().filter(Node::is_element) {
            if let Some(id) = node.attribute("id") {
                ids.entry(id).or_insert(node.id());
            }
            any |= node.tag_name().name() == "use";
        }
        let mut uses = Self { document, ids, cyclic: HashSet::new(), copies: Copies::default(), largest: None };
        if any {
            CycleSearch { uses: &mut uses, found: HashMap::new(), open: Vec::new(), most: 0 }
                .run(document.root_element().id());
        }
        uses
    }

    /// Returns the target of a use, or an error.
    pub(super) fn target(&self, node: Node<'d, 'input>) -> Result<Node<'d, 'input>, String> {
        let target = self.named(node)?;
        if self.cyclic.contains(&node.id()) {
            let id = target.attribute("id").unwrap_or_default();
            return Err(format!("href=\"#{}\": the element would show itself", super::cut(id)));
        }
        Ok(target)
    }

    /// Returns the element with the id in the `href` of a use.
    fn named(&self, node: Node<'d, 'input>) -> Result<Node<'d, 'input>, String> {
        let Some(href) = node.attribute("href").or_else(|| node.attribute((XLINK, "href"))) else {
            return Err("a <use> without href".to_owned());
        };
        let Some(id) = href.trim().strip_prefix('#') else {
            return Err(format!(
                "href=\"{}\": only elements of the same file are shown, as in href=\"#id\"",
                super::cut(href)
            ));
        };
        let target = self.ids.get(id).and_then(|target| self.document.get_node(*target));
        target.ok_or_else(|| format!("href=\"#{}\": there is no element with this id", super::cut(id)))
    }

    fn node(&self, id: NodeId) -> Node<'d, 'input> {
        self.document.get_node(id).unwrap_or_else(|| self.document.root())
    }

    /// Returns the elements that a displayed container or `symbol` shows: the target of a use, the
    /// children of others.
    fn shows(&self, node: Node<'d, 'input>) -> Vec<NodeId> {
        let inner = is_container(node) || is_viewport(node) || node == self.document.root_element();
        if !inner || !Style::default().inside(node).displayed {
            return Vec::new();
        }
        if is_use(node) {
            return self.named(node).iter().map(Node::id).collect();
        }
        shown_children(node).map(|child| child.id()).collect()
    }
}

/// True for elements whose children are drawn.
pub(super) fn is_container(node: Node<'_, '_>) -> bool {
    is_svg(node) && matches!(node.tag_name().name(), "g" | "a" | "svg" | "switch" | "use")
}

/// True for elements of the SVG namespace, or of none.
pub(super) fn is_svg(node: Node<'_, '_>) -> bool {
    node.tag_name().namespace().is_none_or(|space| space == SVG)
}

/// True for elements that a use replaces: its own size is used, and its children are drawn.
pub(super) fn is_viewport(node: Node<'_, '_>) -> bool {
    is_svg(node) && matches!(node.tag_name().name(), "symbol" | "svg")
}

fn is_use(node: Node<'_, '_>) -> bool {
    is_svg(node) && node.tag_name().name() == "use"
}

/// Returns the shown children of a container other than `use`. Of a `switch` the first child
/// without unmet requirements.
pub(super) fn shown_children<'d, 'input>(node: Node<'d, 'input>) -> impl Iterator<Item = Node<'d, 'input>> {
    let switch = node.tag_name().name() == "switch";
    let met = |child: &Node| {
        let asks = |key, met: &dyn Fn(&str) -> bool| child.attribute(key).is_some_and(|value| !met(value));
        !asks("requiredExtensions", &|_| false)
            && !asks("systemLanguage", &|l| l.split(',').any(|l| l.trim().starts_with("en")))
    };
    let most = if switch { 1 } else { usize::MAX };
    node.children().filter(move |child| child.is_element() && (!switch || met(child))).take(most)
}

/// State of a visited element.
#[derive(Clone, Copy, Debug, Default)]
struct Visit {
    /// Index of the visit, and the earliest open element that is reachable.
    order: usize,
    low: usize,
    /// True once its component is complete.
    done: bool,
    /// Element with all that it shows.
    whole: Copies,
    /// Size of the repetitions by uses in it, if it is not inside a use itself.
    repeated: Copies,
}

/// Tarjan's algorithm with an explicit stack, because documents may be nested deeply.
struct CycleSearch<'u, 'd, 'input> {
    uses: &'u mut Uses<'d, 'input>,
    found: HashMap<NodeId, Visit>,
    /// Visited elements whose components are not complete.
    open: Vec<NodeId>,
    /// Copies of the largest use so far.
    most: u128,
}

impl<'d, 'input> CycleSearch<'_, 'd, 'input> {
    fn run(&mut self, root: NodeId) {
        let mut path = vec![(root, self.enter(root))];
        while let Some((id, next)) = path.last_mut() {
            let id = *id;
            if let Some(shown) = next.next() {
                match self.found.get(&shown).copied() {
                    None => path.push((shown, self.enter(shown))),
                    Some(visit) if !visit.done => self.lower(id, visit.order),
                    Some(_) => {}
                }
                continue;
            }
            path.pop();
            let visit = self.found[&id];
            if let Some(&(parent, _)) = path.last() {
                self.lower(parent, visit.low);
            }
            if visit.low == visit.order {
                self.complete(id);
            }
        }
        self.uses.copies = self.found[&root].repeated;
    }

    /// Visits an element. Returns the containers and targets that it shows.
    fn enter(&mut self, id: NodeId) -> std::vec::IntoIter<NodeId> {
        let order = self.found.len();
        self.found.insert(id, Visit { order, low: order, ..Visit::default() });
        self.open.push(id);
        let node = self.uses.node(id);
        let mut shown = self.uses.shows(node);
        // Children that show nothing need no visit.
        shown.retain(|&shown| is_use(node) || is_container(self.uses.node(shown)));
        shown.into_iter()
    }

    fn lower(&mut self, id: NodeId, order: usize) {
        if let Some(visit) = self.found.get_mut(&id) {
            visit.low = visit.low.min(order);
        }
    }

    /// Counts the elements of a component. `root`: its first element.
    fn complete(&mut self, root: NodeId) {
        let start = self.open.iter().rposition(|&id| id == root).unwrap_or(0);
        let mut component = self.open.split_off(start);
        // Only uses refer to earlier elements of the file. Without them, children are counted
        // before their parents.
        component.sort_unstable_by_key(|id| std::cmp::Reverse(id.get()));
        for &id in &component {
            let node = self.uses.node(id);
            if is_use(node) && self.uses.shows(node).iter().any(|target| !self.found[target].done) {
                self.uses.cyclic.insert(id);
            }
        }
        for &id in &component {
            let (whole, repeated) = self.count(self.uses.node(id));
            if let Some(visit) = self.found.get_mut(&id) {
                (visit.whole, visit.repeated) = (whole, repeated);
            }
        }
        for id in component {
            if let Some(visit) = self.found.get_mut(&id) {
                visit.done = true;
            }
        }
    }

    /// [`Visit::whole`] and [`Visit::repeated`] of an element.
    fn count(&mut self, node: Node<'d, 'input>) -> (Copies, Copies) {
        let (mut whole, mut repeated) = (own(node), Copies::default());
        let shown = self.uses.shows(node);
        if !is_use(node) {
            for child in shown.into_iter().map(|id| self.uses.node(id)) {
                // A child that is no container draws at most itself.
                let visit = self.found.get(&child.id()).filter(|_| is_container(child));
                let counts =
                    visit.map_or_else(|| (own(child), Copies::default()), |visit| (visit.whole, visit.repeated));
                (whole, repeated) = (whole.plus(counts.0), repeated.plus(counts.1));
            }
        } else if let Some(target) = shown.first().filter(|_| !self.uses.cyclic.contains(&node.id())) {
            repeated = self.found[target].whole;
            repeated.elements -= u128::from(is_viewport(self.uses.node(*target)));
            let id = node.attribute("id").map_or(0, str::len) as u128;
            repeated.bytes = repeated.bytes.saturating_add(repeated.elements.saturating_mul(id));
            whole = whole.plus(repeated);
            if self.uses.largest.is_none() || repeated.elements > self.most {
                (self.uses.largest, self.most) = (Some(node.id()), repeated.elements);
            }
        }
        (whole, repeated)
    }
}

/// Returns the size of an element without its children: tags, text and comments. Of a `switch` all
/// children are read.
fn own(node: Node<'_, '_>) -> Copies {
    let inside = if node.tag_name().name() == "switch" {
        0
    } else {
        node.children().filter(Node::is_element).map(|child| child.range().len()).sum()
    };
    Copies { elements: 1, bytes: (node.range().len() - inside) as u128 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Generates random drawings of groups, uses, symbols and hidden elements with references,
    /// often cyclic.
    fn random_drawing(seed: u64) -> String {
        let mut state = seed;
        let mut next = move |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let (mut text, mut open): (Vec<String>, Vec<&str>) = Default::default();
        for i in 0..40 {
            let hidden = if next(8) == 0 { " display=\"none\"" } else { "" };
            match next(8) {
                0 => text.push(format!("<circle id=\"n{i}\" r=\"1\"><title/></circle>")),
                1 | 2 if open.len() < 4 => {
                    let name = ["g", "g", "svg", "symbol", "switch", "defs", "a"][next(7) as usize];
                    text.push(format!("<{name} id=\"n{i}\"{hidden}>"));
                    open.push(name);
                }
                3 => text.extend(open.pop().map(|name| format!("</{name}>"))),
                4 => text.push(format!("<rect id=\"n{i}\" systemLanguage=\"de\"/><!-- {i} -->")),
                _ => text.push(format!("<use id=\"n{i}\"{hidden} href=\"#n{}\"/>", next(42))),
            }
        }
        text.extend(open.iter().rev().map(|name| format!("</{name}>")));
        format!("<svg xmlns=\"{SVG}\">{}</svg>", text.concat())
    }

    /// Expands every use in place, as an oracle. Returns `None` if more than `left` elements
    /// result.
    struct Naive<'d, 'input> {
        document: &'d Document<'input>,
        cyclic: HashSet<NodeId>,
        left: i64,
    }

    impl<'d, 'input> Naive<'d, 'input> {
        fn target(&self, node: Node<'d, 'input>) -> Option<Node<'d, 'input>> {
            let href = node.attribute("href").and_then(|href| href.strip_prefix('#'));
            self.document.descendants().find(|node| node.attribute("id").is_some() && node.attribute("id") == href)
        }

        /// Returns all elements that are reachable from an element, by a simple search.
        fn reach(&self, from: Node<'d, 'input>) -> HashSet<NodeId> {
            let (mut found, mut todo) = (HashSet::new(), vec![from]);
            while let Some(node) = todo.pop() {
                if found.insert(node.id()) {
                    todo.extend(
                        self.next(node, true)
                            .iter()
                            .filter(|child| is_container(**child) || node.tag_name().name() == "use"),
                    );
                }
            }
            found
        }

        /// Returns the elements that an element shows.
        fn next(&self, node: Node<'d, 'input>, target: bool) -> Vec<Node<'d, 'input>> {
            let name = node.tag_name().name();
            let children = || node.children().filter(Node::is_element);
            match name {
                _ if node.attribute("display").is_some() => Vec::new(),
                "use" => self.target(node).into_iter().collect(),
                "switch" => children().find(|child| child.attribute("systemLanguage").is_none()).into_iter().collect(),
                "g" | "a" | "svg" => children().collect(),
                "symbol" if target => children().collect(),
                _ => Vec::new(),
            }
        }

        /// Visits an element. `copies` is true inside a use. Returns the elements and bytes that
        /// uses repeat.
        fn visit(&mut self, node: Node<'d, 'input>, prefix: Option<usize>, target: bool) -> Copies {
            self.left -= 1;
            let mut sum = Copies::default();
            if self.left < 0 {
                return sum;
            }
            let name = node.tag_name().name();
            if let Some(prefix) = prefix {
                let inner: usize = node
                    .children()
                    .filter(|child| child.is_element() && name != "switch")
                    .map(|child| child.range().len())
                    .sum();
                let shell = target && matches!(name, "symbol" | "svg");
                sum = Copies {
                    elements: u128::from(!shell),
                    bytes: (node.range().len() - inner + if shell { 0 } else { prefix }) as u128,
                };
            }
            if self.cyclic.contains(&node.id()) {
                return sum;
            }
            let inside =
                if name == "use" { Some(prefix.unwrap_or(0) + node.attribute("id").unwrap().len()) } else { prefix };
            for child in self.next(node, target) {
                sum = sum.plus(self.visit(child, inside, name == "use"));
            }
            sum
        }
    }

    /// The counts and cycles equal those of the expansion.
    #[test]
    fn copies_are_those_of_expanding_every_use() {
        let (mut cycles, mut most) = (0, 0);
        for seed in 0..3000 {
            let text = random_drawing(seed);
            let document = Document::parse(&text).unwrap();
            let uses = Uses::new(&document);
            let mut naive = Naive { document: &document, cyclic: HashSet::new(), left: 200_000 };
            let root = document.root_element();
            let shown = naive.reach(root);
            let circular = |node: &Node<'_, '_>| {
                naive.next(*node, true).iter().any(|target| naive.reach(*target).contains(&node.id()))
            };
            naive.cyclic =
                document.descendants().filter(|node| is_use(*node) && circular(node)).map(|node| node.id()).collect();
            let met: HashSet<_> = naive.cyclic.intersection(&shown).copied().collect();
            assert_eq!(uses.cyclic, met, "{text}");
            let copies = naive.visit(root, None, false);
            if naive.left >= 0 {
                assert_eq!(uses.copies, copies, "{text}");
                most = most.max(copies.elements);
            }
            cycles += usize::from(!met.is_empty());
        }
        assert!(cycles > 300 && most > 60, "{cycles} drawings with circles, at most {most} elements");
    }
}
