//! P22: for all bytes, reading ends soon, in a scene or in one error, without a panic and with
//! little memory.
use carom_scene::Options;

use super::{map, read_with, refused};
use crate::support::{changed_is_sound, soon, truncated_is_refused};

#[test]
fn deep_nesting() {
    let depth = 200_000;
    let groups = map(&("<group>".repeat(depth) + &"</group>".repeat(depth)));
    assert!(soon(|| refused(&groups)).contains("group layers more than 100 deep"));
    let start = r#"{"orientation": "orthogonal", "tilewidth": 1, "tileheight": 1, "layers": "#;
    let message = soon(|| refused(&(start.to_owned() + &"[".repeat(depth))));
    assert!(message.contains("line 1, column 200"), "{message}");
    let (open, close) = (r#"[{"type": "group", "layers": "#.repeat(depth), "}]".repeat(depth));
    let message = soon(|| refused(&format!("{start}{open}[]{close}}}")));
    assert!(message.contains("recursion"), "{message}");
    let unknown = map(&("<x>".repeat(depth) + &"</x>".repeat(depth)));
    assert!(soon(|| super::read(&unknown)).colliders.is_empty());
}

/// The declared size of a layer is checked before memory is allocated.
#[test]
fn huge_layers() {
    for (width, height) in [(u32::MAX, u32::MAX), (1 << 16, 1 << 16), (4097, 4096)] {
        for data in ["", r#" encoding="base64" compression="zlib""#, r#" encoding="csv""#] {
            let layer = format!(r#"<layer name="l" width="{width}" height="{height}"><data{data}>AAAA</data></layer>"#);
            let message = soon(|| refused(&map(&layer)));
            assert!(message.contains("layer \"l\"") && message.contains("at most 16777216"), "{message}");
        }
    }
    // The limit counts all layers together.
    let small = r#"<layer name="small" width="1" height="1"><data encoding="csv">0</data></layer>"#;
    let large = r#"<layer name="large" width="4096" height="4096"><data encoding="base64"/></layer>"#;
    assert!(refused(&map(large)).contains("0 bytes"));
    assert!(refused(&map(&[small, large].concat())).contains("at most 16777216"));
    let chunk = r#"<chunk x="2147483647" y="2147483647" width="1" height="1">1</chunk>"#;
    let set = r#"<tileset firstgid="1" tilewidth="8" tileheight="8" name="t"><tile id="0"><objectgroup>
        <object><point/></object></objectgroup></tile></tileset>"#;
    let far = map(&format!(r#"{set}<layer name="l"><data encoding="csv">{chunk}</data></layer>"#));
    assert_eq!(super::read(&far).colliders[0].id, "l[2147483647,2147483647]");
}

/// 40 kB of text that declare two million colliders.
#[test]
fn too_many_tiles() {
    use base64::Engine as _;
    use std::io::Write as _;
    let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    zlib.write_all(&[1, 0, 0, 0].repeat(1 << 21)).unwrap();
    let data = base64::engine::general_purpose::STANDARD.encode(zlib.finish().unwrap());
    let text = map(&format!(
        r#"<tileset firstgid="1" name="t" tilewidth="8" tileheight="8" tilecount="1"><image source="t.png"/></tileset>
        <layer name="l" width="2048" height="1024"><data encoding="base64" compression="zlib">{data}</data></layer>"#
    ));
    assert!(text.len() < 40_000);
    assert!(super::read(&text).colliders.is_empty());
    let solid = Options { solid: vec!["l".to_owned()], ..Options::default() };
    let message = soon(|| read_with(&text, &[], &solid)).unwrap_err().to_string();
    assert!(message.contains("more than 1048576 colliders"), "{message}");
}

/// Small files that repeat one large shape or one long name: by templates, tile objects, cells and
/// collision shapes of a tile.
#[test]
fn repetitions_by_tiles_and_templates_are_bounded() {
    let points = (0..20_000).map(|i| format!("{},{} ", i, i % 7)).collect::<Vec<_>>().concat();
    let shape = format!("<object><polyline points=\"{points}\"/></object>");
    let template = format!("<template>{shape}</template>");
    let set = |shapes: &str| {
        format!(
            "<tileset firstgid=\"1\" tilewidth=\"8\" tileheight=\"8\" tilecount=\"1\" name=\"t\"><tile \
             id=\"0\"><objectgroup>{shapes}</objectgroup></tile></tileset>"
        )
    };
    let layer = |name: &str, width: usize| {
        format!(
            "<layer name=\"{name}\" width=\"{width}\" height=\"1\"><data encoding=\"csv\">1{}</data></layer>",
            ",1".repeat(width - 1)
        )
    };
    let object =
        |name: &str, what: &str| format!("<objectgroup name=\"o\"><object {what} name=\"{name}\"/></objectgroup>");
    let (small, long) = ("<object width=\"1\" height=\"1\"/>".repeat(400), "n".repeat(200_000));
    let texts = [
        map(&object("", "template=\"t.tx\"").repeat(250)),
        map(&(set(&shape) + &object("", "gid=\"1\" width=\"8\" height=\"8\"").repeat(250))),
        map(&(set(&shape) + &layer("l", 1).repeat(250))),
        map(&(set(&small) + &object(&long, "gid=\"1\" width=\"8\" height=\"8\""))),
        map(&(set("<object width=\"1\" height=\"1\"/>") + &layer(&long, 400))),
    ];
    for text in texts {
        let message = soon(|| read_with(&text, &[("t.tx", &template)], &Options::default())).unwrap_err().to_string();
        assert!(
            message.contains(" bytes of points and names up to here; the limit is 67108864"),
            "{}",
            &message[..message.len().min(400)]
        );
    }
}

#[test]
fn entities_do_not_expand() {
    let laughs = (1..10).map(|i| format!(r#"<!ENTITY l{i} "{}">"#, format!("&l{};", i - 1).repeat(10)));
    let text = format!(
        r#"<!DOCTYPE map [<!ENTITY l0 "ha">{}]><map orientation="orthogonal">&l9;</map>"#,
        laughs.collect::<String>()
    );
    assert!(soon(|| refused(&text)).contains("entity"));
}

/// Input for which a simple XML parser takes quadratic time.
#[test]
fn attributes_and_namespaces_by_the_thousand() {
    let many = |name: &str| format!(" {name}=\"u\"").repeat(100_000);
    let apostrophe = "<!-- don't -->";
    let text = map(&format!("{apostrophe}<layer{}/>{apostrophe}", many("a")));
    assert!(soon(|| refused(&text)).contains("more than 256 attributes"));
    assert!(soon(|| refused(&map(&"<x xmlns:n=\"u\">".repeat(1000)))).contains("more than 256 namespace"));
    let subset = format!("<!DOCTYPE map [<!ELEMENT map ANY>]><map{}/>", many("a"));
    assert!(soon(|| refused(&subset)).contains("more than 256 attributes"));
}

#[test]
fn truncated_maps() {
    for text in [include_str!("maps/everything.tmx"), include_str!("maps/zstd.tmx"), include_str!("maps/gzip.tmj")] {
        truncated_is_refused("map", text.trim_end());
        assert!(read_with(text, &[], &Options { skip_invalid: true, ..Options::default() }).is_ok());
    }
}

#[test]
fn changed_maps() {
    let maps: [&[u8]; 5] = [
        include_bytes!("maps/everything.tmx"),
        include_bytes!("maps/everything.tmj"),
        include_bytes!("maps/zstd.tmx"),
        include_bytes!("maps/infinite-gzip.tmj"),
        include_bytes!("maps/infinite-csv.tmx"),
    ];
    let read = changed_is_sound("map", &maps, b"0123456789-+.eE\"<>&/{}[],: \n\0\xffNai", 3_000, 0x5EED_0001);
    assert!(read > 150, "only {read} of the changed maps were read");
}
