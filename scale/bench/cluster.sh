#!/usr/bin/env bash
# Measures two executors against one. Each has one task at a time and is pinned to one core; scheduler and client run on
# the same cores, and their processor time is printed.
#
#   bench/cluster.sh DIRECTORY SIZE      with the files of run.sh
set -euo pipefail
cd "$(dirname "$0")/.."
directory=$1 size=$2
target=${CARGO_TARGET_DIR:-target}/release
cargo build --release --quiet

for count in 1 2; do
    work=$(mktemp -d)
    "$target/carom-join" scheduler --port 50150 2> "$work/scheduler.log" &
    scheduler=$!
    executors=()
    sleep 2
    for ((i = 0; i < count; i++)); do
        taskset -c "$i" "$target/carom-join" executor --scheduler localhost:50150 --port $((50160 + 10 * i)) \
            --slots 1 --memory 1GB --work "$work" 2> "$work/executor-$i.log" &
        executors+=($!)
    done
    sleep 5
    for round in 1 2 3; do
        start=$(date +%s.%N)
        "$target/carom-join" "$directory/a-$size.parquet" "$directory/b-$size.parquet" --cluster df://localhost:50150 \
            -o "$directory/pairs.parquet" 2> "$work/join.log"
        end=$(date +%s.%N)
        awk -v s="$start" -v e="$end" -v c="$count" 'BEGIN { printf "executors %d seconds %.2f\n", c, e - s }'
    done
    for process in "$scheduler" "${executors[@]}"; do
        ps -o pid=,cputime=,args= -p "$process" | cut -c1-100
    done
    du -sm "$work" | awk '{ print "shuffle_mb", $1 }'
    kill "$scheduler" "${executors[@]}"
    wait || true
    rm -r "$work"
done
