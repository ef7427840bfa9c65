//! The id of an object is its number, else its name, else its index in the file. Ids are unique in
//! a scene.
use super::{map, objects, read, refused};

fn ids(map: &str) -> Vec<String> {
    read(map).colliders.into_iter().map(|c| c.id).collect()
}

#[test]
fn number_name_or_index() {
    let text = objects(
        r#"<object id="7" name="seven" x="0" y="0"/><object name="door" x="0" y="0"/>
           <object x="0" y="0"><text>counted</text></object><object x="0" y="0"/><object id="0" x="0" y="0"/>"#,
    );
    assert_eq!(ids(&text), ["7", "door", "#3", "#4"]);
}

#[test]
fn later_repeats_are_numbered() {
    let door = r#"<object name="door" x="0" y="0"/>"#;
    let second = r#"<object name="door#2" x="0" y="0"/>"#;
    assert_eq!(ids(&objects(&door.repeat(3))), ["door", "door#2", "door#3"]);
    assert_eq!(ids(&objects(&[door, second, door].concat())), ["door", "door#2", "door#3"]);
    assert_eq!(ids(&objects(&[door, door, second].concat())), ["door", "door#2", "door#2#2"]);
    assert_eq!(ids(&objects(r#"<object id="7" x="0" y="0"/><object name="7" x="0" y="0"/>"#)), ["7", "7#2"]);
}

#[test]
fn layers_without_a_name_are_called_by_their_place() {
    let layer = r#"<objectgroup><object x="0" y="0"/></objectgroup>"#;
    let scene = read(&map(&format!("<imagelayer/><group>{layer}</group>{layer}")));
    assert_eq!(scene.layers, [Some("#2".to_owned()), Some("#3".to_owned())]);
}

#[test]
fn the_65th_layer_is_an_error() {
    let layer = |i| format!(r#"<objectgroup name="layer {i}"><object x="0" y="0"/></objectgroup>"#);
    let many = |n| map(&(1..=n).map(layer).collect::<String>());
    let scene = read(&many(64));
    assert_eq!(scene.layers.len(), 64);
    let bits: u64 = scene.colliders.iter().map(|c| c.filter.layers).fold(0, |all, bit| all | bit);
    assert_eq!(bits, u64::MAX);
    let message = refused(&many(65));
    assert!(message.contains("\"layer 65\"") && message.contains("at most 64"), "{message}");
    // A layer without colliders gets no number.
    assert_eq!(read(&many(64).replace("</map>", r#"<objectgroup name="empty"/></map>"#)).layers.len(), 64);
}
