//! Drawings: two are compared with committed files (golden), the others by laws.
use carom::DVec2;
use carom_scene::draw::{self, Contact, Line, Panel, plot};
use carom_scene::{Options, Scene, read};
use roxmltree::{Document, Node};

fn scene(json: &str) -> Scene {
    read("test.json", json.as_bytes(), &Options::default(), &mut |_| Err(std::io::ErrorKind::NotFound.into())).unwrap()
}

fn file(path: &str) -> String {
    std::fs::read_to_string(format!("{}/../../scenes/{path}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// Returns the contacts of all pairs, with near misses up to the margin.
fn contacts(scene: &Scene, margin: f64) -> Vec<Contact> {
    let pairs = (0..scene.colliders.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
    let meet = |(a, b): (usize, usize)| {
        let (first, second) = (&scene.colliders[a], &scene.colliders[b]);
        let contact =
            Contact::between([a, b], first.shape.placed(first.pose), second.shape.placed(second.pose), margin)?;
        first.filter.should_collide(second.filter).then_some(contact)
    };
    pairs.filter_map(meet).collect()
}

fn picture(scene: &Scene, labels: bool) -> String {
    draw::scene(scene, &contacts(scene, 0.0), &draw::Options { title: String::new(), labels })
}

fn explained(scene: &Scene, a: usize, b: usize) -> String {
    let placed = |i: usize| scene.colliders[i].shape.placed(scene.colliders[i].pose);
    draw::sat(scene, a, b, &carom::explain_sat(placed(a), placed(b)), &draw::Options::default())
}

/// Returns all elements with one of the names.
fn elements<'a>(svg: &'a Document<'a>, names: &'a [&str]) -> Vec<Node<'a, 'a>> {
    svg.descendants().filter(|node| names.contains(&node.tag_name().name())).collect()
}

/// Returns the drawn shapes. Apart from the page, only they have titles.
fn shapes<'a>(svg: &'a Document<'a>) -> Vec<Node<'a, 'a>> {
    elements(svg, &["circle", "path"])
        .into_iter()
        .filter(|n| n.children().any(|c| c.tag_name().name() == "title"))
        .collect()
}

/// Asserts that the SVG is well-formed and that every number is finite.
fn check(svg: &str) -> Document<'_> {
    let document = Document::parse(svg).expect(svg);
    for node in document.descendants() {
        for attribute in node.attributes() {
            let value = attribute.value();
            assert!(!value.contains("NaN") && !value.contains("inf"), "{}={value}", attribute.name());
        }
    }
    document
}

fn golden(name: &str, svg: &str) {
    let path = format!("{}/tests/golden/{name}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("CAROM_BLESS").is_some() {
        std::fs::write(&path, svg).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        expected == svg,
        "{path} differs: run CAROM_BLESS=1 cargo test -p carom-scene, look at the picture, commit it"
    );
}

#[test]
fn golden_scene() {
    let scene = scene(&file("example.json"));
    let options = draw::Options { title: "The example".to_owned(), labels: true };
    let svg = draw::scene(&scene, &contacts(&scene, 0.0), &options);
    check(&svg);
    golden("example.svg", &svg);
}

#[test]
fn golden_explanation() {
    let svg = explained(&scene(&file("articles/pentagon-meets-hexagon.json")), 0, 1);
    check(&svg);
    golden("pentagon-hexagon.svg", &svg);
}

#[test]
fn intersecting_shapes_are_marked() {
    let json = r#"{"carom": 1, "colliders": [
        {"id": "a", "shape": {"circle": {"radius": 1}}},
        {"id": "b", "shape": {"rectangle": {"width": 2, "height": 2}}, "position": [1.5, 0]},
        {"id": "c", "shape": {"circle": {"radius": 1}}, "position": [9, 0], "sensor": true}]}"#;
    let svg = picture(&scene(json), true);
    let document = check(&svg);
    let fill: Vec<(Option<&str>, Option<&str>)> = shapes(&document)
        .iter()
        .map(|n| {
            (
                n.first_element_child().and_then(|t| t.text()).map(str::trim),
                n.parent().and_then(|g| g.attribute("fill")),
            )
        })
        .collect();
    // Disjoint shapes are drawn first.
    assert_eq!(fill.iter().map(|(id, _)| id.unwrap()).collect::<Vec<_>>(), ["c", "a", "b"]);
    assert!(fill[0].1 != fill[1].1 && fill[1].1 == fill[2].1, "{fill:?}");
    let dashed: Vec<bool> = shapes(&document).iter().map(|n| n.has_attribute("stroke-dasharray")).collect();
    assert_eq!(dashed, [true, false, false]);
    assert!(svg.contains("3 shapes, 1 contact"));
}

