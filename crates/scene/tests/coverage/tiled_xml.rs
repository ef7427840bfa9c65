//! Every element and attribute of Tiled's documentation of TMX, up to version 1.11.
use carom_scene::Format;

use super::check;

/// One element of each kind. The tiles are larger than the grid. `c` is a collection of images.
const BASE: &str = r#"<map orientation="orthogonal" width="2" height="1" tilewidth="16" tileheight="16" infinite="0">
<tileset firstgid="1" name="t" tilewidth="16" tileheight="24" tilecount="2"><tileoffset x="1" y="1"/><grid orientation="orthogonal" width="16" height="16"/><image source="t.png" width="32" height="24"/>
<tile id="0"><objectgroup id="9"><object id="90" x="1" y="1" width="4" height="6"/></objectgroup></tile></tileset>
<tileset firstgid="10" name="c" tilewidth="16" tileheight="16" tilecount="2"><tile id="0" width="6" height="6"><image source="a.png" width="8" height="8"/></tile><tile id="1"><image source="b.png" width="9" height="9"/></tile></tileset>
<layer name="ground" width="2" height="1"><data encoding="csv">0,1</data></layer>
<layer name="plain" width="2" height="1"><data><tile/><tile gid="1"/></data></layer>
<objectgroup name="things"><object id="5" x="40" y="40" width="32" height="16" gid="1"/><object id="6" x="80" y="40" width="8" height="4"/><object id="7" gid="10" x="1" y="90"/><object id="8" gid="11" x="20" y="90"/>
<object id="11" x="0" y="200"><polygon points="0,0 4,0 0,4"/></object><object id="12" x="0" y="300"><polyline points="0,0 4,0 0,4"/></object><object id="13" x="0" y="400" width="4" height="2"><ellipse/></object>
<object id="14" x="0" y="500"><polyline points="0,0 8,0"/></object><object id="15" x="0" y="520" width="8" height="4"><properties><property name="moving" type="object" value="14"/><property name="speed" type="float" value="8"></property></properties></object></objectgroup>
<group name="g"><objectgroup name="inner"><object id="20" x="500" y="0"/></objectgroup></group>
<imagelayer name="sky"/></map>"#;

const INFINITE: &str = r#"<map orientation="orthogonal" width="2" height="1" tilewidth="16" tileheight="16" infinite="1">
<tileset firstgid="1" name="t" tilewidth="16" tileheight="16" tilecount="2"><image source="t.png" width="32" height="16"/><tile id="0"><objectgroup><object x="1" y="1" width="4" height="6"/></objectgroup></tile></tileset>
<layer name="ground" width="2" height="1"><data encoding="csv"><chunk x="0" y="0" width="2" height="1">1,0</chunk></data></layer></map>"#;

/// Sets an attribute of the element that begins with `start`.
fn with(base: &str, start: &str, name: &str, value: &str) -> String {
    let from = base.find(start).unwrap_or_else(|| panic!("no {start}"));
    let end = from + base[from..].find('>').unwrap();
    let key = format!(" {name}=\"");
    if let Some(at) = base[from..end].find(&key) {
        let begin = from + at + key.len();
        let close = begin + base[begin..].find('"').unwrap();
        return format!("{}{value}{}", &base[..begin], &base[close..]);
    }
    let end = if base[..end].ends_with('/') { end - 1 } else { end };
    format!("{}{key}{value}\"{}", &base[..end], &base[end..])
}

/// Inserts a child before the end of the element that begins with `start`.
fn with_child(base: &str, start: &str, end: &str, child: &str) -> String {
    let from = base.find(start).unwrap_or_else(|| panic!("no {start}"));
    let at = from + base[from..].find(end).unwrap();
    format!("{}{child}{}", &base[..at], &base[at..])
}

