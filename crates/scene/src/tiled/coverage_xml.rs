//! Lists the parts of Tiled's XML (maps, tilesets and templates), by its documentation of TMX 1.11,
//! and says which are read.
use crate::unread::{Entry, Named};

const VISIBLE: Named =
    Named { name: "visible", unless: "1", says: "hidden layers and objects are read like visible ones" };
pub(super) const CLASSES: &str = "classes of maps, layers, tiles and objects are not read";
const CLASS: Named = Named { name: "class", unless: "", says: CLASSES };
const TYPE: Named = Named { name: "type", unless: "", says: CLASSES };
pub(super) const PROPERTIES_SAY: &str =
    "custom properties of maps, tilesets and tiles are not read: only those of layers and objects are";
const PROPERTIES: Named = Named { name: "properties", unless: "", says: PROPERTIES_SAY };
pub(super) const PARALLAX: &str = "parallax is not read: layers are placed as for a camera at the origin";
const PARALLAX_X: Named = Named { name: "parallaxx", unless: "1", says: PARALLAX };
const PARALLAX_Y: Named = Named { name: "parallaxy", unless: "1", says: PARALLAX };
const MOVED: &str = "x and y of a group, object or image layer are not read: use its offset";
const X: Named = Named { name: "x", unless: "0", says: MOVED };
const Y: Named = Named { name: "y", unless: "0", says: MOVED };
const LAYER: [&str; 5] = ["id", "opacity", "tintcolor", "mode", "locked"];
pub(super) const ANIMATION: &str = "tile animations are not read: a tile has the shapes of its first frame";
pub(super) const OFFSET: &str = "the offset of the collision shapes of a tile is not read";

/// One entry per element. `tile` has two meanings.
pub(crate) const COVERAGE: &[Entry] = &[
    Entry {
        parent: "map",
        read: &[
            "orientation",
            "tilewidth",
            "tileheight",
            "height",
            "hexsidelength",
            "staggeraxis",
            "staggerindex",
            "infinite",
            "tileset>tileset",
            "layer>layer",
            "objectgroup>objectgroup",
            "group>group",
        ],
        named: &[CLASS, PROPERTIES, Named { name: "imagelayer", unless: "", says: "" }],
        ignored: &[
            "version",
            "tiledversion",
            "renderorder",
            "compressionlevel",
            "width",
            "skewx",
            "skewy",
            "parallaxoriginx",
            "parallaxoriginy",
            "backgroundcolor",
            "nextlayerid",
            "nextobjectid",
            "editorsettings",
        ],
    },
    Entry {
        parent: "tileset",
        read: &[
            "firstgid",
            "source",
            "tilewidth",
            "tileheight",
            "tilecount",
            "objectalignment",
            "tilerendersize",
            "fillmode",
            "tileoffset>tileoffset",
            "grid>grid",
            "image",
            "tile>tileset tile",
        ],
        named: &[CLASS, PROPERTIES],
        ignored: &[
            "name",
            "version",
            "tiledversion",
            "spacing",
            "margin",
            "columns",
            "backgroundcolor",
            "terraintypes",
            "transformations",
            "wangsets",
            "editorsettings",
        ],
    },
    Entry { parent: "tileoffset", read: &["x", "y"], named: &[], ignored: &[] },
    Entry { parent: "grid", read: &["orientation", "width", "height"], named: &[], ignored: &[] },
    Entry {
        parent: "tileset tile",
        read: &["id", "width", "height", "image>tile image", "objectgroup>tile objectgroup"],
        named: &[TYPE, CLASS, PROPERTIES, Named { name: "animation", unless: "", says: ANIMATION }],
        ignored: &["terrain", "probability", "x", "y"],
    },
    Entry {
        parent: "tile image",
        read: &["width", "height"],
        named: &[],
        ignored: &["format", "id", "source", "trans", "data"],
    },
    Entry {
        parent: "tile objectgroup",
        read: &["object>object"],
        named: &[
            CLASS,
            PROPERTIES,
            Named { name: "offsetx", unless: "0", says: OFFSET },
            Named { name: "offsety", unless: "0", says: OFFSET },
        ],
        ignored: &["id", "name", "color", "x", "y", "width", "height", "opacity", "visible", "tintcolor", "draworder"],
    },
    Entry {
        parent: "layer",
        read: &["name", "width", "height", "x", "y", "offsetx", "offsety", "data>data", "properties>properties"],
        named: &[CLASS, VISIBLE, PARALLAX_X, PARALLAX_Y],
        ignored: &LAYER,
    },
    Entry { parent: "data", read: &["encoding", "compression", "tile>tile", "chunk>chunk"], named: &[], ignored: &[] },
    Entry { parent: "chunk", read: &["x", "y", "width", "height", "tile>tile"], named: &[], ignored: &[] },
    Entry { parent: "tile", read: &["gid"], named: &[], ignored: &[] },
    Entry {
        parent: "objectgroup",
        read: &["name", "offsetx", "offsety", "object>object", "properties>properties"],
        named: &[CLASS, VISIBLE, PARALLAX_X, PARALLAX_Y, X, Y],
        ignored: &["id", "opacity", "tintcolor", "mode", "locked", "color", "width", "height", "draworder"],
    },
    Entry {
        parent: "object",
        read: &[
            "id",
            "name",
            "x",
            "y",
            "width",
            "height",
            "rotation",
            "gid",
            "template",
            "ellipse>shape",
            "capsule>shape",
            "point>shape",
            "polygon>points",
            "polyline>points",
            "properties>properties",
        ],
        named: &[TYPE, CLASS, VISIBLE, Named { name: "text", unless: "", says: "" }],
        ignored: &["opacity"],
    },
    Entry { parent: "properties", read: &["property>property"], named: &[], ignored: &[] },
    Entry {
        parent: "property",
        read: &["name", "type", "value", "properties"],
        named: &[],
        ignored: &["propertytype"],
    },
    Entry { parent: "shape", read: &[], named: &[], ignored: &[] },
    Entry { parent: "points", read: &["points"], named: &[], ignored: &[] },
    Entry {
        parent: "group",
        read: &["offsetx", "offsety", "layer>layer", "objectgroup>objectgroup", "group>group", "properties>properties"],
        named: &[CLASS, VISIBLE, PARALLAX_X, PARALLAX_Y, X, Y, Named { name: "imagelayer", unless: "", says: "" }],
        ignored: &["id", "name", "opacity", "tintcolor", "mode", "locked"],
    },
    Entry { parent: "template", read: &["tileset>tileset", "object>object"], named: &[], ignored: &[] },
];