#[test]
fn shapes_are_exact() {
    // 6 units fill the width of the page.
    let json = r#"{"carom": 1, "colliders": [
        {"id": "circle", "shape": {"circle": {"radius": 3}}},
        {"id": "pill", "shape": {"capsule": {"a": [-1, 0], "b": [1, 0], "radius": 0.5}}, "position": [0, 4], "rotation": 90},
        {"id": "box", "shape": {"rectangle": {"width": 2, "height": 1}}, "position": [0, 6]},
        {"id": "round", "shape": {"polygon": {"points": [[0, 0], [0, 1], [0.5, 0.5], [1, 0]], "radius": 0.25}}, "position": [0, 8]}]}"#;
    let svg = picture(&scene(json), false);
    let document = check(&svg);
    let shapes = shapes(&document);
    let by = |id: &str| *shapes.iter().find(|n| n.first_element_child().unwrap().text().unwrap().trim() == id).unwrap();
    let number = |node: Node, name: &str| node.attribute(name).unwrap().parse::<f64>().unwrap();
    let unit = number(by("circle"), "r") / 3.0;
    let path = |id: &str| by(id).attribute("d").unwrap().to_owned();
    assert_eq!(path("box").matches(['M', 'L', 'Z']).count(), 5);
    assert_eq!((path("pill").matches('A').count(), path("pill").matches('L').count()), (2, 2));
    // A vertex on the edge between two others stays a vertex of the drawing.
    assert_eq!((path("round").matches('A').count(), path("round").matches('L').count()), (4, 4));
    let radius = |data: &str| data.split('A').nth(1).unwrap().split(' ').next().unwrap().parse::<f64>().unwrap();
    assert!((radius(&path("pill")) - 0.5 * unit).abs() < 0.02 && (radius(&path("round")) - 0.25 * unit).abs() < 0.02);
    // +y up: the box lies above the circle.
    let top = path("box").trim_start_matches('M').split([' ', 'L']).nth(1).unwrap().parse::<f64>().unwrap();
    assert!(top < number(by("circle"), "cy"));
}

#[test]
fn down_is_up_mirrored() {
    let json = |y: &str| {
        format!(
            "{{\"carom\": 1, \"y\": \"{y}\", \"colliders\": [{{\"shape\": {{\"circle\": {{\"radius\": 1}}}}}}, \
             {{\"shape\": {{\"circle\": {{\"radius\": 1}}}}, \"position\": [1, 7]}}]}}"
        )
    };
    let heights = |y: &str| {
        let svg = picture(&scene(&json(y)), false);
        let document = check(&svg);
        shapes(&document).iter().map(|n| n.attribute("cy").unwrap().parse::<f64>().unwrap()).collect::<Vec<_>>()
    };
    let (up, down) = (heights("up"), heights("down"));
    assert!(up[1] < up[0] && down[0] < down[1], "+y up: larger y is higher");
    assert_eq!((up[0], up[1]), (down[1], down[0]));
}

#[test]
fn a_picture_does_not_depend_on_the_unit() {
    let at = |unit: f64| {
        let u = |x: f64| x * unit;
        format!(
            "{{\"carom\": 1, \"colliders\": [{{\"shape\": {{\"circle\": {{\"radius\": {}}}}}}}, \
             {{\"shape\": {{\"rectangle\": {{\"width\": {}, \"height\": {}, \"radius\": {}}}}}, \
             \"position\": [{}, {}], \"rotation\": 31}}]}}",
            u(1.0),
            u(3.0),
            u(1.5),
            u(0.25),
            u(1.75),
            u(0.5)
        )
    };
    let drawn = |unit: f64| {
        let scene = scene(&at(unit));
        let svg = picture(&scene, false);
        // The scale bar and its label differ, so only the part before the legend is compared.
        let end = svg.find("<rect fill=\"#f08a3c\"").unwrap();
        (scene.colliders.len(), svg[..end].to_owned())
    };
    for power in [-60, -10, 20, 80] {
        assert_eq!(drawn(2f64.powi(power)), drawn(1.0), "2^{power}");
    }
}

