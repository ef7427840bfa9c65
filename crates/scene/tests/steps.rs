//! Drawings of steps: each element lies at the coordinates of its numbers.
use carom::explain::{ImpactMethod, explain_contains, explain_gjk, explain_time_of_impact};
use carom_scene::{Motion, Options, Scene, draw, read};
use roxmltree::Document;

fn scene(json: &str) -> Scene {
    read("test.json", json.as_bytes(), &Options::default(), &mut |_| Err(std::io::ErrorKind::NotFound.into())).unwrap()
}

/// Asserts that the SVG is well-formed, with finite numbers, and inside the page.
fn check(svg: &str) -> Document<'_> {
    let document = Document::parse(svg).expect(svg);
    let size = |name: &str| document.root_element().attribute(name).unwrap().parse::<f64>().unwrap();
    let (width, height) = (size("width"), size("height"));
    for node in document.descendants() {
        for attribute in node.attributes() {
            let value = attribute.value();
            assert!(!value.contains("NaN") && !value.contains("inf"), "{}={value}", attribute.name());
        }
        for (name, most) in
            [("x1", width), ("x2", width), ("cx", width), ("y1", height), ("y2", height), ("cy", height)]
        {
            let Some(value) = node.attribute(name) else { continue };
            let value: f64 = value.parse().unwrap();
            assert!((-1.0..=most + 1.0).contains(&value), "{name}={value} is not on a page of {width} by {height}");
        }
    }
    document
}

/// Returns all text of a drawing.
fn texts(svg: &Document<'_>) -> Vec<String> {
    svg.descendants()
        .filter(|node| node.tag_name().name() == "text")
        .filter_map(|node| node.text())
        .map(str::to_owned)
        .collect()
}

/// Returns two shapes with sizes and positions multiplied by `unit`.
fn pair(unit: f64, at: [f64; 2]) -> Scene {
    let [w, h, r, x, y] = [3.0, 2.0, 0.25, at[0], at[1]].map(|v| v * unit);
    scene(&format!(
        r#"{{"carom": 1, "colliders": [{{"id": "a", "shape": {{"rectangle": {{"width": {w:e}, "height": {h:e}, "radius": {r:e}}}}},
            "motion": {{"translation": [{x:e}, {y:e}], "rotation": 30}}}},
            {{"id": "b", "shape": {{"capsule": {{"a": [0, 0], "b": [{w:e}, {h:e}], "radius": {r:e}}}}}, "position": [{x:e}, {y:e}]}}]}}"#
    ))
}

fn gjk(scene: &Scene) -> (String, usize) {
    let [a, b] = [0, 1].map(|i| scene.colliders[i].shape.placed(scene.colliders[i].pose));
    let why = explain_gjk(a, b);
    (draw::gjk(scene, 0, 1, &why, &draw::Options::default()), why.steps().len())
}

#[test]
fn a_panel_for_every_step_of_gjk() {
    for at in [[8.0, 1.0], [0.5, 0.25], [0.0, 0.0], [2.0, 1.0]] {
        let scene = pair(1.0, at);
        let (svg, steps) = gjk(&scene);
        let texts = texts(&check(&svg));
        for i in 1..=steps {
            assert!(
                texts.iter().any(|text| text.starts_with(&format!("{i}: distance at most"))),
                "step {i} of {steps} in {texts:?}"
            );
        }
    }
}

#[test]
fn pictures_of_steps_do_not_depend_on_the_unit() {
    let cast = |scene: &Scene| {
        let [a, b] = [0, 1].map(|i| scene.colliders[i].sweep().unwrap());
        let why = explain_time_of_impact(a, b);
        assert_eq!(why.method(), ImpactMethod::Advancement);
        draw::time_of_impact(scene, 0, 1, &why, &draw::Options::default()).unwrap()
    };
    // Times and coordinates do not depend on the unit. Only gaps do.
    let shape = |svg: &str| {
        check(svg).descendants().filter_map(|node| node.attribute("d").map(str::to_owned)).collect::<Vec<_>>()
    };
    let (one, large) = (pair(1.0, [8.0, 1.0]), pair(f64::from(1 << 20), [8.0, 1.0]));
    assert_eq!(shape(&gjk(&one).0), shape(&gjk(&large).0));
    assert_eq!(shape(&cast(&one)), shape(&cast(&large)));
    for unit in [1e-200, 1e-9, 1e25] {
        check(&gjk(&pair(unit, [8.0, 1.0])).0);
        check(&cast(&pair(unit, [8.0, 1.0])));
    }
}

#[test]
fn the_picture_of_a_cast_names_both_shapes() {
    let mut scene = pair(1.0, [8.0, 1.0]);
    let said = |scene: &Scene| {
        let [a, b] = [0, 1].map(|i| scene.colliders[i].sweep().unwrap());
        let why = explain_time_of_impact(a, b);
        let svg = draw::time_of_impact(scene, 0, 1, &why, &draw::Options::default()).unwrap();
        (why.impact().map(|impact| impact.time), texts(&check(&svg)).concat())
    };
    let (time, found) = said(&scene);
    assert!(found.contains(&format!("a hits b at time {:.3}", time.unwrap())), "{found}");
    scene.colliders[0].motion = Some(Motion { translation: [-8.0, 3.0].into(), rotation: 30.0 });
    let (time, found) = said(&scene);
    assert!(time.is_none() && found.contains("a does not hit b"), "{found}");
}

#[test]
fn a_ring_marks_a_point_outside() {
    let scene = scene(
        r#"{"carom": 1, "colliders": [{"id": "plate", "shape": {"rectangle": {"width": 4, "height": 4}}},
            {"id": "in", "shape": {"circle": {"radius": 1}}}, {"id": "out", "shape": {"circle": {"radius": 1}}, "position": [2, 0]}]}"#,
    );
    let placed = |i: usize| scene.colliders[i].shape.placed(scene.colliders[i].pose);
    let rings = |b: usize| {
        let svg = draw::containment(&scene, 0, b, &explain_contains(placed(0), placed(b)), &draw::Options::default());
        let document = check(&svg);
        let rings = document
            .descendants()
            .filter(|node| node.tag_name().name() == "circle" && node.attribute("r") == Some("5"));
        // The page shows 5 units from the plate's left side to the right end of `out`.
        (
            rings.map(|ring| ring.attribute("cx").unwrap().parse().unwrap()).collect::<Vec<f64>>(),
            texts(&document).concat(),
        )
    };
    let (none, said) = rings(1);
    assert!(none.is_empty() && said.contains("plate contains in"), "{said}");
    let (one, said) = rings(2);
    assert!(said.contains("plate does not contain out"), "{said}");
    // At the right end of the drawing: (3, 0).
    assert_eq!(one, [540.0 - 36.0]);
}
