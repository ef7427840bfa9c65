// Writes maps of the United States from the npm package us-atlas as GeoJSON.
//
//   npm ci && node make.mjs counties DIRECTORY     all counties: counties.geojson, counties.ndjson
//   npm ci && node make.mjs bundled                the small maps in this folder
//
// Coordinates: the Albers projection of us-atlas, in pixels of a map 975 wide, y down.
import {createRequire} from 'node:module';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {feature} from 'topojson-client';

const require = createRequire(import.meta.url);
const atlas = JSON.parse(readFileSync(require.resolve('us-atlas/counties-albers-10m.json'), 'utf8'));

/** A ring that the rounding of us-atlas has left without area: fewer than three different points. */
const collapsed = (ring) => new Set(ring.map(String)).size < 3;

/** The geometry without collapsed rings. */
function cleaned({type, coordinates}) {
  const polygons = (type === 'Polygon' ? [coordinates] : coordinates)
    .filter(([outer]) => !collapsed(outer))
    .map(([outer, ...holes]) => [outer, ...holes.filter((hole) => !collapsed(hole))]);
  return polygons.length === 1 ? {type: 'Polygon', coordinates: polygons[0]} : {type: 'MultiPolygon', coordinates: polygons};
}

/** Features of a layer whose id begins with one of the prefixes, with the id and the name only. */
function layer(name, prefixes) {
  return feature(atlas, atlas.objects[name]).features
    .filter(({id}) => prefixes.some((prefix) => id.startsWith(prefix)))
    .map(({id, properties, geometry}) => ({type: 'Feature', id, properties: {name: properties.name}, geometry: cleaned(geometry)}))
    .filter(({geometry}) => geometry.coordinates.length > 0);
}

function write(path, features) {
  writeFileSync(path, `{"type":"FeatureCollection","features":[\n${features.map((one) => JSON.stringify(one)).join(',\n')}\n]}\n`);
}

const [what, directory] = process.argv.slice(2);
if (what === 'counties' && directory) {
  const counties = layer('counties', ['']);
  write(join(directory, 'counties.geojson'), counties);
  writeFileSync(join(directory, 'counties.ndjson'), counties.map((one) => `${JSON.stringify(one)}\n`).join(''));
} else if (what === 'bundled') {
  // Connecticut, Maine, Massachusetts, New Hampshire, Rhode Island, Vermont.
  const newEngland = ['09', '23', '25', '33', '44', '50'];
  write('new-england-counties.geojson', layer('counties', newEngland));
  write('new-england-states.geojson', layer('states', newEngland));
} else {
  console.error('usage: node make.mjs counties DIRECTORY | node make.mjs bundled');
  process.exit(2);
}
