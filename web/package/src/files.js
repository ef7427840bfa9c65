// Entry `carom/files`: reads Tiled maps, SVG, GeoJSON, PNG and scene files, with a module of its own.

import { boolean, fields, describe, kindOf } from "./encode.js";
import { expectExport, instantiate } from "./load.js";
import { Module } from "./module.js";

const files = /* @__PURE__ */ new Module(() => {
  throw new Error("the reader is not loaded: await init() first");
}, inScript);

const FORMATS = ["scene", "tmx", "tmj", "geojson", "csv", "svg", "png"];
/** Fill rules by their number. The first one repairs nothing. */
const RULES = [undefined, "nonzero", "evenodd"];
const DETECT = FORMATS.length;

/** Loads the module. */
export async function init(source = new URL("./carom-files.wasm", import.meta.url)) {
  if (files.started) return;
  const exports = await instantiate(source);
  expectExport(exports, "files_read", "carom-files.wasm");
  if (!files.started) files.use(exports);
}

/** Returns a text, a view or a buffer as bytes. */
function bytesOf(value, place) {
  if (typeof value === "string") return new TextEncoder().encode(value);
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (kindOf(value) === "ArrayBuffer") return new Uint8Array(value);
  throw new TypeError(`${place} is ${describe(value)}: expected a text, a Uint8Array or an ArrayBuffer`);
}

/** Replaces the options of the command line in a message by those of `read`. */
function inScript(message) {
  return message
    .replaceAll("--solid-all", "solid: true")
    .replaceAll(/--solid ("[^"]*")/g, "solid: [$1]")
    .replaceAll("--repair", 'repair: "nonzero"');
}

export function read(bytes, options = {}) {
  fields(options, "options", [], ["name", "format", "skipInvalid", "repair", "solid", "idProperty", "files"]);
  const {
    name = "file",
    format,
    skipInvalid = false,
    repair,
    solid = [],
    idProperty = "",
    files: others = {},
  } = options;
  const formatNumber = format === undefined ? DETECT : FORMATS.indexOf(format);
  if (formatNumber < 0) throw new RangeError(`format ${describe(format)}: expected ${FORMATS.join(", ")}`);
  const rule = RULES.indexOf(repair);
  if (rule < 0) throw new RangeError(`repair ${describe(repair)}: expected nonzero or evenodd`);
  const skips = boolean(skipInvalid, "skipInvalid");
  const layers = solid === true ? [] : solid;
  if (!Array.isArray(layers)) throw new TypeError(`solid is ${describe(solid)}: expected names of layers, or true`);
  if (typeof others !== "object" || others === null) {
    throw new TypeError(`files is ${describe(others)}: expected an object with paths as keys`);
  }
  const blobs = [
    bytesOf(name, "name"),
    bytesOf(idProperty, "idProperty"),
    ...Array.from(layers, (layer, i) => bytesOf(layer, `solid[${i}]`)),
    ...Object.entries(others).flatMap(([path, file]) => [bytesOf(path), bytesOf(file, `files["${path}"]`)]),
    bytesOf(bytes, "the file"),
  ];
  const all = new Uint8Array(blobs.reduce((sum, blob) => sum + blob.length, 0));
  let end = 0;
  for (const blob of blobs) {
    all.set(blob, end);
    end += blob.length;
  }
  files.input(blobs.map((blob) => blob.length));
  files.bytesInput(all);
  const flags = [skips, rule, solid === true ? 1 : 0];
  files.call("files_read", formatNumber, ...flags, layers.length, Object.keys(others).length);
  const [sceneLength, warningCount, skippedCount, ...lengths] = files.output();
  const text = files.bytes();
  let at = sceneLength;
  const texts = lengths.map((length) => files.message(text.subarray(at, (at += length))));
  const scene = JSON.parse(new TextDecoder().decode(text.subarray(0, sceneLength)));
  const [skipped, repaired] = [warningCount, warningCount + skippedCount];
  return {
    scene,
    warnings: texts.slice(0, skipped),
    skipped: texts.slice(skipped, repaired),
    repaired: texts.slice(repaired),
  };
}
