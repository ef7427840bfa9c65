"""Joins two GeoParquet files with another program: `sedona` (SedonaDB) or `strtree` (shapely).

    pip install shapely==2.2.0 pyarrow sedonadb==0.5.0
    python peers.py sedona|strtree a.parquet b.parquet [MEMORY_MB]

Prints one line: program, pairs, seconds, largest resident memory in MB. Reading the files is included.
"""

import resource
import sys
import time


def sedona(a, b, memory):
    import sedonadb

    session = sedonadb.connect()
    if memory:
        session.options.memory_limit = memory * 1_000_000
    session.read_parquet(a).to_view("a")
    session.read_parquet(b).to_view("b")
    query = "SELECT count(*) FROM (SELECT a.id, b.id FROM a JOIN b ON ST_Intersects(a.geometry, b.geometry))"
    return session.sql(query).to_arrow_table()[0][0].as_py()


def strtree(a, b, _):
    import pyarrow.parquet
    import shapely

    def read(path):
        return shapely.from_wkb(pyarrow.parquet.read_table(path, columns=["geometry"])[0].to_numpy())

    tree = shapely.STRtree(read(b))
    return len(tree.query(read(a), predicate="intersects")[0])


name, a, b = sys.argv[1:4]
limit = int(sys.argv[4]) if len(sys.argv) > 4 else 0
start = time.perf_counter()
pairs = {"sedona": sedona, "strtree": strtree}[name](a, b, limit)
seconds = time.perf_counter() - start
print(f"{name} {pairs} {seconds:.2f} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000:.0f}")
