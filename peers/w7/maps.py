"""Writes the outlines of a GeoJSON map on stdin to a binary file. Usage: maps.py FILE

The coordinates of the maps are rounded to a grid, so some outlines cross themselves. GEOS repairs these.
"""

import sys

import shapely

import outlines

collection = shapely.from_geojson(sys.stdin.read())
geometries = [shapely.make_valid(g, method="structure", keep_collapsed=False) for g in collection.geoms]
kept = [g for g in geometries if g.geom_type in ("Polygon", "MultiPolygon") and not g.is_empty]
print(f"{sys.argv[1]}: {len(kept)} of {len(geometries)} outlines", file=sys.stderr)
with open(sys.argv[1], "wb") as file:
    outlines.write(file, kept)
