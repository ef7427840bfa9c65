"""Reads and writes the binary files of W7. All numbers are little-endian.

Outlines: four u32 counts (outlines, polygons, rings, points), then three u32 arrays: the first polygon of each
outline, the first ring of each polygon, the first point of each ring, each with the total at the end. Then x and y of
each point as f64. The first ring of a polygon is its outer ring. The last point of a ring is not its first one again.
"""

import numpy as np
import shapely

U32, F64 = np.dtype("<u4"), np.dtype("<f8")


def write(file, geometries):
    """Writes polygons and multipolygons."""
    kind, points, offsets = shapely.to_ragged_array([as_multi(g) for g in geometries])
    assert kind == shapely.GeometryType.MULTIPOLYGON
    rings, polygons, outlines = (np.asarray(part) for part in offsets)
    points = np.delete(points, rings[1:] - 1, axis=0)  # the repeated first point of each ring
    rings = rings - np.arange(len(rings))
    counts = [len(outlines) - 1, len(polygons) - 1, len(rings) - 1, len(points)]
    for part in (counts, outlines, polygons, rings):
        np.asarray(part).astype(U32).tofile(file)
    points.astype(F64).tofile(file)


def read(file):
    """Returns the closed points and the offsets that `shapely.from_ragged_array` takes."""
    counts = np.fromfile(file, U32, 4)
    outlines, polygons, rings = (np.fromfile(file, U32, n + 1).astype(np.int64) for n in counts[:3])
    points = np.fromfile(file, F64, 2 * int(counts[3])).reshape(-1, 2)
    points = np.insert(points, rings[1:], points[rings[:-1]], axis=0)
    return points, (rings + np.arange(len(rings)), polygons, outlines)


def as_multi(geometry):
    """Returns a polygon as a multipolygon."""
    return shapely.multipolygons([geometry]) if geometry.geom_type == "Polygon" else geometry
