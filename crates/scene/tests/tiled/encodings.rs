//! The cells of a layer are the same in every encoding and compression, of fixed and of infinite size. The maps in
//! `maps/` were written by Tiled 1.8.2 itself, in both of its formats.
use super::{map, read, refused};
use carom_scene::Scene;

macro_rules! maps {
    ($($name:literal),*) => { [$(($name, include_str!(concat!("maps/", $name)))),*] };
}

fn all_the_same(maps: &[(&str, &str)], expected: &Scene) {
    assert!(expected.colliders.len() > 10);
    for (name, text) in maps {
        // Each format has ignored parts of its own.
        let scene = Scene { ignored: expected.ignored.clone(), ..read(text) };
        assert!(&scene == expected, "{name} differs");
    }
}

#[test]
fn every_encoding_gives_the_same_scene() {
    let maps = maps![
        "csv.tmx",
        "xml.tmx",
        "base64.tmx",
        "gzip.tmx",
        "zlib.tmx",
        "zstd.tmx",
        "csv.tmj",
        "base64.tmj",
        "gzip.tmj",
        "zlib.tmj",
        "zstd.tmj"
    ];
    let scene = read(maps[0].1);
    all_the_same(&maps, &scene);
    // In the first rows tile 1 has one collision shape, tile 2 one, tile 3 two. Some are rotated.
    let ids: Vec<_> = scene.colliders.iter().map(|c| c.id.as_str()).collect();
    let first = ["ground[1,0]", "ground[2,0]", "ground[4,0].1", "ground[4,0].2", "ground[0,1]", "ground[2,1]"];
    assert_eq!(ids[..6], first);
}

/// The same cells two columns to the left and one row up, in four chunks.
#[test]
fn chunks_of_infinite_maps_lie_at_their_coordinates() {
    let maps = maps![
        "infinite-csv.tmx",
        "infinite-xml.tmx",
        "infinite-base64.tmx",
        "infinite-gzip.tmx",
        "infinite-zlib.tmx",
        "infinite-zstd.tmx",
        "infinite-csv.tmj",
        "infinite-base64.tmj",
        "infinite-gzip.tmj",
        "infinite-zlib.tmj",
        "infinite-zstd.tmj"
    ];
    let infinite = read(maps[0].1);
    all_the_same(&maps, &infinite);
    let fixed = read(include_str!("maps/csv.tmx"));
    assert_eq!(infinite.colliders.len(), fixed.colliders.len());
    for there in &fixed.colliders {
        let position = there.pose.translation();
        let here = infinite
            .colliders
            .iter()
            .find(|c| c.pose.translation() == position - carom::DVec2::new(32.0, 16.0) && c.shape == there.shape);
        assert!(here.is_some(), "{} is missing from the infinite map", there.id);
    }
    assert!(infinite.colliders.iter().any(|c| c.id == "ground[-2,0]"), "columns count from the map's origin");
}

#[test]
fn a_layer_of_an_infinite_map_may_have_no_chunks() {
    let text = |infinite: u32| {
        layer(r#"encoding="base64" compression="zlib""#, "")
            .replace(r#"infinite="0""#, &format!(r#"infinite="{infinite}""#))
    };
    assert!(read(&text(1)).colliders.is_empty());
    assert!(refused(&text(0)).contains("0 bytes"));
    let json = |infinite: bool| {
        format!(
            r#"{{"orientation": "orthogonal", "tilewidth": 1, "tileheight": 1, "infinite": {infinite},
            "layers": [{{"type": "tilelayer", "name": "l", "chunks": [], "width": 0, "height": 0}}]}}"#
        )
    };
    assert!(read(&json(true)).colliders.is_empty());
    assert!(refused(&json(false)).contains("layer \"l\": no data"));
}

/// Returns a layer of 2 × 2 cells with `data`, without a tileset. Only empty cells are valid.
fn layer(attributes: &str, data: &str) -> String {
    map(&format!(r#"<layer name="l" width="2" height="2"><data {attributes}>{data}</data></layer>"#))
}

#[test]
fn cells_of_the_wrong_number_are_refused() {
    let zeros = |bytes: &[u8]| {
        use base64::Engine as _;
        base64::engine::general_purpose::STANDARD.encode(bytes)
    };
    let cases = [
        (layer(r#"encoding="csv""#, "0,0,0"), "3 tile numbers"),
        (layer(r#"encoding="csv""#, "0,0,0,0,0"), "more than 4"),
        (layer(r#"encoding="csv""#, "0,0,,0"), "\"\" is no tile number"),
        (layer(r#"encoding="csv""#, "0,0,-1,0"), "\"-1\" is no tile number"),
        (layer(r#"encoding="csv""#, "0,0,4294967296,0"), "\"4294967296\" is no tile number"),
        (layer("", r#"<tile gid="0"/><tile/>"#), "2 tile numbers"),
        (layer(r#"encoding="base64""#, &zeros(&[0; 15])), "15 bytes"),
        (layer(r#"encoding="base64""#, &zeros(&[0; 17])), "more than 4"),
        (layer(r#"encoding="base64""#, "A*B="), "base64"),
        (layer(r#"encoding="base64" compression="zlib""#, &zeros(&[1; 16])), "unpacked"),
        (layer(r#"encoding="base64" compression="gzip""#, &zeros(&[1; 16])), "unpacked"),
        (layer(r#"encoding="base64" compression="zstd""#, &zeros(&[1; 16])), "unpacked"),
        (layer(r#"encoding="base64" compression="lzma""#, ""), "unknown compression \"lzma\""),
        (layer(r#"encoding="csv" compression="zlib""#, ""), "without encoding \"base64\""),
        (layer(r#"encoding="hex""#, ""), "unknown encoding \"hex\""),
    ];
    for (text, expected) in cases {
        let message = refused(&text);
        assert!(message.contains(expected) && message.contains("layer \"l\""), "{expected}: {message}");
        assert!(message.starts_with("map: line 1, column "), "{message}");
    }
    assert!(read(&layer(r#"encoding="csv""#, " 0, 0,\n0,0\n")).colliders.is_empty());
}

/// The other two compressions always have a checksum. In zstd it is optional.
#[test]
fn a_wrong_checksum_is_noticed() {
    let zstd = |data| layer(r#"encoding="base64" compression="zstd""#, data);
    assert!(read(&zstd("KLUv/QRYRQAAEAAAAQAywAIyfCQW")).colliders.is_empty());
    assert!(refused(&zstd("KLUv/QRYRQAAEAAAAQAywAIyfCQX")).contains("checksum"));
}

/// Sixteen megabytes of zeros compress to 20 kB. The decompressed size is bounded by the size of
/// the layer.
#[test]
fn a_compression_bomb_is_refused_at_the_declared_size() {
    use base64::Engine as _;
    use std::io::Write as _;
    let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    zlib.write_all(&vec![0; 1 << 24]).unwrap();
    let bomb = base64::engine::general_purpose::STANDARD.encode(zlib.finish().unwrap());
    assert!(bomb.len() < 30_000);
    let message = refused(&layer(r#"encoding="base64" compression="zlib""#, &bomb));
    assert!(message.contains("more than 4"), "{message}");
}
