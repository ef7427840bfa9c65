"""Measures joins of random outlines: carom-join within a memory limit, SedonaDB, and the STRtree of shapely.

    python3 bench/joins.py DIRECTORY [--sizes 100000 1000000 10000000] [--memory 1GB] [--json joins.json]

The second input has a tenth of the outlines of the first. All programs read the same two files from the cache of the
system and write the pairs as Parquet. They take turns, `--rounds` times; the table has the least time. Needs an idle
machine, and network for the first run: the peers are installed into DIRECTORY/venv.
"""

import argparse
import json
import pathlib
import re
import sys

import measure

PEERS = pathlib.Path(__file__).parent / "peers"
UNITS = {"MB": 10**6, "GB": 10**9, "MIB": 2**20, "GIB": 2**30}


def size(text):
    found = re.fullmatch(r"(\d+)\s*([MG]i?B)", text, re.IGNORECASE)
    if not found:
        raise argparse.ArgumentTypeError("write a size such as 1GB or 500MB")
    return int(found[1]) * UNITS[found[2].upper()]


def commands(options, programs, python, files, out):
    """Returns the command of each program by its name."""
    threads = options.threads
    return {
        f"carom-join, {options.memory}": [programs / "carom-join", *files, "--memory", options.memory, "--threads",
                                          threads, "--temp", options.directory, "-o", out],
        "SedonaDB 0.5": [python, PEERS / "sedona.py", *files, out, 0],
        f"SedonaDB 0.5, {options.memory}": [python, PEERS / "sedona.py", *files, out, size(options.memory)],
        "shapely 2.2 STRtree": [python, PEERS / "strtree.py", *files, out, threads],
    }


def measured(options, programs, python, outlines):
    """Measures all programs at one size. Returns one record per program."""
    files = measure.inputs(programs, options.directory, outlines)
    out = options.directory / "pairs.parquet"
    records = {}
    for turn in range(options.rounds):
        for name, command in commands(options, programs, python, files, out).items():
            record = records.setdefault(name, {"program": name, "outlines": outlines + outlines // 10, "seconds": [],
                                               "peak": 0, "pairs": None, "sum": None, "failed": None})
            if record["failed"]:
                continue
            out.unlink(missing_ok=True)
            print(f"{outlines} outlines, round {turn + 1}: {name}", file=sys.stderr, flush=True)
            run = measure.run(command, options.directory / "run", options.limit)
            record["peak"] = max(record["peak"], run.peak)
            if run.code != 0:
                record["failed"] = measure.reason(run)
                continue
            record["seconds"].append(run.seconds)
            digest = measure.checked([python, PEERS / "digest.py", out], options.directory / "digest").stdout.split()
            record["pairs"], record["sum"] = int(digest[0]), digest[1]
    return list(records.values())


def report(records, memory):
    """Prints the table and the comparisons. Returns true if all programs agree and the limit holds."""
    rows, good = [], True
    for record in records:
        cells = [f"{record['outlines']:,}", record["program"]]
        if record["failed"]:
            rows.append([*cells, record["failed"], "", "", f"{record['peak'] / 1e6:.0f}"])
        else:
            best = min(record["seconds"])
            rows.append([*cells, f"{record['pairs']:,}", f"{best:.2f}", f"{best / record['outlines'] * 1e6:.2f}",
                         f"{record['peak'] / 1e6:.0f}"])
    print(measure.machine(), end="\n\n")
    print(measure.table(["outlines", "program", "pairs", "seconds", "µs per outline", "peak MB"], rows), end="\n\n")
    cost = None
    for outlines in sorted({record["outlines"] for record in records}):
        group = [record for record in records if record["outlines"] == outlines]
        own, peers = group[0], [record for record in group[1:] if not record["failed"]]
        if own["failed"]:
            print(f"- {outlines:,} outlines: carom-join failed.")
            good = False
            continue
        same = all(record["sum"] == own["sum"] for record in peers)
        fits = own["peak"] <= memory
        good = good and same and fits
        seconds = min(own["seconds"])
        line = [f"- {outlines:,} outlines: the pairs are {'the same' if same else 'NOT the same'}",
                f"the memory limit {'holds' if fits else 'does NOT hold'}"]
        if peers:
            line.append(f"time ÷ best other program {seconds / min(min(record['seconds']) for record in peers):.2f}")
        if cost:
            line.append(f"cost per outline × {seconds / outlines / cost:.2f} of the size before")
        cost = seconds / outlines
        print("; ".join(line) + ".")
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=pathlib.Path, help="inputs, environment of the peers, temporary files")
    parser.add_argument("--sizes", type=int, nargs="+", default=[10**5, 10**6, 10**7],
                        help="outlines of the first input")
    parser.add_argument("--memory", default="1GB", help="limit of carom-join, and of one run of SedonaDB")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--limit", type=float, default=3600.0, help="seconds after which a program is killed")
    parser.add_argument("--binaries", help="folder of carom-join and carom-generate; default: built by cargo")
    parser.add_argument("--json", type=pathlib.Path, help="write the figures for estimate.py")
    options = parser.parse_args()
    memory = size(options.memory)
    options.directory = options.directory.resolve()
    options.directory.mkdir(parents=True, exist_ok=True)
    programs, python = measure.binaries(options.binaries), measure.python(options.directory)
    records = [record for outlines in options.sizes for record in measured(options, programs, python, outlines)]
    if options.json:
        figures = {"machine": measure.machine(), "threads": options.threads, "memory": memory, "records": records}
        options.json.write_text(json.dumps(figures, indent=1) + "\n")
    sys.exit(0 if report(records, memory) else 1)


main()
