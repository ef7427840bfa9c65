"""Measures two executors against one. Each executor has one task at a time and is pinned to a core of its own.

    python3 bench/executors.py DIRECTORY [--sizes 1000000 3000000] [--memory 1GB] [--json executors.json]

The scheduler and the client are not pinned; their processor time is in the table. The clusters take turns. One more run
of each, with a log, gives the shares of the shuffle: it is not in the times. Needs an idle machine.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import socket
import statistics
import subprocess
import sys
import time

import measure

UNITS = {"ns": 1e-9, "µs": 1e-6, "us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}
SHUFFLE = re.compile(r"\b(write_time|repart_time|spill_time|fetch_time|local_read_time)(?:\{[^}]*\})?=([^,)\]]+)")
WRITER_HEAD = "DefaultQueryStageExec("
HEAD = re.compile(r"=== \[(\w+)/(\d+)/(\d+)\] Physical plan with metrics ===")
FINISHED = re.compile(r"Finished task : \[TID (\w+)/(\d+)\.\d+/[\d.]+\] in (\S+)")
WRITTEN = re.compile(r"Task statistics: \[TID (\w+)/(\d+)\.\d+/[\d.]+\] Ok\(\[(.*)\]\)")


def seconds(text):
    """Returns the seconds of a duration such as `1.5ms` or `1m 2s`."""
    return sum(float(number) * UNITS[unit] for number, unit in re.findall(r"([\d.]+)\s*(ns|µs|us|ms|s|m|h)\b", text))


def cpu(process):
    """Returns the processor seconds of a process so far."""
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def free_port():
    """Returns a free port whose successor is free, too."""
    while True:
        with socket.socket() as first, socket.socket() as second:
            first.bind(("127.0.0.1", 0))
            port = first.getsockname()[1]
            try:
                second.bind(("127.0.0.1", port + 1))
                return port
            except (OSError, OverflowError):
                continue


class Cluster:
    """A scheduler and its executors. Leaving the context ends them."""

    def __init__(self, programs, directory, executors, memory, level):
        self.directory = directory
        self.processes = []
        shutil.rmtree(directory, ignore_errors=True)
        directory.mkdir(parents=True)
        port = free_port()
        self.url = f"df://localhost:{port}"
        try:
            command = [programs / "carom-join", "scheduler", "--port", port]
            self.scheduler = self.start(command, "scheduler", "warn", port)
            self.executors = []
            for index in range(executors):
                own = free_port()
                self.executors.append(self.start(
                    ["taskset", "-c", index, programs / "carom-join", "executor", "--scheduler", f"localhost:{port}",
                     "--port", own, "--slots", 1, "--memory", memory, "--work", directory],
                    f"executor-{index}", level, own))
            # Executors register after they listen.
            time.sleep(3)
        except BaseException:
            self.__exit__()
            raise

    def start(self, command, name, level, port):
        with (self.directory / f"{name}.log").open("wb") as log:
            process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=log,
                                       stderr=log, env={**os.environ, "RUST_LOG": level})
        self.processes.append(process)
        start = time.monotonic()
        while time.monotonic() - start < 60:
            if process.poll() is not None:
                break
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return process
            time.sleep(0.05)
        sys.exit(f"{name} did not start: {(self.directory / f'{name}.log').read_text()[-1000:]}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def join(self, programs, files, out, options):
        """Runs a join. Returns the run of the client, and the processor seconds of scheduler and executors."""
        servers = [self.scheduler, *self.executors]
        before = [cpu(process) for process in servers]
        command = [programs / "carom-join", *files, "--cluster", self.url, "--partitions", options.partitions, "--temp",
                   options.directory, "-o", out]
        run = measure.checked(command, self.directory / "client", limit=options.limit)
        spent = [cpu(process) - start for process, start in zip(servers, before)]
        return run, spent[0], spent[1:]

    def log(self):
        return "".join((self.directory / f"executor-{index}.log").read_text(errors="replace")
                       for index in range(len(self.executors)))


def shuffle(log):
    """Returns the figures of the last job in a log of executors: bytes, seconds, skew."""
    # Jobs have growing names; the join is the last one.
    job = max(found[1] for found in FINISHED.finditer(log))
    tasks = collections.defaultdict(list)
    for found in FINISHED.finditer(log):
        if found[1] == job:
            tasks[int(found[2])].append(seconds(found[3]))
    last = max(tasks)
    moved = results = 0
    for found in WRITTEN.finditer(log):
        if found[1] == job:
            size = sum(int(number) for number in re.findall(r"num_bytes: (\d+)", found[3]))
            if int(found[2]) == last:
                results += size
            else:
                moved += size
    if moved == 0:
        sys.exit("the log of the executors has no sizes of the shuffle: another version of Ballista?")
    spent, wanted, result_seconds = 0.0, False, 0.0
    for line in log.splitlines():
        if head := HEAD.search(line):
            wanted = head[1] == job
            final = int(head[2]) == last
        elif wanted:
            times = sum(seconds(value) for _, value in SHUFFLE.findall(line))
            # The last stage writes pairs, not a shuffle.
            if final and line.startswith(WRITER_HEAD):
                result_seconds += times
            else:
                spent += times
    total = sum(map(sum, tasks.values()))
    return {"shuffle_bytes": moved, "result_bytes": results, "task_seconds": total, "shuffle_seconds": spent,
            "result_seconds": result_seconds, "join_tasks": len(tasks[last]),
            "skew": max(tasks[last]) / statistics.mean(tasks[last])}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=pathlib.Path, help="inputs, environment of the peers, temporary files")
    parser.add_argument("--sizes", type=int, nargs="+", default=[10**6, 3 * 10**6], help="outlines of the first input")
    parser.add_argument("--memory", default="1GB", help="memory of an executor")
    parser.add_argument("--partitions", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--limit", type=float, default=3600.0, help="seconds after which a join is killed")
    parser.add_argument("--binaries", help="folder of carom-join and carom-generate; default: built by cargo")
    parser.add_argument("--json", type=pathlib.Path, help="write the figures for estimate.py")
    options = parser.parse_args()
    options.directory = options.directory.resolve()
    options.directory.mkdir(parents=True, exist_ok=True)
    programs, python = measure.binaries(options.binaries), measure.python(options.directory)
    out, records = options.directory / "pairs.parquet", []
    for outlines in options.sizes:
        files = measure.inputs(programs, options.directory, outlines)
        group = {count: {"executors": count, "outlines": outlines + outlines // 10, "seconds": []} for count in (1, 2)}
        for turn in range(options.rounds + 1):
            for count, record in group.items():
                logged = turn == options.rounds
                print(f"{outlines} outlines, round {turn + 1}: executors {count}", file=sys.stderr, flush=True)
                work = options.directory / "cluster"
                with Cluster(programs, work, count, options.memory, "debug" if logged else "warn") as cluster:
                    run, scheduler, executors = cluster.join(programs, files, out, options)
                if logged:
                    record.update(shuffle(cluster.log()))
                elif not record["seconds"] or run.seconds < min(record["seconds"]):
                    record.update(scheduler_cpu=scheduler, executor_cpu=sum(executors), client_cpu=run.cpu)
                if not logged:
                    record["seconds"].append(run.seconds)
                digest = measure.checked([python, pathlib.Path(__file__).parent / "peers" / "digest.py", out],
                                         options.directory / "digest").stdout.split()
                if record.setdefault("sum", digest[1]) != digest[1] or group[1]["sum"] != digest[1]:
                    sys.exit("the clusters found different pairs")
                record["pairs"] = int(digest[0])
        records += group.values()
    if options.json:
        options.json.write_text(json.dumps({"machine": measure.machine(), "records": records}, indent=1) + "\n")
    report(records)


def report(records):
    """Prints the table, and the rate of two executors against one."""
    rows = []
    for record in records:
        rows.append([
            record["executors"], f"{record['outlines']:,}", f"{record['pairs']:,}", f"{min(record['seconds']):.2f}",
            *(f"{record[name]:.1f}" for name in ("executor_cpu", "scheduler_cpu", "client_cpu")),
            f"{record['shuffle_bytes'] / record['outlines']:.0f}",
            f"{100 * record['shuffle_seconds'] / record['task_seconds']:.0f} %", f"{record['skew']:.2f}",
        ])
    print(measure.machine(), end="\n\n")
    print(measure.table(["executors", "outlines", "pairs", "seconds", "CPU s: executors", "scheduler", "client",
                         "shuffle bytes per outline", "shuffle time of all streams ÷ task time",
                         "largest task ÷ mean"], rows), end="\n\n")
    for one, two in zip(records[::2], records[1::2]):
        print(f"- {one['outlines']:,} outlines: rate of two executors ÷ one "
              f"{min(one['seconds']) / min(two['seconds']):.2f}.")


main()