/// Start of the element, parent in the list, attributes with values.
type Element = (&'static str, &'static str, &'static str);

const MAP: Element = (
    "<map",
    "map",
    "version=9 tiledversion=9 class=x orientation=isometric renderorder=left-up compressionlevel=9 width=9 \
     tilewidth=32 tileheight=32 skewx=1 skewy=1 parallaxoriginx=9 parallaxoriginy=9 backgroundcolor=#fff \
     nextlayerid=9 nextobjectid=9 infinite=1 unheard-of=1",
);

/// Attributes that are read in some orientations only: orientation of the map, start of the element, parent in the
/// list, attribute, value.
const ORIENTED: [[&str; 5]; 6] = [
    ["isometric", "<map", "map", "height", "9"],
    ["hexagonal", "<map", "map", "hexsidelength", "9"],
    ["hexagonal", "<map", "map", "staggeraxis", "x"],
    ["hexagonal", "<map", "map", "staggerindex", "even"],
    ["orthogonal", "<grid", "grid", "width", "3"],
    ["orthogonal", "<grid", "grid", "height", "3"],
];

const ELEMENTS: [Element; 24] = [
    MAP,
    (
        "<tileset firstgid=\"1\"",
        "tileset",
        "firstgid=2 source=x.tsx name=n class=x tilewidth=8 tileheight=8 spacing=1 margin=1 tilecount=0 columns=1 \
         backgroundcolor=#fff objectalignment=center tilerendersize=grid fillmode=preserve-aspect-fit version=9 \
         tiledversion=9 unheard-of=1",
    ),
    ("<tileoffset", "tileoffset", "x=3 y=3 unheard-of=1"),
    ("<grid", "grid", "orientation=isometric unheard-of=1"),
    ("<tile id=\"0\"", "tileset tile", "id=1 type=x class=x terrain=0,0,0,0 probability=0.5 x=1 y=1 unheard-of=1"),
    ("<tile id=\"0\" width", "tileset tile", "width=3 height=3"),
    (
        "<image source=\"b.png\"",
        "tile image",
        "format=png id=3 source=c.png trans=ff00ff width=5 height=5 unheard-of=1",
    ),
    (
        "<objectgroup id=\"9\"",
        "tile objectgroup",
        "id=3 name=n class=x color=#fff x=3 y=3 width=3 height=3 opacity=0.5 visible=0 tintcolor=#fff offsetx=3 \
         offsety=3 draworder=index unheard-of=1",
    ),
    (
        "<layer name=\"ground\"",
        "layer",
        "id=3 name=n class=x x=3 y=3 width=3 height=3 opacity=0.5 visible=0 locked=1 tintcolor=#fff mode=add offsetx=3 \
         offsety=3 parallaxx=0.5 parallaxy=0.5 unheard-of=1",
    ),
    ("<data encoding", "data", "encoding=base64 compression=zlib unheard-of=1"),
    ("<tile gid", "tile", "gid=0 unheard-of=1"),
    (
        "<objectgroup name=\"things\"",
        "objectgroup",
        "id=3 name=n class=x color=#fff x=3 y=3 width=3 height=3 opacity=0.5 visible=0 locked=1 tintcolor=#fff \
         mode=add offsetx=3 offsety=3 parallaxx=0.5 parallaxy=0.5 draworder=index unheard-of=1",
    ),
    (
        "<object id=\"6\"",
        "object",
        "id=66 name=n type=x class=x x=3 y=3 width=3 height=3 rotation=3 gid=1 visible=0 opacity=0.5 template=x.tx \
         unheard-of=1",
    ),
    ("<polygon", "points", "points=0,0,9,0,0,9 unheard-of=1"),
    ("<polyline", "points", "points=0,0,9,0,0,9 unheard-of=1"),
    ("<ellipse", "shape", "unheard-of=1"),
    ("<properties", "properties", "unheard-of=1"),
    ("<property name", "property", "name=sensor type=string value=13 propertytype=x unheard-of=1"),
    (
        "<group",
        "group",
        "id=3 name=n class=x x=3 y=3 offsetx=3 offsety=3 opacity=0.5 visible=0 locked=1 tintcolor=#fff mode=add \
         parallaxx=0.5 parallaxy=0.5 unheard-of=1",
    ),
    // The same elements elsewhere.
    ("<object id=\"5\"", "object", "gid=2 rotation=3 width=3 height=3"),
    ("<object id=\"90\"", "object", "x=3 y=3 width=3 height=3 rotation=3 type=x visible=0 template=x.tx"),
    ("<image source=\"a.png\"", "tile image", "unheard-of=1"),
    ("<layer name=\"plain\"", "layer", "name=n offsetx=3"),
    ("<objectgroup name=\"inner\"", "objectgroup", "name=n offsetx=3 visible=0"),
];

/// A custom property of an object or a layer that is read.
const SENSOR: &str = r#"<properties><property name="sensor" type="bool" value="true"/></properties>"#;

/// Custom properties, which every element may have.
const PROPERTIES: &str =
    r#"<properties><property name="solid" type="bool" propertytype="x" value="true"/></properties>"#;

/// Start and end of the element that gets a child, its parent in the list, the child's name and text.
const CHILDREN: &[[&str; 5]] = &[
    [
        "<map",
        "</map>",
        "map",
        "editorsettings",
        r#"<editorsettings><chunksize width="9" height="9"/><export target="x" format="y"/></editorsettings>"#,
    ],
    [
        "<map",
        "</map>",
        "map",
        "imagelayer",
        r#"<imagelayer name="more" id="3" x="1" y="1" offsetx="1" offsety="1" opacity="0" visible="0" tintcolor="x" repeatx="1" repeaty="1"><image source="x.png"/></imagelayer>"#,
    ],
    ["<map", "</map>", "map", "properties", PROPERTIES],
    ["<map", "</map>", "map", "tileset", r#"<tileset firstgid="30" source="missing.tsx"/>"#],
    ["<map", "</map>", "map", "layer", r#"<layer name="l" width="1" height="1"><data encoding="csv">1</data></layer>"#],
    ["<map", "</map>", "map", "objectgroup", r#"<objectgroup name="o"><object id="77"/></objectgroup>"#],
    ["<map", "</map>", "map", "group", r#"<group><objectgroup name="o"><object id="77"/></objectgroup></group>"#],
    ["<map", "</map>", "map", "unheard-of", "<unheard-of/>"],
    [
        "<tileset",
        "</tileset>",
        "tileset",
        "terraintypes",
        r#"<terraintypes><terrain name="x" tile="0"/></terraintypes>"#,
    ],
    [
        "<tileset",
        "</tileset>",
        "tileset",
        "transformations",
        r#"<transformations hflip="1" vflip="1" rotate="1" preferuntransformed="1"/>"#,
    ],
    [
        "<tileset",
        "</tileset>",
        "tileset",
        "wangsets",
        r##"<wangsets><wangset name="x" class="y" type="corner" tile="0"><wangcolor name="x" class="y" color="#fff" tile="0" probability="1"/><wangtile tileid="0" wangid="0" hflip="1" vflip="1" dflip="1"/></wangset></wangsets>"##,
    ],
    ["<tileset", "</tileset>", "tileset", "properties", PROPERTIES],
    [
        "<tileset",
        "</tileset>",
        "tileset",
        "tile",
        r#"<tile id="0"><objectgroup><object x="1" y="1" width="2" height="2"/></objectgroup></tile>"#,
    ],
    [
        "<tile id=\"0\">",
        "</tile>",
        "tileset tile",
        "animation",
        r#"<animation><frame tileid="0" duration="9"/></animation>"#,
    ],
    ["<tile id=\"0\">", "</tile>", "tileset tile", "properties", PROPERTIES],
    [
        "<image source=\"b.png\" width=\"9\" height=\"9\"/>",
        "</tile>",
        "tileset tile",
        "objectgroup",
        r#"<objectgroup><object width="2" height="2"/></objectgroup>"#,
    ],
    [
        "<objectgroup id=\"9\"",
        "</objectgroup>",
        "tile objectgroup",
        "object",
        r#"<object x="0" y="0" width="2" height="2"/>"#,
    ],
    ["<objectgroup id=\"9\"", "</objectgroup>", "tile objectgroup", "properties", PROPERTIES],
    ["<layer", "</layer>", "layer", "properties", SENSOR],
    ["<objectgroup name=\"things\"", "</objectgroup>", "objectgroup", "properties", SENSOR],
    ["<object id=\"11\"", "</object>", "object", "properties", SENSOR],
    [
        "<properties>",
        "</properties>",
        "properties",
        "property",
        r#"<property name="sensor" type="bool" value="true"/>"#,
    ],
    ["<property name=\"speed\"", "</property>", "property", "properties", "<properties/>"],
    ["<objectgroup name=\"things\"", "</objectgroup>", "objectgroup", "object", r#"<object id="78"/>"#],
    ["<object id=\"11\"", "</object>", "object", "point", "<point/>"],
    ["<object id=\"13\"", "</object>", "object", "capsule", "<capsule/>"],
    ["<object id=\"13\"", "</object>", "object", "polygon", r#"<polygon points="0,0 3,0 3,3"/>"#],
    ["<object id=\"13\"", "</object>", "object", "polyline", r#"<polyline points="0,0 3,0 3,3"/>"#],
    ["<object id=\"11\"", "</object>", "object", "ellipse", "<ellipse/>"],
    ["<group", "</group>", "group", "properties", SENSOR],
    ["<group", "</group>", "group", "imagelayer", r#"<imagelayer name="more"/>"#],
    ["<group", "</group>", "group", "objectgroup", r#"<objectgroup name="o"><object id="77"/></objectgroup>"#],
    ["<group", "</group>", "group", "group", r#"<group><objectgroup name="o"><object id="77"/></objectgroup></group>"#],
    [
        "<group",
        "</group>",
        "group",
        "layer",
        r#"<layer name="l" width="1" height="1"><data encoding="csv">1</data></layer>"#,
    ],
];

#[test]
fn every_attribute_is_read_named_or_ignored_as_listed() {
    for (start, parent, attributes) in ELEMENTS {
        for (name, value) in attributes.split_whitespace().filter_map(|item| item.split_once('=')) {
            let changed = with(BASE, start, name, value);
            check(Format::Tmx, [parent, name], BASE.as_bytes(), changed.as_bytes());
        }
    }
    for (name, value) in [("x", "3"), ("y", "3"), ("width", "1"), ("height", "2"), ("unheard-of", "1")] {
        let changed = with(INFINITE, "<chunk", name, value);
        check(Format::Tmx, ["chunk", name], INFINITE.as_bytes(), changed.as_bytes());
    }
}

#[test]
fn attributes_of_one_orientation_are_read() {
    for [orientation, start, parent, name, value] in ORIENTED {
        let base = with(&with(BASE, "<map", "orientation", orientation), "<grid", "orientation", "isometric");
        // The map has one row, so the side of a hexagon counts along x only.
        let base = if name == "hexsidelength" { with(&base, "<map", "staggeraxis", "x") } else { base };
        check(Format::Tmx, [parent, name], base.as_bytes(), with(&base, start, name, value).as_bytes());
    }
}

#[test]
fn every_element_is_read_named_or_ignored_as_listed() {
    for [start, end, parent, name, child] in CHILDREN {
        check(Format::Tmx, [parent, name], BASE.as_bytes(), with_child(BASE, start, end, child).as_bytes());
    }
    // An object that becomes a text loses its shape, and a warning says so.
    let text = r#"<object id="79"><text fontfamily="x" pixelsize="9" wrap="1" color="x" bold="1" italic="1" underline="1" strikeout="1" kerning="0" halign="right" valign="top">x</text></object>"#;
    let changed = with_child(BASE, "<objectgroup name=\"things\"", "</objectgroup>", text);
    check(Format::Tmx, ["object", "text"], BASE.as_bytes(), changed.as_bytes());
}

/// Everything in the list of the format is fed above.
#[test]
fn the_list_has_nothing_else() {
    let documented: Vec<&str> = ELEMENTS.iter().flat_map(|(_, _, names)| names.split_whitespace()).collect();
    let source = include_str!("tiled_xml.rs");
    for part in carom_scene::coverage::parts(Format::Tmx) {
        let fed = documented.iter().any(|item| item.split('=').next() == Some(part.name))
            || ORIENTED.iter().any(|[_, _, parent, name, _]| [*parent, *name] == [part.parent, part.name])
            || source.contains(&format!("<{}", part.name));
        assert!(fed || part.parent == "chunk", "{part:?}");
    }
}
