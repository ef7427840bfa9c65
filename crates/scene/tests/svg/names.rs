//! Ids, layers and warnings.
use super::{drawing, read};

fn ids(content: &str) -> Vec<String> {
    read(&drawing(content)).colliders.into_iter().map(|c| c.id).collect()
}

#[test]
fn ids_are_those_of_the_elements() {
    let inkscape = "xmlns:inkscape=\"http://www.inkscape.org/namespaces/inkscape\"";
    let content = format!(
        r#"<g {inkscape}><circle id="a" r="1"/><circle r="1"/><circle inkscape:label="named" r="1"/><circle id="a" r="1"/>
        <circle id="a" r="1"/><circle id="" r="1"/></g>"#
    );
    assert_eq!(ids(&content), ["a", "#1", "named", "a#2", "a#3", "#5"]);
    let shown = r##"<defs><circle id="c" r="1"/><g id="pair"><circle id="l" r="1"/><circle r="1"/></g></defs>
        <use href="#c"/><use id="one" href="#c"/><use href="#pair"/><use id="two" href="#pair"/><use id="three" href="#pair"/>"##;
    assert_eq!(ids(shown), ["c", "one", "l", "#3", "two.l", "#5", "three.l", "#7"]);
}

fn layers(svg: &str) -> (Vec<Option<String>>, Vec<u64>) {
    let scene = read(svg);
    (scene.layers, scene.colliders.iter().map(|c| c.filter.layers).collect())
}

fn names(list: &[Option<&str>]) -> Vec<Option<String>> {
    list.iter().map(|name| name.map(str::to_owned)).collect()
}

#[test]
fn groups_are_layers() {
    let (named, bits) = layers(&drawing(
        r#"<circle r="1"/><g id="walls"><circle r="1"/><g id="inner"><circle r="1"/></g></g><g><circle r="1"/><g id="coins"><circle r="1"/></g></g>
        <g id="walls"><circle r="1"/></g>"#,
    ));
    assert_eq!(named, names(&[None, Some("walls"), Some("coins")]));
    assert_eq!(bits, [1, 2, 2, 1, 4, 2]);
    // If Inkscape marks groups as layers, only these are layers. The innermost one counts. Labels
    // come before ids.
    let (named, bits) = layers(&drawing(
        r#"<g xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"><g id="g1"><circle r="1"/></g>
        <g id="layer1" inkscape:groupmode="layer" inkscape:label="Walls"><g id="g2"><circle r="1"/></g>
        <g id="layer2" inkscape:groupmode="layer"><circle r="1"/></g></g></g>"#,
    ));
    assert_eq!(named, names(&[None, Some("Walls"), Some("layer2")]));
    assert_eq!(bits, [1, 2, 4]);
}

#[test]
fn too_many_groups_are_no_layers() {
    let groups =
        |n: usize| (0..n).map(|i| format!("<g id=\"g{i}\"><circle r=\"1\"/></g>")).collect::<Vec<_>>().concat();
    assert_eq!(read(&drawing(&groups(63))).layers.len(), 64);
    let scene = read(&drawing(&groups(64)));
    assert!(scene.layers.is_empty() && scene.colliders.iter().all(|c| c.filter.layers == 1));
    assert_eq!(scene.warnings, ["64 groups have names, more than the 63 that can be layers: none is"]);
}

#[test]
fn unread_parts_are_named_once() {
    let scene = read(&drawing(
        "<style>.a{fill:none}</style>\n<text>a</text><defs><clipPath id='k'><circle \
        r='1'/></clipPath><text>b</text></defs>\n\
        <g clip-path='url(#k)'><circle r='1' mask='url(#m)'/><text>c</text></g><image href='a.png'/><circle r='1' \
        filter='none' style='clip-path: url(#k)'/>\n\
        <foreignObject/><script/><title>t</title><desc/><metadata/><path marker-end='url(#a)' d='M0 0h1v1'/><line \
        x2='1' stroke='red' style='marker-start:url(#a)'/>",
    ));
    assert_eq!(
        scene.warnings,
        [
            "<foreignObject> is not read (line 4)",
            "<image> is not read: give the image file itself (line 3)",
            "<script> is not run (line 4)",
            "<text> is not read: turn it into paths (line 2, 2 times)",
            "a style sheet (<style>) is not read: write what it says as attributes (line 1)",
            "clip-path is not read: shapes are taken whole (line 3, 2 times)",
            "markers are not read (line 4, 2 times)",
            "mask is not read: shapes are taken whole (line 3)",
            "the width of strokes is not read: strokes without fill are chains along their middle (line 4)",
        ]
    );
    assert_eq!(scene.colliders.len(), 4);
}

#[test]
fn elements_of_other_namespaces_are_passed_over() {
    let scene = read(&drawing(r#"<i:circle xmlns:i="http://example.org" r="1"/><circle r="1"/>"#));
    assert_eq!(scene.colliders.len(), 1);
    assert_eq!(read("<svg><circle r=\"1\"/></svg>").colliders.len(), 1, "a file that leaves the namespace out");
}

#[test]
fn a_switch_shows_its_first_child_without_unmet_requirements() {
    let svg = r#"<switch><g requiredExtensions="x"><circle id="a" r="1"/></g><circle id="b" systemLanguage="xx" r="1"/>
        <circle id="c" systemLanguage="de, en-GB" r="1"/><circle id="d" r="1"/></switch>"#;
    assert_eq!(ids(svg), ["c"]);
}
