//! Reads the tree of elements with inherited properties.
//!
//! Input: a parsed document. Output: a [`Drawing`], the painted elements with their geometry in
//! units of the drawing, in document order.
//!
//! ```text
//! visit(element, properties of the parent)
//!     properties = those of the parent, changed by the attributes of the element
//!     container: visit its children
//!     use: visit its target, at the position of the use
//!     shape: read its geometry, if it is filled or stroked
//! ```
//!
//! A small file can show an element millions of times by nested uses. So their number is computed
//! first (`uses.rs`). An error of one element is stored with it, because the options may allow to
//! skip it.

use std::rc::Rc;

use kurbo::{Affine, Vec2};
use roxmltree::{Document, Node};

use super::element::{ElementGeometry, is_shape, outline};
use super::style::Style;
use super::units::{PercentOf, fit, length, transform, view_box};
use super::unread;
use super::uses::{Copies, Uses, is_svg, is_viewport, shown_children};
use crate::Error;
use crate::unread::Unread;

/// Largest depth of elements, because each level uses stack.
const MAX_DEPTH: usize = 200;

/// Largest number of elements that the uses of a drawing repeat. A small file can have millions of
/// uses.
const MAX_USED: u128 = 1 << 20;

/// Largest number of bytes of the file that the uses repeat. A path of a megabyte needs time and
/// memory for each use.
const MAX_REPEATED: u128 = 1 << 26;

/// Warning about strokes.
const STROKE: &str = "the width of strokes is not read: strokes without fill are chains along their middle";

/// Namespace of the names of layers.
const INKSCAPE: &str = "http://www.inkscape.org/namespaces/inkscape";

/// All painted elements.
#[derive(Debug, Default)]
pub(super) struct Drawing {
    pub(super) elements: Vec<Element>,
    /// Larger side of the viewport, if the file has one.
    pub(super) size: Option<f64>,
    /// Omitted kinds.
    pub(super) notes: Unread,
}

/// Painted element.
#[derive(Debug)]
pub(super) struct Element {
    /// Id of the element, or of the use that shows it.
    pub(super) id: Option<String>,
    /// Name of the element, and its byte in the file.
    pub(super) name: String,
    pub(super) at: usize,
    /// Inkscape layer and outermost named group that contain it.
    pub(super) layer: Option<Rc<str>>,
    pub(super) group: Option<Rc<str>>,
    pub(super) style: Style,
    pub(super) outline: Result<ElementGeometry, String>,
}

/// Inherited properties of an element.
#[derive(Clone)]
struct Inherited {
    transform: Affine,
    style: Style,
    /// Size of the viewport, for percentages.
    size: Vec2,
    layer: Option<Rc<str>>,
    group: Option<Rc<str>>,
    /// True inside the target of a use.
    copied: bool,
    /// Id of the use whose target is this element.
    id: Option<String>,
    /// Prefix of the ids inside a group that a use shows.
    prefix: Rc<str>,
    /// Reason for an unknown position.
    broken: Option<String>,
    depth: usize,
}

/// Visits the elements of the document.
pub(super) fn drawing(file: &str, document: &Document<'_>) -> Result<Drawing, Error> {
    let root = document.root_element();
    let mut reader = DocumentReader { file, document, uses: Uses::new(document), drawing: Drawing::default() };
    // A style sheet may apply to any element, also to earlier ones.
    for node in document.descendants().filter(|node| node.is_element() && node.tag_name().name() == "style") {
        reader.note(node, "a style sheet (<style>) is not read: write what it says as attributes");
    }
    if root.tag_name().name() != "svg" {
        return Err(reader.error(root, format!("expected an <svg>, found <{}>", root.tag_name().name())));
    }
    reader.check_copies()?;
    reader.root(root)?;
    Ok(reader.drawing)
}

/// State while the elements are read.
struct DocumentReader<'d, 'input> {
    file: &'d str,
    document: &'d Document<'input>,
    uses: Uses<'d, 'input>,
    drawing: Drawing,
}

impl<'d, 'input> DocumentReader<'d, 'input> {
    fn error(&self, node: Node<'_, '_>, message: impl Into<String>) -> Error {
        let at = self.document.text_pos_at(node.range().start);
        Error::at(self.file, format!("line {}, column {}", at.row, at.col), message)
    }

