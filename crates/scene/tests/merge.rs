//! Merging several files into one scene changes the meaning of none.
use carom_scene::{Error, Options, Scene, YAxis, merge, read};

fn scene(json: &str) -> Scene {
    read("test.json", json.as_bytes(), &Options::default(), &mut |_| Err(std::io::ErrorKind::NotFound.into())).unwrap()
}

fn circles(extras: &[&str]) -> String {
    let list: Vec<String> =
        extras.iter().map(|extra| format!("{{\"shape\": {{\"circle\": {{\"radius\": 1}}}}{extra}}}")).collect();
    format!("{{\"carom\": 1, \"colliders\": [{}]", list.join(", "))
}

fn merged(files: &[(&str, &str)]) -> Result<Scene, Error> {
    merge(files.iter().map(|&(name, json)| (name.to_owned(), scene(json))).collect())
}

fn allowed(scene: &Scene, i: usize, j: usize) -> bool {
    scene.colliders[i].filter.should_collide(scene.colliders[j].filter)
}

#[test]
fn one_file_stays_as_it_is() {
    let json = circles(&[", \"id\": \"a\", \"layers\": [\"x\"], \"group\": 9"]) + "}";
    let expected = Scene { files: vec!["one.json".to_owned()], ..scene(&json) };
    assert_eq!(merged(&[("one.json", &json)]).unwrap(), expected);
    assert_eq!(merge(Vec::new()).unwrap(), Scene::default());
}

#[test]
fn ids_of_later_files_carry_the_files_name() {
    let json = circles(&[", \"id\": \"a\"", ""]) + "}";
    let scene = merged(&[("maps/one.json", &json), ("./two.json", &json), ("-", &json)]).unwrap();
    let ids: Vec<&str> = scene.colliders.iter().map(|c| c.id.as_str()).collect();
    assert_eq!(ids, ["a", "#1", "./two.json:a", "./two.json:#1", "-:a", "-:#1"]);
    let error = merged(&[("x", &json), ("x", &json), ("x", &json)]).unwrap_err().to_string();
    assert_eq!(error, "x: the id \"x:a\" would stand for two colliders: name each file once");
}

#[test]
fn refusals_carry_the_files_name_too() {
    let json = b"{\"carom\": 1, \"colliders\": [{\"id\": \"a\", \"shape\": {\"circle\": {\"radius\": -1}}}]}";
    let options = Options { skip_invalid: true, ..Options::default() };
    let scene = || read("test.json", json, &options, &mut |_| Err(std::io::ErrorKind::NotFound.into())).unwrap();
    let scene = merge(vec![("one".to_owned(), scene()), ("two".to_owned(), scene())]).unwrap();
    let objects: Vec<&str> = scene.skipped.iter().map(|r| r.object.as_str()).collect();
    assert_eq!(objects, ["a", "two:a"]);
}

#[test]
fn layers_of_one_name_are_one_layer_and_bare_numbers_keep_theirs() {
    // In the first file "wall" is layer 1. The second file uses 1 by number, so "wall" gets 2, and "coin" gets 3.
    let first = circles(&[", \"layers\": [\"wall\"], \"mask\": [\"coin\"]", ", \"layers\": [\"coin\"]"]) + "}";
    let second =
        circles(&[", \"layers\": [\"coin\"]", ", \"layers\": [1]", ", \"layers\": [\"wall\"], \"mask\": [1]", ""])
            + "}";
    let scene = merged(&[("first", &first), ("second", &second)]).unwrap();
    assert_eq!(scene.layers, [None, None, Some("wall".to_owned()), Some("coin".to_owned())]);
    let filters: Vec<(u64, u64)> = scene.colliders.iter().map(|c| (c.filter.layers, c.filter.mask)).collect();
    assert_eq!(filters, [(4, 8), (8, u64::MAX), (8, u64::MAX), (2, u64::MAX), (4, 2), (1, u64::MAX)]);
    assert!(allowed(&scene, 0, 1) && allowed(&scene, 0, 2), "wall meets the coins of both files");
    assert!(!allowed(&scene, 0, 3) && allowed(&scene, 3, 4), "layer 1 is not wall");
    assert!(!allowed(&scene, 0, 5) && allowed(&scene, 1, 5), "the default layer is not coin");
}

