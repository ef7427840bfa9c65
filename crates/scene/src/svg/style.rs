//! Reads which parts of an element are painted: presentation attributes and `style="…"`, with
//! inheritance.
use roxmltree::Node;

/// Properties that decide the geometry of an element.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "five properties of two values each")]
pub(super) struct Style {
    pub(super) fill: bool,
    pub(super) stroke: bool,
    /// Fill rule: even-odd or nonzero.
    pub(super) even_odd: bool,
    pub(super) visible: bool,
    /// Not inherited: `display: none` hides an element and its children.
    pub(super) displayed: bool,
}

impl Default for Style {
    /// Initial values.
    fn default() -> Self {
        Self { fill: true, stroke: false, even_odd: false, visible: true, displayed: true }
    }
}

impl Style {
    /// Returns the style of an element inside an element of this style.
    pub(super) fn inside(self, node: Node<'_, '_>) -> Self {
        let mut style = Self { displayed: true, ..self };
        let mut no_width = false;
        for property in ["fill", "stroke", "fill-rule", "visibility", "display", "stroke-width"] {
            let attribute = node.attribute(property).map(str::trim);
            let declared = node.attribute("style").and_then(|declarations| declaration(declarations, property));
            let Some(value) = declared.or(attribute) else { continue };
            match (property, value) {
                (_, "inherit" | "") => {}
                ("fill", value) => style.fill = value != "none",
                ("stroke", value) => style.stroke = value != "none",
                ("fill-rule", "evenodd") => style.even_odd = true,
                ("fill-rule", "nonzero") => style.even_odd = false,
                ("visibility", value) => style.visible = value == "visible",
                ("display", value) => style.displayed = value != "none",
                ("stroke-width", value) => {
                    no_width = value.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '%').parse() == Ok(0.0);
                }
                _ => {}
            }
        }
        style.stroke &= !no_width;
        style
    }
}

/// Returns the last value of a property in a list of CSS declarations.
pub(super) fn declaration<'d>(declarations: &'d str, property: &str) -> Option<&'d str> {
    let declared = |declaration: &'d str| {
        let (name, value) = declaration.split_once(':')?;
        // The name may follow a comment.
        let name = name.rsplit("*/").next().unwrap_or(name);
        let value = value.split("/*").next().unwrap_or(value);
        name.trim().eq_ignore_ascii_case(property).then(|| value.trim().trim_end_matches("!important").trim_end())
    };
    declarations.split(';').filter_map(declared).next_back()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn style(attributes: &str) -> Style {
        let text = format!("<g {attributes}/>");
        let document = roxmltree::Document::parse(&text).unwrap();
        Style::default().inside(document.root_element())
    }

    #[test]
    fn declarations_come_before_attributes() {
        let plain = Style::default();
        assert_eq!(style(""), plain);
        assert_eq!(style("fill='none' stroke='red'"), Style { fill: false, stroke: true, ..plain });
        assert_eq!(style("fill='none' style='fill:#fff'"), plain);
        assert_eq!(
            style("style='/* a; b */ FILL : none !important ;stroke: url(#g) none'"),
            Style { fill: false, stroke: true, ..plain }
        );
        assert_eq!(style("style='fill: none; fill: blue /* last */'"), plain);
        assert_eq!(style("fill-rule='evenodd' visibility='hidden'"), Style { even_odd: true, visible: false, ..plain });
        assert_eq!(style("stroke='black' stroke-width='0px'"), plain);
        assert_eq!(style("fill='inherit' display='inline' style='display:none'"), Style { displayed: false, ..plain });
    }
}
