//! Every element and attribute of SVG 1.1, SVG Tiny 1.2 and SVG 2.
use carom_scene::Format;
use carom_scene::coverage::Treatment;

use super::{listed, treatment};

const KNOWN: &str = include_str!("../data/svg-attributes.txt");

/// Returns the elements with their attributes. `*` has the attributes of all.
fn known() -> Vec<(&'static str, Vec<&'static str>)> {
    let lines = KNOWN.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| line.split_once(':').unwrap())
        .map(|(name, all)| (name, all.split_whitespace().collect()))
        .collect()
}

/// Elements that draw, each with an example whose first tag takes the attribute.
const DRAWN: [(&str, &str); 13] = [
    ("svg", "<svg@ x='1' y='1' width='50' height='20' viewBox='0 0 40 40'><rect width='5' height='5'/></svg>"),
    ("g", "<g@><rect width='5' height='5'/></g>"),
    ("a", "<a@><rect width='5' height='5'/></a>"),
    ("switch", "<switch@><rect width='5' height='5'/></switch>"),
    ("use", "<use@ href='#shown' width='50' height='20'/>"),
    ("symbol", ""),
    ("path", "<path@ d='M0 0H9V9z'/>"),
    ("rect", "<rect@ width='50' height='20'/>"),
    ("circle", "<circle@ r='5'/>"),
    ("ellipse", "<ellipse@ rx='5' ry='6'/>"),
    ("line", "<line@ x2='5' y2='6' stroke='red'/>"),
    ("polyline", "<polyline@ points='0 0 9 0 9 9'/>"),
    ("polygon", "<polygon@ points='0 0 9 0 9 9'/>"),
];

fn drawing(content: &str, symbol: &str) -> String {
    format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='100' height='100'><symbol id='shown'{symbol} viewBox='0 0 40 \
         40'>\
         <rect id='inner' width='9' height='9'/></symbol>{content}<use href='#shown' width='50'/>\
         <use href='#shown' height='20'/></svg>"
    )
}

/// Returns a value that has an effect.
fn value(element: &str, name: &str) -> &'static str {
    match name {
        "stroke" if element == "line" => "none",
        "style" => "display: none",
        "transform" => "translate(7)",
        "fill" | "visibility" | "display" | "preserveAspectRatio" => "none",
        "stroke" => "blue",
        "opacity" | "fill-opacity" | "stroke-opacity" => "0",
        "viewBox" => "1 2 30 30",
        "d" => "M0 0H7V7z",
        "points" => "0 0 7 0 7 7",
        "overflow" => "hidden",
        _ => "7",
    }
}

/// Sets an attribute of an example, instead of the one that it has.
fn with(example: &str, attribute: &str) -> String {
    let name = attribute.split('=').next().unwrap();
    let end = example.find('>').unwrap();
    let key = format!(" {name}='");
    let mut tag = example[..end].to_owned();
    if let Some(at) = tag.find(&key).filter(|_| !attribute.is_empty()) {
        let close = at + key.len() + tag[at + key.len()..].find('\'').unwrap() + 1;
        tag.replace_range(at..close, "");
    }
    format!("{}{}", tag.replace('@', &format!(" {attribute}")), &example[end..])
}

/// Without an effect on the example: conditions of `fill-rule`, the width of strokes, and attributes
/// that stand for themselves.
fn has_no_effect(element: &str, name: &str) -> bool {
    matches!(name, "fill-rule" | "stroke-width")
        || (name == "fill" && element == "line")
        // The id of these can only be the target of a use.
        || (name == "id" && matches!(element, "svg" | "a" | "switch"))
}

#[test]
fn no_attribute_is_lost() {
    let known = known();
    let all = &known[0];
    assert_eq!(all.0, "*");
    let mut count = 0;
    for (element, example) in DRAWN {
        let attributes = known.iter().find(|(name, _)| *name == element).unwrap().1.iter().chain(&all.1);
        for name in attributes.chain(&["unheard-of"]).filter(|name| !has_no_effect(element, name)) {
            let attribute = format!("{name}='{}'", value(element, name));
            let (base, changed) = if element == "symbol" {
                let kept = if *name == "viewBox" || *name == "id" { continue } else { format!(" {attribute}") };
                (drawing("", ""), drawing("", &kept))
            } else {
                (drawing(&with(example, ""), ""), drawing(&with(example, &attribute), ""))
            };
            let found = treatment(base.as_bytes(), changed.as_bytes());
            let on_list = [element, "drawn element"].map(|parent| listed(Format::Svg, parent, name));
            match found {
                None => panic!("{name} of <{element}> is lost:\n{changed}"),
                // An ignored part must not change a collider.
                Some(Treatment::Ignored) => {
                    assert!(on_list.contains(&Treatment::Ignored) || *name == "href", "{name} of <{element}>");
                }
                Some(found) => assert!(!on_list.contains(&Treatment::Ignored), "{name} of <{element}> is {found:?}"),
            }
            count += 1;
        }
    }
    assert!(count > 900, "{count}");
}

#[test]
fn no_element_is_lost() {
    for (element, _) in known().iter().skip(1) {
        let content = match *element {
            // Containers draw their content only.
            "g" | "a" | "svg" | "switch" => format!("<{element}><rect width='3' height='3'/></{element}>"),
            "use" => "<use href='#shown'/>".to_owned(),
            // Elements that others show.
            "defs" | "symbol" => continue,
            "circle" | "ellipse" | "rect" | "line" | "path" | "polyline" | "polygon" => {
                format!(
                    "<{element} width='5' height='5' r='5' rx='5' ry='5' x2='5' stroke='red' d='M0 0H9' points='0 0 9 \
                     9'/>"
                )
            }
            _ => format!("<{element}/>"),
        };
        let found = treatment(drawing("", "").as_bytes(), drawing(&content, "").as_bytes());
        assert!(found.is_some(), "<{element}> is lost");
        if listed(Format::Svg, "container", element) == Treatment::Read {
            assert_eq!(found, Some(Treatment::Read), "<{element}>");
        }
    }
}

/// The two attributes whose effect depends on others.
#[test]
fn fill_rule_and_stroke_width_are_read() {
    let star = |rule: &str| drawing(&format!("<path{rule} d='M0 0H9V9H0zM1 1H8V8H1z'/>"), "");
    assert_eq!(treatment(star("").as_bytes(), star(" fill-rule='evenodd'").as_bytes()), Some(Treatment::Read));
    let line = |width: &str| drawing(&format!("<line x2='9' stroke='red'{width}/>"), "");
    assert_eq!(treatment(line("").as_bytes(), line(" stroke-width='0'").as_bytes()), Some(Treatment::Read));
    // Another width is not read. Every stroke is named.
    let scene = super::read("line.svg", line(" stroke-width='5'").as_bytes()).unwrap();
    assert!(
        scene.warnings.iter().any(|text| text.starts_with("the width of strokes is not read")),
        "{:?}",
        scene.warnings
    );
}
