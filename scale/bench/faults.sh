#!/usr/bin/env bash
# Kills processes of a cluster in the middle of a join. Prints how each join ended, after how many seconds, and the
# checksum of its pairs. Each must end within 60 seconds of the fault: with the same pairs, or with an error and no output.
#
#   bench/faults.sh DIRECTORY SIZE [SECONDS]     with the files of joins.py; the fault comes SECONDS after the start (5)
set -uo pipefail
cd "$(dirname "$0")/.."
directory=$1 size=$2 after=${3:-5}
target=${CARGO_TARGET_DIR:-target}/${PROFILE:-release}
a=$directory/a-$size.parquet b=$directory/b-$size.parquet out=$directory/fault.csv
work=$(mktemp -d)

port=50250
start_cluster() {
    port=$((port + 30))
    "$target/carom-join" scheduler --port $port 2>> "$work/scheduler.log" &
    scheduler=$!
    sleep 3
    "$target/carom-join" executor --scheduler localhost:$port --port $((port + 10)) --slots 1 --memory 1GB --work "$work" 2>> "$work/1.log" &
    first=$!
    "$target/carom-join" executor --scheduler localhost:$port --port $((port + 20)) --slots 1 --memory 1GB --work "$work" 2>> "$work/2.log" &
    second=$!
    sleep 4
}

stop_cluster() {
    kill -9 "$scheduler" "$first" "$second" 2> /dev/null
    wait 2> /dev/null
}

report() { # name, status, seconds since the fault
    local sum="no output"
    [ ! -f "$out" ] || sum=$(tail -n +2 "$out" | LC_ALL=C sort | sha256sum | cut -c1-16)
    printf '%-28s exit %d, %3d s after the fault, pairs %s\n' "$1" "$2" "$3" "$sum"
    [ "$2" = 0 ] || tail -n 1 "$work/join.log" | cut -c1-200
}

rm -f "$out"
"$target/carom-join" "$a" "$b" -o "$out" 2> "$work/join.log"
report "one machine" $? 0

for fault in none executor scheduler executors; do
    rm -f "$out"
    start_cluster
    "$target/carom-join" "$a" "$b" --cluster df://localhost:$port -o "$out" 2> "$work/join.log" &
    join=$!
    sleep "$after"
    kill -0 $join 2> /dev/null || echo "the join had ended before the fault: use a larger SIZE"
    case $fault in
        executor) kill -9 "$first" ;;
        scheduler) kill -9 "$scheduler" ;;
        executors) kill -9 "$first" "$second" ;;
    esac
    moment=$SECONDS
    wait $join
    report "killed: $fault" $? $((SECONDS - moment))
    stop_cluster
done

rm -f "$out"
"$target/carom-join" "$a" "$b" -o "$out" 2> "$work/join.log" &
join=$!
sleep "$after"
kill -INT $join
moment=$SECONDS
wait $join
report "Ctrl-C, one machine" $? $((SECONDS - moment))
ls -A "$directory" | grep '^\.carom-join-' && echo "a temporary file was left"
rm -rf "$work"
