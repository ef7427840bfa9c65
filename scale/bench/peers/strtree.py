"""Joins two GeoParquet files with the STRtree of shapely and writes the pairs.

    python strtree.py A B OUT THREADS

The tree holds the first file. Prepared geometries of the second file search it, in blocks, on all threads.
"""

import concurrent.futures
import sys

import numpy
import pyarrow
import pyarrow.parquet
import shapely

BLOCK = 20_000


def read(path):
    rows = pyarrow.parquet.read_table(path, columns=["id", "geometry"])
    return rows["id"].to_numpy(), shapely.from_wkb(rows["geometry"].to_numpy())


a, b, out, threads = sys.argv[1:]
ids_a, shapes_a = read(a)
ids_b, shapes_b = read(b)
tree = shapely.STRtree(shapes_a)


def search(start):
    rows, found = tree.query(shapes_b[start : start + BLOCK], predicate="intersects")
    return found, rows + start


with concurrent.futures.ThreadPoolExecutor(int(threads)) as pool:
    blocks = list(pool.map(search, range(0, len(shapes_b), BLOCK)))
found_a, found_b = (numpy.concatenate(column) for column in zip(*blocks))
pyarrow.parquet.write_table(pyarrow.table({"a": ids_a[found_a], "b": ids_b[found_b]}), out)
