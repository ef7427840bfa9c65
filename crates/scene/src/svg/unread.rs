//! Finds the parts of a drawing that are not read, and names those that could change a shape.
//!
//! Elements and attributes are looked up in the lists of `coverage.rs`. The style properties are
//! listed here, because only their value says whether they have an effect.
use roxmltree::{Document, Node};

use super::coverage::COVERAGE;
use super::style::declaration;
use super::uses::is_svg;
use crate::unread::{Entry, Found, Unread, entry};

/// Looks up all elements and attributes. Names the unknown ones, and collects those that no
/// collider depends on.
pub(super) fn search(document: &Document<'_>, unread: &mut Unread) {
    let [Some(common), Some(children)] = ["drawn element", "container"].map(|parent| entry(COVERAGE, parent)) else {
        return;
    };
    let root = entry(COVERAGE, "svg").map(|entry| (document.root_element(), entry));
    let mut open: Vec<(Node<'_, '_>, &'static Entry)> = root.into_iter().collect();
    while let Some((node, own)) = open.pop() {
        attributes(node, own, common, unread);
        for child in node.children().filter(Node::is_element) {
            let name = child.tag_name().name();
            if !is_svg(child) {
                unread.ignore("parts of other namespaces,", "such as those of editors");
                continue;
            }
            match children.find(COVERAGE, name) {
                Found::Read(child_entry) => open.extend(child_entry.map(|entry| (child, entry))),
                Found::Named(_) => {}
                Found::Ignored(name) => unread.ignore("element", name),
                Found::Unknown => {
                    unread.name(&format!("the element <{name}> is unknown and not read"), || Some(line(child)));
                }
            }
        }
    }
}

fn line(node: Node<'_, '_>) -> usize {
    node.document().text_pos_at(node.range().start).row as usize
}

fn attributes(node: Node<'_, '_>, own: &'static Entry, common: &'static Entry, unread: &mut Unread) {
    for attribute in node.attributes() {
        let name = attribute.name();
        if attribute.namespace().is_some() {
            if name != "href" && name != "label" && name != "groupmode" {
                unread.ignore("attributes of other namespaces,", "such as those of editors");
            }
            continue;
        }
        match (own.find(COVERAGE, name), common.find(COVERAGE, name)) {
            (Found::Named(_), _) => {
                let message = format!("{name} of <{}> is not read", own.parent);
                unread.name(&message, || Some(line(node)));
            }
            (Found::Read(_), _) | (_, Found::Read(_) | Found::Named(_)) => {}
            (_, Found::Ignored(name)) => unread.ignore("attribute", name),
            // Links and metadata of `a` that have no meaning for its content.
            _ if own.parent == "a" && name == "href" => unread.ignore("attribute", "href of <a>"),
            _ if name.starts_with("data-") || name.starts_with("aria-") || name.starts_with("on") => {
                unread.ignore("attributes", "of scripts and of accessibility");
            }
            _ => {
                let message = format!("the attribute {name} of <{}> is unknown and not read", own.parent);
                unread.name(&message, || Some(line(node)));
            }
        }
    }
}

/// Returns the warning about an element that is not read, if it could paint or change the painting.
pub(super) fn element(name: &str) -> Option<&'static str> {
    Some(match name {
        "text" | "textArea" => "<text> is not read: turn it into paths",
        "image" => "<image> is not read: give the image file itself",
        "foreignObject" | "iframe" => "<foreignObject> is not read",
        "video" | "audio" | "canvas" | "animation" => "video, audio and canvas are not read",
        "script" | "handler" | "listener" => "<script> is not run",
        "animate" | "animateColor" | "animateMotion" | "animateTransform" | "set" | "discard" => {
            "animation is not read: shapes are as before it"
        }
        _ => return None,
    })
}

/// Warning about a property, and a test of its value.
type Property = (&'static str, &'static str, fn(&str) -> bool);

const fn is_set(value: &str) -> bool {
    // `str::eq` is not const, and an empty value has no effect.
    !matches!(value.as_bytes(), b"none" | b"auto" | b"visible" | b"")
}

fn is_transparent(value: &str) -> bool {
    value.trim_end_matches('%').parse() == Ok(0.0)
}

const TRANSPARENT: &str = "opacity is not read: fully transparent elements are read too";
const MARKERS: &str = "markers are not read";
const CLIPPED: &str = "clip-path is not read: shapes are taken whole";
const ORIGIN: &str = "transform-origin is not read: transforms are about the origin";

/// Properties that change the area of an element.
const PROPERTIES: [Property; 15] = [
    ("clip-path", CLIPPED, is_set),
    ("clip", CLIPPED, is_set),
    ("overflow", "overflow is not read: nothing is clipped", is_set),
    ("mask", "mask is not read: shapes are taken whole", is_set),
    ("filter", "filter is not read: shapes are taken as they are drawn before it", is_set),
    ("marker", MARKERS, is_set),
    ("marker-start", MARKERS, is_set),
    ("marker-mid", MARKERS, is_set),
    ("marker-end", MARKERS, is_set),
    ("opacity", TRANSPARENT, is_transparent),
    ("fill-opacity", TRANSPARENT, is_transparent),
    ("stroke-opacity", TRANSPARENT, is_transparent),
    ("stroke-dasharray", "dashes are not read: strokes are taken whole", is_set),
    ("transform-origin", ORIGIN, is_set),
    ("transform-box", ORIGIN, is_set),
];

/// Geometry that SVG 2 allows in `style`.
const GEOMETRY: [&str; 12] = ["d", "x", "y", "cx", "cy", "r", "rx", "ry", "width", "height", "transform", "points"];

/// Conditions that are read at children of a `switch` only.
const CONDITIONS: [&str; 5] =
    ["requiredExtensions", "requiredFeatures", "requiredFonts", "requiredFormats", "systemLanguage"];

/// Returns the warnings about the properties of a displayed element.
pub(super) fn properties<'d, 'input>(node: Node<'d, 'input>) -> impl Iterator<Item = &'static str> + use<'d, 'input> {
    let style = node.attribute("style");
    let properties = PROPERTIES.into_iter().filter_map(move |(name, says, has_effect)| {
        let value = node.attribute(name).or_else(|| declaration(style?, name))?;
        has_effect(value.trim()).then_some(says)
    });
    let in_style = GEOMETRY.into_iter().any(|name| style.is_some_and(|style| declaration(style, name).is_some()));
    let in_style = in_style.then_some("transforms and sizes in style=\"…\" are not read: write attributes");
    let in_switch = node.parent().is_some_and(|parent| parent.tag_name().name() == "switch");
    let conditions = CONDITIONS.into_iter().filter_map(move |name| {
        let read = in_switch && matches!(name, "requiredExtensions" | "systemLanguage");
        (node.has_attribute(name) && !read).then_some("conditions of elements are read in a <switch> only")
    });
    properties.chain(in_style).chain(conditions)
}