#[test]
fn any_scene_makes_a_picture() {
    let circle = |radius: &str, x: &str| {
        format!("{{\"shape\": {{\"circle\": {{\"radius\": {radius}}}}}, \"position\": [{x}, 0]}}")
    };
    let wire = "{\"shape\": {\"segment\": {\"a\": [-1e30, 0], \"b\": [1e30, 1e-300]}}}".to_owned();
    let cases: [Vec<String>; 8] = [
        vec![],
        vec![circle("0", "0")],
        vec![circle("0", "1e30"), circle("0", "-1e30")],
        vec![circle("1e30", "1e30"), circle("1e30", "-1e30")],
        vec![circle("5e-324", "0"), circle("1e-320", "1e-320")],
        vec![circle("1", "0"), circle("1", "0"), circle("1", "0")],
        vec![circle("1e-300", "0"), circle("1e30", "1e30"), wire],
        (0..500).map(|i| circle("1", &format!("{}", f64::from(i) * 1.9))).collect(),
    ];
    for case in cases {
        let scene = scene(&format!("{{\"carom\": 1, \"colliders\": [{}]}}", case.join(",")));
        check(&picture(&scene, true));
        check(&draw::scene(&scene, &contacts(&scene, 2.0), &draw::Options::default()));
        if scene.colliders.len() > 1 {
            check(&explained(&scene, 0, 1));
        }
    }
}

#[test]
fn far_from_the_origin_an_explanation_looks_the_same() {
    let at = |x: i64| {
        scene(&format!(
            "{{\"carom\": 1, \"colliders\": [{{\"shape\": {{\"circle\": {{\"radius\": 0.5}}}}, \"position\": [{x}, \
             0]}}, {{\"shape\": {{\"rectangle\": {{\"width\": 1, \"height\": 1}}}}, \"position\": [{x}.75, 0]}}]}}"
        ))
    };
    let bars = |scene: &Scene| {
        let svg = explained(scene, 0, 1);
        let end = svg.find("a, edge").or_else(|| svg.find("b, edge")).unwrap();
        svg[..end].to_owned()
    };
    // 2⁴⁰ and the quarters beside it are exact, but a projection there has lost 40 bits.
    assert_eq!(bars(&at(1 << 40)), bars(&at(0)));
}

#[test]
fn hostile_names_stay_text() {
    let scene = scene(
        r#"{"carom": 1, "colliders": [{"id": "</text><script>&\"'\u0000\u001b\ufffe", "shape": {"circle": {"radius": 1}}},
                                      {"id": "é漢字", "shape": {"circle": {"radius": 1}}}]}"#,
    );
    let options = draw::Options { title: "<b>&\u{0}".to_owned(), labels: true };
    for svg in [draw::scene(&scene, &contacts(&scene, 0.0), &options), explained(&scene, 0, 1)] {
        let document = check(&svg);
        assert!(elements(&document, &["script", "b"]).is_empty());
    }
}

#[test]
fn an_explanation_shows_every_axis() {
    let scene = scene(&file("articles/triangles-need-an-edge-normal.json"));
    let svg = explained(&scene, 0, 1);
    let document = check(&svg);
    let text: Vec<&str> = elements(&document, &["text"]).iter().filter_map(Node::text).map(str::trim).collect();
    // The width of the triangle along the normal of its right edge is 80/√89. The shift of (4, 4)
    // along it is 52/√89, which leaves 28/√89.
    assert!(text.contains(&"lower and upper overlap by 2.97"), "{text:?}");
    let rows = text.iter().filter(|t| t.contains(" · ")).count();
    assert_eq!(rows, 6, "three edges each: {text:?}");
    assert!(text.iter().any(|t| t.starts_with("1 · ")), "{text:?}");
}

