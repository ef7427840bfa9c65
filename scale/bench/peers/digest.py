"""Prints the number of pairs of a Parquet file with integer columns `a` and `b`, and a checksum without order.

    python digest.py PAIRS
"""

import sys

import numpy
import pyarrow.parquet

count, total = 0, 0
for batch in pyarrow.parquet.ParquetFile(sys.argv[1]).iter_batches(columns=["a", "b"]):
    a, b = (column.to_numpy().astype(numpy.uint64) for column in batch.columns)
    # The finalizer of SplitMix64 (Steele, Lea, Flood 2014), of both ids in one word.
    word = a * numpy.uint64(0x9E3779B97F4A7C15) + b
    word = (word ^ (word >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
    word ^= word >> numpy.uint64(31)
    count += len(word)
    total = (total + int(word.sum(dtype=numpy.uint64))) % (1 << 64)
print(count, f"{total:016x}")
