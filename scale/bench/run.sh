#!/usr/bin/env bash
# Measures joins of random outlines: cost per outline at growing sizes, memory, and SedonaDB and shapely beside it.
#
#   bench/run.sh DIRECTORY [SIZE…]      sizes of the larger input; the smaller one has a tenth; default 100000 1000000
#
# Needs an idle machine, and for the peers: python3 with shapely, pyarrow and sedonadb (PYTHON=… names another one).
set -euo pipefail
cd "$(dirname "$0")/.."
directory=$1
shift
[ $# -gt 0 ] || set -- 100000 1000000
PYTHON=${PYTHON:-python3}
MEMORY=${MEMORY:-1GB}
target=${CARGO_TARGET_DIR:-target}/release
cargo build --release --quiet
mkdir -p "$directory"

for size in "$@"; do
    a=$directory/a-$size.parquet b=$directory/b-$size.parquet
    [ -f "$a" ] || "$target/carom-generate" "$a" --count "$size" --world "$size" --outlines 1
    [ -f "$b" ] || "$target/carom-generate" "$b" --count $((size / 10)) --world "$size" --outlines 2 --size 20
    for round in 1 2 3; do
        start=$(date +%s.%N)
        "$target/carom-join" "$a" "$b" --memory "$MEMORY" --explain -o "$directory/pairs.parquet" 2> "$directory/log"
        end=$(date +%s.%N)
        pairs=$(sed -n 's/^carom-join: \([0-9]*\) pairs$/\1/p' "$directory/log")
        peak=$(sed -n 's/^largest resident memory: \([0-9]*\) MB$/\1/p' "$directory/log")
        awk -v s="$start" -v e="$end" -v n="$size" -v p="$pairs" -v m="$peak" \
            'BEGIN { t = e - s; printf "carom %d pairs %d seconds %.2f peak_mb %d us_per_outline %.2f\n", n, p, t, m, t * 1e6 / n }'
    done
    for peer in sedona strtree; do
        "$PYTHON" bench/peers.py "$peer" "$a" "$b" || echo "$peer did not finish"
    done
done