    /// Refuses a drawing whose uses repeat too much, before any repetition.
    fn check_copies(&self) -> Result<(), Error> {
        let Copies { elements, bytes } = self.uses.copies;
        let (count, limit, what) = if elements > MAX_USED {
            (elements, MAX_USED, "elements")
        } else {
            (bytes, MAX_REPEATED, "bytes of the file")
        };
        if count <= limit {
            return Ok(());
        }
        let least = if count == u128::MAX { "at least " } else { "" };
        let message = format!(
            "the uses of this drawing show {least}{count} {what}; the limit is {limit}: this one shows most, let it \
             show less"
        );
        let node = self.uses.largest.and_then(|id| self.document.get_node(id)).unwrap_or(self.document.root_element());
        Err(self.error(node, message))
    }

    /// Names an element that is not read, if it could paint or change the painting.
    fn note_element(&mut self, node: Node<'_, '_>) {
        if let Some(note) = unread::element(node.tag_name().name()) {
            self.note(node, note);
        }
    }

    fn note(&mut self, node: Node<'_, '_>, what: &'static str) {
        self.drawing.notes.name(what, || Some(node.document().text_pos_at(node.range().start).row as usize));
    }

    /// Returns the outermost viewport. Its size is that of the file, or that of the view box.
    fn root(&mut self, root: Node<'d, 'input>) -> Result<(), Error> {
        let fail = |reader: &Self, message| reader.error(root, format!("<svg>: {message}"));
        let view = view_box(root).map_err(|m| fail(self, m))?;
        let shown = view.map_or(Vec2::new(100.0, 100.0), |view| Vec2::new(view.w, view.h));
        let width = length(root, "width", PercentOf::Width, shown).map_err(|m| fail(self, m))?;
        let height = length(root, "height", PercentOf::Height, shown).map_err(|m| fail(self, m))?;
        // A missing side follows from the other side and the proportions of the view box.
        let size = match (width, height) {
            (Some(width), Some(height)) => Vec2::new(width, height),
            (Some(width), None) => Vec2::new(width, shown.y * (width / shown.x)),
            (None, Some(height)) => Vec2::new(shown.x * (height / shown.y), height),
            (None, None) => shown,
        };
        if size.x < 0.0 || size.y < 0.0 {
            return Err(fail(self, format!("width {}, height {}: expected 0 or more", size.x, size.y)));
        }
        let stated = view.is_some() || width.is_some() || height.is_some();
        self.drawing.size = Some(size.x.max(size.y)).filter(|size| stated && *size > 0.0);
        let transform = match &view {
            // A drawing of size 0 keeps its coordinates.
            Some(view) if size.x > 0.0 && size.y > 0.0 => fit(root, view, size).map_err(|m| fail(self, m))?,
            _ => Affine::IDENTITY,
        };
        let size = view.map_or(size, |view| Vec2::new(view.w, view.h));
        let style = Style::default().inside(root);
        let prefix = Rc::from("");
        let around = Inherited {
            transform,
            style,
            size,
            layer: None,
            group: None,
            copied: false,
            id: None,
            prefix,
            broken: None,
            depth: 0,
        };
        if style.displayed { self.children(root, &around) } else { Ok(()) }
    }

    fn children(&mut self, parent: Node<'d, 'input>, around: &Inherited) -> Result<(), Error> {
        shown_children(parent).try_for_each(|child| self.node(child, around))
    }

    fn node(&mut self, node: Node<'d, 'input>, around: &Inherited) -> Result<(), Error> {
        if around.depth > MAX_DEPTH {
            return Err(self.error(node, format!("elements more than {MAX_DEPTH} deep inside each other")));
        }
        if !is_svg(node) {
            return Ok(());
        }
        let name = node.tag_name().name();
        match name {
            "g" | "a" | "svg" | "switch" | "use" => self.container(node, around),
            name if is_shape(name) => {
                self.shape(node, around);
                Ok(())
            }
            _ => {
                self.note_element(node);
                Ok(())
            }
        }
    }

    /// Returns the properties inside an element. `None` if it is not displayed.
    fn inside(&mut self, node: Node<'d, 'input>, around: &Inherited) -> Option<Inherited> {
        let style = around.style.inside(node);
        if !style.displayed {
            return None;
        }
        for note in unread::properties(node) {
            self.note(node, note);
        }
        let mut inside = Inherited { style, depth: around.depth + 1, ..around.clone() };
        match transform(node) {
            Ok(own) => inside.transform = around.transform * own,
            Err(message) => inside.broken = Some(message),
        }
        Some(inside)
    }

    fn container(&mut self, node: Node<'d, 'input>, around: &Inherited) -> Result<(), Error> {
        let Some(mut inside) = self.inside(node, around) else { return Ok(()) };
        let name = node.tag_name().name();
        if name == "use" {
            return self.expand_use(node, inside);
        }
        if name == "g" {
            enter_group(node, &mut inside);
        }
        if let Some(id) = inside.id.take() {
            inside.prefix = format!("{id}.").into();
        }
        if name == "svg" {
            viewport(node, node, Vec2::ZERO, &mut inside);
        }
        self.children(node, &inside)
    }

