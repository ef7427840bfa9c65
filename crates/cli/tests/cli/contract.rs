//! The JSON of `check` is a contract: each field, its type, the order, and the same bytes in every
//! run.
use std::fmt::Write as _;

use carom::{Placed, Shape};
use serde::{Deserialize, Serialize};

use crate::carom::{BROADS, Folder, carom, carom_with};

/// The contract, field by field. Serialized again, it must give the same bytes. This fixes the
/// order of the fields, forbids others, and requires the shortest numbers.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Report {
    pub(crate) shapes: usize,
    pub(crate) candidates: usize,
    pub(crate) contacts: Vec<Contact>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Contact {
    pub(crate) a: String,
    pub(crate) b: String,
    pub(crate) normal: [f64; 2],
    pub(crate) depth: f64,
    pub(crate) mtv: [f64; 2],
    pub(crate) sensor: bool,
    pub(crate) points: Vec<Point>,
    pub(crate) layers_a: Vec<String>,
    pub(crate) layers_b: Vec<String>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Point {
    pub(crate) position: [f64; 2],
    pub(crate) depth: f64,
}

/// Parses a report and checks that serializing it gives the same bytes.
pub(crate) fn report(json: &str) -> Report {
    let report: Report = serde_json::from_str(json).expect("the contract's fields");
    assert_eq!(serde_json::to_string(&report).expect("a report is JSON") + "\n", json);
    report
}

/// Checks a scene given as text.
pub(crate) fn check(scene: &str, args: &[&str]) -> Report {
    report(&carom_with(&[&["check", "-", "--format", "json"], args].concat(), scene).data())
}

/// Asserts the laws of every contact.
fn lawful(report: &Report) {
    for contact in &report.contacts {
        let [x, y] = contact.normal;
        assert!((x.hypot(y) - 1.0).abs() < 1e-12, "the normal is a unit vector: {x}, {y}");
        assert_eq!(contact.mtv, contact.normal.map(|n| n * contact.depth), "mtv = normal × depth");
        assert!((1..=2).contains(&contact.points.len()));
        assert!(contact.points.iter().all(|point| point.depth <= contact.depth));
        let zeros = [contact.normal, contact.mtv].concat();
        let zeros = zeros.iter().chain(contact.points.iter().flat_map(|point| &point.position));
        assert!(zeros.chain([&contact.depth]).all(|x| x.to_bits() != (-0.0_f64).to_bits()), "no −0");
    }
}

/// Expected values: squares of side 10 with vertices 5 apart. The MTV is 5 along an axis.
#[test]
fn two_squares_of_the_first_article() {
    let square = |x: f64| {
        format!(r#"{{"shape": {{"polygon": {{"points": [[0,0],[10,0],[10,10],[0,10]]}}}}, "position": [{x}, {x}]}}"#)
    };
    let scene = |x: f64| format!(r#"{{"carom": 1, "colliders": [{}, {}]}}"#, square(0.0), square(x));
    let report = check(&scene(5.0), &[]);
    lawful(&report);
    assert_eq!((report.shapes, report.candidates, report.contacts.len()), (2, 1, 1));
    let contact = &report.contacts[0];
    assert_eq!((contact.a.as_str(), contact.b.as_str(), contact.sensor), ("#0", "#1", false));
    assert_eq!(contact.depth, 5.0);
    assert!(contact.mtv == [5.0, 0.0] || contact.mtv == [0.0, 5.0], "{:?}", contact.mtv);
    assert_eq!(contact.points.len(), 2);

    let report = check(&scene(20.0), &[]);
    assert_eq!((report.shapes, report.candidates, report.contacts.len()), (2, 0, 0));

    // P16: shapes that share a vertex touch, at depth exactly 0.
    let report = check(&scene(10.0), &[]);
    assert_eq!((report.candidates, report.contacts.len()), (1, 1));
    assert_eq!(report.contacts[0].depth, 0.0);
}

/// Expected values: unit circles 1.5 apart overlap by 0.5, and the middle of the overlap is at 0.75.
#[test]
fn two_circles_and_a_sensor() {
    let scene = r#"{"carom": 1, "colliders": [
        {"id": "left", "shape": {"circle": {"radius": 1}}},
        {"id": "right", "shape": {"circle": {"radius": 1}}, "position": [1.5, 0], "sensor": true}]}"#;
    let json = carom_with(&["check", "-", "--format", "json"], scene).data();
    let expected = concat!(
        r#"{"shapes":2,"candidates":1,"contacts":[{"a":"left","b":"right","normal":[1.0,0.0],"depth":0.5,"#,
        r#""mtv":[0.5,0.0],"sensor":true,"points":[{"position":[0.75,0.0],"depth":0.5}],"layers_a":[],"layers_b":[]}]}"#,
        "\n"
    );
    assert_eq!(json, expected);
}

#[test]
fn a_scene_may_be_empty() {
    let json = carom_with(&["check", "-", "--format", "json"], r#"{"carom": 1, "colliders": []}"#).data();
    assert_eq!(json, "{\"shapes\":0,\"candidates\":0,\"contacts\":[]}\n");
}

/// Random shapes of every kind with layers, masks and groups, as a scene file and as library
/// shapes.
struct Random {
    state: u64,
    json: Vec<String>,
    shapes: Vec<(Shape, carom::Pose, carom::broad_phase::Filter)>,
}

impl Random {
    fn new(seed: u64, count: usize) -> Self {
        let mut random = Self { state: seed, json: Vec::new(), shapes: Vec::new() };
        for _ in 0..count {
            random.add();
        }
        random
    }

    /// Returns an integer in 0..below.
    fn below(&mut self, below: u32) -> u32 {
        self.next(1.0);
        (self.state >> 33) as u32 % below
    }

    /// Returns a multiple of 1/16 in 0..below, so that some shapes touch exactly.
    fn next(&mut self, below: f64) -> f64 {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.state >> 33) as f64 / (1_u64 << 31) as f64 * below * 16.0).floor() / 16.0
    }

    fn add(&mut self) {
        let (w, h, r) = (1.0 + self.next(3.0), 1.0 + self.next(3.0), 0.25 + self.next(1.0));
        let (json, shape) = match self.below(5) {
            0 => (format!(r#"{{"circle": {{"radius": {r}}}}}"#), Shape::circle(r)),
            1 => (
                format!(r#"{{"capsule": {{"a": [0, 0], "b": [{w}, {h}], "radius": {r}}}}}"#),
                Shape::capsule([0.0, 0.0], [w, h], r),
            ),
            2 => (format!(r#"{{"segment": {{"a": [0, 0], "b": [{w}, {h}]}}}}"#), Shape::segment([0.0, 0.0], [w, h])),
            3 => (format!(r#"{{"rectangle": {{"width": {w}, "height": {h}}}}}"#), Shape::rectangle(w, h)),
            _ => (
                format!(r#"{{"polygon": {{"points": [[0, 0], [{w}, 0], [0, {h}]], "radius": {r}}}}}"#),
                Shape::polygon(&[[0.0, 0.0], [w, 0.0], [0.0, h]]).and_then(|shape| shape.rounded(r)),
            ),
        };
        let (x, y, degrees) = (self.next(40.0), self.next(40.0), self.below(8) * 45);
        let (layer, other) = (self.below(3), self.below(3));
        let mut line = format!(
            r#"{{"shape": {json}, "position": [{x}, {y}], "rotation": {degrees}, "layers": [{layer}], "mask": [{layer}, {other}]"#
        );
        let grouped = self.next(4.0) < 1.0;
        if grouped {
            line += r#", "group": 1"#;
        }
        line.push('}');
        self.json.push(line);
        let pose = carom::Pose::from_degrees([x, y], f64::from(degrees)).expect("a pose");
        let mask = 1 << layer | 1 << other;
        let filter = carom::broad_phase::Filter { layers: 1 << layer, mask, group: u32::from(grouped) };
        self.shapes.push((shape.expect("a shape"), pose, filter));
    }

    fn scene(&self) -> String {
        format!(r#"{{"carom": 1, "colliders": [{}]}}"#, self.json.join(",\n"))
    }

    fn placed(&self, i: usize) -> Placed<'_> {
        self.shapes[i].0.placed(self.shapes[i].1)
    }

    /// Returns the pairs that layers, masks and groups allow, by their definition.
    fn allowed(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let pairs = (0..self.shapes.len()).flat_map(|a| (a + 1..self.shapes.len()).map(move |b| (a, b)));
        pairs.filter(|&(a, b)| {
            let (p, q) = (self.shapes[a].2, self.shapes[b].2);
            p.mask & q.layers != 0 && q.mask & p.layers != 0 && (p.group == 0 || p.group != q.group)
        })
    }
}

/// Every intersecting pair is listed once, in file order. Candidates are the pairs with
/// intersecting boxes. The test counts both pair by pair with the library's predicates.
#[test]
fn each_intersecting_pair_is_listed_once_in_file_order() {
    for seed in [1, 2, 3] {
        println!("seed {seed}");
        let random = Random::new(seed, 250);
        let report = check(&random.scene(), &[]);
        lawful(&report);
        let listed: Vec<(usize, usize)> = report.contacts.iter().map(|c| (index(&c.a), index(&c.b))).collect();
        let expected_pairs: Vec<_> =
            random.allowed().filter(|&(a, b)| carom::intersects(random.placed(a), random.placed(b))).collect();
        assert!(expected_pairs.len() > 50, "{}", expected_pairs.len());
        assert_eq!(listed, expected_pairs);
        let boxes = random.allowed().filter(|&(a, b)| random.placed(a).aabb().intersects(&random.placed(b).aabb()));
        assert_eq!(report.candidates, boxes.count());
        assert_eq!(report.shapes, 250);
    }
}

/// With a margin, near misses are listed too. Their depth is minus the distance.
#[test]
fn near_misses_are_those_within_the_margin() {
    let random = Random::new(7, 250);
    let report = check(&random.scene(), &["--margin", "0.5"]);
    lawful(&report);
    let distance = |a, b| carom::distance(random.placed(a), random.placed(b)).distance;
    let listed: Vec<_> = report.contacts.iter().map(|c| (index(&c.a), index(&c.b))).collect();
    let near: Vec<_> = random.allowed().filter(|&(a, b)| distance(a, b) <= 0.5).collect();
    assert_eq!(listed, near);
    let misses = report.contacts.iter().filter(|contact| contact.depth < 0.0).count();
    assert!(misses > 20, "{misses}");
    for contact in report.contacts.iter().filter(|contact| contact.depth < 0.0) {
        let gap = distance(index(&contact.a), index(&contact.b));
        assert!((contact.depth + gap).abs() < 1e-9, "{} and {gap}", contact.depth);
    }
}

fn index(id: &str) -> usize {
    id.trim_start_matches('#').parse().expect("an id by index")
}

/// P31: the same scene gives the same bytes, in every run and with every broad phase.
#[test]
fn same_bytes_every_time_and_for_every_broad_phase() {
    let folder = Folder::new();
    let file = folder.file("scene.json", Random::new(11, 400).scene());
    for margin in ["0", "0.75"] {
        for format in ["json", "ndjson", "table"] {
            let run =
                |broad: &str| carom(&["check", &file, "--format", format, "--margin", margin, "--broad", broad]).data();
            let first = run("auto");
            assert!(first.len() > 1000);
            for broad in BROADS {
                assert_eq!(run(broad), first, "{format}, {broad}");
            }
        }
    }
}

/// NDJSON has one contact a line: the same objects as JSON, with every option that selects
/// contacts, for scenes of several rounds and with composites.
#[test]
fn ndjson_has_the_contacts_of_the_json_form() {
    let folder = Folder::new();
    let crowded = Random::new(13, 2_000);
    let compound = r#"{"shape": {"compound": [{"shape": {"circle": {"radius": 3}}, "position": [9, 9]}, {"shape": {"rectangle": {"width": 30, "height": 1}}}]}}"#;
    let parts = format!(r#"{{"carom": 1, "colliders": [{compound}, {}]}}"#, Random::new(17, 80).json.join(","));
    let options: [&[&str]; 6] = [
        &[],
        &["--margin", "0.5"],
        &["--overlaps"],
        &["--min-depth", "0.25"],
        &["--between", "0", "1"],
        &["--min-depth", "1e9"],
    ];
    for (scene, name) in [(crowded.scene(), "crowded.json"), (parts, "parts.json")] {
        let file = folder.file(name, scene);
        let run = |format: &str, args: &[&str]| carom(&[&["check", &file, "--format", format], args].concat());
        for args in options {
            let contacts = report(&run("json", args).data()).contacts;
            let mut lines = String::new();
            for contact in &contacts {
                writeln!(lines, "{}", serde_json::to_string(contact).expect("a contact is JSON"))
                    .expect("a string grows");
            }
            for threads in ["1", "3"] {
                assert!(
                    run("ndjson", &[args, &["--threads", threads]].concat()).data() == lines,
                    "{name}, {args:?}, {threads} threads"
                );
            }
            // With `--render` all contacts are computed first. The bytes are the same.
            let picture = folder.path().join("out.svg");
            if name == "parts.json" {
                let rendered = [args, &["--render", picture.to_str().expect("UTF-8")]].concat();
                assert!(run("ndjson", &rendered).data() == lines, "{name}, {args:?}, with a picture");
            }
            assert_eq!(
                run("ndjson", &[args, &["--deny"]].concat()).code,
                i32::from(!contacts.iter().all(|contact| contact.depth < 0.0))
            );
        }
    }
}