#[test]
fn a_65th_layer_is_refused() {
    let named = |range: std::ops::Range<usize>| {
        let layers: Vec<String> = range.map(|i| format!(", \"layers\": [\"layer {i}\"]")).collect();
        circles(&layers.iter().map(String::as_str).collect::<Vec<_>>()) + "}"
    };
    assert_eq!(merged(&[("a", &named(0..40)), ("b", &named(30..64))]).unwrap().layers.len(), 64);
    let error = merged(&[("a", &named(0..40)), ("b", &named(30..65))]).unwrap_err().to_string();
    assert!(error.starts_with("b: layer \"layer 64\" is the 65th layer"), "{error}");
}

/// Law: names keep their numbers in the merged scene if the first file has all of them. Names get 1 to 63, then 0.
#[test]
fn a_scene_of_64_names_keeps_their_numbers() {
    let layers: Vec<String> = (0..64).map(|i| format!(", \"layers\": [\"layer {i}\"]")).collect();
    let all = circles(&layers.iter().map(String::as_str).collect::<Vec<_>>()) + "}";
    let some = circles(&[", \"layers\": [\"layer 63\"], \"mask\": [\"layer 0\"]"]) + "}";
    let scene = merged(&[("a", &all), ("b", &some)]).unwrap();
    for (i, collider) in scene.colliders[..64].iter().enumerate() {
        assert_eq!(collider.filter.layers, 1 << ((i + 1) % 64));
        assert_eq!(scene.layers[(i + 1) % 64], Some(format!("layer {i}")));
    }
    let filter = scene.colliders[64].filter;
    assert_eq!((filter.layers, filter.mask), (1, 0b10));
    // A collider of another file is on layer 0 by default, so 63 numbers are left. The last name is one too many.
    let error = merged(&[("a", &all), ("b", &(circles(&[""]) + "}"))]).unwrap_err().to_string();
    assert!(error.starts_with("a: layer \"layer 63\" is the 65th layer"), "{error}");
}

#[test]
fn groups_of_different_files_stay_apart() {
    let json = circles(&[", \"group\": 4294967295", ", \"group\": 4294967295", ", \"group\": 1", ""]) + "}";
    let scene = merged(&[("a", &json), ("b", &json)]).unwrap();
    for i in 0..8 {
        for j in (0..8).filter(|&j| j != i) {
            let one_group = i / 4 == j / 4 && i % 4 < 2 && j % 4 < 2;
            assert_eq!(allowed(&scene, i, j), !one_group, "{i} and {j}");
        }
    }
}

#[test]
fn files_that_disagree_are_refused() {
    let with = |extra: &str| circles(&[""]) + extra + "}";
    let error = merged(&[("a", &with(", \"y\": \"down\"")), ("b", &with(""))]).unwrap_err().to_string();
    assert_eq!(error, "b: +y points up here and down in a: bring both to one direction");
    let (g, w) = (", \"gravity\": [0, 1]", ", \"walls\": [0, 0, 1, 1]");
    let scene = merged(&[("a", &with("")), ("b", &with(g)), ("c", &with(w)), ("d", &with(g))]).unwrap();
    assert_eq!((scene.y, scene.gravity.map(|g| g.y), scene.walls.is_some()), (YAxis::Up, Some(1.0), true));
    let error = merged(&[("a", &with(g)), ("b", &with(", \"gravity\": [0, 2]"))]).unwrap_err().to_string();
    assert_eq!(error, "b: its gravity differs from that of an earlier file: leave it out of one");
    let error = merged(&[("a", &with(w)), ("b", &with(", \"walls\": [0, 0, 2, 1]"))]).unwrap_err().to_string();
    assert_eq!(error, "b: its walls differ from those of an earlier file: leave them out of one");
}
