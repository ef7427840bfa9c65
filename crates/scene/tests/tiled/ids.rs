//! The id of an object is its name, else its number, else its index in the file. Ids are unique in
//! a scene.
use super::{map, objects, read, refused};

fn ids(map: &str) -> Vec<String> {
    read(map).colliders.into_iter().map(|c| c.id).collect()
}

#[test]
fn name_number_or_index() {
    let text = objects(
        r#"<object id="7" name="seven" x="0" y="0"/><object name="door" x="0" y="0"/>
           <object x="0" y="0"><text>counted</text></object><object x="0" y="0"/><object id="0" x="0" y="0"/>"#,
    );
    assert_eq!(ids(&text), ["seven", "door", "#3", "#4"]);
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

/// The shapes of one object share its number, and its name with the number of the repeat.
#[test]
fn names_and_numbers_are_kept() {
    let tiles = r#"<tileset firstgid="1" name="t" tilewidth="16" tileheight="16" tilecount="1"><image source="t.png" width="16" height="16"/>
        <tile id="0"><objectgroup><object width="4" height="4"/><object x="8" width="4" height="4"/></objectgroup></tile></tileset>"#;
    let crates =
        r#"<object id="3" name="crate" gid="1" x="0" y="16"/><object id="9" name="crate" gid="1" x="32" y="16"/>"#;
    let layer = r#"<layer name="ground" width="1" height="1"><data encoding="csv">1</data></layer>"#;
    let scene = read(&map(&format!("{tiles}<objectgroup name=\"things\">{crates}</objectgroup>{layer}")));
    let found: Vec<_> = scene
        .colliders
        .iter()
        .map(|c| {
            let text = |text: &Option<std::sync::Arc<str>>| text.as_deref().unwrap_or("").to_owned();
            (c.id.as_str(), text(&c.origin.name), c.origin.number, text(&c.origin.object), c.origin.is_tile)
        })
        .collect();
    let row = |id, name: &str, number, object: &str, tile| (id, name.to_owned(), number, object.to_owned(), tile);
    assert_eq!(
        found,
        [
            row("crate.1", "crate", Some(3), "crate", false),
            row("crate.2", "crate", Some(3), "crate", false),
            row("crate#2.1", "crate", Some(9), "crate#2", false),
            row("crate#2.2", "crate", Some(9), "crate#2", false),
            row("ground[0,0].1", "", None, "ground[0,0]", true),
            row("ground[0,0].2", "", None, "ground[0,0]", true),
        ]
    );
}

#[test]
fn layers_without_a_name_are_called_by_their_number() {
    let layer = r#"<objectgroup><object x="0" y="0"/></objectgroup>"#;
    let scene = read(&map(&format!("<imagelayer/><group>{layer}</group>{layer}")));
    assert_eq!(scene.layers, [None, Some("#2".to_owned()), Some("#3".to_owned())]);
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
