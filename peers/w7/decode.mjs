// Decodes a layer of a TopoJSON file to GeoJSON on stdout. Usage: node decode.mjs FILE LAYER
import { readFileSync } from "node:fs";
import { feature } from "topojson-client";

const [file, layer] = process.argv.slice(2);
const map = JSON.parse(readFileSync(file, "utf8"));
process.stdout.write(JSON.stringify(feature(map, map.objects[layer])));