    /// Visits the target of a `use` at the position of the use.
    fn expand_use(&mut self, node: Node<'d, 'input>, mut inside: Inherited) -> Result<(), Error> {
        let target = match self.uses.target(node) {
            Ok(target) => target,
            Err(message) => {
                self.push(node, &inside, Err(message));
                return Ok(());
            }
        };
        let position = || {
            Ok::<_, String>((
                length(node, "x", PercentOf::Width, inside.size)?,
                length(node, "y", PercentOf::Height, inside.size)?,
            ))
        };
        let at = match position() {
            Ok((x, y)) => Vec2::new(x.unwrap_or(0.0), y.unwrap_or(0.0)),
            Err(message) => {
                inside.broken = Some(message);
                Vec2::ZERO
            }
        };
        let own = node.attribute("id").map(|id| format!("{}{id}", inside.prefix));
        inside.id = own.or(inside.id);
        inside.copied = true;
        if !is_viewport(target) {
            inside.transform *= Affine::translate(at);
            return self.node(target, &inside);
        }
        let Some(mut inner) = self.inside(target, &inside) else { return Ok(()) };
        if let Some(id) = inner.id.take() {
            inner.prefix = format!("{id}.").into();
        }
        viewport(target, node, at, &mut inner);
        self.children(target, &inner)
    }

    fn shape(&mut self, node: Node<'d, 'input>, around: &Inherited) {
        let Some(inside) = self.inside(node, around) else { return };
        let style = inside.style;
        if !style.visible || !(style.fill || style.stroke) {
            return;
        }
        if style.stroke {
            self.note(node, STROKE);
        }
        node.children().filter(|child| child.is_element() && is_svg(*child)).for_each(|child| self.note_element(child));
        let found = match &inside.broken {
            Some(message) => Err(message.clone()),
            None => outline(node, inside.size, inside.transform, style.fill),
        };
        if let Some(outline) = found.transpose() {
            self.push(node, &inside, outline);
        }
    }

    fn push(&mut self, node: Node<'d, 'input>, inside: &Inherited, outline: Result<ElementGeometry, String>) {
        let own = node.attribute("id").or_else(|| node.attribute((INKSCAPE, "label"))).filter(|id| !id.is_empty());
        self.drawing.elements.push(Element {
            id: inside.id.clone().or_else(|| own.map(|id| format!("{}{id}", inside.prefix))),
            name: node.tag_name().name().to_owned(),
            at: node.range().start,
            layer: inside.layer.clone(),
            group: inside.group.clone(),
            style: inside.style,
            outline,
        });
    }
}

/// Visits a group, which may be a layer.
fn enter_group(node: Node<'_, '_>, inside: &mut Inherited) {
    let label = node.attribute((INKSCAPE, "label")).filter(|label| !label.is_empty());
    let name = label.or_else(|| node.attribute("id").filter(|id| !id.is_empty()));
    if node.attribute((INKSCAPE, "groupmode")) == Some("layer") {
        inside.layer = name.map(Rc::from);
    }
    // The group of a target is that of the use.
    if inside.group.is_none() && !inside.copied {
        inside.group = name.map(Rc::from);
    }
}

/// Visits a viewport with its position, size and view box. `sized`: the element with the size, if
/// it is not `node`.
fn viewport(node: Node<'_, '_>, sized: Node<'_, '_>, at: Vec2, inside: &mut Inherited) {
    let placed = || -> Result<(Affine, Vec2), String> {
        let side = |name, of, whole| {
            let given = length(sized, name, of, inside.size)?;
            given.map_or_else(|| length(node, name, of, inside.size).map(|own| own.unwrap_or(whole)), Ok)
        };
        let size = Vec2::new(
            side("width", PercentOf::Width, inside.size.x)?,
            side("height", PercentOf::Height, inside.size.y)?,
        );
        let x = length(node, "x", PercentOf::Width, inside.size)?.unwrap_or(0.0);
        let y = length(node, "y", PercentOf::Height, inside.size)?.unwrap_or(0.0);
        let placement = Affine::translate(at + Vec2::new(x, y));
        Ok(match view_box(node)? {
            Some(view) => (placement * fit(node, &view, size)?, Vec2::new(view.w, view.h)),
            None => (placement, size),
        })
    };
    match placed() {
        Ok((placement, size)) => (inside.transform, inside.size) = (inside.transform * placement, size),
        Err(message) => inside.broken = Some(message),
    }
}
