"""Estimates the time and cost of joins of 10^9 outlines on 10 and 100 machines from measured figures.

    python3 bench/estimate.py joins.json executors.json [--page ../docs/JOIN-ESTIMATE.md]

The files come from joins.py and executors.py. The page explains each row; --page writes the tables into it, between its
two markers.
"""

import argparse
import json
import math
import pathlib
import sys

import measure

BEGIN, END = "<!-- begin of the tables -->", "<!-- end of the tables -->"


def growth(joins):
    """Returns by how much the cost per outline grows with ten times as many outlines; at least 1."""
    own = sorted((record for record in joins["records"] if record["program"].startswith("carom-join")),
                 key=lambda record: record["outlines"])
    if len(own) < 2 or any(record["failed"] for record in own):
        sys.exit("joins.json needs two sizes at which carom-join succeeded")
    small, large = own[-2:]
    ratio = (min(large["seconds"]) / large["outlines"]) / (min(small["seconds"]) / small["outlines"])
    return max(1.0, ratio ** (1 / math.log10(large["outlines"] / small["outlines"])))


def model(joins, executors):
    """Returns the figures of the model, from the largest size with one and with two executors."""
    records = sorted(executors["records"], key=lambda record: (record["outlines"], record["executors"]))
    if len(records) < 4 or records[-1]["outlines"] == records[0]["outlines"]:
        sys.exit("executors.json needs two sizes")
    one, two = records[-2:]
    small = records[1]
    speedup = min(one["seconds"]) / min(two["seconds"])
    return {
        "outlines": two["outlines"],
        "core_seconds": one["executor_cpu"] / one["outlines"],
        "growth": growth(joins),
        "speedup": speedup,
        "efficiency": min(1.0, speedup / 2),
        "bytes": two["shuffle_bytes"] / two["outlines"],
        "pairs": two["pairs"] / two["outlines"],
        # The fixed part of the client cancels in the difference of two sizes.
        "client_seconds": (two["client_cpu"] - small["client_cpu"]) / (two["pairs"] - small["pairs"]),
        "shuffle_share": two["shuffle_seconds"] / two["task_seconds"],
        "skew": two["skew"],
    }


def estimate(figures, machines, options):
    """Returns the estimate for a number of machines; times in seconds, sizes in bytes."""
    slots = machines * options.cores
    tasks = slots * options.tasks
    decades = max(0.0, math.log10(options.outlines / figures["outlines"]))
    core_seconds = options.outlines * figures["core_seconds"] * figures["growth"] ** decades
    even = core_seconds / (slots * figures["efficiency"])
    moved = options.outlines * figures["bytes"]
    sent = moved / machines * (machines - 1) / machines
    parts = {
        "compute": even,
        "skew": even * figures["skew"] / options.tasks,
        "network": sent / (options.network * 1e9 / 8),
        "disk": 2 * moved / machines / (options.disk * 1e9),
        "client": options.outlines * figures["pairs"] * figures["client_seconds"],
    }
    total = sum(parts.values())
    return {"tasks": tasks, "core_seconds": core_seconds, "moved": moved, "sent": sent, "parts": parts, "total": total,
            "fetches": tasks**2, "cost": total / 3600 * machines * options.price}


def minutes(seconds):
    return f"{seconds / 60:.1f} min"


def size_text(size):
    unit, name = next((pair for pair in [(1e9, "GB"), (1e6, "MB")] if size >= pair[0]), (1e3, "KB"))
    return f"{size / unit:,.1f} {name}"


def tables(figures, options, machine):
    """Returns the measured figures and the estimate as Markdown."""
    measured = [
        ["core seconds per 10⁶ outlines", f"{figures['core_seconds'] * 1e6:.2f}"],
        ["growth of the cost per outline, per factor of ten", f"{figures['growth']:.2f}"],
        ["rate of two executors ÷ one", f"{figures['speedup']:.2f}"],
        ["shuffle, bytes per outline", f"{figures['bytes']:.0f}"],
        ["shuffle, time of all streams ÷ time of the tasks", f"{100 * figures['shuffle_share']:.0f} %"],
        ["pairs per outline", f"{figures['pairs']:.3f}"],
        ["client, processor seconds per 10⁶ pairs", f"{figures['client_seconds'] * 1e6:.2f}"],
        ["largest task of the join ÷ mean", f"{figures['skew']:.2f}"],
    ]
    columns = [(machines, estimate(figures, machines, options)) for machines in options.machines]
    rows = [
        ("tasks of a stage", lambda e: f"{e['tasks']:,}"),
        ("shuffle, all machines", lambda e: size_text(e["moved"])),
        ("shuffle, sent by each machine", lambda e: size_text(e["sent"])),
        ("fetches of the shuffle", lambda e: f"{e['fetches']:,}"),
        ("bytes per fetch", lambda e: size_text(e["moved"] / e["fetches"])),
        ("compute", lambda e: minutes(e["parts"]["compute"])),
        ("largest task at the end", lambda e: minutes(e["parts"]["skew"])),
        ("network", lambda e: minutes(e["parts"]["network"])),
        ("disks", lambda e: minutes(e["parts"]["disk"])),
        ("client", lambda e: minutes(e["parts"]["client"])),
        ("**sum of the times**", lambda e: f"**{minutes(e['total'])}**"),
        ("longest part", lambda e: max(e["parts"], key=e["parts"].get)),
        ("cost", lambda e: f"{e['cost']:,.2f} $"),
    ]
    body = [[name, *(cell(result) for _, result in columns)] for name, cell in rows]
    assumed = (f"Assumed: {options.cores} cores, {options.network:g} Gbit/s and {options.disk:g} GB/s of disk per "
               f"machine, {options.price:g} $ per machine and hour, {options.tasks} tasks per core.")
    return "\n\n".join([
        f"Measured on {machine}, at {figures['outlines']:,} outlines:",
        measure.table(["figure", "measured"], measured),
        f"{options.outlines:,.0f} outlines:",
        measure.table(["", *(f"{machines} machines" for machines, _ in columns)], body),
        assumed,
    ])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("joins", type=pathlib.Path)
    parser.add_argument("executors", type=pathlib.Path)
    parser.add_argument("--outlines", type=float, default=1e9, help="outlines of both inputs")
    parser.add_argument("--machines", type=int, nargs="+", default=[10, 100])
    parser.add_argument("--cores", type=int, default=16, help="cores of a machine")
    parser.add_argument("--tasks", type=int, default=4, help="tasks of a stage per core")
    parser.add_argument("--network", type=float, default=10.0, help="Gbit/s of a machine")
    parser.add_argument("--disk", type=float, default=1.0, help="GB/s of a machine")
    parser.add_argument("--price", type=float, default=0.8, help="dollars per machine and hour")
    parser.add_argument("--page", type=pathlib.Path, help="write the tables into this page")
    options = parser.parse_args()
    joins, executors = (json.loads(path.read_text()) for path in (options.joins, options.executors))
    text = tables(model(joins, executors), options, executors["machine"])
    if not options.page:
        print(text)
        return
    page = options.page.read_text()
    if page.count(BEGIN) != 1 or page.count(END) != 1:
        sys.exit(f"{options.page}: the two markers of the tables are missing")
    before, after = page.split(BEGIN)[0], page.split(END)[1]
    options.page.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}")


main()
