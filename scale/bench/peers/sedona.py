"""Joins two GeoParquet files with SedonaDB and writes the pairs.

    python sedona.py A B OUT MEMORY     MEMORY in bytes; 0: no limit
"""

import sys

import sedonadb

a, b, out, memory = sys.argv[1:]
session = sedonadb.connect()
if int(memory):
    session.options.memory_limit = int(memory)
session.read_parquet(a).to_view("a")
session.read_parquet(b).to_view("b")
query = "SELECT a.id AS a, b.id AS b FROM a JOIN b ON ST_Intersects(a.geometry, b.geometry)"
session.sql(query).to_parquet(out, single_file_output=True, geoparquet_version="none")