/// Each kind of composite is drawn as it is: holes by the even-odd rule, chains without fill, masks
/// as contours.
#[test]
fn composites_are_drawn_as_they_are() {
    let json = r#"{"carom": 1, "colliders": [
        {"id": "frame", "shape": {"polygon": {"points": [[0, 0], [4, 0], [4, 4], [0, 4]], "holes": [[[1, 1], [3, 1], [3, 3], [1, 3]]]}}},
        {"id": "open", "shape": {"chain": {"points": [[5, 0], [6, 1], [7, 0]]}}},
        {"id": "closed", "shape": {"chain": {"points": [[5, 2], [6, 3], [7, 2]], "closed": true}}},
        {"id": "pixels", "shape": {"mask": {"rows": [".###", ".#.#", ".###"]}}, "position": [8, 0]},
        {"id": "both", "shape": {"compound": [{"shape": {"circle": {"radius": 1}}}, {"shape": {"rectangle": {"width": 1, "height": 3}}, "position": [2, 0]}]}, "position": [2, 8]}]}"#;
    let svg = picture(&scene(json), false);
    let document = check(&svg);
    let titled = |id: &str| {
        document
            .descendants()
            .find(|n| n.tag_name().name() == "title" && n.text() == Some(id))
            .unwrap()
            .parent()
            .unwrap()
    };
    let count = |id: &str, letter: char| titled(id).attribute("d").unwrap().matches(letter).count();
    assert_eq!(
        (count("frame", 'M'), count("frame", 'L'), titled("frame").attribute("fill-rule")),
        (2, 6, Some("evenodd"))
    );
    assert_eq!((count("open", 'L'), count("open", 'Z'), titled("open").attribute("fill")), (2, 0, Some("none")));
    assert_eq!((count("closed", 'L'), count("closed", 'Z'), titled("closed").attribute("fill")), (2, 1, Some("none")));
    assert_eq!(
        (count("pixels", 'M'), count("pixels", 'L'), titled("pixels").attribute("fill-rule")),
        (2, 6, Some("evenodd"))
    );
    let parts: Vec<&str> = titled("both").children().filter(Node::is_element).map(|n| n.tag_name().name()).collect();
    assert_eq!(parts, ["circle", "path", "title"]);
}

#[test]
fn golden_drawing() {
    let scene = scene(&file("drawing.svg"));
    let options = draw::Options { title: "scenes/drawing.svg".to_owned(), labels: true };
    let svg = draw::scene(&scene, &contacts(&scene, 0.0), &options);
    check(&svg);
    golden("drawing.svg", &svg);
}

/// A line keeps its colour in all panels.
#[test]
fn a_line_has_one_colour_in_all_panels() {
    let line = |name: &str| Line { name: name.into(), points: vec![DVec2::new(1e3, 12.0), DVec2::new(1e4, 14.5)] };
    let panel = |names: &[&str]| Panel { title: "race".into(), lines: names.iter().map(|&name| line(name)).collect() };
    let svg = plot("Race", "ns", &[panel(&["limit", "grid"]), panel(&["grid"])]);
    let colours: Vec<&str> = svg.split("stroke=\"#").skip(1).map(|rest| &rest[..6]).collect();
    let count = |colour: &str| colours.iter().filter(|&&c| c == colour).count();
    assert_eq!([count("8794a3"), count("b4610a")], [1, 2], "{svg}");
}

/// The picture of contained shapes has a group of each role: neither, outer, inner, in this order. Its legend does not
/// call shapes disjoint, because contacts were not searched.
#[test]
fn contained_shapes_differ_from_outer_and_other_ones() {
    let scene = scene(
        r#"{"carom": 1, "colliders": [
            {"id": "outer", "shape": {"circle": {"radius": 9}}},
            {"id": "middle", "shape": {"circle": {"radius": 4}}},
            {"id": "inner", "shape": {"circle": {"radius": 1}}},
            {"id": "crossing", "shape": {"circle": {"radius": 2}}, "position": [9, 0]}]}"#,
    );
    let svg = draw::contained(&scene, &[[0, 1], [0, 2], [1, 2]], &draw::Options::default());
    let document = Document::parse(&svg).unwrap();
    let ids = |group: Node<'_, '_>| -> Vec<String> {
        group
            .descendants()
            .filter(|n| n.has_tag_name(("http://www.w3.org/2000/svg", "title")))
            .filter_map(|n| n.text())
            .map(str::to_owned)
            .collect()
    };
    let groups: Vec<(&str, Vec<String>)> = elements(&document, &["g"])
        .into_iter()
        .filter_map(|group| {
            group.attribute("fill-opacity").zip(group.attribute("stroke")).map(|(_, stroke)| (stroke, ids(group)))
        })
        .filter(|(_, ids)| !ids.is_empty())
        .collect();
    let named: Vec<Vec<&str>> = groups.iter().map(|(_, ids)| ids.iter().map(String::as_str).collect()).collect();
    assert_eq!(named, [vec!["crossing"], vec!["outer"], vec!["middle", "inner"]]);
    assert!(groups[0].0 != groups[1].0 && groups[1].0 != groups[2].0 && groups[0].0 != groups[2].0);
    let texts: Vec<&str> = elements(&document, &["text"]).into_iter().filter_map(|text| text.text()).collect();
    for word in ["4 shapes, 3 contained pairs", "contained", "contains", "neither"] {
        assert!(texts.contains(&word), "{word}: {texts:?}");
    }
    assert!(!texts.contains(&"disjoint") && !texts.iter().any(|text| text.ends_with("contacts")), "{texts:?}");
}
